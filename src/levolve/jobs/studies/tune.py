"""`tune`: a recipe and what may vary about it in, the recipe with the best settings out."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray

from levolve.core.arguments import EXECUTOR, named_arguments
from levolve.core.errors import InputError, LevolveError
from levolve.core.events import Event, Watch
from levolve.jobs.checkpoints import complete
from levolve.jobs.executors import ExecutorSource, shares_memory, stop_requested, work_pool
from levolve.jobs.runs.run import Run
from levolve.jobs.store.places import StoreSource
from levolve.jobs.studies.arguments import Budget, parse_budget
from levolve.jobs.studies.racing import RacingStudy
from levolve.jobs.studies.setting_sets import SourceStudy, stream_of
from levolve.jobs.studies.study import (
    REFUSED,
    ScoredTrial,
    Study,
    Trial,
    TrialOutcome,
    run_trial,
)
from levolve.jobs.studies.tuning import Tuning, level_of
from levolve.jobs.units import UnitJob
from levolve.kernels.bits.random_streams import VERDICT, draw
from levolve.recipes.finding import RecipeSource, Size, adapt
from levolve.recipes.recipe import Recipe
from levolve.recipes.schemes import RaceScheme, Scheme, SourceScheme, scheme_from_data
from levolve.search.loop import Limits, advance
from levolve.search.problem import choose_seed
from levolve.version import VERSION

Stop = Callable[[], bool]


@dataclass(frozen=True)
class TrialFinished(Event):
    """A trial has been evaluated: number `trials` of about `total`. `runs` and `evaluations` are
    totals so far, `best` the best set so far.

    A generation of a race is one of its rounds.
    """

    kind: ClassVar[str] = "trial"

    generation: int
    generations: int
    trials: int
    total: int
    runs: int
    evaluations: int
    best: ScoredTrial | None


@dataclass(frozen=True)
class FreshRunFinished(Event):
    """A run of the tuned or of the original recipe with a fresh seed has finished: number `done` of
    `total`.
    """

    kind: ClassVar[str] = "fresh_run"

    done: int
    total: int


class MetaEvolution(UnitJob[Tuning, TrialOutcome | str]):
    """Evolves the settings of a recipe. `events()` yields an event per trial, per generation and
    per run with a fresh seed.

    The units of this job are trials and runs with fresh seeds. See `tune` for the parameters;
    `prepare` gives recipe and scheme.
    """

    kind: ClassVar[str] = "meta"

    def __init__(
        self,
        source: Recipe,
        scheme: Scheme,
        seed: int | None = None,
        budget: Budget | None = None,
        executor: Executor | None = None,
        stop: Stop = stop_requested,
    ) -> None:
        """Prepare; nothing is run yet. What cannot run at all is refused."""
        self.source = source
        self.scheme = scheme
        self.name = source.name
        self.budget = Budget() if budget is None else budget
        super().__init__(choose_seed(seed), executor, stop)
        Run(self.study.base, self.seed)

    def call(self) -> dict[str, Any]:
        """Return recipe, scheme, seed and budget as JSON-compatible data."""
        return {
            "recipe": self.source.to_data(),
            "scheme": self.scheme.model_dump(mode="json"),
            "seed": self.seed,
            "budget": self.budget.to_data(),
        }

    @classmethod
    def from_call(
        cls, call: Mapping[str, Any], executor: Executor | None = None, stop: Stop = stop_requested
    ) -> Self:
        """Return the meta-evolution that `call` describes."""
        scheme = cast("Scheme", scheme_from_data(call["scheme"]))
        return cls(
            Recipe.from_data(call["recipe"]),
            scheme,
            call["seed"],
            Budget.from_data(call["budget"]),
            executor,
            stop,
        )

    def _reset(self) -> None:
        self.study = begin_study(self.source, self.scheme, self.seed)
        self.history: list[tuple[ScoredTrial, ...]] = []
        self.trials = self.runs = 0
        self._evaluations = 0
        self._best: ScoredTrial | None = None
        self._refusal = ""
        self._is_over = False
        self._total = self.scheme.total
        self._fresh: NDArray[np.float64] | None = None

    def _advance(self) -> Iterator[Event]:
        """Evaluate trials until the scheme or the budget ends; then run the best set and the
        original recipe with fresh seeds.
        """
        study = self.study
        limits = Limits(study.rounds - 1, self.budget.evaluations)
        for event in advance(
            study, self._evaluate, limits, lambda: self._over() or study.is_complete
        ):
            if len(self.history) < study.generation:
                self.history.append(study.population)
            yield event
        if study.best is None:
            refusal = self._refusal or study.refusal
            reason = (
                f"; one was refused: {refusal}"
                if refusal
                else "; allow more time"
                if self._is_over
                else ""
            )
            raise LevolveError(
                f"meta: none of the {self.trials or len(study.known)} sets of settings that were "
                f"tried could be run{reason}"
            )
        yield from self._verdict(self._tuned(study.best))

    def _evaluate(self, trials: Sequence[Trial]) -> Generator[Event, None, list[ScoredTrial]]:
        """Evaluate trials in any order; once the time is up, return only finished ones."""
        study = self.study
        self._total = self.trials + len(trials) + study.trials_to_come
        scored: dict[Trial, ScoredTrial] = {}
        refused: list[tuple[Trial, str]] = []
        places: list[Trial] = []

        def units() -> Iterator[tuple[Any, ...]]:
            for trial in trials:
                recipe = study.recipe_of(trial)
                if isinstance(recipe, str):
                    refused.append((trial, recipe))
                else:
                    places.append(trial)
                    yield self._unit(recipe, study.seeds_of(trial))

        def report_refused() -> Iterator[Event]:
            while refused:
                yield self._take(scored, *refused.pop(0))

        for place, result in self._as_they_finish(run_trial, units()):
            # With the first result, all that are refused are known.
            yield from report_refused()
            yield self._take(scored, places[place], result)
            if self._over():
                break
        yield from report_refused()
        return [scored[trial] for trial in trials if trial in scored]

    def _unit(self, recipe: Recipe, seeds: Sequence[int]) -> tuple[Any, ...]:
        """The arguments of `run_trial` for this executor."""
        return recipe if shares_memory(self.executor) else recipe.to_data(), seeds, VERSION

    def _take(
        self, scored: dict[Trial, ScoredTrial], trial: Trial, result: TrialOutcome | str
    ) -> TrialFinished:
        """Count a trial, and report it."""
        self.trials += 1
        outcome = result if isinstance(result, TrialOutcome) else None
        scored[trial] = ScoredTrial(trial, outcome)
        if outcome is None:
            self._refusal = str(result)
        else:
            self.runs += len(outcome.scores)
            self._evaluations += outcome.evaluations
        self._best = self.study.better(self._best, scored[trial])
        study = self.study
        return TrialFinished(
            study.generation,
            study.rounds - 1,
            self.trials,
            self._total,
            self.runs,
            self._evaluations,
            self._best,
        )

    def _over(self) -> bool:
        """Whether the time of the budget is up."""
        if not self._is_over and self.budget.seconds < float("inf"):
            self._is_over = self._time_is_up(self.budget.seconds)
        return self._is_over

    def _verdict(self, tuned: Recipe) -> Iterator[FreshRunFinished]:
        """Run the tuned and the original recipe with seeds that no set was judged by."""
        stream = stream_of(self.seed, VERDICT, 0, 0)
        count = self.scheme.fresh_runs
        units = [
            self._unit(recipe, (int(draw(stream, k)),))
            for recipe in (tuned, self.study.base)
            for k in range(count)
        ]
        scores = np.empty(len(units))
        for done, (place, result) in enumerate(self._as_they_finish(run_trial, units), 1):
            scores[place] = result.score if isinstance(result, TrialOutcome) else REFUSED
            if done == len(units):
                self._fresh = scores.reshape(2, count)
            yield FreshRunFinished(done, len(units))

    def _tuned(self, best: ScoredTrial) -> Recipe:
        """The recipe with the settings of the best trial, under a name of its own."""
        name = f"{self.source.name.removesuffix('-meta').removesuffix('-race')}-tuned"
        summary = f"{self.source.name} with settings evolved by levolve meta, seed {self.seed}"
        return self.study.base.changed({"name": name, "summary": summary, **best.settings})

    def _to_state(self, unit: TrialOutcome | str) -> Any:
        return unit if isinstance(unit, str) else {**vars(unit), "scores": list(unit.scores)}

    def _from_state(self, state: Any) -> TrialOutcome | str:
        return (
            state
            if isinstance(state, str)
            else TrialOutcome(
                tuple(state["scores"]), int(state["evaluations"]), np.array(state["genes"])
            )
        )

    @property
    def result(self) -> Tuning:
        """The best set of settings, and how it compares with the original recipe."""
        study, best = self.study, self.study.best
        if best is None or self._fresh is None:
            raise LevolveError(
                "meta: expected the meta-evolution to be finished; call finish() first"
            )
        return Tuning(
            self.source,
            self._tuned(best),
            self.scheme,
            self.seed,
            best,
            level_of(self.source, best),
            self._fresh[0],
            self._fresh[1],
            tuple(self.history),
            study.finalists,
            self.trials,
            self.runs,
            study.evaluations,
            self.seconds,
        )

    @property
    def size(self) -> str:
        """The size of the levels."""
        return "{}x{}".format(*self.source.size)

    @property
    def score(self) -> float | None:
        """The best score so far."""
        return None if self._best is None else self._best.score

    @property
    def progress(self) -> float:
        """The share of the planned trials that are evaluated."""
        return 1.0 if self._fresh is not None else min(self.trials / max(self._total, 1), 0.99)


@named_arguments(EXECUTOR)
def tune(
    recipe: RecipeSource,
    *,
    vary: Mapping[str, Any] | None = None,
    population: int | None = None,
    generations: int | None = None,
    seeds: int | None = None,
    budget: str | float | None = None,
    random: bool = False,
    seed: int | None = None,
    size: Size | None = None,
    settings: Mapping[str, Any] | None = None,
    executor: ExecutorSource | None = None,
    watch: Watch | None = None,
    store: StoreSource = None,
) -> Tuning:
    """Evolve the settings of a recipe: those in its `vary` table, and those given here.

    Parameters
    ----------
    recipe, size, settings
        The recipe to tune, with changes; see `levolve.recipes.finding.adapt`.
    vary
        Further settings by path, each with a range or choices: {"strategy.population": "20..200"}.
    population, generations, seeds
        New sets of settings per generation, generations of them, and runs per set, instead of those
        of the recipe's scheme. In a race, a generation is a whole race, and `seeds` the runs in its
        first round.
    budget
        A number of evaluations, or a time such as "5min", after which nothing new is begun. A race
        keeps a share of the evaluations for its final.
    random
        Propose random sets only: what the scheme has to beat.
    seed
        From 0 to 2**64 - 1; by default a random one. The same seed gives the same bytes, unless the
        budget is a time.
    executor
        Where runs are carried out; see `levolve.evolve`. It does not change the result.
    watch
        A callback that receives a `TrialFinished` event for each trial, a `GenerationScored` event
        for each generation, a `SearchEnded` event, and a `FreshRunFinished` event for each run with
        a fresh seed.
    store
        Where it is stored, so that `levolve.resume` can continue it: a path, a `Store`, or True for
        the user's own. By default nowhere.

    >>> short = {"generations": 3}
    >>> found = tune("dungeon-meta", population=6, generations=1, settings=short, size="5x5", seed=1)
    >>> found.recipe.name, sorted(found.settings)[0], len(found.fresh)
    ('dungeon-tuned', 'genotype.floor', 20)
    """  # noqa: E501 text in another language
    source, scheme = prepare(
        recipe, vary, population, generations, seeds, size=size, settings=settings
    )
    job = MetaEvolution(
        source, scheme.at_random() if random else scheme, seed, parse_budget(budget)
    )
    with work_pool(executor=executor) as pool:
        job.executor = pool
        return complete(job, store, watch)


def prepare(
    recipe: RecipeSource,
    vary: Mapping[str, Any] | None,
    population: int | None,
    generations: int | None,
    seeds: int | None,
    *,
    size: Size | None = None,
    settings: Mapping[str, Any] | None = None,
) -> tuple[Recipe, Scheme]:
    """The recipe with its variables, and the scheme, with the changes asked for."""
    found = adapt(recipe, size=size, settings=settings)
    if vary:
        found = found.changed({"vary": {**(found.vary or {}), **vary}})
    if not found.variables:
        raise InputError(
            f"vary: recipe {found.name} does not say which settings may vary; "
            "name some, such as strategy.population=20..200 or strategy.mutation.rate=0.001..0.1"
        )
    return found, (found.meta or SourceScheme()).adjusted(
        population=population, generations=generations, seeds=seeds
    )


def begin_study(recipe: Recipe, scheme: Scheme, seed: int) -> Study:
    """A study of the variables of a recipe by a scheme, with nothing evaluated."""
    if isinstance(scheme, RaceScheme):
        return RacingStudy(recipe, scheme, seed)
    if isinstance(scheme, SourceScheme):
        return SourceStudy(recipe, scheme, seed)
    raise InputError(f"scheme: expected one of kind source or race, got {scheme!r}")
