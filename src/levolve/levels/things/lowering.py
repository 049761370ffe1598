"""`Mechanics`: what the things of a level do, as plain arrays for kernels.

`lower(level)` computes it. Decorations have no row, and neither has a thing that stands on the
start (the kind `player`): what it gives is in `initial`.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# Bits of `Mechanics.directions`.
UP, DOWN, LEFT, RIGHT, EVERY = 1, 2, 4, 8, 15
# Values of `Mechanics.switch`.
NO_SWITCH, TOGGLE, ONCE = 0, 1, 2
# Values of `Mechanics.states`.
NO_STATE, DONE, SWITCH = 0, 1, 2


@dataclass(frozen=True, eq=False)
class Mechanics:
    """A level and its n acting things, which use r resources. Cells are numbered in reading order,
    y * width + x; -1 means none. Arrays are contiguous and read-only.

    The rows are ordered as in `Level.things`, so by cell. A cell has at most one acting thing; only
    `initial` stems from what stands on the start. A thing has at most one bit of state.

    Attributes
    ----------
    tiles
        `(height, width)` uint8 kinds of tiles.
    steps
        `(kinds, kinds)` bool: whether a step from a kind of tile to another is legal.
    symmetric
        Whether `steps` is symmetric.
    stops
        `(s,)` int32 cells of the goal's stops in order, the start first; empty for a goal without
        stops, which is won at once.
    collects
        Whether everything that counts has to be taken before the last stop is entered (the goal
        `all`).
    resources
        The r names of resources, sorted.
    initial
        `(r,)` int32 amounts at the start.
    things
        `(n,)` int32 index of each row in `Level.things`.
    cells
        `(n,)` int32 cells.
    at
        `(height, width)` int32 row of the acting thing on each cell, or -1.
    gives, needs, spends
        `(n, r)` int32 amounts from 0 to 99,999. `spends` is at most `needs`, in each entry. What
        needs and spends nothing lets everybody in. What needs but spends nothing is asked on each
        entering. What spends is asked and spends on the first entering only.
    states
        `(n,)` uint8 the meaning of the thing's bit: NO_STATE 0, DONE 1 (it gives, counts or spends;
        set on the first entering), SWITCH 2 (whether it is on).
    switch
        `(n,)` uint8: NO_SWITCH 0, TOGGLE 1, ONCE 2 (it can only be switched on).
    forced
        `(n,)` bool: the switch acts on each entering; other switches are used by `x`.
    starts_on
        `(n,)` bool: the switch is on at the start.
    gate
        `(n,)` int32 row of the switch that opens or shuts this thing, or -1.
    gate_open
        `(n,)` bool: the thing lets in if and only if the state of its switch differs from this
        value, so true means open while the switch is off.
    directions
        `(n,)` uint8 moves by which the cell may be left: UP 1 | DOWN 2 | LEFT 4 | RIGHT 8, EVERY 15
        if it is no one-way.
    leads_to
        `(n,)` int32 cell to which `x` leads, or -1. The cell need not have an acting thing; it may
        be a stop.
    counts
        `(n,)` bool: needed for the goal `all`.
    """

    tiles: NDArray[np.uint8]
    steps: NDArray[np.bool_]
    symmetric: bool
    stops: NDArray[np.int32]
    collects: bool
    resources: tuple[str, ...]
    initial: NDArray[np.int32]
    things: NDArray[np.int32]
    cells: NDArray[np.int32]
    at: NDArray[np.int32]
    gives: NDArray[np.int32]
    needs: NDArray[np.int32]
    spends: NDArray[np.int32]
    states: NDArray[np.uint8]
    switch: NDArray[np.uint8]
    forced: NDArray[np.bool_]
    starts_on: NDArray[np.bool_]
    gate: NDArray[np.int32]
    gate_open: NDArray[np.bool_]
    directions: NDArray[np.uint8]
    leads_to: NDArray[np.int32]
    counts: NDArray[np.bool_]
