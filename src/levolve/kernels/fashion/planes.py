"""Fashion of two states and the four nearest neighbours on a torus, 64 cells per word, ranks of
scores as four planes of bits.

Bit b of word (y, x) is the cell in row b * rows + y, so that all four neighbours are whole words:
only the first and last row of words are turned by one bit.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty
from levolve.kernels.compiler import inlined, kernel
from levolve.kernels.fashion.starts import DONE, TODO, Numbers, same, watch

Tiles = NDArray[np.uint8]
Words = NDArray[np.uint64]
Candidate = tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]

PLANES = 4
WORD = 64
_0, _1 = np.uint64(0), np.uint64(1)


@kernel
def pack_planes(tiles: Tiles, words: Words, first: int, last: int) -> None:
    """A map of two states, its height 64 times `rows`, into `(rows, width)` words: bit b of word
    (y, x) is the cell in row b * rows + y.

    Only the rows of words from `first` to before `last` are written, so that threads can share the
    work.
    """
    rows, width = words.shape
    for row in range(first, last):
        line = words[row]
        for column in range(width):
            line[column] = _0
        for bit in range(WORD):
            source = tiles[bit * rows + row]
            shift = np.uint64(bit)
            for column in range(width):
                line[column] |= np.uint64(source[column]) << shift


@kernel
def unpack_planes(words: Words, tiles: Tiles, first: int, last: int) -> None:
    """The map that `pack_planes` packed, of the rows of words from `first` to before `last`."""
    rows, width = words.shape
    for row in range(first, last):
        line = words[row]
        for bit in range(WORD):
            out = tiles[bit * rows + row]
            shift = np.uint64(bit)
            for column in range(width):
                out[column] = (line[column] >> shift) & _1


@inlined
def _turned(words: Words, row: int, out: Words) -> None:
    """A row of words with one more word at either end, around the torus. The row before the first
    is the last one, each cell one bit lower.
    """
    rows, width = words.shape
    turns = row // rows
    line = words[row - turns * rows]
    if turns == 0:
        for column in range(width):
            out[column + 1] = line[column]
    else:
        down, up = np.uint64(-turns & 63), np.uint64(turns & 63)
        for column in range(width):
            out[column + 1] = (line[column] << down) | (line[column] >> up)
    out[0] = out[width]
    out[width + 1] = out[1]


@inlined
def _by_pattern(
    terms: Words,
    one: np.uint64,
    two: np.uint64,
    third: np.uint64,
    fourth: np.uint64,
    last: np.uint64,
) -> np.uint64:
    """A function of the four neighbours as a sum modulo 2: of the first two only their number
    counts, `one` or `two`; `last` is both others.
    """
    none = terms[0, 0] ^ (one & terms[0, 1]) ^ (two & terms[0, 2])
    with_third = terms[1, 0] ^ (one & terms[1, 1]) ^ (two & terms[1, 2])
    with_fourth = terms[2, 0] ^ (one & terms[2, 1]) ^ (two & terms[2, 2])
    with_both = terms[3, 0] ^ (one & terms[3, 1]) ^ (two & terms[3, 2])
    return np.uint64(none ^ (third & with_third) ^ (fourth & with_fourth) ^ (last & with_both))


@inlined
def _by_count(
    terms: Words, ones: np.uint64, twos: np.uint64, threes: np.uint64, fours: np.uint64
) -> np.uint64:
    """A function of the number of neighbours in state 1 as a sum modulo 2; `ones` and `twos` are
    its digits, `threes` is both of them set.
    """
    return np.uint64(
        terms[0] ^ (ones & terms[1]) ^ (twos & terms[2]) ^ (threes & terms[3]) ^ (fours & terms[4])
    )


@inlined
def _rank_row(
    lines: Words, row: int, offsets: Numbers, counts: Words, patterns: Words, out: Words
) -> None:
    """The ranks of a row's cells as planes of bits, by their state and their neighbours. `lines` is
    a ring of five rows.
    """
    width = lines.shape[1] - 2
    first = lines[(row + offsets[0, 0]) % 5][1 + offsets[0, 1] :]
    second = lines[(row + offsets[1, 0]) % 5][1 + offsets[1, 1] :]
    third = lines[(row + offsets[2, 0]) % 5][1 + offsets[2, 1] :]
    fourth = lines[(row + offsets[3, 0]) % 5][1 + offsets[3, 1] :]
    own = lines[row % 5][1:]
    # A loop of its own for every plane: only then does it go several words at a time.
    low = patterns.shape[0]
    for plane in range(low):
        blank, filled = patterns[plane, 0], patterns[plane, 1]
        line = out[plane, 1:]
        for column in range(width):
            a, b, c, d, state = (
                first[column],
                second[column],
                third[column],
                fourth[column],
                own[column],
            )
            one, two, last = a ^ b, a & b, c & d
            line[column] = _by_pattern(blank, one, two, c, d, last) ^ (
                state & _by_pattern(filled, one, two, c, d, last)
            )
    for plane in range(low, PLANES):
        blank, filled = counts[plane, 0], counts[plane, 1]
        line = out[plane, 1:]
        for column in range(width):
            a, b, c, d, state = (
                first[column],
                second[column],
                third[column],
                fourth[column],
                own[column],
            )
            one, two, other, last = a ^ b, a & b, c ^ d, c & d
            ones = one ^ other
            twos = two ^ last ^ (one & other)
            threes, fours = ones & twos, two & last
            line[column] = _by_count(blank, ones, twos, threes, fours) ^ (
                state & _by_count(filled, ones, twos, threes, fours)
            )
    for plane in range(PLANES):
        out[plane, 0] = out[plane, width]
        out[plane, width + 1] = out[plane, 1]


@inlined
def _follow(best: Candidate, ranks: Words, states: Words, column: int) -> Candidate:
    """The best candidate so far, or this neighbour where its rank is higher: state and four digits
    of the rank.
    """
    state, high, third, second, low = best
    a, b, c, d = ranks[3, column], ranks[2, column], ranks[1, column], ranks[0, column]
    higher = (d & ~low) & ~(c ^ second) | (c & ~second)
    higher = (higher & ~(b ^ third)) | (b & ~third)
    higher = (higher & ~(a ^ high)) | (a & ~high)
    return (
        state ^ ((state ^ states[column]) & higher),
        high ^ ((high ^ a) & higher),
        third ^ ((third ^ b) & higher),
        second ^ ((second ^ c) & higher),
        low ^ ((low ^ d) & higher),
    )


@kernel
def update_planes(
    words: Words,
    following: Words,
    first: int,
    last: int,
    offsets: Numbers,
    counts: Words,
    patterns: Words,
) -> None:
    """One update of the rows of words from `first` to before `last` of a packed map on a torus,
    into another. See `run_planes`.
    """
    width = words.shape[1]
    lines = empty((5, width + 2), np.uint64)
    ranks = empty((3, PLANES, width + 2), np.uint64)
    # Lines row - 2 to row + 2, and the ranks of rows row - 1 to row + 1, go round in rings. Both
    # begin at 5 * 3 rows, so that no index is negative.
    shift = 15 - first % 15
    for row in range(first - 2, first + 2):
        _turned(words, row, lines[(row + shift) % 5])
    for row in range(first - 1, first + 1):
        _rank_row(lines, row + shift, offsets, counts, patterns, ranks[(row + shift) % 3])
    for row in range(first, last):
        at = row + shift
        _turned(words, row + 2, lines[(at + 2) % 5])
        _rank_row(lines, at + 1, offsets, counts, patterns, ranks[(at + 1) % 3])
        out = following[row]
        own, mine = lines[at % 5][1:], ranks[at % 3][:, 1:]
        s0, r0 = (
            lines[(at + offsets[0, 0]) % 5][1 + offsets[0, 1] :],
            ranks[(at + offsets[0, 0]) % 3][:, 1 + offsets[0, 1] :],
        )
        s1, r1 = (
            lines[(at + offsets[1, 0]) % 5][1 + offsets[1, 1] :],
            ranks[(at + offsets[1, 0]) % 3][:, 1 + offsets[1, 1] :],
        )
        s2, r2 = (
            lines[(at + offsets[2, 0]) % 5][1 + offsets[2, 1] :],
            ranks[(at + offsets[2, 0]) % 3][:, 1 + offsets[2, 1] :],
        )
        s3, r3 = (
            lines[(at + offsets[3, 0]) % 5][1 + offsets[3, 1] :],
            ranks[(at + offsets[3, 0]) % 3][:, 1 + offsets[3, 1] :],
        )
        for column in range(width):
            best = own[column], mine[3, column], mine[2, column], mine[1, column], mine[0, column]
            best = _follow(best, r0, s0, column)
            best = _follow(best, r1, s1, column)
            best = _follow(best, r2, s2, column)
            best = _follow(best, r3, s3, column)
            out[column] = best[0]


@kernel
def run_planes(
    words: Words,
    offsets: Numbers,
    counts: Words,
    patterns: Words,
    until: int,
    saved: Words,
    course: Numbers,
) -> None:
    """Run one map of two states, packed by `pack_planes`, on a torus, in place up to the update
    `until`.

    `offsets` are the four neighbours as (row, column) in their order. A cell's rank has four
    digits, planes 0 to 3, each a function of its state and its neighbours as a sum modulo 2 of
    terms that are all ones or nothing; the terms of state 1 are added to those of state 0.
    `patterns` `(low, 2, 4, 3)` are the functions of the lowest planes, which may depend on which
    neighbours have state 1; `counts` `(4, 2, 5)` are those of the other planes, which depend only
    on how many have it. `saved`, packed too, and `course` belong to the map; see `courses`.
    """
    rows, width = words.shape
    following = np.empty_like(words)
    while course[DONE] < course[TODO] and course[DONE] < until:
        update_planes(words, following, 0, rows, offsets, counts, patterns)
        changed = not same(words, following)
        for row in range(rows):
            for column in range(width):
                words[row, column] = following[row, column]
        watch(words, saved, changed, course)
