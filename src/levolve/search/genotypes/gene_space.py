"""Gene spaces: the layout of genes, and the elementary operations of variation.

An operator selects *which* genes to change, with masks; the gene space defines *how* they change.
So every operator works for every kind of gene. Genes are `(n, ...)` arrays, one row per individual;
masks are `(n, words)` bits in the order of the genes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.kernels.bits.random_streams import REPLACE, START
from levolve.kernels.variation import apply_masks
from levolve.levels.style import Style

Genes = NDArray[Any]
Masks = NDArray[np.uint64]
Indices = NDArray[np.int64]
Repair = Callable[[Genes, int, int], None]

WORD = 64
# Random numbers below a bound are drawn from 32 bits.
MOST_VALUES = 1 << 32
_ONE = np.uint64(1)


class GeneSpace(ABC):
    """The positions of genes in mask words, and which genes are free to vary."""

    def __init__(
        self,
        rows: Sequence[int],
        free: NDArray[np.bool_] | None = None,
        grid: tuple[int, int] | None = None,
    ) -> None:
        """Lay the genes out in mask words.

        Parameters
        ----------
        rows
            The number of genes per row, each at least 1. Every row starts a new word.
        free
            `(genes,)` booleans, False for genes that must not change. By default all genes are
            free.
        grid
            (height, width) if the first genes are the cells of a level in reading order.
        """
        self.grid = grid
        # The style whose examples' tiles the cells can have; None if there are no examples, or
        # genes are not tiles.
        self.style: Style | None = None
        # Gives individuals, in place, what their content lacks: `repair(genes, seed, generation)`.
        # None if that is not known.
        self.repair: Repair | None = None
        self.rows = tuple(rows)
        lengths = np.array(rows)
        self.length = int(lengths.sum())
        bits = min(int(lengths.max()), WORD)
        words = -(-lengths // bits)
        column = np.arange(self.length) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        self.word_of = (np.repeat(np.cumsum(words) - words, lengths) + column // bits).astype(
            np.int32
        )
        self.bit_of = (column % bits).astype(np.uint64)
        self.columns = bits
        self.words = int(words.sum())
        self.free_genes = np.flatnonzero(
            np.ones(self.length, bool) if free is None else free
        ).astype(np.int32)
        self.free = self.words_of(self.free_genes)
        self.free_word = self.word_of[self.free_genes]
        self.free_bit = _ONE << self.bit_of[self.free_genes]

    def words_of(self, genes: NDArray[np.integer[Any]]) -> Masks:
        """Return the `(words,)` mask of these genes."""
        mask = np.zeros(self.words, np.uint64)
        np.bitwise_or.at(mask, self.word_of[genes], _ONE << self.bit_of[genes])
        return mask

    def empty_masks(self, count: int) -> Masks:
        """Return `count` empty masks, `(count, words)`."""
        return np.empty((count, self.words), np.uint64)

    @abstractmethod
    def cells(self, genes: Genes) -> NDArray[np.uint8]:
        """Return the genes of the cells of n levels, `(n, height, width)`. Only for spaces with a
        `grid`.
        """

    @abstractmethod
    def set_cells(self, genes: Genes, cells: NDArray[np.uint8]) -> None:
        """Write `(n, height, width)` values to the genes of the cells that are free, in place."""

    @abstractmethod
    def check(self, genes: Genes) -> None:
        """Raise `InputError` unless these are genes of this space: shape, type and every value."""

    @abstractmethod
    def cross(self, genes: Genes, parents: Indices, masks: Masks, children: Genes) -> None:
        """Write pairs of children: child i is parent i, with the genes under mask i // 2 taken from
        the other parent of the pair.

        There may be one child fewer than parents.
        """

    @abstractmethod
    def mutate(self, genes: Genes, masks: Masks, seed: int, generation: int) -> None:
        """Give the masked genes another value, in place."""

    @abstractmethod
    def fill(self, genes: Genes, masks: Masks, seed: int, generation: int) -> None:
        """Give all masked genes of an individual the same random value, in place."""

    @abstractmethod
    def rotate(self, genes: Genes, purpose: int, seed: int, generation: int) -> Genes:
        """Return each individual after a double rotation."""


class BitGenes(GeneSpace):
    """Genes of one bit, packed into `(n, words)` uint64. Mutation flips a gene."""

    def check(self, genes: Genes) -> None:
        """Raise `InputError` unless these are `(n, words)` uint64 words with no bit set that is not
        a gene.
        """
        if genes.dtype != np.uint64 or genes.shape[1:] != (self.words,):
            message = (
                f"genes: expected (n, {self.words}) words of uint64, got {genes.shape} of "
                f"{genes.dtype}"
            )
            raise InputError(message)
        if np.any(genes & ~self.words_of(np.arange(self.length))):
            message = (
                f"genes: expected bits for {self.length} genes only, got other bits that are set"
            )
            raise InputError(message)

    def cells(self, genes: Genes) -> NDArray[np.uint8]:
        """Return the bits of the cells as 0 and 1."""
        height, width = self.grid or (1, self.length)
        cells = np.empty((len(genes), height * width), np.uint8)
        apply_masks.read_bits(genes, self.word_of, self.bit_of, cells)
        return cells.reshape(len(genes), height, width)

    def set_cells(self, genes: Genes, cells: NDArray[np.uint8]) -> None:
        """Write the bits of free cells."""
        apply_masks.write_bits(
            cells.reshape(len(genes), cells.shape[1] * cells.shape[2]),
            self.word_of,
            self.bit_of,
            self.free,
            genes,
        )

    def cross(self, genes: Genes, parents: Indices, masks: Masks, children: Genes) -> None:
        """Write pairs of children."""
        apply_masks.cross_words(genes, parents, masks, children)

    def mutate(self, genes: Genes, masks: Masks, seed: int, generation: int) -> None:
        """Flip the masked bits."""
        apply_masks.flip_words(genes, masks)

    def fill(self, genes: Genes, masks: Masks, seed: int, generation: int) -> None:
        """Set or clear all masked bits of an individual."""
        apply_masks.fill_words(np.uint64(seed), REPLACE, generation, genes, masks)

    def rotate(self, genes: Genes, purpose: int, seed: int, generation: int) -> Genes:
        """Return the genes after a double rotation; genes that are not free do not change."""
        turned = np.empty_like(genes)
        apply_masks.rotate_words(
            np.uint64(seed), purpose, generation, genes, self.word_of, self.bit_of, turned
        )
        return (turned & self.free) | (genes & ~self.free)


class NumberGenes(GeneSpace):
    """Genes of one number each: `(n, length)` integers with 0 <= gene g < `bounds[g]`. Mutation
    gives a gene any other value.

    `dtype` is the smallest unsigned type that can represent all values; genes of a wider type are
    accepted, those of a narrower one are rejected.
    """

    def __init__(
        self,
        bounds: NDArray[np.int64],
        free: NDArray[np.bool_] | None = None,
        grid: tuple[int, int] | None = None,
    ) -> None:
        """Set the number of values of each gene: `bounds` is `(length,)`, each from 1 to 2**32. See
        `GeneSpace` for `free` and `grid`.
        """
        super().__init__([len(bounds)], free, grid)
        lowest, highest = int(bounds.min()), int(bounds.max())
        if lowest < 1 or highest > MOST_VALUES:
            message = (
                f"bounds: expected 1 to {MOST_VALUES} values per gene, got {lowest} to {highest}"
            )
            raise InputError(message)
        self.bounds = bounds
        self.dtype = np.min_scalar_type(highest - 1)
        self._highest = highest - 1
        self._fixed = np.setdiff1d(np.arange(self.length), self.free_genes)

    def draw(self, seed: int, generation: int, count: int) -> Genes:
        """Draw `count` individuals, `(count, length)` of `dtype`, with uniform values of free
        genes; genes that are not free are 0.
        """
        genes = np.zeros((count, self.length), self.dtype)
        apply_masks.replace_values(
            np.uint64(seed),
            START,
            generation,
            self.bounds,
            False,
            genes,
            np.tile(self.free, (count, 1)),
        )
        return genes

    def check(self, genes: Genes) -> None:
        """Raise `InputError` unless these are `(n, length)` whole numbers, each below its bound."""
        self._check_type(genes)
        if genes.shape[1:] != (self.length,):
            message = f"genes: expected (n, {self.length}) numbers, got {genes.shape}"
            raise InputError(message)
        wrong = np.argwhere((genes < 0) | (genes >= self.bounds))
        if len(wrong):
            individual, gene = wrong[0]
            message = (
                f"genes: expected gene {gene} to be from 0 to {self.bounds[gene] - 1}, got "
                f"{genes[individual, gene]} in individual {individual}"
            )
            raise InputError(message)

    def _check_type(self, genes: Genes) -> None:
        """Raise `InputError` for a type that cannot represent all values: they would overflow."""
        if genes.dtype.kind not in "iu" or np.iinfo(genes.dtype).max < self._highest:
            message = (
                f"genes: expected {self.dtype}, which holds values up to {self._highest}, got "
                f"{genes.dtype}"
            )
            raise InputError(message)

    def cells(self, genes: Genes) -> NDArray[np.uint8]:
        """Return the numbers of the cells."""
        height, width = self.grid or (1, self.length)
        return genes[:, : height * width].astype(np.uint8).reshape(len(genes), height, width)

    def set_cells(self, genes: Genes, cells: NDArray[np.uint8]) -> None:
        """Write the numbers of free cells."""
        free = self.free_genes[self.free_genes < cells.shape[1] * cells.shape[2]]
        genes[:, free] = cells.reshape(len(genes), cells.shape[1] * cells.shape[2])[:, free]

    def cross(self, genes: Genes, parents: Indices, masks: Masks, children: Genes) -> None:
        """Write pairs of children."""
        self._check_type(children)
        apply_masks.cross_values(genes, parents, masks, children)

    def mutate(self, genes: Genes, masks: Masks, seed: int, generation: int) -> None:
        """Give the masked genes any other value."""
        self._check_type(genes)
        apply_masks.replace_values(
            np.uint64(seed), REPLACE, generation, self.bounds, True, genes, masks
        )

    def fill(self, genes: Genes, masks: Masks, seed: int, generation: int) -> None:
        """Give all masked genes of an individual the same number, modulo the bound of each."""
        self._check_type(genes)
        apply_masks.fill_values(np.uint64(seed), REPLACE, generation, self.bounds, genes, masks)

    def rotate(self, genes: Genes, purpose: int, seed: int, generation: int) -> Genes:
        """Return the genes after a double rotation; genes that are not free do not change. A value
        beyond the bound of its new gene wraps around.
        """
        turned = np.empty_like(genes)
        apply_masks.rotate_values(np.uint64(seed), purpose, generation, genes, turned)
        if self.bounds.min() != self.bounds.max():
            turned = (turned % self.bounds).astype(genes.dtype)
        turned[:, self._fixed] = genes[:, self._fixed]
        return turned
