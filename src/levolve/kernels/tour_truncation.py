"""The truncation strategy on small dungeons, many generations per call, without returning to Python in between."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiled import kernel
from levolve.kernels.fused.scores import best_index
from levolve.kernels.masks import coin_masks, rare_masks
from levolve.kernels.small_tours import place_small_tours
from levolve.kernels.streams import MARK, MUTATE, START
from levolve.kernels.variation import cross_words, flip_words, inherit

Words = NDArray[np.uint64]
Scores = NDArray[np.float64]
Indices = NDArray[np.int64]
HALF = np.uint64(1 << 63)


@kernel
def truncate_tours(
    seed: np.uint64,
    generation: int,
    genes: Words,
    scores: Scores,
    couple: int,
    mutate: int,
    first: Indices,
    second: Indices,
    chunks: Words,
    rare: bool,
    rate: np.uint64,
    cut: Words,
    other: NDArray[np.uint8],
    free_word: NDArray[np.int32],
    free_bit: Words,
    columns: int,
    free: Words,
    wall_rate: np.uint64,
    walls: Words,
    mark_bits: int,
    width: int,
    out: Words,
    out_scores: Scores,
    found: Indices,
    winners: Indices,
) -> None:
    """Continue from `(population, words)` genes and their scores at `generation`, for as many generations as `out` has room for.

    Each generation's population is written to `(generations, population, words)` `out`, its scores to `out_scores`, the number of scored
    individuals to `found`, and the index of the best of these to `winners`, -1 if there are none; they follow the survivors.
    `first` and `second` are the parents of every new individual, -1 for none: first the children, by the masks `chunks`, then mutants with
    probability `rate` per gene, drawn as gaps if `rare`, then random individuals.
    """
    words = genes.shape[1]
    kill = first.size
    survivors = genes.shape[0] - kill
    fresh = kill - couple - mutate
    parents = np.arange(2 * couple)
    pairs = np.empty((2 * couple, words), np.uint64)
    masks = np.empty((mutate, words), np.uint64)
    mark = np.empty((fresh, 1), np.uint64)
    rows = np.empty((kill, words - 1), np.uint64)
    marks = np.empty(kill, np.int64)
    tours = np.empty((kill, 3), np.int64)
    steps = np.empty(kill, np.int32)
    for turn in range(out.shape[0]):
        now = generation + turn
        kept, bred = out[turn, :survivors], out[turn, survivors:]
        kept_scores, bred_scores = out_scores[turn, :survivors], out_scores[turn, survivors:]
        order = np.argsort(-scores, kind="mergesort")
        for place in range(survivors):
            for word in range(words):
                kept[place, word] = genes[order[place], word]
            kept_scores[place] = scores[order[place]]
        cross_words(kept, parents, chunks, pairs)
        for place in range(couple):
            for word in range(words):
                bred[place, word] = pairs[2 * place, word]
        mutants = bred[couple : couple + mutate]
        for place in range(mutate):
            for word in range(words):
                mutants[place, word] = kept[first[couple + place], word]
        if rare:
            rare_masks(seed, MUTATE, now, cut, other, free_word, free_bit, masks)
        else:
            coin_masks(seed, MUTATE, now, rate, columns, free, masks)
        flip_words(mutants, masks)
        newcomers = bred[couple + mutate :]
        coin_masks(seed, START, now, wall_rate, columns, free, newcomers)
        coin_masks(seed, MARK, now, HALF, mark_bits, free[words - 1 :], mark)
        for place in range(fresh):
            newcomers[place, words - 1] = mark[place, 0]
            for word in range(words):
                newcomers[place, word] |= walls[word]
        count = inherit(kept, kept_scores, first, second, bred, bred_scores)
        for place in range(count):
            for word in range(words - 1):
                rows[place, word] = bred[place, word]
            marks[place] = np.int64(bred[place, words - 1])
        place_small_tours(rows[:count], width, marks[:count], tours, steps)
        for place in range(count):
            bred_scores[place] = steps[place]
        found[turn] = count
        winner = best_index(bred_scores, count)
        winners[turn] = winner + survivors if winner >= 0 else -1
        genes, scores = out[turn], out_scores[turn]
