"""The generational strategy, many generations per call."""

from functools import lru_cache

import numpy as np

from levolve.kernels.compiler import kernel
from levolve.kernels.fused.breeding import Indices, Kernel, Settings, Words, breeding, score_together
from levolve.kernels.fused.operators import Layout
from levolve.kernels.fused.scores import Scores, best_index
from levolve.kernels.memory import empty
from levolve.kernels.selection import carry_over
from levolve.kernels.teams import Gate
from levolve.kernels.variation import inherit


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
        """Continue from `(population, words)` genes and their scores at `generation`, for so many `turns`.

        A generation with a new score of at least `goal` is the last.
        Each generation's population is written to `(generations, population, words)` `out`, its scores to `out_scores`, the number of scored
        individuals to `found`, and the index of the best of these in the population to `winners`, -1 if there are none. If `out` has room for
        fewer generations than there are turns, at least two, its places are used in rotation.
        `members` threads call this with the same arguments, but other arrays for the results. All do the same, but they share the scores: each scores
        a part of the children, and reads the others' scores from `(2, population)` `shared`. To fetch what another thread has bred would take longer
        than breeding.
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
