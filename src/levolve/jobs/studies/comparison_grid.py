"""`compare_sizes`: the same comparison of recipes on several sizes, and their ranks over all of them.

`compare_illuminations`: the archives that several recipes fill with the same budget, compared by QD score and by coverage.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Executor
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

import numpy as np

from levolve.core.display import Displayed
from levolve.core.errors import InputError, LevolveError
from levolve.formats.tables import Tabular
from levolve.jobs.archives.illuminate import Illumination, illumination_recipe
from levolve.jobs.checkpoints import complete
from levolve.jobs.executors import stop_requested, work_pool
from levolve.jobs.job import JobOutcome
from levolve.jobs.studies.arguments import about_recipe, distinct_names
from levolve.jobs.studies.compare import (
    ComparisonJob,
    RunFinished,
    best_so_far,
    check_numbers,
    common_problem,
    evaluation_grid,
    is_common,
    run_entrant,
)
from levolve.jobs.studies.comparison import Comparison, EntrantRun
from levolve.jobs.studies.distributions import Numbers
from levolve.jobs.studies.rank_tests import CriticalDifference
from levolve.jobs.units import UnitJob
from levolve.recipes.finding import RecipeSource, Size
from levolve.recipes.recipe import find_recipe

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from levolve.core.events import Watch
    from levolve.formats.look import Look
    from levolve.jobs.store.places import StoreSource
    from levolve.recipes.recipe import Recipe


@dataclass(frozen=True, eq=False, repr=False)
class SizesComparison(Displayed, Tabular):
    """Comparisons of the same recipes on several sizes."""

    comparisons: tuple[Comparison, ...]

    @cached_property
    def ranks(self) -> CriticalDifference:
        """The average ranks of the recipes over all sizes and seeds."""
        return CriticalDifference.of(self.comparisons)

    def __repr__(self) -> str:
        """Return the sizes and the average ranks."""
        sizes = ", ".join(str(each.problem["size"]) for each in self.comparisons)
        standing = ", ".join(f"{name} {rank:.2f}" for name, rank in zip(self.ranks.names, self.ranks.ranks, strict=True))
        return f"<SizesComparison on {sizes}, average ranks: {standing}>"

    def __getitem__(self, size: str) -> Comparison:
        """Return the comparison on one size, such as "12x12"."""
        return next(each for each in self.comparisons if each.problem["size"] == size)

    def rows(self) -> list[dict[str, Any]]:
        """Return the raw data, one row per run."""
        return [row for each in self.comparisons for row in each.rows()]

    def to_data(self, *, seconds: bool = True) -> dict[str, Any]:
        """Return the ranks and all comparisons as JSON-compatible data. Without `seconds` it is the same each time."""
        return {**self.ranks.to_data(), "sizes": [each.to_data(seconds=seconds) for each in self.comparisons]}

    def plot(self) -> Figure:
        """Return the critical-difference diagram as a matplotlib figure. Requires the extra `plot`."""
        return self.ranks.plot()

    def _picture(self) -> bytes | None:
        return self.ranks._repr_png_()

    def encoded_files(self, path: Path, look: Look | None = None) -> dict[Path, bytes]:
        """Return the bytes of the critical-difference diagram (.png), of all data (.json), or of the table of all runs (.csv, .parquet)."""
        suffix = path.suffix.lower()
        if look is None and suffix == ".png":
            return self.ranks.encoded_files(path)
        if look is None and suffix == ".json":
            return {path: f"{json.dumps(self.to_data(seconds=False), indent=2, allow_nan=False)}\n".encode()}
        return super().encoded_files(path, look)


class SizesJob(UnitJob[SizesComparison, EntrantRun]):
    """Compares recipes on several sizes. `events()` yields an event per run, size by size."""

    kind: ClassVar[str] = "compare-sizes"

    def __init__(self, jobs: Sequence[ComparisonJob], executor: Executor | None = None, stop: Callable[[], bool] = stop_requested) -> None:
        """Prepare; nothing is run yet. `jobs` are the comparisons on each size."""
        self.jobs = tuple(jobs)
        self.name = jobs[0].name
        super().__init__(jobs[0].seed, executor, stop)

    @classmethod
    def of(cls, recipes: Sequence[RecipeSource], sizes: Sequence[Size], **settings: Any) -> Self:
        """Return the comparison of some recipes on several sizes; see `compare` for the other parameters."""
        jobs = [ComparisonJob.of(recipes, size=size, **settings) for size in sizes]
        if not jobs or len({job.size for job in jobs}) < len(jobs):
            message = f"sizes: expected one or more different sizes, got {', '.join(map(str, sizes)) or 'none'}"
            raise InputError(message)
        return cls(jobs)

    def call(self) -> dict[str, Any]:
        """Return the calls of the comparisons."""
        return {"sizes": [job.call() for job in self.jobs]}

    @classmethod
    def from_call(cls, call: Mapping[str, Any], executor: Executor | None = None, stop: Callable[[], bool] = stop_requested) -> Self:
        """Return the job that `call` describes."""
        return cls([ComparisonJob.from_call(each) for each in call["sizes"]], executor, stop)

    @property
    def total(self) -> int:
        """The number of runs."""
        return sum(len(job.rivals) * job.runs for job in self.jobs)

    def _reset(self) -> None:
        self.finished: list[EntrantRun] = []

    def _advance(self) -> Iterator[RunFinished]:
        """Run every recipe with every seed on every size."""
        units = [
            (name, job.seed + index, rival, evaluation_grid(job.evaluations))
            for job in self.jobs
            for name, rival in job.rivals.items()
            for index in range(job.runs)
        ]
        for run in self._in_order(run_entrant, units):
            self.finished.append(run)
            yield RunFinished(run.name, run.seed, run.score, run.evaluations, len(self.finished), len(units))

    def _to_state(self, unit: EntrantRun) -> dict[str, Any]:
        return self.jobs[0]._to_state(unit)  # noqa: SLF001 the same units

    def _from_state(self, state: Mapping[str, Any]) -> EntrantRun:
        return self.jobs[0]._from_state(state)  # noqa: SLF001 the same units

    @property
    def result(self) -> SizesComparison:
        """The comparisons on all sizes."""
        if self.progress < 1:
            message = f"comparison: expected all runs to be finished, {len(self.finished)} of {self.total} are; call finish() first"
            raise LevolveError(message)
        comparisons = []
        first = 0
        for job in self.jobs:
            job.finished = self.finished[first : first + len(job.rivals) * job.runs]
            first += len(job.finished)
            comparisons.append(job.result)
        return SizesComparison(tuple(comparisons))

    @property
    def size(self) -> str:
        """The sizes of the levels."""
        return ", ".join(job.size for job in self.jobs)

    @property
    def progress(self) -> float:
        """The share of the runs that are finished."""
        return len(self.finished) / self.total

    @property
    def headline(self) -> str:
        """The recipe with the best rank at the end; before, the number of finished runs."""
        return f"best: {self.result.ranks.names[0]}" if self.progress == 1 else f"{len(self.finished)} of {self.total} runs"

    def outcome(self) -> JobOutcome:
        """Return the ranks."""
        return JobOutcome(self.result.ranks.to_data())


def compare_sizes(
    recipes: Sequence[RecipeSource],
    sizes: Sequence[Size],
    *,
    threads: int | None = None,
    cluster: str | None = None,
    executor: Executor | None = None,
    watch: Watch | None = None,
    store: StoreSource = None,
    **settings: Any,
) -> SizesComparison:
    """Compare recipes on several sizes; see `compare` for all other parameters, such as `runs`, `evaluations`, `objective`, `seed` and `paired`.

    >>> found = compare_sizes(["maze", "maze-barriers", "maze-long"], ["6x6", "8x8"], runs=2, evaluations=300, objective="exit_path")
    >>> found.ranks.blocks, [row["size"] for row in found.rows()[:3]]
    (4, ['6x6', '6x6', '6x6'])
    """
    job = SizesJob.of(recipes, sizes, **settings)
    with work_pool(threads, cluster, executor) as pool:
        job.executor = pool
        return complete(job, store, watch)


QD_SCORE, COVERAGE = "qd_score", "coverage"


@dataclass(frozen=True, eq=False, repr=False)
class ArchiveRun(EntrantRun):
    """One illumination by one recipe: `curve` is its QD score at each point of the grid, `coverage` the share of cells with a level."""

    coverage: Numbers = field(default_factory=lambda: np.zeros(0))


@dataclass(frozen=True, eq=False, repr=False)
class IlluminationsComparison(Comparison):
    """The comparison of illuminations by QD score; `coverage` is the comparison of the same runs by coverage."""

    coverage: Comparison = field(kw_only=True)

    def rows(self) -> list[dict[str, Any]]:
        """Return the raw data, one row per run."""
        covered = {(row["recipe"], row["seed"]): row["score"] for row in self.coverage.rows()}
        known = ("recipe", "size", "seed")
        return [
            {
                **{name: row[name] for name in known},
                QD_SCORE: row["score"],
                COVERAGE: covered[row["recipe"], row["seed"]],
                "evaluations": row["evaluations"],
            }
            for row in super().rows()
        ]

    @property
    def panels(self) -> tuple[Comparison, ...]:
        """Both comparisons."""
        return self, self.coverage

    def to_data(self, *, seconds: bool = True) -> dict[str, Any]:
        """Return both comparisons as JSON-compatible data. Without `seconds` it is the same each time."""
        return {**super().to_data(seconds=seconds), COVERAGE: self.coverage.to_data(seconds=seconds)}


class IlluminationsJob(ComparisonJob):
    """Compares the archives that recipes fill. `events()` yields an event per illumination, in order; its score is the QD score."""

    kind: ClassVar[str] = "compare-illuminations"

    @classmethod
    def of(  # type: ignore[override]
        cls,
        recipes: Sequence[RecipeSource],
        *,
        axes: Iterable[str] | str | None = None,
        grid: Sequence[int] | str = (50, 50),
        ranges: Mapping[str, tuple[float, float]] | None = None,
        runs: int = 20,
        evaluations: int = 20_000,
        objective: str | Mapping[str, Any] | None = None,
        size: Size | None = None,
        seed: int = 1,
        settings: Mapping[str, Any] | None = None,
        paired: bool = False,
        executor: Executor | None = None,
        stop: Callable[[], bool] = stop_requested,
    ) -> Self:
        """Return the comparison of some recipes on the problem and the axes of the first. See `compare_illuminations` for the parameters."""
        check_numbers(len(recipes), runs, seed)
        found = [find_recipe(recipe) for recipe in recipes]
        names = distinct_names(found, recipes)
        given = settings or {}
        problem = common_problem(names[0], found[0], objective, None, size, given)
        own = {path: value for path, value in given.items() if not is_common(path)}
        rivals: dict[str, Recipe] = {}
        for name, recipe in zip(names, found, strict=True):
            with about_recipe(name):
                rival = illumination_recipe(recipe.changed(problem), axes=axes, grid=grid, ranges=ranges, evaluations=evaluations, settings=own)
                Illumination(rival, 0)
            rivals[name] = rival
            # The archives of all recipes have the same cells.
            axes = list(rival.strategy["axes"])
            ranges = dict(zip(axes, map(tuple, rival.strategy["ranges"]), strict=True))
        return cls(rivals, problem, runs=runs, seed=seed, paired=paired, executor=executor, stop=stop)

    @property
    def _unit(self) -> Callable[[str, int, Recipe, NDArray[np.int64]], EntrantRun]:
        return run_illumination

    def _from_state(self, state: Mapping[str, Any]) -> ArchiveRun:
        return ArchiveRun(**{**state, "curve": np.array(state["curve"]), COVERAGE: np.array(state[COVERAGE])})

    def _compared(self, runs: Sequence[EntrantRun], goal: float | None, by: str = QD_SCORE) -> IlluminationsComparison:
        covered = [replace(run, curve=run.coverage) for run in runs if isinstance(run, ArchiveRun)]
        coverage = super()._compared(covered, None, COVERAGE)
        return IlluminationsComparison(**vars(super()._compared(runs, None, QD_SCORE)), coverage=coverage)


def run_illumination(name: str, seed: int, recipe: Recipe, grid: NDArray[np.int64]) -> ArchiveRun:
    """A unit of work: one illumination by one recipe, in any thread, process or machine."""
    job = Illumination(recipe, seed)
    archive = job.finish()
    if job.is_stopped:
        raise CancelledError
    filling = archive.progress
    curve, coverage = (best_so_far(filling.evaluations, values, grid) for values in (filling.qd_score, filling.coverage))
    return ArchiveRun(name, seed, curve, bool(len(archive)), archive.evaluations, None, job.run.seconds, coverage)


def compare_illuminations(
    recipes: Sequence[RecipeSource],
    *,
    threads: int | None = None,
    cluster: str | None = None,
    executor: Executor | None = None,
    watch: Watch | None = None,
    store: StoreSource = None,
    **settings: Any,
) -> IlluminationsComparison:
    """Illuminate with each recipe several times, and compare the archives by QD score and coverage with rank tests.

    Parameters
    ----------
    recipes
        Two or more: names, paths of .toml or .json files, or `Recipe` objects. A recipe with the strategy `map_elites` keeps its settings.
    settings
        `axes`, `grid` and `ranges` as for `illuminate`: the archives of all recipes have the cells of the first one. `runs`,
        `evaluations`, `objective`, `size`, `seed`, `settings` and `paired` as for `compare`.
    threads, cluster, executor, watch, store
        See `compare`.

    >>> found = compare_illuminations(["maze", "maze-barriers"], axes="walls,exit_path", grid="10x10", size="8x8", runs=3, evaluations=600)
    >>> found.pairs[0].p, found.coverage.pairs[0].first in {"maze", "maze-barriers"}
    (0.1, True)
    """
    job = IlluminationsJob.of(recipes, **settings)
    with work_pool(threads, cluster, executor) as pool:
        job.executor = pool
        return cast("IlluminationsComparison", complete(job, store, watch))
