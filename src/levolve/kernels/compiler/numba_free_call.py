"""Machine code from the cache, called without Numba, whose import takes a quarter of a short
command.

An entry of the cache has, besides what Numba needs, a function with one argument (`bare_form`): the
address of a block of memory that begins with the result and the error, followed by the arguments as
Numba passes them to machine code. Here the block is filled and the function is called, which takes
some ten microseconds longer than Numba's own way. A process that calls kernels often loads Numba
after all.
"""

import ctypes
import pickle
import struct
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from llvmlite import binding

from levolve.kernels.compiler.cache_files import name_of, place_of, read_entry

# After so many calls, those that follow would take as long as Numba takes to import.
MOST_CALLS = 3000
# How the numbers of each type are written to a block: `struct` has the sizes and the alignment of
# C.
CODES = {"bool": "?", "float32": "f", "float64": "d", "none": "P"}
CODES |= {
    "int8": "b",
    "int16": "h",
    "int32": "i",
    "int64": "q",
    "uint8": "B",
    "uint16": "H",
    "uint32": "I",
    "uint64": "Q",
}
# The counts of references, the number of elements, the size of one, and the address of the first;
# the shape and the strides follow.
ARRAY = "PPqqP"
# What the memory management needs of the system, and what is called in place of what is never
# called.
NEEDED = ("aligned_alloc", "free", "abort")
LONGEST_INTEGER = 1 << 63
# How many tuples are remembered, and the most bytes of the arrays in one, as they stay in memory.
# Searches pass the same settings with every call, and these have many more parts than the other
# arguments.
REMEMBERED = 64
MOST_BYTES = 1 << 18

# The remembered tuples by identity, with their kinds and their numbers. They are kept, so that no
# other tuple gets their identity.
_remembered: dict[int, tuple[tuple[Any, ...], Any, tuple[Any, ...]]] = {}


class BareRecord(NamedTuple):
    """What an entry of the cache has besides what Numba needs."""

    # The names of the function that takes a block, and of the kernel itself.
    function: str
    kernel: str
    # The types of the numbers that are returned, and whether they are returned as a tuple.
    results: tuple[str, ...]
    is_tuple: bool
    # What the kernel needs of the system, and what only Numba's form of it needs, which is never
    # called here.
    needed: tuple[str, ...]
    unused: tuple[str, ...]
    # Machine code of the memory management that the kernel needs.
    memory: bytes


def kind_of(value: Any) -> Any:
    """Return what determines Numba's type of a value: Numba takes a tenth of a millisecond to tell
    that of nested settings.
    """
    if isinstance(value, tuple):
        return _remember(value)[1]
    if type(value) is np.ndarray:
        flags = value.flags
        return (
            value.dtype,
            value.ndim,
            flags.c_contiguous or (flags.f_contiguous and "F"),
            flags.writeable,
            flags.aligned,
        )
    return type(value)


def kinds_of(arguments: tuple[Any, ...]) -> Any:
    """Return `kind_of` each argument of a call."""
    return tuple(map(kind_of, arguments))


def _remember(value: tuple[Any, ...]) -> tuple[tuple[Any, ...], Any, tuple[Any, ...]]:
    """Return a tuple with its kind and its numbers."""
    known = _remembered.get(id(value))
    if known is None:
        known = value, (type(value), *map(kind_of, value)), tuple(numbers_of(value))
        if _bytes_in(value) <= MOST_BYTES:
            if len(_remembered) >= REMEMBERED:
                _remembered.clear()
            _remembered[id(value)] = known
    return known


def _bytes_in(value: Any) -> int:
    """Return how many bytes the arrays in a value have."""
    return sum(map(_bytes_in, value)) if isinstance(value, tuple) else getattr(value, "nbytes", 0)


def text_of(value: Any) -> str:
    """Return a description of Numba's type of a value, equal to what `bare_form.text_of_type`
    returns for the type; empty if there is none.
    """
    if value is None:
        return "none"
    if isinstance(value, tuple):
        parts = [text_of(part) for part in value]
        return f"{type(value).__name__}({', '.join(parts)})" if all(parts) else ""
    if isinstance(value, np.ndarray):
        flags, item = value.flags, value.dtype
        if (
            item.name not in CODES
            or not item.isnative
            or not flags.aligned
            or type(value) is not np.ndarray
        ):
            return ""
        layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
        return f"{'' if flags.writeable else 'readonly '}{item.name}[{value.ndim}{layout}]"
    if isinstance(value, np.generic):
        return value.dtype.name if value.dtype.name in CODES else ""
    if type(value) is int:
        return "int64" if -LONGEST_INTEGER <= value < LONGEST_INTEGER else ""
    return {bool: "bool", float: "float64"}.get(type(value), "")


