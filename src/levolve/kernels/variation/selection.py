"""Selection of parents. Higher scores are better, everywhere in levolve."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty, zeros
from levolve.kernels.bits.random_streams import (
    GROUP,
    SELECT,
    draw_below,
    draw_float,
    open_stream,
    stream_key,
    stream_of,
)
from levolve.kernels.compiler import kernel

# The margin of `accepted_from`: far more than all errors of rounding, which are about 1e-12.
MARGIN = 1e-9


@kernel
def tournament(
    seed: np.uint64, generation: int, scores: NDArray[np.float64], size: int, out: NDArray[np.int64]
) -> None:
    """Select for each position the best of `size` individuals drawn with replacement; among equals
    the one drawn first.
    """
    key = stream_key(seed, SELECT, generation)
    for place in range(out.size):
        stream = stream_of(key, place)
        winner = draw_below(stream, 0, scores.size)
        for k in range(1, size):
            contender = draw_below(stream, k, scores.size)
            if scores[contender] > scores[winner]:
                winner = contender
        out[place] = winner


@kernel
def proportional(
    seed: np.uint64, generation: int, weights: NDArray[np.float64], out: NDArray[np.int64]
) -> None:
    """Select for each position an individual with probability weight / sum of weights, all at least
    0; uniformly if all are 0.
    """
    size = weights.size
    running = empty(size, np.float64)
    total = 0.0
    for i in range(size):
        total += weights[i]
        running[i] = total
    # For each of `size` equal parts of the total, about the first individual whose running sum
    # exceeds its start: few steps are left from there.
    guide = empty(size + 1, np.int64)
    index = 0
    for part in range(size + 1):
        while index < size - 1 and running[index] * size <= total * part:
            index += 1
        guide[part] = index
    key = stream_key(seed, SELECT, generation)
    for place in range(out.size):
        stream = stream_of(key, place)
        if total <= 0.0:
            out[place] = draw_below(stream, 0, size)
            continue
        mark = draw_float(stream, 0) * total
        share = mark / total * size
        # Sums beyond the largest number make this not a number: the search then begins with the
        # first.
        chosen = np.int64(guide[int(share)]) if 0.0 <= share <= size else np.int64(0)
        while chosen > 0 and running[chosen - 1] > mark:
            chosen -= 1
        while chosen < size - 1 and running[chosen] <= mark:
            chosen += 1
        out[place] = chosen


@kernel
def from_the_best(
    seed: np.uint64, generation: int, best: NDArray[np.int64], out: NDArray[np.int64]
) -> None:
    """Select for each position one of the individuals in `best` with equal probability."""
    for place in range(out.size):
        out[place] = best[draw_below(open_stream(seed, SELECT, generation, place), 0, best.size)]


@kernel
def best_first(scores: NDArray[np.float64], out: NDArray[np.int64]) -> None:
    """Write the indices of the individuals with the highest scores to `out`, best first; among
    equals the first in the population.
    """
    held = 0
    for i in range(scores.size):
        if held == out.size and (held == 0 or scores[i] <= scores[out[held - 1]]):
            continue
        held = min(held + 1, out.size)
        place = held - 1
        while place > 0 and scores[out[place - 1]] < scores[i]:
            out[place] = out[place - 1]
            place -= 1
        out[place] = i


@kernel
def carry_over(
    scores: NDArray[np.float64],
    genes: NDArray[Any],
    out_scores: NDArray[np.float64],
    out: NDArray[Any],
) -> None:
    """Copy the individuals with the highest scores to `out`, best first, with their scores."""
    best = empty(out_scores.size, np.int64)
    best_first(scores, best)
    for place in range(best.size):
        out_scores[place] = scores[best[place]]
        for i in range(out.shape[1]):
            out[place, i] = genes[best[place], i]


@kernel
def mating_groups(
    seed: np.uint64,
    generation: int,
    scores: NDArray[np.float64],
    group: int,
    each: int,
    parents: NDArray[np.int64],
    losers: NDArray[np.int64],
) -> None:
    """Draw disjoint groups; write the `each` best of each group to `parents` and the `each` worst
    to `losers`, best and worst first.

    Among equals the one drawn first is better. The number of groups follows from the size of
    `parents` and `losers`.
    """
    stream = open_stream(seed, GROUP, generation, 0)
    order = empty(scores.size, np.int64)
    for place in range(scores.size):
        order[place] = place
    # How many of its group are better than each; its scores; and the individuals, best first.
    better, own, ranked = zeros(group, np.int64), empty(group, np.float64), empty(group, np.int64)
    for event in range(parents.size // each):
        first = event * group
        for k in range(group):
            place = first + k
            other = place + draw_below(stream, place, scores.size - place)
            order[place], order[other] = order[other], order[place]
        # Without branches, which would often be predicted wrongly, and would take longer than to
        # compare each with each.
        for k in range(group):
            score = scores[order[first + k]]
            # What is not a number is the worst: every rank is taken once, whatever the scores are.
            own[k] = score if score == score else -np.inf  # noqa: PLR0124 only what is not a number differs from itself
            better[k] = 0
            for earlier in range(k):
                is_better = np.int64(own[k] > own[earlier])
                better[earlier] += is_better
                better[k] += 1 - is_better
        for k in range(group):
            ranked[better[k]] = order[first + k]
        for k in range(each):
            parents[each * event + k] = ranked[k]
            losers[each * event + k] = ranked[group - 1 - k]


@kernel
def accept(
    seed: np.uint64,
    generation: int,
    temperature: float,
    mutants: NDArray[Any],
    mutant_scores: NDArray[np.float64],
    genes: NDArray[Any],
    scores: NDArray[np.float64],
) -> None:
    """Metropolis rule: a mutant replaces its original if it scores no less, otherwise with
    probability exp(-loss / temperature).

    The exponential is (1 - x / 1024) ** 1024 by ten squarings, because every machine rounds these
    operations identically.
    """
    key = stream_key(seed, SELECT, generation)
    for i in range(scores.size):
        loss = scores[i] - mutant_scores[i]
        taken = loss <= 0.0
        if not taken:
            chance = max(1.0 - loss / temperature / 1024.0, 0.0)
            for _ in range(10):
                chance *= chance
            taken = draw_float(stream_of(key, i), 0) < chance
        if taken:
            for k in range(genes.shape[1]):
                genes[i, k] = mutants[i, k]
            scores[i] = mutant_scores[i]


@kernel
def accepted_from(
    seed: np.uint64,
    generation: int,
    temperature: float,
    individuals: NDArray[np.int64],
    scores: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    """Write for each of some individuals a score below which `accept` rejects its mutant, so that
    such a mutant need not be scored exactly.

    (1 - x / 1024) ** 1024 is at most exp(-x). The result may be a little too low, by more than any
    machine's error of rounding.
    """
    key = stream_key(seed, SELECT, generation)
    for k in range(individuals.size):
        score = scores[individuals[k]]
        drawn = draw_float(stream_of(key, individuals[k]), 0)
        out[k] = (
            score + temperature * math.log(drawn) - MARGIN * (temperature + abs(score))
            if drawn > 0.0
            else -np.inf
        )
