"""Finish steps by their definitions, on lists of rows."""

from collections.abc import Collection

from oracles.regions import regions
from oracles.walking import MOVES, Cell, Level, Steps, cells

Rows = list[list[int]]
Fixed = Collection[Cell]


def fill_pockets(level: Level, steps: Steps, stops: list[Cell], fixed: Fixed, wall: int) -> Rows:
    rows = [list(row) for row in level]
    found = sorted(
        regions(level, steps), key=lambda region: (-len(region), min((y, x) for x, y in region))
    )
    staying = [region for region in found if region & set(stops)] or found[:1]
    for x, y in cells(level):
        inside = any((x, y) in region for region in found)
        if inside and not any((x, y) in region for region in staying) and (x, y) not in fixed:
            rows[y][x] = wall
    return rows


def wall_groups(level: Level, walls: Collection[int]) -> list[set[Cell]]:
    """Groups of adjacent walls: regions of the level in which only walls can be walked."""
    kinds = range(max(max(row) for row in level) + 1)
    return regions(level, [[a in walls and b in walls for b in kinds] for a in kinds])


def drop_specks(
    level: Level, walls: Collection[int], fixed: Fixed, largest: int, floor: int
) -> Rows:
    rows = [list(row) for row in level]
    for group in wall_groups(level, walls):
        if len(group) <= largest and not group & set(fixed):
            for x, y in group:
                rows[y][x] = floor
    return rows


def is_dispensable(level: Level, walls: Collection[int], cell: Cell) -> bool:
    """Whether the open cells beside a cell can reach each other within its eight neighbours."""
    x, y = cell
    around = {
        (x + dx, y + dy)
        for dx in (-1, 0, 1)
        for dy in (-1, 0, 1)
        if (dx or dy)
        and 0 <= x + dx < len(level[0])
        and 0 <= y + dy < len(level)
        and level[y + dy][x + dx] not in walls
    }
    beside = {(x + dx, y + dy) for dx, dy in MOVES} & around
    if not beside:
        return True
    reached = {min(beside)}
    while True:
        more = {(a + dx, b + dy) for a, b in reached for dx, dy in MOVES} & around
        if more <= reached:
            return beside <= reached
        reached |= more


def thicken(level: Level, walls: Collection[int], fixed: Fixed, floor: int, wall: int) -> Rows:
    rows = [list(row) for row in level]
    for _ in range(8):
        before = [list(row) for row in rows]
        for y in range(len(rows) - 1):
            for x in range(len(rows[0]) - 1):
                square = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)]
                open_cells = [(a, b) for a, b in square if rows[b][a] not in walls]
                if open_cells not in ([square[0], square[3]], [square[1], square[2]]):
                    continue
                closed = [cell for cell in square if cell not in open_cells]
                choices = [
                    (cell, wall)
                    for cell in open_cells
                    if cell not in fixed and is_dispensable(rows, walls, cell)
                ]
                choices += [(cell, floor) for cell in closed if cell not in fixed]
                for (a, b), kind in choices[:1]:
                    rows[b][a] = kind
        if rows == before:
            break
    return rows


def smooth(
    level: Level,
    walls: Collection[int],
    fixed: Fixed,
    passes: int,
    kinds: tuple[int, int],
    allowed: Collection[bool],
) -> Rows:
    rows = [list(row) for row in level]
    for _ in range(passes):
        before = [list(row) for row in rows]
        inside = set(cells(before))
        for x, y in inside - set(fixed):
            near = [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
            closed = (
                sum(cell not in inside or before[cell[1]][cell[0]] in walls for cell in near) > 4
            )
            if closed != (before[y][x] in walls) and closed in allowed:
                rows[y][x] = kinds[closed]
    return rows


def join_halls(  # noqa: C901 as long as its definition
    level: Level, steps: Steps, stops: list[Cell], halls: Collection[Cell], floor: int
) -> Rows:
    """Open the shortest ways through halls to open cells of halls that are cut off, the nearest
    first.
    """
    rows = [list(row) for row in level]
    found = sorted(
        regions(level, steps), key=lambda region: (-len(region), min((y, x) for x, y in region))
    )
    first = next((region for stop in stops for region in found if stop in region), None)
    reached: set[Cell] = set(first or (found[0] if found else ()))
    while True:
        open_cells = set().union(*regions(rows, steps))
        before: dict[Cell, Cell | None] = dict.fromkeys(
            sorted(reached, key=lambda cell: (cell[1], cell[0]))
        )
        waiting = list(before)
        target: Cell | None = None
        for x, y in waiting:
            for cell in ((x, y - 1), (x, y + 1), (x - 1, y), (x + 1, y)):
                if target is None and cell in halls and cell not in before:
                    before[cell] = (x, y)
                    waiting.append(cell)
                    target = cell if cell in open_cells else None
            if target is not None:
                break
        if target is None:
            return rows
        way = []
        step = before[target]
        while step is not None and step not in reached:
            way.append(step)
            step = before[step]
        for x, y in way:
            rows[y][x] = floor
        for region in regions(rows, steps):
            if region & {target, *way}:
                reached |= region
