"""Bits of words, by the processor's own instructions.

Sorting by score. NumPy's sorts would take several seconds to compile.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty
from levolve.kernels.compiler import kernel, when_numba_is_loaded


def bit_count(z: np.uint64) -> np.uint64:
    """Count the set bits of `z`."""
    return np.uint64(int(z).bit_count())


def lowest_bit(z: np.uint64) -> np.uint64:
    """Return the position of the lowest set bit of `z`, which is not 0."""
    return np.uint64((int(z) & -int(z)).bit_length() - 1)


def _teach_numba() -> None:
    """Define the compiled forms. Numba has no types: all are `Any`."""
    from llvmlite import ir
    from numba import extending, types

    lower_builtin: Any = extending.lower_builtin
    type_callable: Any = extending.type_callable

    def counted(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(context.cast(builder, arguments[0], signature.args[0], types.uint64))

    def found(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        # The last argument says that the result for 0 is of no interest.
        return builder.cttz(
            context.cast(builder, arguments[0], signature.args[0], types.uint64),
            ir.Constant(ir.IntType(1), 1),
        )

    for function, instruction in ((bit_count, counted), (lowest_bit, found)):
        type_callable(function)(
            lambda _context: lambda z: types.uint64 if isinstance(z, types.Integer) else None
        )
        lower_builtin(function, types.Integer)(instruction)


when_numba_is_loaded(_teach_numba)


@kernel
def best_order(scores: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the indices of `(n,)` scores, highest first; among equals in their order (a merge sort
    from below).
    """
    count = scores.size
    order, other = empty(count, np.int64), empty(count, np.int64)
    for i in range(count):
        order[i] = i
    length = 1
    while length < count:
        for first in range(0, count, 2 * length):
            middle, last = min(first + length, count), min(first + 2 * length, count)
            left, right = first, middle
            for place in range(first, last):
                if left < middle and (right == last or scores[order[left]] >= scores[order[right]]):
                    other[place] = order[left]
                    left += 1
                else:
                    other[place] = order[right]
                    right += 1
        order, other = other, order
        length *= 2
    return order
