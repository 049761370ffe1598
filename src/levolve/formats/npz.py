"""NPZ: arrays for NumPy, without pickled objects, so that reading a file executes no code."""

import io
import zipfile
import zlib
from typing import Any

import numpy as np
from numpy.lib import format as layout
from numpy.typing import NDArray

from levolve.errors import InputError
from levolve.formats.format import Format
from levolve.formats.metadata import METADATA, level_from_parts, metadata_of
from levolve.levels.frame import MOST_CELLS
from levolve.levels.level import Level
from levolve.levels.tileset import TILESETS

Array = NDArray[Any]
MOST_BYTES = 8 * MOST_CELLS
# Raised by zipfile and NumPy for invalid or damaged files.
DAMAGED = (OSError, ValueError, EOFError, KeyError, TypeError, RuntimeError, SyntaxError, zipfile.BadZipFile, zlib.error, OverflowError)


def encode(level: Level) -> bytes:
    """Encode a level as arrays: `tiles`; `place_names` and `places`, one (x, y) each; `tileset`; and one string per entry of the metadata."""
    arrays = {
        "tiles": level.tiles,
        "tileset": np.array(level.tileset.name),
        "place_names": np.array(list(level.places), np.str_),
        "places": np.array(list(level.places.values()), np.int64).reshape(-1, 2),
        **{name: np.array(value) for name, value in metadata_of(level).items()},
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, array in arrays.items():
            # A constant date, so that the bytes are always the same.
            entry = zipfile.ZipInfo(f"{name}.npy")
            entry.compress_type = zipfile.ZIP_DEFLATED
            member = io.BytesIO()
            layout.write_array(member, np.ascontiguousarray(array) if array.ndim else array, allow_pickle=False)
            archive.writestr(entry, member.getvalue())
    return buffer.getvalue()


def decode(content: bytes) -> Level:
    """Decode the arrays of `encode`, or `tiles` alone."""
    arrays = _arrays(content)
    if "tiles" not in arrays:
        message = f"npz: expected an array called 'tiles', got {', '.join(arrays) or 'none'}"
        raise InputError(message)
    texts = {name: str(array) for name, array in arrays.items() if name in {"tileset", *METADATA} and array.ndim == 0 and array.dtype.kind == "U"}
    names, cells = arrays.get("place_names", np.empty(0, np.str_)), arrays.get("places", np.empty((0, 2), np.int64))
    if names.dtype.kind != "U" or cells.dtype.kind not in "iu" or cells.shape != (names.size, 2):
        message = (
            f"places: expected an array of names and one of (x, y) whole numbers, got {names.dtype} {names.shape} and {cells.dtype} {cells.shape}"
        )
        raise InputError(message)
    places = {str(name): (int(x), int(y)) for name, (x, y) in zip(names.ravel(), cells.tolist(), strict=True)}
    level = level_from_parts(arrays["tiles"], places, TILESETS[texts.get("tileset", "walls")], texts)
    if texts.get("digest", level.digest) != level.digest:
        message = (
            "digest: does not match the tiles and places: the arrays were changed after they were written; remove the digest to accept the change"
        )
        raise InputError(message)
    return level


def _arrays(content: bytes) -> dict[str, Array]:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = [entry for entry in archive.infolist() if entry.filename.endswith(".npy")]
            if sum(entry.file_size for entry in entries) <= MOST_BYTES:
                return {entry.filename.removesuffix(".npy"): _array(archive.read(entry)) for entry in entries}
    except InputError:
        raise
    except DAMAGED as problem:
        message = f"npz: expected arrays saved by NumPy: {problem}"
        raise InputError(message) from problem
    message = "npz: expected the arrays of one level, got more arrays than a level has"
    raise InputError(message)


def _array(content: bytes) -> Array:
    """Read an array, and check that its size matches its header."""
    file = io.BytesIO(content)
    version = layout.read_magic(file)
    shape, _, kind = (layout.read_array_header_1_0 if version == (1, 0) else layout.read_array_header_2_0)(file)
    if kind.hasobject or int(np.prod([*shape, kind.itemsize], dtype=object)) != len(content) - file.tell():
        message = "npz: expected complete arrays of numbers and strings, got pickled objects or a damaged array"
        raise InputError(message)
    file.seek(0)
    array: Array = layout.read_array(file, allow_pickle=False)
    return array


NPZ = Format("arrays for NumPy", encode, decode)
