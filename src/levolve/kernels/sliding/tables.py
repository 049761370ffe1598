"""Tables of distances: of all boards, and of a few tiles alone (pattern databases)."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiler import kernel
from levolve.kernels.memory import full, zeros
from levolve.kernels.sliding.boards import Board, Near, Numbers, find_blank, rank_board, slide

UNKNOWN = 255


@kernel
def distance_table(goal: Board, near: Near, distances: NDArray[np.uint8]) -> int:
    """The least number of moves to the goal for every board, by rank; `UNKNOWN` for one that cannot reach it. Gives how many can."""
    cells = goal.shape[0]
    distances[:] = UNKNOWN
    queue = zeros((distances.shape[0] // 2 + 1, cells), np.uint8)
    for cell in range(cells):
        queue[0, cell] = goal[cell]
    distances[rank_board(goal)] = 0
    count = 1
    done = 0
    board = goal.copy()
    while done < count:
        for cell in range(cells):
            board[cell] = queue[done, cell]
        done += 1
        distance = distances[rank_board(board)]
        blank = find_blank(board)
        for move in range(4):
            other = near[blank, move]
            if other < 0:
                continue
            slide(board, blank, other)
            rank = rank_board(board)
            if distances[rank] == UNKNOWN:
                distances[rank] = distance + 1
                for cell in range(cells):
                    queue[count, cell] = board[cell]
                count += 1
            slide(board, other, blank)
    return count


@kernel
def pattern_table(places: Numbers, blank: int, near: Near, table: NDArray[np.uint8]) -> None:
    """How many moves of a few tiles alone bring those to their goals at `places`, for every way they can stand.

    An entry's index has the cell of each tile as a digit, the first tile's the highest. Moves of all other tiles are free, so that tables of
    different tiles may be added (Korf and Felner 2002). Breadth-first by moves that count; between those the blank wanders.
    """
    cells = near.shape[0]
    tiles = places.shape[0]
    size = table.shape[0]
    table[:] = UNKNOWN
    seen = zeros(size * cells, np.bool_)
    now = zeros(size * cells, np.int32)
    after = zeros(size * cells, np.int32)
    weights = full(tiles, 1, np.int64)
    for tile in range(tiles - 2, -1, -1):
        weights[tile] = weights[tile + 1] * cells
    index = 0
    for tile in range(tiles):
        index += places[tile] * weights[tile]
    now[0] = index * cells + blank
    seen[now[0]] = True
    count = 1
    moves = 0
    stands = full(cells, -1, np.int64)
    while count > 0:
        following = 0
        done = 0
        while done < count:
            state = np.int64(now[done])
            done += 1
            index = state // cells
            empty = state % cells
            if table[index] == UNKNOWN:
                table[index] = moves
            for tile in range(tiles):
                stands[index // weights[tile] % cells] = tile
            for move in range(4):
                other = near[empty, move]
                if other < 0:
                    continue
                tile = stands[other]
                if tile < 0:
                    state = index * cells + other
                    if not seen[state]:
                        seen[state] = True
                        now[count] = state
                        count += 1
                else:
                    state = (index + (empty - other) * weights[tile]) * cells + other
                    if not seen[state]:
                        seen[state] = True
                        after[following] = state
                        following += 1
            for tile in range(tiles):
                stands[index // weights[tile] % cells] = -1
        now, after = after, now
        count = following
        moves += 1
