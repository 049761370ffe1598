"""Levels with anything in them (class G): a search over all states that a player can reach, and
back from the wins.

A state is a node of the condensed graph, the number of stops that were visited, and a bit for each
thing that was taken, opened or switched on.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiler import inlined, kernel
from levolve.kernels.proofs.condensation import (
    Numbers,
    Rows,
    Table,
    Whole,
)
from levolve.kernels.proofs.opened_sets import clear
from levolve.kernels.proofs.sweeps import (
    ACTS,
    COUNTS,
    DONE,
    FORCED,
    GATE,
    GATE_OPEN,
    GIVES,
    ONCE,
    SPENDS,
    STARTS_ON,
    STATE,
    SWITCH,
    SWITCHED,
    Amounts,
    suffices,
)

WORD = 64
_0, _1, _32 = (np.uint64(n) for n in (0, 1, 32))
_MIX_1, _MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_27, _30, _31 = (np.uint64(n) for n in (27, 30, 31))
MOST_BITS = 64
SMALL_TABLE = 1024


@inlined
def state_slot(table: Numbers, size: Whole, keys: Rows, bits: np.uint64, place: np.uint64) -> Whole:
    """Return where a state is in the hash table, or where it belongs."""
    mask = np.uint64(size - 1)
    at = bits ^ (place * _MIX_2)
    at = (at ^ (at >> _30)) * _MIX_1
    at = (at ^ (at >> _27)) & mask
    while table[at] >= 0 and (keys[table[at], 0] != bits or keys[table[at], 1] != place):
        at = (at + _1) & mask
    return np.int64(at)


@kernel
def amounts_of(
    bits: np.uint64,
    traits: Numbers,
    amounts: Amounts,
    initial: Numbers,
    bit_of: Numbers,
    have: Numbers,
) -> bool:
    """Write what a player has; return whether everything that counts is done."""
    complete = True
    for r in range(initial.size):
        have[r] = initial[r]
    for thing in range(traits.shape[0]):
        if bit_of[thing] < 0 or traits[thing, STATE] != DONE:
            continue
        if (bits >> np.uint64(bit_of[thing])) & _1 == _0:
            complete &= traits[thing, COUNTS] == 0
            continue
        for r in range(initial.size):
            have[r] += amounts[thing, GIVES, r] - amounts[thing, SPENDS, r]
    return complete


@inlined
def changed_bits(thing: Whole, bits: np.uint64, traits: Numbers, bit_of: Numbers) -> np.uint64:
    """Return the bits after a thing was taken or opened, or a switch used."""
    own = _1 << np.uint64(bit_of[thing]) if bit_of[thing] >= 0 else _0
    if traits[thing, STATE] == SWITCHED and traits[thing, SWITCH] != ONCE:
        return bits ^ own
    return bits | own


@inlined
def enter(
    thing: Whole,
    bits: np.uint64,
    traits: Numbers,
    amounts: Amounts,
    bit_of: Numbers,
    have: Numbers,
) -> tuple[bool, np.uint64]:
    """Return whether the cell of a thing may be entered, and the bits after that."""
    own = _0
    if bit_of[thing] >= 0:
        own = _1 << np.uint64(bit_of[thing])
    gate = traits[thing, GATE]
    if gate >= 0 and (bits >> np.uint64(bit_of[gate])) & _1 == np.uint64(traits[thing, GATE_OPEN]):
        return False, bits
    spends = False
    for r in range(have.size):
        spends |= amounts[thing, SPENDS, r] > 0
    if (not spends or bits & own == _0) and not suffices(thing, amounts, have):
        return False, bits
    if traits[thing, STATE] == DONE or traits[thing, FORCED]:
        bits = changed_bits(thing, bits, traits, bit_of)
    return True, bits


@kernel
def number_bits(traits: Numbers, roles: Table, bit_of: Numbers) -> Whole:
    """Give each acting thing with a state a bit; return their number."""
    bits = 0
    for thing in range(traits.shape[0]):
        bit_of[thing] = -1
        if np.int64(roles[thing]) & ACTS and traits[thing, STATE]:
            bit_of[thing] = bits
            bits += 1
    return bits


@kernel
def count_choices(
    states: Whole, ranks: Numbers, heads: Numbers, links: Numbers, out: NDArray[np.int64]
) -> None:
    """Count the moves from states that can be won, and those of them that lose."""
    for state in range(states):
        link = heads[state]
        while link >= 0:
            if ranks[links[link, 0]]:
                out[5] += 1
                out[6] += ranks[state] == 0
            link = links[link, 1]


@kernel
def initial_bits(traits: Numbers, bit_of: Numbers) -> np.uint64:
    """Return the bits of the switches that are on at the start."""
    bits = _0
    for thing in range(traits.shape[0]):
        if bit_of[thing] >= 0 and traits[thing, STATE] == SWITCHED and traits[thing, STARTS_ON]:
            bits |= _1 << np.uint64(bit_of[thing])
    return bits


@kernel
def search_states(
    traits: Numbers,
    amounts: Amounts,
    initial: Numbers,
    bit_of: Numbers,
    collects: bool,
    start: Whole,
    stops: Numbers,
    own_thing: Numbers,
    count: Whole,
    first: Numbers,
    targets: Numbers,
    keys: Rows,
    ranks: Numbers,
    heads: Numbers,
    links: Numbers,
    table: Numbers,
    order: Numbers,
    have: Numbers,
    keep: bool,
    reached: Table,
    out: NDArray[np.int64],
) -> None:
    """Decide a level; write whether it can be won, the number of states and of those that are lost.

    Parameters
    ----------
    stops
        The nodes of the stops after the first.
    keys, ranks
        Get the states, as bits and as node + stage * 2**32, and the moves from one node to another
        to win from each: 0 if it is lost.
    heads, links, table, order
        Work arrays; `table` is filled with -1. They limit the size of the search.
    reached
        Gets whether each node can be reached, unless a limit is exceeded.
    out
        Gets -1 in the first place if a limit is exceeded, and the used size of `table` in the
        fourth; unless `keep`, it is filled with -1 again. The sixth and seventh place get the
        number of moves from states that can be won, and of those that lose.
    """
    size = min(SMALL_TABLE, table.size)
    final = stops.size - 1
    stage: Whole = 0
    while stage < final and stops[stage] == start:
        stage += 1
    keys[0, 0] = initial_bits(traits, bit_of)
    keys[0, 1] = np.uint64(start) | np.uint64(stage) << _32
    table[state_slot(table, size, keys, keys[0, 0], keys[0, 1])] = 0
    heads[0], ranks[0] = -1, 0
    limit = min(ranks.size, table.size // 2)
    states, head, made, won = 1, 0, 0, 0
    fits = True
    while head < states and fits:
        bits, place = keys[head, 0], keys[head, 1]
        node, stage = np.int64(place) & 0xFFFFFFFF, np.int64(place >> _32)
        complete = amounts_of(bits, traits, amounts, initial, bit_of, have) or not collects
        degree = first[node + 1] - first[node]
        for k in range(degree + 1):
            new_bits, to, new_stage = bits, node, stage
            if k == degree:
                thing = own_thing[node] if node < count else -1
                if thing < 0 or not traits[thing, SWITCH] or traits[thing, FORCED]:
                    continue
                new_bits = changed_bits(thing, bits, traits, bit_of)
                if new_bits == bits:
                    continue
            else:
                to = targets[first[node] + k]
                if to < count:
                    all_done = complete
                    if own_thing[to] >= 0:
                        lets_in, new_bits = enter(
                            own_thing[to], bits, traits, amounts, bit_of, have
                        )
                        if not lets_in:
                            continue
                    while new_stage < final and stops[new_stage] == to:
                        new_stage += 1
                    if new_stage == final and stops[final] == to and all_done:
                        if ranks[head] == 0:
                            ranks[head] = 1
                            order[won] = head
                            won += 1
                        continue
            new_place = np.uint64(to) | np.uint64(new_stage) << _32
            at = state_slot(table, size, keys, new_bits, new_place)
            other: Whole = np.int64(table[at])
            if other < 0:
                if states == limit:
                    fits = False
                    break
                other = states
                table[at] = other
                keys[other, 0], keys[other, 1] = new_bits, new_place
                heads[other], ranks[other] = -1, 0
                states += 1
                if 2 * states > size:
                    size *= 2
                    for i in range(size):
                        table[i] = -1
                    for i in range(states):
                        table[state_slot(table, size, keys, keys[i, 0], keys[i, 1])] = i
            if made == links.shape[0]:
                fits = False
                break
            links[made, 0], links[made, 1] = head, heads[other]
            heads[other] = made
            made += 1
        head += 1
    out[3] = size
    if not keep:
        clear(table, size)
    done = 0
    while done < won:
        state = order[done]
        done += 1
        link = heads[state]
        while link >= 0:
            before = links[link, 0]
            if ranks[before] == 0:
                ranks[before] = ranks[state] + 1
                order[won] = before
                won += 1
            link = links[link, 1]
    if fits:
        count_choices(states, ranks, heads, links, out)
        for i in range(reached.size):
            reached[i] = 0
        for i in range(states):
            reached[np.int64(keys[i, 1]) & 0xFFFFFFFF] = 1
    out[0] = (ranks[0] != 0) if fits else -1
    out[1], out[2] = states, states - won
