"""Counting bits."""

from typing import Any

import numpy as np

from levolve.kernels.compiled import when_numba_is_loaded


def bit_count(z: np.uint64) -> np.uint64:
    """Count the set bits of `z`. Compiled kernels use the processor's own instruction."""
    return np.uint64(int(z).bit_count())


def _teach_numba() -> None:
    """Define the compiled form of `bit_count`. Numba has no types: all are `Any`."""
    from numba import extending, types  # noqa: PLC0415 Numba is loaded with the first kernel

    lower_builtin: Any = extending.lower_builtin
    type_callable: Any = extending.type_callable

    def instruction(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401
        return builder.ctpop(context.cast(builder, arguments[0], signature.args[0], types.uint64))

    type_callable(bit_count)(lambda _context: lambda z: types.uint64 if isinstance(z, types.Integer) else None)
    lower_builtin(bit_count, types.Integer)(instruction)


when_numba_is_loaded(_teach_numba)
