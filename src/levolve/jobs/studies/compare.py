"""`compare`: several recipes, one problem, one budget: which of them finds better levels, or reaches the target sooner.

Fair means: the same size, places and objective for all, and exactly the same number of evaluations, however many generations a recipe makes of
them. Where the objective has a score that cannot be beaten, as a target has, runs are compared by the evaluations they need to reach it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Executor
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError, LevolveError
from levolve.core.events import Event, Watch
from levolve.jobs.checkpoints import complete
from levolve.jobs.executors import stop_requested, work_pool
from levolve.jobs.job import JobOutcome
from levolve.jobs.runs.run import Run
from levolve.jobs.store.places import StoreSource
from levolve.jobs.studies.arguments import about_recipe, distinct_names
from levolve.jobs.studies.comparison import SCORE, Comparison, Entrant, EntrantRun
from levolve.jobs.studies.distributions import Numbers
from levolve.jobs.studies.rank_tests import rank_pairs
from levolve.jobs.units import UnitJob
from levolve.levels.batch import Batch
from levolve.recipes.finding import RecipeSource, Size, adapt
from levolve.recipes.recipe import Recipe, find_recipe
from levolve.search.loop import STOPPED
from levolve.search.objectives.reward import Reward
from levolve.search.problem import choose_seed

GRID_POINTS = 200
# What all recipes must have in common, or their scores mean different things. The first recipe decides.
PROBLEM = ("size", "entrance", "exit", "checkpoints", "keep", "objective")
BUDGET = ("generations", "evaluations")

Stop = Callable[[], bool]


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


class ComparisonJob(UnitJob[Comparison, EntrantRun]):
    """Compares recipes that have one problem and one budget in common. `events()` yields an event per run, in order."""

    kind: ClassVar[str] = "compare"

    @property
    def _unit(self) -> Callable[[str, int, Recipe, NDArray[np.int64]], EntrantRun]:
        """The function that carries out one run; a function of a module, so that processes find it."""
        return run_entrant

    def __init__(
        self,
        rivals: Mapping[str, Recipe],
        problem: Mapping[str, Any],
        *,
        runs: int,
        seed: int,
        paired: bool = False,
        executor: Executor | None = None,
        stop: Stop = stop_requested,
    ) -> None:
        """Prepare; nothing is run yet. `rivals` are recipes by their names, `problem` is what they have in common. See `of`."""
        self.name = ", ".join(rivals)
        self.rivals = dict(rivals)
        self.problem = dict(problem)
        self.runs = runs
        self.paired = paired
        super().__init__(seed, executor, stop)

    @classmethod
    def of(
        cls,
        recipes: Sequence[RecipeSource],
        *,
        runs: int = 20,
        evaluations: int = 20_000,
        objective: str | Mapping[str, Any] | None = None,
        target: Mapping[str, Any] | None = None,
        size: Size | None = None,
        seed: int = 1,
        settings: Mapping[str, Any] | None = None,
        paired: bool = False,
        executor: Executor | None = None,
        stop: Stop = stop_requested,
    ) -> Self:
        """Return the comparison of some recipes on the problem of the first. See `compare` for the parameters."""
        check_numbers(len(recipes), runs, seed)
        found = [find_recipe(recipe) for recipe in recipes]
        names = distinct_names(found, recipes)
        problem = common_problem(names[0], found[0], objective, target, size, settings or {})
        rivals = {name: _rival(name, recipe, problem, evaluations, settings or {}) for name, recipe in zip(names, found, strict=True)}
        return cls(rivals, problem, runs=runs, seed=seed, paired=paired, executor=executor, stop=stop)

    def call(self) -> dict[str, Any]:
        """Return the recipes with their common problem, the number of runs and the first seed as JSON-compatible data."""
        recipes = [[name, rival.to_data()] for name, rival in self.rivals.items()]
        return {"recipes": recipes, "problem": self.problem, "runs": self.runs, "seed": self.seed, **({"paired": True} if self.paired else {})}

    @classmethod
    def from_call(cls, call: Mapping[str, Any], executor: Executor | None = None, stop: Stop = stop_requested) -> Self:
        """Return the comparison that `call` describes."""
        rivals = {name: Recipe.from_data(data) for name, data in call["recipes"]}
        paired = bool(call.get("paired"))
        return cls(rivals, call["problem"], runs=call["runs"], seed=call["seed"], paired=paired, executor=executor, stop=stop)

    @property
    def evaluations(self) -> int:
        """The evaluations of each run."""
        return next(iter(self.rivals.values())).evaluations or 0

    def _reset(self) -> None:
        self.finished: list[EntrantRun] = []

    def _advance(self) -> Iterator[RunFinished]:
        """Run every recipe with every seed."""
        grid = evaluation_grid(self.evaluations)
        units = [(name, self.seed + index, rival, grid) for name, rival in self.rivals.items() for index in range(self.runs)]
        for run in self._in_order(self._unit, units):
            self.finished.append(run)
            yield RunFinished(run.name, run.seed, run.score, run.evaluations, len(self.finished), len(units))

    def _to_state(self, unit: EntrantRun) -> dict[str, Any]:
        return vars(unit).copy()

    def _from_state(self, state: Mapping[str, Any]) -> EntrantRun:
        return EntrantRun(**{**state, "curve": np.array(state["curve"])})

    @property
    def result(self) -> Comparison:
        """The comparison of all runs."""
        if self.progress < 1:
            message = f"comparison: expected all runs to be finished, {len(self.finished)} of {len(self.rivals) * self.runs} are; call finish() first"
            raise LevolveError(message)
        return self._compared(self.finished, next(iter(self.rivals.values())).limits.goal)

    def _compared(self, runs: Sequence[EntrantRun], goal: float | None, by: str = SCORE) -> Comparison:
        """Return the comparison of all runs, in their order."""
        rivals = enumerate(self.rivals.items())
        entrants = [Entrant(name, rival, tuple(runs[place * self.runs :][: self.runs])) for place, (name, rival) in rivals]
        entrants.sort(key=_standing if goal is None else _standing_to_goal)
        pairs = rank_pairs({entrant.name: entrant.performance(has_goal=goal is not None) for entrant in entrants}, paired=self.paired)
        grid = evaluation_grid(self.evaluations)
        return Comparison(self.problem, self.runs, self.evaluations, self.seed, goal, grid, tuple(entrants), tuple(pairs), self.paired, by)

    @property
    def size(self) -> str:
        """The size of the levels."""
        return str(self.problem["size"])

    @property
    def progress(self) -> float:
        """The share of the runs that are finished."""
        return len(self.finished) / (len(self.rivals) * self.runs)

    @property
    def headline(self) -> str:
        """The recipe that is best at the end; before, the number of finished runs."""
        if self.progress < 1:
            return f"{len(self.finished)} of {len(self.rivals) * self.runs} runs"
        return f"best: {self.result.entrants[0].name}"

    def outcome(self) -> JobOutcome:
        """Return the figures of the recipes and the rank tests, without curves."""
        data = self.result.to_data()
        recipes = [{name: value for name, value in entrant.items() if name not in {"curves", "recipe"}} for entrant in data["recipes"]]
        return JobOutcome({**{name: value for name, value in data.items() if name != "grid"}, "recipes": recipes})


def compare(
    recipes: Sequence[RecipeSource],
    *,
    runs: int = 20,
    evaluations: int = 20_000,
    objective: str | Mapping[str, Any] | None = None,
    target: Mapping[str, Any] | None = None,
    size: Size | None = None,
    seed: int = 1,
    settings: Mapping[str, Any] | None = None,
    paired: bool = False,
    threads: int | None = None,
    cluster: str | None = None,
    executor: Executor | None = None,
    watch: Watch | None = None,
    store: StoreSource = None,
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
    paired
        Whether runs are compared seed by seed (Wilcoxon's signed ranks), not each with each (Mann and Whitney). Recipes with the same genotype
        begin with the same levels for the same seed.
    threads, cluster, executor
        Where runs are carried out: threads of this process, a Dask cluster ("local" or an address), or any `concurrent.futures.Executor`.
        It does not change the result.
    watch
        Is called with a `RunFinished` event for each run, in order.
    store
        Where the comparison is stored, so that `levolve.resume` can continue it: a path, a `Store`, or True for the user's own. By default nowhere.

    >>> result = compare(["maze", "maze"], runs=3, evaluations=500, size="8x8")
    >>> [entrant.name for entrant in result.entrants], result.pairs[0].p
    (['maze #1', 'maze #2'], 1.0)
    """
    job = ComparisonJob.of(
        recipes, runs=runs, evaluations=evaluations, objective=objective, target=target, size=size, seed=seed, settings=settings, paired=paired
    )
    with work_pool(threads, cluster, executor) as pool:
        job.executor = pool
        return complete(job, store, watch)


