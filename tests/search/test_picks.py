"""The strategy `picks`: who becomes a parent, who stays, and how children grow tamer from round to
round.
"""

import numpy as np
import pytest

from levolve.core.errors import InputError
from levolve.jobs.runs.run import Run
from levolve.recipes.recipe import find_recipe
from levolve.search.genotypes.gene_space import BitGenes, Genes
from levolve.search.strategies.picks import Picks, PicksSearch
from levolve.search.variation.crossovers import UniformMutation

SPACE = BitGenes([50] * 40, grid=(40, 50))
POPULATION, ROUNDS = 96, 8


def start(seed: int, generation: int, count: int) -> Genes:
    """Individuals that differ in about half of their bits."""
    numbers = np.random.default_rng([seed, generation]).integers(
        0, 2**63, (count, SPACE.words), dtype=np.uint64
    )
    return numbers & SPACE.free


def begun(
    scores: np.ndarray, rate: float = 0.2, neutral: float | None = 0.0, keep: float | None = 2.0
) -> PicksSearch:
    """A search after its first generation."""
    settings = Picks(
        population=POPULATION,
        rounds=ROUNDS,
        neutral=neutral,
        keep=keep,
        mutation=UniformMutation(rate),
    )
    search = settings.search(SPACE, start, 1, 10)
    search.ask()
    search.tell(scores)
    return search


def differences(genes: Genes, other: Genes) -> np.ndarray:
    return np.asarray(np.bitwise_count(genes ^ other).sum(axis=1), np.int64)


def nearest(search: PicksSearch) -> list[int]:
    """For each proposed individual the parent that it differs least from."""
    return [int(differences(search.genes, child).argmin()) for child in search.ask()]


def scores_with(**places: float) -> np.ndarray:
    scores = np.zeros(POPULATION)
    for name, score in places.items():
        scores[int(name.removeprefix("at"))] = score
    return scores


def test_individuals_above_neutral_are_the_only_parents_in_proportion_to_their_scores() -> None:
    parents = nearest(begun(scores_with(at7=1.8, at20=0.6, at50=-1.0), rate=0.01))
    assert set(parents) == {7, 20}
    assert 1.8 < parents.count(7) / parents.count(20) < 5


def test_without_any_above_neutral_those_at_neutral_are_the_parents() -> None:
    scores = np.full(POPULATION, -1.0)
    scores[[3, 4]] = 0
    assert set(nearest(begun(scores, rate=0.01))) == {3, 4}


def test_a_population_below_neutral_begins_afresh() -> None:
    search = begun(np.full(POPULATION, -1.0))
    assert np.array_equal(search.ask(), start(1, 1, POPULATION))


def test_the_kept_come_first_unchanged_in_their_order_and_at_most_half_a_round() -> None:
    search = begun(scores_with(at40=2.0, at9=3.0, at60=1.9))
    assert np.array_equal(search.ask()[:2], search.genes[[9, 40]])
    assert differences(search.ask()[2:], search.genes[60]).min() > 0
    everyone = begun(np.full(POPULATION, 2.0))
    assert np.array_equal(everyone.ask()[:6], everyone.genes[:6])
    assert not np.array_equal(everyone.ask()[6], everyone.genes[6])


def test_by_default_the_upper_half_are_parents_and_the_best_is_kept() -> None:
    search = begun(np.arange(POPULATION, dtype=float), rate=0.01, neutral=None, keep=None)
    assert np.array_equal(search.ask()[0], search.genes[-1])
    assert min(nearest(search)) > POPULATION // 2 - 1


def test_children_of_odd_rounds_grow_tamer_and_those_of_even_rounds_do_not() -> None:
    search = begun(scores_with(at5=1.0), rate=0.2)
    changed = (
        differences(search.ask(), search.genes[5]).reshape(ROUNDS, -1).mean(axis=1) / SPACE.length
    )
    assert np.allclose(changed[0::2], 0.2, atol=0.02)
    assert np.allclose(changed[1::2], [0.1, 0.05, 0.025, 0.0125], rtol=0.2)


def test_half_the_children_of_two_parents_are_mixtures_and_half_are_mutants_of_one() -> None:
    search = begun(scores_with(at5=1.0, at6=1.0), rate=0.001)
    first_round = search.ask()[: POPULATION // ROUNDS]
    least = np.minimum(
        differences(first_round, search.genes[5]), differences(first_round, search.genes[6])
    )
    mutants = least < 15
    assert mutants[2::4].all()
    assert mutants[3::4].all()
    assert not mutants[0::4].all()


def test_rounds_have_random_numbers_of_their_own() -> None:
    search = begun(scores_with(at5=1.0), rate=0.2)
    assert len({child.tobytes() for child in search.ask()}) == POPULATION


def test_a_run_by_its_objective_gets_better_and_can_be_restored() -> None:
    recipe = find_recipe("maze").changed(
        {"size": "10x10", "strategy.kind": "picks", "generations": 60}
    )
    run = Run(recipe, 1).finish()
    assert run.best_score > run.history.best[0] + 10
    half = Run(recipe.changed({"generations": 30}), 1).finish()
    again = Run(recipe, 1)
    again.restore(half.state())
    assert again.finish().digest == run.digest


def test_more_rounds_than_pairs_of_individuals_are_refused() -> None:
    with pytest.raises(
        InputError, match="rounds: expected at most half the population of 10, got 6"
    ):
        Picks(population=10, rounds=6)
