"""Shapes of cells as polygons, and the cells inside polygons, in units of cells.

A polygon has one outline. The holes and the other parts of a shape are joined to it by seams, lines
that run there and back: by the rule that counts crossings, which Tiled and other programs apply,
they change nothing.
"""

import math
from collections.abc import Iterable, Iterator, Sequence

from levolve.formats.reading.budgets import MOST_CROSSINGS, check_amount
from levolve.levels.places import Place

Point = tuple[float, float]
# Of larger outlines, seams begin at the first point instead of the nearest one.
_MOST_COMPARED = 1 << 14


def outline_of(cells: Iterable[Place]) -> list[Place]:
    """Return the corners of the outline of a shape, the first not repeated."""
    loops = list(loops_of(cells))
    points = loops[0]
    for loop in loops[1:]:
        at, begin = 0, 0
        if len(points) * len(loop) < _MOST_COMPARED:
            pairs = ((i, j) for i in range(len(points)) for j in range(len(loop)))
            at, begin = min(pairs, key=lambda pair: _distance(points[pair[0]], loop[pair[1]]))
        turned = loop[begin:] + loop[: begin + 1]
        points = [*points[: at + 1], *turned, *points[at:]]
    return points


def _distance(one: Place, other: Place) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def loops_of(cells: Iterable[Place]) -> Iterator[list[Place]]:
    """Return the corners of each closed line around a shape, which lies to its right."""
    inside = set(cells)
    ways: dict[Place, list[Place]] = {}
    for x, y in sorted(inside, key=lambda cell: (cell[1], cell[0])):
        for begin, change, beyond in (
            ((x, y), (1, 0), (x, y - 1)),
            ((x + 1, y), (0, 1), (x + 1, y)),
            ((x + 1, y + 1), (-1, 0), (x, y + 1)),
            ((x, y + 1), (0, -1), (x - 1, y)),
        ):
            if beyond not in inside:
                ways.setdefault(begin, []).append(change)
    for start in list(ways):
        while ways[start]:
            at, change = start, (0, 0)
            corners: list[Place] = []
            while ways[at]:
                # Where two cells touch at a corner, the line turns right and stays at one cell.
                right = (-change[1], change[0])
                turn = ways[at].index(right) if right in ways[at] else 0
                before, change = change, ways[at].pop(turn)
                if change != before:
                    corners.append(at)
                at = (at[0] + change[0], at[1] + change[1])
            yield corners


def cells_inside(points: Sequence[Point], width: int, height: int, what: str) -> list[Place]:
    """Return the cells of a level of this size whose centres a polygon contains."""
    crossings: dict[int, list[float]] = {}
    amount = 0
    for (x, y), (to_x, to_y) in zip(points, [*points[1:], *points[:1]], strict=True):
        low, high = sorted((y, to_y))
        first, last = (max(0, min(math.ceil(edge - 0.5), height)) for edge in (low, high))
        amount += last - first
        check_amount(amount, MOST_CROSSINGS, "rows along the edges of a polygon", what)
        for row in range(first, last):
            share = (row + 0.5 - y) / (to_y - y)
            crossings.setdefault(row, []).append(x + share * (to_x - x))
    found: list[Place] = []
    for row, edges in sorted(crossings.items()):
        edges.sort()
        for left, right in zip(edges[::2], edges[1::2], strict=False):
            columns = (max(0, min(math.ceil(edge - 0.5), width)) for edge in (left, right))
            found += [(column, row) for column in range(*columns)]
    return found
