"""Fashion-based cellular automata: every cell takes the state of the best-scoring cell among itself and its neighbours.

A cell's score is the sum of S[own state, neighbour's state]; ties go to the cell itself, then to the neighbours in the order of their
list. Sums are exact, or 64-bit floats added in the order of the neighbourhood, which decides some ties by rounding: the kernels see only ranks
of sums, or scores of either type. Three ways to run it, all with the same result:

- `run_keyed` looks the rank of a score up in a table keyed by the states of a cell and its neighbours. Rank, place in the tie order and state
  share one word, so that the best candidate is simply the largest word.
- `run_summed` adds the scores up, for neighbourhoods too large for a table, and for maps on which the rule changes from place to place.
- `run_planes` is for two states and the four nearest neighbours: 64 cells per word, ranks as four planes of bits. Bit b of word (y, x) is the
  cell in row b * rows + y, so that all four neighbours are whole words: only the first and last row of words are turned by one bit.

Each looks for repeated maps (Brent 1980): at a fixed point or in a cycle the rest of the updates is left out, because their result is known.
A map is run in as many calls as the caller likes: what a call leaves to the next is the map, the `saved` map of the search for repetitions, and its
course, six numbers that `new_courses` gives at the start.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiled import inlined, kernel
from levolve.kernels.streams import TERRAIN, draw, open_stream

Tiles = NDArray[np.uint8]
Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]

Candidate = tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]

PLANES = 4
WORD = 64
# The numbers of a course: an update from which on the map is in its cycle, for a fixed point the first such, and the cycle's length, 0 as long as
# none is found; the update of the saved map, and that at which the next is saved; the updates that are done, and those to do in all.
SINCE, LENGTH, SAVED, NEXT, DONE, TODO = range(6)
_0, _1 = np.uint64(0), np.uint64(1)


@kernel
def start_states(seed: np.uint64, x: np.uint64, y: np.uint64, thresholds: Words, out: Tiles) -> None:
    """The start map's rectangle whose upper left cell is (x, y), into `(height, width)` tiles. A cell is a hash of seed, row and column.

    `thresholds` are the shares of the states added up, as fractions of 2**64: a cell's state is the number of thresholds it does not stay below.
    """
    height, width = out.shape
    for row in range(height):
        stream = open_stream(seed, TERRAIN, y + np.uint64(row), 0)
        for column in range(width):
            number = draw(stream, x + np.uint64(column))
            state = 0
            for threshold in thresholds:
                state += number >= threshold
            out[row, column] = state


@inlined
def _wrap(padded: NDArray[Any], reach: int, height: int, width: int) -> None:
    """Fill the margin of a padded map with what lies on the other side."""
    for row in range(reach, reach + height):
        for column in range(reach):
            padded[row, reach - 1 - column] = padded[row, reach + width - 1 - column % width]
            padded[row, reach + width + column] = padded[row, reach + column % width]
    for row in range(reach):
        padded[reach - 1 - row] = padded[reach + height - 1 - row % height]
        padded[reach + height + row] = padded[reach + row % height]


@inlined
def _same(first: NDArray[Any], second: NDArray[Any]) -> bool:
    """Whether two maps are equal; most that are not differ in the first row."""
    for row in range(first.shape[0]):
        different = False
        for column in range(first.shape[1]):
            different |= first[row, column] != second[row, column]
        if different:
            return False
    return True


@inlined
def _watch(now: NDArray[Any], saved: NDArray[Any], changed: bool, course: Numbers) -> None:
    """Count an update, and look for a repeated map. In a cycle, all whole rounds that are left are taken away from the updates to do."""
    course[DONE] += 1
    update = course[DONE]
    if course[LENGTH] == 0:
        if not changed:
            course[SINCE], course[LENGTH], course[TODO] = update - 1, 1, update
        elif _same(now, saved):
            course[SINCE], course[LENGTH] = course[SAVED], update - course[SAVED]
            course[TODO] = update + (course[TODO] - update) % course[LENGTH]
        elif update == course[NEXT]:
            saved[:] = now
            course[SAVED], course[NEXT] = update, 2 * update


def new_courses(count: int, updates: int) -> Numbers:
    """The courses of `count` maps that are to be updated so many times, `(count, 6)`. The saved map of each is its start map."""
    courses = np.zeros((count, 6), np.int64)
    courses[:, NEXT] = 1
    courses[:, TODO] = updates
    return courses


@kernel
def run_keyed(
    tiles: NDArray[np.uint8],
    offsets: Numbers,
    states: int,
    tables: NDArray[Any],
    state_bits: int,
    torus: bool,
    until: int,
    saved: NDArray[np.uint8],
    courses: Numbers,
) -> None:
    """Run each of `(n, height, width)` maps by its table up to the update `until`, in place. `offsets` are (row, column) steps to the neighbours.

    A table's key has the cell's state as its highest digit and the last neighbour's as its lowest; a cell outside has the state `states`.
    An entry is the rank, at least 1, then room for the tie order, then `state_bits` for the state. `saved` and `courses` belong to the maps; see
    `new_courses`.
    """
    count, height, width = tiles.shape
    near = offsets.shape[0]
    reach = np.abs(offsets).max()
    digits = np.uint32(states if torus else states + 1)
    kind = tables.dtype.type
    padded = np.full((height + 2 * reach, width + 2 * reach), states, np.uint8)
    values = np.zeros((height + 2 * reach, width + 2 * reach), tables.dtype)
    keys = np.empty(width, np.uint32)
    best = np.empty(width, tables.dtype)
    state_mask = kind((1 << state_bits) - 1)
    for level in range(count):
        inside = padded[reach : reach + height, reach : reach + width]
        inside[:] = tiles[level]
        table = tables[level]
        course = courses[level]
        while course[DONE] < course[TODO] and course[DONE] < until:
            if torus:
                _wrap(padded, reach, height, width)
            for row in range(height):
                here = padded[reach + row, reach : reach + width]
                for column in range(width):
                    keys[column] = here[column]
                for k in range(near):
                    left = reach + offsets[k, 1]
                    there = padded[reach + row + offsets[k, 0], left : left + width]
                    for column in range(width):
                        keys[column] = keys[column] * digits + np.uint32(there[column])
                line = values[reach + row, reach : reach + width]
                for column in range(width):
                    line[column] = table[keys[column]]
            if torus:
                _wrap(values, reach, height, width)
            moved = np.uint8(0)
            for row in range(height):
                line = values[reach + row, reach : reach + width]
                turn = kind(near << state_bits)
                for column in range(width):
                    best[column] = line[column] | turn
                for k in range(near):
                    left = reach + offsets[k, 1]
                    other = values[reach + row + offsets[k, 0], left : left + width]
                    turn = kind((near - 1 - k) << state_bits)
                    for column in range(width):
                        best[column] = max(best[column], other[column] | turn)
                here = padded[reach + row, reach : reach + width]
                for column in range(width):
                    chosen = np.uint8(best[column] & state_mask)
                    moved |= here[column] ^ chosen
                    here[column] = chosen
            _watch(inside, saved[level], moved != 0, course)
        tiles[level] = inside


@kernel
def run_summed(
    tiles: Tiles,
    offsets: Numbers,
    scores: NDArray[Any],
    weights: NDArray[Any],
    lowest: Any,  # noqa: ANN401 of the scores' type
    torus: bool,
    until: int,
    saved: Tiles,
    course: Numbers,
) -> None:
    """Run one `(height, width)` map in place up to the update `until` by adding scores up in the order of the neighbourhood.

    `scores` are `(rules, states, states + 1)` int64 or float64, the last column for cells outside; `weights` of the same type are
    `(rules, height, width)`: how much each rule counts at each cell; with one rule they are not used. `lowest` of the same type is below every
    sum. `saved` and `course` belong to the map; see `new_courses`.
    """
    height, width = tiles.shape
    near = offsets.shape[0]
    reach = np.abs(offsets).max()
    rules, states = scores.shape[0], scores.shape[1]
    padded = np.full((height + 2 * reach, width + 2 * reach), states, np.uint8)
    totals = np.full((height + 2 * reach, width + 2 * reach), lowest, scores.dtype)
    mixed, best = np.empty((2, width), scores.dtype)
    inside = padded[reach : reach + height, reach : reach + width]
    inside[:] = tiles
    chosen = np.empty(width, np.uint8)
    following = np.empty((height, width), np.uint8)
    while course[DONE] < course[TODO] and course[DONE] < until:
        if torus:
            _wrap(padded, reach, height, width)
        for row in range(height):
            here = padded[reach + row, reach : reach + width]
            total = totals[reach + row, reach : reach + width]
            total[:] = 0
            for k in range(near):
                left = reach + offsets[k, 1]
                there = padded[reach + row + offsets[k, 0], left : left + width]
                if rules == 1:
                    for column in range(width):
                        total[column] += scores[0, here[column], there[column]]
                else:
                    # The mixed score of this neighbour first: floats are added up neighbour by neighbour.
                    mixed[:] = 0
                    for rule in range(rules):
                        for column in range(width):
                            mixed[column] += weights[rule, row, column] * scores[rule, here[column], there[column]]
                    for column in range(width):
                        total[column] += mixed[column]
        if torus:
            _wrap(totals, reach, height, width)
        for row in range(height):
            best[:] = totals[reach + row, reach : reach + width]
            chosen[:] = padded[reach + row, reach : reach + width]
            for k in range(near):
                left = reach + offsets[k, 1]
                total = totals[reach + row + offsets[k, 0], left : left + width]
                there = padded[reach + row + offsets[k, 0], left : left + width]
                for column in range(width):
                    if total[column] > best[column]:
                        best[column] = total[column]
                        chosen[column] = there[column]
            following[row] = chosen
        changed = not _same(inside, following)
        inside[:] = following
        _watch(inside, saved, changed, course)
    tiles[:] = inside


@kernel
def pack_planes(tiles: Tiles, words: Words) -> None:
    """A map of two states, its height 64 times `rows`, into `(rows, width)` words: bit b of word (y, x) is the cell in row b * rows + y."""
    rows, width = words.shape
    words[:] = _0
    for row in range(rows):
        line = words[row]
        for bit in range(WORD):
            source = tiles[bit * rows + row]
            shift = np.uint64(bit)
            for column in range(width):
                line[column] |= np.uint64(source[column]) << shift


@kernel
def unpack_planes(words: Words, tiles: Tiles) -> None:
    """The map that `pack_planes` packed."""
    rows, width = words.shape
    for row in range(rows):
        line = words[row]
        for bit in range(WORD):
            out = tiles[bit * rows + row]
            shift = np.uint64(bit)
            for column in range(width):
                out[column] = (line[column] >> shift) & _1


@inlined
def _turned(words: Words, row: int, out: Words) -> None:
    """A row of words with one more word at either end, around the torus. The row before the first is the last one, each cell one bit lower."""
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
def _by_pattern(terms: Words, one: np.uint64, two: np.uint64, third: np.uint64, fourth: np.uint64, last: np.uint64) -> np.uint64:
    """A function of the four neighbours as a sum modulo 2: of the first two only their number counts, `one` or `two`; `last` is both others."""
    none = terms[0, 0] ^ (one & terms[0, 1]) ^ (two & terms[0, 2])
    with_third = terms[1, 0] ^ (one & terms[1, 1]) ^ (two & terms[1, 2])
    with_fourth = terms[2, 0] ^ (one & terms[2, 1]) ^ (two & terms[2, 2])
    with_both = terms[3, 0] ^ (one & terms[3, 1]) ^ (two & terms[3, 2])
    return np.uint64(none ^ (third & with_third) ^ (fourth & with_fourth) ^ (last & with_both))


@inlined
def _by_count(terms: Words, ones: np.uint64, twos: np.uint64, threes: np.uint64, fours: np.uint64) -> np.uint64:
    """A function of the number of neighbours in state 1 as a sum modulo 2; `ones` and `twos` are its digits, `threes` is both of them set."""
    return np.uint64(terms[0] ^ (ones & terms[1]) ^ (twos & terms[2]) ^ (threes & terms[3]) ^ (fours & terms[4]))


@inlined
def _rank_row(lines: Words, row: int, offsets: Numbers, counts: Words, patterns: Words, out: Words) -> None:
    """The ranks of a row's cells as planes of bits, by their state and their neighbours. `lines` is a ring of five rows."""
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
            a, b, c, d, state = first[column], second[column], third[column], fourth[column], own[column]
            one, two, last = a ^ b, a & b, c & d
            line[column] = _by_pattern(blank, one, two, c, d, last) ^ (state & _by_pattern(filled, one, two, c, d, last))
    for plane in range(low, PLANES):
        blank, filled = counts[plane, 0], counts[plane, 1]
        line = out[plane, 1:]
        for column in range(width):
            a, b, c, d, state = first[column], second[column], third[column], fourth[column], own[column]
            one, two, other, last = a ^ b, a & b, c ^ d, c & d
            ones = one ^ other
            twos = two ^ last ^ (one & other)
            threes, fours = ones & twos, two & last
            line[column] = _by_count(blank, ones, twos, threes, fours) ^ (state & _by_count(filled, ones, twos, threes, fours))
    for plane in range(PLANES):
        out[plane, 0] = out[plane, width]
        out[plane, width + 1] = out[plane, 1]


