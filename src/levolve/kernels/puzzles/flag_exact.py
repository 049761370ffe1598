"""Exact search: depth-first for ways to win."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import zeros
from levolve.kernels.compiler import kernel
from levolve.kernels.puzzles.flag_field import NEVER, Cells, Field, Places
from levolve.kernels.puzzles.flag_positions import (
    Packing,
    Room,
    Words,
    find_position,
    hopeless,
    keep_position,
    one_visit,
    pack_position,
)

FAILED, SOLVED, GAVE_UP, PAUSED = 0, 1, 2, 3
# The numbers of a search: how it ended (`PAUSED`: not yet), how many ways were found, the length of
# the first, the positions looked at, those kept in the table, the depth, whether the position there
# is new, and whether the search has begun.
OUTCOME, WAYS, LENGTH, NODES, STORED, DEPTH, ENTERING, BEGUN = range(8)


class Descent(NamedTuple):
    """A search under way: its numbers, the visits left, the packed position, and for each depth the
    place, the visits left in all, the moves in their order, how many there are, how many were
    tried, whether a step was left out, the ways found before, and the move. `moves` is the first
    way.
    """

    numbers: Places
    left: Cells
    key: Words
    place: Places
    rest: Places
    order: NDArray[np.int8]
    choices: NDArray[np.int8]
    tried: NDArray[np.int8]
    left_out: NDArray[np.bool_]
    found_before: Places
    way: NDArray[np.int8]
    moves: NDArray[np.int8]


def new_descent(field: Field, packing: Packing, deepest: int) -> Descent:
    """A search no deeper than `deepest` moves, with nothing looked at yet."""
    room = deepest + 1
    numbers = np.array([PAUSED, 0, 0, 0, 0, 0, 1, 0], np.int64)
    key = np.zeros(packing.place + 1, np.uint64)
    place, rest, found_before = np.zeros((3, room), np.int64)
    choices, tried, way = np.zeros((3, room), np.int8)
    order, left_out, moves = (
        np.zeros((room, 4), np.int8),
        np.zeros(room, np.bool_),
        np.zeros(deepest, np.int8),
    )
    return Descent(
        numbers,
        field.left.copy(),
        key,
        place,
        rest,
        order,
        choices,
        tried,
        left_out,
        found_before,
        way,
        moves,
    )


@kernel
def _order_moves(
    left: Cells, steps: Places, here: int, order: NDArray[np.int8], ways: Places
) -> int:
    """The moves that lead onto a tile, how many; fewest ways on first (Warnsdorff): such a cell is
    the likeliest to be cut off if left for later.
    """
    count = 0
    for move in range(4):
        near = here + steps[move]
        if left[near] == 0:
            continue
        open_ways = 8 if left[near] == NEVER else 0
        for further in range(4):
            if left[near + steps[further]] > 0:
                open_ways += 1
        at = count
        while at > 0 and ways[at - 1] > open_ways:
            ways[at] = ways[at - 1]
            order[at] = order[at - 1]
            at -= 1
        ways[at] = open_ways
        order[at] = move
        count += 1
    return count


@kernel
def _comes_back(place: Places, rest: Places, depth: int, near: int) -> bool:
    """Whether a step onto a cell that never falls leads to a position that the walk has been in
    since a tile last fell.
    """
    back = depth
    while back >= 0 and rest[back] == rest[depth]:
        if place[back] == near:
            return True
        back -= 1
    return False


@kernel
def search(
    field: Field,
    packing: Packing,
    table: Words,
    limit: int,
    budget: int,
    until: int,
    descent: Descent,
) -> None:
    """Go on depth-first for up to `limit` ways to win, until the search has ended or `until`
    positions have been looked at in all.

    Positions that are known to lead nowhere are kept in `table`. A way that comes back to the very
    same position (possible only on cells that never fall) is no new way; where such a step was left
    out, the position may still lead somewhere from elsewhere, and while ways are counted it is not
    kept.
    """
    numbers, left, key, place, rest, order, choices, tried, left_out, found_before, way, moves = (
        descent
    )
    cells = left.shape[0]
    room = Room(left, zeros(cells, np.int64), zeros(cells, np.int8))
    steps, start, flag = field.steps, field.start, field.flag
    deepest = moves.shape[0]
    ways = zeros(4, np.int64)
    if numbers[BEGUN] == 0:
        numbers[BEGUN] = 1
        place[0] = start
        rest[0] = field.remaining
        if left[start] < NEVER:
            left[start] -= 1
            rest[0] -= 1
        pack_position(left, start, packing, key)
        if hopeless(field, room, start, rest[0]):
            numbers[OUTCOME], numbers[NODES] = FAILED, 1
    outcome, found, length, nodes = numbers[OUTCOME], numbers[WAYS], numbers[LENGTH], numbers[NODES]
    stored, depth, entering = numbers[STORED], numbers[DEPTH], numbers[ENTERING] != 0
    while outcome == PAUSED and nodes < until:
        here = place[depth]
        if entering:
            entering = False
            nodes += 1
            choices[depth] = 0
            tried[depth] = 0
            left_out[depth] = False
            found_before[depth] = found
            if rest[depth] == 0 and here == flag:
                found += 1
                if found == 1:
                    length = depth
                    moves[:depth] = way[:depth]
                if found >= limit:
                    outcome = SOLVED
                    break
            elif nodes > budget:
                outcome = GAVE_UP
                break
            else:
                key[packing.place] = np.uint64(here)
                known = table[find_position(table, key), packing.place + 1] != 0
                choices[depth] = (
                    -1 if known else _order_moves(left, steps, here, order[depth], ways)
                )
        if tried[depth] < choices[depth] and depth < deepest:
            move = order[depth, tried[depth]]
            tried[depth] += 1
            near = here + steps[move]
            after = rest[depth]
            if left[near] == NEVER:
                if _comes_back(place, rest, depth, near):
                    left_out[depth] = True
                    continue
            else:
                after -= 1
                left[near] -= 1
                key[packing.word[near]] -= one_visit(near, packing)
            if hopeless(field, room, near, after):
                nodes += 1
                if left[near] != NEVER:
                    left[near] += 1
                    key[packing.word[near]] += one_visit(near, packing)
                continue
            way[depth] = move
            depth += 1
            place[depth] = near
            rest[depth] = after
            entering = True
            continue
        # Everything from here has been tried.
        if (
            choices[depth] >= 0
            and found == found_before[depth]
            and (limit == 1 or not left_out[depth])
            and stored * 2 < table.shape[0]
        ):
            key[packing.place] = np.uint64(here)
            stored += keep_position(table, key, 1) == 0
        if depth > 0:
            if left[here] != NEVER:
                left[here] += 1
                key[packing.word[here]] += one_visit(here, packing)
            if left_out[depth] and rest[depth - 1] == rest[depth]:
                left_out[depth - 1] = True
        depth -= 1
        if depth < 0:
            outcome = SOLVED if found > 0 else FAILED
    numbers[OUTCOME], numbers[WAYS], numbers[LENGTH], numbers[NODES] = outcome, found, length, nodes
    numbers[STORED], numbers[DEPTH], numbers[ENTERING] = stored, depth, entering
