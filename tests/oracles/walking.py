"""Walking a level cell by cell: a plain breadth-first search, and every other answer by its
definition from such searches.
"""

from collections import deque
from collections.abc import Iterator, Sequence

Cell = tuple[int, int]
Level = Sequence[Sequence[int]]
Steps = Sequence[Sequence[bool]]

MOVES: list[Cell] = [(0, -1), (0, 1), (-1, 0), (1, 0)]  # up, down, left, right


def cells(level: Level) -> list[Cell]:
    return [(x, y) for y in range(len(level)) for x in range(len(level[0]))]


def may_walk(level: Level, steps: Steps, origin: Cell, target: Cell) -> bool:
    """Whether the target is inside the level and a step from the origin's tile to the target's is
    legal.
    """
    x, y = target
    inside = 0 <= y < len(level) and 0 <= x < len(level[0])
    return inside and steps[level[origin[1]][origin[0]]][level[y][x]]


def steps_from(level: Level, steps: Steps, cell: Cell) -> Iterator[Cell]:
    for dx, dy in MOVES:
        target = cell[0] + dx, cell[1] + dy
        if may_walk(level, steps, cell, target):
            yield target


def may_stand(level: Level, steps: Steps, cell: Cell) -> bool:
    return may_walk(level, steps, cell, cell)


def distances(level: Level, steps: Steps, start: Cell) -> dict[Cell, int]:
    """|x| of every cell that can be reached; the others are not in it."""
    if not may_stand(level, steps, start):
        return {}
    distance = {start: 0}
    waiting = deque([start])
    while waiting:
        cell = waiting.popleft()
        for target in steps_from(level, steps, cell):
            if target not in distance:
                distance[target] = distance[cell] + 1
                waiting.append(target)
    return distance


def exit_distance(level: Level, steps: Steps, start: Cell, goal: Cell) -> int:
    return distances(level, steps, start).get(goal, -1)


def members(
    level: Level, steps: Steps, start: Cell, checkpoints: Sequence[Cell]
) -> dict[Cell, set[int]]:
    """Checkpoint c is a member of x if a shortest walk to c, followed by a shortest walk from c to
    x, is a shortest walk to x.
    """
    from_start = distances(level, steps, start)
    found: dict[Cell, set[int]] = {cell: set() for cell in from_start}
    for number, checkpoint in enumerate(checkpoints):
        if checkpoint not in from_start:
            continue
        onward = distances(level, steps, checkpoint)
        for cell, whole in from_start.items():
            if cell in onward and from_start[checkpoint] + onward[cell] == whole:
                found[cell].add(number)
    return found


def trace(level: Level, steps: Steps, start: Cell, goal: Cell) -> list[int]:
    """The moves of a shortest walk, found from its end: of the moves that may have been the last
    one, the first in the list.
    """
    distance = distances(level, steps, start)
    moves: list[int] = []
    cell = goal
    while cell != start:
        for move, (dx, dy) in enumerate(MOVES):
            before = cell[0] - dx, cell[1] - dy
            if (
                before in distance
                and distance[before] == distance[cell] - 1
                and may_walk(level, steps, before, cell)
            ):
                moves.insert(0, move)
                cell = before
                break
    return moves


def longest_path(level: Level, steps: Steps) -> int:
    """A search from every cell."""
    return max(max(distances(level, steps, cell).values(), default=0) for cell in cells(level))


def sweep_path(level: Level, steps: Steps) -> int:
    """Two searches per region: from its first cell in reading order, and from the first of the
    farthest cells.
    """
    reached: set[Cell] = set()
    longest = 0
    for cell in cells(level):
        first = distances(level, steps, cell)
        if cell in reached or not first:
            continue
        reached |= set(first)
        end = next(other for other in cells(level) if first.get(other) == max(first.values()))
        longest = max(longest, *distances(level, steps, end).values())
    return longest
