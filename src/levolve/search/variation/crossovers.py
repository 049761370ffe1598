"""Chunk crossover: the parents exchange every other chunk of the level, in a chessboard pattern.

One-point and two-point crossover: the parents exchange one segment of genes. No gene is lost.

Uniform crossover and uniform mutation: each gene is selected independently.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import numpy as np
from annotated_types import Ge, Interval

from levolve.core.errors import InputError
from levolve.core.settings import setting
from levolve.kernels.bits.random_streams import CROSS, MUTATE, threshold_of
from levolve.kernels.variation.masks import coin_masks, gap_table, rare_masks, segment_masks, spare
from levolve.search.genotypes.gene_space import Genes, GeneSpace, Masks
from levolve.search.variation.operators import Crossover, Mutation


@lru_cache(maxsize=1024)
def _board(space: GeneSpace, width: int, height: int, pairs: int) -> Masks:
    if space.grid is None:
        raise InputError(
            "crossover: 'chunk' needs a genotype with one gene per cell, such as direct or dungeon"
        )
    rows, columns = space.grid
    y, x = np.mgrid[0:rows, 0:columns]
    chunks = space.words_of(np.flatnonzero((x // width + y // height) % 2 == 0)) & space.free
    masks = np.tile(chunks, (pairs, 1))
    masks.setflags(write=False)
    return masks


@dataclass(frozen=True)
class ChunkCrossover(Crossover):
    """Exchange the cells where (x div `width`) + (y div `height`) is even, so the first chunk
    too.
    """

    width: Annotated[int, Ge(1)] = setting(5, "The width of a chunk in cells.")
    height: Annotated[int, Ge(1)] = setting(5, "The height of a chunk in cells.")

    def masks(self, space: GeneSpace, pairs: int, seed: int, generation: int) -> Masks:
        """Return the same chunks for every pair."""
        return _board(space, self.width, self.height, pairs)


def _segments(
    space: GeneSpace, pairs: int, cuts: int, rate: float, seed: int, generation: int
) -> Masks:
    masks = space.empty_masks(pairs)
    segment_masks(
        np.uint64(seed), CROSS, generation, cuts, space.word_of, space.bit_of, space.free, masks
    )
    if rate < 1:
        spare(np.uint64(seed), CROSS, generation, threshold_of(rate), masks)
    return masks


@dataclass(frozen=True)
class OnePointCrossover(Crossover):
    """A share `rate` of the pairs exchange all genes from a random position to the end."""

    rate: Annotated[float, Interval(ge=0, le=1)] = setting(
        1.0, "The share of pairs that exchange genes."
    )

    def masks(self, space: GeneSpace, pairs: int, seed: int, generation: int) -> Masks:
        """Draw one cut per pair."""
        return _segments(space, pairs, 1, self.rate, seed, generation)


@dataclass(frozen=True)
class TwoPointCrossover(Crossover):
    """A share `rate` of the pairs exchange the genes between two random positions."""

    rate: Annotated[float, Interval(ge=0, le=1)] = setting(
        1.0, "The share of pairs that exchange genes."
    )

    def masks(self, space: GeneSpace, pairs: int, seed: int, generation: int) -> Masks:
        """Draw two cuts per pair."""
        return _segments(space, pairs, 2, self.rate, seed, generation)


Share = Annotated[float, Interval(ge=0, le=1)]


# Below this, drawing the gaps between ones is faster than drawing every gene.
RARE = 0.1


def _coins(
    space: GeneSpace, count: int, rate: float, purpose: int, seed: int, generation: int
) -> Masks:
    masks = space.empty_masks(count)
    if rate < RARE:
        rare_masks(
            np.uint64(seed),
            purpose,
            generation,
            *gap_table(rate),
            space.free_word,
            space.free_bit,
            masks,
        )
    else:
        coin_masks(
            np.uint64(seed),
            purpose,
            generation,
            threshold_of(rate),
            space.columns,
            space.free,
            masks,
        )
    return masks


@dataclass(frozen=True)
class UniformCrossover(Crossover):
    """A share `rate` of the pairs exchange genes, each gene with probability `exchange` (Pc)."""

    exchange: Share = setting(0.5, "The probability that a gene is exchanged (Pc).")
    rate: Share = setting(1.0, "The share of pairs that exchange genes.")

    def masks(self, space: GeneSpace, pairs: int, seed: int, generation: int) -> Masks:
        """Draw every gene of every pair."""
        masks = _coins(space, pairs, self.exchange, CROSS, seed, generation)
        if self.rate < 1:
            spare(np.uint64(seed), CROSS, generation, threshold_of(self.rate), masks)
        return masks


@dataclass(frozen=True)
class UniformMutation(Mutation):
    """Every gene changes with probability `rate` (Pm)."""

    rate: Share = setting(0.01, "The probability that a gene changes (Pm).")

    def apply(self, space: GeneSpace, genes: Genes, seed: int, generation: int) -> None:
        """Draw every gene of every individual."""
        space.mutate(
            genes, _coins(space, len(genes), self.rate, MUTATE, seed, generation), seed, generation
        )
