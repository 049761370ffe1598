"""What can be said about a position in the middle of a walk.

What is looked for is a walk that uses up every visit and ends on the flag, so three reasons make a position hopeless, none of which depends on how it
came about. *Connectivity*: what cannot be reached any more can never be used up. *Dead ends*: k visits of a cell stand between k + 1 visits of its
neighbours. *Parity*: steps change the colour of a chequered floor, so the visits left on the two colours must fit, unless a cell that never
falls makes up for it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiler import kernel
from levolve.kernels.flag.field import NEVER, Cells, Field, Places
from levolve.kernels.memory import zeros


class Room(NamedTuple):
    """Room to work in: the visits left of a walk under way, a stack of cells, and marks, which come and go empty."""

    left: Cells
    stack: Places
    mark: NDArray[np.int8]


@kernel
def make_room(field: Field) -> Room:
    """Room for one walk at a time, with all visits left."""
    cells = field.left.shape[0]
    return Room(field.left.copy(), zeros(cells, np.int64), zeros(cells, np.int8))


@kernel
def hopeless(field: Field, room: Room, position: int, remaining: int) -> bool:
    """Whether a position is lost for one of the three reasons above; `room.left` holds its visits."""
    left, stack, mark = room
    steps, flag, colour = field.steps, field.flag, field.colour
    if remaining == 0 and position == flag:
        return False
    reached = np.int64(0)
    flag_reached = False
    dead_end = False
    excess = np.int64(0)
    loose = False
    stack[0] = position
    mark[position] = 1
    count = 1
    done = 0
    while done < count:
        cell = stack[done]
        done += 1
        around = np.int64(0)
        for move in range(4):
            near = cell + steps[move]
            visits = np.int64(left[near])
            if near == position:
                around += 1
            if visits > 0:
                around += visits
                if mark[near] == 0:
                    mark[near] = 1
                    stack[count] = near
                    count += 1
        own = np.int64(left[cell])
        if own == NEVER:
            if cell == flag:
                flag_reached = bool(cell != position or around > 0)
            if colour[cell] != colour[flag]:
                loose = True
        else:
            reached += own
            excess += own if colour[cell] != colour[flag] else -own
            if own > 0 and around < own + 1:
                dead_end = True
    for index in range(count):
        mark[stack[index]] = 0
    if dead_end or reached != remaining or not flag_reached:
        return True
    if loose:
        return False
    if colour[position] != colour[flag]:
        excess += 1
    return bool(excess < 1)
