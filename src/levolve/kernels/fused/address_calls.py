"""Calls of compiled kernels by address, so that a kernel that calls another does not contain it.

Numba compiles a kernel together with all that it calls. A search that contains a flood would be
compiled again for each objective, operator and strategy, which takes several seconds. Called by its
address, a kernel is compiled once for all its callers.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from levolve.kernels.compiler import compiles_only, when_numba_is_loaded

Address = int | Callable[..., Any]

# Arguments of the types that kernels are called with by address.
ROWS, SCORES, STEPS = np.empty((1, 1), np.uint64), np.empty(1), np.empty(1, np.int32)


def call(address: Address, *arguments: Any) -> None:
    """Call a kernel by its `address_of` the types of these arguments."""
    address(*arguments)  # type: ignore[operator] # where Numba is switched off, an address is the function itself


def address_of(kernel: Any, *arguments: Any) -> Address:
    """Return the address of a kernel for arguments of these types, which is compiled or loaded if
    necessary. The kernel returns nothing.
    """
    if not hasattr(kernel, "py_func"):
        return kernel  # type: ignore[no-any-return] # Numba is switched off
    if compiles_only():
        return 0
    return kernel.address(arguments)  # type: ignore[no-any-return] # any kernel


def _teach_numba() -> None:
    """Define the compiled form of `call`. Numba has no types, and requires equal annotations of a
    function and its form: `Any`.
    """
    import numba
    from numba.core import cgutils
    from numba.extending import intrinsic, overload

    types: Any = numba.types
    building: Any = cgutils

    @intrinsic
    def call_address(_context: Any, address: Any, arguments: Any) -> Any:
        kinds = [types.unliteral(kind) for kind in arguments]

        def generate(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
            function = context.call_conv.get_function_type(types.none, kinds)
            pointer = builder.inttoptr(values[0], function.as_pointer())
            unpacked = building.unpack_tuple(builder, values[1], len(kinds))
            status, _ = context.call_conv.call_function(
                builder, pointer, types.none, kinds, unpacked
            )
            with building.if_unlikely(builder, status.is_error):
                context.call_conv.return_status_propagate(builder, status)
            return context.get_dummy_value()

        return types.none(address, arguments), generate

    @overload(call)
    def implementation(address: Any, *arguments: Any) -> Callable[..., Any]:
        def pass_on(address: Any, *arguments: Any) -> Any:
            call_address(address, arguments)  # type: ignore[call-arg] # Numba adds the first argument

        return pass_on


when_numba_is_loaded(_teach_numba)
