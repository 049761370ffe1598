"""The cells of single things while a level is furnished: barriers on choke points, and other things
by preferences.
"""

from typing import Any

import numpy as np

from levolve.kernels.building.choke_points import (
    DEAD_END,
    IN_ROOM,
    NARROW,
    PASSAGE,
    Bytes,
    Numbers,
    Whole,
    beside,
)
from levolve.kernels.building.locks import ASIDE, FARTHEST, NEAREST, ONE_WAY, SECRET
from levolve.kernels.compiler import kernel

# Preferences, as bits of WHERE: dead ends, rooms, off and on the way to the exit, far from the
# entrance, behind barriers, corridors, near a treasure, and on the way just before the exit.
(
    ANYWHERE,
    AT_DEAD_END,
    IN_A_ROOM,
    OFF_WAY,
    ON_WAY,
    FAR,
    BEHIND,
    IN_CORRIDOR,
    GUARDING,
    AT_EXIT,
) = range(10)
PREFERENCES = 10
# A gene has 16 bits.
VALUES, BYTE = 1 << 16, 256
# A barrier separates at least this many cells, a secret door at most this part of all.
_LEAST_CUT, _SECRET_PART = 3, 4
_PREFERRED = 1 << 20
_0, _1 = np.uint64(0), np.uint64(1)


@kernel
def suits_barrier(
    cell: Whole,
    width: Whole,
    ways: Bytes,
    shapes: Bytes,
    cuts: Numbers,
    loops: bool,
    free: Bytes,
    steps: Numbers,
    away: Numbers,
) -> bool:
    """Whether a barrier can stand on a cell: in a passage, near its end, and it separates cells;
    with `loops`, it instead leaves another way.
    """
    if not shapes[cell] & PASSAGE or not free[cell] or steps[cell] < 2 or away[cell] < 1:
        return False
    if loops:
        return bool(cuts[cell] == 0)
    if cuts[cell] < _LEAST_CUT:
        return False
    for move in range(4):
        if (ways[cell] >> move) & 1:
            other = beside(cell, move, width)
            if not shapes[other] & PASSAGE or cuts[other] == 0:
                return True
    return False


@kernel
def mark_near(cell: Whole, width: Whole, apart: Whole, free: Bytes) -> None:
    """Mark the cells less than `apart` rows and columns from a cell as not free."""
    height = free.size // width
    y = cell // width
    x = cell - y * width
    for up in range(max(0, y - apart + 1), min(height, y + apart)):
        reach = apart - 1 - abs(up - y)
        for left in range(max(0, x - reach), min(width, x + reach + 1)):
            free[up * width + left] = 0
    free[cell] = 0


@kernel
def close_passage(cell: Whole, width: Whole, ways: Bytes, shapes: Bytes, lonely: Bytes) -> None:
    """Mark the whole passage around a cell, so that it gets no second barrier."""
    lonely[cell] = 0
    for first in range(4):
        if not (ways[cell] >> first) & 1:
            continue
        at, came = beside(cell, first, width), cell
        moving = True
        while moving and lonely[at] and at != cell:
            lonely[at] = 0
            moving = False
            if shapes[at] & PASSAGE or (shapes[at] & NARROW and _is_bend(ways[at])):
                for move in range(4):
                    if (ways[at] >> move) & 1:
                        other = beside(at, move, width)
                        if other != came and not moving:
                            came, at = at, other
                            moving = True
                            break


@kernel
def _is_bend(way: Whole) -> bool:
    return way in (5, 9, 6, 10)


