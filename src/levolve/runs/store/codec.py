"""The state of a job as bytes, and back: a JSON header and the raw bytes of all arrays, compressed, with a version and a checksum.

Only plain data is written and read: nothing that is decoded can run code.
"""

import hashlib
import json
import math
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError

MAGIC = b"levolve state"
VERSION = 1
CHECKSUM = 32
HEAD = len(MAGIC) + 1 + CHECKSUM + 8
LEVEL = 1  # the fastest compression; states are mostly random bits
LARGEST = 1 << 33  # bytes of a decompressed state
LONG = 64  # lists of numbers from this length on are written as arrays
KINDS = "biufSU"
LOWEST, HIGHEST = -(1 << 63), (1 << 63) - 1
# The tags of values that JSON cannot represent. A dictionary is always tagged, so that no key is taken for a tag.
ARRAY, TUPLE, TABLE, NUMBERS, BYTES = "array", "tuple", "table", "numbers", "bytes"


def encode_state(state: Mapping[str, Any]) -> bytes:
    """Encode a state: numbers, texts, bytes, lists, tuples, dictionaries with text or integer keys, None, booleans and NumPy arrays."""
    arrays: list[NDArray[Any]] = []
    header = json.dumps({"state": _written(state, arrays), "arrays": [[array.dtype.str, list(array.shape)] for array in arrays]}).encode()
    content = b"".join((len(header).to_bytes(8, "little"), header, *(array.tobytes() for array in arrays)))
    packed = len(content).to_bytes(8, "little") + zlib.compress(content, LEVEL)
    return b"".join((MAGIC, bytes((VERSION,)), hashlib.sha256(packed).digest(), packed))


def decode_state(content: bytes) -> dict[str, Any]:
    """Decode the result of `encode_state`; raises `InputError` for bytes that are damaged or of another version."""
    if not content.startswith(MAGIC) or len(content) < HEAD:
        message = "checkpoint: expected the state of a job, got other or incomplete bytes"
        raise InputError(message)
    if content[len(MAGIC)] != VERSION:
        message = f"checkpoint: expected version {VERSION}, got {content[len(MAGIC)]}; it was written by another version of levolve"
        raise InputError(message)
    checksum, length = content[len(MAGIC) + 1 : HEAD - 8], int.from_bytes(content[HEAD - 8 : HEAD], "little")
    if hashlib.sha256(content[HEAD - 8 :]).digest() != checksum or length > LARGEST:
        message = "checkpoint: its checksum is wrong, the bytes are damaged"
        raise InputError(message)
    try:
        whole = zlib.decompressobj().decompress(content[HEAD:], length)
        end = 8 + int.from_bytes(whole[:8], "little")
        header = json.loads(whole[8:end])
        state: dict[str, Any] = _read(header["state"], _arrays(header["arrays"], memoryview(whole)[end:]))
    except (zlib.error, ValueError, LookupError, TypeError, RecursionError, MemoryError) as problem:
        message = f"checkpoint: expected the state of a job, got bytes that cannot be read: {problem}"
        raise InputError(message) from problem
    return state


def _written(value: Any, arrays: list[NDArray[Any]]) -> Any:  # noqa: ANN401, PLR0911 one line per type of plain data
    """Return a value in the form of the header; arrays are moved to the list."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return {TABLE: [[key if isinstance(key, str) else int(key), _written(part, arrays)] for key, part in value.items()]}
    if isinstance(value, tuple):
        return {TUPLE: [_written(part, arrays) for part in value]}
    if isinstance(value, list):
        if len(value) < LONG or (numbers := _packed(value)) is None:
            return [_written(part, arrays) for part in value]
        return {NUMBERS: _added(numbers, arrays)}
    if isinstance(value, np.generic):
        return _written(value.item(), arrays)
    if isinstance(value, bytes):
        return {BYTES: _added(np.frombuffer(value, np.uint8), arrays)}
    if isinstance(value, np.ndarray) and value.dtype.kind in KINDS:
        return {ARRAY: _added(value, arrays)}
    message = f"state: expected plain numbers, texts, lists, tables and arrays, got {type(value).__name__}"
    raise InputError(message)


def _added(array: NDArray[Any], arrays: list[NDArray[Any]]) -> int:
    arrays.append(array)
    return len(arrays) - 1


def _packed(values: list[Any]) -> NDArray[Any] | None:
    """Return a list of floats or of integers as an array; None for any other list."""
    types = set(map(type, values))
    if types == {float}:
        return np.array(values, np.float64)
    if types == {int} and min(values) >= LOWEST and max(values) <= HIGHEST:
        return np.array(values, np.int64)
    return None


def _arrays(entries: list[Any], content: memoryview) -> list[NDArray[Any]]:
    found, start = [], 0
    for name, shape in entries:
        dtype = np.dtype(str(name))
        if dtype.kind not in KINDS:
            message = f"an array of type {name}"
            raise ValueError(message)
        end = start + dtype.itemsize * math.prod(shape)
        found.append(np.frombuffer(content[start:end], dtype).reshape(shape).copy())
        start = end
    return found


def _read(value: Any, arrays: list[NDArray[Any]]) -> Any:  # noqa: ANN401 plain data
    """Return a value of the header as it was."""
    if isinstance(value, list):
        return [_read(part, arrays) for part in value]
    if not isinstance(value, dict):
        return value
    ((tag, content),) = value.items()
    if tag == TABLE:
        return {key: _read(part, arrays) for key, part in content}
    if tag == TUPLE:
        return tuple(_read(part, arrays) for part in content)
    array = arrays[content]
    if tag == NUMBERS:
        return array.tolist()
    return array.tobytes() if tag == BYTES else array
