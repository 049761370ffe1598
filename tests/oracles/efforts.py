"""The parts of a level's difficulty by their definition, from plain searches."""

from collections.abc import Sequence
from itertools import pairwise

from oracles.walking import MOVES, Cell, Level, Steps, distances, steps_from, trace


def weigh_leg(level: Level, steps: Steps, start: Cell, goal: Cell) -> list[int] | None:
    """Steps, straight distance, wrong turns, culs-de-sac among the cells lost, cells lost; None where there is no walk."""
    onward = distances(level, steps, start)
    if goal not in onward:
        return None
    back = {cell: distances(level, steps, cell).get(goal) for cell in onward}
    on_the_way = {cell for cell in onward if back[cell] is not None and onward[cell] + (back[cell] or 0) == onward[goal]}
    walk = [start]
    for move in trace(level, steps, start, goal):
        walk.append((walk[-1][0] + MOVES[move][0], walk[-1][1] + MOVES[move][1]))
    turns = [target for cell in walk[:-1] for target in steps_from(level, steps, cell) if target not in on_the_way]
    lost: set[Cell] = set()
    waiting = list(turns)
    while waiting:
        cell = waiting.pop()
        if cell not in lost:
            lost.add(cell)
            waiting += [target for target in steps_from(level, steps, cell) if target not in on_the_way]
    ends = [cell for cell in lost if all(onward[target] <= onward[cell] for target in steps_from(level, steps, cell))]
    straight = abs(start[0] - goal[0]) + abs(start[1] - goal[1])
    return [onward[goal], straight, len(turns), len(ends), len(lost)]


def weigh(level: Level, steps: Steps, stops: Sequence[Cell]) -> list[int]:
    legs = [weigh_leg(level, steps, start, goal) for start, goal in pairwise(stops)]
    if any(leg is None for leg in legs):
        return [-1] * 5
    return [sum(parts) for parts in zip(*(leg for leg in legs if leg is not None), strict=True)]
