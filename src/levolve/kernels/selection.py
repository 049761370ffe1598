"""Choosing parents. Higher scores are better, everywhere in levolve."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiled import kernel
from levolve.kernels.streams import GROUP, SELECT, draw_below, draw_float, open_stream


@kernel
def tournament(seed: np.uint64, generation: int, scores: NDArray[np.float64], size: int, out: NDArray[np.int64]) -> None:
    """For each place the best of `size` individuals drawn with replacement; among equals the one drawn first."""
    for place in range(out.size):
        stream = open_stream(seed, SELECT, generation, place)
        winner = draw_below(stream, 0, scores.size)
        for k in range(1, size):
            contender = draw_below(stream, k, scores.size)
            if scores[contender] > scores[winner]:
                winner = contender
        out[place] = winner


@kernel
def proportional(seed: np.uint64, generation: int, weights: NDArray[np.float64], out: NDArray[np.int64]) -> None:
    """For each place an individual with probability weight / sum of weights; all weights at least 0. All 0: any, equally likely."""
    running = np.empty(weights.size)
    total = 0.0
    for i in range(weights.size):
        total += weights[i]
        running[i] = total
    for place in range(out.size):
        stream = open_stream(seed, SELECT, generation, place)
        if total <= 0.0:
            out[place] = draw_below(stream, 0, weights.size)
            continue
        mark = draw_float(stream, 0) * total
        low, high = 0, weights.size - 1
        while low < high:
            middle = (low + high) // 2
            if running[middle] > mark:
                high = middle
            else:
                low = middle + 1
        out[place] = low


@kernel
def from_the_best(seed: np.uint64, generation: int, best: NDArray[np.int64], out: NDArray[np.int64]) -> None:
    """For each place any of the individuals listed in `best`, equally likely."""
    for place in range(out.size):
        out[place] = best[draw_below(open_stream(seed, SELECT, generation, place), 0, best.size)]


@kernel
def best_first(scores: NDArray[np.float64], out: NDArray[np.int64]) -> None:
    """The individuals with the highest scores, best first, as many as `out` holds; among equals the first in the population."""
    for place in range(out.size):
        best = -1
        for i in range(scores.size):
            if best >= 0 and scores[i] <= scores[best]:
                continue
            taken = False
            for k in range(place):
                taken |= out[k] == i
            if not taken:
                best = i
        out[place] = best


@kernel
def mating_groups(
    seed: np.uint64, generation: int, scores: NDArray[np.float64], group: int, parents: NDArray[np.int64], losers: NDArray[np.int64]
) -> None:
    """Draw groups that share nobody; of each the two best go to `parents` and the two worst to `losers`. Among equals the one drawn first."""
    stream = open_stream(seed, GROUP, generation, 0)
    order = np.arange(scores.size)
    for event in range(parents.size // 2):
        first = event * group
        for place in range(first, first + group):
            other = place + draw_below(stream, place, scores.size - place)
            order[place], order[other] = order[other], order[place]
        # A group is small: sort it by insertion, best first, keeping the order drawn among equals.
        for place in range(first + 1, first + group):
            moved = order[place]
            free = place
            while free > first and scores[order[free - 1]] < scores[moved]:
                order[free] = order[free - 1]
                free -= 1
            order[free] = moved
        parents[2 * event], parents[2 * event + 1] = order[first], order[first + 1]
        losers[2 * event], losers[2 * event + 1] = order[first + group - 1], order[first + group - 2]
