"""Counting bits."""

from collections.abc import Callable
from typing import Any

import numpy as np

from levolve.kernels.compiled import when_numba_is_loaded


def bit_count(z: np.uint64) -> np.uint64:
    """Count the set bits of `z`. Compiled kernels use the processor's own instruction."""
    return np.uint64(int(z).bit_count())


def _teach_numba() -> None:
    """Define the compiled form of `bit_count`. Numba has no types, and requires equal annotations of a function and its form: `Any`."""
    from numba import types  # noqa: PLC0415 Numba is loaded with the first kernel
    from numba.extending import intrinsic, overload  # noqa: PLC0415 the same

    @intrinsic
    def instruction(_context: Any, _word: Any) -> Any:  # noqa: ANN401
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:  # noqa: ANN401
            return builder.ctpop(arguments[0])

        return types.uint64(types.uint64), generate

    @overload(bit_count)
    def implementation(z: Any) -> Callable[[Any], Any]:  # noqa: ANN401, ARG001
        def count(z: Any) -> Any:  # noqa: ANN401
            return instruction(z)  # type: ignore[call-arg] # Numba adds the first argument

        return count


when_numba_is_loaded(_teach_numba)
