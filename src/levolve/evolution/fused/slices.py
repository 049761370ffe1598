"""Breeding in parts: threads breed the children of one generation, each some pairs of parents, with the same bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from levolve.evolution.fused.ahead import AheadSearch
from levolve.kernels.fused.breeding import breeding

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from levolve.evolution.fused.operators import Fused
    from levolve.genotypes.genes import Genes
    from levolve.kernels.fused.operators import Layout


class SlicedSearch(AheadSearch):
    """A fused search of a strategy that breeds pairs of parents."""

    _layout: Layout
    _breeding: tuple[Callable[..., Any], tuple[Any, ...], tuple[Any, ...]]

    def _set_breeding(self, layout: Layout, crossover: Fused, mutation: Fused) -> None:
        """Set the operators."""
        self._layout = layout
        self._breeding = breeding(crossover[0], mutation[0]), crossover[1], mutation[1]

    def _breed(self, parents: NDArray[np.int64], children: Genes) -> None:
        """Write the children of pairs of parents."""
        breed, exchanging, mutating = self._breeding
        seed, generation, genes, layout = np.uint64(self.seed), self.generation, self.genes, self._layout

        def work(first: int, last: int) -> None:
            breed(seed, generation, layout, exchanging, mutating, genes, parents, 2 * first, min(2 * last, len(children)), children)

        pairs = len(parents) // 2
        if self._workers is None:
            work(0, pairs)
        else:
            self._workers.share_out(pairs, work)
