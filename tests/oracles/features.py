"""Culs-de-sac, junctions and reconvergences, each by its definition."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from oracles.walking import Cell, Level, Steps, distances, members, steps_from


def culs_de_sac(level: Level, steps: Steps, start: Cell) -> list[int]:
    """|x| of every cell that can be reached and is as far as each cell that a step leads to."""
    distance = distances(level, steps, start)
    return [
        far
        for cell, far in distance.items()
        if all(far >= distance[next_to] for next_to in steps_from(level, steps, cell))
    ]


def junctions(level: Level, steps: Steps, start: Cell) -> list[Cell]:
    return [
        cell
        for cell in distances(level, steps, start)
        if len(list(steps_from(level, steps, cell))) >= 3
    ]


def witnesses(
    pair: tuple[int, int], distance: Mapping[Cell, int], member: Mapping[Cell, set[int]]
) -> list[Cell]:
    """Of the cells with both checkpoints as members those that lie nearest."""
    reconvergences = [cell for cell in distance if set(pair) <= member[cell]]
    nearest = min((distance[cell] for cell in reconvergences), default=0)
    return [cell for cell in reconvergences if distance[cell] == nearest]


def prc(
    pair: tuple[int, int], distance: Mapping[Cell, int], member: Mapping[Cell, set[int]]
) -> int:
    return max((distance[cell] for cell in witnesses(pair, distance, member)), default=0)


def iprc(
    pair: tuple[int, int], distance: Mapping[Cell, int], member: Mapping[Cell, set[int]]
) -> int:
    isolated = any(member[cell] == set(pair) for cell in witnesses(pair, distance, member))
    return prc(pair, distance, member) if isolated else 0


def reconvergence_sums(
    level: Level, steps: Steps, start: Cell, checkpoints: Sequence[Cell]
) -> tuple[int, int]:
    """The sum of prc and the sum of iprc over all unordered pairs."""
    distance, member = distances(level, steps, start), members(level, steps, start, checkpoints)
    pairs = list(combinations(range(len(checkpoints)), 2))
    return sum(prc(pair, distance, member) for pair in pairs), sum(
        iprc(pair, distance, member) for pair in pairs
    )
