"""`tune`: a recipe and what may vary about it in, the recipe with the settings that did best out."""

import hashlib
import json
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError, LevolveError
from levolve.evolution.seeds import choose_seed
from levolve.kernels.streams import VERDICT, draw
from levolve.levels.level import Level
from levolve.meta.budgets import Budget, parse_budget
from levolve.meta.judging import Outcome, judge
from levolve.meta.sets import stream_of
from levolve.meta.tuner import REFUSED, Candidate, Judged, Tuner
from levolve.runs.evolving import adapt
from levolve.runs.executors import as_they_finish, work_pool
from levolve.runs.recipe import Recipe
from levolve.runs.run import Run
from levolve.runs.varying import Scheme, Settings
from levolve.version import VERSION

# How many runs with seeds that no judge has seen show what the best set is worth.
VERDICT_RUNS = 20


@dataclass(frozen=True)
class Progress:
    """An event: a set has been judged."""

    generation: int
    generations: int
    sets: int
    total: int
    runs: int
    evaluations: int
    best: Judged | None


@dataclass(frozen=True, eq=False)
class Tuning:
    """What came of a meta-evolution.

    `best` is the best set, by the runs it was judged by; `fresh` are the scores of runs of it with seeds that nobody chose it by, and
    `untuned` those of the recipe as it was, with the same seeds. `history` has the sets of each generation, best first.
    """

    source: Recipe
    recipe: Recipe
    scheme: Scheme
    seed: int
    best: Judged
    level: Level | None
    fresh: NDArray[np.float64]
    untuned: NDArray[np.float64]
    history: tuple[tuple[Judged, ...], ...]
    sets: int
    runs: int
    evaluations: int
    seconds: float

    @property
    def best_score(self) -> float:
        """The score by which the best set was chosen: with one seed a set, that of a lucky run."""
        return self.best.score

    @property
    def settings(self) -> Settings:
        """The best set."""
        return self.best.settings

    @cached_property
    def digest(self) -> str:
        """Sha256 over every set of every generation with its score, and what was made of them."""
        told = [[[dict(one.settings), one.score] for one in generation] for generation in self.history]
        content = json.dumps([told, self.fresh.tolist(), self.untuned.tolist(), self.recipe.to_data()], sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()

    def to_data(self) -> dict[str, Any]:
        """Everything but the history, as plain data that JSON can hold."""
        return {
            "recipe": self.source.name,
            "seed": self.seed,
            "version": VERSION,
            "best_score": self.best_score,
            "fresh_mean": float(self.fresh.mean()),
            "fresh_scores": self.fresh.tolist(),
            "untuned_mean": float(self.untuned.mean()),
            "untuned_scores": self.untuned.tolist(),
            "settings": dict(self.settings),
            "digest": self.digest,
            "generations": len(self.history) - 1,
            "sets": self.sets,
            "runs": self.runs,
            "evaluations": self.evaluations,
            "seconds": round(self.seconds, 6),
            "tuned": self.recipe.to_data(),
        }


def tune(  # noqa: PLR0913 the usual changes have names of their own
    recipe: str | Path | Recipe,
    *,
    vary: Mapping[str, Any] | None = None,
    population: int | None = None,
    generations: int | None = None,
    seeds: int | None = None,
    budget: str | float | None = None,
    random: bool = False,
    seed: int | None = None,
    size: tuple[int, int] | str | None = None,
    settings: Mapping[str, Any] | None = None,
    threads: int | None = None,
    cluster: str | None = None,
    executor: Executor | None = None,
    watch: Callable[[Progress], None] | None = None,
) -> Tuning:
    """Evolve the settings of a recipe: those in its `vary` table, and those given here by path with a range or choices.

    `population`, `generations` and `seeds` change the recipe's scheme; `budget` is a number of evaluations, or a time such as "5min"; `random`
    searches at random instead. The work is done by `threads`, by a `cluster` ("local" or an address), or by an executor of your own: the
    result does not depend on it. `watch` hears of each set judged.

    >>> found = tune("dungeon-meta", population=6, generations=1, settings={"generations": 3}, size="5x5", seed=1)
    >>> found.recipe.name, sorted(found.settings)[0], len(found.fresh)
    ('dungeon-tuned', 'genotype.floor', 20)
    """
    if executor is None:
        with work_pool(threads, cluster) as pool:
            return tune(
                recipe,
                vary=vary,
                population=population,
                generations=generations,
                seeds=seeds,
                budget=budget,
                random=random,
                seed=seed,
                size=size,
                settings=settings,
                executor=pool,
                watch=watch,
            )
    source, scheme = prepare(recipe, vary, population, generations, seeds, size=size, settings=settings)
    limit = parse_budget(budget)
    tuner = Tuner(source, scheme.at_random() if random else scheme, choose_seed(seed))
    Run(tuner.base, tuner.seed)  # what cannot run at all is refused before any work
    return _Course(source, tuner, executor, limit, watch).finish()


def prepare(  # noqa: PLR0913 the usual changes have names of their own
    recipe: str | Path | Recipe,
    vary: Mapping[str, Any] | None,
    population: int | None,
    generations: int | None,
    seeds: int | None,
    *,
    size: tuple[int, int] | str | None = None,
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
    return found, (found.meta or Scheme()).adjusted(population=population, generations=generations, seeds=seeds)


class _Course:
    """One meta-evolution on its way."""

    def __init__(self, source: Recipe, tuner: Tuner, executor: Executor, budget: Budget, watch: Callable[[Progress], None] | None) -> None:
        self.source, self.tuner, self.executor, self.budget, self.watch = source, tuner, executor, budget, watch
        self.history: list[tuple[Judged, ...]] = []
        self.sets = self.runs = self.evaluations = 0
        self.total = 0
        self.best: Judged | None = None
        self.began = time.perf_counter()

    def finish(self) -> Tuning:
        """Go on to the end, and see what the best set is worth."""
        tuner = self.tuner
        while tuner.generation <= tuner.scheme.generations and self.evaluations < self.budget.evaluations and not self.budget.is_over:
            self._generation()
        best = tuner.best
        if best is None or best.outcome is None:
            reason = f"; one was refused: {tuner.refusal}" if tuner.refusal else "; allow more time" if self.budget.is_over else ""
            message = f"meta: none of the {self.sets} sets of settings that were tried could be run{reason}"
            raise LevolveError(message)
        tuned = _tuned(self.source, tuner, best)
        fresh, untuned = self._verdict(tuned), self._verdict(tuner.base)
        level = level_of(self.source, best)
        seconds = time.perf_counter() - self.began
        history = tuple(self.history)
        return Tuning(
            self.source, tuned, tuner.scheme, tuner.seed, best, level, fresh, untuned, history, self.sets, self.runs, self.evaluations, seconds
        )

    def _generation(self) -> None:
        """One generation: its newcomers are judged, in whatever order they come back."""
        candidates = self.tuner.ask()
        number, scheme = self.tuner.generation, self.tuner.scheme
        self.total = self.sets + len(candidates) + (scheme.generations - number) * scheme.drop
        judged: dict[Candidate, Judged] = {}
        units = []
        for candidate in candidates:
            recipe = self.tuner.recipe_of(candidate)
            if recipe is None:
                judged[candidate] = Judged(candidate, None)
                self._tell(judged[candidate], number)
            else:
                units.append((candidate, recipe, self.tuner.seeds_of(candidate), VERSION))
        with as_they_finish(self.executor, judge, [unit[1:] for unit in units]) as results:
            for place, result in results:
                candidate = units[place][0]
                if isinstance(result, str):
                    self.tuner.refusal = result
                judged[candidate] = Judged(candidate, result if isinstance(result, Outcome) else None)
                self._tell(judged[candidate], number)
                if self.budget.is_over:
                    break
        self.tuner.tell([judged[candidate] for candidate in candidates if candidate in judged])
        self.history.append(self.tuner.population)

    def _tell(self, judged: Judged, generation: int) -> None:
        """Keep the books, and tell who is watching."""
        self.sets += 1
        if judged.outcome is not None:
            self.runs += len(judged.outcome.scores)
            self.evaluations += judged.outcome.evaluations
            if self.best is None or judged.score > self.best.score:
                self.best = judged
        if self.watch is not None:
            self.watch(Progress(generation, self.tuner.scheme.generations, self.sets, self.total, self.runs, self.evaluations, self.best))

    def _verdict(self, recipe: Recipe) -> NDArray[np.float64]:
        """The scores of runs with seeds that no set was judged by."""
        stream = stream_of(self.tuner.seed, VERDICT, 0, 0)
        units = [(recipe.to_data(), (int(draw(stream, k)),), VERSION) for k in range(VERDICT_RUNS)]
        scores = np.empty(len(units))
        with as_they_finish(self.executor, judge, units) as results:
            for place, result in results:
                scores[place] = result.score if isinstance(result, Outcome) else REFUSED
        return scores


def level_of(source: Recipe, best: Judged) -> Level | None:
    """The best level of a set's runs, if it can be won."""
    if best.outcome is None:
        return None
    recipe = source.changed({"vary": None, "meta": None, **best.settings})
    return next(Run(recipe, 0).grow(best.outcome.genes[np.newaxis]), None)


def _tuned(source: Recipe, tuner: Tuner, best: Judged) -> Recipe:
    """The recipe with the best set, under a name of its own."""
    name = f"{source.name.removesuffix('-meta')}-tuned"
    summary = f"{source.name} with settings evolved by levolve meta, seed {tuner.seed}"
    return tuner.base.changed({"name": name, "summary": summary, **best.settings})
