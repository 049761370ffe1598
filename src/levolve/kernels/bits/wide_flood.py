"""Levels wider than 64 columns as rows of bits: each row starts a new word of `(n, height * words)`
packed rows; a set bit is a wall.

Of two cells, let the second be right of and below the first, or turn the level so that it is. A
walk between them has as many steps right and down, less those left and up, as the cells are columns
and rows apart. So its length is this distance and twice the number of steps *back*: left or up. A
shortest walk has the fewest of them, and the search needs one round per step back, instead of one
per step. A round adds all cells that one more step back reaches, and from there any number of steps
right and down. Steps right are an addition: it carries through a run of open cells, from the first
one that is reached on, and leaves zeros.

    open      ..######.####      the lowest bit is on the left
    reached   ....#.#......
    sum       ..##..#.#####      open + reached
    result    ....####.....      reached | (~sum & open)

Round 0 computes every word once. In levels with few walls it is often the only one. Later rounds
compute words with new cells only, from a list, so that a search takes time in proportion to the
cells, however long the path is. Populations of levels with few rounds are flooded by `wide_lanes`.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty, zeros
from levolve.kernels.bits.vectors import LANES
from levolve.kernels.bits.wide_vectors import UNKNOWN, flood_together
from levolve.kernels.bits.words import bit_count
from levolve.kernels.compiler import kernel

Rows = NDArray[np.uint64]
Steps = NDArray[np.int32]
Words = NDArray[np.uint32]
WORD = 64
# Before the later rounds, the region of the exit is filled with one in so many words of the level:
# it is often small if there is no path.
POCKET = 8
# From so many steps back on, and up to so many, several levels are flooded side by side.
LEAST_ROUNDS, MOST_ROUNDS = 8, 200
# The rows of a band: a level of 1024 columns needs 544 bytes for each.
BAND = 32
# A board has four words for each word of a level: the open cells that are not reached, the cells
# that wait for this round, or for the next one (these two change places), and the cells of round 0.
# The last are later replaced by the cells that the fill of a region has not reached.
_0, _1, _2, _4, _8, _16, _32, LAST = map(np.uint64, (0, 1, 2, 4, 8, 16, 32, WORD - 1))
SLOTS, BEYOND = np.uint64(4), np.uint64(3)
ALL_ONES = np.uint64(0xFFFFFFFFFFFFFFFF)


@kernel
def _sweep(
    walls: Rows, height: int, width: int, flipped: bool, start_x: int, start_y: int, board: Rows
) -> None:
    """Round 0: enter one level's `(height * words,)` rows into the board, upside down if `flipped`,
    and reach what needs no step back.
    """
    packed = (width + WORD - 1) // WORD
    words = width // WORD + 1
    stride = np.uint64(words) * SLOTS
    first, row = ((height - 1) * packed, -packed) if flipped else (0, packed)
    last = ALL_ONES >> np.uint64(packed * WORD - width)
    for y in range(start_y):
        for j in range(packed):
            cell = np.uint64((y + 1) * words + j) * SLOTS
            board[cell] = ~walls[np.uint64(first + y * row + j)] & (
                last if j == packed - 1 else ALL_ONES
            )
            board[cell + BEYOND] = _0
    # The start is entered from above.
    entrance = np.uint64(start_y * words + start_x // WORD) * SLOTS + BEYOND
    board[entrance] = _1 << np.uint64(start_x % WORD)
    # Down one column of words after the other, where a word waits for nothing but the one above; in
    # bands that fit into the processor's cache.
    for top in range(start_y, height, BAND):
        for j in range(packed):
            columns = last if j == packed - 1 else ALL_ONES
            cell = np.uint64((top + 1) * words + j) * SLOTS
            at = first + top * row + j
            reached = board[cell - stride + BEYOND]
            for _ in range(top, min(top + BAND, height)):
                open_cells = ~walls[np.uint64(at)] & columns
                at += row
                # From above, and from the last column of the word on the left.
                seeds = (reached & open_cells) | (
                    (board[cell - SLOTS + BEYOND] >> LAST) & open_cells
                )
                reached = seeds | (~(seeds + open_cells) & open_cells)
                board[cell] = open_cells ^ reached
                board[cell + BEYOND] = reached
                cell += stride
    board[entrance] = _0


@kernel
def _steps_back(
    board: Rows, stride: np.uint64, lists: Words, goal_word: np.uint64, goal: np.uint64
) -> int:
    """Return the fewest steps back of a walk to the bit `goal` of a word, which round 0 has not
    reached; -1 without a walk.

    Words are listed once, when the first cell of them waits. The order within a round does not
    matter.
    """
    size = np.uint64(board.size)
    half = np.uint64(lists.size) // _2
    # The slots and the lists of this round and of the next.
    now, later, now_list, later_list = _2, _1, half, _0
    count = _0
    word = stride
    while word < size - stride:
        free = board[word]
        # The cells left of and above those of round 0.
        waiting = (
            (board[word + BEYOND] >> _1)
            | (board[word + SLOTS + BEYOND] << LAST)
            | board[word + stride + BEYOND]
        ) & free
        board[word + later] = waiting
        board[word + BEYOND] = free
        lists[count] = word
        count += np.uint64(waiting != _0)
        word += SLOTS
    if _fill(board, stride, lists, goal_word, goal, board.size // (int(SLOTS) * POCKET)) >= 0:
        _forget(board, lists, later_list, count, later)
        return -1
    rounds = 0
    while count > _0 and board[goal_word] & goal:
        rounds += 1
        now, later = later, now
        now_list, later_list = later_list, now_list
        top, end = now_list + count, later_list
        while top > now_list:
            top -= _1
            word = np.uint64(lists[top])
            free = board[word]
            seeds = board[word + now] & free
            board[word + now] = _0
            new = seeds | (~(seeds + free) & free)
            free ^= new
            board[word] = free
            # Steps into the neighbouring words are rare enough for a branch.
            beside = word + SLOTS
            cells = (new >> LAST) & board[beside]
            if cells:
                before = board[beside + now]
                board[beside + now] = before | cells
                lists[top] = beside
                top += np.uint64(before == _0)
            beside = word - SLOTS
            cells = (new << LAST) & board[beside]
            if cells:
                before = board[beside + later]
                board[beside + later] = before | cells
                lists[end] = beside
                end += np.uint64(before == _0)
            # The others are listed without one: stored first, and the list grows by the condition.
            below = word + stride
            cells = new & board[below]
            before = board[below + now]
            board[below + now] = before | cells
            lists[top] = below
            top += np.uint64((cells != _0) & (before == _0))
            cells = (new >> _1) & free
            before = board[word + later]
            board[word + later] = before | cells
            lists[end] = word
            end += np.uint64((cells != _0) & (before == _0))
            above = word - stride
            cells = new & board[above]
            before = board[above + later]
            board[above + later] = before | cells
            lists[end] = above
            end += np.uint64((cells != _0) & (before == _0))
        count = end - later_list
    _forget(board, lists, later_list, count, later)
    return -1 if board[goal_word] & goal else rounds


@kernel
def _forget(board: Rows, lists: Words, first: np.uint64, count: np.uint64, slot: np.uint64) -> None:
    """Clear the cells that wait in a slot of the listed words."""
    for i in range(count):
        board[np.uint64(lists[first + np.uint64(i)]) + slot] = _0


@kernel
def _fill(
    board: Rows, stride: np.uint64, lists: Words, word: np.uint64, bits: np.uint64, most: int
) -> np.int64:
    """Return the number of cells in the region of `bits` of a word, among the cells of the slot
    `BEYOND`.

    -1 if it takes more than `most` words, or if the region contains a cell that waits in slot 1.
    Uses slot 2 and the upper half of the list.
    """
    first = np.uint64(lists.size) // _2
    top = first + _1
    lists[first] = word
    board[word + _2] = bits
    area = connected = _0
    computed = 0
    while top > first and computed < most and connected == _0:
        computed += 1
        top -= _1
        word = np.uint64(lists[top])
        free = board[word + BEYOND]
        seeds = board[word + _2] & free
        board[word + _2] = _0
        new = seeds | (~(seeds + free) & free)
        # The same to the left, where nothing carries: by 1, 2, 4, 8, 16 and 32 columns. `runs` are
        # the cells with as many open ones after them.
        runs = free
        new |= (new >> _1) & runs
        runs &= runs >> _1
        new |= (new >> _2) & runs
        runs &= runs >> _2
        new |= (new >> _4) & runs
        runs &= runs >> _4
        new |= (new >> _8) & runs
        runs &= runs >> _8
        new |= (new >> _16) & runs
        runs &= runs >> _16
        new |= (new >> _32) & runs
        board[word + BEYOND] = free ^ new
        area += bit_count(new)
        connected |= new & board[word + _1]
        for near, cells in (
            (word + SLOTS, new >> LAST),
            (word - SLOTS, new << LAST),
            (word + stride, new),
            (word - stride, new),
        ):
            waiting = cells & board[near + BEYOND]
            before = board[near + _2]
            board[near + _2] = before | waiting
            lists[top] = near
            top += np.uint64((waiting != _0) & (before == _0))
    undecided = top > first or connected != _0
    _forget(board, lists, first, top - first, _2)
    return np.int64(-1) if undecided else np.int64(area)


@kernel
def exit_steps_wide(
    rows: Rows,
    width: int,
    start_x: int,
    start_y: int,
    exit_x: int,
    exit_y: int,
    steps: Steps,
    reached: Steps | None,
) -> None:
    """`boards.exit_steps` for `(n, height * words)` packed levels of more than 64 columns."""
    count = rows.shape[0]
    height = rows.shape[1] // ((width + WORD - 1) // WORD)
    # The last column of the words of a row is never used, so that no step leads to the next row.
    words = width // WORD + 1
    stride = np.uint64(words) * SLOTS
    board = zeros((height + 2) * words * int(SLOTS), np.uint64)
    lists = empty(2 * ((height + 2) * words + 1), np.uint32)
    # A walk back has the same length.
    swapped = exit_x < start_x
    from_x, from_y, to_x, to_y = (
        (exit_x, exit_y, start_x, start_y) if swapped else (start_x, start_y, exit_x, exit_y)
    )
    flipped = to_y < from_y
    if flipped:
        from_y, to_y = height - 1 - from_y, height - 1 - to_y
    apart = to_x - from_x + to_y - from_y
    goal_word = np.uint64((to_y + 1) * words + to_x // WORD) * SLOTS
    goal = _1 << np.uint64(to_x % WORD)
    for level in range(count):
        steps[level] = UNKNOWN
    alone = True
    for level in range(count):
        if steps[level] != UNKNOWN:
            continue
        _sweep(rows[level], height, width, flipped, from_x, from_y, board)
        back = -1
        if board[goal_word + BEYOND] & goal:
            back = 0
        elif board[goal_word] & goal:
            back = _steps_back(board, stride, lists, goal_word, goal)
        steps[level] = apart + 2 * back if back >= 0 else -1
        if alone and back >= LEAST_ROUNDS:
            # The levels of a population are alike: the first one that needs several rounds shows
            # how many.
            alone = False
            if back <= MOST_ROUNDS and count - level > LANES:
                flood_together(
                    rows,
                    width,
                    flipped,
                    from_x,
                    from_y,
                    to_x,
                    to_y,
                    level + 1,
                    2 * back + LEAST_ROUNDS,
                    steps,
                )
    if reached is None:
        return
    start = np.uint64((start_y + 1) * words + start_x // WORD) * SLOTS
    for level in range(count):
        if steps[level] < 0:
            _sweep(rows[level], height, width, False, 0, height, board)
            for word in range(0, board.size, int(SLOTS)):
                board[word + int(BEYOND)] = board[word]
            reached[level] = _fill(
                board, stride, lists, start, _1 << np.uint64(start_x % WORD), board.size * WORD
            )
