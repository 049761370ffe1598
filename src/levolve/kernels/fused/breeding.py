"""Children of selected parents: crossover, then mutation, then their scores, which several threads
compute together.

Genotypes whose genes are packed, but not the rows of their levels: how rows are made of genes.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty, zeros
from levolve.kernels.bits.random_streams import CROSS, stream_key
from levolve.kernels.bits.thread_barrier import Gate, claim, meet
from levolve.kernels.bits.vectors import LANES, load, store
from levolve.kernels.building.cellular_automata import run_rows
from levolve.kernels.compiler import inlined, kernel
from levolve.kernels.fused.address_calls import call
from levolve.kernels.fused.crossovers import Layout
from levolve.kernels.fused.values import Scores, Settings, Words

Indices = NDArray[np.int64]
Kernel = Callable[..., Any]


@inlined
def exchanged(own: Words, other: Words, mask: Words, first: Words, second: Words) -> None:
    """Write the children of two parents: the first has the genes of `own`, and of `other` where
    `mask` is set. `second` may be the same array.
    """
    size, step = np.uint64(own.size), np.uint64(LANES)
    if size < step:
        for index in range(own.size):
            differing = (own[index] ^ other[index]) & mask[index]
            second[index] = other[index] ^ differing
            first[index] = own[index] ^ differing
        return
    word = np.uint64(0)
    while word < size:
        # The last vector may overlap the one before.
        place = min(word, size - step)
        mine, theirs = load(own, place), load(other, place)
        swapped = (mine ^ theirs) & load(mask, place)
        store(second, place, theirs ^ swapped)
        store(first, place, mine ^ swapped)
        word += step


@lru_cache(maxsize=256)
def breeding(exchange: Kernel, vary: Kernel) -> Kernel:
    """Compose a crossover and a mutation of packed genes."""

    @kernel
    def breed(
        seed: np.uint64,
        generation: int,
        layout: Layout,
        exchanging: Settings,
        mutating: Settings,
        genes: Words,
        parents: Indices,
        children: Words,
    ) -> None:
        """Write the children of all pairs of `parents`: child i has the genes of parent i, and some
        of its partner's.
        """
        mask = zeros(genes.shape[1], np.uint64)
        crossing = stream_key(seed, CROSS, generation)
        last = children.shape[0]
        for child in range(0, last, 2):
            exchange(crossing, child // 2, exchanging, layout, mask)
            # Of an odd number of children, the last has no partner: its row is written twice.
            exchanged(
                genes[parents[child]],
                genes[parents[child + 1]],
                mask,
                children[child],
                children[min(child + 1, last - 1)],
            )
        vary(seed, generation, mutating, layout, 0, last, children)

    return breed


@kernel
def score_together(
    members: int,
    at: Gate,
    turn: int,
    scoring: Settings,
    children: Words,
    count: int,
    shared: Scores,
    child_scores: Scores,
) -> None:
    """Write the scores of the first `count` children. `scoring` is the address of a score, and its
    settings.

    Each of `members` threads has the same children in memory of its own. They claim parts of them,
    write their scores to row `turn` % 2 of `shared`, and copy the others' scores when all have
    come: before that row is written again, all have met once more.
    """
    if members == 1:
        call(scoring[0], scoring[1], children[:count], child_scores[:count])
        return
    scores = shared[turn % 2]
    first, last = claim(at, turn, count, members)
    while first < last:
        call(scoring[0], scoring[1], children[first:last], scores[first:last])
        first, last = claim(at, turn, count, members)
    meet(at, members)
    for child in range(count):
        child_scores[child] = scores[child]


@kernel
def grow(settings: tuple[int, int, bool, bool, Words, Words], genes: Words, rows: Words) -> None:
    """Run automata: the last word of the genes is the rule, those before it are the start map.

    Settings: the width, the steps, the two options of `automata.run_rows`, the walls to keep, and
    the cells to keep open.
    """
    width, steps, survival, outside, walls, is_open = settings
    count, height = rows.shape
    rules = empty(count, np.uint64)
    for level in range(count):
        rules[level] = genes[level, height]
        for y in range(height):
            rows[level, y] = genes[level, y]
    run_rows(rows, rules, width, steps, survival, outside)
    for level in range(count):
        for y in range(height):
            rows[level, y] = (rows[level, y] & ~is_open[y]) | walls[y]


@kernel
def score_expressed(settings: Settings, genes: Words, scores: Scores) -> None:
    """The score of the rows that genes become. Settings: the number of rows, and for the expression
    and the score an address and settings.
    """
    height, expressing, scoring = settings
    rows = empty((genes.shape[0], height), np.uint64)
    call(expressing[0], expressing[1], genes, rows)
    call(scoring[0], scoring[1], rows, scores)
