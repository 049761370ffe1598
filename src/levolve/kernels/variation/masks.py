"""Masks: the genes that a variation changes, as bits laid out like packed genes.

Genes are numbered in reading order; gene g is bit `bit_of[g]` of word `word_of[g]` of an
individual's words. Every crossover and mutation is a mask plus one of the few kernels in
`variation` that apply it, so an operator works on every kind of gene. The words `free` mark the
genes that may vary: other genes are never in a mask. A mask is drawn from the stream of its
individual (or pair).
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.random_streams import (
    Stream,
    draw,
    draw_below,
    draw_bits,
    open_stream,
    threshold_of,
)
from levolve.kernels.compiler import kernel

Words = NDArray[np.uint64]


@kernel
def coin_masks(
    seed: np.uint64,
    purpose: int,
    generation: int,
    threshold: np.uint64,
    columns: int,
    free: Words,
    out: Words,
) -> None:
    """Draw each free gene independently, 1 with probability threshold / 2**64. Words that use
    `columns` bits share one draw of 64.
    """
    per_draw = 64 // columns
    shift = np.uint64(columns)
    for individual in range(out.shape[0]):
        stream = open_stream(seed, purpose, generation, individual)
        bits = np.uint64(0)
        left = 0
        index = 0
        for word in range(out.shape[1]):
            if left == 0:
                bits = draw_bits(stream, index, threshold)
                index += 1
                left = per_draw
            out[individual, word] = bits & free[word]
            bits >>= shift
            left -= 1


@lru_cache(maxsize=256)
def gap_table(probability: float) -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
    """Return Walker's alias table of the geometric distribution: the number of zeros before the
    next 1 in a single draw.

    Outcome k below 255 is a gap of k; outcome 255 is 255 zeros without a 1. Column c of 256 keeps
    its own outcome if the upper 56 bits drawn are below `cut[c]`, and takes `other[c]` otherwise.
    Only integers are used: the weights sum to 2**64 on every machine.
    """
    one = int(threshold_of(probability))
    weights = []
    rest = 2**64
    for _ in range(255):
        weights.append(rest * one >> 64)
        rest -= weights[-1]
    weights.append(rest)
    column = 2**56
    cut = [0] * 256
    other = list(range(256))
    small = [k for k in range(256) if weights[k] < column]
    large = [k for k in range(256) if weights[k] >= column]
    while small and large:
        low, high = small.pop(), large[-1]
        cut[low], other[low] = weights[low], high
        weights[high] -= column - weights[low]
        if weights[high] < column:
            small.append(large.pop())
    for full in small + large:
        cut[full] = column
    return np.array(cut, np.uint64), np.array(other, np.uint8)


@kernel
def rare_masks(
    seed: np.uint64,
    purpose: int,
    generation: int,
    cut: NDArray[np.uint64],
    other: NDArray[np.uint8],
    word_of: NDArray[np.int32],
    bit: Words,
    out: Words,
) -> None:
    """`coin_masks` for rare ones: one draw per gap between two ones instead of one per gene (see
    `gap_table`).

    `word_of` and `bit` are for each *free* gene the index of its word, and a word with its bit set.
    """
    for individual in range(out.shape[0]):
        stream = open_stream(seed, purpose, generation, individual)
        mask = out[individual]
        mask[:] = 0
        position = np.uint64(0)
        index = np.uint64(0)
        while True:
            bits = draw(stream, index)
            index += np.uint64(1)
            column = bits & np.uint64(255)
            gap = column if bits >> np.uint64(8) < cut[column] else np.uint64(other[column])
            position += gap
            if position >= word_of.size:
                break
            if gap < np.uint64(255):
                mask[word_of[position]] |= bit[position]
                position += np.uint64(1)


@kernel
def segment_masks(
    seed: np.uint64,
    purpose: int,
    generation: int,
    cuts: int,
    word_of: NDArray[np.int32],
    bit_of: NDArray[np.uint64],
    free: Words,
    out: Words,
) -> None:
    """With one cut: all genes from a random gene to the end. With two: the genes from one random
    gene to before another.
    """
    genes = word_of.size
    one = np.uint64(1)
    for individual in range(out.shape[0]):
        stream = open_stream(seed, purpose, generation, individual)
        first = draw_below(stream, 0, genes)
        last = np.int64(genes)
        if cuts == 1:
            first = 1 + draw_below(stream, 0, genes - 1)
        else:
            last = draw_below(stream, 1, genes - 1)
            if last >= first:
                last += 1
            first, last = min(first, last), max(first, last)
        out[individual] = 0
        if first < last:
            first_word, last_word = word_of[first], word_of[last - 1]
            for word in range(first_word, last_word + 1):
                bits = free[word]
                if word == first_word:
                    bits &= ~((one << bit_of[first]) - one)
                if word == last_word:
                    bits &= ((one << bit_of[last - 1]) << one) - one
                out[individual, word] = bits


@kernel
def point_masks(
    seed: np.uint64,
    purpose: int,
    generation: int,
    points: int,
    genes: NDArray[np.int32],
    word_of: NDArray[np.int32],
    bit_of: NDArray[np.uint64],
    out: Words,
) -> None:
    """Draw exactly `points` of the free `genes` without repetition (Floyd's sampling)."""
    one = np.uint64(1)
    for individual in range(out.shape[0]):
        stream = open_stream(seed, purpose, generation, individual)
        out[individual] = 0
        for k in range(points):
            last = genes.size - points + k
            gene = genes[draw_below(stream, k, last + 1)]
            if out[individual, word_of[gene]] & (one << bit_of[gene]):
                gene = genes[last]
            out[individual, word_of[gene]] |= one << bit_of[gene]


@kernel
def patch_masks(
    seed: np.uint64,
    purpose: int,
    generation: int,
    threshold: np.uint64,
    rows: int,
    columns: int,
    height: int,
    width: int,
    word_of: NDArray[np.int32],
    bit_of: NDArray[np.uint64],
    free: Words,
    out: Words,
) -> None:
    """Draw each free gene independently in a random rectangle of `height` x `width` among the first
    `rows` x `columns` genes.
    """
    for individual in range(out.shape[0]):
        stream = open_stream(seed, purpose, generation, individual)
        top = draw_below(stream, 0, rows - height + 1)
        left = draw_below(stream, 1, columns - width + 1)
        out[individual] = 0
        for cell in range(height * width):
            if draw(stream, np.uint64(2 + cell)) < threshold:
                gene = (top + cell // width) * columns + left + cell % width
                word = word_of[gene]
                out[individual, word] |= (np.uint64(1) << bit_of[gene]) & free[word]


@kernel
def rectangle_masks(
    seed: np.uint64,
    purpose: int,
    generation: int,
    rows: int,
    columns: int,
    height: int,
    width: int,
    word_of: NDArray[np.int32],
    bit_of: NDArray[np.uint64],
    free: Words,
    out: Words,
) -> None:
    """Draw the free genes of a random rectangle of 1 to `height` x 1 to `width` among the first
    `rows` x `columns` genes.

    A quarter of the rectangles are rows, a quarter are columns, and the others are blocks.
    """
    for individual in range(out.shape[0]):
        out[individual] = 0
        stream = open_stream(seed, purpose, generation, individual)
        mark_rectangle(stream, rows, columns, height, width, word_of, bit_of, free, out[individual])


@kernel
def mark_rectangle(
    stream: Stream,
    rows: int,
    columns: int,
    height: int,
    width: int,
    word_of: NDArray[np.int32],
    bit_of: NDArray[np.uint64],
    free: Words,
    mask: Words,
) -> None:
    """Draw the rectangle of `rectangle_masks` for one individual, and set its bits in `mask`."""
    one = np.uint64(1)
    tall = 1 + draw_below(stream, 0, height)
    wide = 1 + draw_below(stream, 1, width)
    kind = draw_below(stream, 2, 4)
    if kind == 0:
        tall = np.int64(1)
    elif kind == 1:
        wide = np.int64(1)
    top = draw_below(stream, 3, rows - tall + 1)
    left = draw_below(stream, 4, columns - wide + 1)
    for y in range(top, top + tall):
        first = y * columns + left
        last = first + wide - 1
        word = word_of[first]
        if word == word_of[last]:
            # The genes of one row in one word have adjacent bits.
            mask[word] |= (
                (one << bit_of[last]) - (one << bit_of[first]) + (one << bit_of[last])
            ) & free[word]
        else:
            for gene in range(first, last + 1):
                mask[word_of[gene]] |= (one << bit_of[gene]) & free[word_of[gene]]


@kernel
def spare(
    seed: np.uint64, purpose: int, generation: int, threshold: np.uint64, masks: Words
) -> None:
    """Keep each mask with probability threshold / 2**64, otherwise clear it, so that the individual
    (or pair) does not change.
    """
    for individual in range(masks.shape[0]):
        # Larger than any index that the mask itself can use.
        if (
            draw(open_stream(seed, purpose, generation, individual), np.uint64(1) << np.uint64(62))
            >= threshold
        ):
            masks[individual] = 0
