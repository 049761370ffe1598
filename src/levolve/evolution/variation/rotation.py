"""Double rotation."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Interval

from levolve.evolution.variation.operators import Mutation
from levolve.genotypes.genes import Genes, GeneSpace
from levolve.kernels.masks import spare
from levolve.kernels.streams import MUTATE, threshold_of
from levolve.settings import setting


@dataclass(frozen=True)
class DoubleRotation(Mutation):
    """A share `rate` of the individuals is cut at a random gene and the two parts are swapped, twice.

    No gene is lost, except that genes that are not free keep their positions, and values rotated onto these positions are lost.
    """

    rate: Annotated[float, Interval(ge=0, le=1)] = setting(0.05, "The share of individuals that are rotated.")

    def apply(self, space: GeneSpace, genes: Genes, seed: int, generation: int) -> None:
        """Rotate the selected individuals."""
        chosen = np.ones((len(genes), 1), np.uint64)
        spare(np.uint64(seed), MUTATE, generation, threshold_of(self.rate), chosen)
        np.copyto(genes, space.rotate(genes, MUTATE, seed, generation), where=chosen == 1)
