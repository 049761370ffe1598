"""What the tests of strategies and operators draw: gene spaces beside their twins, parts with any
settings, scores of all kinds.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from levolve.search.genotypes.gene_space import BitGenes, Genes, GeneSpace, NumberGenes
from levolve.search.selection import Proportional, Selection, Tournament, TruncationSelection
from levolve.search.variation.crossovers import (
    ChunkCrossover,
    OnePointCrossover,
    TwoPointCrossover,
    UniformCrossover,
    UniformMutation,
)
from levolve.search.variation.mutations import (
    DoubleRotation,
    FillMutation,
    MutationMixture,
    MutationSequence,
    PatchMutation,
    PointMutation,
)
from levolve.search.variation.operators import Crossover, Mutation
from oracles.masks import Layout
from oracles.operators import Genome, Space

seeds = st.integers(0, 2**64 - 1)
rates = st.sampled_from([0.0, 0.02, 0.3, 0.5, 1.0])


@dataclass(frozen=True)
class Pair:
    """A gene space and its twin."""

    real: GeneSpace
    twin: Space
    kind: np.dtype[Any]

    def genomes(self, genes: Genes) -> list[Genome]:
        """Genes as the twins take them."""
        if not self.twin.are_bits:
            listed: list[Genome] = genes.tolist()
            return listed
        layout = self.twin.layout
        return [
            [words[layout.word(g)] >> layout.bit(g) & 1 for g in range(layout.length)]
            for words in genes.tolist()
        ]

    def genes(self, genomes: list[Genome]) -> Genes:
        """Genes as the strategies take them."""
        layout = self.twin.layout
        rows = (
            [layout.words([g for g in range(layout.length) if bits[g]]) for bits in genomes]
            if self.twin.are_bits
            else genomes
        )
        width = self.real.words if self.twin.are_bits else layout.length
        return np.array(rows, self.kind).reshape(len(rows), width)

    def start(self, seed: int, generation: int, count: int) -> Genes:
        """Fresh individuals, of which some are alike: many genes are 0, and every fourth is like
        the one before.
        """
        random = np.random.default_rng((seed, generation))
        bounds = np.array(self.twin.bounds)
        genomes = random.integers(0, bounds, (count, len(bounds))) * random.integers(
            0, 2, (count, 1)
        )
        genomes[3::4] = genomes[2::4][: len(genomes[3::4])]
        return self.genes(genomes.tolist())


@st.composite
def spaces(draw: st.DrawFn, *, with_grid: bool = False) -> Pair:
    """Genes of a bit or of a number, of which all or some are free; a grid covers all of them or
    leaves the last ones out.
    """
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    rows, columns = draw(st.integers(2, 5)), draw(st.integers(1, 7) | st.sampled_from([33, 64, 66]))
    length = rows * columns
    share = draw(st.sampled_from([0.0, 0.5, 1.0, 1.0, 1.0]))
    free = random.random(length) < share
    grid = (rows - draw(st.integers(0, 1)), columns) if with_grid or draw(st.booleans()) else None
    chosen = frozenset(np.flatnonzero(free).tolist())
    if draw(st.booleans()):
        twin = Space(Layout(rows, columns, chosen), [2] * length, grid, are_bits=True)
        return Pair(BitGenes([columns] * rows, free, grid), twin, np.dtype(np.uint64))
    bounds = random.integers(1, 7, length)
    twin = Space(Layout(1, length, chosen), bounds.tolist(), grid, are_bits=False)
    return Pair(
        NumberGenes(bounds, free, grid),
        twin,
        draw(st.sampled_from([np.dtype(np.uint8), np.dtype(np.uint16)])),
    )


every_selection: dict[str, st.SearchStrategy[Selection]] = {
    "tournament": st.builds(Tournament, st.integers(1, 5)),
    "proportional": st.builds(Proportional),
    "truncation": st.builds(
        TruncationSelection, st.sampled_from([0.01, 0.25, 0.5, 1.0]) | st.floats(0.01, 1)
    ),
}
selections = st.one_of(*every_selection.values())

every_crossover: dict[str, st.SearchStrategy[Crossover]] = {
    "uniform": st.builds(UniformCrossover, rates, rates),
    "one_point": st.builds(OnePointCrossover, rates),
    "two_point": st.builds(TwoPointCrossover, rates),
    "chunk": st.builds(ChunkCrossover, st.integers(1, 4), st.integers(1, 4)),
}


def crossovers(pair: Pair) -> st.SearchStrategy[Crossover]:
    """Any crossover that the space allows: chunks need cells."""
    return st.one_of(
        *(
            crossover
            for kind, crossover in every_crossover.items()
            if kind != "chunk" or pair.twin.grid is not None
        )
    )


every_mutation: dict[str, st.SearchStrategy[Mutation]] = {
    "uniform": st.builds(UniformMutation, rates),
    "point": st.builds(PointMutation, st.integers(1, 5)),
    "patch": st.builds(PatchMutation, st.integers(1, 4), st.integers(1, 4), rates),
    "fill": st.builds(FillMutation, st.integers(1, 4), st.integers(1, 4)),
    "double_rotation": st.builds(DoubleRotation, rates),
}
_members = st.one_of(*every_mutation.values())
_several = st.lists(
    _members | st.builds(MutationSequence, st.tuples(_members, _members)), min_size=1, max_size=3
)
every_mutation["mixture"] = st.builds(MutationMixture, _several.map(tuple))
every_mutation["sequence"] = st.builds(MutationSequence, _several.map(tuple))
mutations = st.one_of(*every_mutation.values())

SCORES = ("any", "positive", "ties", "equal", "zero", "at most 0", "often -1", "all -1")
kinds_of_scores = st.sampled_from(SCORES)


def some_scores(kind: str, seed: int, count: int) -> list[float]:
    """Scores of one kind; half of those "often -1" are -1, the others are above 0."""
    random = np.random.default_rng(seed)
    listed: list[float] = {
        "any": random.uniform(-100, 100, count),
        "positive": random.uniform(20, 50, count),
        "ties": random.integers(-2, 3, count).astype(float),
        "equal": np.full(count, 7.0),
        "zero": np.zeros(count),
        "at most 0": random.integers(-3, 1, count).astype(float),
        "often -1": np.where(random.random(count) < 0.5, -1.0, random.integers(1, 9, count)),
        "all -1": np.full(count, -1.0),
    }[kind].tolist()
    return listed
