"""`Batch`: many levels with the same size, tileset and places, as arrays. Genotypes create batches;
measures and objectives evaluate them.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits import packed_flood
from levolve.levels.frame import Frame
from levolve.levels.tileset import WALLS, Tileset

if TYPE_CHECKING:
    from levolve.levels.things.batch_things import BatchThings


class Batch:
    """`(n, height, width)` tiles, or the same tiles packed into `(n, height * words)` row words;
    either is computed from the other on first use.

    Values that several measures use, such as distances, are computed once and stored in `features`;
    see `levolve.levels.measures.structure_features`.

    Attributes
    ----------
    frame, tileset
        The size, places and goal that all levels share, and their kinds of tiles.
    marks
        `(n,)` int64 cells, numbered in reading order, where the search for each level's B starts;
        None if all places are in the frame.
    ends
        `(n, 2)` int64 cells of each level's own entrance and exit, numbered in reading order; None
        if they are in the frame.
    checkpoints
        `(n, k)` int64 cells of each level's own checkpoints, numbered in reading order; None if
        they are in the frame.
    best_marks
        Whether B is instead placed where the tour is longest.
    variants
        Batches of other levels decoded from the same genes, for genotypes that use several start
        maps.
    terrain, kinds
        `(n, height, width)` uint8 terrain with more kinds than the tiles, and the number of its
        kinds; None and 0 if there is none.
    things
        The things of the levels; None if they have none.
    floors
        The floors as levels of their own, those of the first level first; None for levels of one
        floor.
    has_rooms
        Whether the levels consist of rooms, so that each level gets its areas.
    features
        The computed features, keyed by the function that computes each.
    """

    __slots__ = (
        "_rows",
        "_tiles",
        "best_marks",
        "checkpoints",
        "ends",
        "features",
        "floors",
        "frame",
        "has_rooms",
        "kinds",
        "marks",
        "terrain",
        "things",
        "tileset",
        "variants",
    )

    def __init__(
        self,
        frame: Frame,
        tiles: NDArray[np.uint8] | None = None,
        rows: NDArray[np.uint64] | None = None,
        tileset: Tileset = WALLS,
        marks: NDArray[np.int64] | None = None,
        *,
        best_marks: bool = False,
    ) -> None:
        """Create a batch from tiles or from row words.

        Parameters
        ----------
        frame
            The size, places and goal of all levels.
        tiles
            `(n, height, width)` uint8 kinds of tiles.
        rows
            `(n, height * words)` uint64 row words; a set bit is a wall, and each row starts a new
            word. Only for tilesets that can be packed (`Tileset.packs`).
        tileset, marks, best_marks
            See the attributes.
        """
        self.frame = frame
        self.tileset = tileset
        self.marks = marks
        self.best_marks = best_marks
        self.variants: tuple[Batch, ...] = ()
        self.terrain: NDArray[np.uint8] | None = None
        self.kinds = 0
        self.ends: NDArray[np.int64] | None = None
        self.things: BatchThings | None = None
        self.floors: Batch | None = None
        self.has_rooms = False
        self.checkpoints: NDArray[np.int64] | None = None
        self.features: dict[object, Any] = {}
        self._tiles = tiles
        self._rows = rows

    def __len__(self) -> int:
        """Return the number of levels."""
        given = self._rows if self._rows is not None else self._tiles
        return 0 if given is None else len(given)

    @property
    def has_mechanics(self) -> bool:
        """Whether things change what a player can do, so that a path alone is no proof."""
        return self.things is not None and self.things.acts

    @property
    def is_packed(self) -> bool:
        """Whether the row words are known."""
        return self._rows is not None

    @property
    def tiles(self) -> NDArray[np.uint8]:
        """`(n, height, width)` tiles."""
        if self._tiles is None:
            shape = len(self), self.frame.height, self.frame.width
            if shape[2] > packed_flood.WIDEST:
                self._tiles = unpack_wide(self.rows, *shape[1:])
            else:
                self._tiles = np.empty(shape, np.uint8)
                packed_flood.unpack_rows(self.rows, self._tiles)
        return self._tiles

    @property
    def rows(self) -> NDArray[np.uint64]:
        """`(n, height * words)` uint64 row words; a set bit is a wall."""
        if self._rows is None and self.frame.width > packed_flood.WIDEST:
            self._rows = pack_wide(self.tiles)
        if self._rows is None:
            rows = np.empty((len(self), self.frame.height), np.uint64)
            if self._tiles is not None:
                packed_flood.pack_rows(self._tiles, rows)
            self._rows = rows
        return self._rows


def unpack_wide(words: NDArray[np.uint64], height: int, width: int) -> NDArray[np.uint8]:
    """Unpack `(n, words)` rows of more than 64 cells, each starting a new word, into `(n, height,
    width)` uint8 values 0 and 1.
    """
    padded = np.unpackbits(
        np.ascontiguousarray(words, "<u8").view(np.uint8), axis=1, bitorder="little"
    )
    return np.ascontiguousarray(
        padded.reshape(len(words), height, padded.shape[1] // height)[:, :, :width]
    )


def pack_wide(tiles: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Pack `(n, height, width)` tiles of more than 64 columns into `(n, height * words)` words;
    each row starts a new word.
    """
    count, height, width = tiles.shape
    words = -(-width // packed_flood.WIDEST)
    if width < words * packed_flood.WIDEST:
        # Whole words are packed several times as fast as rows of any length.
        padded = np.zeros((count, height, words * packed_flood.WIDEST), np.uint8)
        padded[:, :, :width] = tiles
        tiles = padded
    return (
        np.packbits(tiles.reshape(-1), bitorder="little")
        .view("<u8")
        .astype(np.uint64, copy=False)
        .reshape(count, height * words)
    )
