"""`ComparisonJob`: runs of several recipes on one problem or more, with equal budgets and equal
seeds.

A unit of work is a run of one recipe, on one size, with one seed; the metric says what is measured
of it. Fair means: the same size, places and objective for all recipes, and exactly the same number
of evaluations, however many generations a recipe makes of them. Where the objective has a score
that cannot be beaten, as a target has, runs are compared by the evaluations they need to reach it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np

from levolve.core.errors import InputError, LevolveError
from levolve.core.events import Event
from levolve.core.registry import did_you_mean
from levolve.jobs.executors import stop_requested
from levolve.jobs.job import JobOutcome
from levolve.jobs.studies.arguments import (
    Contest,
    _is_common,
    check_axes,
    check_numbers,
    check_variable,
    common_problem,
    distinct_names,
    rivals,
    varied,
)
from levolve.jobs.studies.comparison import Comparison, Entrant, EntrantRun, SizesComparison
from levolve.jobs.studies.metrics import ARCHIVES, SCORES, Metric, evaluation_grid
from levolve.jobs.studies.rank_tests import rank_pairs
from levolve.jobs.units import UnitJob
from levolve.recipes.finding import RecipeSource, Size
from levolve.recipes.recipe import Recipe, find_recipe

GRID = (50, 50)

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


class ComparisonJob(UnitJob[Comparison | SizesComparison, EntrantRun]):
    """Compares recipes that have one problem and one budget in common. `events()` yields an event
    per run, in order.
    """

    kind: ClassVar[str] = "compare"
    metric: ClassVar[Metric] = SCORES

    def __init__(
        self,
        contests: Sequence[Contest],
        *,
        runs: int,
        seed: int,
        paired: bool = False,
        against: str | None = None,
        executor: Executor | None = None,
        stop: Stop = stop_requested,
    ) -> None:
        """Prepare; nothing is run yet. There is a contest per size. See `of`."""
        self.contests = tuple(contests)
        self.names = tuple(contests[0].rivals)
        self.against = against
        self.name = ", ".join(self.names)
        self.runs = runs
        self.paired = paired
        self.total = len(contests) * len(self.names) * runs
        super().__init__(seed, executor, stop)

    @staticmethod
    def of(
        recipes: Sequence[RecipeSource],
        *,
        sizes: Sequence[Size] | None = None,
        axes: Iterable[str] | str | Literal[True] | None = None,
        grid: Sequence[int] | str | None = None,
        ranges: Mapping[str, tuple[float, float]] | None = None,
        runs: int = 20,
        evaluations: int = 20_000,
        objective: str | Mapping[str, Any] | None = None,
        target: Mapping[str, Any] | None = None,
        size: Size | None = None,
        seed: int = 1,
        settings: Mapping[str, Any] | None = None,
        vary: Mapping[str, Any] | None = None,
        paired: bool = False,
        against: str | None = None,
    ) -> "ComparisonJob":
        """Return the comparison of some recipes on the problem of the first. See `compare` for the
        parameters.
        """
        check_axes(
            "axes",
            axes,
            {"grid": grid, "ranges": ranges},
            {"target": target, "several sizes": sizes},
        )
        if size is not None and sizes is not None:
            raise InputError(f"size: expected none together with sizes, got {size!r}")
        given = settings or {}
        own = {path: value for path, value in given.items() if not _is_common(path)}
        check_variable(vary)
        found = [find_recipe(recipe) for recipe in recipes]
        known = varied(dict(zip(distinct_names(found, recipes), found, strict=True)), vary, own)
        check_numbers(len(known), runs, seed)
        if against not in {None, *known}:
            raise InputError(
                f"against: no recipe is called {against!r}: {did_you_mean(str(against), [*known])}"
            )
        cells = (
            None
            if axes is None
            else {
                "axes": None if axes is True else axes,
                "grid": GRID if grid is None else grid,
                "ranges": ranges,
            }
        )
        problems = [
            common_problem(known, objective, target, each, given)
            for each in ([size] if sizes is None else sizes)
        ]
        # They are in the varied recipes already; an illumination may have further ones.
        own = {} if vary and cells is None else own
        contests = [
            Contest(problem, rivals(known, problem, evaluations, own, cells))
            for problem in problems
        ]
        if not contests or len({str(contest.problem["size"]) for contest in contests}) < len(
            contests
        ):
            raise InputError(
                "sizes: expected one or more different sizes, got "
                f"{', '.join(map(str, sizes or ())) or 'none'}"
            )
        kind = (
            IlluminationsJob if cells is not None else ComparisonJob if sizes is None else SizesJob
        )
        if against is not None and kind is SizesJob:
            raise InputError(
                "against: expected one size; several sizes are compared by ranks of all recipes"
            )
        return kind(contests, runs=runs, seed=seed, paired=paired, against=against)

    def call(self) -> dict[str, Any]:
        """Return the recipes with their common problem, the number of runs and the first seed as
        JSON-compatible data.
        """
        return self._call(self.contests[0])

    def _call(self, contest: Contest) -> dict[str, Any]:
        recipes = [[name, rival.to_data()] for name, rival in contest.rivals.items()]
        options: dict[str, Any] = {"paired": True} if self.paired else {}
        if self.against is not None:
            options["against"] = self.against
        return {
            "recipes": recipes,
            "problem": contest.problem,
            "runs": self.runs,
            "seed": self.seed,
            **options,
        }

    @classmethod
    def from_call(
        cls, call: Mapping[str, Any], executor: Executor | None = None, stop: Stop = stop_requested
    ) -> Self:
        """Return the comparison that `call` describes."""
        calls = call.get("sizes", [call])
        contests = [
            Contest(
                each["problem"], {name: Recipe.from_data(data) for name, data in each["recipes"]}
            )
            for each in calls
        ]
        same = calls[0]
        return cls(
            contests,
            runs=same["runs"],
            seed=same["seed"],
            paired=bool(same.get("paired")),
            against=same.get("against"),
            executor=executor,
            stop=stop,
        )

    def _reset(self) -> None:
        self.finished: list[EntrantRun] = []

    def _advance(self) -> Iterator[RunFinished]:
        """Run every recipe on every size with every seed."""
        units = [
            (name, self.seed + index, rival, evaluation_grid(contest.evaluations))
            for contest in self.contests
            for name, rival in contest.rivals.items()
            for index in range(self.runs)
        ]
        for run in self._in_order(self.metric.run, units):
            self.finished.append(run)
            yield RunFinished(
                run.name, run.seed, run.score, run.evaluations, len(self.finished), self.total
            )

    def _to_state(self, unit: EntrantRun) -> dict[str, Any]:
        return {
            name: value
            for name, value in vars(unit).items()
            if name != "coverage" or value is not None
        }

    def _from_state(self, state: Mapping[str, Any]) -> EntrantRun:
        curves = {name: np.array(state[name]) for name in self.metric.panels.values()}
        return EntrantRun(**{**state, **curves})

    @property
    def result(self) -> Comparison | SizesComparison:
        """The comparison of all runs."""
        return self.comparisons[0]

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """The comparison of the runs on each size."""
        if self.progress < 1:
            raise LevolveError(
                f"comparison: expected all runs to be finished, {len(self.finished)} of "
                f"{self.total} are; call finish() first"
            )
        each = self.total // len(self.contests)
        return tuple(
            self._compared(contest, self.finished[place * each :][:each])
            for place, contest in enumerate(self.contests)
        )

    def _compared(self, contest: Contest, runs: Sequence[EntrantRun]) -> Comparison:
        """Return the comparison of the runs on one size, by each figure of the metric."""
        goal = next(iter(contest.rivals.values())).limits.goal if self.metric is SCORES else None
        grid = evaluation_grid(contest.evaluations)
        panels: list[Comparison] = []
        for figure, curve in self.metric.panels.items():
            measured = [replace(run, curve=getattr(run, curve)) for run in runs]
            rivals = enumerate(contest.rivals.items())
            entrants = [
                Entrant(name, rival, tuple(measured[place * self.runs :][: self.runs]))
                for place, (name, rival) in rivals
            ]
            entrants.sort(key=_standing if goal is None else _standing_to_goal)
            pairs = rank_pairs(
                {
                    entrant.name: entrant.performance(has_goal=goal is not None)
                    for entrant in entrants
                },
                self.against,
                paired=self.paired,
            )
            panels.append(
                Comparison(
                    contest.problem,
                    self.runs,
                    contest.evaluations,
                    self.seed,
                    goal,
                    grid,
                    tuple(entrants),
                    tuple(pairs),
                    self.paired,
                    figure,
                )
            )
        return replace(panels[0], others=tuple(panels[1:]))

    @property
    def size(self) -> str:
        """The sizes of the levels."""
        return ", ".join(str(contest.problem["size"]) for contest in self.contests)

    @property
    def progress(self) -> float:
        """The share of the runs that are finished."""
        return len(self.finished) / self.total

    @property
    def headline(self) -> str:
        """The recipe that is best at the end; before, the number of finished runs."""
        return (
            f"best: {self._best}"
            if self.progress == 1
            else f"{len(self.finished)} of {self.total} runs"
        )

    @property
    def _best(self) -> str:
        return self.comparisons[0].entrants[0].name

    def outcome(self) -> JobOutcome:
        """Return the figures of the recipes and the rank tests, without curves."""
        data = self.comparisons[0].to_data()
        recipes = [
            {name: value for name, value in entrant.items() if name not in {"curves", "recipe"}}
            for entrant in data["recipes"]
        ]
        return JobOutcome(
            {**{name: value for name, value in data.items() if name != "grid"}, "recipes": recipes}
        )


class IlluminationsJob(ComparisonJob):
    """Compares the archives that recipes fill. The score of an event is the QD score."""

    kind: ClassVar[str] = "compare-illuminations"
    metric: ClassVar[Metric] = ARCHIVES


class SizesJob(ComparisonJob):
    """Compares recipes on several sizes, by their ranks over all of them."""

    kind: ClassVar[str] = "compare-sizes"

    def call(self) -> dict[str, Any]:
        """Return the calls of the comparisons on each size."""
        return {"sizes": [self._call(contest) for contest in self.contests]}

    @property
    def result(self) -> SizesComparison:
        """The comparisons on all sizes."""
        return SizesComparison(self.comparisons)

    @property
    def _best(self) -> str:
        return self.result.ranks.names[0]

    def outcome(self) -> JobOutcome:
        """Return the ranks."""
        return JobOutcome(self.result.ranks.to_data())


def _standing(entrant: Entrant) -> tuple[float, float]:
    return -entrant.median, -float(entrant.scores.mean())


def _standing_to_goal(entrant: Entrant) -> tuple[float, float, float]:
    return entrant.expected_evaluations, *_standing(entrant)
