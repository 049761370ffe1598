"""What the things of a level do in a proof, the class of the level, and the greedy sweep.

A sweep takes everything that can be reached, opens what these things open, and repeats. One round
is a sphere. If nothing can be lost on the way (class A), the sweep decides whether a level can be
won.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiler import inlined, kernel
from levolve.kernels.proofs.condensation import Numbers, Rows, Table, Whole, group_at

# The columns of the traits of things; docs of `levels.things.lowering` explain them. A gate is the
# row of its switch among the things of its level.
CELL, STATE, SWITCH, FORCED, STARTS_ON, GATE, GATE_OPEN, DIRECTIONS, LEADS, COUNTS = range(10)
TRAITS = 10
# The second axis of the amounts of things.
GIVES, NEEDS, SPENDS = range(3)
# Values of states and switches.
DONE, SWITCHED = 1, 2
TOGGLE, ONCE = 1, 2
EVERY = 15
# Bits of the role of a thing. What acts changes what can be won. What bars is an own cell even
# where every move can be taken back.
ACTS, BARS, ASKS, PAYS, OFFERS = 1, 2, 4, 8, 16
# The columns of the spheres of nodes.
ENTERED, SEEN = range(2)
# The classes of levels, and what they are made of: spent resources, switches.
SIMPLE, TOGGLES, CONSUMES, GENERAL = 0, 1, 2, 4

Amounts = NDArray[np.int32]


@kernel
def find_roles(
    traits: Numbers, amounts: Amounts, collects: bool, roles: Table, wanted: Table
) -> Whole:
    """Write the roles of a level's things; return the class as far as one-ways are harmless.

    `wanted` is a work array for a flag per thing and per resource.
    """
    count, resources = traits.shape[0], amounts.shape[2]
    for i in range(count + resources):
        wanted[i] = 0
    for thing in range(count):
        role = 0
        for r in range(resources):
            if amounts[thing, GIVES, r]:
                role |= OFFERS
            if amounts[thing, NEEDS, r]:
                role |= ASKS
            if amounts[thing, SPENDS, r]:
                role |= PAYS
        if traits[thing, GATE] >= 0:
            wanted[traits[thing, GATE]] = 1
        if (
            role & (ASKS | PAYS)
            or traits[thing, GATE] >= 0
            or traits[thing, LEADS] >= 0
            or traits[thing, DIRECTIONS] != EVERY
        ):
            role |= ACTS | BARS
            for r in range(resources):
                if amounts[thing, NEEDS, r]:
                    wanted[count + r] |= 1
                if amounts[thing, SPENDS, r]:
                    wanted[count + r] |= 2
        elif collects and traits[thing, COUNTS]:
            role |= ACTS
        roles[thing] = role
    kind = SIMPLE
    for thing in range(count):
        own = np.int64(roles[thing])
        if wanted[thing]:
            own |= ACTS
        lasting = False
        for r in range(resources):
            if wanted[count + r]:
                if amounts[thing, GIVES, r]:
                    own |= ACTS
                if wanted[count + r] & 2 and amounts[thing, NEEDS, r]:
                    lasting = True
        roles[thing] = own
        if not own & ACTS:
            continue
        if own & PAYS:
            kind |= CONSUMES
        elif lasting:
            # It needs, each time anew, what others spend.
            kind |= GENERAL
        if traits[thing, SWITCH]:
            kind |= TOGGLES
            if traits[thing, SWITCH] == ONCE or traits[thing, FORCED]:
                kind |= GENERAL
            if traits[thing, GATE] == thing:
                kind |= GENERAL
        if traits[thing, LEADS] >= 0:
            back = False
            for other in range(count):
                if (
                    traits[other, CELL] == traits[thing, LEADS]
                    and traits[other, LEADS] == traits[thing, CELL]
                ):
                    back = True
            if not back:
                kind |= GENERAL
    return kind


@kernel
def is_harmless(
    cell: Whole,
    directions: Whole,
    tiles: Table,
    steps: Table,
    own_at: Numbers,
    rows: Rows,
    starts: Rows,
    before: Numbers,
    parent: Numbers,
) -> bool:
    """Whether a one-way leads back into the one group that it can be entered from."""
    height, width = tiles.shape
    y = cell // width
    x = cell - y * width
    around: Whole = -1
    leaves = False
    for move in range(4):
        to_y = y - 1 if move == 0 else y + 1 if move == 1 else y
        to_x = x - 1 if move == 2 else x + 1 if move == 3 else x
        if not (0 <= to_x < width and 0 <= to_y < height):
            continue
        if not steps[tiles[y, x], tiles[to_y, to_x]]:
            continue
        beside = to_y * width + to_x
        if own_at[beside] >= 0:
            return False
        group = group_at(beside, width, rows, starts, before, parent)
        if around not in (-1, group):
            return False
        around = group
        leaves |= (directions >> move) & 1 != 0
    return leaves


@inlined
def suffices(thing: Whole, amounts: Amounts, have: NDArray[Any]) -> bool:
    """Whether somebody who has these amounts has what a thing needs."""
    enough = True
    for r in range(have.size):
        enough &= amounts[thing, NEEDS, r] <= have[r]
    return enough


@inlined
def _lets_in(
    thing: Whole, traits: Numbers, amounts: Amounts, have: Numbers, switched: bool
) -> bool:
    """Whether a thing lets in somebody who has these amounts, and whether its switch was used."""
    gate = traits[thing, GATE]
    if gate >= 0 and not switched and traits[gate, STARTS_ON] == traits[thing, GATE_OPEN]:
        return False
    return suffices(thing, amounts, have)


@kernel
def sweep(
    traits: Numbers,
    amounts: Amounts,
    initial: Numbers,
    roles: Table,
    place: Numbers,
    start: Whole,
    last: Whole,
    nodes: Whole,
    own_thing: Numbers,
    count: Whole,
    first: Numbers,
    targets: Numbers,
    reached: Table,
    queue: Numbers,
    waiting: Numbers,
    have: Numbers,
    spheres: Numbers,
) -> Whole:
    """Mark the nodes of a graph that a greedy sweep reaches; return the number of its rounds.

    What spends is opened in order as soon as it can be, and both states of a switch count as
    reached with the switch: both are exact only where a level has neither.

    Parameters
    ----------
    place
        The node of each thing, or -1.
    last
        A node that is not left, or -1.
    own_thing
        The thing on each of the `count` own cells, or -1.
    spheres
        `(n, 2)` gets the rounds, from 1, in which each node is entered, and in which it is entered
        or found shut; 0 for never.
    """
    resources = initial.size
    for node in range(nodes):
        reached[node] = 0
        spheres[node, ENTERED] = spheres[node, SEEN] = 0
    for r in range(resources):
        have[r] = initial[r]
    reached[start] = 1
    spheres[start, ENTERED] = spheres[start, SEEN] = 1
    queue[0] = start
    head, tail, blocked = 0, 1, 0
    rounds = 0
    while head < tail:
        rounds += 1
        while head < tail:
            node = queue[head]
            head += 1
            if node == last:
                continue
            for edge in range(first[node], first[node + 1]):
                to = targets[edge]
                if reached[to]:
                    continue
                spheres[to, SEEN] = rounds
                if to < count and own_thing[to] >= 0 and np.int64(roles[own_thing[to]]) & BARS:
                    thing = own_thing[to]
                    # A switch has no gifts, so that its place is not marked as taken.
                    seat = place[traits[thing, GATE]] if traits[thing, GATE] >= 0 else -1
                    used = seat >= 0 and 0 < spheres[seat, ENTERED] < rounds
                    if not _lets_in(thing, traits, amounts, have, used):
                        reached[to] = 2
                        waiting[blocked] = to
                        blocked += 1
                        continue
                    for r in range(resources):
                        have[r] -= amounts[thing, SPENDS, r]
                reached[to] = 1
                spheres[to, ENTERED] = rounds
                queue[tail] = to
                tail += 1
        for thing in range(traits.shape[0]):
            node = place[thing]
            gives = np.int64(roles[thing]) & (ACTS | OFFERS) == ACTS | OFFERS
            if gives and node >= 0 and reached[node] == 1:
                for r in range(resources):
                    have[r] += amounts[thing, GIVES, r]
                # Marked as taken by a place that no node has; restored at the end.
                place[thing] = -2 - node
        left = 0
        opened = tail
        for i in range(blocked):
            node = waiting[i]
            thing = own_thing[node]
            seat = place[traits[thing, GATE]] if traits[thing, GATE] >= 0 else -1
            if not _lets_in(thing, traits, amounts, have, seat >= 0 and reached[seat] == 1):
                waiting[left] = node
                left += 1
                continue
            for r in range(resources):
                have[r] -= amounts[thing, SPENDS, r]
            queue[opened] = node
            opened += 1
        # Marked only now, so that a switch opens gates in the next round.
        for i in range(tail, opened):
            reached[queue[i]] = 1
            spheres[queue[i], ENTERED] = rounds + 1
        tail = opened
        blocked = left
    for node in range(nodes):
        if reached[node] == 2:
            reached[node] = 0
    for thing in range(traits.shape[0]):
        if place[thing] <= -2:
            place[thing] = -2 - place[thing]
    return rounds
