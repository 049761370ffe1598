"""Choosing parents with the sorting, maximum and running sums of Python itself."""

from collections.abc import Sequence
from itertools import accumulate

from oracles.streams import Stream, draw_below, draw_float


def tournament(stream: Stream, scores: Sequence[float], size: int) -> int:
    """`max` gives the first of several equals."""
    group = [draw_below(stream, k, len(scores)) for k in range(size)]
    return max(group, key=lambda individual: scores[individual])


def proportional(stream: Stream, weights: Sequence[float]) -> int:
    """A wheel with one sector after the other; a mark on the border of two belongs to the later
    one.
    """
    ends = list(accumulate(weights))
    if ends[-1] == 0:
        return draw_below(stream, 0, len(weights))
    mark = draw_float(stream, 0) * ends[-1]
    return next(individual for individual, end in enumerate(ends) if mark < end)


def from_the_best(stream: Stream, best: Sequence[int]) -> int:
    return best[draw_below(stream, 0, len(best))]


def best_first(scores: Sequence[float], count: int) -> list[int]:
    """Sorting keeps the order of equals."""
    return sorted(range(len(scores)), key=lambda individual: -scores[individual])[:count]


def mating_groups(
    stream: Stream, scores: Sequence[float], group: int, events: int
) -> list[list[int]]:
    """Shuffle the front of the population, cut it into groups, and sort each, best first; sorting
    keeps the order of equals.
    """
    order = list(range(len(scores)))
    for place in range(group * events):
        other = place + draw_below(stream, place, len(order) - place)
        order[place], order[other] = order[other], order[place]
    groups = [order[group * event : group * event + group] for event in range(events)]
    return [sorted(members, key=lambda individual: -scores[individual]) for members in groups]


def accepts(stream: Stream, loss: float, temperature: float) -> bool:
    """No loss: always. Else a coin that falls so with nearly exp(-loss / temperature): the 1024th
    power of a number just below 1.
    """
    if loss <= 0:
        return True
    chance = max(1 - loss / temperature / 1024, 0.0)
    for _ in range(10):
        chance = chance * chance
    return draw_float(stream, 0) < chance
