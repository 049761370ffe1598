"""Genes of the generative representations: pairs (A, N) of numbers from 0 to 9999."""

from functools import lru_cache

import numpy as np

from levolve.genotypes.genes import Genes, NumberGenes

VALUES = 10_000


@lru_cache(maxsize=64)
def pair_space(pairs: int) -> NumberGenes:
    """Return the space of `pairs` pairs (A, N), all free."""
    return NumberGenes(np.full(2 * pairs, VALUES))


def uniform_pairs(pairs: int, seed: int, generation: int, count: int) -> Genes:
    """Draw `count` individuals with uniform numbers."""
    return pair_space(pairs).draw(seed, generation, count)
