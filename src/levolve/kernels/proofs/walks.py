"""Shortest plays: the fewest moves to win a level with things, or to lose it.

The own cells of a level are the nodes of a graph, and the steps between two of them through other
cells the lengths of its edges. The search goes over its states by their distance from the start.
Edges are computed where the search arrives first.
"""

import numpy as np

from levolve.kernels.bits.new_arrays import empty, full, zeros
from levolve.kernels.compiler import inlined, kernel
from levolve.kernels.proofs.condensation import (
    Numbers,
    Rows,
    Table,
    Whole,
    has_groups,
    is_uniform,
)
from levolve.kernels.proofs.opened_sets import LOST, set_slot
from levolve.kernels.proofs.states import (
    MOST_BITS,
    amounts_of,
    enter,
    initial_bits,
    number_bits,
    state_slot,
)
from levolve.kernels.proofs.sweeps import (
    ACTS,
    CELL,
    COUNTS,
    DIRECTIONS,
    EVERY,
    FORCED,
    GENERAL,
    LEADS,
    ONCE,
    SWITCH,
    Amounts,
    find_roles,
)

_0, _1, _32 = (np.uint64(n) for n in (0, 1, 32))
SMALL_TABLE = 1024
# Values of cells: closed, passable, own.
CLOSED, OPEN, OWN = range(3)
# A stamp that no search has.
FOR_EVER = np.iinfo(np.int32).max
# Moves: up, down, left, right, by `x`.
BY_X = 4
# What is searched for.
WIN, LOSS = 0, 1


@inlined
def _neighbour(cell: Whole, move: Whole, stride: Whole) -> Whole:
    """Return the cell to which a move leads."""
    if move < 2:
        return cell - stride if move == 0 else cell + stride
    return cell - 1 if move == 2 else cell + 1


@kernel
def spread(
    source: Whole,
    directions: Whole,
    kinds: Table,
    steps: Table,
    stride: Whole,
    marks: Table,
    seen: Numbers,
    stamp: Whole,
    queue: Numbers,
    came: Table,
    ends: Numbers,
) -> Whole:
    """Write the own cells that are reached from one through open cells, and the steps, to `(n, 2)`
    `ends`; return their number.

    `seen` and `came` get the stamp of this search and the move by which each cell was entered.
    """
    found = tail = 0
    depth, level_end, head = 1, 0, -1
    cell = source
    while True:
        for move in range(4):
            if head < 0 and not (directions >> move) & 1:
                continue
            to = _neighbour(cell, move, stride)
            if marks[to] == CLOSED or seen[to] == stamp or not steps[kinds[cell], kinds[to]]:
                continue
            seen[to] = stamp
            came[to] = move
            if marks[to] == OWN:
                ends[found, 0], ends[found, 1] = to, depth
                found += 1
            else:
                queue[tail] = to
                tail += 1
        head += 1
        if head == tail:
            return found
        if head == level_end:
            depth += 1
            level_end = tail
        cell = queue[head]


@kernel
def spread_evenly(
    source: Whole,
    directions: Whole,
    stride: Whole,
    marks: Table,
    seen: Numbers,
    stamp: Whole,
    queue: Numbers,
    ends: Numbers,
) -> Whole:
    """Do the same as `spread`, without moves, where every step between cells that are not closed is
    legal. Closed cells are seen for ever.
    """
    found = tail = head = 0
    for move in range(4):
        to = _neighbour(source, move, stride)
        if (directions >> move) & 1 and seen[to] < stamp:
            seen[to] = stamp
            queue[tail] = to
            tail += 1
    depth, level_end = 1, tail
    while head < tail:
        if head == level_end:
            depth += 1
            level_end = tail
        cell = queue[head]
        head += 1
        if marks[cell] == OWN:
            ends[found, 0], ends[found, 1] = cell, depth
            found += 1
            continue
        # Without branches: what is not new is overwritten by the next.
        for to in (cell - stride, cell + stride, cell - 1, cell + 1):
            was = seen[to]
            queue[tail] = to
            tail += was < stamp
            seen[to] = max(was, np.int32(stamp))
    return found


