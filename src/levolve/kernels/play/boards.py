"""Boards of the sliding puzzle. A move is named after the way the tile goes: `up` slides the tile below the blank."""

from levolve.kernels.compiler import kernel
from levolve.kernels.play.walks import Flags, Masks, Numbers, Values
from levolve.kernels.walking import Tiles


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

    States: `tiles` `(n, height, width)` are the boards, 0 is the blank; `blanks` `(n, 2)` the cells (x, y) of the blanks; `steps` `(n,)` the steps
    taken. `goals` `(n, height, width)` are the boards to reach. Results: the reward of a solved board is 1; `won`, `truncated` and `moved`
    (whether a tile slid), each `(n,)`; and `masks` `(n, 4)`, 1 for the moves that slide a tile now.
    """
    height, width = tiles.shape[1], tiles.shape[2]
    for player in range(actions.size):
        x, y = blanks[player, 0], blanks[player, 1]
        moved[player] = False
        if not begins[player]:
            move = actions[player]
            from_x = x + (move == 2) - (move == 3)  # noqa: PLR2004 the move's number
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
