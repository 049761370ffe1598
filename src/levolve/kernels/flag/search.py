"""Exact search: depth-first for ways to win."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiled import kernel
from levolve.kernels.flag.field import NEVER, Cells, Field, Places
from levolve.kernels.flag.positions import Packing, Words, find_position, keep_position, one_visit, pack_position
from levolve.kernels.flag.pruning import hopeless, make_room

FAILED, SOLVED, GAVE_UP = 0, 1, 2


@kernel
def _order_moves(left: Cells, steps: Places, here: int, order: NDArray[np.int8], ways: Places) -> int:
    """The moves that lead onto a tile, how many; fewest ways on first (Warnsdorff): such a cell is the likeliest to be cut off if left for later."""
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
    """Whether a step onto a cell that never falls leads to a position that the walk has been in since a tile last fell."""
    back = depth
    while back >= 0 and rest[back] == rest[depth]:
        if place[back] == near:
            return True
        back -= 1
    return False


@kernel
def search(field: Field, packing: Packing, table: Words, limit: int, budget: int, moves: NDArray[np.int8]) -> tuple[int, int, int, int]:
    """Depth-first for up to `limit` ways to win: (outcome, how many were found, length of the first, positions looked at).

    The first way is written to `moves`. Positions that are known to lead nowhere are kept in `table`. A way that comes back to the very same
    position (possible only on cells that never fall) is no new way; where such a step was left out, the position may still lead somewhere from
    elsewhere, and while ways are counted it is not kept.
    """
    room = make_room(field)
    left, steps, start, flag = room.left, field.steps, field.start, field.flag
    deepest = moves.shape[0]
    place = np.zeros(deepest + 1, np.int64)
    rest = np.zeros(deepest + 1, np.int64)
    order = np.zeros((deepest + 1, 4), np.int8)
    choices = np.zeros(deepest + 1, np.int8)
    tried = np.zeros(deepest + 1, np.int8)
    left_out = np.zeros(deepest + 1, np.bool_)
    found_before = np.zeros(deepest + 1, np.int64)
    way = np.zeros(deepest + 1, np.int8)
    ways = np.zeros(4, np.int64)
    place[0] = start
    rest[0] = field.remaining
    if left[start] < NEVER:
        left[start] -= 1
        rest[0] -= 1
    key = np.zeros(packing.place + 1, np.uint64)
    pack_position(left, start, packing, key)
    found = 0
    length = 0
    nodes = 1
    stored = 0
    if hopeless(field, room, start, rest[0]):
        return FAILED, 0, 0, nodes
    nodes = 0
    depth = 0
    entering = True
    while depth >= 0:
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
                    return SOLVED, found, length, nodes
            elif nodes > budget:
                return GAVE_UP, found, length, nodes
            else:
                key[packing.place] = np.uint64(here)
                known = table[find_position(table, key), packing.place + 1] != 0
                choices[depth] = -1 if known else _order_moves(left, steps, here, order[depth], ways)
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
        if choices[depth] >= 0 and found == found_before[depth] and (limit == 1 or not left_out[depth]) and stored * 2 < table.shape[0]:
            key[packing.place] = np.uint64(here)
            stored += keep_position(table, key, 1) == 0
        if depth > 0:
            if left[here] != NEVER:
                left[here] += 1
                key[packing.word[here]] += one_visit(here, packing)
            if left_out[depth] and rest[depth - 1] == rest[depth]:
                left_out[depth - 1] = True
        depth -= 1
    return SOLVED if found > 0 else FAILED, found, length, nodes
