"""Genes of the generative representations: pairs (A, N) of numbers from 0 to 9999."""

from functools import lru_cache

import numpy as np

from levolve.genotypes.genes import Genes, NumberGenes
from levolve.kernels.streams import START
from levolve.kernels.variation import replace_values

VALUES = 10_000


@lru_cache(maxsize=64)
def pair_space(pairs: int) -> NumberGenes:
    """`pairs` times A and N, all free."""
    return NumberGenes(np.full(2 * pairs, VALUES))


def uniform_pairs(pairs: int, seed: int, generation: int, count: int) -> Genes:
    """`count` individuals with every number equally likely."""
    space = pair_space(pairs)
    genes = np.zeros((count, space.length), np.uint16)
    replace_values(np.uint64(seed), START, generation, space.bounds, False, genes, np.tile(space.free, (count, 1)))
    return genes
