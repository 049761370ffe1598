"""The state of a job as bytes, and back: a JSON header and the bytes of all arrays, with a version
and a checksum.

The header is compressed, and so is every array that becomes smaller by it; the genes of most levels
are random bits, which do not.

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

from levolve.core.errors import InputError

MAGIC = b"levolve state"
VERSION = 1
CHECKSUM = 32
HEAD = len(MAGIC) + 1 + CHECKSUM
NUMBER = 8  # bytes of a length
LEVEL = 1  # the fastest compression
LARGEST = 1 << 33  # bytes of the header, or of an array
SAMPLE = 4096  # bytes of an array that are compressed to see whether it is worth it
WORTH = 0.9  # the share of its bytes that is left if it is
LONG = 64  # lists of numbers from this length on are written as arrays
KINDS = "biufSU"
LOWEST, HIGHEST = -(1 << 63), (1 << 63) - 1
# The tags of values that JSON cannot represent. A dictionary is always tagged, so that no key is
# taken for a tag.
ARRAY, TUPLE, TABLE, NUMBERS, BYTES = "array", "tuple", "table", "numbers", "bytes"


def encode_state(state: Mapping[str, Any]) -> bytes:
    """Encode a state: numbers, texts, bytes, lists, tuples, dictionaries with text or integer keys,
    None, booleans and NumPy arrays.
    """
    arrays: list[NDArray[Any]] = []
    written = _written(state, arrays)
    contents = [_compressed(array.tobytes()) for array in arrays]
    entries = [
        [array.dtype.str, list(array.shape), len(content)]
        for array, content in zip(arrays, contents, strict=True)
    ]
    header = json.dumps({"state": written, "arrays": entries}).encode()
    packed = zlib.compress(header, LEVEL)
    lengths = (len(part).to_bytes(NUMBER, "little") for part in (header, packed))
    content = b"".join((*lengths, packed, *contents))
    return b"".join((MAGIC, bytes((VERSION,)), hashlib.sha256(content).digest(), content))


def _compressed(content: bytes) -> bytes:
    """Return the bytes of an array, compressed if a part of them shows that it is worth it."""
    sample = content[len(content) // 2 :][:SAMPLE]
    return (
        zlib.compress(content, LEVEL)
        if len(zlib.compress(sample, LEVEL)) < WORTH * len(sample)
        else content
    )


def decode_state(content: bytes) -> dict[str, Any]:
    """Decode the result of `encode_state`; raises `InputError` for bytes that are damaged or of
    another version.
    """
    if not content.startswith(MAGIC) or len(content) < HEAD:
        raise InputError("checkpoint: expected the state of a job, got other or incomplete bytes")
    if is_other_version(content):
        raise InputError(
            f"checkpoint: expected version {VERSION}, got {content[len(MAGIC)]}; it was written "
            "by another version of levolve"
        )
    if hashlib.sha256(content[HEAD:]).digest() != content[HEAD - CHECKSUM : HEAD]:
        raise InputError("checkpoint: its checksum is wrong, the bytes are damaged")
    try:
        start = HEAD + 2 * NUMBER
        length, packed = (
            int.from_bytes(content[place : place + NUMBER], "little")
            for place in (HEAD, HEAD + NUMBER)
        )
        header = json.loads(_decompressed(content[start : start + packed], length))
        state: dict[str, Any] = _read(
            header["state"], _arrays(header["arrays"], content[start + packed :])
        )
    except (zlib.error, ValueError, LookupError, TypeError, RecursionError, MemoryError) as problem:
        raise InputError(
            f"checkpoint: expected the state of a job, got bytes that cannot be read: {problem}"
        ) from problem
    return state


def is_other_version(content: bytes) -> bool:
    """Whether bytes are a state that another version of levolve wrote."""
    return content.startswith(MAGIC) and len(content) >= HEAD and content[len(MAGIC)] != VERSION


def _written(value: Any, arrays: list[NDArray[Any]]) -> Any:  # noqa: PLR0911 one line per type of plain data
    """Return a value in the form of the header; arrays are moved to the list."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return {
            TABLE: [
                [key if isinstance(key, str) else int(key), _written(part, arrays)]
                for key, part in value.items()
            ]
        }
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
    raise InputError(
        "state: expected plain numbers, texts, lists, tables and arrays, got "
        f"{type(value).__name__}"
    )


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


def _decompressed(content: bytes, length: int) -> bytes:
    """Return the original bytes, `length` of them. Their number is checked before memory is
    taken.
    """
    if length > LARGEST:
        raise ValueError(f"{length} bytes")
    return content if len(content) == length else zlib.decompressobj().decompress(content, length)


def _arrays(entries: list[Any], content: bytes) -> list[NDArray[Any]]:
    found, start = [], 0
    for name, shape, length in entries:
        dtype = np.dtype(str(name))
        if dtype.kind not in KINDS:
            raise ValueError(f"an array of type {name}")
        original = _decompressed(content[start : start + length], dtype.itemsize * math.prod(shape))
        found.append(np.frombuffer(original, dtype).reshape(shape).copy())
        start += length
    return found


def _read(value: Any, arrays: list[NDArray[Any]]) -> Any:
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
