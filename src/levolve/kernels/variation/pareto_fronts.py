"""Several objectives at once: constrained domination, ranks of fronts, and crowding distances
(NSGA-II, Deb et al. 2002).

Every column of `values` is maximised. Sorted orders come from NumPy, because a sort inside a kernel
would take longer to compile than the rest.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty, full
from levolve.kernels.compiler import kernel


@kernel
def front_ranks(
    values: NDArray[np.float64],
    violations: NDArray[np.float64],
    order: NDArray[np.int64],
    out: NDArray[np.int64],
) -> None:
    """Write the rank of each individual's front: 0 if nobody dominates it, otherwise one more than
    the highest rank of those that dominate it.

    An individual with a smaller violation dominates every one with a larger violation. With equal
    violations, it dominates another if no value is lower and one is higher, or if all values are
    equal and it comes earlier in `order`: copies of a vector of values end up in different fronts.

    Parameters
    ----------
    values
        `(n, m)`, higher is better.
    violations
        `(n,)`, how much each individual violates its constraints; 0 if it is feasible.
    order
        `(n,)` individuals by rising violation, then by falling values, the first column first:
        nobody is dominated by a later one.
    out
        `(n,)`.
    """
    count, columns = values.shape
    # The members of a front as a linked list, the last one first.
    newest = full(count, -1, np.int64)
    before = full(count, -1, np.int64)
    for place in range(count):
        one = order[place]
        rank = 0
        while True:
            other = newest[rank]
            while other >= 0:
                if violations[other] < violations[one]:
                    break
                column = 0
                while column < columns and values[other, column] >= values[one, column]:
                    column += 1
                if column == columns:
                    break
                other = before[other]
            if other < 0:
                break
            rank += 1
        before[one] = newest[rank]
        newest[rank] = one
        out[one] = rank


@kernel
def crowding_distances(
    values: NDArray[np.float64],
    ranks: NDArray[np.int64],
    orders: NDArray[np.int64],
    out: NDArray[np.float64],
) -> None:
    """Write how much room each individual has in its front: the sum over the columns of the gap
    between its two neighbours.

    Gaps are shares of the range of a column within the front. The first and the last of a front in
    any column have infinite room.

    Parameters
    ----------
    values
        `(n, m)`.
    ranks
        `(n,)`, the fronts.
    orders
        `(n, m)`, for each column the individuals by rising value; equal values by rising
        individual.
    out
        `(n,)`.
    """
    count, columns = values.shape
    lowest, highest, last, last_but_one = empty((4, count), np.int64)
    for one in range(count):
        out[one] = 0.0
    for column in range(columns):
        for rank in range(count):
            lowest[rank] = last[rank] = last_but_one[rank] = -1
        for place in range(count):
            one = orders[place, column]
            if lowest[ranks[one]] < 0:
                lowest[ranks[one]] = one
            highest[ranks[one]] = one
        for place in range(count):
            one = orders[place, column]
            rank = ranks[one]
            width = values[highest[rank], column] - values[lowest[rank], column]
            if one == lowest[rank] or one == highest[rank]:
                out[one] = np.inf
            # Infinite ranges have no shares.
            if last_but_one[rank] >= 0 and 0.0 < width < np.inf:
                out[last[rank]] += (
                    values[one, column] - values[last_but_one[rank], column]
                ) / width
            last_but_one[rank], last[rank] = last[rank], one
