"""Start maps: a cell is a hash of the seed and of where it is.

The course of a map: how many updates are done, and whether the map repeats an earlier one (Brent
1980).

At a fixed point or in a cycle the other updates are left out, because their result is known. A map
is run in as many calls as the caller likes: a call leaves to the next the map, the `saved` map of
the search for repetitions, and its course, six numbers that `new_courses` gives at the start.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty
from levolve.kernels.bits.random_streams import mix, open_stream
from levolve.kernels.compiler import inlined, kernel

Tiles = NDArray[np.uint8]
Words = NDArray[np.uint64]


# Numbers per pass: drawn first, then compared, so that each loop is simple.
CHUNK = 1024


@kernel
def _draw_numbers(start: np.uint64, step: np.uint64, begin: np.uint64, numbers: Words) -> None:
    """The numbers of a stream from index `begin` on: those of `streams.draw`, written as a loop
    without a call.
    """
    at = start + (begin + np.uint64(1)) * step
    for j in range(numbers.size):
        numbers[j] = mix(at + np.uint64(j) * step)


@kernel
def _count_passed(numbers: Words, threshold: np.uint64, out: Tiles) -> None:
    for j in range(numbers.size):
        out[j] += np.uint8(numbers[j] >= threshold)


@kernel
def start_states(
    seed: np.uint64, purpose: int, x: np.uint64, y: np.uint64, thresholds: Words, out: Tiles
) -> None:
    """The start map's rectangle whose upper left cell is (x, y), into `(height, width)` tiles. A
    cell is a hash of seed, purpose, row and column.

    `thresholds` are the shares of the states added up, as fractions of 2**64: a cell's state is the
    number of thresholds it does not stay below.
    """
    height, width = out.shape
    numbers = empty(CHUNK, np.uint64)
    for row in range(height):
        start, step = open_stream(seed, purpose, y + np.uint64(row), 0)
        for left in range(0, width, CHUNK):
            size = min(CHUNK, width - left)
            line = out[row, left : left + size]
            for j in range(size):
                line[j] = 0
            _draw_numbers(start, step, x + np.uint64(left), numbers[:size])
            for threshold in thresholds:
                _count_passed(numbers[:size], threshold, line)


Numbers = NDArray[np.int64]

# The numbers of a course: an update from which on the map is in its cycle, for a fixed point the
# first such, and the cycle's length, 0 as long as none is found; the update of the saved map, and
# that at which the next is saved; the updates that are done, and those to do in all.
SINCE, LENGTH, SAVED, NEXT, DONE, TODO = range(6)


def new_courses(count: int, updates: int) -> Numbers:
    """The courses of `count` maps that are to be updated so many times, `(count, 6)`. The saved map
    of each is its start map.
    """
    courses = np.zeros((count, 6), np.int64)
    courses[:, NEXT] = 1
    courses[:, TODO] = updates
    return courses


@inlined
def same(first: NDArray[Any], second: NDArray[Any]) -> bool:
    """Whether two maps are equal; most that are not differ in the first row."""
    for row in range(first.shape[0]):
        different = False
        for column in range(first.shape[1]):
            different |= first[row, column] != second[row, column]
        if different:
            return False
    return True


@inlined
def count_update(now: NDArray[Any], saved: NDArray[Any], changed: bool, course: Numbers) -> bool:
    """Count an update, look for a repeated map, and return whether this one is to be saved.

    In a cycle, all whole rounds that are left are taken away from the updates to do.
    """
    course[DONE] += 1
    update = course[DONE]
    if course[LENGTH] == 0:
        if not changed:
            course[SINCE], course[LENGTH], course[TODO] = update - 1, 1, update
        elif same(now, saved):
            course[SINCE], course[LENGTH] = course[SAVED], update - course[SAVED]
            course[TODO] = update + (course[TODO] - update) % course[LENGTH]
        elif update == course[NEXT]:
            course[SAVED], course[NEXT] = update, 2 * update
            return True
    return False


@inlined
def watch(now: NDArray[Any], saved: NDArray[Any], changed: bool, course: Numbers) -> None:
    """`count_update`, and save the map if it is due."""
    if count_update(now, saved, changed, course):
        for row in range(now.shape[0]):
            for column in range(now.shape[1]):
                saved[row, column] = now[row, column]


@kernel
def follow_course(
    now: NDArray[Any], following: NDArray[Any], saved: NDArray[Any], course: Numbers
) -> bool:
    """`count_update` from one map to the following, both `(height, width)`. The caller saves the
    following one if that is due.
    """
    return count_update(following, saved, not same(now, following), course)
