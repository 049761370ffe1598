"""Two-state cellular automata with the eight nearest neighbours and rules of 9 + 9 bits.

Bit k of the first nine fills a blank cell with k filled neighbours. Bit k of the last nine turns a filled cell blank or, in the alternative
interpretation, keeps it filled. Rules are words of 18 bits. Rows of at most 64 cells are processed as one word, with the neighbours counted by
bitwise adders.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiled import inlined, kernel

Rows = NDArray[np.uint64]
_1 = np.uint64(1)


@inlined
def _choose(table: Rows, ones: np.uint64, twos: np.uint64, fours: np.uint64, eights: np.uint64) -> np.uint64:
    """Return for each bit the entry of a table of nine at the index of its count, given as four binary digits. An entry is all ones or 0."""
    low = (table[0] & ~ones) | (table[1] & ones)
    high = (table[2] & ~ones) | (table[3] & ones)
    lower = (low & ~twos) | (high & twos)
    low = (table[4] & ~ones) | (table[5] & ones)
    high = (table[6] & ~ones) | (table[7] & ones)
    upper = (low & ~twos) | (high & twos)
    return np.uint64((((lower & ~fours) | (upper & fours)) & ~eights) | (table[8] & eights))


@kernel
def run_rows(rows: Rows, rules: Rows, width: int, steps: int, survival: bool, outside: bool) -> None:
    """Run each of `(n, height)` packed maps with its rule, in place. `outside` is whether cells beyond the border count as filled."""
    count, height = rows.shape
    full = (_1 << np.uint64(width - 1)) * np.uint64(2) - _1
    last = np.uint64(width - 1)
    beyond = full if outside else np.uint64(0)
    left_edge = beyond & _1
    right_edge = (beyond & _1) << last
    here = np.empty(height + 2, np.uint64)
    sums, carries = np.empty((2, height + 2), np.uint64)
    born, kept = np.empty((2, 9), np.uint64)
    for level in range(count):
        for k in range(9):
            born[k] = full if (rules[level] >> np.uint64(k)) & _1 else np.uint64(0)
            kept[k] = full if ((rules[level] >> np.uint64(9 + k)) & _1 != _1) ^ survival else np.uint64(0)
        here[0] = here[height + 1] = beyond
        here[1 : height + 1] = rows[level]
        for _ in range(steps):
            # The sum of three adjacent cells of each row, which is used for the row itself and for the rows above and below.
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
                out[y] = ((~cell & _choose(born, ones, twos, fours, eights)) | (cell & _choose(kept, ones, twos, fours, eights))) & full
            here[1 : height + 1] = out


@kernel
def run_tiles(tiles: NDArray[np.uint8], rules: Rows, steps: int, survival: bool, outside: bool) -> None:
    """`run_rows` for `(n, height, width)` tiles of any width, one byte per cell."""
    count, height, width = tiles.shape
    here = np.empty((height + 2, width + 2), np.uint8)
    table = np.empty((2, 9), np.uint8)
    for level in range(count):
        for k in range(9):
            table[0, k] = (rules[level] >> np.uint64(k)) & _1
            table[1, k] = ((rules[level] >> np.uint64(9 + k)) & _1 != _1) ^ survival
        here[:, :] = outside
        for _ in range(steps):
            here[1 : height + 1, 1 : width + 1] = tiles[level]
            for y in range(height):
                for x in range(width):
                    around = 0
                    for dy in range(3):
                        around += here[y + dy, x] + here[y + dy, x + 1] + here[y + dy, x + 2]
                    cell = here[y + 1, x + 1]
                    tiles[level, y, x] = table[cell, around - cell]
