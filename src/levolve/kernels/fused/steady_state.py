"""The steady-state strategy, many generations per call."""

from functools import lru_cache

import numpy as np

from levolve.kernels.compiled import kernel
from levolve.kernels.fused.breeding import Indices, Kernel, Settings, Words, breeding
from levolve.kernels.fused.operators import Layout
from levolve.kernels.fused.scores import Scores, best_index
from levolve.kernels.selection import mating_groups
from levolve.kernels.variation import inherit


@lru_cache(maxsize=256)
def steady_state(exchange: Kernel, mutate: Kernel, score: Kernel) -> Kernel:
    """Compose a steady-state search of a crossover, a mutation and a score."""
    breed = breeding(exchange, mutate)

    @kernel
    def advance(
        seed: np.uint64,
        generation: int,
        layout: Layout,
        group: int,
        events: int,
        exchanging: Settings,
        mutating: Settings,
        scoring: Settings,
        genes: Words,
        scores: Scores,
        out: Words,
        out_scores: Scores,
        found: Indices,
        winners: Indices,
    ) -> None:
        """Continue from a population; the arguments are those of `generational`. A generation is `events` mating events in groups of `group`."""
        words = genes.shape[1]
        parents = np.empty(2 * events, np.int64)
        losers = np.empty(2 * events, np.int64)
        children = np.empty((2 * events, words), np.uint64)
        child_scores = np.empty(2 * events)
        for turn in range(out.shape[0]):
            now = generation + turn
            after, after_scores = out[turn], out_scores[turn]
            mating_groups(seed, now, scores, group, 2, parents, losers)
            breed(seed, now, layout, exchanging, mutating, genes, parents, 0, 2 * events, children)
            count = inherit(genes, scores, parents, None, children, child_scores)
            score(scoring, children[:count], child_scores)
            for i in range(genes.shape[0]):
                after_scores[i] = scores[i]
                for word in range(words):
                    after[i, word] = genes[i, word]
            for i in range(2 * events):
                after_scores[losers[i]] = child_scores[i]
                for word in range(words):
                    after[losers[i], word] = children[i, word]
            found[turn] = count
            winner = best_index(child_scores, count)
            winners[turn] = losers[winner] if winner >= 0 else -1
            genes, scores = after, after_scores

    return advance
