"""Folds: the symmetries of a level, the part that determines it, and the gates where copies of the part meet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError
from levolve.levels.areas import Area
from levolve.levels.frame import FREE, UNKEPT, Frame
from levolve.levels.places import ENTRANCE, EXIT, Place

Move = Callable[[int, int, int, int], Place]

# Where a symmetry moves the cell (x, y) of a level of width w and height h.
_ACROSS: Move = lambda x, y, w, _: (w - 1 - x, y)  # noqa: E731 a table of functions
_DOWN: Move = lambda x, y, _, h: (x, h - 1 - y)  # noqa: E731 same
_HALF: Move = lambda x, y, w, h: (w - 1 - x, h - 1 - y)  # noqa: E731 same
_QUARTER: Move = lambda x, y, w, _: (w - 1 - y, x)  # noqa: E731 same
_BACK: Move = lambda x, y, w, _: (y, w - 1 - x)  # noqa: E731 same
_DIAGONAL: Move = lambda x, y, *_: (y, x)  # noqa: E731 same

MOVES: dict[str, tuple[Move, ...]] = {
    "left_right": (_ACROSS,),
    "up_down": (_DOWN,),
    "both": (_HALF, _ACROSS, _DOWN),
    "half_turn": (_HALF,),
    "quarter_turn": (_HALF, _QUARTER, _BACK),
    "diagonal": (_DIAGONAL,),
}
SQUARE = ("quarter_turn", "diagonal")


@dataclass(frozen=True, eq=False)
class Fold:
    """A symmetry of levels of one frame.

    Attributes
    ----------
    part
        The frame of the part, at the upper left, that determines the level: with the images of entrance, exit and kept cells. In a diagonal fold it
        is the whole level, with walls kept below the diagonal.
    sources
        `(height, width)` int32: the cell of the part, numbered in reading order, that each cell of the level copies.
    lines, partners, ranges
        The gates; see `levolve.kernels.folding.open_gates`. There is a row in `ranges` per axis where copies of the part meet.
    """

    part: Frame
    sources: NDArray[np.int32]
    lines: NDArray[np.int32]
    partners: NDArray[np.int32]
    ranges: NDArray[np.int32]


def image(fold: str, place: Place, width: int, height: int) -> Place:
    """Return the cell opposite to a place: its mirror image, or the place after half a turn if there are several."""
    return MOVES[fold][0](*place, width, height)


def copies_of(fold: str, areas: tuple[Area, ...], width: int, height: int) -> tuple[Area, ...]:
    """Return areas of the part together with their images in the whole level, without duplicates."""
    found = dict.fromkeys(areas)
    for area in areas:
        for move in MOVES[fold]:
            corners = (
                move(area.x, area.y, width, height),
                move(area.x + area.width - 1, area.y + area.height - 1, width, height),
            )
            (left, right), (top, bottom) = (sorted(side) for side in zip(*corners, strict=True))
            found[Area(area.kind, left, top, right - left + 1, bottom - top + 1)] = None
    return tuple(found)


@lru_cache(maxsize=64)
def fold_of(name: str, frame: Frame) -> Fold:
    """Return a fold of a frame; raise `InputError` if the level must be square and is not."""
    width, height = frame.width, frame.height
    if name in SQUARE and width != height:
        message = f"fold: expected a square level for {name}, got {width}x{height}; choose a square size, or another fold"
        raise InputError(message)
    columns = (width + 1) // 2 if name in {"left_right", "both", "quarter_turn"} else width
    rows = (height + 1) // 2 if name in {"up_down", "both", "half_turn", "quarter_turn"} else height
    sources = np.empty((height, width), np.int32)
    for y in range(height):
        for x in range(width):
            orbit = [(x, y), *(move(x, y, width, height) for move in MOVES[name])]
            sources[y, x] = min(b * columns + a for a, b in orbit if a < columns and b < rows)
    part = _part(name, frame, columns, rows, sources)
    lines, partners, ranges = _gates(name, columns, rows)
    return Fold(part, sources, lines, partners, ranges)


def _part(name: str, frame: Frame, columns: int, rows: int, sources: NDArray[np.int32]) -> Frame:
    places: dict[str, Place] = {}
    for place in (ENTRANCE, EXIT):
        if place in frame.places:
            x, y = frame.places[place]
            cell = int(sources[y, x])
            if (cell % columns, cell // columns) not in places.values():
                places[place] = (cell % columns, cell // columns)
    kept = np.full(columns * rows, FREE)
    if name == "diagonal":
        kept[[y * columns + x for y in range(rows) for x in range(y)]] = "#"
    for y, row in reversed(list(enumerate(frame.kept))):
        for x, character in enumerate(row):
            if character not in UNKEPT:
                kept[sources[y, x]] = character
    for x, y in places.values():
        # A place is open, also where a wall is kept at one of its images.
        kept[y * columns + x] = FREE if kept[y * columns + x] == "#" else kept[y * columns + x]
    drawn = tuple("".join(kept[y * columns : (y + 1) * columns]) for y in range(rows))
    return Frame(columns, rows, places, drawn if any(character != FREE for character in kept) else (), frame.tours, frame.goal, like=frame.like)


def _gates(name: str, columns: int, rows: int) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """Return lines, partners and ranges: lines from the right edge of the part, one per row, then lines from its lower edge, one per column."""
    longest = max(columns, rows)
    right = [[y * columns + x for x in reversed(range(columns))] for y in range(rows)]
    lower = [[y * columns + x for y in reversed(range(rows))] for x in range(columns)]
    used, ranges = [], []
    if name in {"left_right", "both", "quarter_turn"}:
        used, ranges = right, [(0, rows)]
    partners = list(range(len(used)))
    if name in {"up_down", "both", "half_turn"}:
        ranges.append((len(used), len(used) + columns))
        # After half a turn, the line from the other side lies behind a line of the lower edge.
        partners += [len(used) + (columns - 1 - x if name == "half_turn" else x) for x in range(columns)]
        used = used + lower
    if name == "quarter_turn":
        partners, used = [*range(rows, 2 * rows), *range(rows)], used + lower
    lines = np.full((len(used), longest), -1, np.int32)
    for row, line in zip(lines, used, strict=True):
        row[: len(line)] = line
    return lines, np.array(partners, np.int32), np.array(ranges, np.int32).reshape(-1, 2)
