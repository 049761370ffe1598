"""Rooms: rooms that do not overlap, on a lattice, with corridors along a spanning tree and doorways
where a corridor meets a room.

Chambers: a level divided into rectangles by straight walls, with doorways between neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Literal

import numpy as np
from annotated_types import Interval, MinLen
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.core.settings import setting
from levolve.kernels.building.chambers import CUT, DOOR, build_chambers
from levolve.kernels.building.rooms import (
    CAVERN,
    CORNER,
    CROSS,
    GENES,
    MOST_ROOMS,
    RECTANGLE,
    ROUND,
    place_rooms,
)
from levolve.kernels.building.spanning_trees import VALUES
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.tileset import WALLS
from levolve.search.genotypes.fixed_cells import stamp
from levolve.search.genotypes.gene_space import Genes, NumberGenes
from levolve.search.genotypes.genotype import Genotype
from levolve.search.genotypes.lattice import Lattice, Shares, lattice_of
from levolve.search.genotypes.lattice_masks import Mask, check_mask, mask_of

Share = Annotated[float, Interval(ge=0, le=1)]
Shape = Literal["rectangle", "cross", "corner", "round", "cavern"]

SHAPES = {
    "rectangle": RECTANGLE,
    "cross": CROSS,
    "corner": CORNER,
    "round": ROUND,
    "cavern": CAVERN,
}
# Candidates for rooms: one per so many cells of the lattice, and at least a few.
CELLS_PER_CANDIDATE = 4
FEWEST_CANDIDATES = 8
# The side of the largest rooms, in tiles, if the settings do not say.
USUAL_LARGEST = 7
# The fewest cuts into chambers that have genes.
FEWEST_CUTS = 8


@lru_cache(maxsize=64)
def _space(genes: int) -> NumberGenes:
    return NumberGenes(np.full(genes, VALUES))


@dataclass(frozen=True)
class Rooms(Genotype):
    """Rooms with walls between them, corridors along the lightest spanning tree, and doorways: one
    region without pockets in a closed border.

    Genes are bytes: five per candidate for a room (column, row, width, height, shape), placed in
    this order if they do not overlap, then those of the corridors, as in the genotype `passages`.
    """

    number: Annotated[int, Interval(ge=1, le=MOST_ROOMS)] = setting(
        MOST_ROOMS, "The most rooms of a level."
    )
    share: Share = setting(
        0.4, "No further rooms are placed when rooms cover this share of the lattice."
    )
    smallest: Annotated[int, Interval(ge=1, le=1024)] = setting(
        3, "The least width and height of rooms, in tiles."
    )
    largest: Annotated[int, Interval(ge=1, le=1024)] | None = setting(
        None,
        (
            "The greatest width and height of rooms, in tiles. By default 7, or what fits into "
            "the level."
        ),
    )
    shapes: Annotated[tuple[Shape, ...], MinLen(1)] = setting(
        ("rectangle",),
        (
            "The shapes of rooms: rectangle, cross, corner (an L), round, cavern. A shape listed "
            "twice is twice as frequent."
        ),
    )
    corridor: Annotated[int, Interval(ge=1, le=64)] = setting(
        1, "The width of corridors, in tiles."
    )
    wall: Annotated[int, Interval(ge=1, le=64)] = setting(1, "The width of walls, in tiles.")
    loops: Share = setting(
        0.02,
        (
            "The share of further walls that are opened at the start of a run, so that there is "
            "more than one way."
        ),
    )
    dead_ends: Share = setting(0.0, "The share of dead-end corridors that stay.")
    straight: Share = setting(0.6, "How much corridors prefer to run straight.")
    shape: Literal["full", "ellipse", "diamond", "ring", "cross"] = setting(
        "full", "The outline of the level."
    )
    mask: Mask = setting(
        (),
        (
            "Rows of . and # that give the level another outline, scaled to it; cells under # "
            "are taken out."
        ),
    )

    def __post_init__(self) -> None:
        """Raise `InputError` for an invalid mask, a mask together with a shape, or sizes in the
        wrong order.
        """
        check_mask(self.mask)
        if self.mask and self.shape != "full":
            message = f"mask: expected no mask together with the shape {self.shape!r}"
            raise InputError(message)
        if self.largest is not None and self.largest < self.smallest:
            message = (
                f"largest: expected at least the smallest side of rooms, {self.smallest}, got "
                f"{self.largest}"
            )
            raise InputError(message)

    @property
    def sensitivity(self) -> float:
        """A small share: genes of candidates that are not placed, and of walls inside rooms and
        rock, do not matter.
        """
        return 0.15

    def lattice(self, frame: Frame) -> Lattice:
        """Return the lattice of a frame."""
        return lattice_of(frame, self.corridor, self.wall, self.mask or mask_of(self.shape))

    def space(self, frame: Frame) -> NumberGenes:
        """Return the gene space: the candidates for rooms, then the weights of walls and the genes
        for loops and dead ends.
        """
        lattice = self.lattice(frame)
        self.sizes(lattice)
        return _space(self._candidates(lattice) * GENES + sum(lattice.lengths(self._shares)))

    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        """Draw uniform genes."""
        return self.space(frame).draw(seed, generation, count)

    def batch(self, genes: Genes, frame: Frame) -> Batch:
        """Place the rooms, connect them by corridors, and fill corridors that lead nowhere."""
        lattice = self.lattice(frame)
        genes = np.ascontiguousarray(genes, np.uint8)
        first, labels = self._candidates(lattice) * GENES, self._labels(genes, lattice)
        opened = lattice.weave(genes, first, labels, self._shares)
        batch = lattice.draw(labels, opened, frame)
        batch.has_rooms = True
        return batch

    def sizes(self, lattice: Lattice) -> NDArray[np.int64]:
        """Return the least and the greatest width of rooms in cells of the lattice, then the same
        for the height.

        Raise `InputError` if such rooms do not fit.
        """
        pitch = self.corridor + self.wall
        sizes = []
        for name, cells in (("width", lattice.columns), ("height", lattice.rows)):
            least = -(-(self.smallest + self.wall) // pitch)
            usual = min((USUAL_LARGEST + self.wall) // pitch, cells)
            most = max(
                least, usual if self.largest is None else (self.largest + self.wall) // pitch
            )
            if most > cells:
                side = "smallest" if least > cells else "largest"
                message = (
                    f"{side}: expected rooms that fit into the level, which has room for a "
                    f"{name} of {cells * pitch - self.wall} inside its border, "
                    f"got {getattr(self, side)}; choose smaller rooms or a larger level"
                )
                raise InputError(message)
            sizes += [least, most]
        return np.array(sizes)

    @property
    def _shares(self) -> Shares:
        return self.straight, self.loops, 0.0, 1.0 - self.dead_ends

    def _candidates(self, lattice: Lattice) -> int:
        return min(MOST_ROOMS, max(FEWEST_CANDIDATES, lattice.cells // CELLS_PER_CANDIDATE))

    def _labels(self, genes: NDArray[np.uint8], lattice: Lattice) -> NDArray[np.uint8]:
        """Return the number of the room of each cell, `(n, N)`; 0 for no room."""
        labels = np.empty((len(genes), lattice.cells), np.uint8)
        candidates = np.ascontiguousarray(genes[:, : self._candidates(lattice) * GENES])
        shapes = np.array([SHAPES[shape] for shape in self.shapes])
        sizes, limit = self.sizes(lattice), round(self.share * VALUES)
        place_rooms(
            candidates,
            lattice.columns,
            lattice.rows,
            sizes,
            shapes,
            self.number,
            limit,
            lattice.alive,
            labels,
        )
        return labels


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
        cuts = max(FEWEST_CUTS, 1 << max(chambers, 1).bit_length())
        return cuts, 2 * cuts + 1
