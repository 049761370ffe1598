"""`Comparison`: the runs of several recipes on one problem, and what they show."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from levolve.core.display import Displayed, html_table
from levolve.core.errors import requiring
from levolve.formats.look import Look
from levolve.formats.tables import Tabular
from levolve.jobs.studies.distributions import Numbers
from levolve.jobs.studies.rank_tests import Pair
from levolve.recipes.recipe import Recipe
from levolve.version import ENGINE, VERSION

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# What runs are usually compared by.
SCORE = "score"


@dataclass(frozen=True, eq=False, repr=False)
class EntrantRun:
    """One run of one recipe.

    `curve` is its best score so far at each point of the grid, NaN before the first generation; `evaluations` those it really used;
    `evaluations_to_goal` those after which it had reached the goal, None if it did not, or if there is no goal.
    """

    name: str
    seed: int
    curve: Numbers
    feasible: bool
    evaluations: int
    evaluations_to_goal: int | None = None
    seconds: float = 0.0

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
        """Lower quartile, median and upper quartile of the runs at each point of the grid: `(3, grid)`."""
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
        return sorted(run.evaluations_to_goal for run in self.runs if run.evaluations_to_goal is not None)

    @property
    def success_rate(self) -> float:
        """The share of runs that reached the goal."""
        return len(self.to_goal) / len(self.runs)

    @property
    def expected_evaluations(self) -> float:
        """The expected running time: evaluations until the goal if runs are restarted until one reaches it; infinite if none did."""
        spent = sum(run.evaluations if run.evaluations_to_goal is None else run.evaluations_to_goal for run in self.runs)
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
        return {**known, "used": f"{self.evaluations / count:,.0f}", "seconds": f"{self.seconds / count:.2g}"}

    def performance(self, *, has_goal: bool) -> Numbers:
        """What runs are ranked by, higher is better: the score, or the evaluations to the goal negated, runs without success last."""
        if not has_goal:
            return self.scores
        return np.array([-np.inf if run.evaluations_to_goal is None else -float(run.evaluations_to_goal) for run in self.runs])

    def to_data(self, *, has_goal: bool, seconds: bool = True) -> dict[str, Any]:
        """All figures as plain data; those that differ from one time to the next only with `seconds`."""
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
            "curves": [[None if np.isnan(score) else score for score in curve] for curve in self.curves.tolist()],
            "recipe": self.recipe.to_data(),
        }


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Displayed, Tabular):
    """The result of comparing recipes: `entrants`, best first, and the `pairs` of them. `grid` holds numbers of evaluations.

    `goal` is the score that ends a run, None where there is no such score. `paired` says whether the pairs were tested seed by seed. `by`
    is what runs are compared by: the score of the objective, or a figure of the strategy, such as the coverage of an archive.
    """

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

    @property
    def subject(self) -> str:
        """What the numbers are: the name of the objective, or the figure of the strategy."""
        return str(self.problem["objective"]["kind"]) if self.by == SCORE else self.by

    def __repr__(self) -> str:
        """Return the recipes, best first, with their median scores."""
        standing = ", ".join(f"{entrant.name} {entrant.median:g}" for entrant in self.entrants)
        return f"<Comparison by {self.subject}, {self.runs} runs of {self.evaluations:,} evaluations: {standing}>"

    def rows(self) -> list[dict[str, Any]]:
        """Return the raw data, one row per run."""
        return [
            {
                "recipe": entrant.name,
                "size": self.problem["size"],
                "seed": run.seed,
                "score": run.score,
                "feasible": run.feasible,
                "evaluations": run.evaluations,
                "evaluations_to_goal": run.evaluations_to_goal,
            }
            for entrant in self.entrants
            for run in entrant.runs
        ]

    def figures(self, entrant: Entrant) -> dict[str, str]:
        """Return the row of an entrant in a table, as texts by column."""
        row = entrant.figures(has_goal=self.goal is not None)
        return {name: text for name, text in row.items() if self.by == SCORE or name != "feasible"}

    @property
    def panels(self) -> "tuple[Comparison, ...]":
        """The comparisons that a plot shows below each other."""
        return (self,)

    def plot(self) -> "Figure":
        """Return the best score so far against evaluations as a matplotlib figure. Requires the extra `plot`."""
        with requiring("comparison.plot", ("matplotlib",), "plot"):
            from levolve.jobs.charts.studies import comparison_figure

        return comparison_figure(self)

    def _picture(self) -> bytes | None:
        try:
            from levolve.jobs.charts.studies import comparison_picture
        except ModuleNotFoundError:
            return None
        return comparison_picture(self)

    def _repr_html_(self) -> str:
        return super()._repr_html_() + html_table([{"recipe": entrant.name, **self.figures(entrant)} for entrant in self.entrants])

    def encoded_files(self, path: Path, look: Look | None = None) -> dict[Path, bytes]:
        """Return the bytes of a plot (.png), of all data (.json), or of the table of all runs (.csv, .parquet)."""
        suffix = path.suffix.lower()
        if look is None and suffix == ".png":
            with requiring("a plot of a comparison", ("matplotlib",), "plot"):
                from levolve.jobs.charts.studies import comparison_picture
            return {path: comparison_picture(self)}
        if look is None and suffix == ".json":
            # Times are left out of files, so that the same seed writes the same bytes.
            return {path: f"{json.dumps(self.to_data(seconds=False), indent=2, allow_nan=False)}\n".encode()}
        return super().encoded_files(path, look)

    def __getitem__(self, name: str) -> Entrant:
        """An entrant by its name."""
        return next(entrant for entrant in self.entrants if entrant.name == name)

    def to_data(self, *, seconds: bool = True) -> dict[str, Any]:
        """The result as plain data that JSON can hold. Without `seconds` it is the same each time."""
        return {
            **{part: value for part, value in self.problem.items() if value is not None},
            "runs": self.runs,
            "evaluations": self.evaluations,
            "seed": self.seed,
            "goal": self.goal,
            **({"paired": True} if self.paired else {}),
            "version": VERSION,
            "engine": ENGINE,
            "recipes": [entrant.to_data(has_goal=self.goal is not None, seconds=seconds) for entrant in self.entrants],
            "pairs": [pair.to_data() for pair in self.pairs],
            "grid": self.grid.tolist(),
        }
