"""Fill mutation."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Ge

from levolve.evolution.variation.operators import Mutation
from levolve.genotypes.genes import Genes, GeneSpace
from levolve.kernels.masks import rectangle_masks
from levolve.kernels.streams import MUTATE
from levolve.settings import setting


@dataclass(frozen=True)
class FillMutation(Mutation):
    """All cells of a random line or block of every individual get the same random value: walls are built, and areas are cleared.

    Single changes drive a level towards an even mixture of all values; this one also reaches levels that are nearly empty or nearly full. Genes that
    are not cells do not change; if no gene is a cell, all genes are treated as one row.
    """

    width: Annotated[int, Ge(1)] = setting(8, "The greatest width of a block in cells.")
    height: Annotated[int, Ge(1)] = setting(8, "The greatest height of a block in cells.")

    def apply(self, space: GeneSpace, genes: Genes, seed: int, generation: int) -> None:
        """Draw the rectangle of each individual and its value."""
        rows, columns = space.grid or (1, space.length)
        masks = space.empty_masks(len(genes))
        height, width = min(self.height, rows), min(self.width, columns)
        rectangle_masks(np.uint64(seed), MUTATE, generation, rows, columns, height, width, space.word_of, space.bit_of, space.free, masks)
        space.fill(genes, masks, seed, generation)
