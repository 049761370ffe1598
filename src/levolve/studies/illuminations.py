"""`compare_illuminations`: the archives that several recipes fill with the same budget, compared by QD score and by coverage."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import CancelledError, Executor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

import numpy as np

from levolve.archives.illuminating import illumination_recipe
from levolve.archives.illumination import Illumination
from levolve.recipes.adapt import RecipeSource, Size
from levolve.recipes.recipe import find_recipe
from levolve.runs.checkpoints import complete
from levolve.runs.executors import stop_requested, work_pool
from levolve.studies.comparing import ComparisonJob, best_so_far, check_numbers, common_problem, is_common
from levolve.studies.comparison import Comparison, EntrantRun
from levolve.studies.distributions import Numbers
from levolve.studies.naming import about_recipe, distinct_names

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.events import Watch
    from levolve.recipes.recipe import Recipe
    from levolve.runs.store.places import StoreSource

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
    def of(  # type: ignore[override] # noqa: PLR0913 axes instead of a target
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

    def _compared(self, runs: Sequence[EntrantRun], goal: float | None, by: str = QD_SCORE) -> IlluminationsComparison:  # noqa: ARG002 archives have no goal
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


def compare_illuminations(  # noqa: PLR0913 the usual changes have names of their own
    recipes: Sequence[RecipeSource],
    *,
    threads: int | None = None,
    cluster: str | None = None,
    executor: Executor | None = None,
    watch: Watch | None = None,
    store: StoreSource = None,
    **settings: Any,  # noqa: ANN401 those of `IlluminationsJob.of`
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
