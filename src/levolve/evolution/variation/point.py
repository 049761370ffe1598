"""Point mutation."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Interval

from levolve.evolution.variation.operators import Mutation
from levolve.genotypes.genes import Genes, GeneSpace
from levolve.kernels.masks import point_masks
from levolve.kernels.streams import MUTATE
from levolve.settings import setting


@dataclass(frozen=True)
class PointMutation(Mutation):
    """Exactly `points` genes of every individual change, or all of them if there are fewer."""

    points: Annotated[int, Interval(ge=1, le=1 << 30)] = setting(1, "How many genes change.")

    def apply(self, space: GeneSpace, genes: Genes, seed: int, generation: int) -> None:
        """Draw the genes of each individual without repetition."""
        masks = space.empty_masks(len(genes))
        points = min(self.points, len(space.free_genes))
        point_masks(np.uint64(seed), MUTATE, generation, points, space.free_genes, space.word_of, space.bit_of, masks)
        space.mutate(genes, masks, seed, generation)
