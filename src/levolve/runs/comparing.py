"""`compare`: several recipes, one problem, one budget; which of them finds the better levels.

Fair means: the same size, places and objective for all, and the same number of evaluations, however many generations a recipe makes of
them. Only generations that were complete within the budget count, so nobody gains by running over it. Scores are compared by ranks
(Mann and Whitney's U), which asks nothing of how they are spread; p-values are corrected for the number of pairs by Holm's method.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import PermutationMethod, mannwhitneyu

from levolve.errors import InputError, LevolveError
from levolve.evolution.seeds import choose_seed
from levolve.levels.batch import Batch
from levolve.objectives.reward import Reward
from levolve.runs.evolving import adapt
from levolve.runs.executors import Here, thread_pool
from levolve.runs.recipe import Recipe, find_recipe
from levolve.runs.run import Run
from levolve.version import VERSION

Numbers = NDArray[np.float64]

SIGNIFICANT = 0.05
GRID_POINTS = 200
# What all recipes must have in common, or their scores mean different things. The first recipe says.
PROBLEM = ("size", "entrance", "exit", "checkpoints", "keep", "objective")
BUDGET = ("generations", "evaluations")
# A search that has proposed nothing new for so many generations will not use up its budget: it is left where it stands.
DRIED_UP = 1000

MOST_ARRANGEMENTS = 20_000


@dataclass(frozen=True, eq=False)
class Trial:
    """One run of one recipe: its best score so far at each point of the grid (NaN before the first generation), and what it used of the budget."""

    name: str
    seed: int
    curve: Numbers
    feasible: bool
    evaluations: int

    @property
    def score(self) -> float:
        """The best score when the budget was used up."""
        return float(self.curve[-1])


@dataclass(frozen=True, eq=False)
class Entrant:
    """One recipe and how its runs went."""

    name: str
    recipe: Recipe
    trials: tuple[Trial, ...]

    @cached_property
    def scores(self) -> Numbers:
        """The score of each run when the budget was used up: `(runs,)`."""
        return np.array([trial.score for trial in self.trials])

    @cached_property
    def curves(self) -> Numbers:
        """The best score so far of each run at each point of the grid: `(runs, grid)`."""
        return np.stack([trial.curve for trial in self.trials])

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
        """How many runs found a level that can be won and meets the objective's conditions."""
        return sum(trial.feasible for trial in self.trials)

    def to_data(self) -> dict[str, Any]:
        """Everything, as plain data."""
        return {
            "name": self.name,
            "median": self.median,
            "quartiles": list(self.quartiles),
            "best": self.best,
            "worst": self.worst,
            "feasible": self.feasible,
            "scores": self.scores.tolist(),
            "evaluations": [trial.evaluations for trial in self.trials],
            "curves": [[None if np.isnan(score) else score for score in curve] for curve in self.curves.tolist()],
            "recipe": self.recipe.to_data(),
        }


@dataclass(frozen=True)
class Pair:
    """Two recipes, the one with the better chance first.

    `wins` is the probability that a run of `first` beats one of `second`, ties half. `p` is that of a two-sided rank test, and
    `p_corrected` the same with Holm's correction over all pairs.
    """

    first: str
    second: str
    wins: float
    p: float
    p_corrected: float

    @property
    def significant(self) -> bool:
        """Whether the difference can be relied on."""
        return self.p_corrected < SIGNIFICANT

    def to_data(self) -> dict[str, Any]:
        """Everything, as plain data."""
        return {"first": self.first, "second": self.second, "wins": self.wins, "p": self.p, "p_corrected": self.p_corrected}


@dataclass(frozen=True, eq=False)
class Comparison:
    """What came of comparing recipes: `entrants`, best median first, and the `pairs` of them. `grid` are numbers of evaluations."""

    problem: Mapping[str, Any]
    runs: int
    evaluations: int
    seed: int
    grid: NDArray[np.int64]
    entrants: tuple[Entrant, ...]
    pairs: tuple[Pair, ...]

    def __getitem__(self, name: str) -> Entrant:
        """An entrant by its name."""
        return next(entrant for entrant in self.entrants if entrant.name == name)

    def to_data(self) -> dict[str, Any]:
        """Everything, as plain data that JSON can hold."""
        return {
            **{part: value for part, value in self.problem.items() if value is not None},
            "runs": self.runs,
            "evaluations": self.evaluations,
            "seed": self.seed,
            "version": VERSION,
            "recipes": [entrant.to_data() for entrant in self.entrants],
            "pairs": [pair.to_data() for pair in self.pairs],
            "grid": self.grid.tolist(),
        }


