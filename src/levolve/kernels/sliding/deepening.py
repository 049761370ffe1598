"""Iterative deepening A* on additive pattern databases."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiled import inlined, kernel
from levolve.kernels.sliding.boards import Board, Moves, Near, Numbers, find_blank, slide
from levolve.kernels.streams import Index

FOUND, EXHAUSTED, GAVE_UP = 1, 0, 2
ALL_MOVES = 4


class Patterns(NamedTuple):
    """Pattern databases of one frame and goal.

    The tile of cell c, `tile`, is looked up in the table `group[tile]`, where its cell counts `weight[tile]`. Where the goal is its own reflection,
    `mirror[cell]` is the cell opposite and `twin[tile]` the tile named after it, and the board is looked up as its reflection too; else both are
    their own, and the second look would be the first again: `mirrored` says which.
    """

    tables: NDArray[np.uint8]
    group: Numbers
    weight: Numbers
    mirror: Numbers
    twin: Numbers
    mirrored: bool


@kernel
def _locate(board: Board, patterns: Patterns, index: Numbers, image: Numbers) -> tuple[Index, Index]:
    """Write where in each table a board and its reflection stand; gives both estimates of how far it is."""
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
    tables: NDArray[np.uint8], group: Numbers, weight: Numbers, tile: int, origin: int, to: int, index: Numbers
) -> tuple[Index, Index, Index]:
    """A tile goes from one cell to another: which table that concerns, where in it the board then stands, and how the estimate changes."""
    number = group[tile]
    after = index[number] + (to - origin) * weight[tile]
    return number, after, np.int64(tables[number, after]) - np.int64(tables[number, index[number]])


@kernel
def deepen(start: Board, near: Near, patterns: Patterns, budget: int, moves: Moves) -> tuple[int, int, int]:
    """The shortest solution, by iterative deepening A*: (outcome, length, positions looked at); the moves are written to `moves`.

    Where the budget does not last, the length is that up to which there is proven to be no solution.
    """
    tables, group, weight, mirror, twins, mirrored = patterns
    longest = moves.shape[0]
    board = start.copy()
    blank = find_blank(board)
    index = np.zeros(tables.shape[0], np.int64)
    image = np.zeros(tables.shape[0], np.int64)
    tried = np.zeros(longest + 2, np.int8)
    estimate = np.zeros(longest + 2, np.int64)
    reflected = np.zeros(longest + 2, np.int64)
    estimate[0], reflected[0] = _locate(board, patterns, index, image)
    bound = max(estimate[0], reflected[0])
    nodes = 0
    if bound == 0:
        return FOUND, 0, nodes
    while bound <= longest:
        following = longest + 1
        depth = 0
        tried[0] = 0
        while depth >= 0:
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
                image_number, image_after, image_change = _relocate(tables, group, weight, twins[tile], mirror[other], mirror[blank], image)
                total = max(total, reflected[depth] + image_change)
            nodes += 1
            if depth + 1 + total > bound:
                following = min(following, depth + 1 + total)
                continue
            if nodes > budget:
                return GAVE_UP, bound - 1, nodes
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
                return FOUND, depth, nodes
        bound = following
    return EXHAUSTED, longest, nodes
