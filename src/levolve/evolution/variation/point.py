"""Point mutation."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Interval

from levolve.evolution.variation.operators import Mutation
from levolve.genotypes.genes import Genes, GeneSpace
from levolve.kernels.masks import point_masks
from levolve.kernels.streams import MUTATE


@dataclass(frozen=True)
class PointMutation(Mutation):
    """Exactly `points` genes of every individual change (all of them, where there are no more)."""

    points: Annotated[int, Interval(ge=1, le=1 << 30)] = 1

    def apply(self, space: GeneSpace, genes: Genes, seed: int, generation: int) -> None:
        """Draw the genes of each individual, none twice."""
        masks = space.empty_masks(len(genes))
        points = min(self.points, len(space.free_genes))
        point_masks(np.uint64(seed), MUTATE, generation, points, space.free_genes, space.word_of, space.bit_of, masks)
        space.mutate(genes, masks, seed, generation)
