"""The genotype: one gene per cell, the cell's kind of tile."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import numpy as np
from annotated_types import Interval

from levolve.core.errors import InputError
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.level import Level
from levolve.search.genotypes.fixed_cells import fixed_cells, tiles_to_write
from levolve.search.genotypes.gene_space import Genes, NumberGenes
from levolve.search.genotypes.genotype import Genotype
from levolve_example.tileset import FOREST, LAKES, MEADOW, WATER

Share = Annotated[float, Interval(ge=0, le=1)]
# Shares are drawn in steps of one in ten thousand.
STEPS = 10_000


@lru_cache(maxsize=64)
def _space(frame: Frame) -> NumberGenes:
    fixed, _ = fixed_cells(frame, LAKES)
    return NumberGenes(np.full(fixed.size, len(LAKES.characters)), ~fixed.ravel(), fixed.shape)


@dataclass(frozen=True)
class Lakeland(Genotype):
    """One gene per cell: meadow, forest or water. A run starts with a share `water` of water and a
    share `forest` of forest.
    """

    water: Share = 0.15
    forest: Share = 0.25

    def __post_init__(self) -> None:
        """Reject shares that add up to more than 1."""
        if self.water + self.forest > 1:
            message = (
                f"forest: expected at most {1 - self.water:g}, as {self.water:g} is water, got "
                f"{self.forest:g}"
            )
            raise InputError(message)

    def space(self, frame: Frame) -> NumberGenes:
        """A kind of tile for every cell in reading order. Entrance, exit and cells to keep are not
        free.
        """
        return _space(frame)

    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        """Draw `count` individuals with the shares of water and forest given by the settings."""
        drawn = NumberGenes(np.full(frame.width * frame.height, STEPS)).draw(
            seed, generation, count
        )
        kinds = np.where(drawn < STEPS * (self.water + self.forest), FOREST, MEADOW)
        kinds = np.where(drawn < STEPS * self.water, WATER, kinds)
        fixed, fixed_kinds = fixed_cells(frame, LAKES)
        return np.where(fixed.ravel(), fixed_kinds.ravel(), kinds).astype(np.uint8)

    def write(self, level: Level, frame: Frame) -> Genes:
        """The genes of a given level: its tiles."""
        return tiles_to_write(level, frame, LAKES).ravel()

    def batch(self, genes: Genes, frame: Frame) -> Batch:
        """The levels: the genes are their tiles."""
        return Batch(
            frame, tiles=genes.reshape(len(genes), frame.height, frame.width), tileset=LAKES
        )
