"""`illuminate`: find the best level for every combination of two or more measures.

`Illumination`: the job that fills an archive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar, Self

from levolve.core.arguments import EXECUTOR, named_arguments
from levolve.core.errors import InputError
from levolve.jobs.archives.archive import Archive, Progress
from levolve.jobs.checkpoints import complete
from levolve.jobs.executors import ExecutorSource, stop_requested, work_pool
from levolve.jobs.job import Job, JobOutcome, State
from levolve.jobs.runs.run import Run
from levolve.jobs.store.places import StoreSource
from levolve.levels.measures import MEASURES
from levolve.recipes.finding import RecipeSource, Size, adapt, find_content_recipe
from levolve.recipes.recipe import Recipe
from levolve.search.loop import GenerationScored, SearchEnded
from levolve.search.strategies.map_elites import MapElitesSearch

if TYPE_CHECKING:
    from levolve.core.events import Watch
    from levolve.search.search import Search


class Illumination(Job[Archive]):
    """Fills an archive by a run of a recipe with the strategy `map_elites`.

    Parameters
    ----------
    recipe
        What to evolve; see `levolve.jobs.archives.illuminate.illumination_recipe`.
    seed
        From 0 to 2**64 - 1; by default a random one.
    executor
        Any `concurrent.futures.Executor` to evaluate individuals with; by default this thread. It
        does not change the result.
    stop
        Called between generations; return True to end early.
    """

    kind: ClassVar[str] = "illuminate"

    def __init__(
        self,
        recipe: Recipe,
        seed: int | None = None,
        executor: Executor | None = None,
        stop: Callable[[], bool] = stop_requested,
    ) -> None:
        """Prepare; nothing is computed yet."""
        if recipe.strategy["kind"] != "map_elites":
            raise InputError(f"strategy: expected map_elites, got {recipe.strategy['kind']}")
        self.run = Run(recipe, seed, executor, stop)
        self.recipe = recipe
        self.name = recipe.name
        self.seed = self.run.seed
        self.filling = Progress()

    def call(self) -> dict[str, Any]:
        """Return the recipe and the seed."""
        return self.run.call()

    @classmethod
    def from_call(
        cls,
        call: Mapping[str, Any],
        executor: Executor | None = None,
        stop: Callable[[], bool] = stop_requested,
    ) -> Self:
        """Build an illumination from its recipe and seed."""
        return cls(Recipe.from_data(call["recipe"]), call["seed"], executor, stop)

    def events(self) -> Iterator[GenerationScored | SearchEnded]:
        """Advance to the end; yield an event per generation, with coverage and QD score as its
        figures, and one with the reason at the end.
        """
        for event in self.run.events():
            if isinstance(event, GenerationScored):
                self.filling.evaluations.append(event.evaluations)
                self.filling.coverage.append(event.figures["coverage"])
                self.filling.qd_score.append(event.figures["qd_score"])
            yield event

    def state(self) -> State:
        """Return the state of the run, and how the archive was filled."""
        return {
            "run": self.run.state(),
            "filling": {name: list(values) for name, values in vars(self.filling).items()},
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Continue from a state."""
        self.run.restore(state["run"])
        self.filling = Progress(**{name: list(values) for name, values in state["filling"].items()})

    @property
    def search(self) -> MapElitesSearch:
        """The running search."""
        search: Search = self.run.search
        if not isinstance(search, MapElitesSearch):
            raise InputError(
                f"strategy: expected a search of map_elites, got {type(search).__name__}"
            )
        return search

    @property
    def result(self) -> Archive:
        """The archive so far."""
        search, run = self.search, self.run
        elites = search.archive.state()
        genes = run.population.copy() if elites["genes"] is None else elites["genes"]
        best = search.best_genes
        inside = best is None or bool((genes == best).all(axis=1).any())
        return Archive(
            run.recipe,
            run.seed,
            run.evaluations,
            search.grid,
            elites["cells"],
            genes,
            elites["scores"],
            elites["values"],
            search.settings.floor or 0.0,
            0 if inside else 1,
            self.filling,
        )

    @property
    def size(self) -> str:
        """The size of the levels."""
        return self.run.size

    @property
    def score(self) -> float | None:
        """The best score so far; None before the first generation."""
        return self.run.score

    @property
    def is_remote(self) -> bool:
        """Whether other processes compute it."""
        return self.run.is_remote

    @property
    def is_stopped(self) -> bool:
        """Whether `stop` ended the run."""
        return self.run.is_stopped

    @property
    def progress(self) -> float | None:
        """The share of the evaluations."""
        return self.run.progress

    @property
    def headline(self) -> str:
        """The coverage so far."""
        return f"{self.filling.coverage[-1]:.1%} covered" if self.filling.coverage else ""

    def outcome(self) -> JobOutcome:
        """Return the report. The levels are in the state, as genes."""
        archive = self.result
        return JobOutcome(self.to_data(archive), archive.digest)

    def to_data(self, archive: Archive | None = None) -> dict[str, Any]:
        """Return the result as JSON-compatible data."""
        return {**(archive or self.result).to_data(), "seconds": round(self.run.seconds, 6)}