def compare(  # noqa: PLR0913 the usual changes have names of their own
    recipes: Sequence[str | Path | Recipe],
    *,
    runs: int = 20,
    evaluations: int = 20_000,
    objective: str | Mapping[str, Any] | None = None,
    size: tuple[int, int] | str | None = None,
    seed: int = 1,
    settings: Mapping[str, Any] | None = None,
    executor: Executor | None = None,
    on_run: Callable[[Trial], None] | None = None,
) -> Comparison:
    """Run each recipe `runs` times, with seeds from `seed` on, on the problem of the first recipe, and compare what `evaluations` bring.

    `objective` is a name or a table, to be used instead of the first recipe's own; `settings` are changed in every recipe. `on_run` hears
    of each run, in order. The result does not depend on the executor.

    >>> result = compare(["maze", "maze"], runs=3, evaluations=500, size="8x8")
    >>> [entrant.name for entrant in result.entrants], result.pairs[0].p
    (['maze #1', 'maze #2'], 1.0)
    """
    if executor is None:
        with thread_pool() as pool:
            return compare(
                recipes,
                runs=runs,
                evaluations=evaluations,
                objective=objective,
                size=size,
                seed=seed,
                settings=settings,
                executor=pool,
                on_run=on_run,
            )
    _check_numbers(len(recipes), runs, seed)
    found = [find_recipe(recipe) for recipe in recipes]
    names = distinct_names(found, recipes)
    problem = _problem(names[0], found[0], objective, size, settings or {})
    rivals = {name: _rival(name, recipe, problem, evaluations, settings or {}) for name, recipe in zip(names, found, strict=True)}
    grid = evaluation_grid(evaluations)
    work = partial(_trial, rivals, grid)
    units = [(name, seed + index) for name in names for index in range(runs)]
    trials: list[Trial] = []
    # Here does all the work before it gives the first result; one at a time, somebody can be told in between.
    for trial in map(work, units) if isinstance(executor, Here) else executor.map(work, units):
        trials.append(trial)
        if on_run is not None:
            on_run(trial)
    entrants = [Entrant(name, rivals[name], tuple(trials[place * runs :][:runs])) for place, name in enumerate(names)]
    entrants.sort(key=lambda entrant: (-entrant.median, -entrant.scores.mean()))
    return Comparison(problem, runs, evaluations, seed, grid, tuple(entrants), tuple(pairs_of(entrants)))


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
    """Errors say which of the recipes they are about."""
    try:
        yield
    except InputError as problem:
        message = f"recipe {name}: {problem}"
        raise InputError(message) from problem


def _problem(
    name: str, recipe: Recipe, objective: str | Mapping[str, Any] | None, size: tuple[int, int] | str | None, settings: Mapping[str, Any]
) -> dict[str, Any]:
    """What all recipes are set: the first one's size, places and objective, with the changes asked for."""
    for path in settings:
        if path in BUDGET:
            message = f"settings: expected nothing about {path!r}, for all have the same budget; give the number of evaluations instead"
            raise InputError(message)
    table = {"kind": objective} if isinstance(objective, str) else objective
    with _named(name):
        first = adapt(recipe, size=size, settings={} if table is None else {"objective": dict(table)})
        data = first.changed({path: value for path, value in settings.items() if _root(path) in PROBLEM}).to_data()
    return {part: data.get(part) for part in PROBLEM}


