"""The generational strategy, many generations per call."""

from functools import lru_cache

import numpy as np

from levolve.kernels.compiled import kernel
from levolve.kernels.fused.breeding import Indices, Kernel, Settings, Words, breeding
from levolve.kernels.fused.operators import Layout
from levolve.kernels.fused.scores import Scores, best_index
from levolve.kernels.selection import carry_over
from levolve.kernels.teams import Gate, meet, part_of
from levolve.kernels.variation import find_copies, move_copies


@lru_cache(maxsize=256)
def generational(select: Kernel, exchange: Kernel, vary: Kernel, score: Kernel) -> Kernel:
    """Compose a generational search of a selection, a crossover, a mutation and a score."""
    breed = breeding(exchange, vary)

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

        Each generation's population is written to `(generations, population, words)` `out`, its scores to `out_scores`, the number of scored
        individuals to `found`, and the index of the best of these in the population to `winners`, -1 if there are none. `members` threads call this
        with the same arguments, but each as another `member`; `parents` and `equal_to` are arrays for what they share, one number per child, and for
        an odd number of children one more parent.
        """
        children = genes.shape[0] - elites
        first_pair, last_pair = part_of(parents.size // 2, member, members)
        first, last = 2 * first_pair, min(2 * last_pair, children)
        for turn in range(out.shape[0]):
            now = generation + turn
            bred, bred_scores = out[turn, elites:], out_scores[turn, elites:]
            if member == 0:
                carry_over(scores, genes, out_scores[turn, :elites], out[turn, :elites])
                select(seed, now, selecting, scores, parents)
            meet(at, members)
            breed(seed, now, layout, exchanging, mutating, genes, parents, first, last, bred)
            find_copies(genes, parents, None, bred, first, last, equal_to)
            meet(at, members)
            if member == 0:
                found[turn] = move_copies(scores, equal_to, bred, bred_scores)
            meet(at, members)
            first_new, last_new = part_of(found[turn], member, members)
            score(scoring, bred[first_new:last_new], bred_scores[first_new:last_new])
            meet(at, members)
            if member == 0:
                winner = best_index(bred_scores, found[turn])
                winners[turn] = winner + elites if winner >= 0 else -1
            genes, scores = out[turn], out_scores[turn]

    return advance
