"""Levels with anything in them (class G) by strongly connected parts.

While nothing is taken, opened or switched, a player moves freely within a part of the condensed
graph. So a state is a part, with a bit for each thing that was taken, opened or switched on, and
the number of stops that were visited: bits and stage are the *situation*. What can be entered, with
and without changing the situation, is computed once for each situation, and each part once.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import zeros
from levolve.kernels.bits.words import lowest_bit
from levolve.kernels.compiler import inlined, kernel
from levolve.kernels.proofs.condensation import Numbers, Rows, Table, Whole
from levolve.kernels.proofs.opened_sets import clear
from levolve.kernels.proofs.states import SMALL_TABLE, count_choices, state_slot
from levolve.kernels.proofs.sweeps import (
    ASKS,
    COUNTS,
    DONE,
    FORCED,
    GATE,
    GATE_OPEN,
    GIVES,
    ONCE,
    PAYS,
    SPENDS,
    STARTS_ON,
    STATE,
    SWITCH,
    Amounts,
    suffices,
)

_0, _1, _32 = (np.uint64(n) for n in (0, 1, 32))
# The most nodes of the condensed graph: a set of nodes is a word.
MOST_NODES = 64
# Sets of nodes: what is always let in; what is taken; what asks, pays, is pressed by entering, and
# of that only once; what gives or spends, what switches, and what counts.
ALWAYS, TAKEN, ASKED, PAID, PLATES, ONLY_ONCE, CARRIES, USED, COUNTED = range(9)
SETS = 9
# What is counted: states, situations, used places of the hash table, links.
STATES, SITUATIONS, SIZE, LINKS = range(4)


@inlined
def _closure(seed: np.uint64, allowed: np.uint64, beside: Rows) -> np.uint64:
    """Return the nodes that are reached from some through allowed ones."""
    reached = left = seed
    while left != _0:
        node = lowest_bit(left)
        more = beside[node] & allowed & ~reached
        reached |= more
        left = (left & (left - _1)) | more
    return reached


@kernel
def _situation(
    bits: np.uint64,
    stage: Whole,
    traits: Numbers,
    amounts: Amounts,
    initial: Numbers,
    roles: Table,
    collects: bool,
    stops: Numbers,
    own_thing: Numbers,
    words: Rows,
    opens: Rows,
    nodes: Whole,
    keys: Rows,
    free: Rows,
    table: Numbers,
    parts: Numbers,
    have: Numbers,
    counts: NDArray[np.int64],
) -> Whole:
    """Return the number of a situation, which is added if it is new; -1 if there is no room."""
    place = np.uint64(stage)
    at = state_slot(table, counts[SIZE], keys, bits, place)
    if table[at] >= 0:
        return np.int64(table[at])
    new = np.int64(counts[SITUATIONS])
    if (
        (new + 1) * nodes > parts.size
        or 2 * new >= free.size
        or new == keys.shape[0]
        or 2 * (new + 1) > table.size
    ):
        return -1
    table[at] = new
    keys[new, 0], keys[new, 1] = bits, place
    counts[SITUATIONS] += 1
    if 2 * counts[SITUATIONS] > counts[SIZE]:
        counts[SIZE] *= 2
        clear(table, counts[SIZE])
        for i in range(new + 1):
            table[state_slot(table, counts[SIZE], keys, keys[i, 0], keys[i, 1])] = i
    for node in range(nodes):
        parts[new * nodes + node] = -1
    # What the player has.
    for r in range(initial.size):
        have[r] = initial[r]
    left = bits & words[CARRIES]
    while left != _0:
        thing = own_thing[lowest_bit(left)]
        left &= left - _1
        for r in range(initial.size):
            have[r] += amounts[thing, GIVES, r] - amounts[thing, SPENDS, r]
    shut = _0
    left = words[USED]
    while left != _0:
        low = lowest_bit(left)
        left &= left - _1
        shut |= opens[np.uint64(2) * low + ((bits >> low) & _1)]
    # What may be entered, without and with a change.
    same = words[ALWAYS] | (words[TAKEN] & bits)
    changing = words[TAKEN] & ~bits
    left = words[ASKED] & ~(words[PAID] & bits)
    same |= words[ASKED] & words[PAID] & bits
    while left != _0:
        bit = left & (~left + _1)
        left ^= bit
        thing = own_thing[lowest_bit(bit)]
        if suffices(thing, amounts, have):
            if traits[thing, STATE] == DONE and not bits & bit:
                changing |= bit
            else:
                same |= bit
    plates = words[PLATES] & ~(words[ONLY_ONCE] & bits)
    changing |= same & plates
    same &= ~plates
    final = stops.size - 1
    stop = _1 << np.uint64(stops[stage])
    complete = not collects or words[COUNTED] & ~bits == _0
    if stage < final or complete:
        changing |= same & stop
        same &= ~stop
    free[2 * new], free[2 * new + 1] = same & ~shut, changing & ~shut
    return new


@inlined
def _part(
    situation: Whole,
    node: Whole,
    nodes: Whole,
    beside: Rows,
    back: Rows,
    free: Rows,
    parts: Numbers,
    members: Rows,
    owners: Numbers,
    ranks: Numbers,
    heads: Numbers,
    counts: NDArray[np.int64],
) -> Whole:
    """Return the number of the state of a node, which is added if it is new; -1 if there is no
    room.
    """
    at = situation * nodes + node
    if parts[at] >= 0:
        return np.int64(parts[at])
    new = np.int64(counts[STATES])
    if new == ranks.size:
        return -1
    same = np.uint64(free[2 * situation])
    part = _1 << np.uint64(node)
    if same & part:
        part = _closure(part, _closure(part, same, beside), back)
    members[new], owners[new] = part, situation
    heads[new], ranks[new] = -1, 0
    left = part
    while left != _0:
        parts[situation * nodes + np.int64(lowest_bit(left))] = new
        left &= left - _1
    counts[STATES] += 1
    return new


@kernel
def search_parts(
    traits: Numbers,
    amounts: Amounts,
    initial: Numbers,
    roles: Table,
    collects: bool,
    start: Whole,
    stops: Numbers,
    own_thing: Numbers,
    count: Whole,
    nodes: Whole,
    edges: Numbers,
    made: Whole,
    members: Rows,
    owners: Numbers,
    free: Rows,
    keys: Rows,
    ranks: Numbers,
    heads: Numbers,
    links: Numbers,
    table: Numbers,
    order: Numbers,
    parts: Numbers,
    have: Numbers,
    reached: Table,
    out: NDArray[np.int64],
) -> None:
    """Decide a level of at most `MOST_NODES` nodes, as `search_states` does.

    Work arrays: `members`, `owners`, `ranks`, `heads` and `order` by state, `keys` by situation,
    two words of `free` by situation, `parts` by situation and node.
    """
    counts = zeros(4, np.int64)
    counts[SIZE] = min(SMALL_TABLE, table.size)
    beside, back = zeros(MOST_NODES, np.uint64), zeros(MOST_NODES, np.uint64)
    for edge in range(made):
        beside[edges[edge, 0]] |= _1 << np.uint64(edges[edge, 1])
        back[edges[edge, 1]] |= _1 << np.uint64(edges[edge, 0])
    # Here, the bit of a thing is that of its node. `opens` are the gates that are shut while the
    # switch of a node is off, and on.
    words, opens = zeros(SETS, np.uint64), zeros(2 * MOST_NODES, np.uint64)
    levers = bits = _0
    for node in range(nodes):
        bit = _1 << np.uint64(node)
        thing = np.int64(own_thing[node]) if node < count else -1
        role = np.int64(roles[thing]) if thing >= 0 else 0
        if role & ASKS:
            words[ASKED] |= bit
        elif thing >= 0 and traits[thing, STATE] == DONE:
            words[TAKEN] |= bit
        else:
            words[ALWAYS] |= bit
        if thing < 0:
            continue
        if role & PAYS:
            words[PAID] |= bit
        if traits[thing, STATE] == DONE:
            words[CARRIES] |= bit
            if traits[thing, COUNTS]:
                words[COUNTED] |= bit
        if traits[thing, SWITCH]:
            words[USED] |= bit
            if traits[thing, STARTS_ON]:
                bits |= bit
            if not traits[thing, FORCED]:
                levers |= bit
            else:
                words[PLATES] |= bit
            if traits[thing, SWITCH] == ONCE:
                words[ONLY_ONCE] |= bit
        if traits[thing, GATE] >= 0:
            for other in range(count):
                if own_thing[other] == traits[thing, GATE]:
                    opens[2 * other + (traits[thing, GATE_OPEN] != 0)] |= bit
    final = stops.size - 1
    stage: Whole = 0
    while stage < final and stops[stage] == start:
        stage += 1
    situation = _situation(
        bits,
        stage,
        traits,
        amounts,
        initial,
        roles,
        collects,
        stops,
        own_thing,
        words,
        opens,
        nodes,
        keys,
        free,
        table,
        parts,
        have,
        counts,
    )
    fits = situation >= 0
    if fits:
        _part(
            situation,
            start,
            nodes,
            beside,
            back,
            free,
            parts,
            members,
            owners,
            ranks,
            heads,
            counts,
        )
    head, won = 0, 0
    while fits and head < counts[STATES]:
        part, here = members[head], np.int64(owners[head])
        bits, stage = keys[here, 0], np.int64(keys[here, 1])
        near = _0
        left = part
        while left != _0:
            near |= beside[lowest_bit(left)]
            left &= left - _1
        aside, inside = near & free[2 * here] & ~part, part & levers
        inside &= ~(words[ONLY_ONCE] & bits)
        changing = near & free[2 * here + 1]
        while aside | inside | changing:
            situation = here
            some = aside or (inside or changing)
            bit = some & (~some + _1)
            entered = np.int64(lowest_bit(bit))
            if aside:
                aside ^= bit
            else:
                new_bits, new_stage = bits, stage
                if inside:
                    inside ^= bit
                    new_bits ^= bit
                else:
                    changing ^= bit
                    if words[PLATES] & ~words[ONLY_ONCE] & bit:
                        new_bits ^= bit
                    elif words[CARRIES] & bit or words[PLATES] & bit:
                        new_bits |= bit
                    while new_stage < final and stops[new_stage] == entered:
                        new_stage += 1
                    if (
                        new_stage == final
                        and stops[final] == entered
                        and (not collects or words[COUNTED] & ~bits == _0)
                    ):
                        if ranks[head] == 0:
                            ranks[head] = 1
                            order[won] = head
                            won += 1
                        continue
                situation = _situation(
                    new_bits,
                    new_stage,
                    traits,
                    amounts,
                    initial,
                    roles,
                    collects,
                    stops,
                    own_thing,
                    words,
                    opens,
                    nodes,
                    keys,
                    free,
                    table,
                    parts,
                    have,
                    counts,
                )
            after: Whole = -1
            if situation >= 0:
                after = _part(
                    situation,
                    entered,
                    nodes,
                    beside,
                    back,
                    free,
                    parts,
                    members,
                    owners,
                    ranks,
                    heads,
                    counts,
                )
            if after < 0 or counts[LINKS] == links.shape[0]:
                fits = False
                break
            link = counts[LINKS]
            links[link, 0], links[link, 1] = head, heads[after]
            heads[after] = link
            counts[LINKS] += 1
        head += 1
    clear(table, counts[SIZE])
    done = 0
    while done < won:
        link = np.int64(heads[order[done]])
        done += 1
        while link >= 0:
            before = links[link, 0]
            if ranks[before] == 0:
                ranks[before] = 1
                order[won] = before
                won += 1
            link = np.int64(links[link, 1])
    if fits:
        count_choices(counts[STATES], ranks, heads, links, out)
        touched = _0
        for state in range(counts[STATES]):
            touched |= members[state]
        for node in range(nodes):
            reached[node] = (touched >> np.uint64(node)) & _1
    out[0] = (ranks[0] != 0) if fits else -1
    out[1], out[2] = counts[STATES], counts[STATES] - won
