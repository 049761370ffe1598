"""Direct: one bit per cell, 1 is a wall. Fixed cells are genes that never vary.

Tiles: one kind of tile per cell, of any tileset.

Chromatic: one colour per cell and no walls. A step is legal between colours that are equal or
adjacent in R-O-Y-G-B-V.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import numpy as np
from annotated_types import Interval, Len
from numpy.typing import NDArray

from levolve.core.settings import setting
from levolve.kernels.bits.random_streams import START, threshold_of
from levolve.kernels.variation.apply_masks import replace_values
from levolve.kernels.variation.masks import coin_masks
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.level import Level
from levolve.levels.tileset import RAINBOW, TILESETS, WALLS, Tileset
from levolve.search.genotypes.fixed_cells import fixed_cells, stamp, style_for, tiles_to_write
from levolve.search.genotypes.gene_space import BitGenes, Genes, NumberGenes
from levolve.search.genotypes.genotype import Genotype
from levolve.search.genotypes.patchwork import quilted


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
    """One bit per cell: 1 is a wall. A run starts with few walls, because random levels with many
    walls are rarely winnable.
    """

    fill: Annotated[float, Interval(ge=0, le=1)] = setting(
        0.05, "The share of walls at the start of a run."
    )

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
        coin_masks(
            np.uint64(seed),
            START,
            generation,
            threshold_of(self.fill),
            space.columns,
            space.free,
            genes,
        )
        return genes | walls

    def write(self, level: Level, frame: Frame) -> Genes:
        """Return the level's walls."""
        return self.space(frame).words_of(np.flatnonzero(tiles_to_write(level, frame, WALLS)))

    def batch(self, genes: Genes, frame: Frame) -> Batch:
        """Return the levels. The genes already are the packed rows."""
        return Batch(frame, rows=genes)


@lru_cache(maxsize=64)
def _tile_space(frame: Frame, tileset: Tileset) -> NumberGenes:
    fixed, _ = fixed_cells(frame, tileset)
    space = NumberGenes(
        np.full(frame.width * frame.height, len(tileset.characters)),
        ~fixed.ravel(),
        (frame.height, frame.width),
    )
    space.style = style_for(frame, tileset)
    return space


@dataclass(frozen=True)
class TileGenes(Genotype):
    """One kind of tile per cell. A run starts with random tiles, or with windows of the examples,
    if there are some.
    """

    tileset: str = setting("walls", "The name of the tileset.")

    def __post_init__(self) -> None:
        """Raise an error for an unknown tileset."""
        TILESETS[self.tileset]

    def space(self, frame: Frame) -> NumberGenes:
        """Return the gene space: one number per cell in reading order."""
        return _tile_space(frame, TILESETS[self.tileset])

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
        return Batch(
            frame,
            tiles=genes.reshape(len(genes), frame.height, frame.width),
            tileset=TILESETS[self.tileset],
        )


Colour = Annotated[int, Interval(ge=0, lt=6)]


@lru_cache(maxsize=64)
def _colour_space(frame: Frame) -> NumberGenes:
    fixed, _ = fixed_cells(frame, RAINBOW)
    space = NumberGenes(
        np.full(frame.width * frame.height, len(RAINBOW.characters)),
        ~fixed.ravel(),
        (frame.height, frame.width),
    )
    space.style = style_for(frame, RAINBOW)
    return space


@dataclass(frozen=True)
class Chromatic(Genotype):
    """One colour per cell, 0 to 5 for R O Y G B V. A run starts with `start_colours`: by default Y
    and G, so that all steps are legal.
    """

    start_colours: Annotated[tuple[Colour, ...], Len(1)] = setting(
        (2, 3),
        "The colours of cells at the start of a run, each equally likely: 0 to 5 for R O Y G B V.",
    )

    def space(self, frame: Frame) -> NumberGenes:
        """Return the gene space: one colour per cell in reading order."""
        return _colour_space(frame)

    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        """Draw one of the start colours for each cell, or lay windows of the examples, if there are
        some.
        """
        space = self.space(frame)
        if space.style is not None:
            tiles = stamp(quilted(frame, space.style, seed, generation, count), frame, RAINBOW)
            return tiles.reshape(count, space.length)
        genes = np.zeros((count, space.length), np.uint8)
        choices = np.full(space.length, len(self.start_colours))
        replace_values(
            np.uint64(seed),
            START,
            generation,
            choices,
            False,
            genes,
            np.tile(space.free, (count, 1)),
        )
        fixed, kinds = fixed_cells(frame, RAINBOW)
        return np.where(fixed.ravel(), kinds.ravel(), np.array(self.start_colours, np.uint8)[genes])

    def write(self, level: Level, frame: Frame) -> Genes:
        """Return the level's colours."""
        return tiles_to_write(level, frame, RAINBOW).ravel()

    def batch(self, genes: Genes, frame: Frame) -> Batch:
        """Return the levels: the genes are the tiles."""
        return Batch(
            frame, tiles=genes.reshape(len(genes), frame.height, frame.width), tileset=RAINBOW
        )
