"""Fashion by adding up scores, neighbour by neighbour: for sums of floats that no table holds, and
for exact sums of more than 63 bits.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty, full
from levolve.kernels.compiler import inlined, kernel
from levolve.kernels.fashion.starts import DONE, TODO, Numbers, same, watch

Tiles = NDArray[np.uint8]


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


@kernel
def run_summed(
    tiles: Tiles,
    offsets: Numbers,
    scores: NDArray[Any],
    weights: NDArray[Any],
    lowest: Any,
    torus: bool,
    until: int,
    saved: Tiles,
    course: Numbers,
) -> None:
    """Run one `(height, width)` map in place up to the update `until` by adding scores up in the
    order of the neighbourhood.

    `scores` are `(rules, states, states + 1)` int64 or float64, the last column for cells outside;
    `weights` of the same type are `(rules, height, width)`: how much each rule counts at each cell;
    with one rule they are not used. `lowest` of the same type is below every sum. `saved` and
    `course` belong to the map; see `new_courses`.
    """
    height, width = tiles.shape
    near = offsets.shape[0]
    reach = np.abs(offsets).max()
    rules, states = scores.shape[0], scores.shape[1]
    padded = full((height + 2 * reach, width + 2 * reach), states, np.uint8)
    totals = full((height + 2 * reach, width + 2 * reach), lowest, scores.dtype)
    mixed, best = empty(width, scores.dtype), empty(width, scores.dtype)
    inside = padded[reach : reach + height, reach : reach + width]
    inside[:] = tiles
    chosen = empty(width, np.uint8)
    following = empty((height, width), np.uint8)
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
                    # The mixed score of this neighbour first: floats are added up neighbour by
                    # neighbour.
                    mixed[:] = 0
                    for rule in range(rules):
                        for column in range(width):
                            mixed[column] += (
                                weights[rule, row, column]
                                * scores[rule, here[column], there[column]]
                            )
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
        changed = not same(inside, following)
        inside[:] = following
        watch(inside, saved, changed, course)
    tiles[:] = inside
