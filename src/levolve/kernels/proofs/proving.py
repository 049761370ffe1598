"""Proofs of many levels, each by the search of its class."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty, full
from levolve.kernels.compiler import kernel
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
from levolve.kernels.proofs.opened_sets import search_opened
from levolve.kernels.proofs.parts import MOST_NODES, search_parts
from levolve.kernels.proofs.states import MOST_BITS, number_bits, search_states
from levolve.kernels.proofs.sweeps import (
    ACTS,
    BARS,
    CELL,
    COUNTS,
    DIRECTIONS,
    ENTERED,
    EVERY,
    GENERAL,
    LEADS,
    SEEN,
    SIMPLE,
    Amounts,
    find_roles,
    is_harmless,
    sweep,
)

WORD = 64
_1 = np.uint64(1)
# The columns of the results of proofs: 1 or 0, or -1 if undecided; the numbers of states, of lost
# states, of spheres; the class; the numbers of nodes, of used places of the hash table, and of
# things that spend; the number of acting things that can be reached, and of all acting things; the
# number of moves between states from those that can be won, and of those moves that lose.
WINNABLE, STATES, LOST, SPHERES, CLASS, NODES, SIZE, PAYERS = range(8)
REACHED, ACTING_THINGS, CHOICES, LOSING = range(8, 12)
RESULTS = 12
# The columns of marks: whether some play enters a thing, and its spheres (`sweep`).
TOUCHED, ENTERED_IN, SEEN_IN = range(3)
MARKS = 3
# The ways to condense a level: for moves that can be taken back, for all others, and without
# groups.
BARRIERS, ACTING, ALL_CELLS = range(3)


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
    parts: Numbers,
    cell_nodes: Numbers,
    marks: Numbers,
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
    sets, choices, ways, reach, keys, ranks, heads, links, table, order, paying, parts
        Work arrays, which limit the size of a search: see `search_opened`, `search_parts` and
        `search_states`. `table` is filled with -1.
    cell_nodes
        Empty, or an array for the node of each cell of the last level; -1 if it has none. Then the
        results of `search_opened` or `search_states` for this level remain in the work arrays.
    marks
        Empty, or gets `(N, MARKS)` marks of the things.
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
    spheres = empty((most_nodes, 2), np.int32)
    shape, out = empty(3, np.int32), empty(7, np.int64)
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
            for thing in range(firsts[level], firsts[level + 1] if marks.shape[0] else 0):
                for k in range(MARKS):
                    marks[thing, k] = 0
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
            spheres,
        )
        if kind == SIMPLE:
            won = True
            for k in range(stop_nodes.size):
                won &= reached[stop_nodes[k]] != 0
            for thing in range(things):
                if collects and own_traits[thing, COUNTS]:
                    won &= place[thing] >= 0 and reached[place[thing]] != 0
            for k in range(out.size):
                out[k] = 0
            out[0], out[1], out[2] = won, 1, not won
        elif kind & GENERAL:
            for k in range(out.size):
                out[k] = -1 if k == 0 else 0
            if number_bits(own_traits, roles, bit_of) > MOST_BITS:
                pass
            elif nodes <= MOST_NODES and cell_nodes.size == 0:
                search_parts(
                    own_traits,
                    own_amounts,
                    initial[level],
                    roles,
                    collects,
                    start,
                    stop_nodes,
                    own_thing,
                    count,
                    nodes,
                    edges,
                    shape[1],
                    sets,
                    choices,
                    reach,
                    keys,
                    ranks,
                    heads,
                    links,
                    table,
                    order,
                    parts,
                    have,
                    reached,
                    out,
                )
            else:
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
                    reached,
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
                marks.shape[0] > 0,
                reached,
                out,
            )
        results[level, WINNABLE], results[level, STATES] = out[0], out[1]
        results[level, LOST], results[level, SIZE] = out[2], out[3]
        results[level, PAYERS] = out[4]
        results[level, CHOICES], results[level, LOSING] = out[5], out[6]
        for thing in range(things):
            node = place[thing]
            if np.int64(roles[thing]) & ACTS:
                results[level, ACTING_THINGS] += 1
                results[level, REACHED] += node >= 0 and reached[node] != 0
            if marks.shape[0]:
                row = firsts[level] + thing
                marks[row, TOUCHED] = node >= 0 and reached[node] != 0
                marks[row, ENTERED_IN] = spheres[node, ENTERED] if node >= 0 else 0
                marks[row, SEEN_IN] = spheres[node, SEEN] if node >= 0 else 0
