"""Direct: one bit a cell, 1 is a wall. The cells of the entrance and the exit are always open."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import numpy as np
from annotated_types import Interval

from levolve.genotypes.genes import BitGenes, Genes
from levolve.genotypes.genotype import Genotype
from levolve.kernels.boards import WIDEST
from levolve.kernels.masks import coin_masks
from levolve.kernels.streams import START, threshold_of
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame


@lru_cache(maxsize=64)
def _space(frame: Frame) -> BitGenes:
    free = np.ones((frame.height, frame.width), bool)
    for name, (x, y) in frame.places.items():
        if not name.startswith("checkpoint"):
            free[y, x] = False
    return BitGenes(frame.height, frame.width, free.ravel())


@dataclass(frozen=True)
class Direct(Genotype):
    """One bit a cell: 1 is a wall. A run starts sparse, with few walls, for a level half full of walls can hardly ever be crossed."""

    fill: Annotated[float, Interval(ge=0, le=1)] = 0.05

    def space(self, frame: Frame) -> BitGenes:
        """A bit for every cell, packed like the rows of the level."""
        return _space(frame)

    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        """Walls with probability `fill`."""
        space = self.space(frame)
        genes = space.empty_masks(count)
        coin_masks(np.uint64(seed), START, generation, threshold_of(self.fill), space.columns, space.free, genes)
        return genes

    def batch(self, genes: Genes, frame: Frame) -> Batch:
        """The genes are the packed rows of the level already; wider levels are unpacked."""
        if frame.width <= WIDEST:
            return Batch(frame, rows=genes)
        padded = np.unpackbits(genes.view(np.uint8), axis=1, bitorder="little")
        tiles = np.ascontiguousarray(padded.reshape(len(genes), frame.height, -1)[:, :, : frame.width])
        return Batch(frame, tiles=tiles)
