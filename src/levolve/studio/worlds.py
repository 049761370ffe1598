"""The worlds that pages look at, by digest, and the pictures of them that were made last.

Maps of states as rows of text: one hexadecimal digit per cell.
"""

import threading
from collections import OrderedDict

import numpy as np

from levolve.core.errors import InputError, UnknownNameError
from levolve.studio.connections import Turns
from levolve.worlds.rule import Map
from levolve.worlds.views import WorldView

MOST_WORLDS = 512
MOST_BYTES = 64 << 20


class Worlds:
    """Views of worlds and their pictures. All are named by their content; the ones used last are
    kept.

    Parameters
    ----------
    most_worlds
        How many views are kept.
    most_bytes
        How many bytes of pictures are kept.
    """

    def __init__(self, most_worlds: int = MOST_WORLDS, most_bytes: int = MOST_BYTES) -> None:
        """Start empty."""
        self._views: OrderedDict[str, WorldView] = OrderedDict()
        self._pictures: OrderedDict[tuple[object, ...], bytes] = OrderedDict()
        self._most_worlds, self._most_bytes = most_worlds, most_bytes
        self._bytes = 0
        self._lock = threading.Lock()
        # Pictures are made on as many threads as there are cores; other requests wait for a moment.
        self.turns = Turns()

    @property
    def size(self) -> int:
        """The bytes of all pictures that are kept."""
        return self._bytes

    def add(self, view: WorldView) -> WorldView:
        """Keep a view, and return it, or an equal one that is there."""
        with self._lock:
            view = self._views.setdefault(view.digest, view)
            self._views.move_to_end(view.digest)
            while len(self._views) > self._most_worlds:
                self._views.popitem(last=False)
        return view

    def find(self, digest: str) -> WorldView:
        """Return the view of a digest."""
        with self._lock:
            if digest not in self._views:
                message = f"there is no world {digest!r}; send its description again"
                raise UnknownNameError(message)
            self._views.move_to_end(digest)
            return self._views[digest]

    def kept(self, digest: str, zoom: int, x: int, y: int) -> bytes | None:
        """Return a picture if it is kept."""
        with self._lock:
            key = (digest, zoom, x, y)
            if key in self._pictures:
                self._pictures.move_to_end(key)
            return self._pictures.get(key)

    def make(self, view: WorldView, zoom: int, x: int, y: int) -> bytes:
        """Make a picture, and keep it."""
        picture = view.tile(zoom, x, y)
        with self._lock:
            self._bytes -= len(self._pictures.pop((view.digest, zoom, x, y), b""))
            self._pictures[view.digest, zoom, x, y] = picture
            self._bytes += len(picture)
            while self._bytes > self._most_bytes:
                self._bytes -= len(self._pictures.popitem(last=False)[1])
        return picture


DIGITS = np.frombuffer(b"0123456789abcdef", np.uint8)
VALUES = np.full(256, 255, np.uint8)
VALUES[DIGITS] = np.arange(len(DIGITS))


def state_rows(tiles: Map) -> list[str]:
    """Return one text per row."""
    return [row.tobytes().decode() for row in DIGITS[tiles]]


def read_state_rows(rows: list[str], most_cells: int) -> Map:
    """Return the map of some rows."""
    width, height = len(rows[0]), len(rows)
    if not width or width * height > most_cells or any(len(row) != width for row in rows):
        message = (
            f"rows: expected rows of equal length, at most {most_cells:,} cells in all, got "
            f"{height} rows, the first of {width}"
        )
        raise InputError(message)
    tiles = VALUES[np.frombuffer("".join(rows).encode("latin-1", "replace"), np.uint8)].reshape(
        height, width
    )
    if tiles.max() >= len(DIGITS):
        message = "rows: expected one hexadecimal digit, 0 to 9 or a to f, per cell"
        raise InputError(message)
    return tiles
