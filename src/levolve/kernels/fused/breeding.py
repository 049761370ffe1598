"""Children of selected parents: crossover, then mutation, of any part of a generation."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiled import kernel
from levolve.kernels.fused.operators import Layout
from levolve.kernels.memory import zeros
from levolve.kernels.streams import CROSS, stream_key

Words = NDArray[np.uint64]
Indices = NDArray[np.int64]
Settings = tuple[Any, ...]
Kernel = Callable[..., Any]


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
        words = genes.shape[1]
        mask = zeros(words, np.uint64)
        crossing = stream_key(seed, CROSS, generation)
        for child in range(first, last):
            if child % 2 == 0:
                exchange(crossing, child // 2, exchanging, layout, mask)
            own, other, row = genes[parents[child]], genes[parents[child ^ 1]], children[child]
            for word in range(words):
                row[word] = own[word] ^ ((own[word] ^ other[word]) & mask[word])
        vary(seed, generation, mutating, layout, first, last, children)

    return breed
