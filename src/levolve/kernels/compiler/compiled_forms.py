"""What both modes do with compiled forms of kernels: name them, call them by address, tell results.

Numba has no types: all are `Any`.
"""

from collections.abc import Callable
from contextlib import suppress
from types import FunctionType
from typing import Any

import numpy as np
from numba.core import entrypoints, types

from levolve.kernels.compiler.cache_files import identity_of

# Before it compiles, Numba looks once for packages that extend it. One package with damaged
# metadata would stop every compilation, so this happens here, and what fails is left out.
with suppress(Exception):
    find_extensions: Callable[[], None] = entrypoints.init_all
    find_extensions()


def named(function: Callable[..., Any]) -> FunctionType:
    """Return a function with a name of its own in the machine code.

    Composed kernels differ in what they are composed of, not in their names.
    """
    copy = FunctionType(
        function.__code__,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    copy.__module__ = function.__module__
    copy.__qualname__ = f"{function.__qualname__}.{identity_of(function)[:16]}"
    return copy


def address_of(form: Any) -> int:
    """Return the address of a compiled form, for kernels that call it by this."""
    address: int = form.library.get_pointer_to_function(form.fndesc.llvm_func_name)
    return address


def blank_of(kind: Any) -> Any:
    """Return zeros of a type, as a kernel could return them; None for a type that kernels do not
    return.
    """
    if isinstance(kind, types.BaseTuple):
        members: Any = kind
        parts = [blank_of(member) for member in members]
        return kind.instance_class(*parts) if hasattr(kind, "instance_class") else tuple(parts)
    if isinstance(kind, types.Array):
        return np.zeros((1,) * kind.ndim, str(kind.dtype))
    blanks: dict[Any, Any] = {types.Boolean: False, types.Integer: 0, types.Float: 0.0}
    return blanks.get(type(kind))