@inlined
def _follow(best: Candidate, ranks: Words, states: Words, column: int) -> Candidate:
    """The best candidate so far, or this neighbour where its rank is higher: state and four digits of the rank."""
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
def run_planes(words: Words, offsets: Numbers, counts: Words, patterns: Words, until: int, saved: Words, course: Numbers) -> None:
    """Run one map of two states, packed by `pack_planes`, on a torus, in place up to the update `until`.

    `offsets` are the four neighbours as (row, column) in their order. A cell's rank has four digits, planes 0 to 3, each a function of its state
    and its neighbours as a sum modulo 2 of terms that are all ones or nothing; the terms of state 1 are added to those of state 0. `patterns`
    `(low, 2, 4, 3)` are the functions of the lowest planes, which may depend on which neighbours have state 1; `counts` `(4, 2, 5)` are those of
    the other planes, which depend only on how many have it. `saved`, packed too, and `course` belong to the map; see `new_courses`.
    """
    rows, width = words.shape
    lines = np.empty((5, width + 2), np.uint64)
    ranks = np.empty((3, PLANES, width + 2), np.uint64)
    following = np.empty_like(words)
    while course[DONE] < course[TODO] and course[DONE] < until:
        # Lines row - 2 to row + 2, and the ranks of rows row - 1 to row + 1, go round in rings.
        for row in range(-2, 2):
            _turned(words, row, lines[(row + 5) % 5])
        for row in range(-1, 1):
            _rank_row(lines, row + 5, offsets, counts, patterns, ranks[(row + 3) % 3])
        for row in range(rows):
            _turned(words, row + 2, lines[(row + 2) % 5])
            _rank_row(lines, row + 6, offsets, counts, patterns, ranks[(row + 1) % 3])
            out = following[row]
            own, mine = lines[row % 5][1:], ranks[row % 3][:, 1:]
            s0, r0 = lines[(row + offsets[0, 0]) % 5][1 + offsets[0, 1] :], ranks[(row + offsets[0, 0]) % 3][:, 1 + offsets[0, 1] :]
            s1, r1 = lines[(row + offsets[1, 0]) % 5][1 + offsets[1, 1] :], ranks[(row + offsets[1, 0]) % 3][:, 1 + offsets[1, 1] :]
            s2, r2 = lines[(row + offsets[2, 0]) % 5][1 + offsets[2, 1] :], ranks[(row + offsets[2, 0]) % 3][:, 1 + offsets[2, 1] :]
            s3, r3 = lines[(row + offsets[3, 0]) % 5][1 + offsets[3, 1] :], ranks[(row + offsets[3, 0]) % 3][:, 1 + offsets[3, 1] :]
            for column in range(width):
                best = own[column], mine[3, column], mine[2, column], mine[1, column], mine[0, column]
                best = _follow(best, r0, s0, column)
                best = _follow(best, r1, s1, column)
                best = _follow(best, r2, s2, column)
                best = _follow(best, r3, s3, column)
                out[column] = best[0]
        changed = not _same(words, following)
        words[:] = following
        _watch(words, saved, changed, course)


