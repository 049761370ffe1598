"""The generational strategy, many generations per call."""

from functools import lru_cache

import numpy as np

from levolve.kernels.compiled import kernel
from levolve.kernels.fused.breeding import Indices, Kernel, Settings, Words, breeding
from levolve.kernels.fused.operators import Layout
from levolve.kernels.fused.scores import Scores, best_index
from levolve.kernels.selection import carry_over
from levolve.kernels.variation import inherit


@lru_cache(maxsize=256)
def generational(select: Kernel, exchange: Kernel, mutate: Kernel, score: Kernel) -> Kernel:
    """Compose a generational search of a selection, a crossover, a mutation and a score."""
    breed = breeding(exchange, mutate)

    @kernel
    def advance(
        seed: np.uint64,
        generation: int,
        layout: Layout,
        selecting: Settings,
        exchanging: Settings,
        mutating: Settings,
        scoring: Settings,
        elites: int,
        genes: Words,
        scores: Scores,
        out: Words,
        out_scores: Scores,
        found: Indices,
        winners: Indices,
    ) -> None:
        """Continue from `(population, words)` genes and their scores at `generation`, for as many generations as `out` has room for.

        Each generation's population is written to `(generations, population, words)` `out`, its scores to `out_scores`, the number of scored
        individuals to `found`, and the index of the best of these in the population to `winners`, -1 if there are none.
        """
        children = genes.shape[0] - elites
        parents = np.empty(children + children % 2, np.int64)
        for turn in range(out.shape[0]):
            now = generation + turn
            bred, bred_scores = out[turn, elites:], out_scores[turn, elites:]
            carry_over(scores, genes, out_scores[turn, :elites], out[turn, :elites])
            select(seed, now, selecting, scores, parents)
            breed(seed, now, layout, exchanging, mutating, genes, parents, 0, children, bred)
            count = inherit(genes, scores, parents, None, bred, bred_scores)
            score(scoring, bred[:count], bred_scores)
            found[turn] = count
            winner = best_index(bred_scores, count)
            winners[turn] = winner + elites if winner >= 0 else -1
            genes, scores = out[turn], out_scores[turn]

    return advance
