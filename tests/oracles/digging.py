"""Barriers and tunnels pair by pair, on a set of cells: those that are walls. A pair's numbers are
taken apart by division, lowest part first.
"""

from collections.abc import Iterable, Sequence

from oracles.walking import Cell

Pair = tuple[int, int]

# The eight directions as the hands of a clock, beginning upwards.
CLOCK: list[Cell] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)]


def square(number: int, width: int, height: int) -> Cell:
    return number % width, number // width % height


def line(start: Cell, direction: Cell, length: int) -> list[Cell]:
    return [(start[0] + k * direction[0], start[1] + k * direction[1]) for k in range(length)]


def rectangle(corner: Cell, width: int, height: int) -> set[Cell]:
    return {(corner[0] + dx, corner[1] + dy) for dx in range(width) for dy in range(height)}


def arena(width: int, height: int) -> set[Cell]:
    return rectangle((0, 0), width, height)


def barriers(pairs: Iterable[Pair], limit: int, width: int, height: int) -> set[Cell]:
    """The walls of an empty arena into which the barriers are laid one after the other, until there
    are `limit` walls or more.
    """
    inside = arena(width, height)
    walls: set[Cell] = set()
    for shape, number in pairs:
        if len(walls) >= limit:
            break
        through, rest = shape % 2, shape // 2
        direction, rest = CLOCK[rest % 8], rest // 8
        for cell in line(square(number, width, height), direction, rest % max(width, height)):
            if cell not in inside or (cell in walls and not through):
                break
            walls.add(cell)
    return walls


def tunnels(
    pairs: Iterable[Pair], rooms: Sequence[Cell], side: int, width: int, height: int
) -> set[Cell]:
    """The walls that are left of a full arena. What is dug outside of it changes nothing."""
    walls = arena(width, height)
    for corner in rooms:
        walls -= rectangle(corner, side, side)
    for shape, number in pairs:
        kind, rest = shape % 4, shape // 4
        corner = square(number, width, height)
        if kind == 1:
            walls -= rectangle(corner, 1, rest % height)
        if kind == 2:
            walls -= rectangle(corner, rest % width, 1)
        if kind == 3:
            walls -= rectangle(corner, rest % 4 + 2, rest // 4 % 4 + 2)
    return walls


def as_tiles(walls: set[Cell], width: int, height: int) -> list[list[int]]:
    return [[int((x, y) in walls) for x in range(width)] for y in range(height)]
