"""Two-state cellular automata with the eight nearest neighbours and rules of 9 + 9 bits.

Bit k of the first nine fills a blank cell with k filled neighbours. Bit k of the last nine turns a
filled cell blank or, in the alternative interpretation, keeps it filled. Rules are words of 18
bits. Rows of at most 64 cells are processed as one word, wider ones as several, with the neighbours
counted by bitwise adders.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty, full
from levolve.kernels.compiler import inlined, kernel

Rows = NDArray[np.uint64]
WORD = 64
# Words of the sums of several rows that stay in the nearest cache.
BAND_WORDS = 1024
_0, _1, _63 = np.uint64(0), np.uint64(1), np.uint64(63)


@inlined
def _choose(
    table: Rows, ones: np.uint64, twos: np.uint64, fours: np.uint64, eights: np.uint64
) -> np.uint64:
    """Return for each bit the entry of a table of nine at the index of its count, given as four
    binary digits. An entry is all ones or 0.
    """
    low = (table[0] & ~ones) | (table[1] & ones)
    high = (table[2] & ~ones) | (table[3] & ones)
    lower = (low & ~twos) | (high & twos)
    low = (table[4] & ~ones) | (table[5] & ones)
    high = (table[6] & ~ones) | (table[7] & ones)
    upper = (low & ~twos) | (high & twos)
    return np.uint64((((lower & ~fours) | (upper & fours)) & ~eights) | (table[8] & eights))


@kernel
def run_rows(
    rows: Rows, rules: Rows, width: int, steps: int, survival: bool, outside: bool
) -> None:
    """Run each of `(n, height)` packed maps with its rule, in place. `outside` is whether cells
    beyond the border count as filled.
    """
    count, height = rows.shape
    full = (_1 << np.uint64(width - 1)) * np.uint64(2) - _1
    last = np.uint64(width - 1)
    beyond = full if outside else np.uint64(0)
    left_edge = beyond & _1
    right_edge = (beyond & _1) << last
    here = empty(height + 2, np.uint64)
    sums, carries = empty((2, height + 2), np.uint64)
    born, kept = empty((2, 9), np.uint64)
    for level in range(count):
        for k in range(9):
            born[k] = full if (rules[level] >> np.uint64(k)) & _1 else np.uint64(0)
            kept[k] = (
                full if ((rules[level] >> np.uint64(9 + k)) & _1 != _1) ^ survival else np.uint64(0)
            )
        here[0] = here[height + 1] = beyond
        here[1 : height + 1] = rows[level]
        for _ in range(steps):
            # The sum of three adjacent cells of each row, which is used for the row itself and for
            # the rows above and below.
            for i in range(height + 2):
                cell = here[i]
                left, right = (cell << _1) | left_edge, (cell >> _1) | right_edge
                sums[i] = cell ^ left ^ right
                carries[i] = (cell & (left ^ right)) | (left & right)
            out = rows[level]
            for i in range(height):
                y = np.uint64(i)
                cell = here[y + _1]
                left, right = (cell << _1) | left_edge, (cell >> _1) | right_edge
                # above (two digits) + below (two digits) + left + right (one digit each)
                above_1, above_2 = sums[y], carries[y]
                below_1, below_2 = sums[y + np.uint64(2)], carries[y + np.uint64(2)]
                side_1, side_2 = left ^ right, left & right
                ones = above_1 ^ below_1 ^ side_1
                carry = (above_1 & (below_1 ^ side_1)) | (below_1 & side_1)
                twos_a = above_2 ^ below_2 ^ side_2
                carry_a = (above_2 & (below_2 ^ side_2)) | (below_2 & side_2)
                twos = twos_a ^ carry
                carry_b = twos_a & carry
                fours = carry_a ^ carry_b
                eights = carry_a & carry_b
                out[y] = (
                    (~cell & _choose(born, ones, twos, fours, eights))
                    | (cell & _choose(kept, ones, twos, fours, eights))
                ) & full
            here[1 : height + 1] = out


@kernel
def _add_three(before: Rows, cells: Rows, after: Rows, sums: Rows, carries: Rows) -> None:
    """The sum of three adjacent cells of a row of words, as two binary digits. `before` and `after`
    are the words to the left and right.
    """
    for j in range(sums.size):
        cell = cells[j]
        left, right = (cell << _1) | (before[j] >> _63), (cell >> _1) | (after[j] << _63)
        sums[j] = cell ^ left ^ right
        carries[j] = (cell & (left ^ right)) | (left & right)


@kernel
def _next_row(
    lines: tuple[Rows, Rows, Rows],
    above: tuple[Rows, Rows],
    below: tuple[Rows, Rows],
    born: Rows,
    kept: Rows,
    out: Rows,
) -> None:
    """The following states of a row of words: by the row itself, and the sums of the rows above and
    below.
    """
    before, cells, after = lines
    sums_above, carries_above = above
    sums_below, carries_below = below
    b0, b1, b2, b3, b4, b5, b6, b7, b8 = (
        born[0],
        born[1],
        born[2],
        born[3],
        born[4],
        born[5],
        born[6],
        born[7],
        born[8],
    )
    # What a filled cell does differently from a blank one.
    d0, d1, d2 = b0 ^ kept[0], b1 ^ kept[1], b2 ^ kept[2]
    d3, d4, d5 = b3 ^ kept[3], b4 ^ kept[4], b5 ^ kept[5]
    d6, d7, d8 = b6 ^ kept[6], b7 ^ kept[7], b8 ^ kept[8]
    for j in range(out.size):
        cell = cells[j]
        left, right = (cell << _1) | (before[j] >> _63), (cell >> _1) | (after[j] << _63)
        above_1, above_2, below_1, below_2 = (
            sums_above[j],
            carries_above[j],
            sums_below[j],
            carries_below[j],
        )
        side_1, side_2 = left ^ right, left & right
        ones = above_1 ^ below_1 ^ side_1
        carry = (above_1 & (below_1 ^ side_1)) | (below_1 & side_1)
        twos_a = above_2 ^ below_2 ^ side_2
        carry_a = (above_2 & (below_2 ^ side_2)) | (below_2 & side_2)
        twos = twos_a ^ carry
        carry_b = twos_a & carry
        fours, eights = carry_a ^ carry_b, carry_a & carry_b
        f0, f1, f2, f3 = b0 ^ (cell & d0), b1 ^ (cell & d1), b2 ^ (cell & d2), b3 ^ (cell & d3)
        f4, f5, f6, f7 = b4 ^ (cell & d4), b5 ^ (cell & d5), b6 ^ (cell & d6), b7 ^ (cell & d7)
        low = f0 ^ (ones & (f0 ^ f1))
        high = f2 ^ (ones & (f2 ^ f3))
        lower = low ^ (twos & (low ^ high))
        low = f4 ^ (ones & (f4 ^ f5))
        high = f6 ^ (ones & (f6 ^ f7))
        upper = low ^ (twos & (low ^ high))
        few = lower ^ (fours & (lower ^ upper))
        out[j] = few ^ (eights & (few ^ b8 ^ (cell & d8)))


@kernel
def _pack(tiles: NDArray[np.uint8], beyond: np.uint64, stride: int, line: Rows) -> None:
    """A map as a line of words, see `run_tiles`; bits that are no cells are as beyond the
    border.
    """
    height, width = tiles.shape
    for row in range(height):
        for word in range(stride - 1):
            begin = word * WORD
            count = min(WORD, width - begin)
            bits = np.uint64(0)
            for bit in range(count):
                bits |= np.uint64(tiles[row, begin + bit]) << np.uint64(bit)
            if count < WORD:
                bits |= beyond << np.uint64(count)
            line[(row + 1) * stride + 1 + word] = bits


@kernel
def _unpack(line: Rows, stride: int, tiles: NDArray[np.uint8]) -> None:
    height, width = tiles.shape
    for row in range(height):
        for word in range(stride - 1):
            begin = word * WORD
            bits = line[(row + 1) * stride + 1 + word]
            for bit in range(min(WORD, width - begin)):
                tiles[row, begin + bit] = (bits >> np.uint64(bit)) & _1


@kernel
def run_tiles(
    tiles: NDArray[np.uint8], rules: Rows, steps: int, survival: bool, outside: bool
) -> None:
    """`run_rows` for `(n, height, width)` tiles of any width, several words per row.

    The map is one line of words: row after row with a word of cells beyond the border before each,
    and a row of such words above and below. So loops run over several rows at once.
    """
    count, height, width = tiles.shape
    words = -(-width // WORD)
    stride = words + 1
    beyond = ~_0 if outside else _0
    # Bits of the last word that are no cells stay as beyond the border.
    cells_of_last = ~_0 >> np.uint64(words * WORD - width)
    size = (height + 2) * stride + 1
    here, following = full(size, beyond, np.uint64), full(size, beyond, np.uint64)
    rows = min(max(BAND_WORDS // stride, 16), height)
    sums, carries = empty((rows + 2) * stride, np.uint64), empty((rows + 2) * stride, np.uint64)
    born, kept = empty(9, np.uint64), empty(9, np.uint64)
    for level in range(count):
        for k in range(9):
            born[k] = ~_0 if (rules[level] >> np.uint64(k)) & _1 else _0
            kept[k] = ~_0 if ((rules[level] >> np.uint64(9 + k)) & _1 != _1) ^ survival else _0
        _pack(tiles[level], beyond, stride, here)
        for _ in range(steps):
            for top in range(1, height + 1, rows):
                bottom = min(top + rows, height + 1)
                # All words of a band but the margin before the first row; those between rows are
                # computed too, and set right below.
                at = (top - 1) * stride + 1
                size = (bottom - top + 2) * stride - 1
                _add_three(
                    here[at - 1 : at - 1 + size],
                    here[at : at + size],
                    here[at + 1 : at + 1 + size],
                    sums[:size],
                    carries[:size],
                )
                at, last = top * stride + 1, 2 * stride
                size = (bottom - top) * stride - 1
                near = (
                    here[at - 1 : at - 1 + size],
                    here[at : at + size],
                    here[at + 1 : at + 1 + size],
                )
                above, below = (
                    (sums[:size], carries[:size]),
                    (sums[last : last + size], carries[last : last + size]),
                )
                _next_row(near, above, below, born, kept, following[at : at + size])
                for row in range(top, bottom):
                    end = (row + 1) * stride - 1
                    following[row * stride] = beyond
                    following[end] = (following[end] & cells_of_last) | (beyond & ~cells_of_last)
            here, following = following, here
        _unpack(here, stride, tiles[level])
