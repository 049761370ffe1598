"""New arrays inside kernels.

To compile a call of `np.zeros` takes Numba up to half a second, for each type and number of
dimensions; the functions here take a hundredth. Arrays begin at the start of a cache line: a vector
that crosses two lines takes a third longer to load.
"""

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.compiler import when_numba_is_loaded

CACHE_LINE = 64
Shape = int | np.integer[Any] | tuple[int | np.integer[Any], ...]


def zeros(shape: Shape, dtype: type[Any] | np.dtype[Any]) -> NDArray[Any]:
    """Return a new array of zeros."""
    return np.zeros(shape, dtype)


def empty(shape: Shape, dtype: type[Any] | np.dtype[Any]) -> NDArray[Any]:
    """Return a new array of any content."""
    return np.empty(shape, dtype)


def full(
    shape: Shape, value: complex | np.generic, dtype: type[Any] | np.dtype[Any]
) -> NDArray[Any]:
    """Return a new array with the same value everywhere."""
    return np.full(shape, value, dtype)


# Numba has no types: all are `Any`.
def _teach_numba() -> None:
    """Define the compiled forms."""
    modules: list[Any] = [
        import_module(f"numba.{name}")
        for name in ("core.types", "core.cgutils", "core.imputils", "extending")
    ]
    types, cgutils, imputils, extending = modules

    def array_of(shape: Any, dtype: Any) -> Any:
        sizes = tuple(shape) if isinstance(shape, types.BaseTuple) else (shape,)
        if all(isinstance(size, types.Integer) for size in sizes) and isinstance(
            dtype, types.NumberClass | types.DType
        ):
            return types.Array(dtype.dtype, len(sizes), "C")
        return None

    def allocated(context: Any, builder: Any, signature: Any, shape: Any) -> tuple[Any, Any]:
        """Generate a new array; return it and its length in bytes."""
        # Loaded by the compiler, and not needed where everything is compiled.
        arrayobj: Any = import_module("numba.np.arrayobj")
        sizes, kinds = [shape], [signature.args[0]]
        if isinstance(kinds[0], types.BaseTuple):
            kinds = list(kinds[0])
            sizes = cgutils.unpack_tuple(builder, shape, len(kinds))
        sizes = [
            context.cast(builder, size, kind, types.intp)
            for size, kind in zip(sizes, kinds, strict=True)
        ]
        item = context.get_data_type(signature.return_type.dtype)
        strides = [context.get_constant(types.intp, context.get_abi_sizeof(item))]
        for size in reversed(sizes[1:]):
            strides.insert(0, builder.mul(strides[0], size))
        length = builder.mul(strides[0], sizes[0])
        memory = context.nrt.meminfo_alloc_aligned(builder, length, CACHE_LINE)
        data = builder.bitcast(context.nrt.meminfo_data(builder, memory), item.as_pointer())
        array = arrayobj.make_array(signature.return_type)(context, builder)
        arrayobj.populate_array(array, data, sizes, strides, strides[-1], memory)
        return array, length

    def new_empty(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, _ = allocated(context, builder, signature, arguments[0])
        return imputils.impl_ret_new_ref(context, builder, signature.return_type, array._getvalue())

    def new_zeros(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, length = allocated(context, builder, signature, arguments[0])
        cgutils.memset(builder, array.data, length, 0)
        return imputils.impl_ret_new_ref(context, builder, signature.return_type, array._getvalue())

    def new_full(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, _ = allocated(context, builder, signature, arguments[0])
        value = context.cast(builder, arguments[1], signature.args[1], signature.return_type.dtype)
        with cgutils.for_range(builder, array.nitems) as loop:
            context.pack_value(
                builder, signature.return_type.dtype, value, builder.gep(array.data, [loop.index])
            )
        return imputils.impl_ret_new_ref(context, builder, signature.return_type, array._getvalue())

    extending.type_callable(zeros)(lambda _context: array_of)
    extending.type_callable(empty)(lambda _context: array_of)
    extending.type_callable(full)(
        lambda _context: (
            lambda shape, value, dtype: (
                array_of(shape, dtype) if isinstance(value, types.Number) else None
            )
        )
    )
    for shape in (types.Integer, types.BaseTuple):
        for dtype in (types.NumberClass, types.DType):
            extending.lower_builtin(zeros, shape, dtype)(new_zeros)
            extending.lower_builtin(empty, shape, dtype)(new_empty)
            extending.lower_builtin(full, shape, types.Number, dtype)(new_full)


when_numba_is_loaded(_teach_numba)
