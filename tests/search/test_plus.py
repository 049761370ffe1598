"""Strategies in which parents and children compete: each beside its twin, and what they promise."""

from itertools import pairwise
from math import ceil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levolve.core.errors import InputError
from levolve.levels.frame import Frame
from levolve.search.genotypes.direct import Direct
from levolve.search.problem import Evaluation
from levolve.search.strategies.novelty import Novelty
from levolve.search.strategies.nsga2 import NSGA2
from levolve.search.strategies.plus import PlusStrategy
from oracles import plus as twin
from oracles.operators import Genome
from oracles.plus import Crowd, Featured, Rank
from oracles.strategies import World
from search.inputs import Pair, crossovers, mutations, seeds, selections, spaces

FRAME = Frame(6, 6, {"entrance": (0, 0), "exit": (5, 5)})


def evaluation_of(genomes: list[Genome], names: tuple[str, ...]) -> Crowd:
    """Scores and features of a few values each that follow from the genes."""
    found = []
    for genes in genomes:
        weighed = sum(value * (place % 5 + 1) for place, value in enumerate(genes))
        features = {name: float((weighed * (number + 3)) % 7) for number, name in enumerate(names)}
        found.append(
            Featured(genes, float(weighed % 11), {**features, "feasible": float(weighed % 4 > 0)})
        )
    return found


def as_arrays(crowd: Crowd, names: tuple[str, ...]) -> Evaluation:
    features = {name: np.array([one.features[name] for one in crowd]) for name in names}
    return Evaluation(
        np.array([one.score for one in crowd]), {**features, "feasible": features["feasible"] > 0}
    )


def compare(strategy: PlusStrategy, rank: Rank, pair: Pair, seed: int, generations: int) -> None:
    search = strategy.search(pair.real, pair.start, seed, generations)
    world = World(
        pair.twin,
        lambda generation, count: pair.genomes(pair.start(seed, generation, count)),
        seed,
        generations,
    )
    population: Crowd = []
    for generation in range(generations):
        asked = pair.genomes(search.ask())
        wanted = (
            twin.children_of(strategy, world, generation, population)
            if population
            else world.start(0, strategy.population)
        )
        assert asked == wanted
        # The last generation is cut.
        part = asked if generation < generations - 1 else asked[: ceil(len(asked) / 2)]
        newcomers = evaluation_of(part, strategy.features)
        search.tell(as_arrays(newcomers, strategy.features))
        population = rank(newcomers + population, len(newcomers))[: strategy.population]
        assert pair.genomes(search.genes) == [one.genes for one in population]
        assert search.scores.tolist() == [one.score for one in population]


@given(spaces(), st.integers(2, 12), seeds, st.integers(2, 5), selections, mutations, st.data())
def test_nsga2_does_what_its_twin_does(
    pair: Pair,
    population: int,
    seed: int,
    generations: int,
    selection: object,
    mutation: object,
    data: st.DataObject,
) -> None:
    objectives = data.draw(
        st.dictionaries(
            st.sampled_from(["score", "a", "b", "c"]),
            st.sampled_from(["max", "min"]),
            min_size=1,
            max_size=3,
        )
    )
    parts = {"selection": selection, "mutation": mutation, "crossover": data.draw(crossovers(pair))}
    strategy = NSGA2(population=population, objectives=objectives, **parts)  # type: ignore[arg-type]
    compare(strategy, lambda crowd, new: twin.nsga2(strategy, crowd, new), pair, seed, generations)


@given(spaces(), st.integers(2, 12), seeds, st.integers(2, 5), selections, mutations, st.data())
def test_novelty_does_what_its_twin_does(
    pair: Pair,
    population: int,
    seed: int,
    generations: int,
    selection: object,
    mutation: object,
    data: st.DataObject,
) -> None:
    strategy = Novelty(
        population=population,
        behaviour=data.draw(st.sampled_from([("a",), ("a", "b")])),
        nearest=data.draw(st.integers(1, 5)),
        archived=data.draw(st.integers(0, 4)),
        score_share=data.draw(st.sampled_from([0.0, 0.25, 1.0])),
        selection=selection,  # type: ignore[arg-type]
        mutation=mutation,  # type: ignore[arg-type]
        crossover=data.draw(crossovers(pair)),
    )
    compare(strategy, twin.NoveltyTwin(strategy).rank, pair, seed, generations)


