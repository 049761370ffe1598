"""Furnishing: the cells of keys, doors, treasure, monsters and other things in levels.

Barriers are placed on choke points. Then come keys and switches by *assumed fill*, each where a
player comes who has all the others but none of what it opens; so every level can be won. Payments
for barriers that take something follow, in every region that has to have one; so no order of
opening them is wrong. Everything else is placed by preferences.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty, zeros
from levolve.kernels.building.choke_points import (
    Bytes,
    Numbers,
    Whole,
    beside,
    find_cuts,
    find_ways,
    walk_from,
)
from levolve.kernels.building.locks import (
    CONTENT,
    FARTHEST,
    FIRST,
    GATE,
    GROUP,
    GUARDED,
    KEY,
    MOST_GROUPS,
    MOST_REGIONS,
    MOST_SWITCHES,
    MOST_TAKERS,
    NEAREST,
    NO_GROUP,
    ONE_WAY,
    OPEN,
    PAYMENT,
    ROLE,
    SWITCH,
    SWITCH_OF,
    TAKER,
    WHERE,
    deepest,
    find_regions,
    reachable,
    regions_for_payments,
)
from levolve.kernels.building.thing_cells import (
    AT_EXIT,
    BYTE,
    GUARDING,
    VALUES,
    choose_barrier,
    choose_cell,
    close_passage,
    mark_near,
    pick_preference,
)
from levolve.kernels.compiler import kernel

_0, _1 = np.uint64(0), np.uint64(1)


@kernel
def keep_beside(
    slot: Whole,
    slots: Numbers,
    own: NDArray[np.int64],
    width: Whole,
    entrance: Whole,
    ways: Bytes,
    blocked: Bytes,
    number: Numbers,
    order: Numbers,
    work: Numbers,
    cuts: Numbers,
    ends: Bytes,
    lonely: Bytes,
    held_back: Bytes,
) -> bool:
    """Take from `lonely` the cells before and behind the other gates of the same switch, which are
    shut while this one is open; return whether there are such gates. `held_back` gets the cells.
    """
    found = False
    for cell in range(lonely.size):
        held_back[cell] = 0
    for other in range(slots.shape[0]):
        if (
            slots[other, ROLE] != GATE
            or slots[other, SWITCH_OF] != slots[slot, SWITCH_OF]
            or slots[other, OPEN]
            or own[slots[other, FIRST]] < 0
        ):
            continue
        found = True
        gate = own[slots[other, FIRST]]
        find_cuts(ways, blocked, width, entrance, gate, number, order, work, cuts, ends)
        for cell in range(lonely.size):
            held_back[cell] |= ends[cell]
        blocked[gate] = 1
        find_cuts(ways, blocked, width, entrance, entrance, number, order, work, cuts, ends)
        blocked[gate] = 0
        for cell in range(lonely.size):
            held_back[cell] |= number[cell] < 0
    for cell in range(lonely.size):
        held_back[cell] &= lonely[cell]
        lonely[cell] &= 1 - held_back[cell]
    return found


@kernel
def furnish_levels(
    tiles: Bytes,
    linked: Bytes,
    ends_of_levels: NDArray[np.int64],
    taken: NDArray[np.int64],
    slots: Numbers,
    genes: NDArray[np.int64],
    apart: Whole,
    assumed_fill: bool,
    cells: NDArray[np.int64],
) -> None:
    """Write the cells of the things of n levels to `cells` `(n, k)`, -1 for what has no place.

    Parameters
    ----------
    tiles, linked
        `(n, height, width)` tiles, and the table of steps that are legal in both directions.
    ends_of_levels, taken
        `(n, 2)` cells of entrance and exit, and `(n, t)` further cells that are not free, or -1.
    slots
        `(s, COLUMNS)` what is placed: barriers first.
    genes
        `(n, s, 2)` numbers from 0 to 65,535: a target or index, and choices.
    apart
        Things are at least this many rows and columns from each other.
    assumed_fill
        Whether keys and the like are placed where they can be had, and by preference. Otherwise
        all things but barriers are on the cells that their numbers select.
    """
    levels, height, width = tiles.shape
    size = height * width
    ways, shapes = empty(size, np.uint8), empty(size, np.uint8)
    blocked, free, lonely = empty(size, np.uint8), empty(size, np.uint8), empty(size, np.uint8)
    held_back = empty(size, np.uint8)
    number, order = empty(size, np.int32), empty(size, np.int32)
    cuts, cuts_exit = empty(size, np.int32), empty(size, np.uint8)
    work, queue = empty((3, size), np.int32), empty(size + 1, np.int32)
    steps, away = empty(size, np.int32), empty(size, np.int32)
    region, barrier_at = empty(size, np.int32), empty(size, np.int32)
    count_of_slots = slots.shape[0]
    joins, places = zeros(count_of_slots, np.uint64), zeros(count_of_slots, np.uint64)
    depths = empty(MOST_REGIONS, np.int32)
    have, visited = empty(MOST_GROUPS, np.int32), empty(1 << MOST_SWITCHES, np.uint64)
    opened = zeros((count_of_slots >> 6) + 1, np.uint64)
    sets, allowed_for = empty(1 << MOST_TAKERS, np.uint64), empty(count_of_slots + 1, np.uint64)
    queue_of_slots = empty(count_of_slots, np.int32)
    all_switches, all_takers = empty(count_of_slots, np.int32), empty(count_of_slots, np.int32)
    treasures = empty(count_of_slots, np.int32)
    switches_found = takers_found = 0
    for slot in range(count_of_slots):
        if slots[slot, ROLE] == SWITCH:
            all_switches[switches_found] = slot
            switches_found += 1
        if slots[slot, ROLE] == TAKER:
            all_takers[takers_found] = slot
            takers_found += 1
    switches, takers = all_switches[:switches_found], all_takers[:takers_found]
    for level in range(levels):
        entrance, exit_cell = ends_of_levels[level, 0], ends_of_levels[level, 1]
        own = cells[level]
        for k in range(own.size):
            own[k] = -1
        find_ways(tiles[level], linked, ways, shapes)
        if entrance < 0 or exit_cell < 0 or not ways[entrance] or not ways[exit_cell]:
            continue
        for cell in range(size):
            blocked[cell] = 0
            free[cell] = lonely[cell] = ways[cell] != 0
            barrier_at[cell] = -1
        farthest = walk_from(ways, width, exit_cell, away, queue)
        farthest = walk_from(ways, width, entrance, steps, queue)
        if steps[exit_cell] < 0:
            continue
        mark_near(entrance, width, min(apart, 2), free)
        free[exit_cell] = 0
        for k in range(taken.shape[1]):
            if taken[level, k] >= 0:
                mark_near(taken[level, k], width, apart, free)
        count = find_cuts(
            ways, blocked, width, entrance, exit_cell, number, order, work, cuts, cuts_exit
        )
        # What stands in the way: first what leaves another way, which is then closed for all that
        # follows.
        for turn in range(2):
            for slot in range(count_of_slots):
                role = slots[slot, ROLE]
                if role > ONE_WAY or (role == ONE_WAY) != (turn == 0):
                    continue
                nested = slots[slot, OPEN] and keep_beside(
                    slot,
                    slots,
                    own,
                    width,
                    entrance,
                    ways,
                    blocked,
                    number,
                    order,
                    work,
                    cuts,
                    cuts_exit,
                    lonely,
                    held_back,
                )
                if nested:
                    count = find_cuts(
                        ways,
                        blocked,
                        width,
                        entrance,
                        exit_cell,
                        number,
                        order,
                        work,
                        cuts,
                        cuts_exit,
                    )
                chosen = choose_barrier(
                    role,
                    genes[level, slot, 0],
                    genes[level, slot, 1],
                    slots[slot, NEAREST],
                    slots[slot, FARTHEST],
                    width,
                    count,
                    order,
                    ways,
                    shapes,
                    cuts,
                    cuts_exit,
                    free,
                    lonely,
                    steps,
                    away,
                )
                if nested:
                    for cell in range(size):
                        lonely[cell] |= held_back[cell]
                if chosen < 0:
                    continue
                own[slots[slot, FIRST]] = chosen
                barrier_at[chosen] = slot
                mark_near(chosen, width, max(apart, 2), free)
                close_passage(chosen, width, ways, shapes, lonely)
                if turn == 0:
                    blocked[chosen] = 1
                    count = find_cuts(
                        ways,
                        blocked,
                        width,
                        entrance,
                        exit_cell,
                        number,
                        order,
                        work,
                        cuts,
                        cuts_exit,
                    )
        find_regions(ways, width, entrance, order, count, barrier_at, region, queue, joins, depths)
        # One-ways are closed to the search for regions, but have neighbours.
        for slot in range(count_of_slots):
            places[slot] = _0
            if slots[slot, ROLE] == ONE_WAY and own[slots[slot, FIRST]] >= 0:
                _turn(own, slots[slot, FIRST], genes[level, slot, 1], width, ways, region, depths)
        behind = _0
        for k in range(MOST_REGIONS):
            if depths[k] > 0:
                behind |= _1 << np.uint64(k)
        # Keys and switches in the order of their genes, then payments, then all else.
        waiting = 0
        for slot in range(count_of_slots):
            if slots[slot, ROLE] in (KEY, SWITCH):
                place = waiting
                while (
                    place > 0
                    and genes[level, queue_of_slots[place - 1], 1] % BYTE
                    < genes[level, slot, 1] % BYTE
                ):
                    queue_of_slots[place] = queue_of_slots[place - 1]
                    place -= 1
                queue_of_slots[place] = slot
                waiting += 1
        first_payment = waiting
        for role in (PAYMENT, CONTENT):
            for slot in range(count_of_slots):
                if slots[slot, ROLE] == role:
                    queue_of_slots[waiting] = slot
                    waiting += 1
        group: Whole = NO_GROUP
        paid = found_treasures = 0
        for k in range(waiting):
            slot = queue_of_slots[k]
            role = slots[slot, ROLE]
            allowed = ~_0
            if assumed_fill and role in (KEY, SWITCH):
                for part in range(opened.size):
                    opened[part] = ~_0
                allowed = reachable(
                    slots,
                    joins,
                    places,
                    switches,
                    opened,
                    slots[slot, GROUP] if role == KEY else NO_GROUP,
                    slot if role == SWITCH else -1,
                    True,
                    have,
                    visited,
                )
            elif assumed_fill and role == PAYMENT:
                if k == first_payment or slots[slot, GROUP] != group:
                    group, paid = slots[slot, GROUP], 0
                    regions_for_payments(
                        slots,
                        joins,
                        places,
                        switches,
                        takers,
                        group,
                        allowed_for,
                        sets,
                        opened,
                        have,
                        visited,
                    )
                allowed = allowed_for[paid]
                paid += 1
            target = genes[level, slot, 0] * size // VALUES
            preference = pick_preference(
                slots[slot, WHERE] if assumed_fill else 0, genes[level, slot, 1] // BYTE
            )
            if preference == GUARDING and found_treasures:
                target = treasures[genes[level, slot, 0] * found_treasures // VALUES]
            if preference == AT_EXIT:
                target = exit_cell
            chosen = choose_cell(
                slot,
                slots,
                target,
                preference,
                allowed,
                behind if role == CONTENT else deepest(allowed & behind, depths),
                not assumed_fill or role == CONTENT,
                width,
                count,
                order,
                region,
                shapes,
                cuts,
                free,
                steps,
                away,
                farthest,
                steps[exit_cell],
            )
            if chosen < 0:
                continue
            own[slots[slot, FIRST]] = chosen
            mark_near(chosen, width, apart, free)
            if region[chosen] >= 0:
                places[slot] = _1 << np.uint64(region[chosen])
            if slots[slot, GUARDED]:
                treasures[found_treasures] = chosen
                found_treasures += 1


@kernel
def _turn(
    own: NDArray[np.int64],
    first: Whole,
    choice: Whole,
    width: Whole,
    ways: Bytes,
    region: Numbers,
    depths: Numbers,
) -> None:
    """Move a one-way to the column of its direction, up, down, left or right: to the side with
    fewer barriers before it.
    """
    cell = own[first]
    own[first] = -1
    depth_before, direction = -1, -1
    for move in range(4):
        if (ways[cell] >> move) & 1:
            other = region[beside(cell, move, width)]
            depth = depths[other] if other >= 0 else MOST_REGIONS
            if direction < 0 or depth < depth_before or (depth == depth_before and choice & 1):
                depth_before, direction = depth, move
    own[first + direction] = cell
