"""The distributions that rank tests need: ranks with ties, exact sums of ranks, and four functions.

SciPy has all of them and more, but would add 140 MB to an installation of 365 MB.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Ranks = NDArray[np.int64]

HALVINGS = 100
# A normal variable beyond these deviations is too rare to count, and this step is fine enough for
# all digits: the sum of a smooth function that vanishes at both ends converges at once.
FAR, STEP = 9.0, 0.05


def doubled_ranks(values: Numbers) -> tuple[Ranks, Ranks]:
    """Return twice the rank of each of `(n,)` values, from the lowest, and the sizes of ties.

    Equal values share the mean of their ranks, so only the double is a whole number.

    >>> doubled_ranks(np.array([5.0, 7.0, 5.0]))[0].tolist()
    [3, 6, 3]
    """
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (2 * np.cumsum(counts) - counts + 1)[places], counts


def subset_tails(weights: Ranks, size: int, total: int) -> float:
    """Return the two-sided p-value of the sum `total` of `size` of the weights, drawn blindly."""
    ways = np.zeros((size + 1, int(weights.sum()) + 1))
    ways[0, 0] = 1.0
    for weight in weights:
        ways[1:, weight:] += ways[:-1, :-weight].copy()
    return _tails(ways[size], total)


def sign_tails(weights: Ranks, total: int) -> float:
    """Return the two-sided p-value of the sum `total` of weights, each taken with chance 1/2."""
    ways = np.zeros(int(weights.sum()) + 1)
    ways[0] = 1.0
    for weight in weights:
        ways[weight:] += ways[:-weight].copy()
    return _tails(ways, total)


def _tails(ways: Numbers, total: int) -> float:
    """Return twice the smaller tail at a sum, which belongs to both, from the ways to each sum."""
    smaller = min(ways[: total + 1].sum(), ways[total:].sum())
    return min(2 * float(smaller / ways.sum()), 1.0)


def normal_tails(deviations: float) -> float:
    """Return the chance that a normal variable is at least this far from its mean.

    >>> round(normal_tails(1.96), 4)
    0.05
    """
    return math.erfc(abs(deviations) / math.sqrt(2))


def chi_square_tail(value: float, freedom: int) -> float:
    """Return the chance that a chi-square variable is at least this large.

    >>> round(chi_square_tail(5.991, 2), 4)
    0.05
    """
    half = value / 2
    if half <= 0:
        return 1.0
    tail = math.erfc(math.sqrt(half)) if freedom % 2 else math.exp(-half)
    for lower in range(2 - freedom % 2, freedom, 2):
        tail += math.exp(lower / 2 * math.log(half) - half - math.lgamma(lower / 2 + 1))
    return tail


def student_quantile(confidence: float, freedom: int) -> float:
    """Return how far Student's t is from 0 at most, with a confidence.

    By the finite series for whole degrees of freedom (Abramowitz and Stegun 26.7.3, 26.7.4).

    >>> round(student_quantile(0.95, 10), 3)
    2.228
    """
    powers = np.arange(freedom % 2, freedom - 1, 2)
    steps = np.where(powers > freedom % 2, (powers - 1) / np.maximum(powers, 1), 1.0)
    factors = np.cumprod(steps)

    def within(angle: float) -> float:
        series = math.sin(angle) * float((factors * math.cos(angle) ** powers).sum())
        return 2 / math.pi * (angle + series) if freedom % 2 else series

    return math.sqrt(freedom) * math.tan(_inverse(within, confidence, math.pi / 2))


def range_quantile(confidence: float, count: int) -> float:
    """Return how far apart the extremes of `count` normal variables are at most, with a confidence.

    >>> round(range_quantile(0.95, 3), 3)
    3.314
    """

    def within(width: float) -> float:
        lowest = np.arange(-FAR - width, FAR, STEP)
        density = np.exp(-(lowest**2) / 2) / math.sqrt(2 * math.pi)
        others = _normal_below(lowest + width) - _normal_below(lowest)
        return float(count * (density * others ** (count - 1)).sum() * STEP)

    return _inverse(within, confidence, 2 * FAR)


def _normal_below(values: Numbers) -> Numbers:
    return np.array([math.erfc(-value / math.sqrt(2)) / 2 for value in values])


def _inverse(rising: Callable[[float], float], wanted: float, high: float) -> float:
    """Return where a rising function has a value, from 0 to `high`."""
    low = 0.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if middle in {low, high}:
            break
        if rising(middle) < wanted:
            low = middle
        else:
            high = middle
    return high
