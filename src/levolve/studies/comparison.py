"""`Comparison`: the runs of several recipes on one problem, and what they show."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.recipes.recipe import Recipe
from levolve.studies.rank_tests import Numbers, Pair
from levolve.version import VERSION


@dataclass(frozen=True, eq=False)
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

    @property
    def score(self) -> float:
        """The best score at the end."""
        return float(self.curve[-1])


@dataclass(frozen=True, eq=False)
class Entrant:
    """One recipe and its runs."""

    name: str
    recipe: Recipe
    runs: tuple[EntrantRun, ...]

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


@dataclass(frozen=True, eq=False)
class Comparison:
    """The result of comparing recipes: `entrants`, best first, and the `pairs` of them. `grid` holds numbers of evaluations.

    `goal` is the score that ends a run, None where there is no such score.
    """

    problem: Mapping[str, Any]
    runs: int
    evaluations: int
    seed: int
    goal: float | None
    grid: NDArray[np.int64]
    entrants: tuple[Entrant, ...]
    pairs: tuple[Pair, ...]

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
            "version": VERSION,
            "recipes": [entrant.to_data(has_goal=self.goal is not None, seconds=seconds) for entrant in self.entrants],
            "pairs": [pair.to_data() for pair in self.pairs],
            "grid": self.grid.tolist(),
        }
