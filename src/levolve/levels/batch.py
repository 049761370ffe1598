"""`Batch`: many levels of one size, tileset and set of places, as arrays. What genotypes give and measures count."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from levolve.kernels import boards, efforts, features, small_tours, walking
from levolve.kernels import tours as tour_kernels
from levolve.kernels.regions import count_regions
from levolve.levels.frame import ENTRANCE, EXIT, TOUR, Frame, Place
from levolve.levels.tileset import WALLS, Tileset

Steps = NDArray[np.int32]
Counts = NDArray[np.int64]


class Batch:
    """`(n, height, width)` tiles, or the same packed into `(n, height)` row words; either is made from the other when first asked for.

    What several measures stand on (distances, members, the walk to the exit) is computed once and kept.
    """

    # Other levels that the same genes stand for, where a genotype tries them on several starts; and terrain richer than the tiles, with its kinds.
    variants: "tuple[Batch, ...]" = ()
    terrain: NDArray[np.uint8] | None = None
    kinds: int = 0

    def __init__(  # noqa: PLR0913 a batch has as many parts
        self,
        frame: Frame,
        tiles: NDArray[np.uint8] | None = None,
        rows: NDArray[np.uint64] | None = None,
        tileset: Tileset = WALLS,
        marks: NDArray[np.int64] | None = None,
        *,
        best_marks: bool = False,
    ) -> None:
        """Give the tiles, or row words of a level with walls at most 64 wide.

        Levels with tours of their own need `marks`: the cells from which B is looked for, or `best_marks` to have it where the tour is longest.
        """
        self.frame = frame
        self.tileset = tileset
        self._marks = marks
        self._best_marks = best_marks
        if tiles is not None:
            self.tiles = tiles
        if rows is not None:
            self.rows = rows
        self._given = rows if rows is not None else tiles

    def __len__(self) -> int:
        """How many levels there are."""
        return 0 if self._given is None else len(self._given)

    @cached_property
    def tiles(self) -> NDArray[np.uint8]:
        """`(n, height, width)` tiles."""
        tiles = np.empty((len(self), self.frame.height, self.frame.width), np.uint8)
        boards.unpack_rows(self.rows, tiles)
        return tiles

    @cached_property
    def rows(self) -> NDArray[np.uint64]:
        """`(n, height)` row words of levels with walls at most 64 wide: a set bit is a wall."""
        rows = np.empty((len(self), self.frame.height), np.uint64)
        boards.pack_rows(self.tiles, rows)
        return rows

    @cached_property
    def distances(self) -> Steps:
        """|x| of every cell from the entrance, -1 where it cannot be reached: `(n, height, width)`."""
        out = np.empty(self.tiles.shape, np.int32)
        walking.distances(self.tiles, self.tileset.table, *self.frame.entrance, out)
        return out

    @cached_property
    def members(self) -> NDArray[np.uint64]:
        """M(x) of every cell, bit i for checkpoint i: `(n, height, width)`. Brings the distances along."""
        distances = np.empty(self.tiles.shape, np.int32)
        members = np.empty(self.tiles.shape, np.uint64)
        checkpoints = np.array(self.frame.checkpoints, np.int64).reshape(-1, 2)
        walking.members(self.tiles, self.tileset.table, *self.frame.entrance, checkpoints, distances, members)
        self.distances = distances
        return members

    @cached_property
    def exit_steps(self) -> Steps:
        """|e|: steps of a shortest walk from the entrance to the exit, -1 if there is none: `(n,)`."""
        if "distances" in self.__dict__:
            x, y = self.frame.exit
            return np.ascontiguousarray(self.distances[:, y, x])
        return self._walk_to_the_exit(None)

    @cached_property
    def stranded(self) -> Steps:
        """How many cells can be reached where the exit cannot, 0 elsewhere: `(n,)`. Brings the exit steps along."""
        reached = np.zeros(len(self), np.int32)
        self.exit_steps = self._walk_to_the_exit(reached)
        return reached

    def _walk_to_the_exit(self, reached: Steps | None) -> Steps:
        steps = np.empty(len(self), np.int32)
        frame, table = self.frame, self.tileset.table
        if frame.width > boards.WIDEST:
            walking.exit_distances(self.tiles, table, *frame.entrance, *frame.exit, steps, reached)
        elif self.tileset == WALLS:
            boards.exit_steps(self.rows, None, frame.width, *frame.entrance, *frame.exit, steps, reached)
        else:
            right, down = np.empty((2, len(self), frame.height), np.uint64)
            boards.link_rows(self.tiles, table, right, down)
            boards.exit_steps(right, down, frame.width, *frame.entrance, *frame.exit, steps, reached)
        return steps

    @cached_property
    def tours(self) -> NDArray[np.int64]:
        """The cells A, B and C of every level, numbered in reading order, -1 for one that is missing: `(n, 3)`. Brings the tour steps along."""
        tours, steps = np.empty((len(self), 3), np.int64), np.empty(len(self), np.int32)
        if self._marks is None:
            tours[:] = [y * self.frame.width + x for x, y in (self.frame.places[name] for name in TOUR)]
            tour_kernels.walk_tours(self.tiles, self.tileset.table, tours, steps)
        elif not self._best_marks and self.tileset == WALLS and small_tours.fits(self.frame.width, self.frame.height):
            small_tours.place_small_tours(self.rows, self.frame.width, self._marks, tours, steps)
        else:
            tour_kernels.place_tours(self.tiles, self.tileset.table, self._marks, self._best_marks, tours, steps)
        self.tour_steps = steps
        return tours

    @cached_property
    def tour_steps(self) -> Steps:
        """Steps of a shortest walk from A to B, on to C and back to A, -1 if there is none: `(n,)`."""
        _ = self.tours
        steps: Steps = self.__dict__["tour_steps"]
        return steps

    def places_of(self, index: int) -> dict[str, Place]:
        """The places of one level: those that all share, and its own."""
        places = dict(self.frame.places)
        if self._marks is not None:
            cells = zip(TOUR, self.tours[index].tolist(), strict=True)
            places |= {name: (cell % self.frame.width, cell // self.frame.width) for name, cell in cells if cell >= 0}
        return places

    @cached_property
    def regions(self) -> tuple[Steps, Steps]:
        """How many regions there are, and how many cells the largest has, each `(n,)`."""
        found, largest = np.empty((2, len(self)), np.int32)
        count_regions(self.tiles, self.tileset.table, found, largest)
        return found, largest

    @cached_property
    def ends(self) -> tuple[Counts, Counts, Counts]:
        """Culs-de-sac, the sum of their |x|, and junctions, each `(n,)`."""
        ends, lengths, junctions = np.empty((3, len(self)), np.int64)
        features.count_ends(self.tiles, self.tileset.table, self.distances, ends, lengths, junctions)
        return ends, lengths, junctions

    @cached_property
    def reconvergences(self) -> tuple[Counts, Counts]:
        """The sum of prc and the sum of iprc over all pairs of checkpoints, each `(n,)`."""
        sums, isolated = np.empty((2, len(self)), np.int64)
        members = self.members
        features.sum_reconvergences(self.distances, members, len(self.frame.checkpoints), sums, isolated)
        return sums, isolated

    @cached_property
    def efforts(self) -> Counts:
        """The parts of the difficulty, `(n, 5)`: of the walk from the entrance to the exit, or from A over B to C. See `kernels.efforts`."""
        parts = np.empty((len(self), efforts.PARTS), np.int64)
        table = self.tileset.table
        if self.frame.has(ENTRANCE) and self.frame.has(EXIT):
            cells = [y * self.frame.width + x for x, y in (self.frame.entrance, self.frame.exit)]
            stops = np.tile(np.array(cells, np.int64), (len(self), 1))
        else:
            stops = self.tours
        efforts.weigh_walks(self.tiles, table, np.ascontiguousarray(table.T), stops, parts)
        return parts

    @property
    def exit_members(self) -> NDArray[np.int64]:
        """How many checkpoints are members of the exit: `(n,)`."""
        x, y = self.frame.exit
        return np.bitwise_count(self.members[:, y, x]).astype(np.int64)
