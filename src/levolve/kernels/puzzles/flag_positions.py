"""Positions of a round packed into a few words, and a table that holds them whole, so that a proof
rests on no hash.

What can be said about a position in the middle of a walk.

What is looked for is a walk that uses up every visit and ends on the flag, so three reasons make a
position hopeless, none of which depends on how it came about. *Connectivity*: what cannot be
reached any more can never be used up. *Dead ends*: k visits of a cell stand between k + 1 visits of
its neighbours. *Parity*: steps change the colour of a chequered floor, so the visits left on the
two colours must fit, unless a cell that never falls makes up for it.

Every position that play can come to, and which of them can still be won.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import full, zeros
from levolve.kernels.bits.random_streams import GOLDEN_STEP, Index
from levolve.kernels.compiler import kernel
from levolve.kernels.puzzles.flag_field import NEVER, Cells, Field, Places

Words = NDArray[np.uint64]
_29 = np.uint64(29)


class Packing(NamedTuple):
    """Where each cell's visits stand in the packed form of a position, and which word holds the
    player's place, the last one.
    """

    word: Places
    shift: Places
    place: int


@kernel
def pack_position(left: Cells, position: Index, packing: Packing, key: Words) -> None:
    """Write the packed form of a position to `key`."""
    key[:] = 0
    for cell in range(left.shape[0]):
        if 0 < left[cell] < NEVER:
            key[packing.word[cell]] += np.uint64(left[cell]) << np.uint64(packing.shift[cell])
    key[packing.place] = np.uint64(position)


@kernel
def one_visit(cell: Index, packing: Packing) -> np.uint64:
    """One visit of a cell, where it stands in its word."""
    return np.uint64(1) << np.uint64(packing.shift[cell])


@kernel
def find_position(table: Words, key: Words) -> Index:
    """The row of the table that holds a key, or the empty row where it would go. A row's last
    column is 0 where it is empty.
    """
    words = key.shape[0]
    mixed = np.uint64(0)
    for word in range(words):
        mixed = (mixed ^ key[word]) * GOLDEN_STEP
        mixed ^= mixed >> _29
    row: Index = np.int64(mixed % np.uint64(table.shape[0]))
    while table[row, words] != 0:
        same = True
        for word in range(words):
            if table[row, word] != key[word]:
                same = False
                break
        if same:
            return row
        row += 1
        if row == table.shape[0]:
            row = 0
    return row


@kernel
def keep_position(table: Words, key: Words, mark: int) -> Index:
    """The mark that a position was kept with; 0 if it is new, and it is then kept with `mark`,
    which is not 0.
    """
    words = key.shape[0]
    row = find_position(table, key)
    if table[row, words] == 0:
        table[row, :words] = key
        table[row, words] = np.uint64(mark)
        return 0
    return np.int64(table[row, words])


class Room(NamedTuple):
    """Room to work in: the visits left of a walk under way, a stack of cells, and marks, which come
    and go empty.
    """

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
    """Whether a position is lost for one of the three reasons above; `room.left` holds its
    visits.
    """
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


@kernel
def explore(field: Field, packing: Packing, table: Words, most: int) -> tuple[int, int]:
    """How many positions play can come to, and how many of those can still be won; (0, 0) where
    there are more than `most`.

    A won position is an end: play goes no further.
    """
    lefts = zeros((most + 4, field.left.shape[0]), np.uint8)
    places = zeros(most + 4, np.int64)
    rests = zeros(most + 4, np.int64)
    after = full((most + 4, 4), -1, np.int64)
    can = zeros(most + 4, np.bool_)
    key = zeros(packing.place + 1, np.uint64)
    lefts[0] = field.left
    rests[0] = field.remaining
    places[0] = field.start
    if field.left[field.start] < NEVER:
        lefts[0, field.start] -= 1
        rests[0] -= 1
    pack_position(lefts[0], field.start, packing, key)
    keep_position(table, key, 1)
    count = 1
    state = 0
    while state < count:
        here = places[state]
        if rests[state] == 0 and here == field.flag:
            can[state] = True
        else:
            for move in range(4):
                near = here + field.steps[move]
                if lefts[state, near] == 0:
                    continue
                lefts[count] = lefts[state]
                places[count] = near
                rests[count] = rests[state]
                if lefts[count, near] != NEVER:
                    lefts[count, near] -= 1
                    rests[count] -= 1
                pack_position(lefts[count], near, packing, key)
                # A position is kept with its number, counted from 1.
                number = keep_position(table, key, count + 1)
                after[state, move] = number - 1 if number > 0 else count
                if number == 0:
                    count += 1
                    if count > most:
                        return 0, 0
        state += 1
    changed = True
    while changed:
        changed = False
        for state in range(count - 1, -1, -1):
            if not can[state]:
                for move in range(4):
                    if after[state, move] >= 0 and can[after[state, move]]:
                        can[state] = True
                        changed = True
                        break
    solvable = 0
    for state in range(count):
        solvable += can[state]
    return count, solvable
