"""Features of flooded levels: culs-de-sac, junctions, and reconvergences."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiler import kernel, level_kernel
from levolve.kernels.memory import empty

_1 = np.uint64(1)


@level_kernel
def count_ends(
    tiles: NDArray[np.uint8],
    allowed: NDArray[np.uint8],
    distance: NDArray[np.int32],
    ends: NDArray[np.int64],
    lengths: NDArray[np.int64],
    junctions: NDArray[np.int64],
) -> None:
    """Compute for each level the number of culs-de-sac, the sum of their |x|, and the number of cells with three or more legal steps.

    A reachable cell x is a cul-de-sac if no neighbour y one step away is farther: |x| >= |y|.
    """
    count, height, width = tiles.shape
    for level in range(count):
        found = total = crossings = 0
        for y in range(height):
            for x in range(width):
                here = distance[level, y, x]
                if here < 0:
                    continue
                ways = 0
                farthest = True
                for move in range(4):
                    to_x = x + (move == 3) - (move == 2)  # noqa: PLR2004 the move's number
                    to_y = y + (move == 1) - (move == 0)
                    if to_x < 0 or to_y < 0 or to_x >= width or to_y >= height:
                        continue
                    if allowed[tiles[level, y, x], tiles[level, to_y, to_x]]:
                        ways += 1
                        farthest &= distance[level, to_y, to_x] <= here
                if farthest:
                    found += 1
                    total += here
                crossings += ways >= 3  # noqa: PLR2004 a fork
        ends[level], lengths[level], junctions[level] = found, total, crossings


@kernel
def sum_reconvergences(
    distance: NDArray[np.int32], members: NDArray[np.uint64], checkpoints: int, sums: NDArray[np.int64], isolated: NDArray[np.int64]
) -> None:
    """Compute for each level the sums of prc(Ci, Cj) and of iprc(Ci, Cj) over all pairs of checkpoints.

    prc is the smallest |x| of the cells with both as members, 0 if there is none; iprc is prc if one of the cells at exactly that distance
    has no other member, else 0.
    """
    count, height, width = distance.shape
    nearest = empty((checkpoints, checkpoints), np.int64)
    alone = empty((checkpoints, checkpoints), np.uint8)
    for level in range(count):
        nearest[:, :] = -1
        alone[:, :] = 0
        for y in range(height):
            for x in range(width):
                both = members[level, y, x]
                if both & (both - _1) == np.uint64(0):
                    continue
                here = distance[level, y, x]
                for i in range(checkpoints):
                    if not (both >> np.uint64(i)) & _1:
                        continue
                    rest = both ^ (_1 << np.uint64(i))
                    only_one_more = rest & (rest - _1) == np.uint64(0)
                    for j in range(i + 1, checkpoints):
                        if not (both >> np.uint64(j)) & _1:
                            continue
                        if nearest[i, j] < 0 or here < nearest[i, j]:
                            nearest[i, j] = here
                            alone[i, j] = only_one_more
                        elif here == nearest[i, j]:
                            alone[i, j] |= only_one_more
        total = lonely = np.int64(0)
        for i in range(checkpoints):
            for j in range(i + 1, checkpoints):
                if nearest[i, j] > 0:
                    total += nearest[i, j]
                    if alone[i, j]:
                        lonely += nearest[i, j]
        sums[level], isolated[level] = total, lonely