def test_a_value_on_the_front_is_never_lost_while_the_front_fits() -> None:
    genotype = Direct(fill=0.4)
    strategy = NSGA2(population=40, objectives={"a": "max", "b": "max"})
    search = strategy.search(genotype.space(FRAME), lambda *key: genotype.start(FRAME, *key), 5, 30)
    everything: set[tuple[float, float]] = set()
    for _ in range(30):
        tiles = genotype.batch(search.ask(), FRAME).tiles
        a, b = (
            tiles[:, :3].sum(axis=(1, 2)).astype(float),
            -(tiles[:, 2:].sum(axis=(1, 2)).astype(float)),
        )
        search.tell(Evaluation(np.zeros(len(a)), {"a": a, "b": b}))
        everything |= set(zip(a.tolist(), b.tolist(), strict=True))
        best = {
            one
            for one in everything
            if not any(
                other != one and other[0] >= one[0] and other[1] >= one[1] for other in everything
            )
        }
        values = search.front()[1]
        front = list(zip(values["a"].tolist(), values["b"].tolist(), strict=True))
        assert len(front) == len(set(front)), "no vector of values occurs twice"
        assert set(front) == best
        assert all(one[0] > other[0] and one[1] < other[1] for one, other in pairwise(front)), (
            "best first by the first objective"
        )
    assert len(best) > 5


def test_infeasible_individuals_are_not_on_the_front() -> None:
    genotype = Direct(fill=0.4)
    search = NSGA2(population=8).search(
        genotype.space(FRAME), lambda *key: genotype.start(FRAME, *key), 1, 9
    )
    count = len(search.ask())
    feasible = np.arange(count) == 3
    search.tell(
        Evaluation(np.arange(count, dtype=float), {"walls": np.zeros(count), "feasible": feasible})
    )
    genes, values = search.front()
    assert values["score"].tolist() == [3.0]
    assert genes.tolist() == search.genes[:1].tolist(), (
        "a feasible individual dominates all infeasible ones"
    )


def test_novelty_spreads_further_than_the_same_search_without_it() -> None:
    genotype = Direct(fill=0.4)

    def spread(share: float) -> int:
        """The number of different behaviours found, with a score that is highest without any
        wall.
        """
        strategy = Novelty(population=30, behaviour=("top", "bottom"), nearest=5, score_share=share)
        search = strategy.search(
            genotype.space(FRAME), lambda *key: genotype.start(FRAME, *key), 2, 40
        )
        found: set[tuple[int, int]] = set()
        for _ in range(40):
            tiles = genotype.batch(search.ask(), FRAME).tiles
            top, bottom = tiles[:, :3].sum(axis=(1, 2)), tiles[:, 3:].sum(axis=(1, 2))
            search.tell(Evaluation(-(top + bottom).astype(float), {"top": top, "bottom": bottom}))
            found |= set(zip(top.tolist(), bottom.tolist(), strict=True))
        return len(found)

    assert spread(0.0) > 1.5 * spread(1.0)


@pytest.mark.parametrize(
    ("features", "message"),
    [
        ({}, "expected 'walls' in every evaluation"),
        (
            {"walls": np.array([1.0, np.nan, 3.0, 4.0])},
            "expected finite numbers for 'walls', got nan for individual 1",
        ),
    ],
)
def test_an_evaluation_must_have_the_features_of_the_strategy(
    features: dict[str, np.ndarray], message: str
) -> None:
    genotype = Direct(fill=0.4)
    search = NSGA2(population=4).search(
        genotype.space(FRAME), lambda *key: genotype.start(FRAME, *key), 1, 9
    )
    search.ask()
    with pytest.raises(InputError, match=message):
        search.tell(Evaluation(np.zeros(4), features))
