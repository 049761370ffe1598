"""`compare`: several recipes, one problem, one budget: which of them finds better levels, or reaches the target sooner.

Fair means: the same size, places and objective for all, and exactly the same number of evaluations, however many generations a recipe makes of
them. Where the objective has a score that cannot be beaten, as a target has, runs are compared by the evaluations they need to reach it.
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Executor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError, LevolveError
from levolve.events import Event, Watch
from levolve.evolution.loop import STOPPED
from levolve.evolution.seeds import choose_seed
from levolve.levels.batch import Batch
from levolve.objectives.reward import Reward
from levolve.recipes.adapt import RecipeSource, Size, adapt
from levolve.recipes.recipe import Recipe, find_recipe
from levolve.runs.executors import work_pool
from levolve.runs.run import Run
from levolve.studies.rank_tests import Numbers, Pair, rank_pairs
from levolve.version import VERSION

GRID_POINTS = 200
# What all recipes must have in common, or their scores mean different things. The first recipe decides.
PROBLEM = ("size", "entrance", "exit", "checkpoints", "keep", "objective")
BUDGET = ("generations", "evaluations")


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


@dataclass(frozen=True)
class RunFinished(Event):
    """A run of a comparison has finished: number `done` of `total`."""

    kind: ClassVar[str] = "run"

    recipe: str
    seed: int
    score: float
    evaluations: int
    done: int
    total: int


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


def compare(  # noqa: PLR0913 the usual changes have names of their own
    recipes: Sequence[RecipeSource],
    *,
    runs: int = 20,
    evaluations: int = 20_000,
    objective: str | Mapping[str, Any] | None = None,
    target: Mapping[str, Any] | None = None,
    size: Size | None = None,
    seed: int = 1,
    settings: Mapping[str, Any] | None = None,
    threads: int | None = None,
    cluster: str | None = None,
    executor: Executor | None = None,
    watch: Watch | None = None,
) -> Comparison:
    """Run each recipe several times on the problem of the first recipe, and compare what an equal number of evaluations gives.

    Parameters
    ----------
    recipes
        Two or more: names, paths of .toml or .json files, or `Recipe` objects.
    runs
        Runs of each recipe, 2 or more, with seeds from `seed` on.
    evaluations
        Evaluations of each run; every run uses exactly so many, unless it reaches the goal or proposes nothing new for long.
    objective, target
        An objective by name or table, or ranges of measures to hit, instead of the first recipe's objective.
    size
        (width, height) or "WIDTHxHEIGHT", instead of the first recipe's.
    settings
        Settings by path that are changed in every recipe.
    threads, cluster, executor
        Where runs are carried out: threads of this process, a Dask cluster ("local" or an address), or any `concurrent.futures.Executor`.
        It does not change the result.
    watch
        Is called with a `RunFinished` event for each run, in order.

    >>> result = compare(["maze", "maze"], runs=3, evaluations=500, size="8x8")
    >>> [entrant.name for entrant in result.entrants], result.pairs[0].p
    (['maze #1', 'maze #2'], 1.0)
    """
    _check_numbers(len(recipes), runs, seed)
    found = [find_recipe(recipe) for recipe in recipes]
    names = distinct_names(found, recipes)
    problem = _problem(names[0], found[0], objective, target, size, settings or {})
    rivals = {name: _rival(name, recipe, problem, evaluations, settings or {}) for name, recipe in zip(names, found, strict=True)}
    grid = evaluation_grid(evaluations)
    units = [(name, seed + index) for name in names for index in range(runs)]
    finished: list[EntrantRun] = []
    with work_pool(threads, cluster, executor) as pool:
        unit_recipes = [rivals[name] for name, _ in units]
        for run in pool.map(run_entrant, *zip(*units, strict=True), unit_recipes, [grid] * len(units)):
            finished.append(run)
            if watch is not None:
                watch(RunFinished(run.name, run.seed, run.score, run.evaluations, len(finished), len(units)))
    goal = rivals[names[0]].limits.goal
    entrants = [Entrant(name, rivals[name], tuple(finished[place * runs :][:runs])) for place, name in enumerate(names)]
    entrants.sort(key=_standing if goal is None else _standing_to_goal)
    pairs = rank_pairs({entrant.name: entrant.performance(has_goal=goal is not None) for entrant in entrants})
    return Comparison(problem, runs, evaluations, seed, goal, grid, tuple(entrants), tuple(pairs))


def _standing(entrant: Entrant) -> tuple[float, float]:
    return -entrant.median, -float(entrant.scores.mean())


def _standing_to_goal(entrant: Entrant) -> tuple[float, float, float]:
    return entrant.expected_evaluations, *_standing(entrant)


def _check_numbers(recipes: int, runs: int, seed: int) -> None:
    for argument, least, given in (("recipes", 2, recipes), ("runs", 2, runs)):
        if given < least:
            message = f"{argument}: expected at least {least} to compare, got {given}"
            raise InputError(message)
    choose_seed(seed)
    choose_seed(seed + runs - 1)


def distinct_names(recipes: Sequence[Recipe], sources: Sequence[object]) -> list[str]:
    """A name for each recipe that no other has: its own; where several have the same, with the name of its file, or else a number."""
    own = [recipe.name for recipe in recipes]
    files = [f" ({Path(str(source)).name})" if str(source).endswith((".toml", ".json")) else "" for source in sources]
    named = [name + file if own.count(name) > 1 else name for name, file in zip(own, files, strict=True)]
    names: list[str] = []
    for name in named:
        numbered = (f"{name} #{number}" for number in range(1, 2 * len(named) + 1))
        names.append(name if named.count(name) == 1 else next(each for each in numbered if each not in {*names, *named}))
    return names


@contextmanager
def _named(name: str) -> Iterator[None]:
    """Errors name the recipe they are about."""
    try:
        yield
    except InputError as problem:
        message = f"recipe {name}: {problem}"
        raise InputError(message) from problem


def _problem(  # noqa: PLR0913, PLR0917 the usual changes
    name: str,
    recipe: Recipe,
    objective: str | Mapping[str, Any] | None,
    target: Mapping[str, Any] | None,
    size: Size | None,
    settings: Mapping[str, Any],
) -> dict[str, Any]:
    """The common problem: the first recipe's size, places and objective, with the changes asked for."""
    for path in settings:
        if path in BUDGET:
            message = f"settings: expected nothing about {path!r}, because all have the same budget; give the number of evaluations instead"
            raise InputError(message)
    table = {"kind": objective} if isinstance(objective, str) else objective
    with _named(name):
        first = adapt(recipe, size=size, objective=table, target=target)
        data = first.changed({path: value for path, value in settings.items() if _root(path) in PROBLEM}).to_data()
    return {part: data.get(part) for part in PROBLEM}


