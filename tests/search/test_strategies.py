"""Every strategy beside its twin: the same genes asked for, the same population, the same counts,
generation by generation.
"""

from collections.abc import Callable
from math import ceil

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from levolve.search.search import Search, Strategy
from levolve.search.strategies.annealing import Annealing
from levolve.search.strategies.generational import Generational
from levolve.search.strategies.picks import Picks
from levolve.search.strategies.steady_state import SteadyState
from levolve.search.strategies.truncation import Truncation
from oracles import strategies as twin
from oracles.operators import Genome
from oracles.strategies import Evaluate, Individual, Population, World
from search.inputs import (
    Pair,
    crossovers,
    kinds_of_scores,
    mutations,
    seeds,
    selections,
    some_scores,
    spaces,
)

# Breeds one generation: its number, the population before, and the best score before.
Breed = Callable[[World, int, Population, Evaluate, float], Population]

score_plans = st.lists(st.tuples(kinds_of_scores, st.integers(0, 2**32)), min_size=2, max_size=6)
Plan = list[tuple[str, int]]


class Comparison:
    """A search and its twin, advanced together."""

    def __init__(
        self, strategy: Strategy, population: int, pair: Pair, seed: int, generations: int
    ) -> None:
        self.pair = pair
        self.count = population
        self.search: Search = strategy.search(pair.real, pair.start, seed, generations)
        self.world = World(
            pair.twin,
            lambda generation, count: pair.genomes(pair.start(seed, generation, count)),
            seed,
            generations,
        )
        self.population: Population = []
        self.best = Individual([], -np.inf)
        self.evaluations = self.generations = 0

    def advance(self, generation: int, scores_like: tuple[str, int], breed: Breed) -> None:
        """One generation of both, with the same scores."""
        asked = self.pair.genomes(self.search.ask())
        scores = some_scores(*scores_like, len(asked))
        calls = 0

        def evaluate(genomes: list[Genome]) -> list[float]:
            nonlocal calls
            calls += 1
            assert genomes == asked
            return scores

        if generation == 0:
            self.population = twin.first_population(self.count, self.world, evaluate)
        else:
            self.population = breed(
                self.world, generation, self.population, evaluate, self.best.score
            )
        assert calls == 1
        self._tell(asked, scores)

    def cut(self, scores_like: tuple[str, int], share: float) -> None:
        """One more generation, of which only a share is evaluated."""
        asked = self.pair.genomes(self.search.ask())
        part = asked[: ceil(share * len(asked))]
        if len(part) < len(asked):
            scores = some_scores(*scores_like, len(part))
            self.population = twin.cut_short(self.population, list(map(Individual, part, scores)))
            self._tell(part, scores)

    def _tell(self, asked: list[Genome], scores: list[float]) -> None:
        self.search.tell(scores)
        self.evaluations += len(asked)
        self.generations += 1
        # `max` gives the first of several equals; one that is only as good as the best before does
        # not take its place.
        self.best = max(
            [self.best, *map(Individual, asked, scores)], key=lambda individual: individual.score
        )

    def check(self) -> None:
        """Population, best and counts are the same."""
        search = self.search
        assert self.pair.genomes(search.genes) == [
            individual.genes for individual in self.population
        ]
        assert search.scores.tolist() == [individual.score for individual in self.population]
        assert search.best_genes is not None
        assert (self.pair.genomes(search.best_genes[np.newaxis])[0], search.best_score) == self.best
        assert (search.generation, search.evaluations) == (self.generations, self.evaluations)


def compare(
    strategy: Strategy,
    population: int,
    pair: Pair,
    seed: int,
    generations: int,
    plan: Plan,
    breed: Breed,
) -> None:
    both = Comparison(strategy, population, pair, seed, generations)
    for generation, scores_like in enumerate(plan):
        both.advance(generation, scores_like, breed)
        both.check()
    both.cut(plan[0], 0.4)
    both.check()


