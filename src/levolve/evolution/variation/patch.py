"""Patch mutation."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Ge, Interval

from levolve.evolution.variation.operators import Mutation
from levolve.genotypes.genes import Genes, GeneSpace
from levolve.kernels.masks import patch_masks
from levolve.kernels.streams import MUTATE, threshold_of
from levolve.settings import setting


@dataclass(frozen=True)
class PatchMutation(Mutation):
    """In a random patch of `width` x `height` cells of every individual, each cell's gene changes with probability `rate`.

    Adjacent cells change together, for example to move a corner, which no sequence of improving single changes could do. Genes that are not cells do
    not change; if no gene is a cell, all genes are treated as one row.
    """

    width: Annotated[int, Ge(1)] = setting(2, "The width of a patch in cells.")
    height: Annotated[int, Ge(1)] = setting(2, "The height of a patch in cells.")
    rate: Annotated[float, Interval(ge=0, le=1)] = setting(0.4, "The probability that a gene in the patch changes.")

    def apply(self, space: GeneSpace, genes: Genes, seed: int, generation: int) -> None:
        """Draw the position of each individual's patch, and which of its cells change."""
        rows, columns = space.grid or (1, space.length)
        masks = space.empty_masks(len(genes))
        height, width = min(self.height, rows), min(self.width, columns)
        threshold = threshold_of(self.rate)
        patch_masks(np.uint64(seed), MUTATE, generation, threshold, rows, columns, height, width, space.word_of, space.bit_of, space.free, masks)
        space.mutate(genes, masks, seed, generation)
