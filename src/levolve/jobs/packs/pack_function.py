"""`pack`: build many distinct levels that meet their targets, and puzzles.

The demo: a pack of levels from several recipes.

`join_packs`: packs in their folders become one.
"""

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from levolve.core.arguments import EXECUTOR, OldSpelling, named_arguments
from levolve.core.errors import InputError, UnknownNameError
from levolve.core.events import Watch
from levolve.core.registry import did_you_mean
from levolve.jobs.checkpoints import complete
from levolve.jobs.executors import ExecutorSource, work_pool
from levolve.jobs.packs.order import Order, PuzzleOrder
from levolve.jobs.packs.pack import Pack
from levolve.jobs.packs.pack_job import PackJob
from levolve.jobs.packs.section import AnyOrder
from levolve.jobs.store.places import StoreSource
from levolve.levels.level import Level
from levolve.puzzles import PUZZLES
from levolve.recipes.finding import RecipeSource, Size, adapt
from levolve.recipes.from_levels import KEPT, Example, Keep
from levolve.recipes.recipe import Recipe

BUDGET = OldSpelling(
    ("budget",), "attempts", "the failed searches in a row before a target is abandoned"
)


@named_arguments(EXECUTOR, KEPT, BUDGET)
def pack(
    recipe: RecipeSource | Sequence[RecipeSource] | None = None,
    *,
    count: int = 24,
    size: Size | None = None,
    target: Mapping[str, Any] | None = None,
    distinct: float = 0.0,
    curve: str | Sequence[float] | None = None,
    seed: int | None = None,
    attempts: int | None = None,
    settings: Mapping[str, Any] | None = None,
    start: Level | None = None,
    change: float | None = None,
    keep: Keep = "",
    like: Iterable[Example] | Example | None = None,
    frame: bool = False,
    things: Mapping[str, Any] | None = None,
    allow_loss: bool = False,
    request: Mapping[str, Any] | None = None,
    executor: ExecutorSource | None = None,
    watch: Watch | None = None,
    store: StoreSource = None,
) -> Pack:
    """Build a pack of distinct levels that meet their targets.

    Parameters
    ----------
    recipe, size, settings, start, change, keep, frame, like, things, allow_loss
        How levels are evolved; see `levolve.recipes.finding.adapt`. `recipe` may be the name of a
        puzzle, such as "flag", or a list of recipes and puzzles, which share the levels evenly and
        are merged in the order of difficulty. Beside levels, puzzles have their usual size.
    count
        The number of levels and puzzles, 1 or more.
    target
        Ranges of measures by name: a value, a pair, a string such as "35..98", a list of these with
        one per level, or a `levolve.packs.spread`.
    distinct
        The minimum share of cells in which any two levels differ, 0 <= share < 1.
    curve
        Order the levels by difficulty, evenly spaced: "easy..hard", "hard..easy", or two numbers
        from 0 to 1.
    seed
        From 0 to 2**64 - 1; by default a random one. The same seed gives the same bytes.
    attempts
        Consecutive failed searches before a target is abandoned, 1 or more; by default 8.
    request
        For puzzles: other fields of their requests (see `levolve make`), such as {"unique": True}.
    executor
        Where searches are carried out; see `levolve.evolve`. Does not change the result.
    watch
        A callback for events: a `SearchFinished` per search; with `like`, before them a
        `ProbeAdvanced` per generation of the search that sets the likeness.
    store
        Where the pack is stored while it is built, so that `levolve.resume` can continue it: a
        path, a `Store`, or True for the user's own. By default nowhere.

    Levels that were not found are omitted; `.report` lists them.

    >>> target = {"regions": 1, "exit_path": (16, 30)}
    >>> made = pack("maze", count=2, size=(8, 8), target=target, distinct=0.3, seed=1)
    >>> made.report.met, [level.check() for level in made.levels]
    (True, [None, None])
    """
    sources = (
        list(recipe) if isinstance(recipe, Sequence) and not isinstance(recipe, str) else [recipe]
    )
    changes: dict[str, Any] = {"settings": settings, "frame": frame, "like": like}
    changes |= {"start": start, "change": change, "keep": keep}
    changes |= {"things": things, "allow_loss": allow_loss}
    requirements = {"target": target, "distinct": distinct, "budget": attempts}
    orders = orders_of(
        sources,
        count=count,
        size=size,
        curve=curve,
        changes=changes,
        requirements=requirements,
        request=request,
        watch=watch,
    )
    with work_pool(executor=executor) as pool:
        return complete(PackJob(orders, seed, pool), store, watch)