@given(spaces(), seeds, kinds_of_scores, st.integers(0, 2**32))
def test_a_start_that_is_cut_short_is_the_population(
    pair: Pair, seed: int, kind: str, scores: int
) -> None:
    both = Comparison(Generational(10, 0), 10, pair, seed, 9)
    both.cut((kind, scores), 0.5)
    assert len(both.population) == 5
    both.check()


@given(spaces(), st.integers(2, 13), seeds, score_plans, selections, mutations, st.data())
def test_the_generational_strategy_does_what_its_twin_does(
    pair: Pair,
    population: int,
    seed: int,
    plan: Plan,
    selection: object,
    mutation: object,
    data: st.DataObject,
) -> None:
    elites = data.draw(st.integers(0, population - 1))
    strategy = Generational(population, elites, selection, data.draw(crossovers(pair)), mutation)  # type: ignore[arg-type]
    compare(
        strategy,
        population,
        pair,
        seed,
        9,
        plan,
        lambda *given: twin.generational(strategy, *given[:4]),
    )


@given(spaces(), st.integers(4, 15), seeds, score_plans, mutations, st.data())
def test_the_steady_state_does_what_its_twin_does(
    pair: Pair, population: int, seed: int, plan: Plan, mutation: object, data: st.DataObject
) -> None:
    group = data.draw(st.integers(4, min(population, 6)))
    events = data.draw(st.none() | st.integers(1, population // group))
    strategy = SteadyState(population, group, events, data.draw(crossovers(pair)), mutation)  # type: ignore[arg-type]
    compare(
        strategy,
        population,
        pair,
        seed,
        9,
        plan,
        lambda *given: twin.steady_state(strategy, *given[:4]),
    )


@given(spaces(), st.integers(2, 13), seeds, score_plans, mutations, st.data())
def test_truncation_does_what_its_twin_does(
    pair: Pair, population: int, seed: int, plan: Plan, mutation: object, data: st.DataObject
) -> None:
    kill = data.draw(st.integers(1, population - 1))
    couple = data.draw(st.integers(0, min(kill, (population - kill) // 2)))
    mutate = data.draw(st.integers(0, kill - couple))
    strategy = Truncation(population, kill, mutate, couple, data.draw(crossovers(pair)), mutation)  # type: ignore[arg-type]
    compare(
        strategy,
        population,
        pair,
        seed,
        9,
        plan,
        lambda *given: twin.truncation(strategy, *given[:4]),
    )


@given(spaces(), st.integers(2, 13), seeds, score_plans, mutations, st.integers(0, 9), st.data())
def test_annealing_does_what_its_twin_does(
    pair: Pair,
    population: int,
    seed: int,
    plan: Plan,
    mutation: object,
    generations: int,
    data: st.DataObject,
) -> None:
    hot = data.draw(st.sampled_from([0.001, 0.1, 1.0, 10.0]))
    strategy = Annealing(
        population,
        hot,
        hot * data.draw(st.sampled_from([0.01, 0.5, 1.0])),
        data.draw(st.integers(1, 4)),
        mutation,  # type: ignore[arg-type]
    )
    compare(
        strategy,
        population,
        pair,
        seed,
        generations,
        plan,
        lambda *given: twin.annealing(strategy, *given),
    )


@given(spaces(), st.integers(2, 25), seeds, score_plans, mutations, st.data())
def test_picks_does_what_its_twin_does(
    pair: Pair, population: int, seed: int, plan: Plan, mutation: object, data: st.DataObject
) -> None:
    rounds = data.draw(st.integers(1, population // 2))
    neutral, keep = (
        data.draw(st.sampled_from([None, 0.0, 5.0])),
        data.draw(st.sampled_from([None, 2.0, 7.0])),
    )
    strategy = Picks(
        population,
        rounds,
        neutral,
        keep,
        data.draw(crossovers(pair)),
        mutation,  # type: ignore[arg-type]
        data.draw(st.booleans()),
    )
    compare(
        strategy, population, pair, seed, 9, plan, lambda *given: twin.picks(strategy, *given[:4])
    )
