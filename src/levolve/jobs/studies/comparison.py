"""`Comparison`: the runs of several recipes on one problem, and what they show; `SizesComparison`:
on several sizes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from statistics import median
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from levolve.core.display import html_table
from levolve.core.errors import LevolveError
from levolve.jobs.studies.distributions import Numbers
from levolve.jobs.studies.rank_tests import CriticalDifference, Pair
from levolve.jobs.studies.result import StudyResult, json_text
from levolve.recipes.recipe import Recipe
from levolve.version import ENGINE, VERSION

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# What runs are compared by: their scores, or two figures of the archives that they fill.
SCORE, QD_SCORE, COVERAGE = "score", "qd_score", "coverage"


@dataclass(frozen=True, eq=False, repr=False)
class EntrantRun:
    """One run of one recipe.

    `curve` is its best score so far at each point of the grid, NaN before the first generation;
    `evaluations` those it really used; `evaluations_to_goal` those after which it had reached the
    goal, None if it did not, or if there is no goal. Of an illumination, `curve` is the QD score,
    and `coverage` the share of cells with a level.
    """

    name: str
    seed: int
    curve: Numbers
    feasible: bool
    evaluations: int
    evaluations_to_goal: int | None = None
    seconds: float = 0.0
    coverage: Numbers | None = None

    def __repr__(self) -> str:
        """Return the recipe, the seed and the score."""
        return f"<EntrantRun of {self.name}, seed {self.seed}: score {self.score:g}>"

    @property
    def score(self) -> float:
        """The best score at the end."""
        return float(self.curve[-1])


@dataclass(frozen=True, eq=False, repr=False)
class Entrant:
    """One recipe and its runs."""

    name: str
    recipe: Recipe
    runs: tuple[EntrantRun, ...]

    def __repr__(self) -> str:
        """Return the name, the number of runs and their median score."""
        return f"<Entrant {self.name}: {len(self.runs)} runs, median score {self.median:g}>"

    @cached_property
    def scores(self) -> Numbers:
        """The score of each run at the end: `(runs,)`."""
        return np.array([run.score for run in self.runs])

    @cached_property
    def curves(self) -> Numbers:
        """The best score so far of each run at each point of the grid: `(runs, grid)`."""
        return np.stack([run.curve for run in self.runs])

    @cached_property
    def quartile_curves(self) -> Numbers:
        """Lower quartile, median and upper quartile of the runs at each point of the grid: `(3,
        grid)`.
        """
        return np.asarray(np.quantile(self.curves, (0.25, 0.5, 0.75), axis=0))

    @property
    def median(self) -> float:
        """The median score."""
        return float(self.quartile_curves[1, -1])

    @property
    def quartiles(self) -> tuple[float, float]:
        """The lower and the upper quartile of the scores."""
        return float(self.quartile_curves[0, -1]), float(self.quartile_curves[2, -1])

    @property
    def best(self) -> float:
        """The best run's score."""
        return float(self.scores.max())

    @property
    def worst(self) -> float:
        """The worst run's score."""
        return float(self.scores.min())

    @property
    def feasible(self) -> int:
        """How many runs found a level that is winnable and meets the objective's conditions."""
        return sum(run.feasible for run in self.runs)

    @property
    def evaluations(self) -> int:
        """The evaluations that all runs used together."""
        return sum(run.evaluations for run in self.runs)

    @property
    def seconds(self) -> float:
        """The time that all runs took together."""
        return sum(run.seconds for run in self.runs)

    @property
    def to_goal(self) -> list[int]:
        """The evaluations to the goal of the runs that reached it, sorted."""
        return sorted(
            run.evaluations_to_goal for run in self.runs if run.evaluations_to_goal is not None
        )

    @property
    def success_rate(self) -> float:
        """The share of runs that reached the goal."""
        return len(self.to_goal) / len(self.runs)

    @property
    def expected_evaluations(self) -> float:
        """The expected running time: evaluations until the goal if runs are restarted until one
        reaches it; infinite if none did.
        """
        spent = sum(
            run.evaluations if run.evaluations_to_goal is None else run.evaluations_to_goal
            for run in self.runs
        )
        return spent / len(self.to_goal) if self.to_goal else float("inf")

    def figures(self, *, has_goal: bool) -> dict[str, str]:
        """The row of a table, as texts by column: about the score, or about reaching the goal."""
        count = len(self.runs)
        if has_goal:
            known = {
                "success": f"{len(self.to_goal)}/{count}",
                "to target": f"{median(self.to_goal):,.0f}" if self.to_goal else "-",
                "expected": f"{self.expected_evaluations:,.0f}" if self.to_goal else "-",
                "best score": f"{self.best:g}",
            }
        else:
            low, high = self.quartiles
            known = {
                "median": f"{self.median:g}",
                "quartiles": f"{low:g} to {high:g}",
                "best": f"{self.best:g}",
                "worst": f"{self.worst:g}",
                "feasible": f"{self.feasible}/{count}",
            }
        return {
            **known,
            "used": f"{self.evaluations / count:,.0f}",
            "seconds": f"{self.seconds / count:.2g}",
        }

    def performance(self, *, has_goal: bool) -> Numbers:
        """What runs are ranked by, higher is better: the score, or the evaluations to the goal
        negated, runs without success last.
        """
        if not has_goal:
            return self.scores
        return np.array(
            [
                -np.inf if run.evaluations_to_goal is None else -float(run.evaluations_to_goal)
                for run in self.runs
            ]
        )

    def to_data(self, *, has_goal: bool, seconds: bool = True) -> dict[str, Any]:
        """All figures as plain data; those that differ from one time to the next only with
        `seconds`.
        """
        expected = self.expected_evaluations
        goal = {
            "success_rate": self.success_rate,
            "evaluations_to_goal": [run.evaluations_to_goal for run in self.runs],
            "expected_evaluations": None if expected == float("inf") else expected,
        }
        return {
            "name": self.name,
            "median": self.median,
            "quartiles": list(self.quartiles),
            "best": self.best,
            "worst": self.worst,
            "feasible": self.feasible,
            "scores": self.scores.tolist(),
            "evaluations": [run.evaluations for run in self.runs],
            **({"seconds": [round(run.seconds, 6) for run in self.runs]} if seconds else {}),
            **(goal if has_goal else {}),
            "curves": [
                [None if np.isnan(score) else score for score in curve]
                for curve in self.curves.tolist()
            ],
            "recipe": self.recipe.to_data(),
        }


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(StudyResult):
    """The result of comparing recipes: `entrants`, best first, and the `pairs` of them. `grid`
    holds numbers of evaluations.

    `goal` is the score that ends a run, None where there is no such score. `paired` says whether
    the pairs were tested seed by seed. `by` is what runs are compared by: the score of the
    objective, or the QD score or the coverage of archives. `others` are the comparisons of the same
    runs by other figures.
    """

    noun: ClassVar[str] = "comparison"

    problem: Mapping[str, Any]
    runs: int
    evaluations: int
    seed: int
    goal: float | None
    grid: NDArray[np.int64]
    entrants: tuple[Entrant, ...]
    pairs: tuple[Pair, ...]
    paired: bool = False
    by: str = SCORE
    others: "tuple[Comparison, ...]" = ()

    @property
    def subject(self) -> str:
        """What the numbers are: the name of the objective, or the figure of the archives."""
        return str(self.problem["objective"]["kind"]) if self.by == SCORE else self.by

    @property
    def panels(self) -> "tuple[Comparison, ...]":
        """The comparison by each figure; a plot shows them below each other."""
        return (self, *self.others)

    @property
    def coverage(self) -> "Comparison":
        """The comparison of the same archives by coverage."""
        for panel in self.panels:
            if panel.by == COVERAGE:
                return panel
        raise LevolveError(
            "coverage: expected a comparison of archives, made with axes; this one compares scores"
        )

    def __repr__(self) -> str:
        """Return the recipes, best first, with their median scores."""
        standing = ", ".join(f"{entrant.name} {entrant.median:g}" for entrant in self.entrants)
        return (
            f"<Comparison by {self.subject}, {self.runs} runs of {self.evaluations:,} "
            f"evaluations: {standing}>"
        )

    def rows(self) -> list[dict[str, Any]]:
        """Return the raw data, one row per run."""
        is_scored = self.by == SCORE
        return [
            {
                "recipe": entrant.name,
                "size": self.problem["size"],
                "seed": run.seed,
                **{panel.by: panel[entrant.name].runs[place].score for panel in self.panels},
                **({"feasible": run.feasible} if is_scored else {}),
                "evaluations": run.evaluations,
                **({"evaluations_to_goal": run.evaluations_to_goal} if is_scored else {}),
            }
            for entrant in self.entrants
            for place, run in enumerate(entrant.runs)
        ]

    def figures(self, entrant: Entrant) -> dict[str, str]:
        """Return the row of an entrant in a table, as texts by column."""
        row = entrant.figures(has_goal=self.goal is not None)
        return {name: text for name, text in row.items() if self.by == SCORE or name != "feasible"}

    def _figure(self) -> "Figure":
        from levolve.jobs.charts.studies import comparison_figure

        return comparison_figure(self)

    def _origin(self) -> tuple[str, dict[str, Any]]:
        recipes = [entrant.recipe.to_data() for entrant in self.entrants]
        return "levolve comparison", {
            "seed": self.seed,
            "version": VERSION,
            "engine": ENGINE,
            "recipes": recipes,
        }

    def _document(self, suffix: str) -> str | None:
        # Times are left out of files, so that the same seed writes the same bytes.
        return json_text(self.to_data(seconds=False)) if suffix == ".json" else None

    def _repr_html_(self) -> str:
        return super()._repr_html_() + html_table(
            [{"recipe": entrant.name, **self.figures(entrant)} for entrant in self.entrants]
        )

    def __getitem__(self, name: str) -> Entrant:
        """An entrant by its name."""
        return next(entrant for entrant in self.entrants if entrant.name == name)

    def to_data(self, *, seconds: bool = True) -> dict[str, Any]:
        """The result as plain data that JSON can hold. Without `seconds` it is the same each
        time.
        """
        return {
            **{part: value for part, value in self.problem.items() if value is not None},
            "runs": self.runs,
            "evaluations": self.evaluations,
            "seed": self.seed,
            "goal": self.goal,
            **({"paired": True} if self.paired else {}),
            "version": VERSION,
            "engine": ENGINE,
            "recipes": [
                entrant.to_data(has_goal=self.goal is not None, seconds=seconds)
                for entrant in self.entrants
            ],
            "pairs": [pair.to_data() for pair in self.pairs],
            "grid": self.grid.tolist(),
            **{other.by: other.to_data(seconds=seconds) for other in self.others},
        }