@kernel
def shortest_play(
    aim: Whole,
    tiles: Table,
    steps: Table,
    stops: Numbers,
    collects: bool,
    initial: Numbers,
    traits: Numbers,
    amounts: Amounts,
    kind: Whole,
    cell_nodes: Numbers,
    sets: Rows,
    choices: Numbers,
    payers: Whole,
    paying: Numbers,
    keys: Rows,
    ranks: Numbers,
    proof_table: Numbers,
    proof_size: Whole,
    plays: Rows,
    lengths: Numbers,
    parents: Numbers,
    entries: Numbers,
    edges: Numbers,
    table: Numbers,
    moves: Table,
) -> Whole:
    """Write the moves of a shortest play that wins the level, or that ends with a move after which
    it cannot be won; return their number, -1 if there is none, and -2 if a limit is exceeded.

    Parameters
    ----------
    aim
        `WIN` or `LOSS`.
    tiles, steps, stops, collects, initial, traits, amounts
        The level: see `prove_levels`.
    kind, cell_nodes, sets, choices, payers, paying, keys, ranks, proof_table, proof_size
        The proof, for a loss: the class, and what `prove_levels` leaves in its work arrays.
    plays, lengths, parents, entries, edges, table
        Work arrays, which limit the size of the search; `table` is filled with -1.
    moves
        Gets the moves: 0 to 3 for u, d, l and r, 4 for x. If it is empty, they are only counted.
    """
    height, width = tiles.shape
    things = traits.shape[0]
    stride = width + 2
    size = (height + 2) * stride
    roles = empty(things + 1, np.uint8)
    wanted = empty(things + initial.size + 1, np.uint8)
    find_roles(traits, amounts, collects, roles, wanted)
    bit_of, have = empty(things + 1, np.int32), empty(initial.size, np.int32)
    if number_bits(traits, roles, bit_of) > MOST_BITS:
        return -2
    counting = False
    for thing in range(things):
        counting |= collects and traits[thing, COUNTS] != 0
    final = stops.size - 1
    at_once = True
    for k in range(stops.size):
        at_once &= stops[k] == stops[0]
    if at_once and (stops.size == 0 or not counting):
        return 0 if aim == WIN else -1
    # The level with a margin, and its own cells.
    kinds, marks = zeros(size, np.uint8), zeros(size, np.uint8)
    own_at = full(size, -1, np.int32)
    grouped = has_groups(steps)
    for y in range(height):
        for x in range(width):
            cell = (y + 1) * stride + x + 1
            tile = tiles[y, x]
            kinds[cell] = tile
            if grouped:
                marks[cell] = OPEN if steps[tile, tile] else CLOSED
            else:
                marks[cell] = OWN
    most = size if not grouped else min(size, 2 * things + stops.size)
    own, thing_at = empty(most, np.int32), empty(most, np.int32)
    first, degree = full(most, -1, np.int32), empty(most, np.int32)
    count = 0
    for k in range(2 * things + stops.size + (size if not grouped else 0)):
        thing = -1
        if k < things:
            if not np.int64(roles[k]) & ACTS:
                continue
            thing = k
            place = traits[k, CELL]
        elif k < things + stops.size:
            place = stops[k - things]
        elif k < 2 * things + stops.size:
            place = traits[k - things - stops.size, LEADS]
            if place < 0:
                continue
        else:
            cell = k - 2 * things - stops.size
            if marks[cell] != OWN:
                continue
            place = cell // stride * width - width + cell % stride - 1
        cell = (place // width + 1) * stride + place % width + 1
        if own_at[cell] < 0:
            own_at[cell], own[count], thing_at[count] = count, cell, thing
            marks[cell] = OWN
            count += 1
    stop_nodes = empty(stops.size, np.int32)
    for k in range(stops.size):
        stop_nodes[k] = own_at[(stops[k] // width + 1) * stride + stops[k] % width + 1]
    # Waiting states by their distance, modulo the number of lists; the longest edge is shorter.
    lists = size + 1
    waiting = full(lists, -1, np.int32)
    seen, queue = zeros(size, np.int32), empty(size + 1, np.int32)
    even = is_uniform(steps)
    if even:
        for cell in range(size):
            if marks[cell] == CLOSED:
                seen[cell] = FOR_EVER
    came, ends = empty(size, np.uint8), empty((count + 1, 2), np.int32)
    # The state after the last move has a node of its own.
    over = count
    stage: Whole = 0
    while stage < final - 1 and stop_nodes[stage + 1] == stop_nodes[0]:
        stage += 1
    slots = min(SMALL_TABLE, table.size)
    limit = min(lengths.size, table.size // 2)
    plays[0, 0] = initial_bits(traits, bit_of)
    plays[0, 1] = np.uint64(stop_nodes[0]) | np.uint64(stage) << _32
    table[state_slot(table, slots, plays, plays[0, 0], plays[0, 1])] = 0
    lengths[0], parents[0] = 0, -1
    entries[0, 0], entries[0, 1] = 0, -1
    waiting[0] = 0
    states, pushed, pending, used, stamp = 1, 1, 1, 0, 0
    distance, result = 0, -1
    end: Whole = -1
    while pending > 0 and result == -1:
        entry = waiting[distance % lists]
        if entry < 0:
            distance += 1
            continue
        waiting[distance % lists] = entries[entry, 1]
        pending -= 1
        state = np.int64(entries[entry, 0])
        if lengths[state] != distance:
            continue
        # Done with: a state may have waited twice.
        bits, place = plays[state, 0], plays[state, 1]
        node, stage = np.int64(place) & 0xFFFFFFFF, np.int64(place >> _32)
        if node == over:
            result, end = distance, state
            break
        thing = thing_at[node]
        complete = amounts_of(bits, traits, amounts, initial, bit_of, have) or not collects
        if first[node] < 0:
            stamp += 1
            ways = EVERY if thing < 0 else traits[thing, DIRECTIONS]
            if even:
                found = spread_evenly(own[node], ways, stride, marks, seen, stamp, queue, ends)
            else:
                found = spread(
                    own[node],
                    ways,
                    kinds,
                    steps,
                    stride,
                    marks,
                    seen,
                    stamp,
                    queue,
                    came,
                    ends,
                )
            first[node], degree[node] = used, found
            if used + found > edges.shape[0]:
                result = -2
                break
            for i in range(found):
                edges[used, 0], edges[used, 1] = own_at[ends[i, 0]], ends[i, 1]
                used += 1
        for k in range(degree[node] + 6):
            to: Whole = node
            weight: Whole = 1
            new_bits, new_stage = bits, stage
            if k < degree[node]:
                to, weight = (
                    np.int64(edges[first[node] + k, 0]),
                    np.int64(edges[first[node] + k, 1]),
                )
            elif k == degree[node]:
                if thing < 0 or not traits[thing, SWITCH] or traits[thing, FORCED]:
                    continue
                bit = _1 << np.uint64(bit_of[thing]) if bit_of[thing] >= 0 else _0
                new_bits = bits | bit if traits[thing, SWITCH] == ONCE else bits ^ bit
            elif k == degree[node] + 1:
                if thing < 0 or traits[thing, LEADS] < 0:
                    continue
                place_to = traits[thing, LEADS]
                to = np.int64(own_at[(place_to // width + 1) * stride + place_to % width + 1])
            else:
                # A step into a group may lose.
                move = k - degree[node] - 2
                if aim == WIN or not kind & GENERAL:
                    break
                beside = _neighbour(own[node], move, stride)
                if (
                    marks[beside] != OPEN
                    or (thing >= 0 and not (traits[thing, DIRECTIONS] >> move) & 1)
                    or not steps[kinds[own[node]], kinds[beside]]
                ):
                    continue
                to = over
            if k != degree[node] and to != over:
                if thing_at[to] >= 0:
                    lets_in, new_bits = enter(thing_at[to], bits, traits, amounts, bit_of, have)
                    if not lets_in:
                        continue
                while new_stage < final - 1 and stop_nodes[new_stage + 1] == to:
                    new_stage += 1
                if new_stage == final - 1 and stop_nodes[final] == to and complete:
                    if aim == LOSS:
                        continue
                    to = over
            # The cell on which the move ends.
            cell = own[node]
            if to == over and k >= degree[node] + 2:
                cell = _neighbour(own[node], k - degree[node] - 2, stride)
            elif to == over:
                cell = own[stop_nodes[final]]
            else:
                cell = own[to]
            if aim == LOSS:
                lost = False
                if kind & GENERAL:
                    in_proof = cell_nodes[(cell // stride - 1) * width + cell % stride - 1]
                    at = state_slot(
                        proof_table,
                        proof_size,
                        keys,
                        new_bits,
                        np.uint64(in_proof) | np.uint64(new_stage) << _32,
                    )
                    lost = proof_table[at] >= 0 and ranks[proof_table[at]] == 0
                else:
                    opened = _0
                    for i in range(payers):
                        if (new_bits >> np.uint64(bit_of[paying[i]])) & _1:
                            opened |= _1 << np.uint64(i)
                    at = set_slot(proof_table, proof_size, sets, opened)
                    lost = proof_table[at] >= 0 and choices[proof_table[at]] == LOST
                if lost:
                    to = over
                elif to == over:
                    continue
            by_x = 0 <= k - degree[node] <= 1
            new_place = np.uint64(to) | np.uint64(new_stage) << _32
            if to == over:
                new_bits, new_place = np.uint64(cell), np.uint64(over)
            length = distance + weight
            at = state_slot(table, slots, plays, new_bits, new_place)
            other: Whole = np.int64(table[at])
            if other >= 0 and lengths[other] <= length:
                continue
            if other < 0:
                if states == limit:
                    result = -2
                    break
                other = states
                table[at] = other
                plays[other, 0], plays[other, 1] = new_bits, new_place
                states += 1
                if 2 * states > slots:
                    slots *= 2
                    for i in range(slots):
                        table[i] = -1
                    for i in range(states):
                        table[state_slot(table, slots, plays, plays[i, 0], plays[i, 1])] = i
            lengths[other], parents[other] = length, 2 * state + by_x
            if pushed == entries.shape[0]:
                result = -2
                break
            entries[pushed, 0], entries[pushed, 1] = other, waiting[length % lists]
            waiting[length % lists] = pushed
            pushed += 1
            pending += 1
    for i in range(slots):
        table[i] = -1
    if moves.size == 0:
        return result
    if result > moves.size:
        return -2
    # The moves, from the last one back.
    upto = result
    while result > 0 and parents[end] >= 0:
        before = parents[end] >> 1
        node = np.int64(plays[before, 1]) & 0xFFFFFFFF
        to = np.int64(plays[end, 1]) & 0xFFFFFFFF
        cell = np.int64(plays[end, 0]) if to == over else np.int64(own[to])
        if parents[end] & 1:
            upto -= 1
            moves[upto] = BY_X
        else:
            thing = thing_at[node]
            stamp += 1
            spread(
                own[node],
                EVERY if thing < 0 else traits[thing, DIRECTIONS],
                kinds,
                steps,
                stride,
                marks,
                seen,
                stamp,
                queue,
                came,
                ends,
            )
            while True:
                upto -= 1
                moves[upto] = came[cell]
                cell = _neighbour(cell, came[cell] ^ 1, stride)
                if cell == own[node]:
                    break
        end = before
    return result
