"""Application of masks: crossover and mutation of packed bits and of genes of one number each."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty
from levolve.kernels.bits.random_streams import draw_below, open_stream
from levolve.kernels.compiler import kernel

Words = NDArray[np.uint64]


@kernel
def cross_words(genes: Words, parents: NDArray[np.int64], masks: Words, out: Words) -> None:
    """Write pairs of children: child i has the genes of parent i, and those of the pair's other
    parent where mask i // 2 is set.
    """
    for child in range(out.shape[0]):
        own = genes[parents[child]]
        other = genes[parents[child ^ 1]]
        mask = masks[child >> 1]
        target = out[child]
        for word in range(target.size):
            target[word] = own[word] ^ ((own[word] ^ other[word]) & mask[word])


@kernel
def flip_words(genes: Words, masks: Words) -> None:
    """Flip every masked bit, in place."""
    for individual in range(genes.shape[0]):
        row = genes[individual]
        mask = masks[individual]
        for word in range(row.size):
            row[word] ^= mask[word]


@kernel
def fill_words(seed: np.uint64, purpose: int, generation: int, genes: Words, masks: Words) -> None:
    """Set every masked bit of an individual to the same random value, in place."""
    for individual in range(genes.shape[0]):
        value = draw_below(open_stream(seed, purpose, generation, individual), 0, 2)
        row = genes[individual]
        mask = masks[individual]
        for word in range(row.size):
            row[word] = row[word] | mask[word] if value else row[word] & ~mask[word]


@kernel
def fill_values(
    seed: np.uint64,
    purpose: int,
    generation: int,
    bounds: NDArray[np.int64],
    genes: NDArray[Any],
    masks: Words,
) -> None:
    """Set every masked gene of an individual to the same random number, modulo the bound of each
    gene, in place.
    """
    most = bounds.max()
    for individual in range(genes.shape[0]):
        value = draw_below(open_stream(seed, purpose, generation, individual), 0, most)
        for word in range(masks.shape[1]):
            bits = masks[individual, word]
            gene = word * 64
            while bits:
                if bits & np.uint64(1):
                    genes[individual, gene] = value % bounds[gene]
                bits >>= np.uint64(1)
                gene += 1


@kernel
def read_bits(
    genes: Words, word_of: NDArray[np.int32], bit_of: NDArray[np.uint64], cells: NDArray[np.uint8]
) -> None:
    """Write the first genes of `(n, words)` packed individuals to `(n, cells)`, as 0 and 1."""
    for individual in range(cells.shape[0]):
        for gene in range(cells.shape[1]):
            cells[individual, gene] = (
                genes[individual, word_of[gene]] >> bit_of[gene]
            ) & np.uint64(1)


@kernel
def write_bits(
    cells: NDArray[np.uint8],
    word_of: NDArray[np.int32],
    bit_of: NDArray[np.uint64],
    free: Words,
    genes: Words,
) -> None:
    """Set the first genes of `(n, words)` packed individuals to `(n, cells)` zeros and ones, in
    place; genes that are not free do not change.
    """
    one = np.uint64(1)
    for individual in range(cells.shape[0]):
        for gene in range(cells.shape[1]):
            word = word_of[gene]
            bit = (one << bit_of[gene]) & free[word]
            genes[individual, word] = (genes[individual, word] & ~bit) | (
                bit if cells[individual, gene] else np.uint64(0)
            )


@kernel
def cross_values(
    genes: NDArray[Any], parents: NDArray[np.int64], masks: Words, out: NDArray[Any]
) -> None:
    """`cross_words` for `(n, length)` genes of one number each; gene g has bit g % 64 of word g
    // 64.
    """
    # A byte of each word per gene: its bit of the mask, not moved to the lowest place, and nothing
    # else.
    spread = empty(masks.shape[1] * 8, np.uint64)
    swapped = spread.view(np.uint8)
    for child in range(out.shape[0]):
        own = genes[parents[child]]
        other = genes[parents[child ^ 1]]
        for word in range(masks.shape[1]):
            bits = masks[child >> 1, word]
            for byte in range(8):
                copies = ((bits >> np.uint64(8 * byte)) & np.uint64(0xFF)) * np.uint64(
                    0x0101010101010101
                )
                spread[8 * word + byte] = copies & np.uint64(0x8040201008040201)
        for gene in range(own.size):
            # Both are read, so that the choice is no branch.
            mine, theirs = own[gene], other[gene]
            out[child, gene] = theirs if swapped[gene] else mine


@kernel
def replace_values(
    seed: np.uint64,
    purpose: int,
    generation: int,
    bounds: NDArray[np.int64],
    another: bool,
    genes: NDArray[Any],
    masks: Words,
) -> None:
    """Draw every masked gene again, from 0 to below its bound, in place; if `another`, any value
    except the current one.
    """
    for individual in range(genes.shape[0]):
        stream = open_stream(seed, purpose, generation, individual)
        for word in range(masks.shape[1]):
            bits = masks[individual, word]
            gene = word * 64
            while bits:
                if bits & np.uint64(1):
                    if not another:
                        genes[individual, gene] = draw_below(stream, gene, bounds[gene])
                    elif bounds[gene] > 1:
                        drawn = draw_below(stream, gene, bounds[gene] - 1)
                        genes[individual, gene] = drawn + (drawn >= genes[individual, gene])
                bits >>= np.uint64(1)
                gene += 1


@kernel
def rotate_words(
    seed: np.uint64,
    purpose: int,
    generation: int,
    genes: Words,
    word_of: NDArray[np.int32],
    bit_of: NDArray[np.uint64],
    out: Words,
) -> None:
    """Double rotation of packed genes: cut at a random gene and swap the two parts, then once more.
    No gene is lost.
    """
    length = word_of.size
    one = np.uint64(1)
    for individual in range(genes.shape[0]):
        stream = open_stream(seed, purpose, generation, individual)
        shift = draw_below(stream, 0, length) + draw_below(stream, 1, length)
        out[individual] = 0
        for gene in range(length):
            source = (gene + shift) % length
            bit = (genes[individual, word_of[source]] >> bit_of[source]) & one
            out[individual, word_of[gene]] |= bit << bit_of[gene]


@kernel
def rotate_values(
    seed: np.uint64, purpose: int, generation: int, genes: NDArray[Any], out: NDArray[Any]
) -> None:
    """Double rotation of genes of one number each."""
    length = genes.shape[1]
    for individual in range(genes.shape[0]):
        stream = open_stream(seed, purpose, generation, individual)
        shift = draw_below(stream, 0, length) + draw_below(stream, 1, length)
        for gene in range(length):
            out[individual, gene] = genes[individual, (gene + shift) % length]


@kernel
def inherit(
    genes: NDArray[Any],
    scores: NDArray[np.float64],
    parents: NDArray[np.int64],
    partners: NDArray[np.int64] | None,
    children: NDArray[Any],
    out: NDArray[np.float64],
) -> int:
    """Give every child that equals one of its two parents that parent's score, and move it behind
    the others.

    The second parent is in `partners`, otherwise it is the first parent of the pair's other child;
    -1 means no parent. Return the number of children at the front, which have no score. `out`
    contains the scores of the rest.
    """
    front = len(children)
    for child in range(front - 1, -1, -1):
        equal_to = -1
        parent = parents[child]
        for _ in range(2):
            if parent >= 0 and equal_to < 0:
                equal_to = parent
                for i in range(children.shape[1]):
                    if genes[parent, i] != children[child, i]:
                        equal_to = -1
                        break
            parent = parents[child ^ 1] if partners is None else partners[child]
        if equal_to >= 0:
            front -= 1
            out[front] = scores[equal_to]
            # The row that takes its place has been compared already.
            for i in range(children.shape[1]):
                children[child, i], children[front, i] = children[front, i], children[child, i]
    return front
