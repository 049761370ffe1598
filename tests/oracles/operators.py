"""Crossovers and mutations as their docstrings say them, on plain lists of genes, one individual at
a time.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from levolve.kernels.bits.random_streams import CROSS, MEMBER, MUTATE, REPLACE
from levolve.kernels.variation.masks import gap_table
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
from oracles import variation
from oracles.masks import (
    Layout,
    coin_mask,
    is_kept,
    patch_mask,
    point_mask,
    rare_mask,
    rectangle_mask,
    segment_mask,
)
from oracles.streams import WORD, Stream, draw, draw_below, open_stream

Genome = list[int]


@dataclass(frozen=True)
class Space:
    """Genes laid out in words, `bounds[g]` values of each gene; the first of them are the cells of
    a grid of (height, width), if there is one.
    """

    layout: Layout
    bounds: Sequence[int]
    grid: tuple[int, int] | None
    are_bits: bool


def crossed(
    crossover: Crossover, space: Space, parents: Sequence[Genome], seed: int, generation: int
) -> list[Genome]:
    """Two children of each pair of neighbours: each has the genes of its own parent, and those
    exchanged from the other.
    """
    children = []
    for pair in range(len(parents) // 2):
        one, other = parents[2 * pair], parents[2 * pair + 1]
        genes = exchanged(crossover, space, open_stream(seed, CROSS, generation, pair))
        children += [variation.cross(one, other, genes), variation.cross(other, one, genes)]
    return children


def exchanged(crossover: Crossover, space: Space, stream: Stream) -> Collection[int]:
    """The genes that a pair exchanges."""
    if isinstance(crossover, ChunkCrossover):
        return chunks(crossover, space)
    assert isinstance(crossover, UniformCrossover | OnePointCrossover | TwoPointCrossover)
    if not is_kept(stream, threshold(crossover.rate)):
        return []
    if isinstance(crossover, UniformCrossover):
        return coins(stream, crossover.exchange, space)
    return segment_mask(stream, 1 if isinstance(crossover, OnePointCrossover) else 2, space.layout)


def chunks(crossover: ChunkCrossover, space: Space) -> list[int]:
    """Cells of the chunks that have the colour of the first one on a chessboard of chunks."""
    assert space.grid is not None
    height, width = space.grid
    cells = [
        (x, y)
        for y in range(height)
        for x in range(width)
        if (x // crossover.width % 2) == (y // crossover.height % 2)
    ]
    return [y * width + x for x, y in cells if y * width + x in space.layout.free]


def mutated(
    mutation: Mutation, space: Space, individuals: Sequence[Genome], seed: int, generation: int
) -> list[Genome]:
    """Every individual after its mutation; of a mixture, each share of them by a mutation of its
    own, as if there were no others.
    """
    if isinstance(mutation, MutationMixture):
        members = mutation.mutations
        mixed = list(individuals)
        for share in range(len(members)):
            position = (share + generation) % len(members)
            part = [genes for i, genes in enumerate(individuals) if i % len(members) == share]
            mixed[share :: len(members)] = mutated(
                members[position],
                space,
                part,
                draw(open_stream(seed, MEMBER, 0, position), 0),
                generation,
            )
        return mixed
    if isinstance(mutation, MutationSequence):
        for position, member in enumerate(mutation.mutations):
            individuals = mutated(
                member,
                space,
                individuals,
                draw(open_stream(seed, MEMBER, 0, position), 0),
                generation,
            )
        return list(individuals)
    return [
        mutant(mutation, space, genes, seed, generation, i) for i, genes in enumerate(individuals)
    ]


def mutant(
    mutation: Mutation, space: Space, genes: Genome, seed: int, generation: int, individual: int
) -> Genome:
    """One individual after its mutation."""
    stream = open_stream(seed, MUTATE, generation, individual)
    if isinstance(mutation, DoubleRotation):
        turned = (
            variation.rotate(stream, genes) if is_kept(stream, threshold(mutation.rate)) else genes
        )
        # A value beyond the bound of its new gene wraps around.
        bounds = (
            [max(space.bounds) + 1] * len(genes)
            if len(set(space.bounds)) == 1 or space.are_bits
            else space.bounds
        )
        return [
            turned[g] % bounds[g] if g in space.layout.free else genes[g] for g in range(len(genes))
        ]
    if isinstance(mutation, FillMutation):
        height, width = space.grid or (1, space.layout.length)
        filled = rectangle_mask(
            stream,
            (min(mutation.height, height), min(mutation.width, width)),
            Layout(height, width, space.layout.free),
        )
        value = draw_below(
            open_stream(seed, REPLACE, generation, individual),
            0,
            2 if space.are_bits else max(space.bounds),
        )
        return [value % space.bounds[g] if g in filled else genes[g] for g in range(len(genes))]
    changed = touched(mutation, space, stream)
    if space.are_bits:
        return variation.flip(genes, changed)
    return variation.replace_by_another(
        open_stream(seed, REPLACE, generation, individual), genes, space.bounds, changed
    )


def touched(mutation: Mutation, space: Space, stream: Stream) -> Collection[int]:
    """The genes of one individual that change."""
    if isinstance(mutation, UniformMutation):
        return coins(stream, mutation.rate, space)
    if isinstance(mutation, PointMutation):
        return point_mask(stream, min(mutation.points, len(space.layout.free)), space.layout)
    assert isinstance(mutation, PatchMutation)
    height, width = space.grid or (1, space.layout.length)
    cells = Layout(height, width, space.layout.free)
    return patch_mask(
        stream,
        threshold(mutation.rate),
        (min(mutation.height, height), min(mutation.width, width)),
        cells,
    )


def coins(stream: Stream, probability: float, space: Space) -> Collection[int]:
    """The free genes whose coin falls 1: drawn by gaps where ones are rare, gene by gene
    otherwise.
    """
    if probability < 0.1:
        cut, other = (column.tolist() for column in gap_table(probability))
        return rare_mask(stream, cut, other, space.layout)
    return coin_mask(stream, threshold(probability), space.layout)


def threshold(probability: float) -> int:
    """A probability in parts of 2**64; 1 is one part less."""
    return min(int(probability * WORD), WORD - 1)
