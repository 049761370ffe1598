"""Rounds of Reach the Flag: tiles fall after a number of visits, all have to be used up, and the walk ends on the flag."""

from levolve.kernels.compiler import kernel
from levolve.kernels.play.walks import Flags, Masks, Numbers, Values
from levolve.kernels.walking import Tiles


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

    States: `left` `(n, height, width)` are the visits that each tile still bears, 0 for a gap and `never` for a tile that does not fall; `places`
    `(n, 2)` the cells (x, y) of the players, `rests` `(n,)` the visits left to be used up, `steps` `(n,)` the steps taken. `flags` `(n, 2)` are the
    cells of the flags. Results: the reward of a won round is 1; `won`; `stuck`, whether no move is left in a round that is not won; `truncated` and
    `moved` (whether the move was legal), each `(n,)`; and `masks` `(n, 4)`, 1 for the moves that are legal now.
    """
    for player in range(actions.size):
        x, y = places[player, 0], places[player, 1]
        moved[player] = False
        if not begins[player]:
            move = actions[player]
            to_x = x + (move == 3) - (move == 2)  # noqa: PLR2004 the move's number
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
        lost = not ended and masks[player, 0] + masks[player, 1] + masks[player, 2] + masks[player, 3] == 0
        won[player] = ended
        stuck[player] = lost
        truncated[player] = not ended and not lost and not begins[player] and steps[player] >= most
        rewards[player] = 0.0 if begins[player] else ended - cost