@kernel
def smooth(tiles: Tiles, states: int, torus: bool, out: Tiles) -> None:
    """The majority filter: a cell takes the state that more than four of the nine cells around and on it have, where there is one."""
    height, width = tiles.shape
    counts = np.zeros(states, np.int64)
    for row in range(height):
        for column in range(width):
            counts[:] = 0
            for dy in range(-1, 2):
                for dx in range(-1, 2):
                    y, x = row + dy, column + dx
                    if torus:
                        counts[tiles[y % height, x % width]] += 1
                    elif 0 <= y < height and 0 <= x < width:
                        counts[tiles[y, x]] += 1
            chosen = tiles[row, column]
            for state in range(states):
                if counts[state] > 4:  # noqa: PLR2004 the majority of nine
                    chosen = state
            out[row, column] = chosen


@kernel
def most_common(tiles: Tiles, states: int, scale: int, out: Tiles) -> None:
    """The most common state of each `scale` x `scale` block, the lowest of several."""
    height, width = out.shape
    counts = np.zeros(states, np.int64)
    for row in range(height):
        for column in range(width):
            counts[:] = 0
            for y in range(row * scale, (row + 1) * scale):
                for x in range(column * scale, (column + 1) * scale):
                    counts[tiles[y, x]] += 1
            best = 0
            for state in range(1, states):
                if counts[state] > counts[best]:
                    best = state
            out[row, column] = best


@kernel
def pour(tiles: Tiles, x: int, y: int, state: int) -> int:
    """Turn the region of equal cells around (x, y) into another state, in place, as a paint bucket does. Gives how many cells it had."""
    height, width = tiles.shape
    old = tiles[y, x]
    if old == state:
        return 0
    queue = np.empty(height * width, np.int64)
    queue[0] = y * width + x
    tiles[y, x] = state
    head, tail = 0, 1
    while head < tail:
        row, column = queue[head] // width, queue[head] % width
        head += 1
        for dy, dx in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            v, u = row + dy, column + dx
            if 0 <= v < height and 0 <= u < width and tiles[v, u] == old:
                tiles[v, u] = state
                queue[tail] = v * width + u
                tail += 1
    return tail
