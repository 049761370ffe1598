"""Rows of cells as whole numbers: cell x of a row adds 2**x when it is a wall, or when a step from
it is legal.
"""

from collections.abc import Sequence

from oracles.walking import Cell, Level, Steps, may_walk


def pack_row(row: Sequence[int]) -> int:
    return sum(2**x for x, tile in enumerate(row) if tile != 0)


def unpack_row(word: int, width: int) -> list[int]:
    return [word // 2**x % 2 for x in range(width)]


def links(level: Level, steps: Steps, move: Cell) -> list[int]:
    """For each row the cells from which a step by `move` stays inside the level and is legal."""
    dx, dy = move
    return [
        sum(2**x for x in range(len(row)) if may_walk(level, steps, (x, y), (x + dx, y + dy)))
        for y, row in enumerate(level)
    ]