def orders_of(
    sources: Sequence[RecipeSource | None],
    *,
    count: int,
    size: Size | None = None,
    curve: str | Sequence[float] | None = None,
    changes: Mapping[str, Any] | None = None,
    requirements: Mapping[str, Any] | None = None,
    request: Mapping[str, Any] | None = None,
    watch: Watch | None = None,
) -> list[AnyOrder]:
    """Return the orders of a pack: one per recipe or puzzle, which share the levels evenly.

    Parameters
    ----------
    sources
        Recipes, and names of puzzles.
    count, curve, watch
        See `pack`.
    size
        The size of levels. In a pack without levels it is that of the puzzles; beside levels,
        puzzles have their usual size.
    changes, requirements
        Arguments of `adapt` and of `Order.of`, by name. They apply to levels; a pack without levels
        takes none.
    request
        Fields of the requests for puzzles, such as `unique`. Each applies to the puzzles that have
        it; one that none has is refused.
    """
    if not sources:
        raise InputError("recipe: expected at least one recipe, got none")
    recipes = {index: source for index, source in enumerate(sources) if not is_puzzle(source)}
    unfit = [
        name
        for name, value in {**(changes or {}), **(requirements or {})}.items()
        if _is_given(value)
    ]
    if not recipes and unfit:
        raise InputError(
            f"{unfit[0]}: expected a recipe of levels, got the puzzle {sources[0]!r}; see "
            f"'levolve make {sources[0]} --help'"
        )
    adapted = {index: _adapted(source, size, changes or {}) for index, source in recipes.items()}
    names = [
        adapted[index].name if index in adapted else str(source)
        for index, source in enumerate(sources)
    ]
    if len(set(names)) < len(names):
        raise InputError(f"recipe: expected each recipe once, got {', '.join(names)}")
    requests = {
        name: _request_of(name, request or {})
        for index, name in enumerate(names)
        if index not in adapted
    }
    unknown = [
        field for field in request or {} if not any(field in known for known in requests.values())
    ]
    if unknown:
        raise InputError(
            f"{unknown[0]}: expected a puzzle that has it, such as flag, got {', '.join(names)}"
        )
    shares = shares_of(count, len(sources)) if len(sources) > 1 else [count]
    return [
        Order.of(adapted[index], count=share, curve=curve, watch=watch, **(requirements or {}))
        if index in adapted
        else PuzzleOrder.of(
            name, count=share, size=None if adapted else size, curve=curve, request=requests[name]
        )
        for index, (name, share) in enumerate(zip(names, shares, strict=True))
    ]


def _request_of(puzzle: str, request: Mapping[str, Any]) -> dict[str, Any]:
    """Return those fields that the requests for a puzzle have."""
    known = {entry.name for entry in fields(PUZZLES[puzzle].request)}
    return {name: value for name, value in request.items() if name in known}


def is_puzzle(source: RecipeSource | None) -> bool:
    """Whether a source of levels is the name of a puzzle."""
    return isinstance(source, str) and source in PUZZLES


def _adapted(source: RecipeSource | None, size: Size | None, changes: Mapping[str, Any]) -> Recipe:
    """Return a recipe with changes. An unknown name may also be that of a puzzle."""
    try:
        return adapt(source, size=size, **changes)
    except UnknownNameError as problem:
        raise UnknownNameError(
            f"{problem}; of the puzzles: {did_you_mean(str(source), list(PUZZLES))}"
        ) from problem


