"""Direct: one bit a cell, 1 is a wall. Fixed cells are genes that never vary."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import numpy as np
from annotated_types import Interval
from numpy.typing import NDArray

from levolve.genotypes.genes import BitGenes, Genes
from levolve.genotypes.genotype import Genotype
from levolve.genotypes.stamp import fixed_cells, tiles_to_write
from levolve.kernels.boards import WIDEST
from levolve.kernels.masks import coin_masks
from levolve.kernels.streams import START, threshold_of
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.level import Level
from levolve.levels.tileset import WALLS


@lru_cache(maxsize=64)
def _space(frame: Frame) -> tuple[BitGenes, NDArray[np.uint64]]:
    """The genes, and the words of the walls that are kept."""
    fixed, kinds = fixed_cells(frame, WALLS)
    space = BitGenes([frame.width] * frame.height, ~fixed.ravel(), (frame.height, frame.width))
    return space, space.words_of(np.flatnonzero(kinds))


@dataclass(frozen=True)
class Direct(Genotype):
    """One bit a cell: 1 is a wall. A run starts sparse, with few walls, for a level half full of walls can hardly ever be crossed."""

    fill: Annotated[float, Interval(ge=0, le=1)] = 0.05

    def space(self, frame: Frame) -> BitGenes:
        """A bit for every cell, packed like the rows of the level."""
        return _space(frame)[0]

    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        """Walls with probability `fill`."""
        space, walls = _space(frame)
        genes = space.empty_masks(count)
        coin_masks(np.uint64(seed), START, generation, threshold_of(self.fill), space.columns, space.free, genes)
        return genes | walls

    def write(self, level: Level, frame: Frame) -> Genes:
        """The level's walls."""
        return self.space(frame).words_of(np.flatnonzero(tiles_to_write(level, frame, WALLS)))

    def batch(self, genes: Genes, frame: Frame) -> Batch:
        """The genes are the packed rows of the level already; wider levels are unpacked."""
        if frame.width <= WIDEST:
            return Batch(frame, rows=genes)
        return Batch(frame, tiles=unpack_wide(genes, frame.height, frame.width))


def unpack_wide(words: Genes, height: int, width: int) -> NDArray[np.uint8]:
    """`(n, height, width)` bytes of 0 and 1 from `(n, words)` packed rows of more than 64 cells, each beginning a word."""
    padded = np.unpackbits(np.ascontiguousarray(words).view(np.uint8), axis=1, bitorder="little")
    return np.ascontiguousarray(padded.reshape(len(words), height, padded.shape[1] // height)[:, :, :width])
