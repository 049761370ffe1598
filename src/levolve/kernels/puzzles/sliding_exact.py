"""Iterative deepening A* on additive pattern databases.

Tables of distances: of all boards, and of a few tiles alone (pattern databases).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import full, zeros
from levolve.kernels.bits.random_streams import Index
from levolve.kernels.compiler import inlined, kernel
from levolve.kernels.puzzles.sliding_boards import (
    Board,
    Moves,
    Near,
    Numbers,
    find_blank,
    rank_board,
    slide,
)

FOUND, EXHAUSTED, GAVE_UP, PAUSED = 1, 0, 2, 3
# The numbers of a search: how it ended (`PAUSED`: not yet), the moves of the solution or those that
# are proven to be too few; the bound of the present depth-first search and the next one, the depth
# (-1 between two), the blank's cell, and the positions looked at.
OUTCOME, LENGTH, BOUND, FOLLOWING, DEPTH, BLANK, NODES = range(7)
ALL_MOVES = 4


class Patterns(NamedTuple):
    """Pattern databases of one frame and goal.

    The tile of cell c, `tile`, is looked up in the table `group[tile]`, where its cell counts
    `weight[tile]`. Where the goal is its own reflection, `mirror[cell]` is the cell opposite and
    `twin[tile]` the tile named after it, and the board is looked up as its reflection too; else
    both are their own, and the second look would be the first again: `mirrored` says which.
    """

    tables: NDArray[np.uint8]
    group: Numbers
    weight: Numbers
    mirror: Numbers
    twin: Numbers
    mirrored: bool


class Deepening(NamedTuple):
    """A search under way: its numbers, the board, its places in the tables, and for each depth the
    move, the moves tried and both estimates.
    """

    numbers: Numbers
    board: Board
    entry: Numbers
    image: Numbers
    moves: Moves
    tried: NDArray[np.int8]
    estimate: Numbers
    reflected: Numbers


def new_deepening(start: Board, patterns: Patterns, longest: int) -> Deepening:
    """A search for a solution of at most `longest` moves, with nothing looked at yet."""
    index, image = np.zeros((2, patterns.tables.shape[0]), np.int64)
    estimate, reflected = np.zeros((2, longest + 2), np.int64)
    estimate[0], reflected[0] = _locate(start, patterns, index, image)
    bound = max(estimate[0], reflected[0])
    numbers = np.array(
        [PAUSED if bound else FOUND, 0, bound, 0, -1, find_blank(start), 0], np.int64
    )
    moves, tried = np.zeros(longest, np.int8), np.zeros(longest + 2, np.int8)
    return Deepening(numbers, start.copy(), index, image, moves, tried, estimate, reflected)


@kernel
def _locate(
    board: Board, patterns: Patterns, index: Numbers, image: Numbers
) -> tuple[Index, Index]:
    """Write where in each table a board and its reflection stand; gives both estimates of how far
    it is.
    """
    index[:] = 0
    image[:] = 0
    for cell in range(board.shape[0]):
        tile = board[cell]
        if tile != 0:
            twin = patterns.twin[tile]
            index[patterns.group[tile]] += cell * patterns.weight[tile]
            image[patterns.group[twin]] += patterns.mirror[cell] * patterns.weight[twin]
    estimate = reflected = np.int64(0)
    for number in range(patterns.tables.shape[0]):
        estimate += np.int64(patterns.tables[number, index[number]])
        reflected += np.int64(patterns.tables[number, image[number]])
    return estimate, reflected


@inlined
def _relocate(
    tables: NDArray[np.uint8],
    group: Numbers,
    weight: Numbers,
    tile: int,
    origin: int,
    to: int,
    index: Numbers,
) -> tuple[Index, Index, Index]:
    """A tile goes from one cell to another: which table that concerns, where in it the board then
    stands, and how the estimate changes.
    """
    number = group[tile]
    after = index[number] + (to - origin) * weight[tile]
    return number, after, np.int64(tables[number, after]) - np.int64(tables[number, index[number]])


@kernel
def deepen(near: Near, patterns: Patterns, budget: int, until: int, search: Deepening) -> None:
    """Go on with iterative deepening A* for the shortest solution, until it has ended or `until`
    positions have been looked at in all.

    Where the budget does not last, the length is that up to which there is proven to be no
    solution.
    """
    tables, group, weight, mirror, twins, mirrored = patterns
    numbers, board, index, image, moves, tried, estimate, reflected = search
    longest = moves.shape[0]
    bound, following, depth, blank, nodes = (
        numbers[BOUND],
        numbers[FOLLOWING],
        numbers[DEPTH],
        numbers[BLANK],
        numbers[NODES],
    )
    outcome, length = numbers[OUTCOME], numbers[LENGTH]
    while outcome == PAUSED and nodes < until:
        if depth < 0:
            if bound > longest:
                outcome, length = EXHAUSTED, longest
                break
            following = longest + 1
            depth = 0
            tried[0] = 0
        while depth >= 0 and nodes < until:
            if tried[depth] == ALL_MOVES:
                depth -= 1
                if depth >= 0:
                    # Take the move back: the blank returns, the tile too.
                    other = near[blank, moves[depth] ^ 1]
                    tile = board[other]
                    twin = twins[tile]
                    index[group[tile]] += (blank - other) * weight[tile]
                    image[group[twin]] += (mirror[blank] - mirror[other]) * weight[twin]
                    slide(board, blank, other)
                    blank = other
                continue
            move = tried[depth]
            tried[depth] += 1
            if depth > 0 and moves[depth - 1] == move ^ 1:
                continue
            other = near[blank, move]
            if other < 0:
                continue
            tile = board[other]
            number, after, change = _relocate(tables, group, weight, tile, other, blank, index)
            total = estimate[depth] + change
            image_number, image_after, image_change = number, after, change
            if mirrored:
                image_number, image_after, image_change = _relocate(
                    tables, group, weight, twins[tile], mirror[other], mirror[blank], image
                )
                total = max(total, reflected[depth] + image_change)
            nodes += 1
            if depth + 1 + total > bound:
                following = min(following, depth + 1 + total)
                continue
            if nodes > budget:
                outcome, length = GAVE_UP, bound - 1
                break
            index[number] = after
            image[image_number] = image_after
            slide(board, blank, other)
            blank = other
            moves[depth] = move
            depth += 1
            tried[depth] = 0
            estimate[depth] = estimate[depth - 1] + change
            reflected[depth] = reflected[depth - 1] + image_change
            if total == 0:
                outcome, length = FOUND, depth
                break
        if depth < 0:
            bound = following
    numbers[BOUND], numbers[FOLLOWING], numbers[DEPTH], numbers[BLANK], numbers[NODES] = (
        bound,
        following,
        depth,
        blank,
        nodes,
    )
    numbers[OUTCOME], numbers[LENGTH] = outcome, length


UNKNOWN = 255


@kernel
def distance_table(goal: Board, near: Near, distances: NDArray[np.uint8]) -> int:
    """The least number of moves to the goal for every board, by rank; `UNKNOWN` for one that cannot
    reach it. Gives how many can.
    """
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
    """How many moves of a few tiles alone bring those to their goals at `places`, for every way
    they can stand.

    An entry's index has the cell of each tile as a digit, the first tile's the highest. Moves of
    all other tiles are free, so that tables of different tiles may be added (Korf and Felner 2002).
    Breadth-first by moves that count; between those the blank wanders.
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