@kernel
def choose_barrier(
    role: Whole,
    index: Whole,
    choice: Whole,
    least: Whole,
    most: Whole,
    width: Whole,
    count: Whole,
    order: Numbers,
    ways: Bytes,
    shapes: Bytes,
    cuts: Numbers,
    ends: Bytes,
    free: Bytes,
    lonely: Bytes,
    steps: Numbers,
    away: Numbers,
) -> Any:
    """Return the cell of a barrier, or -1. `index` selects it among all that suit it.

    `choice` decides about a barrier that everybody has to pass, any choke point, or a passage with
    another way around. A secret door hides a small part of the level.
    """
    for attempt in range(3):
        loops = role == ONE_WAY or (role != SECRET and (choice % 16 == 15 or attempt == 2))
        if loops and attempt == 1 and role != ONE_WAY:
            loops = False
        on_way = role not in (SECRET, ONE_WAY) and choice & 16 and attempt == 0
        found = 0
        for again in range(2):
            wanted = index * found // VALUES if again else -1
            if again and not found:
                break
            found = 0
            for i in range(count):
                cell = order[i]
                if (
                    not lonely[cell]
                    or not least <= steps[cell] <= most
                    or (on_way and not ends[cell])
                    or (role == SECRET and (ends[cell] or cuts[cell] * _SECRET_PART > count))
                    or not suits_barrier(cell, width, ways, shapes, cuts, loops, free, steps, away)
                ):
                    continue
                if found == wanted:
                    return cell
                found += 1
    return -1


@kernel
def choose_cell(
    slot: Whole,
    slots: Numbers,
    target: Whole,
    preference: Whole,
    allowed: np.uint64,
    behind: np.uint64,
    everywhere: bool,
    width: Whole,
    count: Whole,
    order: Numbers,
    region: Numbers,
    shapes: Bytes,
    cuts: Numbers,
    free: Bytes,
    steps: Numbers,
    away: Numbers,
    farthest: Whole,
    shortest: Whole,
) -> Any:
    """Return the free cell nearest to `target` that has the preference, or the nearest one if none
    has it; -1 if there is none in the `allowed` regions.

    `behind` are the regions that count as behind a barrier; with `everywhere`, barriers themselves
    are not there, and all regions are allowed.
    """
    best, chosen = -_PREFERRED, -1
    target_y = target // width
    target_x = target - target_y * width
    for i in range(count):
        cell = order[i]
        if not free[cell] or not slots[slot, NEAREST] <= steps[cell] <= slots[slot, FARTHEST]:
            continue
        place = region[cell]
        if not everywhere and (place < 0 or not (allowed >> np.uint64(place)) & _1):
            continue
        if slots[slot, ASIDE] and (cuts[cell] or away[cell] == 0):
            continue
        on_way = away[cell] >= 0 and steps[cell] + away[cell] == shortest
        suits = True
        if preference == AT_DEAD_END:
            suits = shapes[cell] & DEAD_END != 0
        elif preference == IN_A_ROOM:
            suits = shapes[cell] & IN_ROOM != 0
        elif preference == OFF_WAY:
            suits = not on_way
        elif preference in (ON_WAY, AT_EXIT):
            suits = on_way
        elif preference == FAR:
            suits = 3 * steps[cell] >= 2 * farthest
        elif preference == BEHIND:
            suits = place >= 0 and (behind >> np.uint64(place)) & _1 != _0
        elif preference == IN_CORRIDOR:
            suits = shapes[cell] & NARROW != 0 and shapes[cell] & DEAD_END == 0
        y = cell // width
        value = -abs(y - target_y) - abs(cell - y * width - target_x)
        if preference == AT_EXIT and cuts[cell]:
            # In a passage nobody gets around.
            value += 3
        if suits:
            value += _PREFERRED >> 1
        if value > best:
            best, chosen = value, cell
    return chosen


@kernel
def pick_preference(where: Whole, number: Whole) -> Any:
    """Return one of the preferences in a set of bits."""
    options = 0
    for k in range(PREFERENCES):
        options += (where >> k) & 1
    if options == 0:
        return ANYWHERE
    left = number * options // BYTE
    for k in range(PREFERENCES):
        if (where >> k) & 1:
            if left == 0:
                return k
            left -= 1
    return ANYWHERE