KIND = "map_elites"
EVALUATIONS = 1_000_000
# The default axes: the first two that the levels have.
DEFAULT_AXES = 2
AXES = (
    *("spheres", "backtracking"),
    *("walls", "exit_path", "tour_steps", "longest_path", "turns", "regions"),
)


@named_arguments(EXECUTOR)
def illuminate(
    recipe: RecipeSource | None = None,
    *,
    axes: Iterable[str] | str | None = None,
    grid: Sequence[int] | str = (50, 50),
    ranges: Mapping[str, tuple[float, float]] | None = None,
    evaluations: int = EVALUATIONS,
    size: Size | None = None,
    seed: int | None = None,
    objective: str | Mapping[str, Any] | Callable[..., Any] | None = None,
    settings: Mapping[str, Any] | None = None,
    executor: ExecutorSource | None = None,
    watch: Watch | None = None,
    stop: Callable[[], bool] = stop_requested,
    store: StoreSource = None,
) -> Archive:
    """Fill an archive with the best level of each cell of a grid over measures.

    Parameters
    ----------
    recipe, size, objective, settings
        What to evolve; see `levolve.recipes.finding.adapt`. The strategy is `map_elites`; its
        settings can be changed by `settings`.
    axes
        The measures, such as "walls,exit_path", or features that the objective returns; by default
        the first two of `AXES` that the levels have.
    grid
        The number of cells on each axis, as numbers or as "50x50". An axis has no more cells than
        there are values.
    ranges
        The least and the greatest value of measures and features, by name; by default the usual
        ones (`Measure.usual`), which features lack. Levels outside are not stored.
    evaluations
        How many levels are evaluated.
    seed
        From 0 to 2**64 - 1; by default a random one. The same seed gives the same bytes.
    executor
        Where levels are evaluated; see `levolve.evolve`. Does not change the result.
    watch
        A callback for events: a `GenerationScored` per generation, with the figures `coverage` and
        `qd_score`.
    stop, store
        See `levolve.evolve`.

    >>> archive = illuminate("maze", axes="walls,exit_path", size=(8, 8), evaluations=2000, seed=1)
    >>> archive.level(int(archive.cells[0])).check()
    """
    adapted = illumination_recipe(
        recipe,
        axes=axes,
        grid=grid,
        ranges=ranges,
        evaluations=evaluations,
        size=size,
        objective=objective,
        settings=settings,
    )
    with work_pool(executor=executor) as pool:
        return complete(Illumination(adapted, seed, pool, stop), store, watch)


