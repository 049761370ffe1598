"""MAP-Elites on plain lists and dictionaries: one individual at a time, as the docstrings say
it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import isnan

from levolve.kernels.bits.random_streams import SELECT
from levolve.search.strategies.map_elites import MapElites
from oracles.operators import Genome, crossed, mutated
from oracles.selection import proportional
from oracles.strategies import World
from oracles.streams import draw_below, open_stream

Point = Sequence[float]


def cell_of(
    point: Point, low: Point, high: Point, sizes: Sequence[int], *, nearest: bool
) -> tuple[int, ...] | None:
    """The place on each axis, by exact fractions; None outside."""
    places = []
    for given, first, last, size in zip(point, low, high, sizes, strict=True):
        if isnan(given):
            return None
        value = min(max(given, first), last) if nearest else given
        if not first <= value <= last:
            return None
        share = (
            (Fraction(value) - Fraction(first)) / (Fraction(last) - Fraction(first))
            if last > first
            else Fraction(0)
        )
        places.append(min(int(share * size), size - 1))
    return tuple(places)


@dataclass
class Elite:
    """An elite with its success as a parent."""

    genes: Genome
    score: float
    curiosity: float = 1.0


@dataclass
class Archive:
    """Elites by cell; a dictionary keeps the order in which cells were first filled."""

    elites: dict[object, Elite] = field(default_factory=dict)

    def add(self, genes: Genome, score: float, cell: object) -> bool:
        """Whether the individual entered its cell. A cell that is taken over keeps the success of
        its former elite.
        """
        if cell is None or (cell in self.elites and score <= self.elites[cell].score):
            return False
        if cell in self.elites:
            self.elites[cell].genes, self.elites[cell].score = genes, score
        else:
            self.elites[cell] = Elite(genes, score)
        return True

    def offspring(
        self, strategy: MapElites, world: World, count: int, key: int
    ) -> list[tuple[Genome, Elite]]:
        """Children that equal no parent, each with its first parent. Their random numbers are those
        of generation `key`.
        """
        elites = list(self.elites.values())
        weights = [elite.curiosity for elite in elites]
        parents = []
        for place in range(count + count % 2):
            stream = open_stream(world.seed, SELECT, key, place)
            parents.append(
                elites[
                    draw_below(stream, 0, len(elites))
                    if strategy.parents == "uniform"
                    else proportional(stream, weights)
                ]
            )
        children = crossed(
            strategy.crossover, world.space, [parent.genes for parent in parents], world.seed, key
        )[:count]
        children = mutated(strategy.mutation, world.space, children, world.seed, key)
        return [
            (child, parents[i])
            for i, child in enumerate(children)
            if child not in (parents[i].genes, parents[i ^ 1].genes)
        ]


class Illumination:
    """A search: `ask`, then `tell` with the cells of the first individuals, None for those outside,
    and whether each is feasible.
    """

    def __init__(self, strategy: MapElites, world: World) -> None:
        """Begin with nothing."""
        self.strategy, self.world = strategy, world
        self.archive, self.infeasible = Archive(), Archive()
        self.generation = 0
        self._asked: list[tuple[Genome, Archive | None, Elite | None]] = []

    def ask(self) -> list[Genome]:
        """Fresh individuals while there are no elites, then children of both archives."""
        count = self.strategy.population
        if not self.archive.elites and not self.infeasible.elites:
            self._asked = [
                (genes, None, None) for genes in self.world.start(self.generation, count)
            ]
        else:
            others = round(count * self.strategy.infeasible_share) if self.infeasible.elites else 0
            if not self.archive.elites:
                others = count
            self._asked = []
            for archive, number, key in (
                (self.archive, count - others, self.generation),
                (self.infeasible, others, self.generation + (1 << 61)),
            ):
                if number:
                    self._asked += [
                        (child, archive, parent)
                        for child, parent in archive.offspring(
                            self.strategy, self.world, number, key
                        )
                    ]
        return [genes for genes, _, _ in self._asked]

    def tell(
        self,
        scores: Sequence[float],
        cells: Sequence[object],
        nearest: Sequence[object],
        feasible: Sequence[bool],
    ) -> None:
        """Each individual enters its archive; afterwards its parent is judged by whether it did, in
        the archive of the parent.
        """
        stored = []
        for (genes, archive, _), score, cell, near, fits in zip(
            self._asked, scores, cells, nearest, feasible, strict=False
        ):
            entered = {
                id(self.archive): fits and self.archive.add(genes, score, cell),
                id(self.infeasible): False,
            }
            if self.strategy.infeasible_share and not fits:
                entered[id(self.infeasible)] = self.infeasible.add(genes, score, near)
            stored.append(entered[id(archive)] if archive is not None else False)
        for (_, _, parent), success in zip(self._asked, stored, strict=False):
            if parent is not None:
                parent.curiosity = max(parent.curiosity + (3.0 if success else -1.0), 0.02)
        self.generation += 1