@dataclass(frozen=True, eq=False, repr=False)
class SizesComparison(StudyResult):
    """Comparisons of the same recipes on several sizes."""

    noun: ClassVar[str] = "comparison"

    comparisons: tuple[Comparison, ...]

    @cached_property
    def ranks(self) -> CriticalDifference:
        """The average ranks of the recipes over all sizes and seeds."""
        return CriticalDifference.of(self.comparisons)

    def __repr__(self) -> str:
        """Return the sizes and the average ranks."""
        sizes = ", ".join(str(each.problem["size"]) for each in self.comparisons)
        standing = ", ".join(
            f"{name} {rank:.2f}"
            for name, rank in zip(self.ranks.names, self.ranks.ranks, strict=True)
        )
        return f"<SizesComparison on {sizes}, average ranks: {standing}>"

    def __getitem__(self, size: str) -> Comparison:
        """Return the comparison on one size, such as "12x12"."""
        return next(each for each in self.comparisons if each.problem["size"] == size)

    def rows(self) -> list[dict[str, Any]]:
        """Return the raw data, one row per run."""
        return [row for each in self.comparisons for row in each.rows()]

    def to_data(self, *, seconds: bool = True) -> dict[str, Any]:
        """Return the ranks and all comparisons as JSON-compatible data. Without `seconds` it is the
        same each time.
        """
        return {
            **self.ranks.to_data(),
            "sizes": [each.to_data(seconds=seconds) for each in self.comparisons],
        }

    def _figure(self) -> "Figure":
        return self.ranks.plot()

    def _document(self, suffix: str) -> str | None:
        return json_text(self.to_data(seconds=False)) if suffix == ".json" else None
