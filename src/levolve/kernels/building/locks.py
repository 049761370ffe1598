"""What can be reached in a level with locks, while it is furnished.

The cells between barriers are regions, numbered from 0, that of the entrance; a set of regions is a
word of bits. A barrier joins the regions beside it as soon as it is open.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.building.choke_points import Bytes, Numbers, Whole, beside
from levolve.kernels.compiler import kernel

Words = NDArray[np.uint64]
# What a slot is, the first column of the table of slots: a barrier that asks for so much of a group
# of resources (LOCK), that takes one (TAKER), that a switch opens (GATE), that is never needed
# (SECRET), or that can be left in one direction only (ONE_WAY); and what gives resources for locks
# (KEY) and for takers (PAYMENT), what opens and shuts gates (SWITCH), and everything else
# (CONTENT).
LOCK, TAKER, GATE, SECRET, ONE_WAY, KEY, PAYMENT, SWITCH, CONTENT = range(9)
# The columns: the first column of its cells in the result, the group of resources and the amount,
# the slot of a gate's switch and whether the gate is open at first, preferences as bits, the least
# and the greatest distance from the entrance, whether no path may depend on its cell, and whether
# others guard it.
ROLE, FIRST, GROUP, AMOUNT, SWITCH_OF, OPEN, WHERE, NEAREST, FARTHEST, ASIDE, GUARDED = range(11)
COLUMNS = 11
MOST_REGIONS, MOST_GROUPS, MOST_SWITCHES, MOST_TAKERS = 63, 32, 6, 8
NO_GROUP = -1
_0, _1 = np.uint64(0), np.uint64(1)


@kernel
def find_regions(
    ways: Bytes,
    width: Whole,
    entrance: Whole,
    order: Numbers,
    count: Whole,
    barrier_at: Numbers,
    region: Numbers,
    queue: Numbers,
    joins: Words,
    depths: Numbers,
) -> Whole:
    """Number the regions of the first `count` cells of `order`, and return how many there are.

    `barrier_at` is the slot of the barrier on each cell, or -1. `region` gets the region of each
    cell, -1 for barriers and the cells beyond the last region that has a number; `joins` the
    regions beside the barrier of each slot; and `depths` the fewest barriers between each region
    and the entrance.
    """
    for cell in range(ways.size):
        region[cell] = -1
    found = 0
    for i in range(-1, count):
        first = entrance if i < 0 else order[i]
        if region[first] >= 0 or barrier_at[first] >= 0 or found == MOST_REGIONS:
            continue
        region[first] = found
        queue[0] = first
        head, tail = 0, 1
        while head < tail:
            cell = queue[head]
            head += 1
            for move in range(4):
                if (ways[cell] >> move) & 1:
                    other = beside(cell, move, width)
                    if region[other] < 0 and barrier_at[other] < 0:
                        region[other] = found
                        queue[tail] = other
                        tail += 1
        found += 1
    for slot in range(joins.size):
        joins[slot] = _0
    for i in range(count):
        cell = order[i]
        if barrier_at[cell] >= 0:
            for move in range(4):
                if (ways[cell] >> move) & 1:
                    other = beside(cell, move, width)
                    if region[other] >= 0:
                        joins[barrier_at[cell]] |= _1 << np.uint64(region[other])
    for k in range(depths.size):
        depths[k] = 0
    reached = _1
    for depth in range(1, found + 1):
        layer = reached
        for slot in range(joins.size):
            if joins[slot] & reached:
                layer |= joins[slot]
        for k in range(found):
            if (layer & ~reached) >> np.uint64(k) & _1:
                depths[k] = depth
        reached = layer
    return found


@kernel
def reachable(
    slots: Numbers,
    joins: Words,
    places: Words,
    switches: Numbers,
    opened: Words,
    shut_group: Whole,
    shut_switch: Whole,
    assumed: bool,
    have: Numbers,
    visited: Words,
) -> np.uint64:
    """Return the regions that a player can come to.

    Parameters
    ----------
    joins, places
        For each slot, the regions beside a barrier, and the region of another thing as a bit; 0 if
        it is not placed.
    switches
        The slots of switches.
    opened
        One bit per slot: the takers that are open; all others are shut.
    shut_group, shut_switch
        A group of resources whose locks stay shut, and a switch whose gates do; -1 for none.
    assumed
        Whether things that are not placed are had from the start.
    have, visited
        Work arrays for groups, and for each state of all switches.
    """
    states = 1 << switches.size
    for state in range(states):
        visited[state] = _0
    visited[0] = _1
    union = _1
    changed = True
    while changed:
        changed = False
        for group in range(have.size):
            have[group] = 0
        for slot in range(slots.shape[0]):
            if slots[slot, ROLE] == KEY and (
                places[slot] & union or (assumed and not places[slot])
            ):
                have[slots[slot, GROUP]] += slots[slot, AMOUNT]
        for state in range(states):
            at = visited[state]
            if not at:
                continue
            before = _0
            while at != before:
                before = at
                for slot in range(slots.shape[0]):
                    role = slots[slot, ROLE]
                    if not joins[slot] & at or not joins[slot] & ~at:
                        continue
                    is_open = False
                    if role == LOCK:
                        group = slots[slot, GROUP]
                        is_open = group != shut_group and have[group] >= slots[slot, AMOUNT]
                    elif role == TAKER:
                        is_open = (opened[slot >> 6] >> np.uint64(slot & 63)) & _1 != _0
                    elif role == GATE:
                        switch = slots[slot, SWITCH_OF]
                        if switch != shut_switch:
                            is_open = assumed and not places[switch]
                            for k in range(switches.size):
                                if switches[k] == switch:
                                    is_open |= (state >> k) & 1 != slots[slot, OPEN]
                    if is_open:
                        at |= joins[slot]
            if at != visited[state]:
                visited[state] = at
                changed = True
            for k in range(switches.size):
                here = places[switches[k]] & at
                other = state ^ (1 << k)
                if here and not visited[other] & here:
                    visited[other] |= here
                    changed = True
        before_union = union
        for state in range(states):
            union |= visited[state]
        changed |= union != before_union
    return union


@kernel
def regions_for_payments(
    slots: Numbers,
    joins: Words,
    places: Words,
    switches: Numbers,
    takers: Numbers,
    group: Whole,
    allowed: Words,
    sets: Words,
    opened: Words,
    have: Numbers,
    visited: Words,
) -> None:
    """Write to `allowed[j]` the regions for payment j of a group, counted from 0: those that can be
    reached whichever j takers of the group are open, and whichever of other groups.

    A player who has opened j takers of the group then finds one more payment, so that no order is
    wrong. `takers` are their slots; `sets` is a work array for the regions of each set of them.
    """
    count = takers.size
    for j in range(allowed.size):
        allowed[j] = ~_0
    for chosen in range(1 << count):
        sets[chosen] = _0
        possible = chosen == 0
        used = 0
        for k in range(opened.size):
            opened[k] = _0
        for k in range(count):
            if (chosen >> k) & 1:
                slot = takers[k]
                opened[slot >> 6] |= _1 << np.uint64(slot & 63)
                used += slots[slot, GROUP] == group
                # Whether this can be the one that was opened last.
                possible |= joins[slot] & sets[chosen ^ (1 << k)] != _0
        if not possible:
            continue
        sets[chosen] = reachable(
            slots, joins, places, switches, opened, NO_GROUP, -1, False, have, visited
        )
        for j in range(allowed.size):
            # With more payments than takers, the last ones lie wherever all takers lead.
            if used == min(j, _of_group(slots, takers, group)):
                allowed[j] &= sets[chosen]


@kernel
def _of_group(slots: Numbers, takers: Numbers, group: Whole) -> Any:
    count = 0
    for k in range(takers.size):
        count += slots[takers[k], GROUP] == group
    return count


@kernel
def deepest(regions: np.uint64, depths: Numbers) -> np.uint64:
    """Return those of the regions with the most barriers before them."""
    most = -1
    found = _0
    for k in range(depths.size):
        bit = _1 << np.uint64(k)
        if regions & bit:
            if depths[k] > most:
                most = depths[k]
                found = _0
            if depths[k] == most:
                found |= bit
    return found