def _rival(name: str, recipe: Recipe, problem: Mapping[str, Any], evaluations: int, settings: Mapping[str, Any]) -> Recipe:
    """A recipe set the common problem, with the common budget; one that cannot run is refused here, before any work."""
    with _named(name):
        changed = recipe.changed({path: value for path, value in settings.items() if _root(path) not in PROBLEM})
        # A generation with a single new individual is the smallest that uses up the budget.
        rival = changed.changed({**problem, "evaluations": evaluations, "generations": max(evaluations, 0)})
        Run(rival, 0)
    population = int(rival.strategy.get("population", 1))
    if evaluations < population:
        message = f"evaluations: expected at least {population}, the population of recipe {name}, got {evaluations}; or choose a smaller population"
        raise InputError(message)
    return rival


def _root(path: str) -> str:
    return path.partition(".")[0]


def evaluation_grid(evaluations: int) -> NDArray[np.int64]:
    """Numbers of evaluations, evenly spaced up to the budget."""
    points = min(GRID_POINTS, evaluations)
    return np.arange(1, points + 1, dtype=np.int64) * evaluations // points


def best_so_far(used: Sequence[int], best: Sequence[float], grid: NDArray[np.int64]) -> Numbers:
    """The best score at each point of a grid, of generations that had `used` so many evaluations in all; NaN before the first."""
    last = np.searchsorted(used, grid, side="right") - 1
    return np.where(last < 0, np.nan, np.asarray(best)[last])


def _trial(rivals: Mapping[str, Recipe], grid: NDArray[np.int64], unit: tuple[str, int]) -> Trial:
    """One run, from beginning to end."""
    name, seed = unit
    recipe, budget = rivals[name], int(grid[-1])
    run = Run(recipe, seed)
    last, idle, used = 0, 0, 0
    for generation in run.generations():
        if generation.evaluations > budget:
            break
        idle = idle + 1 if generation.evaluations == used else 0
        last, used = generation.number, generation.evaluations
        if idle == DRIED_UP:
            break
    curve = best_so_far(run.history.evaluations, run.history.best, grid)
    # Feasible levels score 0 or more and others 0 or less, so only 0 says nothing.
    feasible = bool(curve[-1] > 0) or (bool(curve[-1] == 0) and _ends_feasible(recipe, seed, last))
    return Trial(name, seed, curve, feasible, used)


def _ends_feasible(recipe: Recipe, seed: int, last: int) -> bool:
    """Whether a run has a feasible level after its generation `last`: it is run again to that point, and its levels are looked at."""
    run = Run(recipe, seed)
    next(generation for generation in run.generations() if generation.number == last)
    try:
        levels = run.levels
    except LevolveError:
        return False
    objective = recipe.parts[1]
    if not isinstance(objective, Reward):
        return True
    telling = replace(objective, feasible_first=True)
    batch = Batch(recipe.frame, np.stack([level.tiles for level in levels]), tileset=levels[0].tileset)
    return bool((telling.score(batch) >= 0).any())


def pairs_of(entrants: Sequence[Entrant]) -> Iterator[Pair]:
    """Every two of the entrants, tested."""
    tested: list[tuple[str, str, float, float]] = []
    for one, other in combinations(entrants, 2):
        # With ties, the usual approximation is too sure of itself where there are few runs: go through all arrangements as long as that is quick.
        arrangements = comb(len(one.scores) + len(other.scores), len(one.scores))
        method = PermutationMethod(n_resamples=np.inf) if arrangements <= MOST_ARRANGEMENTS else "auto"
        test = mannwhitneyu(one.scores, other.scores, alternative="two-sided", method=method)
        wins = float(test.statistic) / (len(one.scores) * len(other.scores))
        first, second = (one, other) if wins >= 1 / 2 else (other, one)
        tested.append((first.name, second.name, max(wins, 1 - wins), float(test.pvalue)))
    for (winner, loser, wins, p), corrected in zip(tested, holm([p for *_, p in tested]), strict=True):
        yield Pair(winner, loser, wins, p, float(corrected))


def holm(p_values: Sequence[float]) -> Numbers:
    """P-values corrected for their number by Holm's step-down method, in their order.

    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    given = np.asarray(p_values, np.float64)
    order = np.argsort(given, kind="stable")
    corrected = np.empty_like(given)
    corrected[order] = np.minimum(np.maximum.accumulate(given[order] * np.arange(len(given), 0, -1)), 1.0)
    return corrected
