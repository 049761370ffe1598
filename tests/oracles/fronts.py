"""Fronts by their definitions: domination between every two, front after front taken away,
neighbours looked up in sorted lists.
"""

from collections.abc import Sequence
from math import inf, sqrt

Vector = Sequence[float]


def dominates(values: Sequence[Vector], violations: Vector, one: int, other: int) -> bool:
    """Whether `one` dominates `other`; among equals the earlier does."""
    if violations[one] != violations[other]:
        return violations[one] < violations[other]
    if list(values[one]) == list(values[other]):
        return one < other
    return all(a >= b for a, b in zip(values[one], values[other], strict=True))


def front_ranks(values: Sequence[Vector], violations: Vector) -> list[int]:
    """Take away those whom nobody dominates; they have rank 0. Repeat with the others."""
    ranks = [-1] * len(values)
    left, rank = set(range(len(values))), 0
    while left:
        front = {
            one
            for one in left
            if not any(dominates(values, violations, other, one) for other in left)
        }
        for one in front:
            ranks[one] = rank
        left -= front
        rank += 1
    return ranks


def crowding_distances(values: Sequence[Vector], ranks: Sequence[int]) -> list[float]:
    """In each front and column: infinite at both ends, otherwise the share of the range between the
    two neighbours.
    """
    room = [0.0] * len(values)
    for column in range(len(values[0])):
        for rank in set(ranks):
            front = sorted(
                (one for one in range(len(values)) if ranks[one] == rank),
                key=lambda one: values[one][column],
            )
            width = values[front[-1]][column] - values[front[0]][column]
            for before, one, after in zip(front, front[1:], front[2:], strict=False):
                room[one] += (
                    (values[after][column] - values[before][column]) / width
                    if 0 < width < inf
                    else 0.0
                )
            room[front[0]] = room[front[-1]] = inf
    return room


def sparseness(points: Sequence[Vector], nearest: int, count: int) -> list[float]:
    """The mean of the smallest distances to others."""
    means = []
    for one in range(count):
        squares = sorted(
            sum((a - b) ** 2 for a, b in zip(points[one], point, strict=True))
            for other, point in enumerate(points)
            if other != one
        )
        distances = [sqrt(square) for square in squares[:nearest]]
        means.append(sum(distances) / len(distances) if distances else 0.0)
    return means