def illumination_recipe(
    recipe: RecipeSource | None,
    *,
    axes: Iterable[str] | str | None = None,
    grid: Sequence[int] | str = (50, 50),
    ranges: Mapping[str, tuple[float, float]] | None = None,
    evaluations: int = EVALUATIONS,
    size: Size | None = None,
    objective: str | Mapping[str, Any] | Callable[..., Any] | None = None,
    settings: Mapping[str, Any] | None = None,
    check: Callable[[Recipe], None] | None = None,
) -> Recipe:
    """Return a recipe with the strategy `map_elites` and complete axes; see `illuminate`.

    `check` may refuse the recipe before its axes are complete: to find their ranges decodes a
    level, which takes minutes for very large ones.
    """
    if isinstance(evaluations, bool) or not isinstance(evaluations, int) or evaluations < 1:
        raise InputError(f"evaluations: expected a whole number of at least 1, got {evaluations!r}")
    contents = find_content_recipe(recipe)
    if contents is not None:
        raise InputError(
            f"recipe: expected a recipe of levels, got {contents.name}, whose contents are "
            "not levels; "
            "illuminate them by evolve with strategy=map_elites, strategy.axes and strategy.ranges"
        )
    # Settings of other parts decide what levels have, such as things.
    others = {
        path: value for path, value in (settings or {}).items() if not path.startswith("strategy")
    }
    begun = adapt(recipe, size=size, objective=objective).changed(others)
    kind = {} if begun.strategy["kind"] == KIND else {"strategy.kind": KIND}
    limits = {"generations": evaluations, "evaluations": evaluations}

    def prepared(names: tuple[str, ...]) -> Recipe:
        found = {
            "strategy.axes": list(names),
            "strategy.grid": list(parse_grid(grid, len(names))),
            "strategy.ranges": None,
            "strategy.steps": None,
        }
        return begun.changed({**kind, **limits, **found, **(settings or {})})

    wanted = axes.split(",") if isinstance(axes, str) else axes
    given = None if wanted is None else tuple(name.strip() for name in wanted)
    if check is not None:
        check(prepared(_suited_axes(begun)[:DEFAULT_AXES] if given is None else given))
    names = default_axes(begun) if given is None else given
    for name in names:
        if begun.problem.axis(name) is None and not begun.problem.returns_features:
            MEASURES[name]
    unranged = prepared(names)
    spans = _spans(unranged, names, ranges or {})
    return unranged.changed({"strategy.ranges": [list(span) for span in spans]})


def default_axes(recipe: Recipe) -> tuple[str, ...]:
    """Return the first two of `AXES` that the levels of a recipe have, and that have more than one
    value.
    """
    problem = recipe.problem
    spans = {name: problem.axis(name) for name in _suited_axes(recipe)}
    varied = (name for name, span in spans.items() if span is not None and span[0] < span[1])
    return tuple(varied)[:DEFAULT_AXES]


def _suited_axes(recipe: Recipe) -> tuple[str, ...]:
    """Return those of `AXES` that the levels of a recipe have."""
    return tuple(name for name in AXES if MEASURES[name].suits(recipe.frame))


def parse_grid(grid: Sequence[int] | str, axes: int) -> tuple[int, ...]:
    """Parse the number of cells on each axis: numbers, or a string such as "50x50". One number is
    used for all axes.
    """
    try:
        sides = tuple(
            int(side) for side in (grid.lower().split("x") if isinstance(grid, str) else grid)
        )
    except (TypeError, ValueError) as problem:
        raise InputError(
            f"grid: expected the number of cells on each axis, such as 50x50, got {grid!r}"
        ) from problem
    sides = (
        sides * axes
        if len(sides) == 1
        else (sides[0],)
        if axes == 1 and len(set(sides)) == 1
        else sides
    )
    if len(sides) != axes or min(sides) < 1:
        raise InputError(
            f"grid: expected {axes} numbers of at least 1, one for each axis, such as "
            f"{'x'.join(['50'] * axes)}, got {grid!r}"
        )
    return sides


def _spans(
    recipe: Recipe, names: Sequence[str], given: Mapping[str, tuple[float, float]]
) -> list[tuple[float, float]]:
    """Return the given ranges of the axes, and the usual ones of the others."""
    spans = []
    for name in [*given, *names]:
        if name not in names:
            raise InputError(
                f"ranges: expected only axes, which are {', '.join(names)}, got {name}"
            )
    for name in names:
        known = recipe.problem.axis(name)
        if name not in given and (known is None or not isfinite(known[1])):
            raise InputError(
                f"ranges: expected a range for {name}, which has no greatest value of its own, "
                f"such as {name}=0..100"
            )
        low, high = given[name] if name in given else known[:2]  # type: ignore[index] # known, as checked above
        if not low < high:
            raise InputError(
                f"ranges: expected a lower and a higher value of {name}, got {low:g} and "
                f"{high:g}; choose another axis or range"
            )
        spans.append((low, high))
    return spans