def _rival(name: str, recipe: Recipe, problem: Mapping[str, Any], evaluations: int, settings: Mapping[str, Any]) -> Recipe:
    """A recipe with the common problem and the common budget; one that cannot run is refused here, before any work."""
    with _named(name):
        changed = recipe.changed({path: value for path, value in settings.items() if _root(path) not in PROBLEM})
        # A generation with a single new individual is the smallest that uses up the budget.
        rival = changed.changed({**problem, "evaluations": evaluations, "generations": max(evaluations, 0)})
        Run(rival, 0)
    if evaluations < rival.population:
        message = (
            f"evaluations: expected at least {rival.population}, the population of recipe {name}, got {evaluations}; or choose a smaller population"
        )
        raise InputError(message)
    return rival


def _root(path: str) -> str:
    return path.partition(".")[0]


def evaluation_grid(evaluations: int) -> NDArray[np.int64]:
    """Numbers of evaluations, evenly spaced up to the budget."""
    points = min(GRID_POINTS, evaluations)
    return np.arange(1, points + 1, dtype=np.int64) * evaluations // points


def best_so_far(used: Sequence[int], best: Sequence[float], grid: NDArray[np.int64]) -> Numbers:
    """The best score at each point of a grid, from the total evaluations and the best score after each generation; NaN before the first."""
    last = np.searchsorted(used, grid, side="right") - 1
    return np.where(last < 0, np.nan, np.asarray(best)[last])


def run_entrant(name: str, seed: int, recipe: Recipe, grid: NDArray[np.int64]) -> EntrantRun:
    """A unit of work: one run of one recipe, in any thread, process or machine."""
    run = Run(recipe, seed).finish()
    if run.ended is not None and run.ended.reason == STOPPED:
        raise CancelledError
    history, goal = run.history, recipe.limits.goal
    reached = None if goal is None else next((used for used, best in zip(history.evaluations, history.best, strict=True) if best >= goal), None)
    curve = best_so_far(history.evaluations, history.best, grid)
    # Feasible levels score 0 or more and others 0 or less, so only a score of 0 has to be looked at.
    feasible = bool(curve[-1] > 0) or (bool(curve[-1] == 0) and _ends_feasible(run))
    return EntrantRun(name, seed, curve, feasible, run.evaluations, reached, run.seconds)


def _ends_feasible(run: Run) -> bool:
    """Whether a run has found a feasible level, judged by its last population."""
    try:
        levels = run.levels
    except LevolveError:
        return False
    objective = run.recipe.parts[1]
    if not isinstance(objective, Reward):
        return True
    batch = Batch(run.problem.frame, np.stack([level.tiles for level in levels]), tileset=levels[0].tileset)
    return bool(objective.feasible(batch).any())
