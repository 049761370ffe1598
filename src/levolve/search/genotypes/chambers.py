"""Chambers: a level divided into rectangles by straight walls, with doorways between neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

import numpy as np
from annotated_types import Interval
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.core.settings import setting
from levolve.kernels.building.chambers import CUT, DOOR, VALUES, build_chambers
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.tileset import WALLS
from levolve.search.genotypes.fixed_cells import stamp
from levolve.search.genotypes.gene_space import Genes, NumberGenes
from levolve.search.genotypes.genotype import Genotype

Share = Annotated[float, Interval(ge=0, le=1)]
# Walls between chambers that share genes: the fewest numbers of genes.
FEWEST = 8


@lru_cache(maxsize=64)
def _space(genes: int) -> NumberGenes:
    return NumberGenes(np.full(genes, VALUES))


@dataclass(frozen=True)
class Chambers(Genotype):
    """Rectangles that fill the level, with straight walls between them and a doorway where they are
    joined: one region without pockets in a closed border.

    A chamber that is too long is cut in two by a wall, and others by chance. Doorways join the
    chambers along the lightest spanning tree. Genes are bytes: for each cut its place, its axis and
    whether it is made; for each wall its weight, the place of its doorway and whether it has one
    that the tree does not need.
    """

    smallest: Annotated[int, Interval(ge=1, le=1024)] = setting(
        3, "The least width and height of a chamber, in tiles."
    )
    largest: Annotated[int, Interval(ge=1, le=1024)] = setting(
        9, "A chamber that is longer is divided if both parts are large enough."
    )
    divide: Share = setting(0.5, "The share of other chambers that are divided as well.")
    wall: Annotated[int, Interval(ge=1, le=64)] = setting(1, "The width of walls, in tiles.")
    door: Annotated[int, Interval(ge=1, le=64)] = setting(1, "The width of doorways, in tiles.")
    loops: Share = setting(0.1, "The share of further walls that have a doorway.")

    def __post_init__(self) -> None:
        """Raise `InputError` for sizes in the wrong order."""
        if self.largest < self.smallest:
            raise InputError(
                f"largest: expected at least the smallest side of chambers, {self.smallest}, got "
                f"{self.largest}"
            )

    @property
    def sensitivity(self) -> float:
        """A share: genes of chambers that are not divided do not matter."""
        return 0.3

    def space(self, frame: Frame) -> NumberGenes:
        """Return the gene space: the cuts, then the walls."""
        cuts, doors = self._numbers(frame)
        return _space(CUT * cuts + DOOR * doors)

    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        """Draw uniform genes."""
        return self.space(frame).draw(seed, generation, count)

    def batch(self, genes: Genes, frame: Frame) -> Batch:
        """Cut the levels into chambers, and join them by doorways."""
        cuts, doors = self._numbers(frame)
        tiles = np.empty((len(genes), frame.height, frame.width), np.uint8)
        build_chambers(
            np.ascontiguousarray(genes, np.uint8),
            cuts,
            doors,
            self._settings,
            np.array(list(frame.places.values()), np.int64).reshape(-1, 2),
            tiles,
        )
        batch = Batch(frame, tiles=stamp(tiles, frame, WALLS))
        batch.has_rooms = True
        return batch

    @property
    def _settings(self) -> NDArray[np.int64]:
        shares = [round(share * VALUES) for share in (self.divide, self.loops)]
        return np.array([self.smallest, self.largest, self.wall, *shares, self.door])

    def _numbers(self, frame: Frame) -> tuple[int, int]:
        """Return how many cuts and how many walls have genes of their own."""
        chambers = frame.width * frame.height // (self.smallest + self.wall) ** 2
        cuts = max(FEWEST, 1 << max(chambers, 1).bit_length())
        return cuts, 2 * cuts + 1