def _standing(entrant: Entrant) -> tuple[float, float]:
    return -entrant.median, -float(entrant.scores.mean())


def _standing_to_goal(entrant: Entrant) -> tuple[float, float, float]:
    return entrant.expected_evaluations, *_standing(entrant)


def check_numbers(recipes: int, runs: int, seed: int) -> None:
    """Raise `InputError` if there is nothing to compare, or if a seed is too large."""
    for argument, least, given in (("recipes", 2, recipes), ("runs", 2, runs)):
        if given < least:
            message = f"{argument}: expected at least {least} to compare, got {given}"
            raise InputError(message)
    choose_seed(seed)
    choose_seed(seed + runs - 1)


def common_problem(
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
    with about_recipe(name):
        first = adapt(recipe, size=size, objective=table, target=target)
        data = first.changed({path: value for path, value in settings.items() if is_common(path)}).to_data()
    return {part: data.get(part) for part in PROBLEM}


def _rival(name: str, recipe: Recipe, problem: Mapping[str, Any], evaluations: int, settings: Mapping[str, Any]) -> Recipe:
    """A recipe with the common problem and the common budget; one that cannot run is refused here, before any work."""
    with about_recipe(name):
        changed = recipe.changed({path: value for path, value in settings.items() if not is_common(path)})
        # A generation with a single new individual is the smallest that uses up the budget.
        rival = changed.changed({**problem, "evaluations": evaluations, "generations": max(evaluations, 0)})
        Run(rival, 0)
    if evaluations < rival.population:
        message = (
            f"evaluations: expected at least {rival.population}, the population of recipe {name}, got {evaluations}; or choose a smaller population"
        )
        raise InputError(message)
    return rival


def is_common(path: str) -> bool:
    """Whether the setting at a path is part of the problem that all recipes have in common."""
    return path.partition(".")[0] in PROBLEM


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
