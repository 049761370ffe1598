"""`expressive_range`: sample the levels of recipes and show where they lie between two measures."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Executor
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self, cast, get_args

import numpy as np

from levolve.core.arguments import EXECUTOR, named_arguments
from levolve.core.errors import InputError, LevolveError
from levolve.core.events import Event, Watch
from levolve.jobs.checkpoints import complete
from levolve.jobs.executors import ExecutorSource, stop_requested, work_pool
from levolve.jobs.job import JobOutcome
from levolve.jobs.runs.run import Run
from levolve.jobs.store.places import StoreSource
from levolve.jobs.studies.arguments import about_recipe, distinct_names, varied
from levolve.jobs.studies.expressive_range import ExpressiveRange, RecipeRange, Sample, shared_edges
from levolve.jobs.units import UnitJob
from levolve.levels.measures import MEASURES
from levolve.recipes.base_recipe import parse_size
from levolve.recipes.finding import RecipeSource, Size, adapt
from levolve.recipes.recipe import Recipe, find_recipe
from levolve.search.loop import STOPPED
from levolve.search.problem import FEASIBLE, choose_seed

Levels = Literal["best", "population", "random"]
BEST, POPULATION, RANDOM = get_args(Levels)
# Random levels per unit of work.
BLOCK = 1000
GRID = (25, 25)

Stop = Callable[[], bool]


@dataclass(frozen=True)
class SampleTaken(Event):
    """A run, or a block of random levels, has been measured: number `done` of `total`."""

    kind: ClassVar[str] = "sample"

    recipe: str
    seed: int
    levels: int
    done: int
    total: int


class RangeJob(UnitJob[ExpressiveRange, Sample]):
    """Samples the levels of recipes. `events()` yields an event per run or block of levels, in
    order.
    """

    kind: ClassVar[str] = "range"

    def __init__(
        self,
        rivals: Mapping[str, Recipe],
        *,
        axes: tuple[str, str],
        samples: int,
        levels: Levels,
        grid: tuple[int, int],
        seed: int,
        executor: Executor | None = None,
        stop: Stop = stop_requested,
    ) -> None:
        """Prepare; nothing is run yet. `rivals` are recipes by their names. See `of`."""
        self.name = ", ".join(rivals)
        self.rivals = dict(rivals)
        self.axes = axes
        self.samples = samples
        self.levels = levels
        self.grid = grid
        super().__init__(seed, executor, stop)

    @classmethod
    def of(
        cls,
        recipes: Sequence[RecipeSource],
        *,
        axes: Sequence[str] | None = None,
        samples: int = 200,
        levels: str = BEST,
        evaluations: int | None = 5000,
        size: Size | None = None,
        grid: Size = GRID,
        seed: int = 1,
        settings: Mapping[str, Any] | None = None,
        vary: Mapping[str, Any] | None = None,
        executor: Executor | None = None,
        stop: Stop = stop_requested,
    ) -> Self:
        """Return the job that samples some recipes. See `expressive_range` for the parameters."""
        if not recipes:
            raise InputError("recipes: expected at least one recipe, got none")
        if samples < 1:
            raise InputError(f"samples: expected at least 1, got {samples}")
        if levels not in get_args(Levels):
            raise InputError(
                f"levels: expected one of {', '.join(get_args(Levels))}, got {levels!r}"
            )
        choose_seed(seed)
        choose_seed(seed + samples - 1)
        found = [find_recipe(recipe) for recipe in recipes]
        rivals: dict[str, Recipe] = {}
        budget = (
            {} if evaluations is None else {"evaluations": evaluations, "generations": evaluations}
        )
        named = dict(zip(distinct_names(found, recipes), found, strict=True))
        for name, recipe in varied(named, vary, settings or {}).items():
            changes = {} if vary else settings or {}
            with about_recipe(name):
                rivals[name] = adapt(recipe, size=size, settings={**changes, **budget})
                Run(rivals[name], 0)
        chosen = _axes(axes, rivals)
        cells = parse_size(grid)
        if not isinstance(cells, tuple) or min(cells) < 1:
            raise InputError(f"grid: expected WIDTHxHEIGHT such as 25x25, got {grid!r}")
        return cls(
            rivals,
            axes=chosen,
            samples=samples,
            levels=cast("Levels", levels),
            grid=cells,
            seed=seed,
            executor=executor,
            stop=stop,
        )

    def call(self) -> dict[str, Any]:
        """Return the recipes, axes, numbers and the first seed as JSON-compatible data."""
        return {
            "recipes": [[name, rival.to_data()] for name, rival in self.rivals.items()],
            "axes": list(self.axes),
            "samples": self.samples,
            "levels": self.levels,
            "grid": list(self.grid),
            "seed": self.seed,
        }

    @classmethod
    def from_call(
        cls, call: Mapping[str, Any], executor: Executor | None = None, stop: Stop = stop_requested
    ) -> Self:
        """Return the job that `call` describes."""
        rivals = {name: Recipe.from_data(data) for name, data in call["recipes"]}
        first, second = call["axes"]
        width, height = call["grid"]
        return cls(
            rivals,
            axes=(first, second),
            samples=call["samples"],
            levels=call["levels"],
            grid=(width, height),
            seed=call["seed"],
            executor=executor,
            stop=stop,
        )

    def _reset(self) -> None:
        self.taken: list[Sample] = []

    def _advance(self) -> Iterator[SampleTaken]:
        """Sample every recipe."""
        units = self.units()
        for sample in self._in_order(take_sample, units):
            self.taken.append(sample)
            yield SampleTaken(
                sample.name, sample.seed, len(sample.values), len(self.taken), len(units)
            )

    def units(self) -> list[tuple[Any, ...]]:
        """Return the arguments of `take_sample`: a run per seed, or a block of random levels per
        seed.
        """
        blocks = [min(BLOCK, self.samples - first) for first in range(0, self.samples, BLOCK)]
        counts = blocks if self.levels == RANDOM else [1] * self.samples
        seeds = [(self.seed + index, count) for index, count in enumerate(counts)]
        return [
            (name, seed, rival, self.axes, self.levels, count)
            for name, rival in self.rivals.items()
            for seed, count in seeds
        ]

    def _to_state(self, unit: Sample) -> dict[str, Any]:
        return vars(unit).copy()

    def _from_state(self, state: Mapping[str, Any]) -> Sample:
        arrays = {
            name: np.array(state[name], kind)
            for name, kind in (("values", np.float64), ("scores", np.float64), ("keys", np.uint64))
        }
        return Sample(**{**state, **arrays})

    @property
    def result(self) -> ExpressiveRange:
        """The ranges of all recipes."""
        if self.progress < 1:
            raise LevolveError(
                f"range: expected all samples to be taken, {len(self.taken)} of "
                f"{len(self.units())} are; call finish() first"
            )
        each = len(self.taken) // len(self.rivals)
        ranges = tuple(
            RecipeRange(name, rival, tuple(self.taken[place * each : (place + 1) * each]))
            for place, (name, rival) in enumerate(self.rivals.items())
        )
        return ExpressiveRange(
            self.axes, shared_edges(ranges, self.axes, self.grid), ranges, self.seed
        )

    @property
    def size(self) -> str:
        """The size of the levels, if all recipes have the same."""
        sizes = {"{}x{}".format(*rival.size) for rival in self.rivals.values()}
        return sizes.pop() if len(sizes) == 1 else ""

    @property
    def progress(self) -> float:
        """The share of the samples that are taken."""
        return len(self.taken) / len(self.units())

    @property
    def headline(self) -> str:
        """The number of levels."""
        return f"{sum(len(sample.values) for sample in self.taken):,} levels"

    def outcome(self) -> JobOutcome:
        """Return the figures of the recipes and their overlaps."""
        data = self.result.to_data(levels=False)
        return JobOutcome(
            {
                **data,
                "recipes": [
                    {key: value for key, value in one.items() if key != "recipe"}
                    for one in data["recipes"]
                ],
            }
        )


@named_arguments(EXECUTOR)
def expressive_range(
    recipes: Sequence[RecipeSource] | RecipeSource,
    *,
    axes: Sequence[str] | None = None,
    samples: int = 200,
    levels: str = BEST,
    evaluations: int | None = 5000,
    size: Size | None = None,
    grid: Size = GRID,
    seed: int | None = 1,
    settings: Mapping[str, Any] | None = None,
    vary: Mapping[str, Any] | None = None,
    executor: ExecutorSource | None = None,
    watch: Watch | None = None,
    store: StoreSource = None,
) -> ExpressiveRange:
    """Sample the levels of one or more recipes, and count them on a grid over two measures.

    Parameters
    ----------
    recipes
        One or more: names, paths of .toml or .json files, or `Recipe` objects.
    axes
        The names of two measures. Default: `walls` and, if all levels have an entrance and an exit,
        `exit_path`, otherwise `longest_path`.
    samples
        Runs of each recipe; with `levels="random"`, the number of random levels.
    levels
        Which levels are counted: "best" of each run, all different ones of its last "population",
        or "random" ones that were never evolved. Levels that do not meet the constraints of the
        objective, such as a path to the exit, are not counted.
    evaluations
        Evaluations of each run; None for the generations of the recipe.
    size
        (width, height) or "WIDTHxHEIGHT" of all levels, instead of the recipes' own.
    grid
        The number of cells of each axis. An axis of whole numbers has fewer if it has fewer values.
    seed
        The seed of the first run of each recipe; later runs count up from it. None for a random
        one.
    settings
        Settings by path that are changed in every recipe.
    vary
        Values by path of a setting: every recipe is sampled once with each of them; see `compare`.
    executor
        Where runs are carried out; see `levolve.evolve`. It does not change the result.
    watch
        Is called with a `SampleTaken` event for each run or block of random levels, in order.
    store
        Where the job is stored, so that `levolve.resume` can continue it: a path, a `Store`, or
        True for the user's own. By default nowhere.

    >>> found = expressive_range(["maze", "maze-tunnels"], levels="random", samples=50, size="8x8")
    >>> found.axes, found.overlap("maze", "maze")
    (('walls', 'exit_path'), 1.0)
    """
    listed = [recipes] if isinstance(recipes, RecipeSource) else list(recipes)
    job = RangeJob.of(
        listed,
        axes=axes,
        samples=samples,
        levels=levels,
        evaluations=evaluations,
        size=size,
        grid=grid,
        seed=choose_seed(seed),
        settings=settings,
        vary=vary,
    )
    with work_pool(executor=executor) as pool:
        job.executor = pool
        return complete(job, store, watch)


def _axes(axes: Sequence[str] | None, rivals: Mapping[str, Recipe]) -> tuple[str, str]:
    """Check the axes, or choose them."""
    if axes is None:
        walked = all(MEASURES["exit_path"].suits(rival.frame) for rival in rivals.values())
        return "walls", "exit_path" if walked else "longest_path"
    if isinstance(axes, str) or len(axes) != 2 or axes[0] == axes[1]:  # a plane has two axes
        raise InputError(
            f"axes: expected the names of two measures, such as walls and exit_path, got {axes!r}"
        )
    for axis in axes:
        for name, rival in rivals.items():
            if not MEASURES[axis].suits(rival.frame):
                raise InputError(
                    f"axes: {axis} cannot be measured in levels of recipe {name}: "
                    f"{MEASURES[axis].refusal(rival.frame)}"
                )
    return axes[0], axes[1]


def take_sample(
    name: str, seed: int, recipe: Recipe, axes: tuple[str, str], levels: Levels, count: int
) -> Sample:
    """A unit of work: one run of one recipe, or `count` random levels, in any thread, process or
    machine.
    """
    problem = replace(recipe.problem, features=(FEASIBLE, *axes))
    if levels == RANDOM:
        genes = problem.genotype.start(problem.frame, seed, 0, count)
    else:
        run = Run(recipe, seed).finish()
        if run.ended is not None and run.ended.reason == STOPPED:
            raise CancelledError
        genes = (
            np.unique(run.population, axis=0)
            if levels == POPULATION
            else run.best_genes[np.newaxis]
        )
    evaluation = problem.evaluate(genes)
    batch = problem.batch(genes)
    keys = np.array(
        [
            int.from_bytes(hashlib.blake2b(tiles.tobytes(), digest_size=8).digest(), "little")
            for tiles in batch.tiles
        ],
        np.uint64,
    )
    winnable = np.asarray(evaluation.features[FEASIBLE], bool)
    values = np.stack([np.asarray(evaluation.features[axis], np.float64) for axis in axes], axis=1)
    return Sample(
        name, seed, len(genes), values[winnable], evaluation.scores[winnable], keys[winnable]
    )
