"""`tune`: a recipe and what may vary about it in, the recipe with the best settings out."""

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError, LevolveError
from levolve.events import Event, Watch
from levolve.evolution.loop import Limits, advance
from levolve.evolution.seeds import choose_seed
from levolve.kernels.streams import VERDICT, draw
from levolve.levels.level import Level
from levolve.recipes.adapt import RecipeSource, Size, adapt
from levolve.recipes.recipe import Recipe
from levolve.recipes.schemes import RaceScheme, Scheme, SourceScheme
from levolve.recipes.search_space import Settings
from levolve.runs.executors import as_they_finish, work_pool
from levolve.runs.run import Run
from levolve.studies.budgets import Budget, parse_budget
from levolve.studies.racing_study import RacingStudy
from levolve.studies.rank_tests import Pair, half_width, rank_pairs
from levolve.studies.settings import stream_of
from levolve.studies.source_study import SourceStudy
from levolve.studies.study import Study
from levolve.studies.trial import REFUSED, ScoredTrial, Trial, TrialOutcome, run_trial
from levolve.version import VERSION

# The names of the two recipes in the rank test between them.
TUNED, UNTUNED = "tuned", "original"


@dataclass(frozen=True)
class TrialFinished(Event):
    """A trial has been evaluated: number `trials` of about `total`. `runs` and `evaluations` are totals so far, `best` the best set so far.

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


@dataclass(frozen=True, eq=False)
class Tuning:
    """The result of a meta-evolution.

    `best` is the best set with the runs it was judged by; `fresh` are the scores of runs of it with other seeds, and `untuned` those of the original
    recipe with these seeds. `history` has the sets of each generation, best first. `finalists` are the sets that a final compared on the same seeds,
    best first; a scheme without a final has none.
    """

    source: Recipe
    recipe: Recipe
    scheme: Scheme
    seed: int
    best: ScoredTrial
    level: Level | None
    fresh: NDArray[np.float64]
    untuned: NDArray[np.float64]
    history: tuple[tuple[ScoredTrial, ...], ...]
    finalists: tuple[ScoredTrial, ...]
    trials: int
    runs: int
    evaluations: int
    seconds: float

    @property
    def best_score(self) -> float:
        """The score by which the best set was chosen: that of a lucky run, if it was judged by one run."""
        return self.best.score

    @property
    def judged_by(self) -> int:
        """The number of runs that the best set was judged by."""
        return 0 if self.best.outcome is None else len(self.best.outcome.scores)

    @cached_property
    def final_tests(self) -> tuple[Pair, ...]:
        """Rank tests of the best set, named "1", against each other finalist, "2" and so on, by their runs in the final."""
        scores = {str(place): np.array(one.outcome.scores) for place, one in enumerate(self.finalists, 1) if one.outcome is not None}
        return tuple(rank_pairs(scores, "1")) if len(scores) > 1 else ()

    @cached_property
    def test(self) -> Pair:
        """The rank test between the tuned and the original recipe, by their runs with fresh seeds."""
        return next(rank_pairs({TUNED: self.fresh, UNTUNED: self.untuned}))

    @property
    def settings(self) -> Settings:
        """The settings of the best trial."""
        return self.best.settings

    @cached_property
    def digest(self) -> str:
        """Sha256 over every trial of every generation with its score, and over the results."""
        trials = [[[dict(one.settings), one.score] for one in generation] for generation in self.history]
        content = json.dumps([trials, self.fresh.tolist(), self.untuned.tolist(), self.recipe.to_data()], sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()

    def to_data(self) -> dict[str, Any]:
        """The result without its history, as plain data that JSON can hold."""
        return {
            "recipe": self.source.name,
            "seed": self.seed,
            "version": VERSION,
            "scheme": self.scheme.kind,
            "best_score": self.best_score,
            "judged_by": self.judged_by,
            "finalists": [{**one.to_data(), "runs": len(one.outcome.scores)} for one in self.finalists if one.outcome is not None],
            "final_tests": [pair.to_data() for pair in self.final_tests],
            "fresh_mean": float(self.fresh.mean()),
            "fresh_half_width": half_width(self.fresh),
            "fresh_scores": self.fresh.tolist(),
            "untuned_mean": float(self.untuned.mean()),
            "untuned_half_width": half_width(self.untuned),
            "untuned_scores": self.untuned.tolist(),
            "test": self.test.to_data(),
            "settings": dict(self.settings),
            "digest": self.digest,
            "generations": len(self.history) - 1,
            "trials": self.trials,
            "runs": self.runs,
            "evaluations": self.evaluations,
            "seconds": round(self.seconds, 6),
            "tuned": self.recipe.to_data(),
        }


def tune(  # noqa: PLR0913 the usual changes have names of their own
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
    threads: int | None = None,
    cluster: str | None = None,
    executor: Executor | None = None,
    watch: Watch | None = None,
) -> Tuning:
    """Evolve the settings of a recipe: those in its `vary` table, and those given here.

    Parameters
    ----------
    recipe, size, settings
        The recipe to tune, with changes; see `levolve.recipes.adapt.adapt`.
    vary
        Further settings by path, each with a range or choices: {"strategy.population": "20..200"}.
    population, generations, seeds
        New sets of settings per generation, generations of them, and runs per set, instead of those of the recipe's scheme. In a race, a generation
        is a whole race, and `seeds` the runs in its first round.
    budget
        A number of evaluations, or a time such as "5min", after which nothing new is begun. A race keeps a share of the evaluations for its final.
    random
        Propose random sets only: what the scheme has to beat.
    seed
        From 0 to 2**64 - 1; by default a random one. The same seed gives the same bytes, unless the budget is a time.
    threads, cluster, executor
        Where runs are carried out: threads of this process, a Dask cluster ("local" or an address), or any `concurrent.futures.Executor`.
        It does not change the result.
    watch
        A callback that receives a `TrialFinished` event for each trial, and a `GenerationScored` event for each generation.

    >>> found = tune("dungeon-meta", population=6, generations=1, settings={"generations": 3}, size="5x5", seed=1)
    >>> found.recipe.name, sorted(found.settings)[0], len(found.fresh)
    ('dungeon-tuned', 'genotype.floor', 20)
    """
    source, scheme = prepare(recipe, vary, population, generations, seeds, size=size, settings=settings)
    limit = parse_budget(budget)
    scheme = scheme.at_random() if random else scheme
    study = begin_study(source, scheme, choose_seed(seed))
    Run(study.base, study.seed)  # what cannot run at all is refused before any work
    began = time.perf_counter()
    with work_pool(threads, cluster, executor) as pool:
        trials = _Trials(study, pool, limit, watch)
        history: list[tuple[ScoredTrial, ...]] = []
        for event in advance(study, trials, Limits(study.rounds - 1, limit.evaluations), lambda: limit.is_over or study.is_complete):
            if len(history) < study.generation:
                history.append(study.population)
            if watch is not None:
                watch(event)
        best = study.best
        if best is None:
            refusal = trials.refusal or study.refusal
            reason = f"; one was refused: {refusal}" if refusal else "; allow more time" if limit.is_over else ""
            message = f"meta: none of the {trials.count or len(study.known)} sets of settings that were tried could be run{reason}"
            raise LevolveError(message)
        tuned = _tuned(source, study, best)
        fresh, untuned = (_fresh_scores(each, scheme.fresh_runs, study.seed, pool) for each in (tuned, study.base))
    return Tuning(
        source,
        tuned,
        scheme,
        study.seed,
        best,
        level_of(source, best),
        fresh,
        untuned,
        tuple(history),
        study.finalists,
        trials.count,
        trials.runs,
        study.evaluations,
        time.perf_counter() - began,
    )


def prepare(  # noqa: PLR0913 the usual changes have names of their own
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
        message = (
            f"vary: recipe {found.name} does not say which settings may vary; "
            "name some, such as strategy.population=20..200 or strategy.mutation.rate=0.001..0.1"
        )
        raise InputError(message)
    return found, (found.meta or SourceScheme()).adjusted(population=population, generations=generations, seeds=seeds)


def begin_study(recipe: Recipe, scheme: Scheme, seed: int) -> Study:
    """A study of the variables of a recipe by a scheme, with nothing evaluated."""
    if isinstance(scheme, RaceScheme):
        return RacingStudy(recipe, scheme, seed)
    if isinstance(scheme, SourceScheme):
        return SourceStudy(recipe, scheme, seed)
    message = f"scheme: expected one of kind source or race, got {scheme!r}"
    raise InputError(message)


class _Trials:
    """Evaluates trials on an executor, in whatever order they come back, and counts them."""

    def __init__(self, study: Study, executor: Executor, budget: Budget, watch: Watch | None) -> None:
        self.study, self.executor, self.budget, self.watch = study, executor, budget, watch
        self.count = self.runs = 0
        self.refusal = ""
        self._best: ScoredTrial | None = None
        self._evaluations = 0

    def __call__(self, trials: Sequence[Trial]) -> list[ScoredTrial]:
        """The outcomes of the trials in their order; once the time is up, of those that have finished."""
        study = self.study
        total = self.count + len(trials) + study.trials_to_come
        scored: dict[Trial, ScoredTrial] = {}
        units = []
        for trial in trials:
            recipe = study.recipe_of(trial)
            if isinstance(recipe, str):
                self._take(scored, trial, recipe, total)
            else:
                units.append((trial, recipe, study.seeds_of(trial), VERSION))
        with as_they_finish(self.executor, run_trial, [unit[1:] for unit in units]) as results:
            for position, result in results:
                self._take(scored, units[position][0], result, total)
                if self.budget.is_over:
                    break
        return [scored[trial] for trial in trials if trial in scored]

    def _take(self, scored: dict[Trial, ScoredTrial], trial: Trial, result: TrialOutcome | str, total: int) -> None:
        """Count a trial, and report it."""
        self.count += 1
        outcome = result if isinstance(result, TrialOutcome) else None
        scored[trial] = ScoredTrial(trial, outcome)
        if outcome is None:
            self.refusal = str(result)
        else:
            self.runs += len(outcome.scores)
            self._evaluations += outcome.evaluations
        self._best = self.study.better(self._best, scored[trial])
        if self.watch is not None:
            study = self.study
            self.watch(TrialFinished(study.generation, study.rounds - 1, self.count, total, self.runs, self._evaluations, self._best))


def _fresh_scores(recipe: Recipe, runs: int, seed: int, executor: Executor) -> NDArray[np.float64]:
    """The scores of runs with seeds that no set was judged by: `(runs,)`."""
    stream = stream_of(seed, VERDICT, 0, 0)
    units = [(recipe.to_data(), (int(draw(stream, k)),), VERSION) for k in range(runs)]
    scores = np.empty(len(units))
    with as_they_finish(executor, run_trial, units) as results:
        for position, result in results:
            scores[position] = result.score if isinstance(result, TrialOutcome) else REFUSED
    return scores


def level_of(source: Recipe, best: ScoredTrial) -> Level | None:
    """The best level of a trial's runs, if it is winnable."""
    if best.outcome is None:
        return None
    recipe = source.changed({"vary": None, "meta": None, **best.settings})
    return next(Run(recipe, 0).grow(best.outcome.genes[np.newaxis]), None)


def _tuned(source: Recipe, study: Study, best: ScoredTrial) -> Recipe:
    """The recipe with the settings of the best trial, under a name of its own."""
    name = f"{source.name.removesuffix('-meta').removesuffix('-race')}-tuned"
    summary = f"{source.name} with settings evolved by levolve meta, seed {study.seed}"
    return study.base.changed({"name": name, "summary": summary, **best.settings})
