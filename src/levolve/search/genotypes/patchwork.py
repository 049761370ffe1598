"""Patchwork: large mazes of small evolved pieces, after McGuinness and Ashlock, "Decomposing the
level generation problem with tiles" (2011).

Levels made of windows of examples, the start of a run that should give levels like them.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, NamedTuple

import numpy as np
from annotated_types import Interval
from numpy.typing import NDArray

from levolve.core.settings import setting
from levolve.kernels.bits.random_streams import QUILT
from levolve.kernels.building.patchwork import HALL_GENES, lay_patchwork
from levolve.kernels.building.windows import quilt_levels
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.style import Style
from levolve.levels.tileset import WALLS
from levolve.search.genotypes.fixed_cells import stamp
from levolve.search.genotypes.gene_space import Genes, NumberGenes
from levolve.search.genotypes.genotype import Genotype
from levolve.search.genotypes.lattice import connect, spans_of

Share = Annotated[float, Interval(ge=0, le=1)]
BYTE = 256
TURNS = 8


class Sites(NamedTuple):
    """The cells of a lattice along both sides of a level, and the tiles that connect entrance, exit
    and checkpoints to it.
    """

    across: NDArray[np.int32]
    down: NDArray[np.int32]
    ways: NDArray[np.int64]


@lru_cache(maxsize=32)
def _sites(frame: Frame) -> Sites:
    across, down = (
        np.array(spans_of(size, 1, 1, name), np.int32)
        for size, name in ((frame.width, "width"), (frame.height, "height"))
    )
    left, top = np.meshgrid(across[:, 0], down[:, 0])
    right, bottom = np.meshgrid(across[:, 1], down[:, 1])
    rectangles = np.stack([left.ravel(), top.ravel(), right.ravel(), bottom.ravel()], axis=1)
    ways = np.ones((frame.height, frame.width), np.uint8)
    for place in frame.places.values():
        connect(place, rectangles, np.ones(len(rectangles), bool), ways)
    return Sites(across, down, np.argwhere(ways == 0))


@dataclass(frozen=True)
class Patchwork(Genotype):
    """A library of small mazes, and a plan that places, turns and joins them. Always one region,
    with a closed border; costs grow with the area.
    """

    side: Annotated[int, Interval(ge=2, le=32)] = setting(
        8, "The side of a piece, in cells of the lattice: a cell is on every other tile."
    )
    pieces: Annotated[int, Interval(ge=1, le=256)] = setting(24, "The number of different pieces.")
    loops: Share = setting(
        0.03, "The share of walls inside a piece that are opened in addition to its tree."
    )
    plan_loops: Share = setting(
        0.15,
        "The share of neighbouring pieces that are joined in addition to the tree of the plan.",
    )
    halls: Share = setting(0.3, "The share of pieces with a hall, a rectangle without inner walls.")

    @property
    def sensitivity(self) -> float:
        """The share of genes that change the level: in a small level, most pieces are not laid."""
        return 0.015

    def space(self, frame: Frame) -> NumberGenes:
        """Return the gene space: the pieces, then the plan."""
        across, down, _ = _sites(frame)
        edges = 2 * self.side**2
        sites = -(-len(across) // self.side) * -(-len(down) // self.side)
        numbers = [
            (self.pieces * (2 * edges + HALL_GENES), BYTE),
            (sites, self.pieces),
            (sites, TURNS),
            (6 * sites, BYTE),
        ]
        return NumberGenes(
            np.concatenate([np.full(count, bound, np.int64) for count, bound in numbers])
        )

    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        """Draw uniform numbers."""
        return self.space(frame).draw(seed, generation, count)

    def batch(self, genes: Genes, frame: Frame) -> Batch:
        """Grow the pieces, and lay them out."""
        tiles = np.empty((len(genes), frame.height, frame.width), np.uint8)
        across, down, ways = _sites(frame)
        lay_patchwork(
            np.ascontiguousarray(genes, np.uint8),
            self.side,
            self.pieces,
            self._shares,
            across,
            down,
            tiles,
        )
        tiles[:, ways[:, 0], ways[:, 1]] = 0
        return Batch(frame, tiles=stamp(tiles, frame, WALLS))

    @property
    def _shares(self) -> NDArray[np.int64]:
        """The shares of loops, loops of the plan and halls, in 256ths."""
        return np.array(
            [round(share * BYTE) for share in (self.loops, self.plan_loops, self.halls)], np.int64
        )


# The side of the windows, and how many are compared for each place.
SIDE = 5
TRIES = 16


def quilted(
    frame: Frame, style: Style, seed: int, generation: int, count: int
) -> NDArray[np.uint8]:
    """Return `count` levels, `(count, height, width)` tiles, laid with windows of the examples that
    fit together.
    """
    tiles = np.empty((count, frame.height, frame.width), np.uint8)
    side = min(SIDE, style.smallest, frame.width, frame.height)
    quilt_levels(
        np.uint64(seed),
        QUILT,
        generation,
        style.padded,
        style.layout,
        style.outside,
        side,
        TRIES,
        tiles,
    )
    return tiles
