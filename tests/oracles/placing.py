"""Entrance and exit by their definition, on lists of cells."""

from collections.abc import Sequence

from oracles.regions import regions
from oracles.walking import Cell, Level, Steps, cells, distances, may_stand


def first_from(order: Sequence[Cell], start: int, suitable: set[Cell]) -> Cell | None:
    """The first suitable cell from a position on, in a circle."""
    return next((cell for cell in [*order[start:], *order[:start]] if cell in suitable), None)


def on_side(level: Level, side: int, position: int, suitable: set[Cell]) -> Cell | None:
    width, height = len(level[0]), len(level)
    lines = (
        [[(x, y) for y in range(height)] for x in range(width)]
        if side % 2 == 0
        else [[(x, y) for x in range(width)] for y in range(height)]
    )
    for line in lines if side < 2 else reversed(lines):
        found = first_from(line, position * len(line) // 16384, suitable)
        if found is not None:
            return found
    return None


def rooms(level: Level, open_cells: set[Cell]) -> list[set[Cell]]:
    """Groups of adjacent cells in open squares of 3x3 cells."""
    squares = [{(x + dx, y + dy) for dx in range(3) for dy in range(3)} for x, y in cells(level)]
    inside: set[Cell] = set().union(*(square for square in squares if square <= open_cells))
    marked = [[int((x, y) in inside) for x in range(len(level[0]))] for y in range(len(level))]
    return regions(marked, ((False, False), (False, True)))


def place_ends(
    level: Level, steps: Steps, numbers: tuple[int, int], rule: str
) -> tuple[Cell | None, Cell | None]:
    """The two ends in a level with two open cells at least."""
    order = cells(level)
    open_cells = {cell for cell in order if may_stand(level, steps, cell)}
    first, second = (number * len(order) // 65536 for number in numbers)
    if rule in {"border", "sides"}:
        side = numbers[0] // 16384
        entrance = on_side(level, side, numbers[0] % 16384, open_cells)
        other = numbers[1] // 16384 if rule == "border" else (side + 2) % 4
        return entrance, on_side(level, other, numbers[1] % 16384, open_cells - {entrance})
    entrance = first_from(order, first, open_cells)
    leave = first_from(order, second, open_cells - {entrance})
    if rule == "rooms":
        found = rooms(level, open_cells)
        if len(found) > 1:
            entrance = first_from(order, first, set().union(*found))
            return entrance, first_from(
                order, second, set().union(*(room for room in found if entrance not in room))
            )
    if rule == "farthest":
        largest = max(
            regions(level, steps),
            key=lambda region: (
                len(region),
                [-order.index(cell) for cell in sorted(region, key=order.index)[:1]],
            ),
        )
        if len(largest) < 2:
            return entrance, leave
        begin, longest = min(largest, key=order.index), -1
        for _ in range(8):
            steps_to = distances(level, steps, begin)
            far = max(steps_to.values())
            if far <= longest:
                break
            # The cell that a breadth-first search reaches last.
            longest, entrance, leave = far, begin, list(steps_to)[-1]
            begin = leave
    return entrance, leave


def place_checkpoints(
    level: Level, steps: Steps, entrance: Cell, leave: Cell, wanted: Sequence[Cell]
) -> list[Cell]:
    """The nearest reachable cells to those wanted, none used twice, or the nearest walkable ones."""
    reachable = set(distances(level, steps, entrance)) - {entrance, leave}
    walkable = {cell for cell in cells(level) if may_stand(level, steps, cell)} - {entrance, leave}
    placed = []
    for x, y in wanted:
        order = [cell for cell in cells(level) if cell in (reachable or walkable)]
        away = [abs(column - x) + abs(row - y) for column, row in order]
        nearest = order[away.index(min(away))] if order else (x, y)
        reachable -= {nearest}
        walkable -= {nearest}
        placed.append(nearest)
    return placed
