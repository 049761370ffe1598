"""Crossover and start of the packed genes of one pair or individual: the masks of `kernels.masks`
without an array of masks.

Every kernel takes the key of its generation's streams (`streams.stream_key`), its own settings as a
tuple, and the `Layout` of the genes.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty
from levolve.kernels.bits.random_streams import (
    ALL_ONES,
    START,
    draw,
    draw_below,
    draw_bits,
    mix,
    stream_key,
    stream_of,
)
from levolve.kernels.bits.words import best_order
from levolve.kernels.compiler import inlined, kernel
from levolve.kernels.variation.selection import from_the_best, proportional, tournament

Words = NDArray[np.uint64]
Bytes = NDArray[np.uint8]
Scores = NDArray[np.float64]
Indices = NDArray[np.int64]
_0, _1, _8, _64, _255 = map(np.uint64, (0, 1, 8, 64, 255))
# The index of the draw that decides whether a pair exchanges genes at all; see `masks.spare`.
SPARED = np.uint64(1) << np.uint64(62)


class Layout(NamedTuple):
    """The positions of packed genes: those of a `GeneSpace`."""

    columns: int
    free: Words
    free_genes: NDArray[np.int32]
    free_word: NDArray[np.int32]
    free_bit: Words
    word_of: NDArray[np.int32]
    bit_of: Words


@kernel
def select_by_tournament(
    seed: np.uint64, generation: int, settings: tuple[int], scores: Scores, parents: Indices
) -> None:
    """Settings: the size of a tournament."""
    tournament(seed, generation, scores, settings[0], parents)


@kernel
def select_in_proportion(
    seed: np.uint64, generation: int, settings: tuple[int], scores: Scores, parents: Indices
) -> None:
    """Fitness-proportional selection; see `Proportional`. Settings: one number, which is not
    used.
    """
    lowest = largest = scores[0]
    for i in range(scores.size):
        lowest, largest = min(lowest, scores[i]), max(largest, scores[i])
    lowest = min(lowest, 0.0)
    largest -= lowest
    weights = empty(scores.size, np.float64)
    for i in range(scores.size):
        weights[i] = (scores[i] - lowest) / largest if largest > 0 else scores[i] - lowest
    proportional(seed, generation, weights, parents)


@kernel
def select_from_the_best(
    seed: np.uint64, generation: int, settings: tuple[float], scores: Scores, parents: Indices
) -> None:
    """Truncation selection. Settings: the share of the population that may breed."""
    from_the_best(
        seed, generation, best_order(scores)[: int(np.ceil(settings[0] * scores.size))], parents
    )


@inlined
def is_spared(key: np.uint64, pair: int, some: bool, share: np.uint64) -> bool:
    """Whether a pair exchanges no genes, because only the share of `share` / 2**64 of the pairs
    does, if `some` is true.
    """
    return bool(some and draw(stream_of(key, pair), SPARED) >= share)


@inlined
def coins(
    key: np.uint64, individual: int, threshold: np.uint64, layout: Layout, mask: Words
) -> None:
    """Draw each free gene independently, 1 with probability threshold / 2**64; see
    `masks.coin_masks`.
    """
    stream = stream_of(key, individual)
    per_draw = 64 // layout.columns
    shift = np.uint64(layout.columns)
    word = 0
    index = 0
    while word < mask.size:
        bits = draw_bits(stream, index, threshold)
        index += 1
        last = min(word + per_draw, mask.size)
        while word < last:
            mask[word] = bits & layout.free[word]
            bits >>= shift
            word += 1


@inlined
def exchange_coins(
    key: np.uint64,
    pair: int,
    settings: tuple[bool, np.uint64, np.uint64],
    layout: Layout,
    mask: Words,
) -> None:
    """Uniform crossover. Settings: whether only a share of the pairs exchanges genes, that share,
    and the threshold of a gene.
    """
    some, share, threshold = settings
    if is_spared(key, pair, some, share):
        mask[:] = _0
    else:
        coins(key, pair, threshold, layout, mask)


@inlined
def exchange_halves(
    key: np.uint64, pair: int, settings: tuple[bool, np.uint64], layout: Layout, mask: Words
) -> None:
    """Uniform crossover in which every gene is exchanged with probability 1/2: `exchange_coins`
    with one draw per 64 genes.
    """
    some, share = settings
    # A pair that is spared draws the same numbers: a second way through the loop would take longer
    # than the loop.
    kept = _0 if is_spared(key, pair, some, share) else ALL_ONES
    start, step = stream_of(key, pair)
    columns = np.uint64(layout.columns)
    # Numbers 0, 64, 128... of the stream, as in `draw_bits`.
    position = start + step
    bits = ~mix(position) & kept
    shift = _0
    for index in range(mask.size):
        word = np.uint64(index)
        mask[word] = (bits >> shift) & layout.free[word]
        shift += columns
        if shift + columns > _64:
            position += step * _64
            bits = ~mix(position) & kept
            shift = _0


@inlined
def exchange_rare(
    key: np.uint64,
    pair: int,
    settings: tuple[bool, np.uint64, Words, Bytes],
    layout: Layout,
    mask: Words,
) -> None:
    """Uniform crossover of rare genes. Settings: as above, and the table of gaps instead of the
    threshold.
    """
    some, share, cut, other = settings
    mask[:] = _0
    if not is_spared(key, pair, some, share):
        flip_gaps(key, pair, cut, other, layout, mask)


@inlined
def exchange_segment(
    key: np.uint64, pair: int, settings: tuple[bool, np.uint64, int], layout: Layout, mask: Words
) -> None:
    """One-point and two-point crossover. Settings: whether only a share of the pairs exchanges
    genes, that share, and the number of cuts.
    """
    some, share, cuts = settings
    stream = stream_of(key, pair)
    genes = layout.word_of.size
    first = draw_below(stream, 0, genes)
    last = np.int64(genes)
    if cuts == 1:
        first = 1 + draw_below(stream, 0, genes - 1)
    else:
        other = draw_below(stream, 1, genes - 1)
        other += other >= first
        first, last = min(first, other), max(first, other)
    # A pair that is spared goes the same way: a branch here would take longer than the loop. One
    # cut of a single gene exchanges nothing.
    kept = _0 if first >= last or is_spared(key, pair, some, share) else ALL_ONES
    first = min(first, np.int64(genes - 1))
    first_word, last_word = layout.word_of[first], layout.word_of[last - 1]
    from_first = kept & ~((_1 << layout.bit_of[first]) - _1)
    to_last = ((_1 << layout.bit_of[last - 1]) << _1) - _1
    # Every word is written once, without a branch, so that several can be computed at a time.
    for word in range(mask.size):
        after = kept if word > first_word else from_first if word == first_word else _0
        before = ALL_ONES if word < last_word else to_last if word == last_word else _0
        mask[word] = layout.free[word] & after & before


@inlined
def exchange_fixed(
    key: np.uint64, pair: int, settings: tuple[Words], layout: Layout, mask: Words
) -> None:
    """Chunk crossover. Settings: the mask of every pair."""
    for word in range(mask.size):
        mask[word] = settings[0][word]


@inlined
def flip_gaps(
    key: np.uint64, individual: int, cut: Words, other: Bytes, layout: Layout, row: Words
) -> None:
    """Flip rare genes: one draw per gap between two of them; see `masks.rare_masks`. The outcome is
    chosen without a branch.
    """
    start, step = stream_of(key, individual)
    size = np.uint64(layout.free_word.size)
    position = _0
    while True:
        start += step
        bits = mix(start)
        column = bits & _255
        own = np.uint64(bits >> _8 < cut[column])
        alias = np.uint64(other[column])
        gap = alias ^ ((alias ^ column) & (_0 - own))
        position += gap
        if position >= size:
            break
        # 0 for the longest gap, after which no gene changes. A comparison here would be compiled to
        # a branch that is often predicted wrongly.
        hit = ((gap + _1) >> _8) ^ _1
        row[np.uint64(layout.free_word[position])] ^= layout.free_bit[position] * hit
        position += hit


@inlined
def start_with_coins(
    seed: np.uint64,
    generation: int,
    individual: int,
    settings: tuple[np.uint64, Words],
    layout: Layout,
    row: Words,
) -> None:
    """Draw a new individual. Settings: the threshold of a wall, and the walls to keep."""
    threshold, walls = settings
    coins(stream_key(seed, START, generation), individual, threshold, layout, row)
    for word in range(row.size):
        row[word] |= walls[word]


@kernel
def start_with_last_word(
    seed: np.uint64,
    generation: int,
    individual: int,
    settings: tuple[np.uint64, Words, int, np.uint64],
    layout: Layout,
    row: Words,
) -> None:
    """`start_with_coins`, but the last word, which is no row of the level, is drawn from another
    stream.

    Settings: those of `start_with_coins`, the purpose of that stream, and the threshold of a bit of
    the last word.
    """
    threshold, walls, purpose, last_threshold = settings
    coins(stream_key(seed, START, generation), individual, threshold, layout, row)
    last = row.size - 1
    row[last] = (
        draw_bits(stream_of(stream_key(seed, purpose, generation), individual), 0, last_threshold)
        & layout.free[last]
    )
    for word in range(row.size):
        row[word] |= walls[word]
