"""A plain search over (cell, stage, bits) of a level with things, compiled so that it can decide
100,000 levels. It uses what `lower` says about a level, and no other code of proofs.
"""

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from levolve.levels.things.lowering import Mechanics

Numbers = NDArray[Any]
FEW, MOST = 1 << 12, 1 << 18


def decide(level: Mechanics) -> tuple[int, bool, bool, int]:
    """Return the number of states, whether a level can be won, whether it can be lost from no state,
    and the fewest moves to win, -1 for none. The number is -1 if there are too many.
    """
    found = np.full(4, -1, np.int64)
    for most in (FEW, MOST):
        if found[0] < 0:
            _search_in(level, most, found)
    return int(found[0]), bool(found[1]), bool(found[2]), int(found[3])


def _search_in(level: Mechanics, most: int, found: Numbers) -> None:
    _search(
        level.tiles,
        level.steps,
        level.stops,
        level.collects,
        level.initial,
        level.at.ravel(),
        level.gives,
        level.needs,
        level.spends,
        level.states,
        level.switch,
        level.forced,
        level.starts_on,
        level.gate,
        level.gate_open,
        level.directions,
        level.leads_to,
        level.counts,
        most,
        found,
    )


@njit(nogil=True)
def _search(  # noqa: C901, PLR0912, PLR0915 one loop in plain sight
    tiles: Numbers, steps: Numbers, stops: Numbers, collects: bool, initial: Numbers, at: Numbers,
    gives: Numbers, needs: Numbers, spends: Numbers, states: Numbers, switch: Numbers,
    forced: Numbers, starts_on: Numbers, gate: Numbers, gate_open: Numbers, directions: Numbers,
    leads_to: Numbers, counts: Numbers, most: int,
    found: Numbers,
) -> None:  # fmt: skip
    height, width = tiles.shape
    things = states.size
    places = np.empty(most, np.int64)
    bits = np.empty(most, np.int64)
    depth = np.empty(most, np.int64)
    after = np.full((most, 6), -1, np.int64)
    table = np.full(4 * most, -1, np.int64)
    final = stops.size - 2
    bits[0] = 0
    for thing in range(things):
        if states[thing] == 2 and starts_on[thing]:
            bits[0] |= 1 << thing
    stage = 0
    while stage < final and stops[stage + 1] == stops[0]:
        stage += 1
    places[0], depth[0] = stops[0] * 64 + stage, 0
    table[(places[0] * 7919 + bits[0] * 104729) % table.size] = 0
    count, head = 1, 0
    won = np.zeros(most, np.uint8)
    best = -1
    have = np.empty(initial.size, np.int64)
    while head < count:
        cell, stage, own = places[head] // 64, places[head] % 64, bits[head]
        complete = True
        for r in range(initial.size):
            have[r] = initial[r]
        for thing in range(things):
            if states[thing] != 1:
                continue
            if (own >> thing) & 1:
                for r in range(initial.size):
                    have[r] += gives[thing, r] - spends[thing, r]
            elif counts[thing]:
                complete = False
        if stage >= final and cell == stops[-1] and (complete or not collects):
            won[head] = 1
            if best < 0:
                best = depth[head]
            head += 1
            continue
        here = at[cell]
        for move in range(6):
            to, new = cell, own
            if move < 4:
                x, y = cell % width, cell // width
                if here >= 0 and not (directions[here] >> move) & 1:
                    continue
                x += (move == 3) - (move == 2)
                y += (move == 1) - (move == 0)
                if x < 0 or y < 0 or x >= width or y >= height:
                    continue
                if not steps[tiles[cell // width, cell % width], tiles[y, x]]:
                    continue
                to = y * width + x
            elif move == 4:
                if here < 0 or switch[here] == 0 or forced[here]:
                    continue
                new = own | (1 << here) if switch[here] == 2 else own ^ (1 << here)
            else:
                if here < 0 or leads_to[here] < 0:
                    continue
                to = leads_to[here]
            thing = at[to]
            if move != 4 and thing >= 0:
                if gate[thing] >= 0 and ((own >> gate[thing]) & 1 != 0) == gate_open[thing]:
                    continue
                pays = enough = False
                enough = True
                for r in range(initial.size):
                    pays |= spends[thing, r] > 0
                    enough &= needs[thing, r] <= have[r]
                if not enough and not (pays and (own >> thing) & 1):
                    continue
                if states[thing] == 1:
                    new |= 1 << thing
                elif forced[thing]:
                    new = own | (1 << thing) if switch[thing] == 2 else own ^ (1 << thing)
            new_stage = stage
            while move != 4 and new_stage < final and stops[new_stage + 1] == to:
                new_stage += 1
            place = to * 64 + new_stage
            slot = (place * 7919 + new * 104729) % table.size
            while table[slot] >= 0 and (places[table[slot]] != place or bits[table[slot]] != new):
                slot = (slot + 1) % table.size
            if table[slot] < 0:
                if count == most:
                    found[0] = -1
                    return
                table[slot] = count
                places[count], bits[count], depth[count] = place, new, depth[head] + 1
                count += 1
            after[head, move] = table[slot]
        head += 1
    # Back from the wins, until nothing changes.
    changed = True
    while changed:
        changed = False
        for state in range(count - 1, -1, -1):
            for move in range(6):
                if not won[state] and after[state, move] >= 0 and won[after[state, move]]:
                    won[state] = 1
                    changed = True
    found[0], found[1], found[3] = count, won[0], best
    found[2] = won[:count].all()
