"""Levels in which every move can be taken back, except that things are spent (classes C, C+T, T).

What a player can reach is determined by the set of things that were opened: he can return to the
start, and everything else that he did only helps. With switches, a set comes with the nodes that
can be reached for each combination of switches. Sets are computed by size, and from the last one
back it is decided from which ones the level can be won.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty
from levolve.kernels.bits.words import lowest_bit
from levolve.kernels.compiler import inlined, kernel
from levolve.kernels.proofs.condensation import Numbers, Rows, Table, Whole
from levolve.kernels.proofs.sweeps import (
    ACTS,
    ASKS,
    COUNTS,
    GATE,
    GATE_OPEN,
    GIVES,
    OFFERS,
    PAYS,
    SPENDS,
    STARTS_ON,
    SWITCH,
    Amounts,
    suffices,
)

WORD = 64
_0, _1 = np.uint64(0), np.uint64(1)
_HASH, _32 = np.uint64(0x9E3779B97F4A7C15), np.uint64(32)
# The most things of a level that spend, and switches.
MOST_OPENED, MOST_SWITCHES = 64, 16
# Values in `choices`: a win without opening anything, and a set from which none is possible.
WINS, LOST = -1, -2
# The size of the hash table at first; a power of two.
SMALL_TABLE = 512


@inlined
def _has(words: Rows, first: Whole, bit: Whole) -> bool:
    """Whether a set of words that starts at `first` contains a number."""
    return bool((words[first + bit // WORD] >> np.uint64(bit % WORD)) & _1)


@inlined
def _add(words: Rows, first: Whole, bit: Whole) -> None:
    """Add a number to a set of words that starts at `first`."""
    words[first + bit // WORD] |= _1 << np.uint64(bit % WORD)


@inlined
def set_slot(table: Numbers, size: Whole, sets: Rows, key: np.uint64) -> Whole:
    """Return where a set is in the hash table, or where it belongs. Small sets do not collide."""
    mask = np.uint64(size - 1)
    at = (key ^ (key >> _32)) & mask
    while table[at] >= 0 and sets[table[at]] != key:
        at = (at + _1) & mask
    return np.int64(at)


@kernel
def clear(table: Numbers, size: Whole) -> None:
    """Empty the used part of a hash table."""
    for i in range(size):
        table[i] = -1


@inlined
def _expand(
    reach: Rows,
    words: Whole,
    row: Whole,
    beside: Whole,
    shut: Whole,
    waits: Whole,
    allowed: Whole,
    masks: Whole,
    levers: Numbers,
    switches: Whole,
    place: Numbers,
    stack: Numbers,
    top: Whole,
    aim: np.uint64,
) -> None:
    """Expand what waits for the combinations of switches on the stack, and for others that can be
    switched to on the way; of a graph of one word, until a node of `aim` is reached.
    """
    near = row + masks * words
    while top > 0:
        top -= 1
        mask = np.int64(stack[top])
        own, closed, new = row + mask * words, shut + mask * words, waits + mask * words
        if words == 1:
            # The common case, in registers.
            here, left, beyond = reach[own], reach[new], reach[near]
            within, free = ~reach[closed], reach[allowed]
            reach[new] = _0
            here |= left
            while left != _0:
                around = reach[beside + np.int64(lowest_bit(left))] & within
                beyond |= around
                more = around & free & ~here
                here |= more
                left = (left & (left - _1)) | more
            reach[own], reach[near] = here, beyond
            if here & aim != _0:
                return
        w = 0
        while w < words and words > 1:
            if reach[new + w] == _0:
                w += 1
                continue
            left = reach[new + w]
            node = w * WORD + np.int64(lowest_bit(left))
            reach[new + w] = left & (left - _1)
            reach[own + w] |= left ^ (left & (left - _1))
            back = w
            for v in range(words):
                around = reach[beside + node * words + v] & ~reach[closed + v]
                reach[near + v] |= around
                more = around & reach[allowed + v] & ~reach[own + v]
                reach[new + v] |= more
                if more != _0 and v < back:
                    back = v
            w = back
        for k in range(switches):
            node = place[levers[k]]
            other = mask ^ (1 << k)
            if (
                _has(reach, own, node)
                and not _has(reach, row + other * words, node)
                and not _has(reach, waits + other * words, node)
            ):
                _add(reach, waits + other * words, node)
                stack[top] = other
                top += 1


@kernel
def search_opened(
    traits: Numbers,
    amounts: Amounts,
    initial: Numbers,
    roles: Table,
    place: Numbers,
    collects: bool,
    start: Whole,
    last: Whole,
    stops: Numbers,
    nodes: Whole,
    edges: Numbers,
    made: Whole,
    sets: Rows,
    choices: Numbers,
    ways: Rows,
    table: Numbers,
    reach: Rows,
    paying: Numbers,
    keep: bool,
    whole: bool,
    reached: Table,
    out: NDArray[np.int64],
) -> None:
    """Decide a level; write whether it can be won, the number of sets and of those that are lost.

    Parameters
    ----------
    place
        The node of each thing, or -1.
    last
        A node that is not left, or -1.
    stops
        The nodes of the stops after the first.
    sets, choices
        Get the sets that can be reached, by index in `paying`, and a thing to open next that leads
        to a win, or `WINS` or `LOST`.
    ways, table, reach
        Work arrays; `table` is filled with -1. They limit the size of the search.
    paying
        Gets the things that spend, which have a node.
    whole
        Whether the search of a level where nothing is spent goes on after a win.
    reached
        Gets whether each node can be reached, unless a limit is exceeded; of a search that is not
        whole, maybe not all.
    out
        Gets -1 in the first place if a limit is exceeded, the used size of `table` in the
        fourth, and the number of `paying` in the fifth; unless `keep`, `table` is filled with -1
        again. Then the number of things to open next in all sets that can be won, and of those
        after which the level is lost.
    """
    things, resources = traits.shape[0], initial.size
    words = (nodes + WORD - 1) // WORD
    for k in range(out.size):
        out[k] = -1 if k == 0 else 0
    # The numbers of what spends, and of the switches.
    payers = switches = 0
    levers = paying[MOST_OPENED:]
    for thing in range(things):
        if not np.int64(roles[thing]) & ACTS or place[thing] < 0:
            continue
        if np.int64(roles[thing]) & PAYS:
            if payers == MOST_OPENED:
                return
            paying[payers] = thing
            payers += 1
        if traits[thing, SWITCH]:
            if switches == MOST_SWITCHES:
                return
            levers[switches] = thing
            switches += 1
    masks = 1 << switches
    # The sets of nodes at the start of `reach`, in words: what each node is beside, what is shut
    # for each combination of switches, what waits to be expanded in each; then single sets.
    beside, shut, waits = 0, nodes * words, (nodes + masks) * words
    base = (nodes + 2 * masks) * words
    allowed, near = base + words, base + 2 * words
    union, ended = base + 3 * words, base + 4 * words
    by_switch = base + 5 * words
    first_row = by_switch + 2 * switches * words
    # A set's row: the reached nodes for each combination, and the nodes beside them.
    row_size = (masks + 1) * words
    if first_row + row_size > reach.size:
        return
    for i in range(first_row):
        reach[i] = _0
    for edge in range(made):
        if edges[edge, 0] != last:
            _add(reach, beside + edges[edge, 0] * words, edges[edge, 1])
    for node in range(nodes):
        _add(reach, base, node)
    if last >= 0:
        _add(reach, ended, last)
    initial_mask: Whole = 0
    for k in range(switches):
        initial_mask |= np.int64(traits[levers[k], STARTS_ON]) << k
    for thing in range(things):
        node = place[thing]
        if not np.int64(roles[thing]) & ACTS or node < 0:
            continue
        if np.int64(roles[thing]) & ASKS:
            reach[base + node // WORD] &= ~(_1 << np.uint64(node % WORD))
        gate = traits[thing, GATE]
        if gate < 0:
            continue
        index = -1
        for k in range(switches):
            if levers[k] == gate:
                index = k
        if index >= 0:
            # Shut while its switch is on, or while it is off.
            _add(reach, by_switch + (2 * index + (traits[thing, GATE_OPEN] != 0)) * words, node)
        elif (traits[gate, STARTS_ON] != 0) == (traits[thing, GATE_OPEN] != 0):
            _add(reach, shut, node)
    for w in range(words):
        for k in range(switches):
            off = reach[by_switch + 2 * k * words + w]
            on = reach[by_switch + (2 * k + 1) * words + w]
            for mask in range(1 << k):
                reach[shut + (mask + (1 << k)) * words + w] = reach[shut + mask * words + w] | on
                reach[shut + mask * words + w] |= off
    limit = min(sets.size, (reach.size - first_row) // row_size, table.size // 2)
    size = min(SMALL_TABLE, table.size)
    sets[0] = _0
    table[set_slot(table, size, sets, _0)] = 0
    states = 1
    # The parent of a set, until the set is computed.
    choices[0] = -1
    # What gives, what asks but spends nothing, and what counts but spends nothing.
    givers, askers = empty(things + 1, np.int32), empty(things + 1, np.int32)
    giving = asking = 0
    lasting, possible = empty(things + stops.size + 1, np.int32), True
    goals = 0
    for k in range(stops.size):
        lasting[goals] = stops[k]
        goals += 1
    for thing in range(things):
        role = np.int64(roles[thing])
        if not role & ACTS:
            continue
        if collects and traits[thing, COUNTS]:
            possible &= place[thing] >= 0
            if not role & PAYS:
                lasting[goals] = place[thing]
                goals += 1
        if place[thing] < 0 or role & PAYS:
            continue
        if role & OFFERS:
            givers[giving] = thing
            giving += 1
        if role & ASKS:
            askers[asking] = thing
            asking += 1
    # Where nothing is spent, one win decides the level.
    aim = _0
    if payers == 0 and not whole and goals == 1 and words == 1 and possible and lasting[0] >= 0:
        aim = _1 << np.uint64(lasting[0])
    stack = empty(masks * (switches + 1) + 1, np.int32)
    have = empty(resources, np.int64)
    fits = True
    head = 0
    while head < states and fits:
        row = first_row + head * row_size
        opened = sets[head]
        # The row starts as that of the parent, with what was opened last where it is beside nodes
        # that are left.
        top = 0
        if head == 0:
            for i in range(row_size):
                reach[row + i] = _0
            _add(reach, waits + initial_mask * words, start)
            stack[0] = initial_mask
            top = 1
        else:
            parent = first_row + choices[head] * row_size
            for i in range(row_size):
                reach[row + i] = reach[parent + i]
            door = place[paying[np.int64(lowest_bit(opened ^ sets[choices[head]]))]]
            for mask in range(masks):
                touches = _0
                for w in range(words):
                    from_here = reach[row + mask * words + w] & reach[beside + door * words + w]
                    touches |= from_here & ~reach[ended + w]
                if touches != _0 and not _has(reach, shut + mask * words, door):
                    _add(reach, waits + mask * words, door)
                    stack[top] = mask
                    top += 1
        for w in range(words):
            reach[allowed + w] = reach[base + w]
        left = opened
        while left != _0:
            _add(reach, allowed, place[paying[np.int64(lowest_bit(left))]])
            left &= left - _1
        while True:
            _expand(
                reach,
                words,
                row,
                beside,
                shut,
                waits,
                allowed,
                masks,
                levers,
                switches,
                place,
                stack,
                top,
                aim,
            )
            # What the player has now, and what lets him in because of that.
            for w in range(words):
                reach[near + w] = _0
                for mask in range(masks):
                    reach[near + w] |= reach[row + mask * words + w]
            for r in range(resources):
                have[r] = initial[r]
            for k in range(giving):
                thing = givers[k]
                if _has(reach, near, place[thing]):
                    for r in range(resources):
                        have[r] += amounts[thing, GIVES, r]
            left = opened
            while left != _0:
                thing = paying[np.int64(lowest_bit(left))]
                left &= left - _1
                for r in range(resources):
                    have[r] += amounts[thing, GIVES, r] - amounts[thing, SPENDS, r]
            more = False
            for k in range(asking):
                node = place[askers[k]]
                if not _has(reach, allowed, node) and suffices(askers[k], amounts, have):
                    _add(reach, allowed, node)
                    more = True
            if not more or reach[near] & aim != _0:
                break
            top = 0
            for mask in range(masks):
                some = _0
                for w in range(words):
                    reach[waits + mask * words + w] = reach[row + mask * words + w]
                    some |= reach[row + mask * words + w]
                if some != _0:
                    stack[top] = mask
                    top += 1
        for w in range(words):
            reach[union + w] |= reach[near + w]
        won = possible
        for k in range(goals):
            won &= possible and _has(reach, near, lasting[k])
        openable = _0
        for k in range(payers):
            thing = paying[k]
            bit = _1 << np.uint64(k)
            if opened & bit:
                continue
            won &= not (collects and traits[thing, COUNTS])
            if not _has(reach, row + masks * words, place[thing]) or not suffices(
                thing, amounts, have
            ):
                continue
            openable |= bit
            at = set_slot(table, size, sets, opened | bit)
            if table[at] >= 0:
                continue
            if states == limit:
                fits = False
                break
            table[at] = states
            sets[states] = opened | bit
            choices[states] = head
            states += 1
            if 2 * states > size:
                size *= 2
                for i in range(size):
                    table[i] = -1
                for i in range(states):
                    table[set_slot(table, size, sets, sets[i])] = i
        ways[head] = openable
        choices[head] = WINS if won else LOST
        head += 1
    lost = 0
    if fits:
        for state in range(states - 1, -1, -1):
            left = ways[state]
            while left != _0 and choices[state] == LOST:
                bit = left & (~left + _1)
                left ^= bit
                if choices[table[set_slot(table, size, sets, sets[state] | bit)]] != LOST:
                    choices[state] = paying[np.int64(lowest_bit(bit))]
            lost += choices[state] == LOST
            left = ways[state] if choices[state] != LOST else _0
            while left != _0:
                bit = left & (~left + _1)
                left ^= bit
                out[5] += 1
                out[6] += choices[table[set_slot(table, size, sets, sets[state] | bit)]] == LOST
        for node in range(nodes):
            reached[node] = _has(reach, union, node)
        out[0] = choices[0] != LOST
    out[1], out[2], out[3], out[4] = states, lost, size, payers
    if not keep:
        clear(table, size)
