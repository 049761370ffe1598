"""Kernels that several threads execute together: each does a part of the work, and all wait for each other between two parts.

Waiting takes about a microsecond, because no thread sleeps and none needs the global interpreter lock. All members must have begun before one waits.
"""

import os
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from levolve.kernels.compiled import kernel

# How often a waiting thread looks before it lets others go first.
LOOKS = 4096
# More arrivals than there can be: written to a gate, it lets all members pass.
RELEASED = 1 << 62
Gate = NDArray[np.int64]


def gate() -> Gate:
    """Return what the members of a team share to wait for each other."""
    return np.zeros(1, np.int64)


# Gives up the rest of the time that the system has given this thread, if others wait.
_let_others_go_first: Any = types.ExternalFunction("sched_yield", types.int32())


# Numba's types are not annotated: all are `Any`.
@intrinsic
def _arrive(_context: Any, _address: Any) -> Any:  # noqa: ANN401
    """Add 1 to the number at an address, and return what it was before."""

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:  # noqa: ANN401
        number = context.get_value_type(types.int64)
        return builder.atomic_rmw("add", builder.inttoptr(arguments[0], number.as_pointer()), number(1), "seq_cst")

    return types.int64(types.uintp), generate


@intrinsic
def _arrivals(_context: Any, _address: Any) -> Any:  # noqa: ANN401
    """Return the number at an address."""

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:  # noqa: ANN401
        number = context.get_value_type(types.int64)
        return builder.load_atomic(builder.inttoptr(arguments[0], number.as_pointer()), "seq_cst", 8)

    return types.int64(types.uintp), generate


@kernel
def part_of(count: int, member: int, members: int) -> tuple[int, int]:
    """Return the first of the things that a member does, and the one after its last."""
    return count * member // members, count * (member + 1) // members


@kernel
def meet(at: Gate, members: int) -> None:
    """Wait until all members of a team are here. What they have written before, each of them can read afterwards."""
    if members == 1:
        return
    address = at.ctypes.data
    # The count of arrivals only grows: the meeting is complete at the next multiple of the number of members.
    before: int = _arrive(address)  # type: ignore[call-arg] # Numba adds the first argument
    if before >= RELEASED:
        return
    complete = (before // members + 1) * members
    looks = 0
    while _arrivals(address) < complete:
        looks += 1
        if looks % LOOKS == 0:
            _let_others_go_first()


# Whether threads can work together: not where Numba is switched off, nor on a system that cannot let another thread go first.
TOGETHER = hasattr(meet, "py_func") and hasattr(os, "sched_yield")
