"""The truncation strategy, many generations per call."""

from functools import lru_cache

import numpy as np

from levolve.kernels.compiler import kernel
from levolve.kernels.fused.breeding import Indices, Kernel, Settings, Words
from levolve.kernels.fused.calls import call
from levolve.kernels.fused.operators import Layout
from levolve.kernels.fused.scores import Scores, best_index
from levolve.kernels.memory import empty
from levolve.kernels.sorting import best_order
from levolve.kernels.streams import CROSS, stream_key
from levolve.kernels.variation import inherit


@lru_cache(maxsize=256)
def truncation(exchange: Kernel, vary: Kernel, start: Kernel) -> Kernel:
    """Compose a search by truncation of a crossover, a mutation, and a way to draw new individuals."""

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

        `first` and `second` are the parents of every new individual, -1 for none: first `couple` children, then mutants, then random individuals.
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
