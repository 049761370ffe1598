"""The steady-state strategy, many generations per call."""

from functools import lru_cache

import numpy as np

from levolve.kernels.compiled import kernel
from levolve.kernels.fused.breeding import Indices, Kernel, Settings, Words, rearing
from levolve.kernels.fused.operators import Layout
from levolve.kernels.fused.scores import Scores, best_index
from levolve.kernels.selection import mating_groups
from levolve.kernels.teams import Gate, meet, part_of


@lru_cache(maxsize=256)
def steady_state(exchange: Kernel, vary: Kernel) -> Kernel:
    """Compose a steady-state search of a crossover and a mutation."""
    rear = rearing(exchange, vary)

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
        goal: float,
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
        first, last = part_of(losers.size, member, members)
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
            shared = (parents, equal_to, children, child_scores, found[turn : turn + 1])
            rear(member, members, at, seed, now, layout, exchanging, mutating, scoring, genes, scores, *shared)
            for i in range(first, last):
                after_scores[losers[i]] = child_scores[i]
                for word in range(words):
                    after[losers[i], word] = children[i, word]
            winner = best_index(child_scores, found[turn])
            is_last = winner >= 0 and child_scores[winner] >= goal
            if member == 0:
                winners[turn] = losers[winner] if winner >= 0 else -1
            meet(at, members)
            if is_last:
                break
            genes, scores = after, after_scores

    return advance
