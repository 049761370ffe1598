"""Levels with anything in them (class G): a search over all states that a player can reach, and
back from the wins. And proofs of many levels, each by the search of its class.

A state is a node of the condensed graph, the number of stops that were visited, and a bit for each
thing that was taken, opened or switched on.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty, full
from levolve.kernels.compiler import inlined, kernel
from levolve.kernels.proofs.condensation import (
    EDGES,
    Numbers,
    Rows,
    Table,
    Whole,
    connect,
    group_at,
    has_groups,
    is_uniform,
    join_runs,
    pack_level,
    sort_edges,
)
from levolve.kernels.proofs.opened_sets import clear, search_opened
from levolve.kernels.proofs.sweeps import (
    ACTS,
    BARS,
    CELL,
    COUNTS,
    DIRECTIONS,
    DONE,
    EVERY,
    FORCED,
    GATE,
    GATE_OPEN,
    GENERAL,
    GIVES,
    LEADS,
    ONCE,
    SIMPLE,
    SPENDS,
    STARTS_ON,
    STATE,
    SWITCH,
    SWITCHED,
    Amounts,
    find_roles,
    is_harmless,
    suffices,
    sweep,
)

WORD = 64
_0, _1, _32 = (np.uint64(n) for n in (0, 1, 32))
_MIX_1, _MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_27, _30, _31 = (np.uint64(n) for n in (27, 30, 31))
MOST_BITS = 64
SMALL_TABLE = 1024
# The columns of the results of proofs: 1 or 0, or -1 if undecided; the numbers of states, of lost
# states, of spheres; the class; the numbers of nodes, of used
# places of the hash table, and of things that spend.
WINNABLE, STATES, LOST, SPHERES, CLASS, NODES, SIZE, PAYERS = range(8)
RESULTS = 8
# The ways to condense a level: for moves that can be taken back, for all others, and without
# groups.
BARRIERS, ACTING, ALL_CELLS = range(3)


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
    if traits[thing, STATE] == DONE:
        bits |= own
    elif traits[thing, SWITCH] and traits[thing, FORCED]:
        if traits[thing, SWITCH] == ONCE:
            bits |= own
        else:
            bits ^= own
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
    out
        Gets -1 in the first place if a limit is exceeded, and the used size of `table` in the
        fourth; unless `keep`, it is filled with -1 again.
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
                own = _1 << np.uint64(bit_of[thing]) if bit_of[thing] >= 0 else _0
                new_bits = bits | own if traits[thing, SWITCH] == ONCE else bits ^ own
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
    out[0] = (ranks[0] != 0) if fits else -1
    out[1], out[2] = states, states - won


@kernel
def mark_own(
    mode: Whole,
    traits: Numbers,
    roles: Table,
    stops: Numbers,
    tiles: Table,
    rows: Rows,
    cut: Rows,
    own: Numbers,
    own_at: Numbers,
    own_thing: Numbers,
    leave: Table,
    leads: Numbers,
) -> Whole:
    """Choose the own cells of a level and take them out of its `rows`, giving `cut`; return their
    number.
    """
    width = tiles.shape[1]
    words = (width + WORD - 1) // WORD
    for i in range(rows.size):
        cut[i] = rows[i]
    needed = BARS if mode == BARRIERS else ACTS
    count = 0
    for k in range(traits.shape[0]):
        if np.int64(roles[k]) & needed:
            cell = traits[k, CELL]
            own[count], own_thing[count], own_at[cell] = cell, k, count
            leave[count], leads[count] = traits[k, DIRECTIONS], traits[k, LEADS]
            count += 1
    for k in range(1, stops.size):
        cell = stops[k]
        if own_at[cell] < 0:
            own[count], own_thing[count], own_at[cell] = cell, -1, count
            leave[count], leads[count] = EVERY, -1
            count += 1
    if mode == ALL_CELLS:
        for cell in range(tiles.size):
            if own_at[cell] < 0:
                own[count], own_thing[count], own_at[cell] = cell, -1, count
                leave[count], leads[count] = EVERY, -1
                count += 1
    for i in range(count):
        y = own[i] // width
        x = own[i] - y * width
        cut[y * words + x // WORD] &= ~(_1 << np.uint64(x % WORD))
    return count


@kernel
def prove_levels(
    tiles: NDArray[np.uint8],
    steps: Table,
    stops: Numbers,
    collects: bool,
    initial: Numbers,
    firsts: NDArray[np.int64],
    traits: Numbers,
    amounts: Amounts,
    sets: Rows,
    choices: Numbers,
    ways: Rows,
    reach: Rows,
    keys: Rows,
    ranks: Numbers,
    heads: Numbers,
    links: Numbers,
    table: Numbers,
    order: Numbers,
    paying: Numbers,
    cell_nodes: Numbers,
    results: Numbers,
) -> None:
    """Prove `(n, height, width)` levels.

    Parameters
    ----------
    steps
        `(kinds, kinds)` legal steps between kinds of tiles.
    stops, initial
        `(n, s)` cells of the stops, and `(n, r)` amounts at the start, of each level.
    firsts, traits, amounts
        The things of level i are the rows `firsts[i]` to `firsts[i + 1]`: `(N, TRAITS)` traits and
        `(N, 3, r)` amounts.
    sets, choices, ways, reach, keys, ranks, heads, links, table, order, paying
        Work arrays, which limit the size of a search: see `search_opened` and `search_states`,
        whose results for the last level remain in them. `table` is filled with -1.
    cell_nodes
        Empty, or an array for the node of each cell of the last level; -1 if it has none. Then
        `table` is left as it is in class C or G, and its size is written to the results.
    results
        Gets `(n, RESULTS)` results.
    """
    levels, height, width = tiles.shape
    cells = height * width
    words = (width + WORD - 1) // WORD
    most = 0
    for level in range(levels):
        most = max(most, firsts[level + 1] - firsts[level])
    uniform, grouped = is_uniform(steps), has_groups(steps)
    most_own = cells if not grouped else min(cells, most + stops.shape[1])
    most_nodes = min(cells, 5 * most_own + 1) + 1
    resources = amounts.shape[2]
    rows, right, down = (
        empty(height * words, np.uint64),
        empty(height * words, np.uint64),
        empty(height * words, np.uint64),
    )
    cut, starts = empty(height * words, np.uint64), empty(height * words, np.uint64)
    before = empty(height * words, np.int32)
    parent, node_of = empty(cells + 1, np.int32), empty(cells + 1, np.int32)
    roles, wanted = empty(most + 1, np.uint8), empty(most + resources + 1, np.uint8)
    own, own_thing = empty(most_own + 1, np.int32), empty(most_own + 1, np.int32)
    leave, leads = empty(most_own + 1, np.uint8), empty(most_own + 1, np.int32)
    own_at = full(cells, -1, np.int32)
    groups, place = empty(most_nodes, np.int32), empty(most + 1, np.int32)
    bit_of = empty(most + 1, np.int32)
    edges = empty((EDGES * most_own + 1, 2), np.int32)
    first, targets = empty(most_nodes + 2, np.int32), empty(EDGES * most_own + 1, np.int32)
    reached, queue = empty(most_nodes, np.uint8), empty(most_nodes, np.int32)
    waiting, have = empty(most_nodes, np.int32), empty(resources, np.int32)
    stop_nodes = empty(max(stops.shape[1] - 1, 0), np.int32)
    shape, out = empty(3, np.int32), empty(5, np.int64)
    for level in range(levels):
        for k in range(RESULTS):
            results[level, k] = 0
        at_once = True
        for k in range(stops.shape[1]):
            at_once &= stops[level, k] == stops[level, 0]
        own_traits = traits[firsts[level] : firsts[level + 1]]
        own_amounts = amounts[firsts[level] : firsts[level + 1]]
        things = own_traits.shape[0]
        kind = find_roles(own_traits, own_amounts, collects, roles, wanted)
        counting = 0
        for thing in range(things):
            counting += collects and own_traits[thing, COUNTS] != 0
        if stops.shape[1] == 0 or (at_once and counting == 0):
            results[level, WINNABLE], results[level, STATES] = 1, 1
            continue
        if not grouped:
            kind |= GENERAL
        pack_level(tiles[level], steps, uniform, rows, right, down)
        count: Whole = 0
        again = True
        mode = BARRIERS if not kind & GENERAL else ACTING if grouped else ALL_CELLS
        while again:
            again = False
            count = mark_own(
                mode,
                own_traits,
                roles,
                stops[level],
                tiles[level],
                rows,
                cut,
                own,
                own_at,
                own_thing,
                leave,
                leads,
            )
            join_runs(cut, right, down, uniform, words, starts, before, parent, node_of)
            if mode == BARRIERS:
                for i in range(count):
                    if leave[i] != EVERY and not is_harmless(
                        own[i],
                        leave[i],
                        tiles[level],
                        steps,
                        own_at,
                        cut,
                        starts,
                        before,
                        parent,
                    ):
                        again = True
                if again:
                    kind |= GENERAL
                    mode = ACTING
                    for i in range(count):
                        own_at[own[i]] = -1
        connect(
            tiles[level],
            steps,
            stops[level, 0],
            own,
            count,
            own_at,
            leave,
            leads,
            cut,
            starts,
            before,
            parent,
            node_of,
            groups,
            edges,
            shape,
        )
        nodes, start = np.int64(shape[0]), np.int64(shape[2])
        sort_edges(edges, shape[1], nodes, first, targets)
        for thing in range(things):
            cell = own_traits[thing, CELL]
            place[thing] = own_at[cell]
            if place[thing] < 0:
                group = group_at(cell, width, cut, starts, before, parent)
                place[thing] = node_of[group] if group >= 0 else -1
        if cell_nodes.size:
            for cell in range(cells):
                group = group_at(cell, width, cut, starts, before, parent)
                cell_nodes[cell] = own_at[cell] if group < 0 else node_of[group]
        for k in range(stop_nodes.size):
            stop_nodes[k] = own_at[stops[level, k + 1]]
        for i in range(count):
            own_at[own[i]] = -1
        # The last stop ends the level at once if nothing has to be done before.
        last = np.int64(stop_nodes[0]) if counting == 0 and stop_nodes.size == 1 else -1
        results[level, CLASS], results[level, NODES] = kind, nodes
        results[level, SPHERES] = sweep(
            own_traits,
            own_amounts,
            initial[level],
            roles,
            place,
            start,
            last,
            nodes,
            own_thing,
            count,
            first,
            targets,
            reached,
            queue,
            waiting,
            have,
        )
        if kind == SIMPLE:
            won = True
            for k in range(stop_nodes.size):
                won &= reached[stop_nodes[k]] != 0
            for thing in range(things):
                if collects and own_traits[thing, COUNTS]:
                    won &= place[thing] >= 0 and reached[place[thing]] != 0
            results[level, WINNABLE], results[level, STATES] = won, 1
            results[level, LOST] = not won
            continue
        if kind & GENERAL:
            for k in range(out.size):
                out[k] = -1 if k == 0 else 0
            if number_bits(own_traits, roles, bit_of) <= MOST_BITS:
                search_states(
                    own_traits,
                    own_amounts,
                    initial[level],
                    bit_of,
                    collects,
                    start,
                    stop_nodes,
                    own_thing,
                    count,
                    first,
                    targets,
                    keys,
                    ranks,
                    heads,
                    links,
                    table,
                    order,
                    have,
                    cell_nodes.size > 0,
                    out,
                )
        else:
            search_opened(
                own_traits,
                own_amounts,
                initial[level],
                roles,
                place,
                collects,
                start,
                last,
                stop_nodes,
                nodes,
                edges,
                shape[1],
                sets,
                choices,
                ways,
                table,
                reach,
                paying,
                cell_nodes.size > 0,
                out,
            )
        results[level, WINNABLE], results[level, STATES] = out[0], out[1]
        results[level, LOST], results[level, SIZE] = out[2], out[3]
        results[level, PAYERS] = out[4]
