"""Further genes of a genotype that decodes its levels with another genotype: whole numbers from 0 to 65,535, after the genes of the other."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError
from levolve.genotypes.genes import BitGenes, Genes, GeneSpace, NumberGenes
from levolve.kernels.variation import replace_values

# A number is one row of 16 bits among genes of bits, and two bytes among genes of numbers.
BITS = 16
BYTES = 2
VALUES = 1 << BITS


class ExtendedNumbers(NumberGenes):
    """Genes of numbers, and further genes of two bytes each. A rotation changes only the former, because they may have other bounds."""

    def __init__(self, inner: NumberGenes, numbers: int) -> None:
        """Append `numbers` numbers to a space."""
        free = np.concatenate((_free(inner), np.ones(numbers * BYTES, bool)))
        super().__init__(np.concatenate((inner.bounds, np.full(numbers * BYTES, 256))), free, inner.grid)
        self._inner = inner

    def rotate(self, genes: Genes, purpose: int, seed: int, generation: int) -> Genes:
        """Return the genes of the other genotype after a double rotation, and the further genes unchanged."""
        turned = genes.copy()
        first = np.ascontiguousarray(genes[:, : self._inner.length])
        turned[:, : self._inner.length] = self._inner.rotate(first, purpose, seed, generation)
        return turned


def _free(space: GeneSpace) -> NDArray[np.bool_]:
    free = np.zeros(space.length, bool)
    free[space.free_genes] = True
    return free


@lru_cache(maxsize=64)
def extended_space(inner: GeneSpace, numbers: int) -> GeneSpace:
    """Return a space of the same genes with `numbers` numbers after them."""
    if numbers == 0:
        return inner
    if isinstance(inner, BitGenes):
        return BitGenes([*inner.rows, *[BITS] * numbers], np.concatenate((_free(inner), np.ones(numbers * BITS, bool))), inner.grid)
    if isinstance(inner, NumberGenes):
        return ExtendedNumbers(inner, numbers)
    message = f"genotype: expected genes of bits or numbers to extend, got {type(inner).__name__}"
    raise InputError(message)


def joined(inner: GeneSpace, genes: Genes, numbers: NDArray[np.int64]) -> Genes:
    """Return genes of an extended space from `(n, ...)` genes and `(n, k)` numbers."""
    if numbers.shape[1] == 0:
        return genes
    if isinstance(inner, BitGenes):
        return np.concatenate((genes, numbers.astype(np.uint64)), axis=1)
    parts = np.stack((numbers // 256, numbers % 256), axis=2).reshape(len(numbers), BYTES * numbers.shape[1])
    return np.concatenate((genes, parts.astype(genes.dtype)), axis=1)


def separated(inner: GeneSpace, genes: Genes, numbers: int) -> tuple[Genes, NDArray[np.int64]]:
    """Return the genes of the other genotype, and the `(n, k)` numbers."""
    if numbers == 0:
        return genes, np.empty((len(genes), 0), np.int64)
    if isinstance(inner, BitGenes):
        return np.ascontiguousarray(genes[:, :-numbers]), genes[:, -numbers:].astype(np.int64)
    first = genes.shape[1] - numbers * BYTES
    parts = genes[:, first:].astype(np.int64).reshape(len(genes), numbers, BYTES)
    return np.ascontiguousarray(genes[:, :first]), parts[:, :, 0] * 256 + parts[:, :, 1]


def draw_numbers(purpose: int, seed: int, generation: int, count: int, numbers: int) -> NDArray[np.int64]:
    """Draw `(count, numbers)` uniform numbers."""
    drawn = np.zeros((count, numbers), np.uint16)
    if numbers:
        space = NumberGenes(np.full(numbers, VALUES))
        replace_values(np.uint64(seed), purpose, generation, space.bounds, False, drawn, np.tile(space.free, (count, 1)))
    return drawn.astype(np.int64)
