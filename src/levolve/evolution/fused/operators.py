"""The operators that have a kernel for packed genes, by the names of their classes. A new one is one function and one line here."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from levolve.evolution.selection.tournament import Tournament
from levolve.evolution.variation.chunk import ChunkCrossover
from levolve.evolution.variation.patch import PatchMutation
from levolve.evolution.variation.point import PointMutation
from levolve.evolution.variation.segment import OnePointCrossover, TwoPointCrossover
from levolve.evolution.variation.uniform import RARE, UniformCrossover, UniformMutation
from levolve.kernels.fused import operators
from levolve.kernels.fused.operators import Layout
from levolve.kernels.masks import gap_table
from levolve.kernels.streams import threshold_of

EVEN = 0.5

if TYPE_CHECKING:
    from levolve.genotypes.genes import BitGenes

    # A kernel, and its settings.
    Fused = tuple[Callable[..., Any], tuple[Any, ...]]


def layout_of(space: BitGenes) -> Layout:
    """Return the layout of packed genes as kernels take it."""
    return Layout(space.columns, space.free, space.free_genes, space.free_word, space.free_bit, space.word_of, space.bit_of)


def fused_operator(part: object, space: BitGenes) -> Fused | None:
    """Return the kernel of a selection, a crossover or a mutation, and its settings; None if there is none."""
    fuse = OPERATORS.get(type(part))
    return None if fuse is None else fuse(part, space)


def _tournament(part: Tournament, space: BitGenes) -> Fused:  # noqa: ARG001 does not depend on the genes
    return operators.select_by_tournament, (part.size,)


def _uniform_crossover(part: UniformCrossover, space: BitGenes) -> Fused:  # noqa: ARG001 the same
    spared = part.rate < 1, threshold_of(part.rate)
    if part.exchange < RARE:
        return operators.exchange_rare, (*spared, *gap_table(part.exchange))
    if part.exchange == EVEN:
        return operators.exchange_halves, spared
    return operators.exchange_coins, (*spared, threshold_of(part.exchange))


def _one_point(part: OnePointCrossover, space: BitGenes) -> Fused:  # noqa: ARG001 the same
    return operators.exchange_segment, (part.rate < 1, threshold_of(part.rate), 1)


def _two_point(part: TwoPointCrossover, space: BitGenes) -> Fused:  # noqa: ARG001 the same
    return operators.exchange_segment, (part.rate < 1, threshold_of(part.rate), 2)


def _chunk(part: ChunkCrossover, space: BitGenes) -> Fused:
    return operators.exchange_fixed, (part.masks(space, 1, 0, 0)[0].copy(),)


def _uniform_mutation(part: UniformMutation, space: BitGenes) -> Fused:  # noqa: ARG001 the same
    if part.rate < RARE:
        return operators.mutate_rare, gap_table(part.rate)
    return operators.mutate_coins, (threshold_of(part.rate),)


def _point(part: PointMutation, space: BitGenes) -> Fused:
    points = min(part.points, len(space.free_genes))
    return operators.mutate_point if points == 1 else operators.mutate_points, (points,)


def _patch(part: PatchMutation, space: BitGenes) -> Fused:
    rows, columns = space.grid or (1, space.length)
    return operators.mutate_patch, (threshold_of(part.rate), rows, columns, min(part.height, rows), min(part.width, columns))


OPERATORS: dict[type, Callable[[Any, BitGenes], Fused]] = {
    Tournament: _tournament,
    UniformCrossover: _uniform_crossover,
    OnePointCrossover: _one_point,
    TwoPointCrossover: _two_point,
    ChunkCrossover: _chunk,
    UniformMutation: _uniform_mutation,
    PointMutation: _point,
    PatchMutation: _patch,
}
