"""Mutations of packed genes: of one individual, and composed of these, of a part of a
generation.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import zeros
from levolve.kernels.bits.random_streams import (
    MEMBER,
    MUTATE,
    REPLACE,
    draw,
    draw_below,
    open_stream,
    stream_key,
    stream_of,
)
from levolve.kernels.compiler import inlined, kernel
from levolve.kernels.fused.crossovers import Layout, coins, flip_gaps
from levolve.kernels.variation.masks import mark_rectangle

Words = NDArray[np.uint64]
Bytes = NDArray[np.uint8]
Settings = tuple[Any, ...]
Kernel = Callable[..., Any]
# The keys of a generation's streams that say which genes change, and to which values.
Keys = tuple[np.uint64, np.uint64]
_0, _1 = np.uint64(0), np.uint64(1)


@inlined
def mutate_rare(
    keys: Keys,
    individual: int,
    settings: tuple[Words, Bytes],
    layout: Layout,
    mask: Words,
    row: Words,
) -> None:
    """Uniform mutation of rare genes. Settings: the table of gaps."""
    flip_gaps(keys[0], individual, settings[0], settings[1], layout, row)


@inlined
def mutate_coins(
    keys: Keys, individual: int, settings: tuple[np.uint64], layout: Layout, mask: Words, row: Words
) -> None:
    """Uniform mutation. Settings: the threshold of a gene."""
    coins(keys[0], individual, settings[0], layout, mask)
    for word in range(row.size):
        row[word] ^= mask[word]


@inlined
def mutate_point(
    keys: Keys, individual: int, settings: tuple[int], layout: Layout, mask: Words, row: Words
) -> None:
    """Point mutation of one gene. Settings: one number, which is not used."""
    genes = layout.free_genes.size
    if genes:
        gene = draw_below(stream_of(keys[0], individual), 0, genes)
        row[layout.free_word[gene]] ^= layout.free_bit[gene]


@inlined
def mutate_points(
    keys: Keys, individual: int, settings: tuple[int], layout: Layout, mask: Words, row: Words
) -> None:
    """Point mutation. Settings: the number of genes, at most as many as are free (Floyd's sampling;
    see `masks.point_masks`).
    """
    points = settings[0]
    stream = stream_of(keys[0], individual)
    mask[:] = _0
    for k in range(points):
        last = layout.free_genes.size - points + k
        gene = draw_below(stream, k, last + 1)
        if mask[layout.free_word[gene]] & layout.free_bit[gene]:
            gene = np.int64(last)
        mask[layout.free_word[gene]] |= layout.free_bit[gene]
    for word in range(row.size):
        row[word] ^= mask[word]


@inlined
def mutate_fill(
    keys: Keys,
    individual: int,
    settings: tuple[int, int, int, int],
    layout: Layout,
    mask: Words,
    row: Words,
) -> None:
    """Fill mutation. Settings: the rows and columns of the level, the greatest height and width of
    a rectangle.
    """
    rows, columns, height, width = settings
    for word in range(mask.size):
        mask[word] = _0
    mark_rectangle(
        stream_of(keys[0], individual),
        rows,
        columns,
        height,
        width,
        layout.word_of,
        layout.bit_of,
        layout.free,
        mask,
    )
    value = draw_below(stream_of(keys[1], individual), 0, 2)
    for word in range(row.size):
        row[word] = row[word] | mask[word] if value else row[word] & ~mask[word]


@inlined
def mutate_patch(
    keys: Keys,
    individual: int,
    settings: tuple[np.uint64, int, int, int, int],
    layout: Layout,
    mask: Words,
    row: Words,
) -> None:
    """Patch mutation. Settings: the threshold of a gene, the rows and columns of the level, the
    height and width of a patch.
    """
    threshold, rows, columns, height, width = settings
    stream = stream_of(keys[0], individual)
    top = draw_below(stream, 0, rows - height + 1)
    left = draw_below(stream, 1, columns - width + 1)
    index = 2
    for y in range(top, top + height):
        for gene in range(y * columns + left, y * columns + left + width):
            # Without a branch, which would often be predicted wrongly.
            changes = np.uint64(draw(stream, index) < threshold)
            word = layout.word_of[gene]
            row[word] ^= (changes << layout.bit_of[gene]) & layout.free[word]
            index += 1


@lru_cache(maxsize=256)
def one_by_one(mutate: Kernel) -> Kernel:
    """Compose a mutation of a part of a generation, of one of an individual."""
    change = _each(mutate)

    @kernel
    def vary(
        seed: np.uint64,
        generation: int,
        settings: Settings,
        layout: Layout,
        first: int,
        last: int,
        genes: Words,
    ) -> None:
        """Change the individuals from `first` to before `last`."""
        change(seed, generation, settings, layout, first, last, 1, genes)

    return vary


@lru_cache(maxsize=256)
def mixed(mutations: tuple[Kernel, ...]) -> Kernel:
    """Compose a mutation of a part of a generation, of several of an individual side by side; see
    `MutationMixture`.
    """
    shares, count = _shares(tuple(_each(mutate) for mutate in mutations)), len(mutations)

    @kernel
    def vary(
        seed: np.uint64,
        generation: int,
        settings: Settings,
        layout: Layout,
        first: int,
        last: int,
        genes: Words,
    ) -> None:
        """Change the individuals from `first` to before `last`. Settings: those of each
        mutation.
        """
        shares(seed, generation, 0, count, settings, layout, first, last, genes)

    return vary


@lru_cache(maxsize=256)
def _each(mutate: Kernel) -> Kernel:
    @kernel
    def change(
        seed: np.uint64,
        generation: int,
        settings: Settings,
        layout: Layout,
        first: int,
        last: int,
        step: int,
        genes: Words,
    ) -> None:
        """Change every `step`-th individual from `first` to before `last`; each has the random
        numbers of individual i // `step`.
        """
        mask = zeros(genes.shape[1], np.uint64)
        keys = stream_key(seed, MUTATE, generation), stream_key(seed, REPLACE, generation)
        number = first // step
        for individual in range(first, last, step):
            mutate(keys, number, settings, layout, mask, genes[individual])
            number += 1

    return change


def _shares(changes: tuple[Kernel, ...]) -> Kernel:
    """Compose a kernel that changes the share of each mutation, from the one at a position on."""
    change = changes[0]
    rest = _shares(changes[1:]) if changes[1:] else None

    @kernel
    def apply(
        seed: np.uint64,
        generation: int,
        position: int,
        count: int,
        settings: Settings,
        layout: Layout,
        first: int,
        last: int,
        genes: Words,
    ) -> None:
        own = draw(open_stream(seed, MEMBER, 0, position), 0)
        # The first individual from `first` on whose number is that of the share, modulo the number
        # of mutations.
        start = first + (position - generation - first) % count
        change(own, generation, settings[0], layout, start, last, count, genes)
        if rest is not None:
            rest(seed, generation, position + 1, count, settings[1:], layout, first, last, genes)

    return apply
