"""Arrays that NumPy saved, `.npy` and `.npz`: numbers and strings only. Nothing in a file is
executed or unpickled.

The header of an array is text in the syntax of Python. NumPy evaluates it with Python's parser;
here it must have the one form that is written.
"""

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.formats.reading.budgets import MOST_BYTES, MOST_ENTRIES, check_amount

Array = NDArray[Any]

_MAGIC = b"\x93NUMPY"
_HEADER = re.compile(
    r"\{'descr': '(?P<kind>[<>|=][biufU][0-9]{1,9})', 'fortran_order': (?P<columns>True|False), "
    r"'shape': \((?P<shape>(?:[0-9]{1,10}, ?){0,4}(?:[0-9]{1,10})?)\), ?\}\s*"
)
_LONGEST_HEADER = 4096
_LAST_CHARACTER, _SURROGATES = 0x10FFFF, (0xD800, 0xDFFF)
_ENTRY = b"PK\x01\x02"
# Raised by zipfile for invalid or damaged files.
_DAMAGED = (
    OSError,
    ValueError,
    EOFError,
    LookupError,
    TypeError,
    RuntimeError,
    SyntaxError,
    OverflowError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)


def read_array(content: bytes, what: str) -> Array:
    """Return a copy of the array in the bytes of a `.npy` file."""
    wide = content[6:7] != b"\x01"
    begin = 12 if wide else 10
    if content[:6] != _MAGIC or len(content) < begin:
        raise InputError(f"{what}: expected an array saved by NumPy, got something else")
    length = int.from_bytes(content[8:begin], "little")
    check_amount(length, _LONGEST_HEADER, "bytes as header", what)
    header = _HEADER.fullmatch(content[begin : begin + length].decode("latin-1"))
    if header is None:
        raise InputError(
            f"{what}: expected an array of numbers or strings, got another kind, pickled objects "
            "or a damaged header"
        )
    shape = tuple(int(side) for side in header["shape"].split(",") if side.strip())
    try:
        kind = np.dtype(header["kind"])
        size = prod(shape) * kind.itemsize
        if not kind.itemsize or size != len(content) - begin - length:
            raise InputError(
                f"{what}: expected a complete array, got {len(content) - begin - length:,} bytes "
                f"instead of {size:,}"
            )
        array = np.frombuffer(content, kind, offset=begin + length) if size else np.empty(0, kind)
        array = array.reshape(shape, order="F" if header["columns"] == "True" else "C").copy(
            order="C"
        )
    except (TypeError, OverflowError) as problem:
        raise InputError(
            f"{what}: expected an array of numbers or strings, got the kind {header['kind']!r}"
        ) from problem
    if kind.kind == "U":
        _check_characters(np.frombuffer(content, kind.str[0] + "u4", offset=begin + length), what)
    return array


def _check_characters(codes: Array, what: str) -> None:
    low, high = _SURROGATES
    if (codes > _LAST_CHARACTER).any() or ((codes >= low) & (codes <= high)).any():
        raise InputError(
            f"{what}: expected complete characters in strings, got numbers that are none"
        )


def read_arrays(content: bytes, wanted: Sequence[str], what: str) -> dict[str, Array]:
    """Return the arrays with the wanted names in the bytes of a `.npz` file; the first is required.
    Others are not unpacked.
    """
    # Counted before the list of entries is read, because it is read as a whole.
    check_amount(content.count(_ENTRY), MOST_ENTRIES, "entries", what)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = {
                entry.filename.removesuffix(".npy"): entry
                for entry in archive.infolist()
                if entry.filename.endswith(".npy")
            }
            _check_required(wanted[0], list(entries), what)
            entries = {name: entry for name, entry in entries.items() if name in wanted}
            check_amount(
                sum(entry.file_size for entry in entries.values()),
                MOST_BYTES,
                "bytes when unpacked",
                what,
            )
            return {
                name: read_array(_unpacked(archive, entry, what), f"{what}, array {name}")
                for name, entry in entries.items()
            }
    except InputError:
        raise
    except _DAMAGED as problem:
        raise InputError(
            f"{what}: expected arrays saved by NumPy, got another or a damaged file"
        ) from problem


def _check_required(name: str, names: list[str], what: str) -> None:
    if name not in names:
        raise InputError(
            f"{what}: expected an array called {name!r}, got "
            f"{', '.join(other[:40] for other in names[:8]) or 'none'}"
        )


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, what: str) -> bytes:
    """Return the bytes of an entry: no more than it says."""
    if entry.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED} or entry.flag_bits & 1:
        raise InputError(
            f"{what}: expected arrays that are not encrypted, and compressed by NumPy or not at all"
        )
    with archive.open(entry) as file:
        return file.read(entry.file_size)
