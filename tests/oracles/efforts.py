"""The parts of a level's difficulty by their definition, from plain searches."""

from collections.abc import Sequence
from itertools import pairwise

from oracles.walking import MOVES, Cell, Level, Steps, distances, steps_from, trace


def weigh_leg(level: Level, steps: Steps, start: Cell, goal: Cell) -> list[int] | None:
    """Steps, straight distance, wrong turns, wrong branches, their depths added up; None where
    there is no walk. Branches are met from its end.
    """
    onward = distances(level, steps, start)
    if goal not in onward:
        return None
    back = {cell: distances(level, steps, cell).get(goal) for cell in onward}
    on_the_way = {
        cell
        for cell in onward
        if back[cell] is not None and onward[cell] + (back[cell] or 0) == onward[goal]
    }
    walk = [start]
    for move in trace(level, steps, start, goal):
        walk.append((walk[-1][0] + MOVES[move][0], walk[-1][1] + MOVES[move][1]))
    turns = [
        target
        for cell in walk[-2::-1]
        for target in steps_from(level, steps, cell)
        if target not in on_the_way
    ]
    lost: set[Cell] = set()
    depths = []
    for turn in turns:
        if turn in lost:
            continue
        branch: set[Cell] = set()
        waiting = [turn]
        while waiting:
            cell = waiting.pop()
            if cell not in branch | lost:
                branch.add(cell)
                waiting += [
                    target for target in steps_from(level, steps, cell) if target not in on_the_way
                ]
        lost |= branch
        depths.append(
            max(onward[cell] for cell in branch) - min(onward[cell] for cell in branch) + 1
        )
    straight = abs(start[0] - goal[0]) + abs(start[1] - goal[1])
    return [onward[goal], straight, len(turns), len(depths), sum(depths)]


def weigh(level: Level, steps: Steps, stops: Sequence[Cell]) -> list[int]:
    legs = [weigh_leg(level, steps, start, goal) for start, goal in pairwise(stops)]
    if any(leg is None for leg in legs):
        return [-1] * 5
    return [sum(parts) for parts in zip(*(leg for leg in legs if leg is not None), strict=True)]
