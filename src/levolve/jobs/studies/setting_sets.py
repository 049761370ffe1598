"""Sets of settings, the individuals of meta-evolution: random ones, mutants, children and
neighbours. A set has a value for every variable.

Estimates of what a set of settings is worth, from all runs of sets near it.

The score of one run says little: runs of the same set differ more than good sets do. A weighted
mean over neighbouring sets (kernel regression, after E. A. Nadaraya 1964, "On estimating
regression", and G. S. Watson 1964, "Smooth regression analysis") uses the runs of all of them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from typing import Any

import numpy as np

from levolve.kernels.bits.random_streams import Stream, draw, draw_float, open_stream
from levolve.recipes.search_space import Choice, Number, Settings, Span, Variable

# How far neighbours are moved at least: a whole number by about 1 now and then, any other by a
# share of its range.
LEAST_STEP, LEAST_SHARE = 0.5, 0.001


def stream_of(seed: int, purpose: int, generation: int, individual: int) -> Stream:
    """The stream of one individual, as the kernels take it."""
    start, step = open_stream(np.uint64(seed), purpose, generation, individual)
    return np.uint64(start), np.uint64(step)


def below(stream: Stream, index: int, bound: int) -> int:
    """Number `index` of a stream as a whole number from 0 to `bound` - 1."""
    return int(draw(stream, index)) * bound >> 64


def fresh_set(variables: Sequence[Variable], stream: Stream) -> Settings:
    """Every setting anywhere in its range."""

    def any_number(index: int, span: Span, low: Number, high: Number) -> Number:
        if span.whole:
            return int(low) + below(stream, index, int(high - low) + 1)
        return low + draw_float(stream, index) * (high - low)

    return _filled(
        variables,
        any_number,
        lambda index, choice: choice.values[below(stream, index, len(choice.values))],
    )


def mutant_of(
    variables: Sequence[Variable], original: Settings, spread: float, stream: Stream
) -> Settings:
    """Every number moved by up to a share `spread` of its range, a whole one by 1 at least; that
    share of the choices made anew.
    """

    def near(index: int, span: Span, low: Number, high: Number) -> Number:
        reach, value = spread * (high - low), original[span.path]
        if span.whole:
            steps = max(1, round(reach))
            value += below(stream, index, 2 * steps + 1) - steps
        else:
            value += reach * (2 * draw_float(stream, index) - 1)
        return _within(value, low, high)

    def chosen(index: int, choice: Choice) -> Any:
        if draw_float(stream, index) < spread:
            return choice.values[below(stream, len(variables) + index, len(choice.values))]
        return original[choice.path]

    return _filled(variables, near, chosen)


def child_of(
    variables: Sequence[Variable], one: Settings, other: Settings, stream: Stream
) -> Settings:
    """Every number the mean of the parents', rounded either way by a coin; every choice one of the
    two.
    """

    def mean(index: int, span: Span, low: Number, high: Number) -> Number:
        total = one[span.path] + other[span.path]
        value = (total + below(stream, index, 2)) // 2 if span.whole else total / 2
        return _within(value, low, high)

    return _filled(
        variables, mean, lambda index, choice: (one, other)[below(stream, index, 2)][choice.path]
    )


def neighbour_of(
    variables: Sequence[Variable],
    elites: Sequence[Settings],
    spread: float,
    chance: float,
    stream: Stream,
) -> Settings:
    """A set near the best ones: every setting from one of two of them, numbers moved by `spread`
    times the elites' standard deviation.

    A choice is made anew with probability `chance`. The steps follow the elites, so they become
    shorter where the elites agree, for each setting on a scale of its own.
    """
    count = len(variables)
    parents = [elites[below(stream, 4 * count + place, len(elites))] for place in range(2)]

    def near(index: int, span: Span, low: Number, high: Number) -> Number:
        deviation = spread * deviation_of([elite[span.path] for elite in elites])
        # The sum of three uniform numbers: nearly normal, with deviation 1, and the same bits on
        # every machine.
        step = 2 * sum(draw_float(stream, 4 * index + turn) for turn in range(1, 4)) - 3
        value = (
            parents[below(stream, 4 * index, 2)][span.path]
            + max(deviation, LEAST_STEP if span.whole else LEAST_SHARE * (high - low)) * step
        )
        return _within(round(value) if span.whole else value, low, high)

    def chosen(index: int, choice: Choice) -> Any:
        if draw_float(stream, 4 * index + 1) < chance:
            return choice.values[below(stream, 4 * index + 2, len(choice.values))]
        return parents[below(stream, 4 * index, 2)][choice.path]

    return _filled(variables, near, chosen)


def deviation_of(values: Sequence[Number]) -> float:
    """The standard deviation of some numbers."""
    mean = sum(values) / len(values)
    return sqrt(sum((value - mean) ** 2 for value in values) / len(values))


def _within(value: Number, low: Number, high: Number) -> Number:
    return min(max(value, low), high)


def _filled(
    variables: Sequence[Variable],
    number: Callable[[int, Span, Number, Number], Number],
    chosen: Callable[[int, Choice], Any],
) -> Settings:
    """A set, one setting after the other, as a bound may be a setting before."""
    settings: dict[str, Any] = {}
    for index, variable in enumerate(variables):
        if isinstance(variable, Span):
            settings[variable.path] = number(index, variable, *variable.bounds(settings))
        else:
            settings[variable.path] = chosen(index, variable)
    return settings


# The width of the kernel in standard deviations of the elites, and the least deviation: of whole
# numbers, and as a share of the range of others.
WIDTH, LEAST_DEVIATION, LEAST_SMOOTHED_SHARE = 3.0, 1.0, 0.002
# How far apart two different choices are, in widths.
OTHER_CHOICE = 1.0


@dataclass(frozen=True)
class RaceRecord:
    """What is known of a set: how often it was run, and the sum of its scores."""

    settings: Settings
    runs: int
    total: float


def smoothed_scores(
    variables: Sequence[Variable],
    elites: Sequence[Settings],
    records: Sequence[RaceRecord],
    sets: Sequence[Settings],
) -> list[float]:
    """An estimate of the score of each of `sets`, from the records of all sets that were run, at
    least one; those of near sets count most.

    Distances are measured on the scale of the `elites`, at least one: where they agree, only sets
    that are close to each other are near.
    """
    squares = np.zeros((len(sets), len(records)))
    for variable in variables:
        here, there = (
            [settings[variable.path] for settings in group]
            for group in (sets, [record.settings for record in records])
        )
        if isinstance(variable, Span):
            low, high = variable.bounds(elites[0])
            least = LEAST_DEVIATION if variable.whole else LEAST_SMOOTHED_SHARE * (high - low)
            width = WIDTH * max(deviation_of([elite[variable.path] for elite in elites]), least)
            # A range of a single number has no width.
            steps = (np.array(here, float)[:, np.newaxis] - np.array(there, float)) / (width or 1.0)
        else:
            steps = np.array(
                [[OTHER_CHOICE * (one != other) for other in there] for one in here]
            ).reshape(squares.shape)
        squares += steps * steps
    nearness = 1 / (1 + squares)
    nearness *= nearness
    nearness *= nearness
    runs, totals = (
        np.array([record.runs for record in records], float),
        np.array([record.total for record in records]),
    )
    # Exact sums: the same bits on every machine.
    return [fsum(row * totals) / fsum(row * runs) for row in nearness]
