"""Walks through levels of any tileset, from stop to stop of the level's goal."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiler import kernel
from levolve.kernels.walking import Table, Tiles

Flags = NDArray[np.bool_]
Numbers = NDArray[np.int64]
Values = NDArray[np.float64]
Masks = NDArray[np.int8]


@kernel
def _legal(tiles: Tiles, allowed: Table, player: int, x: int, y: int, to_x: int, to_y: int) -> bool:
    height, width = tiles.shape[1], tiles.shape[2]
    inside = (to_x >= 0) & (to_x < width) & (to_y >= 0) & (to_y < height)
    return bool(inside and allowed[tiles[player, y, x], tiles[player, to_y, to_x]] != 0)


@kernel
def step_walks(
    actions: Numbers,
    begins: Flags,
    tiles: Tiles,
    allowed: Table,
    stops: Numbers,
    lengths: Numbers,
    shares: Values,
    places: Numbers,
    reached: Numbers,
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
    """Make one move for each of n players.

    `tiles` are `(n, height, width)` and `allowed` is the table of legal steps of their tileset; a kind that has no legal step may fill up smaller
    levels. `stops` `(n, most stops, 2)` are the cells (x, y) to visit in order, of which the first `lengths` `(n,)` count. States: `places` `(n, 2)`
    are the cells of the players, `reached` `(n,)` the stops visited so far, `steps` `(n,)` the steps taken. Results: a reward has `shares` `(n,)`
    for each stop reached; `won`, `truncated` and `moved` (whether the move was legal), each `(n,)`; `targets` `(n, 2)`, the next stops; and `masks`
    `(n, 4)`, 1 for the moves that are legal now.
    """
    for player in range(actions.size):
        x, y = places[player, 0], places[player, 1]
        gained = 0
        moved[player] = False
        if not begins[player]:
            move = actions[player]
            to_x = x + (move == 3) - (move == 2)  # noqa: PLR2004 the move's number
            to_y = y + (move == 1) - (move == 0)
            if _legal(tiles, allowed, player, x, y, to_x, to_y):
                x, y = to_x, to_y
                places[player, 0] = x
                places[player, 1] = y
                moved[player] = True
            steps[player] += 1
            # Several stops in a row may be the same cell.
            while reached[player] < lengths[player] and stops[player, reached[player], 0] == x and stops[player, reached[player], 1] == y:
                reached[player] += 1
                gained += 1
        ended = reached[player] == lengths[player]
        won[player] = ended
        truncated[player] = not ended and not begins[player] and steps[player] >= most
        rewards[player] = 0.0 if begins[player] else gained * shares[player] - cost
        ahead = min(reached[player], lengths[player] - 1)
        targets[player, 0] = stops[player, ahead, 0]
        targets[player, 1] = stops[player, ahead, 1]
        masks[player, 0] = _legal(tiles, allowed, player, x, y, x, y - 1)
        masks[player, 1] = _legal(tiles, allowed, player, x, y, x, y + 1)
        masks[player, 2] = _legal(tiles, allowed, player, x, y, x - 1, y)
        masks[player, 3] = _legal(tiles, allowed, player, x, y, x + 1, y)
