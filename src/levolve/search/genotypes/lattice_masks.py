"""Outlines of levels on a lattice of cells, drawn as masks of `.` and `#`."""

from collections import deque
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.levels.frame import Frame

Mask = tuple[str, ...]
OUT, IN = "#", "."
# Masks are scaled to the lattice, so that they are drawn finer than most lattices.
SIDE = 96


def cells_left(mask: Mask, columns: int, rows: int) -> NDArray[np.bool_]:
    """Return which cells of the lattice the mask leaves, `(rows, columns)`."""
    if not mask:
        return np.ones((rows, columns), bool)
    drawn = np.array([[character == IN for character in row] for row in mask])
    height, width = drawn.shape
    return drawn[
        np.ix_(
            (np.arange(rows) * 2 + 1) * height // (2 * rows),
            (np.arange(columns) * 2 + 1) * width // (2 * columns),
        )
    ]


def check_mask(mask: Mask) -> None:
    """Raise `InputError` unless the mask is empty, or rows of equal length of `.` and `#` with a
    `.` among them.
    """
    if not mask:
        return
    if (
        len({len(row) for row in mask}) != 1
        or not set("".join(mask)) <= {IN, OUT}
        or IN not in "".join(mask)
    ):
        message = (
            f"mask: expected rows of equal length of '{IN}' for cells of the level and '{OUT}' "
            f"for cells taken out, got {list(mask)!r}"
        )
        raise InputError(message)


def check_connected(
    alive: NDArray[np.bool_], ends: NDArray[np.int32], columns: int, rows: int, frame: Frame
) -> None:
    """Raise `InputError` if the cells that a mask leaves are not connected."""
    beside: dict[int, list[int]] = {int(cell): [] for cell in np.flatnonzero(alive)}
    for first, second in ends.tolist():
        beside[first].append(second)
        beside[second].append(first)
    parts, unseen = 0, set(beside)
    while unseen:
        parts += 1
        waiting = deque([unseen.pop()])
        while waiting:
            for cell in beside[waiting.popleft()]:
                if cell in unseen:
                    unseen.remove(cell)
                    waiting.append(cell)
    if parts > 1:
        message = (
            f"mask: expected connected cells on the lattice of {columns}x{rows} cells of a "
            f"level of {frame.width}x{frame.height}, got {parts} parts; "
            "choose a larger size, or a mask with wider connections"
        )
        raise InputError(message)


@lru_cache(maxsize=16)
def mask_of(shape: str) -> Mask:
    """Return the mask of a named shape; empty for "full"."""
    if shape == "full":
        return ()
    inside = {
        "ellipse": lambda x, y: x * x + y * y <= 1,
        "diamond": lambda x, y: abs(x) + abs(y) <= 1,
        "ring": lambda x, y: max(abs(x), abs(y)) >= 1 / 3,
        "cross": lambda x, y: min(abs(x), abs(y)) <= 1 / 3,
    }
    if shape not in inside:
        message = f"shape: expected one of full, {', '.join(inside)}, got {shape!r}"
        raise InputError(message)
    middle = [(2 * k + 1 - SIDE) / SIDE for k in range(SIDE)]
    return tuple("".join(IN if inside[shape](x, y) else OUT for x in middle) for y in middle)
