"""The generational strategy, many generations per call.

The steady-state strategy, many generations per call.

The truncation strategy, many generations per call.
"""

from functools import lru_cache

import numpy as np

from levolve.kernels.bits.new_arrays import empty
from levolve.kernels.bits.random_streams import CROSS, stream_key
from levolve.kernels.bits.thread_barrier import Gate
from levolve.kernels.bits.words import best_order
from levolve.kernels.compiler import kernel
from levolve.kernels.fused.address_calls import call
from levolve.kernels.fused.breeding import Indices, Kernel, breeding, score_together
from levolve.kernels.fused.crossovers import Layout
from levolve.kernels.fused.scores import best_index
from levolve.kernels.fused.values import Scores, Settings, Words
from levolve.kernels.variation.apply_masks import inherit
from levolve.kernels.variation.selection import carry_over, mating_groups


@lru_cache(maxsize=256)
def generational(select: Kernel, exchange: Kernel, vary: Kernel) -> Kernel:
    """Compose a generational search of a selection, a crossover and a mutation."""
    breed = breeding(exchange, vary)

    @kernel
    def advance(
        members: int,
        at: Gate,
        shared: Scores,
        seed: np.uint64,
        generation: int,
        turns: int,
        layout: Layout,
        selecting: Settings,
        exchanging: Settings,
        mutating: Settings,
        scoring: Settings,
        elites: int,
        goal: float,
        genes: Words,
        scores: Scores,
        out: Words,
        out_scores: Scores,
        found: Indices,
        winners: Indices,
    ) -> None:
        """Continue from `(population, words)` genes and their scores at `generation`, for so many
        `turns`.

        A generation with a new score of at least `goal` is the last. Each generation's population
        is written to `(generations, population, words)` `out`, its scores to `out_scores`, the
        number of scored individuals to `found`, and the index of the best of these in the
        population to `winners`, -1 if there are none. If `out` has room for fewer generations than
        there are turns, at least two, its places are used in rotation. `members` threads call this
        with the same arguments, but other arrays for the results. All do the same, but they share
        the scores: each scores a part of the children, and reads the others' scores from `(2,
        population)` `shared`. To fetch what another thread has bred would take longer than
        breeding.
        """
        children = genes.shape[0] - elites
        parents = empty(children + children % 2, np.int64)
        for turn in range(turns):
            now, place = generation + turn, turn % out.shape[0]
            bred, bred_scores = out[place, elites:], out_scores[place, elites:]
            carry_over(scores, genes, out_scores[place, :elites], out[place, :elites])
            select(seed, now, selecting, scores, parents)
            breed(seed, now, layout, exchanging, mutating, genes, parents, bred)
            count = inherit(genes, scores, parents, None, bred, bred_scores)
            score_together(members, at, turn, scoring, bred, count, shared, bred_scores)
            winner = best_index(bred_scores, count)
            found[place] = count
            winners[place] = winner + elites if winner >= 0 else -1
            if winner >= 0 and bred_scores[winner] >= goal:
                break
            genes, scores = out[place], out_scores[place]

    return advance


@lru_cache(maxsize=256)
def steady_state(exchange: Kernel, vary: Kernel) -> Kernel:
    """Compose a steady-state search of a crossover and a mutation."""
    breed = breeding(exchange, vary)

    @kernel
    def advance(
        members: int,
        at: Gate,
        shared: Scores,
        seed: np.uint64,
        generation: int,
        turns: int,
        layout: Layout,
        group: int,
        events: int,
        exchanging: Settings,
        mutating: Settings,
        scoring: Settings,
        goal: float,
        genes: Words,
        scores: Scores,
        out: Words,
        out_scores: Scores,
        found: Indices,
        winners: Indices,
    ) -> None:
        """Continue from a population; the arguments are those of `generational`. A generation is so
        many mating `events`.
        """
        population, words = genes.shape
        parents, losers = empty(2 * events, np.int64), empty(2 * events, np.int64)
        # The child that takes the place of an individual, -1 for none.
        follower = empty(population, np.int64)
        children, child_scores = (
            empty((2 * events, words), np.uint64),
            empty(2 * events, np.float64),
        )
        for turn in range(turns):
            now, place = generation + turn, turn % out.shape[0]
            after, after_scores = out[place], out_scores[place]
            mating_groups(seed, now, scores, group, 2, parents, losers)
            breed(seed, now, layout, exchanging, mutating, genes, parents, children)
            count = inherit(genes, scores, parents, None, children, child_scores)
            score_together(members, at, turn, scoring, children, count, shared, child_scores)
            for i in range(population):
                follower[i] = -1
            for child in range(losers.size):
                follower[losers[child]] = child
            for i in range(population):
                child = follower[i]
                after_scores[i] = scores[i] if child < 0 else child_scores[child]
                source = genes[i] if child < 0 else children[child]
                for word in range(words):
                    after[i, word] = source[word]
            winner = best_index(child_scores, count)
            found[place] = count
            winners[place] = losers[winner] if winner >= 0 else -1
            if winner >= 0 and child_scores[winner] >= goal:
                break
            genes, scores = after, after_scores

    return advance


@lru_cache(maxsize=256)
def truncation(exchange: Kernel, vary: Kernel, start: Kernel) -> Kernel:
    """Compose a search by truncation of a crossover, a mutation, and a way to draw new
    individuals.
    """

    @kernel
    def advance(
        seed: np.uint64,
        generation: int,
        layout: Layout,
        couple: int,
        mutated: int,
        first: Indices,
        second: Indices,
        exchanging: Settings,
        mutating: Settings,
        starting: Settings,
        scoring: Settings,
        goal: float,
        genes: Words,
        scores: Scores,
        out: Words,
        out_scores: Scores,
        found: Indices,
        winners: Indices,
    ) -> None:
        """Continue from a population; the arguments are those of `generational`.

        `first` and `second` are the parents of every new individual, -1 for none: first `couple`
        children, then mutants, then random individuals.
        """
        words = genes.shape[1]
        survivors = genes.shape[0] - first.size
        mask = empty(words, np.uint64)
        for turn in range(out.shape[0]):
            now = generation + turn
            kept, bred = out[turn, :survivors], out[turn, survivors:]
            kept_scores, bred_scores = out_scores[turn, :survivors], out_scores[turn, survivors:]
            order = best_order(scores)
            for place in range(survivors):
                kept_scores[place] = scores[order[place]]
                for word in range(words):
                    kept[place, word] = genes[order[place], word]
            crossing = stream_key(seed, CROSS, now)
            for place in range(couple):
                exchange(crossing, place, exchanging, layout, mask)
                for word in range(words):
                    own, other = kept[2 * place, word], kept[2 * place + 1, word]
                    bred[place, word] = own ^ ((own ^ other) & mask[word])
            for place in range(mutated):
                child = bred[couple + place]
                for word in range(words):
                    child[word] = kept[first[couple + place], word]
            vary(seed, now, mutating, layout, 0, mutated, bred[couple : couple + mutated])
            for place in range(first.size - couple - mutated):
                start(seed, now, place, starting, layout, bred[couple + mutated + place])
            count = inherit(kept, kept_scores, first, second, bred, bred_scores)
            call(scoring[0], scoring[1], bred[:count], bred_scores)
            found[turn] = count
            winner = best_index(bred_scores, count)
            winners[turn] = winner + survivors if winner >= 0 else -1
            if winner >= 0 and bred_scores[winner] >= goal:
                break
            genes, scores = out[turn], out_scores[turn]

    return advance
