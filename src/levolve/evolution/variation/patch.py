"""Patch mutation."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Ge, Interval

from levolve.evolution.variation.operators import Mutation
from levolve.genotypes.genes import Genes, GeneSpace
from levolve.kernels.masks import patch_masks
from levolve.kernels.streams import MUTATE, threshold_of


@dataclass(frozen=True)
class PatchMutation(Mutation):
    """In one patch of `width` x `height` cells of every individual, lying anywhere, each cell's gene changes with probability `rate`.

    Cells that lie together change together, as when a corner is moved: no sequence of single changes, each as good as the last, leads there.
    Genes that are not cells are left alone; where no gene is a cell, all are taken as one row.
    """

    width: Annotated[int, Ge(1)] = 2
    height: Annotated[int, Ge(1)] = 2
    rate: Annotated[float, Interval(ge=0, le=1)] = 0.4

    def apply(self, space: GeneSpace, genes: Genes, seed: int, generation: int) -> None:
        """Draw the place of each individual's patch, and a coin for each of its cells."""
        rows, columns = space.grid or (1, space.length)
        masks = space.empty_masks(len(genes))
        height, width = min(self.height, rows), min(self.width, columns)
        threshold = threshold_of(self.rate)
        patch_masks(np.uint64(seed), MUTATE, generation, threshold, rows, columns, height, width, space.word_of, space.bit_of, space.free, masks)
        space.mutate(genes, masks, seed, generation)
