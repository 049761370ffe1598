"""Counting bits."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic, overload


def bit_count(z: np.uint64) -> np.uint64:
    """Count the set bits of `z`. Compiled kernels use the processor's own instruction."""
    return np.uint64(int(z).bit_count())


# Numba's types are not annotated, and it requires equal annotations of a function and its implementation: all are `Any`.
@intrinsic
def _instruction(_context: Any, _word: Any) -> Any:  # noqa: ANN401
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:  # noqa: ANN401
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@overload(bit_count)
def _implementation(z: Any) -> Callable[[Any], Any]:  # noqa: ANN401, ARG001
    def count(z: Any) -> Any:  # noqa: ANN401
        return _instruction(z)  # type: ignore[call-arg] # Numba adds the first argument

    return count