def format_of(value: Any) -> str:
    """Return how a value that has a description is written to a block, for `struct`."""
    if isinstance(value, tuple):
        return "".join(map(format_of, value))
    if isinstance(value, np.ndarray):
        return ARRAY + "q" * (2 * value.ndim)
    return CODES[text_of(value)]


def numbers_of(values: tuple[Any, ...]) -> list[Any]:
    """Return the numbers that values are in a block. The caller keeps the arrays."""
    numbers: list[Any] = []
    for value in values:
        if isinstance(value, tuple):
            numbers += _remember(value)[2]
        elif isinstance(value, np.ndarray):
            numbers += (
                0,
                0,
                value.size,
                value.itemsize,
                _address(value),
                *value.shape,
                *value.strides,
            )
        else:
            numbers.append(0 if value is None else value)
    return numbers


def _address(array: np.ndarray) -> int:
    """Return the address of the first element."""
    try:
        # A quarter of the time of NumPy's own way, but not for every array.
        return ctypes.addressof(ctypes.c_char.from_buffer(array))  # type: ignore[arg-type] # arrays are buffers, also for Python 3.11
    except (TypeError, ValueError, BufferError):
        return array.ctypes.data


class BareKernel:
    """A kernel for arguments of certain types."""

    calls = 0

    def __init__(self, record: BareRecord, arguments: tuple[Any, ...]) -> None:
        """Take a kernel whose machine code is loaded."""
        engine = _engine()
        self.address: int = engine.get_function_address(record.kernel)
        self._function = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)(
            engine.get_function_address(record.function)
        )
        begin = f"@{''.join(CODES[kind] for kind in record.results)}P"
        self._begin = struct.Struct(begin)
        self._block = struct.Struct(begin + format_of(arguments))
        self._zeros = (0,) * (len(record.results) + 1)
        self._is_tuple, self._is_none = record.is_tuple, record.results == ("none",)

    def __call__(self, arguments: tuple[Any, ...]) -> Any:
        """Run the kernel, without the global interpreter lock."""
        BareKernel.calls += 1
        block = ctypes.create_string_buffer(self._block.size)
        self._block.pack_into(block, 0, *self._zeros, *numbers_of(arguments))
        failed = self._function(ctypes.addressof(block))
        *results, error = self._begin.unpack_from(block)
        if failed:
            raise _exception(error)
        if self._is_tuple:
            return tuple(results)
        return None if self._is_none else results[0]


def bare_kernel(
    function: Callable[..., Any], folder: Path, arguments: tuple[Any, ...]
) -> BareKernel | None:
    """Return a kernel for arguments of the types of these; None if it is not in the cache, or only
    in Numba's form.
    """
    description = text_of(arguments)
    content = (
        read_entry(folder, *place_of(name_of(function, "entry"), function, description, _target()))
        if description
        else None
    )
    if content is None:
        return None
    try:
        fields, machine_code, _ = pickle.loads(content)  # noqa: S301 the checksum is right, and only the user can write here
        if fields is None or not _load(record := BareRecord(*fields), machine_code):
            return None
        return BareKernel(record, arguments)
    except Exception:  # noqa: BLE001 whatever is wrong with it, Numba replaces it
        return None


def _load(record: BareRecord, machine_code: bytes) -> bool:
    """Load machine code; return whether this system has what it needs. LLVM ends the process if a
    name has no address.
    """
    engine = _engine()
    if not all(map(binding.address_of_symbol, (*record.needed, *NEEDED))):
        return False
    for name in record.unused:
        # Numba gives these names its own addresses as soon as it is imported.
        if not binding.address_of_symbol(name):
            binding.add_symbol(name, binding.address_of_symbol("abort"))
    for code in (record.memory, machine_code):
        engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return True


@cache
def _engine() -> Any:
    """Return what holds the loaded machine code, until the process ends."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_triple(binding.get_process_triple()).create_target_machine(
        jit=True
    )
    return binding.create_mcjit_compiler(binding.parse_assembly(""), machine)


@cache
def _target() -> tuple[str, str, str]:
    """Return the system, the processor and what it can do, as Numba describes them."""
    return (
        binding.get_process_triple(),
        binding.get_host_cpu_name(),
        binding.get_host_cpu_features().flatten(),
    )


class _Error(ctypes.Structure):
    """Numba's description of an exception: the pickled class, arguments and place."""

    _fields_ = (("data", ctypes.c_void_p), ("size", ctypes.c_int32))


def _exception(address: int) -> BaseException:
    error = _Error.from_address(address)
    kind, arguments, _ = pickle.loads(ctypes.string_at(error.data, error.size))  # noqa: S301 a part of the machine code
    exception: BaseException = kind(*(arguments or ()))
    return exception
