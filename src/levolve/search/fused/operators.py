"""The operators that have a kernel for packed genes, by the names of their classes. A new one is
one function and one line here.

Kernels that are called by address, with their settings: parts of a score, which are compiled when a
search first needs them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from levolve.kernels.bits.random_streams import threshold_of
from levolve.kernels.fused import crossovers, mutations
from levolve.kernels.fused.address_calls import ROWS, SCORES, STEPS, address_of
from levolve.kernels.fused.crossovers import Layout
from levolve.kernels.variation.masks import gap_table
from levolve.search.selection import Proportional, Tournament, TruncationSelection
from levolve.search.variation.crossovers import (
    RARE,
    ChunkCrossover,
    OnePointCrossover,
    TwoPointCrossover,
    UniformCrossover,
    UniformMutation,
)
from levolve.search.variation.mutations import (
    FillMutation,
    MutationMixture,
    PatchMutation,
    PointMutation,
)

if TYPE_CHECKING:
    from levolve.kernels.fused.address_calls import Address

EVEN = 0.5

if TYPE_CHECKING:
    from levolve.search.genotypes.gene_space import BitGenes

    # A kernel, and its settings.
    Fused = tuple[Callable[..., Any], tuple[Any, ...]]


@lru_cache(maxsize=16)
def layout_of(space: BitGenes) -> Layout:
    """Return the layout of packed genes as kernels take it: for the same genes the same tuple,
    which `kernels.compiler` recognises.
    """
    return Layout(
        space.columns,
        space.free,
        space.free_genes,
        space.free_word,
        space.free_bit,
        space.word_of,
        space.bit_of,
    )


def fused_operator(part: object, space: BitGenes) -> Fused | None:
    """Return the kernel of a selection, of a crossover, or of the mutation of one individual, and
    its settings; None if there is none.
    """
    fuse = OPERATORS.get(type(part))
    return None if fuse is None else fuse(part, space)


def fused_mutation(part: object, space: BitGenes) -> Fused | None:
    """Return the kernel of a mutation of a part of a generation, and its settings; None if there is
    none.
    """
    if isinstance(part, MutationMixture):
        members = [fused_operator(member, space) for member in part.mutations]
        known = [member for member in members if member is not None]
        return (
            (
                mutations.mixed(tuple(kernel for kernel, _ in known)),
                tuple(plan for _, plan in known),
            )
            if len(known) == len(members)
            else None
        )
    found = fused_operator(part, space)
    return None if found is None else (mutations.one_by_one(found[0]), found[1])


def _tournament(part: Tournament, space: BitGenes) -> Fused:
    return crossovers.select_by_tournament, (part.size,)


def _proportional(part: Proportional, space: BitGenes) -> Fused:
    return crossovers.select_in_proportion, (0,)


def _truncation(part: TruncationSelection, space: BitGenes) -> Fused:
    return crossovers.select_from_the_best, (float(part.share),)


def _uniform_crossover(part: UniformCrossover, space: BitGenes) -> Fused:
    spared = part.rate < 1, threshold_of(part.rate)
    if part.exchange < RARE:
        return crossovers.exchange_rare, (*spared, *gap_table(part.exchange))
    if part.exchange == EVEN:
        return crossovers.exchange_halves, spared
    return crossovers.exchange_coins, (*spared, threshold_of(part.exchange))


def _one_point(part: OnePointCrossover, space: BitGenes) -> Fused:
    return crossovers.exchange_segment, (part.rate < 1, threshold_of(part.rate), 1)


def _two_point(part: TwoPointCrossover, space: BitGenes) -> Fused:
    return crossovers.exchange_segment, (part.rate < 1, threshold_of(part.rate), 2)


def _chunk(part: ChunkCrossover, space: BitGenes) -> Fused:
    return crossovers.exchange_fixed, (part.masks(space, 1, 0, 0)[0].copy(),)


def _uniform_mutation(part: UniformMutation, space: BitGenes) -> Fused:
    if part.rate < RARE:
        return mutations.mutate_rare, gap_table(part.rate)
    return mutations.mutate_coins, (threshold_of(part.rate),)


def _point(part: PointMutation, space: BitGenes) -> Fused:
    points = min(part.points, len(space.free_genes))
    return mutations.mutate_point if points == 1 else mutations.mutate_points, (points,)


def _patch(part: PatchMutation, space: BitGenes) -> Fused:
    rows, columns = space.grid or (1, space.length)
    return mutations.mutate_patch, (
        threshold_of(part.rate),
        rows,
        columns,
        min(part.height, rows),
        min(part.width, columns),
    )


def _fill(part: FillMutation, space: BitGenes) -> Fused:
    rows, columns = space.grid or (1, space.length)
    return mutations.mutate_fill, (rows, columns, min(part.height, rows), min(part.width, columns))


OPERATORS: dict[type, Callable[[Any, BitGenes], Fused]] = {
    Tournament: _tournament,
    Proportional: _proportional,
    TruncationSelection: _truncation,
    UniformCrossover: _uniform_crossover,
    OnePointCrossover: _one_point,
    TwoPointCrossover: _two_point,
    ChunkCrossover: _chunk,
    UniformMutation: _uniform_mutation,
    PointMutation: _point,
    PatchMutation: _patch,
    FillMutation: _fill,
}


# What kernels take besides their settings.
SCORE, VALUE, GRADE, WALK, EXPRESSION = (
    (ROWS, SCORES),
    (ROWS, STEPS, SCORES),
    (ROWS, STEPS, STEPS, SCORES),
    (ROWS, STEPS, STEPS),
    (ROWS, ROWS),
)


@dataclass(frozen=True, eq=False)
class Call:
    """A kernel, its settings, and arguments of the types of its other arguments. Settings may
    contain calls.
    """

    kernel: Callable[..., Any]
    settings: tuple[Any, ...]
    arguments: tuple[Any, ...]

    def bound(self) -> tuple[Address, tuple[Any, ...]]:
        """Return the address of the kernel, and its settings with addresses in place of calls.
        Compiles what is not compiled yet.
        """
        settings = self.bound_settings()
        return address_of(self.kernel, settings, *self.arguments), settings

    def bound_settings(self) -> tuple[Any, ...]:
        """Return the settings with addresses in place of calls."""
        return tuple(_bound(setting) for setting in self.settings)


@dataclass(frozen=True, eq=False)
class PlainCall:
    """A kernel without settings, and arguments of the types of its arguments."""

    kernel: Callable[..., Any]
    arguments: tuple[Any, ...]


def _bound(setting: object) -> object:
    if isinstance(setting, Call):
        return setting.bound()
    if isinstance(setting, PlainCall):
        return address_of(setting.kernel, *setting.arguments)
    return tuple(_bound(part) for part in setting) if type(setting) is tuple else setting
