"""The generational strategy, many generations per call."""

from functools import lru_cache

import numpy as np

from levolve.kernels.compiled import kernel
from levolve.kernels.fused.breeding import Indices, Kernel, Settings, Words, rearing
from levolve.kernels.fused.operators import Layout
from levolve.kernels.fused.scores import Scores, best_index
from levolve.kernels.selection import carry_over
from levolve.kernels.teams import Gate, meet


@lru_cache(maxsize=256)
def generational(select: Kernel, exchange: Kernel, vary: Kernel) -> Kernel:
    """Compose a generational search of a selection, a crossover and a mutation."""
    rear = rearing(exchange, vary)

    @kernel
    def advance(
        member: int,
        members: int,
        at: Gate,
        seed: np.uint64,
        generation: int,
        layout: Layout,
        selecting: Settings,
        exchanging: Settings,
        mutating: Settings,
        scoring: Settings,
        elites: int,
        goal: float,
        genes: Words,
        scores: Scores,
        parents: Indices,
        equal_to: Indices,
        out: Words,
        out_scores: Scores,
        found: Indices,
        winners: Indices,
    ) -> None:
        """Continue from `(population, words)` genes and their scores at `generation`, for as many generations as `out` has room for.

        A generation with a new score of at least `goal` is the last.
        Each generation's population is written to `(generations, population, words)` `out`, its scores to `out_scores`, the number of scored
        individuals to `found`, and the index of the best of these in the population to `winners`, -1 if there are none. `members` threads call this
        with the same arguments, but each as another `member`; `parents` and `equal_to` are arrays for what they share, one number per child, and for
        an odd number of children one more parent.
        """
        for turn in range(out.shape[0]):
            now = generation + turn
            bred, bred_scores = out[turn, elites:], out_scores[turn, elites:]
            if member == 0:
                carry_over(scores, genes, out_scores[turn, :elites], out[turn, :elites])
                select(seed, now, selecting, scores, parents)
            meet(at, members)
            shared = (parents, equal_to, bred, bred_scores, found[turn : turn + 1])
            rear(member, members, at, seed, now, layout, exchanging, mutating, scoring, genes, scores, *shared)
            winner = best_index(bred_scores, found[turn])
            if member == 0:
                winners[turn] = winner + elites if winner >= 0 else -1
            if winner >= 0 and bred_scores[winner] >= goal:
                break
            genes, scores = out[turn], out_scores[turn]

    return advance
