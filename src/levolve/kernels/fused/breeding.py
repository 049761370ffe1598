"""Children of selected parents: crossover, then mutation, then their scores, of any part of a generation."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiled import inlined, kernel
from levolve.kernels.fused.calls import call
from levolve.kernels.fused.operators import Layout
from levolve.kernels.lanes import LANES, load, store
from levolve.kernels.memory import zeros
from levolve.kernels.streams import CROSS, stream_key
from levolve.kernels.teams import Gate, meet, part_of
from levolve.kernels.variation import find_copies, move_copies

Words = NDArray[np.uint64]
Scores = NDArray[np.float64]
Indices = NDArray[np.int64]
Settings = tuple[Any, ...]
Kernel = Callable[..., Any]


@inlined
def exchanged(own: Words, other: Words, mask: Words, first: Words, second: Words) -> None:
    """Write the children of two parents: the first has the genes of `own`, and of `other` where `mask` is set. `second` may be the same array."""
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
        first: int,
        last: int,
        children: Words,
    ) -> None:
        """Write the children from `first`, an even number, to before `last`: child i has the genes of parent i, and some of its partner's."""
        mask = zeros(genes.shape[1], np.uint64)
        crossing = stream_key(seed, CROSS, generation)
        for child in range(first, last, 2):
            exchange(crossing, child // 2, exchanging, layout, mask)
            # Of an odd number of children, the last has no partner: its row is written twice.
            exchanged(genes[parents[child]], genes[parents[child + 1]], mask, children[child], children[min(child + 1, last - 1)])
        vary(seed, generation, mutating, layout, first, last, children)

    return breed


@lru_cache(maxsize=256)
def rearing(exchange: Kernel, vary: Kernel) -> Kernel:
    """Compose what generational and steady-state searches have in common: children of selected parents, and their scores."""
    breed = breeding(exchange, vary)

    @kernel
    def rear(
        member: int,
        members: int,
        at: Gate,
        seed: np.uint64,
        generation: int,
        layout: Layout,
        exchanging: Settings,
        mutating: Settings,
        scoring: Settings,
        genes: Words,
        scores: Scores,
        parents: Indices,
        equal_to: Indices,
        children: Words,
        child_scores: Scores,
        found: Indices,
    ) -> None:
        """Write the children of all pairs of `parents`, and their scores: first the new ones, their number to `found[0]`, then copies of parents.

        `members` threads call this with the same arguments, but each as another `member`: each breeds and scores a part of the children. When a
        thread begins, `parents` must be complete; when it returns, everything is. `scoring` is the address of a score, and its settings.
        """
        first_pair, last_pair = part_of(parents.size // 2, member, members)
        first, last = 2 * first_pair, min(2 * last_pair, children.shape[0])
        breed(seed, generation, layout, exchanging, mutating, genes, parents, first, last, children)
        find_copies(genes, parents, None, children, first, last, equal_to)
        meet(at, members)
        if member == 0:
            found[0] = move_copies(scores, equal_to, children, child_scores)
        meet(at, members)
        first_new, last_new = part_of(found[0], member, members)
        call(scoring[0], scoring[1], children[first_new:last_new], child_scores[first_new:last_new])
        meet(at, members)

    return rear
