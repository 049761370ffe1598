"""Play: many players at once, each on a level or puzzle of its own. One call of a kernel makes one
move for all of them.

A kernel changes the arrays of states in place and writes the results of the moves. Moves are 0 up,
1 down, 2 left, 3 right. A move that the rules do not allow changes nothing but counts as a step. A
player whose entry of `begins` is true stands at the start of a new episode: its action is ignored,
its reward is 0. An episode is truncated after `most` steps; every step costs `cost`.

Which level each episode plays.

Walks through levels of any tileset, from stop to stop of the level's goal.

Rounds of Reach the Flag: tiles fall after a number of visits, all have to be used up, and the walk
ends on the flag.

Boards of the sliding puzzle. A move is named after the way the tile goes: `up` slides the tile
below the blank.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.random_streams import EDIT, EPISODE, draw_below, open_stream
from levolve.kernels.compiler import kernel
from levolve.kernels.walking.shortest_paths import Table, Tiles


@kernel
def draw_numbers(
    seeds: NDArray[np.uint64], episodes: NDArray[np.int64], count: int, out: NDArray[np.int64]
) -> None:
    """Write a uniform number from 0 to count - 1 for each of n players: a function of the player's
    seed and the number of the episode.
    """
    for player in range(seeds.size):
        out[player] = draw_below(open_stream(seeds[player], EPISODE, episodes[player], 0), 0, count)


@kernel
def draw_cells(
    seeds: NDArray[np.uint64],
    episodes: NDArray[np.int64],
    steps: NDArray[np.int64],
    count: int,
    out: NDArray[np.int64],
) -> None:
    """Write a number below `count` for each designer of a level, from its seed, its episode and its
    step, `(n,)` each.
    """
    for designer in range(len(out)):
        out[designer] = draw_below(
            open_stream(seeds[designer], EDIT, episodes[designer], 0), steps[designer], count
        )


Flags = NDArray[np.bool_]
Numbers = NDArray[np.int64]
Values = NDArray[np.float64]
Masks = NDArray[np.int8]


@kernel
def is_legal(
    tiles: Tiles, allowed: Table, player: int, x: int, y: int, to_x: int, to_y: int
) -> bool:
    """Whether the tiles allow a step to a cell, which may be outside of the level."""
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

    `tiles` are `(n, height, width)` and `allowed` is the table of legal steps of their tileset; a
    kind that has no legal step may fill up smaller levels. `stops` `(n, most stops, 2)` are the
    cells (x, y) to visit in order, of which the first `lengths` `(n,)` count. States: `places` `(n,
    2)` are the cells of the players, `reached` `(n,)` the stops visited so far, `steps` `(n,)` the
    steps taken. Results: a reward has `shares` `(n,)` for each stop reached; `won`, `truncated` and
    `moved` (whether the move was legal), each `(n,)`; `targets` `(n, 2)`, the next stops; and
    `masks` `(n, 4)`, 1 for the moves that are legal now.
    """
    for player in range(actions.size):
        x, y = places[player, 0], places[player, 1]
        gained = 0
        moved[player] = False
        if not begins[player]:
            move = actions[player]
            to_x = x + (move == 3) - (move == 2)
            to_y = y + (move == 1) - (move == 0)
            if is_legal(tiles, allowed, player, x, y, to_x, to_y):
                x, y = to_x, to_y
                places[player, 0] = x
                places[player, 1] = y
                moved[player] = True
            steps[player] += 1
            # Several stops in a row may be the same cell.
            while (
                reached[player] < lengths[player]
                and stops[player, reached[player], 0] == x
                and stops[player, reached[player], 1] == y
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
        masks[player, 0] = is_legal(tiles, allowed, player, x, y, x, y - 1)
        masks[player, 1] = is_legal(tiles, allowed, player, x, y, x, y + 1)
        masks[player, 2] = is_legal(tiles, allowed, player, x, y, x - 1, y)
        masks[player, 3] = is_legal(tiles, allowed, player, x, y, x + 1, y)


@kernel
def _bears(left: Tiles, player: int, x: int, y: int) -> bool:
    inside = (x >= 0) & (x < left.shape[2]) & (y >= 0) & (y < left.shape[1])
    return bool(inside and left[player, y, x] != 0)


@kernel
def step_rounds(
    actions: Numbers,
    begins: Flags,
    left: Tiles,
    never: int,
    flags: Numbers,
    places: Numbers,
    rests: Numbers,
    steps: Numbers,
    most: int,
    cost: float,
    rewards: Values,
    won: Flags,
    stuck: Flags,
    truncated: Flags,
    moved: Flags,
    masks: Masks,
) -> None:
    """Make one move for each of n players.

    States: `left` `(n, height, width)` are the visits that each tile still bears, 0 for a gap and
    `never` for a tile that does not fall; `places` `(n, 2)` the cells (x, y) of the players,
    `rests` `(n,)` the visits left to be used up, `steps` `(n,)` the steps taken. `flags` `(n, 2)`
    are the cells of the flags. Results: the reward of a won round is 1; `won`; `stuck`, whether no
    move is left in a round that is not won; `truncated` and `moved` (whether the move was legal),
    each `(n,)`; and `masks` `(n, 4)`, 1 for the moves that are legal now.
    """
    for player in range(actions.size):
        x, y = places[player, 0], places[player, 1]
        moved[player] = False
        if not begins[player]:
            move = actions[player]
            to_x = x + (move == 3) - (move == 2)
            to_y = y + (move == 1) - (move == 0)
            if _bears(left, player, to_x, to_y):
                x, y = to_x, to_y
                places[player, 0] = x
                places[player, 1] = y
                moved[player] = True
                if left[player, y, x] != never:
                    left[player, y, x] -= 1
                    rests[player] -= 1
            steps[player] += 1
        masks[player, 0] = _bears(left, player, x, y - 1)
        masks[player, 1] = _bears(left, player, x, y + 1)
        masks[player, 2] = _bears(left, player, x - 1, y)
        masks[player, 3] = _bears(left, player, x + 1, y)
        ended = rests[player] == 0 and x == flags[player, 0] and y == flags[player, 1]
        lost = (
            not ended
            and masks[player, 0] + masks[player, 1] + masks[player, 2] + masks[player, 3] == 0
        )
        won[player] = ended
        stuck[player] = lost
        truncated[player] = not ended and not lost and not begins[player] and steps[player] >= most
        rewards[player] = 0.0 if begins[player] else ended - cost


@kernel
def step_boards(
    actions: Numbers,
    begins: Flags,
    tiles: Tiles,
    goals: Tiles,
    blanks: Numbers,
    steps: Numbers,
    most: int,
    cost: float,
    rewards: Values,
    won: Flags,
    truncated: Flags,
    moved: Flags,
    masks: Masks,
) -> None:
    """Make one move for each of n players.

    States: `tiles` `(n, height, width)` are the boards, 0 is the blank; `blanks` `(n, 2)` the cells
    (x, y) of the blanks; `steps` `(n,)` the steps taken. `goals` `(n, height, width)` are the
    boards to reach. Results: the reward of a solved board is 1; `won`, `truncated` and `moved`
    (whether a tile slid), each `(n,)`; and `masks` `(n, 4)`, 1 for the moves that slide a tile now.
    """
    height, width = tiles.shape[1], tiles.shape[2]
    for player in range(actions.size):
        x, y = blanks[player, 0], blanks[player, 1]
        moved[player] = False
        if not begins[player]:
            move = actions[player]
            from_x = x + (move == 2) - (move == 3)
            from_y = y + (move == 0) - (move == 1)
            if 0 <= from_x < width and 0 <= from_y < height:
                tiles[player, y, x] = tiles[player, from_y, from_x]
                tiles[player, from_y, from_x] = 0
                x, y = from_x, from_y
                blanks[player, 0] = x
                blanks[player, 1] = y
                moved[player] = True
            steps[player] += 1
        wrong = 0
        for row in range(height):
            for column in range(width):
                wrong += tiles[player, row, column] != goals[player, row, column]
        won[player] = wrong == 0
        truncated[player] = wrong > 0 and not begins[player] and steps[player] >= most
        rewards[player] = 0.0 if begins[player] else (wrong == 0) - cost
        masks[player, 0] = y < height - 1
        masks[player, 1] = y > 0
        masks[player, 2] = x < width - 1
        masks[player, 3] = x > 0
