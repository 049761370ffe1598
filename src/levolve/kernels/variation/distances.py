"""Nearest neighbours among points.

Distinctness: how many more cells of a level would have to differ from the accepted levels.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty
from levolve.kernels.bits.random_streams import mix
from levolve.kernels.bits.words import bit_count
from levolve.kernels.compiler import kernel


@kernel
def sparseness(points: NDArray[np.float64], nearest: int, out: NDArray[np.float64]) -> None:
    """Write for the first `out.size` points the mean distance to the `nearest` other points, or to
    all others if there are fewer; 0 without others.

    Parameters
    ----------
    points
        `(n, m)`.
    nearest
        1 or more.
    out
        `(k,)`, k <= n.
    """
    count, columns = points.shape
    held = empty(nearest, np.float64)
    for one in range(out.size):
        found = 0
        for other in range(count):
            if other == one:
                continue
            square = 0.0
            for column in range(columns):
                gap = points[one, column] - points[other, column]
                square += gap * gap
            if found == nearest and square >= held[found - 1]:
                continue
            found = min(found + 1, nearest)
            # Insertion sort of the nearest squares so far.
            place = found - 1
            while place > 0 and held[place - 1] > square:
                held[place] = held[place - 1]
                place -= 1
            held[place] = square
        total = 0.0
        for place in range(found):
            total += np.sqrt(held[place])
        out[one] = total / found if found else 0.0


Words = NDArray[np.uint64]


@kernel
def merge_rows(rows: Words, width: int, merged: Words) -> None:
    """Write `(n, height)` row words of levels `width` wide to `(n, words)` words, as many rows in
    each as fit.
    """
    fitting = 64 // width
    for level in range(rows.shape[0]):
        for word in range(merged.shape[1]):
            bits = np.uint64(0)
            for row in range(min(fitting, rows.shape[1] - word * fitting)):
                bits |= rows[level, word * fitting + row] << np.uint64(row * width)
            merged[level, word] = bits


@kernel
def digest_words(words: Words, digests: Words) -> None:
    """Write a hash of each of `(n, words)` levels to `digests` `(n,)`."""
    for level in range(words.shape[0]):
        digest = np.uint64(0)
        for word in range(words.shape[1]):
            digest = mix(digest ^ words[level, word])
        digests[level] = digest


@kernel
def lacking_words(
    words: Words,
    taken: Words,
    images: Words,
    digests: Words,
    least: int,
    lacking: NDArray[np.int64],
) -> None:
    """Compute for each of `(n, words)` levels how many differing cells it lacks to be distinct from
    all accepted levels, `taken` `(words, m)`.

    A level that differs from an accepted level in fewer than `least` cells lacks the rest; this is
    summed over all accepted levels. A level that equals one of the `(k, words)` `images`, the
    rotations and reflections of the accepted levels, lacks one cell for each. `digests` `(k,)` are
    those of the images, sorted: only if one is that of the level, it is compared with all images.
    """
    own, differing = empty(words.shape[0], np.uint64), empty(taken.shape[1], np.uint64)
    digest_words(words, own)
    for level in range(words.shape[0]):
        differing[:] = 0
        for word in range(taken.shape[0]):
            bits = words[level, word]
            # Accepted levels lie side by side, so that several are compared at once.
            for other in range(taken.shape[1]):
                differing[other] += bit_count(bits ^ taken[word, other])
        total = np.int64(0)
        for other in range(taken.shape[1]):
            total += max(np.int64(least) - np.int64(differing[other]), np.int64(0))
        place = np.searchsorted(digests, own[level])
        if place < digests.size and digests[place] == own[level]:
            for other in range(images.shape[0]):
                word = 0
                while word < words.shape[1] and words[level, word] == images[other, word]:
                    word += 1
                total += word == words.shape[1]
        lacking[level] = total


@kernel
def lacking_tiles(
    tiles: NDArray[np.uint8],
    taken: NDArray[np.uint8],
    images: NDArray[np.uint8],
    least: int,
    lacking: NDArray[np.int64],
) -> None:
    """Do the same as `lacking_words` for `(n, cells)` tiles of any tileset and any size; `taken` is
    `(m, cells)`, `images` `(k, cells)`.
    """
    cells = tiles.shape[1]
    for level in range(tiles.shape[0]):
        total = np.int64(0)
        for other in range(taken.shape[0]):
            differing = np.int64(0)
            for cell in range(cells):
                differing += tiles[level, cell] != taken[other, cell]
            total += max(np.int64(least) - differing, np.int64(0))
        for other in range(images.shape[0]):
            cell = 0
            while cell < cells and tiles[level, cell] == images[other, cell]:
                cell += 1
            total += cell == cells
        lacking[level] = total
