"""Annealing, many generations per call."""

from functools import lru_cache

import numpy as np

from levolve.kernels.bits.new_arrays import empty
from levolve.kernels.compiler import kernel
from levolve.kernels.fused.breeding import Indices, Kernel
from levolve.kernels.fused.crossovers import Layout
from levolve.kernels.fused.scores import best_index
from levolve.kernels.fused.values import Scores, Settings, Words
from levolve.kernels.variation.selection import accept, accepted_from, mating_groups
from levolve.kernels.walking.packed_tours import best_tour_steps

PAIR = 2


@kernel
def score_best_tours_from(
    settings: tuple[int], rows: Words, floors: Scores, scores: Scores
) -> None:
    """`scores.score_best_tours` of levels in two words, where the score is at least the level's
    floor; elsewhere -1.
    """
    count = rows.shape[0]
    steps = empty(count, np.int32)
    best_tour_steps(rows[:, : rows.shape[1] - 1], settings[0], floors, steps)
    for level in range(count):
        scores[level] = steps[level]


@lru_cache(maxsize=256)
def exact(score: Kernel) -> Kernel:
    """Compose a judgement of mutants that scores them all."""

    @kernel
    def judge(
        seed: np.uint64,
        generation: int,
        temperature: float,
        best: float,
        originals: Indices,
        original_scores: Scores,
        settings: Settings,
        mutants: Words,
        scores: Scores,
    ) -> None:
        """Write the scores of the mutants."""
        score(settings, mutants, scores)

    return judge


@lru_cache(maxsize=256)
def selective(score_from: Kernel) -> Kernel:
    """Compose a judgement that scores only mutants that may be accepted, of a score that takes a
    floor for each level.
    """

    @kernel
    def judge(
        seed: np.uint64,
        generation: int,
        temperature: float,
        best: float,
        originals: Indices,
        original_scores: Scores,
        settings: Settings,
        mutants: Words,
        scores: Scores,
    ) -> None:
        """Write the scores of the mutants of some individuals, and too low ones for mutants that
        will be rejected.

        `temperature` is that of the best score before this generation. A better mutant raises it:
        all mutants are then scored again, without floors.
        """
        floors = empty(originals.size, np.float64)
        accepted_from(seed, generation, temperature, originals, original_scores, floors)
        score_from(settings, mutants, floors, scores)
        winner = best_index(scores, originals.size)
        if winner >= 0 and scores[winner] > best:
            for k in range(floors.size):
                floors[k] = -np.inf
            score_from(settings, mutants, floors, scores)

    return judge


@lru_cache(maxsize=256)
def annealing(vary: Kernel, judge: Kernel) -> Kernel:
    """Compose an annealing of a mutation and a judgement of mutants."""

    @kernel
    def advance(
        seed: np.uint64,
        generation: int,
        layout: Layout,
        shares: Scores,
        cold: float,
        takeover: int,
        best: float,
        mutating: Settings,
        scoring: Settings,
        genes: Words,
        scores: Scores,
        out: Words,
        out_scores: Scores,
        found: Indices,
        best_genes: Words,
        best_scores: Scores,
    ) -> None:
        """Continue from a population; the arguments are those of `generational`. A mutant may be
        the best without being accepted.

        `shares` are the temperatures of the generations as shares of the best score so far, which
        is `best` at first. The best mutant of each generation and its score are written to
        `(generations, words)` `best_genes` and to `best_scores`.
        """
        count, words = genes.shape
        mutants = empty((count, words), np.uint64)
        mutant_scores = empty(count, np.float64)
        changed = empty(count, np.int64)
        fresh = empty((count, words), np.uint64)
        fresh_scores = empty(count, np.float64)
        paired = empty(count // PAIR, np.int64)
        losers = empty(count // PAIR, np.int64)
        for turn in range(out.shape[0]):
            now = generation + turn
            after, after_scores = out[turn], out_scores[turn]
            new = 0
            for i in range(count):
                after_scores[i] = mutant_scores[i] = scores[i]
                for word in range(words):
                    after[i, word] = mutants[i, word] = genes[i, word]
            vary(seed, now, mutating, layout, 0, count, mutants)
            for i in range(count):
                differs = False
                for word in range(words):
                    fresh[new, word] = mutants[i, word]
                    differs |= mutants[i, word] != genes[i, word]
                changed[new] = i
                new += differs
            warmth = shares[turn] * abs(best)
            judge(
                seed,
                now,
                warmth if warmth != 0.0 else cold,
                best,
                changed[:new],
                scores,
                scoring,
                fresh[:new],
                fresh_scores,
            )
            for k in range(new):
                mutant_scores[changed[k]] = fresh_scores[k]
            found[turn] = new
            winner = best_index(fresh_scores, new)
            if winner >= 0:
                best = max(best, fresh_scores[winner])
                best_scores[turn] = fresh_scores[winner]
                for word in range(words):
                    best_genes[turn, word] = fresh[winner, word]
            temperature = shares[turn] * abs(best)
            accept(
                seed,
                now,
                temperature if temperature != 0.0 else cold,
                mutants,
                mutant_scores,
                after,
                after_scores,
            )
            if now % takeover == 0:
                mating_groups(seed, now, after_scores, PAIR, 1, paired, losers)
                for k in range(paired.size):
                    after_scores[losers[k]] = after_scores[paired[k]]
                    for word in range(words):
                        after[losers[k], word] = after[paired[k], word]
            genes, scores = after, after_scores

    return advance
