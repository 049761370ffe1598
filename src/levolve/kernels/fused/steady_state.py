"""The steady-state strategy, many generations per call."""

from functools import lru_cache

import numpy as np

from levolve.kernels.compiler import kernel
from levolve.kernels.fused.breeding import Indices, Kernel, Settings, Words, breeding, score_together
from levolve.kernels.fused.operators import Layout
from levolve.kernels.fused.scores import Scores, best_index
from levolve.kernels.memory import empty
from levolve.kernels.selection import mating_groups
from levolve.kernels.teams import Gate
from levolve.kernels.variation import inherit


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
        """Continue from a population; the arguments are those of `generational`. A generation is so many mating `events`."""
        population, words = genes.shape
        parents, losers = empty(2 * events, np.int64), empty(2 * events, np.int64)
        # The child that takes the place of an individual, -1 for none.
        follower = empty(population, np.int64)
        children, child_scores = empty((2 * events, words), np.uint64), empty(2 * events, np.float64)
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
