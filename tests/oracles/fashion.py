"""Fashion cell by cell: score every cell, then follow the best, the cell itself first and then the
neighbours in their order.

With fractions scores are exact. With floats they are added one after the other, in the order of the
neighbours.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import lcm

Map = Sequence[Sequence[int]]
Offsets = Sequence[tuple[int, int]]
Cell = tuple[int, int]
Number = Fraction | float


def neighbours(level: Map, cell: Cell, offsets: Offsets, *, torus: bool) -> list[Cell]:
    """The neighbours (x, y) of a cell in their order; on a bounded map those outside are not
    there.
    """
    width, height = len(level[0]), len(level)
    near = [(cell[0] + dx, cell[1] + dy) for dx, dy in offsets]
    if torus:
        return [(x % width, y % height) for x, y in near]
    return [(x, y) for x, y in near if 0 <= x < width and 0 <= y < height]


def without_fractions(
    rules: Sequence[Sequence[Sequence[Number]]],
) -> Sequence[Sequence[Sequence[Number]]]:
    """Exact scores times their common denominator: whole numbers in the same order, which are added
    many times faster. Floats stay as they are.
    """
    denominators = [
        score.denominator
        for rule in rules
        for row in rule
        for score in row
        if isinstance(score, Fraction)
    ]
    if not denominators:
        return rules
    common = lcm(*denominators)
    return [[[int(score * common) for score in row] for row in rule] for rule in rules]


def update(
    level: Map,
    rules: Sequence[Sequence[Sequence[Number]]],
    shares: Sequence[Sequence[Sequence[int | Fraction]]],
    offsets: Offsets,
    *,
    torus: bool,
) -> list[list[int]]:
    """One update. `shares[r][y][x]` is how much rule r counts at a cell. A neighbour's scores are
    mixed rule by rule, then added.
    """
    cells = [(x, y) for y in range(len(level)) for x in range(len(level[0]))]
    rules = without_fractions(rules)
    score: dict[Cell, Number] = {}
    for x, y in cells:
        total: Number = 0
        for u, v in neighbours(level, (x, y), offsets, torus=torus):
            mixed: Number = 0
            for rule, share in zip(rules, shares, strict=True):
                mixed = mixed + share[y][x] * rule[level[y][x]][level[v][u]]
            total = total + mixed
        score[x, y] = total
    after = [list(row) for row in level]
    for x, y in cells:
        best = (x, y)
        for cell in neighbours(level, (x, y), offsets, torus=torus):
            if score[cell] > score[best]:
                best = cell
        after[y][x] = level[best[1]][best[0]]
    return after


def run(
    level: Map, rule: Sequence[Sequence[Number]], offsets: Offsets, updates: int, *, torus: bool
) -> list[list[int]]:
    """Several updates by one rule."""
    now = [list(row) for row in level]
    everywhere: list[list[int | Fraction]] = [[1] * len(level[0])] * len(level)
    for _ in range(updates):
        now = update(now, [rule], [everywhere], offsets, torus=torus)
    return now


def smooth(level: Map, *, torus: bool) -> list[list[int]]:
    """Each cell the state of more than four of the nine around and on it, where there is one."""
    around = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
    after = [list(row) for row in level]
    for y in range(len(level)):
        for x in range(len(level[0])):
            states = Counter(level[v][u] for u, v in neighbours(level, (x, y), around, torus=torus))
            after[y][x] = next((state for state, count in states.items() if count > 4), level[y][x])
    return after


def most_common(level: Map, scale: int) -> list[list[int]]:
    """The most common state of every block, the lowest of several."""
    blocks = [
        [
            [level[v][u] for v in range(y, y + scale) for u in range(x, x + scale)]
            for x in range(0, len(level[0]), scale)
        ]
        for y in range(0, len(level), scale)
    ]
    return [[_commonest(block) for block in row] for row in blocks]


def _commonest(block: list[int]) -> int:
    return max(sorted(set(block)), key=block.count)


def pour(level: Map, start: Cell, state: int) -> list[list[int]]:
    """The region of equal cells around `start` in another state."""
    old = level[start[1]][start[0]]
    region, edge = {start}, [start]
    while edge:
        cell = edge.pop()
        for x, y in neighbours(level, cell, [(0, 1), (0, -1), (1, 0), (-1, 0)], torus=False):
            if level[y][x] == old and (x, y) not in region:
                region.add((x, y))
                edge.append((x, y))
    return [
        [state if (x, y) in region else level[y][x] for x in range(len(level[0]))]
        for y in range(len(level))
    ]
