"""Structures of a level by their definitions, with sets of cells."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from math import log2

from oracles.regions import regions
from oracles.walking import MOVES, Cell, Level, Steps, cells, may_stand, may_walk

SQUARE = [(0, 0), (1, 0), (0, 1), (1, 1)]


def links_of(steps: Steps) -> Steps:
    """Steps that are legal in one direction or the other."""
    return [[steps[a][b] or steps[b][a] for b in range(len(steps))] for a in range(len(steps))]


def beside(cell: Cell) -> list[Cell]:
    return [(cell[0] + dx, cell[1] + dy) for dx, dy in MOVES]


def linked_to(level: Level, links: Steps, cell: Cell) -> list[Cell]:
    return [other for other in beside(cell) if may_walk(level, links, cell, other)]


def squares(level: Level) -> Iterator[list[Cell]]:
    """All 2x2 squares: upper left, upper right, lower left, lower right."""
    for x, y in cells(level):
        if x + 1 < len(level[0]) and y + 1 < len(level):
            yield [(x + dx, y + dy) for dx, dy in SQUARE]


def plazas(level: Level, links: Steps) -> list[list[Cell]]:
    sides = [(0, 1), (0, 2), (1, 3), (2, 3)]
    return [
        square
        for square in squares(level)
        if all(may_walk(level, links, square[a], square[b]) for a, b in sides)
    ]


def room_cells(level: Level, links: Steps) -> set[Cell]:
    corners = {square[0] for square in plazas(level, links)}
    found = set()
    for x, y in corners:
        if {(x + dx, y + dy) for dx, dy in SQUARE} <= corners:
            found |= {(x + dx, y + dy) for dx in range(3) for dy in range(3)}
    return found


def groups(level: Level, links: Steps, members: Collection[Cell]) -> int:
    """How many groups of linked cells these are."""
    left = set(members)
    found = 0
    while left:
        found += 1
        waiting = [left.pop()]
        while waiting:
            for other in linked_to(level, links, waiting.pop()):
                if other in left:
                    left.remove(other)
                    waiting.append(other)
    return found


def shapes(level: Level, steps: Steps, stops: Collection[Cell]) -> list[int]:
    """In the order of the kernel: specks, plazas, blocks, diagonals, dead ends, junctions, links,
    and walkable, plaza and room cells.
    """
    links = links_of(steps)
    ground = {cell for cell in cells(level) if may_stand(level, steps, cell)}
    walls = set(cells(level)) - ground
    degree = {cell: len(linked_to(level, links, cell)) for cell in ground}
    specks = [wall for wall in walls if not walls & set(beside(wall))]
    blocks = [square for square in squares(level) if walls >= set(square)]
    diagonals = [
        square
        for square in squares(level)
        if walls & set(square) in ({square[0], square[3]}, {square[1], square[2]})
    ]
    dead_ends = [cell for cell in ground if degree[cell] == 1 and cell not in stops]
    in_plaza = {cell for square in plazas(level, links) for cell in square}
    rooms = room_cells(level, links)
    found = [
        len(specks),
        len(plazas(level, links)),
        len(blocks),
        len(diagonals),
        len(dead_ends),
        len(junctions(level, links)),
    ]
    return [*found, sum(degree.values()) // 2, len(ground), len(in_plaza), len(rooms)]


def junctions(level: Level, links: Steps) -> set[Cell]:
    in_plaza = {cell for square in plazas(level, links) for cell in square}
    return {
        cell
        for cell in cells(level)
        if len(linked_to(level, links, cell)) >= 3 and cell not in in_plaza
    }


def corridors_and_rooms(level: Level, steps: Steps) -> tuple[int, int]:
    links = links_of(steps)
    rooms = room_cells(level, links)
    corridors = (
        {cell for cell in cells(level) if may_stand(level, steps, cell)}
        - rooms
        - junctions(level, links)
    )
    return groups(level, links, corridors), groups(level, links, rooms)


def pockets(level: Level, steps: Steps, stops: Collection[Cell]) -> int:
    areas = regions(level, links_of(steps))
    return sum(not area & set(stops) for area in areas) if stops else max(len(areas) - 1, 0)


def symmetry(level: Level) -> float:
    """The share of cells that equal their image, for the best image."""
    height, width = len(level), len(level[0])
    images: list[Callable[[int, int], Cell]] = [
        lambda x, y: (width - 1 - x, y),
        lambda x, y: (x, height - 1 - y),
        lambda x, y: (width - 1 - x, height - 1 - y),
    ]
    if width == height:
        images += [
            lambda x, y: (y, x),
            lambda x, y: (width - 1 - y, width - 1 - x),
            lambda x, y: (y, width - 1 - x),
        ]
    best = 0
    for image in images:
        moved = [image(x, y) for x, y in cells(level)]
        best = max(
            best,
            sum(
                level[y][x] == level[v][u]
                for (x, y), (u, v) in zip(cells(level), moved, strict=True)
            ),
        )
    return best / (width * height)


def entropy(level: Level) -> float:
    """The entropy of the 2x2 patterns in bits."""
    found = Counter(tuple(level[y][x] for x, y in square) for square in squares(level))
    windows = sum(found.values())
    return sum(count / windows * log2(windows / count) for count in found.values())
