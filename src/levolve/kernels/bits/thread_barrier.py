"""Kernels that several threads execute together: each does a part of the work, and all wait for
each other between two parts.

Waiting takes about a microsecond, because no thread sleeps and none needs the global interpreter
lock. All members must have begun before one waits.
"""

import os
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiler import kernel, when_numba_is_loaded

# How often a waiting thread looks before it lets others go first.
LOOKS = 4096
# More arrivals than there can be: written to a gate, it lets all members pass, and nothing is left
# to claim.
RELEASED = 1 << 62
# How far the numbers of a gate are from each other: far enough that a processor does not fetch two
# of them at once.
APART = 16
# The smallest part to claim: so many things, because kernels compute many side by side, or this
# fraction of an equal part if that is more; but never more than an equal part.
LEAST_CLAIM, SMALLEST_SHARE = 64, 8
Gate = NDArray[np.int64]


def gate(turns: int = 0) -> Gate:
    """Return what the members of a team share to wait for each other, and to claim work in so many
    turns.
    """
    return np.zeros((turns + 1) * APART, np.int64)


def _arrive(at: Gate, place: int) -> int:
    """Add 1 to the number at a place, and return what it was before."""
    at[place] += 1
    return int(at[place]) - 1


def _arrivals(at: Gate) -> int:
    """Return the number of arrivals."""
    return int(at[0])


def _let_others_go_first() -> None:
    """Give up the rest of the time that the system has given this thread, if others wait."""
    os.sched_yield()


def _teach_numba() -> None:
    """Define the compiled forms, which see what other threads write. Numba has no types: all are
    `Any`.
    """
    modules: list[Any] = [
        import_module(name)
        for name in ("llvmlite.ir", "numba.core.types", "numba.core.cgutils", "numba.extending")
    ]
    ir, types, cgutils, extending = modules

    def first_number(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array: Any = import_module("numba.np.arrayobj").make_array(signature.args[0])
        return array(context, builder, arguments[0]).data

    def add_one(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        one = context.get_constant(types.int64, 1)
        place = builder.gep(
            first_number(context, builder, signature, arguments),
            [context.cast(builder, arguments[1], signature.args[1], types.int64)],
        )
        return builder.atomic_rmw("add", place, one, "seq_cst")

    def look(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load_atomic(
            first_number(context, builder, signature, arguments), "seq_cst", 8
        )

    def give_way(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        function = ir.FunctionType(ir.IntType(32), ())
        builder.call(cgutils.get_or_insert_function(builder.module, function, "sched_yield"), ())
        return context.get_dummy_value()

    extending.type_callable(_arrive)(
        lambda _context: lambda at, place: types.int64 if isinstance(at, types.Array) else None  # noqa: ARG005 Numba's names
    )
    extending.lower_builtin(_arrive, types.Array, types.Integer)(add_one)
    extending.type_callable(_arrivals)(
        lambda _context: lambda at: types.int64 if isinstance(at, types.Array) else None
    )
    extending.lower_builtin(_arrivals, types.Array)(look)
    extending.type_callable(_let_others_go_first)(lambda _context: lambda: types.none)
    extending.lower_builtin(_let_others_go_first)(give_way)


when_numba_is_loaded(_teach_numba)


@kernel
def claim(at: Gate, turn: int, count: int, members: int) -> tuple[int, int]:
    """Return the first of `count` things of a turn that nobody has claimed yet, and the one after
    the last that this member should do.

    They are equal if none is left. Parts become smaller and smaller, so that all members finish at
    about the same time, also if one is interrupted.
    """
    number = _arrive(at, (turn + 1) * APART)
    least = min(
        max(LEAST_CLAIM, count // (SMALLEST_SHARE * members)), (count + members - 1) // members
    )
    first = last = 0
    while number >= 0 and first < count:
        first = last
        last = min(first + max(least, 3 * (count - first) // (4 * members)), count)
        number -= 1
    return first, last


@kernel
def meet(at: Gate, members: int) -> None:
    """Wait until all members of a team are here. What they have written before, each of them can
    read afterwards.
    """
    if members == 1:
        return
    # The count of arrivals only grows: the meeting is complete at the next multiple of the number
    # of members.
    before = _arrive(at, 0)
    if before >= RELEASED:
        return
    complete = (before // members + 1) * members
    looks = 0
    while _arrivals(at) < complete:
        looks += 1
        if looks % LOOKS == 0:
            _let_others_go_first()


# Whether threads can work together: not where Numba is switched off, nor on a system that cannot
# let another thread go first.
TOGETHER = hasattr(meet, "py_func") and hasattr(os, "sched_yield")
