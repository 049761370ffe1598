"""The steady-state strategy, many generations per call."""

from functools import lru_cache

import numpy as np

from levolve.kernels.compiled import kernel
from levolve.kernels.fused.breeding import Indices, Kernel, Settings, Words, breeding
from levolve.kernels.fused.operators import Layout
from levolve.kernels.fused.scores import Scores, best_index
from levolve.kernels.selection import mating_groups
from levolve.kernels.teams import Gate, meet, part_of
from levolve.kernels.variation import find_copies, move_copies


@lru_cache(maxsize=256)
def steady_state(exchange: Kernel, vary: Kernel, score: Kernel) -> Kernel:
    """Compose a steady-state search of a crossover, a mutation and a score."""
    breed = breeding(exchange, vary)

    @kernel
    def advance(
        member: int,
        members: int,
        at: Gate,
        seed: np.uint64,
        generation: int,
        layout: Layout,
        group: int,
        exchanging: Settings,
        mutating: Settings,
        scoring: Settings,
        genes: Words,
        scores: Scores,
        parents: Indices,
        equal_to: Indices,
        losers: Indices,
        children: Words,
        child_scores: Scores,
        out: Words,
        out_scores: Scores,
        found: Indices,
        winners: Indices,
    ) -> None:
        """Continue from a population; the arguments are those of `generational`. A generation is as many mating events as `parents` has pairs.

        `losers`, `children` and `child_scores` are arrays for what the threads share, too.
        """
        words = genes.shape[1]
        first_row, last_row = part_of(genes.shape[0], member, members)
        first_pair, last_pair = part_of(parents.size // 2, member, members)
        first, last = 2 * first_pair, 2 * last_pair
        for turn in range(out.shape[0]):
            now = generation + turn
            after, after_scores = out[turn], out_scores[turn]
            if member == 0:
                mating_groups(seed, now, scores, group, 2, parents, losers)
            meet(at, members)
            for i in range(first_row, last_row):
                after_scores[i] = scores[i]
                for word in range(words):
                    after[i, word] = genes[i, word]
            breed(seed, now, layout, exchanging, mutating, genes, parents, first, last, children)
            find_copies(genes, parents, None, children, first, last, equal_to)
            meet(at, members)
            if member == 0:
                found[turn] = move_copies(scores, equal_to, children, child_scores)
            meet(at, members)
            first_new, last_new = part_of(found[turn], member, members)
            score(scoring, children[first_new:last_new], child_scores[first_new:last_new])
            meet(at, members)
            for i in range(first, last):
                after_scores[losers[i]] = child_scores[i]
                for word in range(words):
                    after[losers[i], word] = children[i, word]
            if member == 0:
                winner = best_index(child_scores, found[turn])
                winners[turn] = losers[winner] if winner >= 0 else -1
            meet(at, members)
            genes, scores = after, after_scores

    return advance
