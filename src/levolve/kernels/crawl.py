"""Play in levels with things, such as keys and doors: many players at once, as in `kernels.play`.
A fifth move, 4, uses a lever or stairs.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiler import kernel
from levolve.kernels.play import Flags, Masks, Numbers, Values, is_legal
from levolve.kernels.proofs.sweeps import (
    COUNTS,
    DIRECTIONS,
    DONE,
    FORCED,
    GATE,
    GATE_OPEN,
    GIVES,
    LEADS,
    NEEDS,
    ONCE,
    SPENDS,
    STATE,
    SWITCH,
)
from levolve.kernels.walking.shortest_paths import Table, Tiles

Traits = NDArray[np.int32]
USE = 4


@kernel
def _lets_in(
    thing: int, traits: Traits, amounts: Traits, bits: Tiles, has: Traits, player: int
) -> bool:
    """Whether a thing lets the player in: its gate is open, and he has what it needs."""
    gate = traits[player, thing, GATE]
    if gate >= 0 and (bits[player, gate] != 0) == (traits[player, thing, GATE_OPEN] != 0):
        return False
    spends = False
    for k in range(has.shape[1]):
        spends |= amounts[player, thing, SPENDS, k] > 0
    if spends and bits[player, thing] != 0:
        return True
    lacks = False
    for k in range(has.shape[1]):
        lacks |= has[player, k] < amounts[player, thing, NEEDS, k]
    return not lacks


@kernel
def _target(
    move: int,
    tiles: Tiles,
    allowed: Table,
    at: Traits,
    traits: Traits,
    amounts: Traits,
    bits: Tiles,
    has: Traits,
    player: int,
    x: int,
    y: int,
) -> int:
    """Return the cell on which a move ends, y * width + x, or -1 if it is not legal."""
    width = tiles.shape[2]
    here = at[player, y, x]
    if move == USE:
        if here < 0:
            return -1
        if traits[player, here, SWITCH] != 0 and traits[player, here, FORCED] == 0:
            return int(y * width + x)
        to = traits[player, here, LEADS]
        if to < 0:
            return -1
        to_x, to_y = to % width, to // width
    else:
        if here >= 0 and (traits[player, here, DIRECTIONS] >> move) & 1 == 0:
            return -1
        to_x = x + (move == 3) - (move == 2)
        to_y = y + (move == 1) - (move == 0)
        if not is_legal(tiles, allowed, player, x, y, to_x, to_y):
            return -1
    there = at[player, to_y, to_x]
    if there >= 0 and not _lets_in(there, traits, amounts, bits, has, player):
        return -1
    return int(to_y * width + to_x)


@kernel
def step_crawls(
    actions: Numbers,
    begins: Flags,
    tiles: Tiles,
    allowed: Table,
    stops: Numbers,
    lengths: Numbers,
    shares: Values,
    at: Traits,
    traits: Traits,
    amounts: Traits,
    places: Numbers,
    reached: Numbers,
    bits: Tiles,
    has: Traits,
    left: Numbers,
    steps: Numbers,
    most: int,
    cost: float,
    rewards: Values,
    won: Flags,
    truncated: Flags,
    moved: Flags,
    targets: Numbers,
    masks: Masks,
) -> None:
    """Make one move for each of n players in levels with things; 4 uses a lever or stairs.

    The arguments are those of `step_walks`, and: `at` `(n, height, width)` the thing on each cell
    or -1; `traits` `(n, things, TRAITS)` and `amounts` `(n, things, 3, resources)` as in
    `kernels.proofs`, with LEADS as y * width + x. States: `bits` `(n, things)` what was taken or
    opened, and the switches that are on; `has` `(n, resources)`; `left` `(n,)` how many things the
    goal still requires. The last stop is reached when nothing is left. A reward has `shares` for
    each stop and each required thing. `masks` are `(n, 5)`.
    """
    width = tiles.shape[2]
    for player in range(actions.size):
        x, y = places[player, 0], places[player, 1]
        gained = 0
        moved[player] = False
        if not begins[player]:
            move = actions[player]
            to = _target(move, tiles, allowed, at, traits, amounts, bits, has, player, x, y)
            here = at[player, y, x]
            if to >= 0:
                moved[player] = True
                switched = -1
                if move == USE and traits[player, here, SWITCH] != 0:
                    switched = here
                else:
                    x, y = to % width, to // width
                    places[player, 0] = x
                    places[player, 1] = y
                    thing = at[player, y, x]
                    if thing >= 0 and traits[player, thing, FORCED] != 0:
                        switched = thing
                    if (
                        thing >= 0
                        and traits[player, thing, STATE] == DONE
                        and bits[player, thing] == 0
                    ):
                        bits[player, thing] = 1
                        for k in range(has.shape[1]):
                            has[player, k] += amounts[player, thing, GIVES, k]
                            has[player, k] -= amounts[player, thing, SPENDS, k]
                        if traits[player, thing, COUNTS] != 0 and left[player] > 0:
                            left[player] -= 1
                            gained += 1
                if switched >= 0:
                    once = traits[player, switched, SWITCH] == ONCE
                    bits[player, switched] = 1 if once else 1 - bits[player, switched]
            steps[player] += 1
            while (
                reached[player] < lengths[player]
                and stops[player, reached[player], 0] == x
                and stops[player, reached[player], 1] == y
                and (reached[player] < lengths[player] - 1 or left[player] == 0)
            ):
                reached[player] += 1
                gained += 1
        ended = reached[player] == lengths[player]
        won[player] = ended
        truncated[player] = not ended and not begins[player] and steps[player] >= most
        rewards[player] = 0.0 if begins[player] else gained * shares[player] - cost
        ahead = min(reached[player], lengths[player] - 1)
        targets[player, 0] = stops[player, ahead, 0]
        targets[player, 1] = stops[player, ahead, 1]
        for move in range(USE + 1):
            masks[player, move] = (
                _target(move, tiles, allowed, at, traits, amounts, bits, has, player, x, y) >= 0
            )
