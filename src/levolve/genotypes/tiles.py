"""Tiles: one kind of tile per cell, of any tileset."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from levolve.genotypes.genes import Genes, NumberGenes
from levolve.genotypes.genotype import Genotype
from levolve.genotypes.quilt import quilted, style_for
from levolve.genotypes.stamp import fixed_cells, stamp, tiles_to_write
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.level import Level
from levolve.levels.tileset import TILESETS, Tileset
from levolve.settings import setting


@lru_cache(maxsize=64)
def _space(frame: Frame, tileset: Tileset) -> NumberGenes:
    fixed, _ = fixed_cells(frame, tileset)
    space = NumberGenes(np.full(frame.width * frame.height, len(tileset.characters)), ~fixed.ravel(), (frame.height, frame.width))
    space.style = style_for(frame, tileset)
    return space


@dataclass(frozen=True)
class TileGenes(Genotype):
    """One kind of tile per cell. A run starts with random tiles, or with windows of the examples, if there are some."""

    tileset: str = setting("walls", "The name of the tileset.")

    def __post_init__(self) -> None:
        """Raise an error for an unknown tileset."""
        TILESETS[self.tileset]

    def space(self, frame: Frame) -> NumberGenes:
        """Return the gene space: one number per cell in reading order."""
        return _space(frame, TILESETS[self.tileset])

    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        """Draw a kind of tile for each cell, or lay windows of the examples."""
        space, tileset = self.space(frame), TILESETS[self.tileset]
        if space.style is None:
            tiles = space.draw(seed, generation, count).reshape(count, frame.height, frame.width)
        else:
            tiles = quilted(frame, space.style, seed, generation, count)
        return stamp(tiles, frame, tileset).reshape(count, space.length)

    def write(self, level: Level, frame: Frame) -> Genes:
        """Return the level's tiles."""
        return tiles_to_write(level, frame, TILESETS[self.tileset]).ravel()

    def batch(self, genes: Genes, frame: Frame) -> Batch:
        """Return the levels: the genes are the tiles."""
        return Batch(frame, tiles=genes.reshape(len(genes), frame.height, frame.width), tileset=TILESETS[self.tileset])
