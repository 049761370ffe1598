"""Uniform crossover and uniform mutation: each gene is selected independently."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Interval

from levolve.evolution.variation.operators import Crossover, Mutation
from levolve.genotypes.genes import Genes, GeneSpace, Masks
from levolve.kernels.masks import coin_masks, gap_table, rare_masks, spare
from levolve.kernels.streams import CROSS, MUTATE, threshold_of
from levolve.settings import setting

Share = Annotated[float, Interval(ge=0, le=1)]


# Below this, drawing the gaps between ones is faster than drawing every gene.
RARE = 0.1


def _coins(space: GeneSpace, count: int, rate: float, purpose: int, seed: int, generation: int) -> Masks:  # noqa: PLR0913, PLR0917 the key of a stream, and its parameters
    masks = space.empty_masks(count)
    if rate < RARE:
        rare_masks(np.uint64(seed), purpose, generation, *gap_table(rate), space.free_word, space.free_bit, masks)
    else:
        coin_masks(np.uint64(seed), purpose, generation, threshold_of(rate), space.columns, space.free, masks)
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
        space.mutate(genes, _coins(space, len(genes), self.rate, MUTATE, seed, generation), seed, generation)
