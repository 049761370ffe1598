"""Strategies in which parents and children compete, as their docstrings say them, with plain lists
of individuals.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from levolve.search.strategies.novelty import Novelty
from levolve.search.strategies.nsga2 import NSGA2
from levolve.search.strategies.plus import PlusStrategy
from oracles import fronts
from oracles.operators import Genome, crossed, mutated
from oracles.selections import chosen
from oracles.strategies import Individual, World, couples, scored


class Featured(NamedTuple):
    """Genes with their score and features."""

    genes: Genome
    score: float
    features: dict[str, float]


Crowd = list[Featured]
Rank = Callable[[Crowd, int], Crowd]


def children_of(
    strategy: PlusStrategy, world: World, generation: int, population: Crowd
) -> list[Genome]:
    """The children to evaluate: as many as the population should have, without those that equal a
    parent.
    """
    places = chosen(
        strategy.selection,
        [-float(place) for place in range(len(population))],
        strategy.population + 1,
        world.seed,
        generation,
    )
    places = places[: strategy.population + strategy.population % 2]
    parents = [Individual(population[place].genes, 0.0) for place in places]
    children = crossed(
        strategy.crossover,
        world.space,
        [parent.genes for parent in parents],
        world.seed,
        generation,
    )[: strategy.population]
    children = mutated(strategy.mutation, world.space, children, world.seed, generation)
    new: list[Genome] = []

    def listed(genomes: list[Genome]) -> list[float]:
        new.extend(genomes)
        return [0.0] * len(genomes)

    scored(children, couples(parents)[: strategy.population], listed)
    return new


def nsga2(strategy: NSGA2, crowd: Crowd, _: int) -> Crowd:
    """By the rank of the front, then by the room in it. Sorting keeps the order of equals."""
    values = [[_value(strategy, one, name) for name in strategy.objectives] for one in crowd]
    ranks = fronts.front_ranks(values, [1.0 - one.features["feasible"] for one in crowd])
    room = fronts.crowding_distances(values, ranks)
    return [
        crowd[place]
        for place in sorted(range(len(crowd)), key=lambda place: (ranks[place], -room[place]))
    ]


def _value(strategy: NSGA2, one: Featured, name: str) -> float:
    value = one.score if name == "score" else one.features[name]
    return value if strategy.objectives[name] == "max" else -value


class NoveltyTwin:
    """Ranks by novelty, and remembers the archive and all values so far."""

    def __init__(self, strategy: Novelty) -> None:
        self.strategy = strategy
        self.archive: list[list[float]] = []
        self.seen: list[list[float]] = []

    def rank(self, crowd: Crowd, new: int) -> Crowd:
        points = [[one.features[name] for name in self.strategy.behaviour] for one in crowd]
        late = [not one.features["feasible"] for one in crowd]
        # Only feasible individuals count for the ranges and enter the archive.
        self.seen += [point for point, behind in zip(points, late, strict=True) if not behind]
        widths = [max(values) - min(values) or 1.0 for values in zip(*self.seen, strict=True)]
        widths = widths or [1.0] * len(self.strategy.behaviour)
        everything = [
            [value / width for value, width in zip(point, widths, strict=True)]
            for point in points + self.archive
        ]
        novelty = fronts.sparseness(everything, self.strategy.nearest, len(points))
        ready = sorted(
            (place for place in range(new) if not late[place]), key=lambda place: -novelty[place]
        )
        self.archive += [points[place] for place in ready[: self.strategy.archived]]
        share = self.strategy.score_share
        merit = novelty
        if share:
            pairs = zip(scaled(novelty), scaled([one.score for one in crowd]), strict=True)
            merit = [(1 - share) * new_ness + share * score for new_ness, score in pairs]
        return [
            crowd[place]
            for place in sorted(range(len(crowd)), key=lambda place: (late[place], -merit[place]))
        ]


def scaled(numbers: Sequence[float]) -> list[float]:
    """From 0 to 1."""
    low, high = min(numbers), max(numbers)
    return [(number - low) / (high - low or 1.0) for number in numbers]
