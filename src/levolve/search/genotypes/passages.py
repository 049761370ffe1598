"""Passages: a maze on a lattice of cells. Genes weigh the walls; the lightest spanning tree of the
walls is opened.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Literal

import numpy as np
from annotated_types import Interval

from levolve.core.errors import InputError
from levolve.core.settings import setting
from levolve.kernels.building.spanning_trees import VALUES
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.level import Level
from levolve.levels.tileset import WALLS
from levolve.search.genotypes.fixed_cells import tiles_to_write
from levolve.search.genotypes.gene_space import Genes, NumberGenes
from levolve.search.genotypes.genotype import Genotype
from levolve.search.genotypes.lattice import Lattice, lattice_of
from levolve.search.genotypes.lattice_masks import Mask, check_mask, mask_of

Share = Annotated[float, Interval(ge=0, le=1)]


@lru_cache(maxsize=64)
def _space(genes: int) -> NumberGenes:
    return NumberGenes(np.full(genes, VALUES))


@dataclass(frozen=True)
class Passages(Genotype):
    """A maze by construction: one region, no pockets, a closed border. Each wall between two cells
    has a weight; the lightest spanning tree is open.

    Genes are bytes: a weight per wall, and, where the setting is not 0, a gene per wall for
    `loops`, and one per cell for `braid` and for `holes`.
    """

    corridor: Annotated[int, Interval(ge=1, le=64)] = setting(
        1, "The width of corridors, in tiles."
    )
    wall: Annotated[int, Interval(ge=1, le=64)] = setting(1, "The width of walls, in tiles.")
    loops: Share = setting(
        0.0,
        (
            "The share of further walls that are opened at the start of a run, so that there is "
            "more than one way."
        ),
    )
    braid: Share = setting(
        0.0, "The share of dead ends that are opened into a loop at the start of a run."
    )
    straight: Share = setting(0.0, "How much corridors prefer to run straight.")
    holes: Share = setting(
        0.0,
        (
            "The share of dead-end cells that are filled at the start of a run, repeatedly, "
            "which leaves solid blocks."
        ),
    )
    shape: Literal["full", "ellipse", "diamond", "ring", "cross"] = setting(
        "full", "The outline of the maze."
    )
    mask: Mask = setting(
        (),
        (
            "Rows of . and # that give the maze another outline, scaled to the level; cells "
            "under # are taken out."
        ),
    )

    def __post_init__(self) -> None:
        """Raise `InputError` for an invalid mask, or a mask together with a shape."""
        check_mask(self.mask)
        if self.mask and self.shape != "full":
            message = f"mask: expected no mask together with the shape {self.shape!r}"
            raise InputError(message)

    def lattice(self, frame: Frame) -> Lattice:
        """Return the lattice of a frame."""
        return lattice_of(frame, self.corridor, self.wall, self.mask or mask_of(self.shape))

    def space(self, frame: Frame) -> NumberGenes:
        """Return the gene space: the weights of walls, then the genes for loops, dead ends to open
        and dead ends to fill.
        """
        return _space(sum(self._lengths(self.lattice(frame))))

    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        """Draw uniform genes."""
        return self.space(frame).draw(seed, generation, count)

    def batch(self, genes: Genes, frame: Frame) -> Batch:
        """Open the lightest spanning tree and the further walls of each level."""
        lattice = self.lattice(frame)
        labels = np.empty((len(genes), 0), np.uint8)
        shares = (self.straight, self.loops, self.braid, self.holes)
        genes = np.ascontiguousarray(genes, np.uint8)
        return lattice.draw(labels, lattice.weave(genes, 0, labels, shares), frame)

    def write(self, level: Level, frame: Frame) -> Genes:
        """Return genes of a level that is a maze on this lattice: open walls are light, all others
        heavy.
        """
        tiles, lattice = tiles_to_write(level, frame, WALLS), self.lattice(frame)
        genes = np.full(sum(self._lengths(lattice)), VALUES - 1, np.uint8)
        weights, loops, _, holes = np.split(genes, np.cumsum(self._lengths(lattice))[:-1])
        for edge in range(lattice.edges):
            # The lowest bit selects the door; an open wall is light either way.
            for side, (left, top, right, bottom) in enumerate(lattice.doors[edge].tolist()):
                if not tiles[top:bottom, left:right].any():
                    weights[edge] = side
                    if loops.size:
                        loops[edge] = 0
                    break
        for cell, (left, top, right, bottom) in enumerate(lattice.rectangles.tolist()):
            if holes.size and tiles[top:bottom, left:right].all():
                holes[cell] = 0
        if not np.array_equal(self.express(genes[np.newaxis], frame)[0], tiles):
            message = (
                f"genotype passages: expected a maze on a lattice of corridors {self.corridor} "
                f"and walls {self.wall} wide with these settings"
            )
            raise InputError(message)
        return genes

    def _lengths(self, lattice: Lattice) -> tuple[int, int, int, int]:
        """Return the number of genes for weights, loops, dead ends to open and dead ends to
        fill.
        """
        return lattice.lengths((self.straight, self.loops, self.braid, self.holes))
