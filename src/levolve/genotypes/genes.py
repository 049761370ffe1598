"""Gene spaces: what genes are made of, and the few things that variation does to them.

An operator decides *which* genes to touch and says so by masks; the space knows *how* to touch them. So every operator works on every
kind of gene. Genes are `(n, ...)` arrays, one row an individual; masks are `(n, words)` bits in reading order of the genes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.kernels import variation
from levolve.kernels.streams import REPLACE

Genes = NDArray[Any]
Masks = NDArray[np.uint64]
Indices = NDArray[np.int64]

WORD = 64
_ONE = np.uint64(1)


class GeneSpace(ABC):
    """Where the genes of an individual stand in its mask words, and which of them are free to vary."""

    def __init__(self, rows: Sequence[int], free: NDArray[np.bool_] | None = None, grid: tuple[int, int] | None = None) -> None:
        """Rows of so many genes each, every row in words of its own; `free` is False for genes that must stay as they start.

        `grid` is (height, width) if the first genes are the cells of a level in reading order.
        """
        self.grid = grid
        lengths = np.array(rows)
        self.length = int(lengths.sum())
        bits = min(int(lengths.max()), WORD)
        words = -(-lengths // bits)
        column = np.arange(self.length) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        self.word_of = (np.repeat(np.cumsum(words) - words, lengths) + column // bits).astype(np.int32)
        self.bit_of = (column % bits).astype(np.uint64)
        self.columns = bits
        self.words = int(words.sum())
        self.free_genes = np.flatnonzero(np.ones(self.length, bool) if free is None else free).astype(np.int32)
        self.free = self.words_of(self.free_genes)
        self.free_word = self.word_of[self.free_genes]
        self.free_bit = _ONE << self.bit_of[self.free_genes]

    def words_of(self, genes: NDArray[np.integer[Any]]) -> Masks:
        """The `(words,)` mask of these genes."""
        mask = np.zeros(self.words, np.uint64)
        np.bitwise_or.at(mask, self.word_of[genes], _ONE << self.bit_of[genes])
        return mask

    def empty_masks(self, count: int) -> Masks:
        """Room for `count` masks."""
        return np.empty((count, self.words), np.uint64)

    @abstractmethod
    def cross(self, genes: Genes, parents: Indices, masks: Masks, children: Genes) -> None:
        """Fill in pairs of children: child i is parent i, with the genes under mask i // 2 from the pair's other parent.

        There may be one child fewer than parents.
        """

    @abstractmethod
    def mutate(self, genes: Genes, masks: Masks, seed: int, generation: int) -> None:
        """Give the masked genes another value, in place."""

    @abstractmethod
    def rotate(self, genes: Genes, purpose: int, seed: int, generation: int) -> Genes:
        """Each individual after a double rotation."""


class BitGenes(GeneSpace):
    """Genes of one bit, packed: `(n, words)` words. A mutated gene is turned."""

    def cross(self, genes: Genes, parents: Indices, masks: Masks, children: Genes) -> None:
        """Fill in pairs of children."""
        variation.cross_words(genes, parents, masks, children)

    def mutate(self, genes: Genes, masks: Masks, seed: int, generation: int) -> None:  # noqa: ARG002 a bit has only one other value
        """Turn the masked bits."""
        variation.flip_words(genes, masks)

    def rotate(self, genes: Genes, purpose: int, seed: int, generation: int) -> Genes:
        """Double rotation; genes that are not free stay."""
        turned = np.empty_like(genes)
        variation.rotate_words(np.uint64(seed), purpose, generation, genes, self.word_of, self.bit_of, turned)
        return (turned & self.free) | (genes & ~self.free)


class NumberGenes(GeneSpace):
    """Genes of one small number each: `(n, length)` numbers, gene g from 0 to before `bounds[g]`. A mutated gene gets any other value."""

    def __init__(self, bounds: NDArray[np.int64], free: NDArray[np.bool_] | None = None, grid: tuple[int, int] | None = None) -> None:
        """Say how many values each gene has."""
        super().__init__([len(bounds)], free, grid)
        self.bounds = bounds
        self._fixed = np.setdiff1d(np.arange(self.length), self.free_genes)

    def cross(self, genes: Genes, parents: Indices, masks: Masks, children: Genes) -> None:
        """Fill in pairs of children."""
        variation.cross_values(genes, parents, masks, children)

    def mutate(self, genes: Genes, masks: Masks, seed: int, generation: int) -> None:
        """Give the masked genes any other value."""
        variation.replace_values(np.uint64(seed), REPLACE, generation, self.bounds, True, genes, masks)

    def rotate(self, genes: Genes, purpose: int, seed: int, generation: int) -> Genes:
        """Double rotation; genes that are not free stay."""
        turned = np.empty_like(genes)
        variation.rotate_values(np.uint64(seed), purpose, generation, genes, turned)
        turned[:, self._fixed] = genes[:, self._fixed]
        return turned