def _is_given(value: object) -> bool:
    """Whether the value of an option is not its default."""
    return not (
        value is None
        or (isinstance(value, str | bool | int | float | Mapping | list | tuple) and not value)
    )


def shares_of(count: int, recipes: int) -> list[int]:
    """Divide a number of levels among recipes and puzzles evenly; the first ones get one more."""
    if count < recipes:
        least = f"at least one level for each of the {recipes} recipes"
        raise InputError(f"count: expected {least}, got {count}")
    return [count // recipes + (index < count % recipes) for index in range(recipes)]


# Recipe, number of levels, targets and settings.
PARTS: list[tuple[str, int, dict[str, Any], dict[str, Any]]] = [
    ("labyrinth", 5, {}, {"size": "21x15"}),
    ("castle", 4, {"walls": "150..260", "exit_path": "12..90"}, {"size": "25x17"}),
    ("grotto", 4, {"walls": "170..280"}, {"size": "25x17"}),
    ("garden", 3, {}, {"size": "21x15"}),
    ("maze-tunnels", 3, {"regions": "1", "specks": "0..3"}, {"size": "20x20"}),
    ("maze-chromatic", 3, {}, {"size": "10x10"}),
    ("dungeon", 2, {"regions": "1..3"}, {"size": "12x12"}),
]
DEMO_FORMATS = ("json", "txt", "png")
DEMO_LEVELS = sum(count for _, count, _, _ in PARTS)


def build_demo(seed: int = 1, executor: Executor | None = None, watch: Watch | None = None) -> Pack:
    """Build a pack from several recipes, sorted from the easiest level to the hardest. The same
    seed gives the same levels.
    """
    orders = [
        Order.of(
            adapt(recipe, settings=settings),
            count=count,
            target=target,
            distinct=0.12,
            curve="easy..hard",
        )
        for recipe, count, target, settings in PARTS
    ]
    return replace(complete(PackJob(orders, seed, executor), watch=watch), name="levolve demo")


GIVEN = "given"
# Each order by name: whether the hardest level is first, None for the packs one after the other.
ORDERS = {"easy..hard": False, "hard..easy": True, GIVEN: None}


def join_packs(folders: Sequence[str | Path], order: str = "easy..hard") -> Pack:
    """Read packs from their folders and join them. Every level keeps its origin, and every part its
    order, seed and results.

    Parameters
    ----------
    folders
        The folders of at least two packs. No level may be in two of them.
    order
        "easy..hard" or "hard..easy", as in `Pack.joined`, or "given" for the levels of one pack
        after those of the other.
    """
    if order not in ORDERS:
        raise InputError(
            f"order: unknown order {order!r}: {did_you_mean(str(order), list(ORDERS))}"
        )
    if len(folders) < 2:  # one pack is joined already
        raise InputError(f"PACK: expected the folders of at least two packs, got {len(folders)}")
    packs = [Pack.load(folder) for folder in folders]
    _check_distinct(folders, packs)
    kinds = dict.fromkeys(part.order.name for pack in packs for part in pack.parts)
    return Pack.joined(", ".join(kinds), packs, descending=ORDERS[order])


def _check_distinct(folders: Sequence[str | Path], packs: Sequence[Pack]) -> None:
    """Raise `InputError` if a level is in two packs."""
    seen: dict[str, str] = {}
    equal = []
    for folder, pack in zip(folders, packs, strict=True):
        for item, name in zip(pack.items, pack.names, strict=True):
            here = str(Path(folder) / name)
            if item.digest in seen:
                equal.append(f"{here} equals {seen[item.digest]}")
            seen.setdefault(item.digest, here)
    if equal:
        more = f" and {len(equal) - 1} more" if len(equal) > 1 else ""
        raise InputError(
            f"PACK: expected packs without equal levels, got {len(equal)}: {equal[0]}{more}; "
            "leave one pack out, or build it with another seed"
        )
