"""One-point and two-point crossover: the parents exchange one segment of genes. No gene is lost."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Interval

from levolve.evolution.variation.operators import Crossover
from levolve.genotypes.genes import GeneSpace, Masks
from levolve.kernels.masks import segment_masks, spare
from levolve.kernels.streams import CROSS, threshold_of
from levolve.settings import setting


def _segments(space: GeneSpace, pairs: int, cuts: int, rate: float, seed: int, generation: int) -> Masks:  # noqa: PLR0913, PLR0917 the key of a stream, and its parameters
    masks = space.empty_masks(pairs)
    segment_masks(np.uint64(seed), CROSS, generation, cuts, space.word_of, space.bit_of, space.free, masks)
    if rate < 1:
        spare(np.uint64(seed), CROSS, generation, threshold_of(rate), masks)
    return masks


@dataclass(frozen=True)
class OnePointCrossover(Crossover):
    """A share `rate` of the pairs exchange all genes from a random position to the end."""

    rate: Annotated[float, Interval(ge=0, le=1)] = setting(1.0, "The share of pairs that exchange genes.")

    def masks(self, space: GeneSpace, pairs: int, seed: int, generation: int) -> Masks:
        """Draw one cut per pair."""
        return _segments(space, pairs, 1, self.rate, seed, generation)


@dataclass(frozen=True)
class TwoPointCrossover(Crossover):
    """A share `rate` of the pairs exchange the genes between two random positions."""

    rate: Annotated[float, Interval(ge=0, le=1)] = setting(1.0, "The share of pairs that exchange genes.")

    def masks(self, space: GeneSpace, pairs: int, seed: int, generation: int) -> Masks:
        """Draw two cuts per pair."""
        return _segments(space, pairs, 2, self.rate, seed, generation)
