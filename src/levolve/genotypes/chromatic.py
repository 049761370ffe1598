"""Chromatic: one colour per cell and no walls. A step is legal between colours that are equal or adjacent in R-O-Y-G-B-V."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import numpy as np
from annotated_types import Interval, Len

from levolve.genotypes.genes import Genes, NumberGenes
from levolve.genotypes.genotype import Genotype
from levolve.genotypes.quilt import quilted, style_for
from levolve.genotypes.stamp import fixed_cells, stamp, tiles_to_write
from levolve.kernels.streams import START
from levolve.kernels.variation import replace_values
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.level import Level
from levolve.levels.tileset import RAINBOW
from levolve.settings import setting

Colour = Annotated[int, Interval(ge=0, lt=6)]


@lru_cache(maxsize=64)
def _space(frame: Frame) -> NumberGenes:
    fixed, _ = fixed_cells(frame, RAINBOW)
    space = NumberGenes(np.full(frame.width * frame.height, len(RAINBOW.characters)), ~fixed.ravel(), (frame.height, frame.width))
    space.style = style_for(frame, RAINBOW)
    return space


@dataclass(frozen=True)
class Chromatic(Genotype):
    """One colour per cell, 0 to 5 for R O Y G B V. A run starts with `start_colours`: by default Y and G, so that all steps are legal."""

    start_colours: Annotated[tuple[Colour, ...], Len(1)] = setting(
        (2, 3), "The colours of cells at the start of a run, each equally likely: 0 to 5 for R O Y G B V."
    )

    def space(self, frame: Frame) -> NumberGenes:
        """Return the gene space: one colour per cell in reading order."""
        return _space(frame)

    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        """Draw one of the start colours for each cell, or lay windows of the examples, if there are some."""
        space = self.space(frame)
        if space.style is not None:
            tiles = stamp(quilted(frame, space.style, seed, generation, count), frame, RAINBOW)
            return tiles.reshape(count, space.length)
        genes = np.zeros((count, space.length), np.uint8)
        choices = np.full(space.length, len(self.start_colours))
        replace_values(np.uint64(seed), START, generation, choices, False, genes, np.tile(space.free, (count, 1)))
        fixed, kinds = fixed_cells(frame, RAINBOW)
        return np.where(fixed.ravel(), kinds.ravel(), np.array(self.start_colours, np.uint8)[genes])

    def write(self, level: Level, frame: Frame) -> Genes:
        """Return the level's colours."""
        return tiles_to_write(level, frame, RAINBOW).ravel()

    def batch(self, genes: Genes, frame: Frame) -> Batch:
        """Return the levels: the genes are the tiles."""
        return Batch(frame, tiles=genes.reshape(len(genes), frame.height, frame.width), tileset=RAINBOW)
