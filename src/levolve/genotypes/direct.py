"""Direct: one bit per cell, 1 is a wall. Fixed cells are genes that never vary."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import numpy as np
from annotated_types import Interval
from numpy.typing import NDArray

from levolve.genotypes.genes import BitGenes, Genes
from levolve.genotypes.genotype import Genotype
from levolve.genotypes.quilt import quilted, style_for
from levolve.genotypes.stamp import fixed_cells, tiles_to_write
from levolve.kernels.masks import coin_masks
from levolve.kernels.streams import START, threshold_of
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.level import Level
from levolve.levels.tileset import WALLS
from levolve.settings import setting


@lru_cache(maxsize=64)
def _space(frame: Frame) -> tuple[BitGenes, NDArray[np.uint64]]:
    """Return the gene space, and the words of the walls to keep."""
    fixed, kinds = fixed_cells(frame, WALLS)
    space = BitGenes([frame.width] * frame.height, ~fixed.ravel(), (frame.height, frame.width))
    space.style = style_for(frame, WALLS)
    return space, space.words_of(np.flatnonzero(kinds))


def walls_to_keep(frame: Frame) -> NDArray[np.uint64]:
    """Return the words of the walls that every level of a frame has."""
    return _space(frame)[1]


@dataclass(frozen=True)
class Direct(Genotype):
    """One bit per cell: 1 is a wall. A run starts with few walls, because random levels with many walls are rarely winnable."""

    fill: Annotated[float, Interval(ge=0, le=1)] = setting(0.05, "The share of walls at the start of a run.")

    def space(self, frame: Frame) -> BitGenes:
        """Return the gene space: one bit per cell, packed like the rows of the level."""
        return _space(frame)[0]

    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        """Draw walls with probability `fill`, or lay windows of the examples, if there are some."""
        space, walls = _space(frame)
        genes = space.empty_masks(count)
        if space.style is not None:
            genes[:] = walls
            space.set_cells(genes, quilted(frame, space.style, seed, generation, count))
            return genes
        coin_masks(np.uint64(seed), START, generation, threshold_of(self.fill), space.columns, space.free, genes)
        return genes | walls

    def write(self, level: Level, frame: Frame) -> Genes:
        """Return the level's walls."""
        return self.space(frame).words_of(np.flatnonzero(tiles_to_write(level, frame, WALLS)))

    def batch(self, genes: Genes, frame: Frame) -> Batch:
        """Return the levels. The genes already are the packed rows."""
        return Batch(frame, rows=genes)
