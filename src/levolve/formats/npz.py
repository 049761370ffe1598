"""NPZ: arrays for NumPy, without pickled objects, so that reading a file executes no code."""

import io
import zipfile

import numpy as np
from numpy.lib import format as layout

from levolve.core.errors import InputError
from levolve.formats.format import Format
from levolve.formats.metadata import METADATA, level_from_parts, metadata_of, needing_plugins
from levolve.formats.reading.arrays import read_arrays
from levolve.formats.reading.budgets import check_amount
from levolve.levels.level import Level
from levolve.levels.places import MOST_CHECKPOINTS
from levolve.levels.tileset import TILESETS

# As many as a level may have, with checkpoints, entrance, exit and tour.
MOST_PLACES = MOST_CHECKPOINTS + 5
ARRAYS = ("tiles", "tileset", "place_names", "places", *METADATA)


def encode(level: Level) -> bytes:
    """Encode a level as arrays: `tiles`; `place_names` and `places`, one (x, y) each; `tileset`;
    and one string per entry of the metadata.
    """
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
            layout.write_array(
                member, np.ascontiguousarray(array) if array.ndim else array, allow_pickle=False
            )
            archive.writestr(entry, member.getvalue())
    return buffer.getvalue()


def decode(content: bytes) -> Level:
    """Decode the arrays of `encode`, or `tiles` alone."""
    arrays = read_arrays(content, ARRAYS, "npz")
    texts = {
        name: str(array)
        for name, array in arrays.items()
        if name in {"tileset", *METADATA} and array.ndim == 0 and array.dtype.kind == "U"
    }
    names, cells = (
        arrays.get("place_names", np.empty(0, np.str_)),
        arrays.get("places", np.empty((0, 2), np.int64)),
    )
    if names.dtype.kind != "U" or cells.dtype.kind not in "iu" or cells.shape != (names.size, 2):
        raise InputError(
            "places: expected an array of names and one of (x, y) whole numbers, got "
            f"{names.dtype} {names.shape} and {cells.dtype} {cells.shape}"
        )
    check_amount(names.size, MOST_PLACES, "places", "npz")
    places = {
        str(name): (int(x), int(y))
        for name, (x, y) in zip(names.ravel(), cells.tolist(), strict=True)
    }
    # Members are compressed, so their texts are given as a whole.
    with needing_plugins(f"plugins: {texts.get('plugins', '')}".encode()):
        tileset = TILESETS[texts.get("tileset", "walls")]
    level = level_from_parts(arrays["tiles"], places, tileset, texts)
    if texts.get("digest", level.digest) != level.digest:
        raise InputError(
            "digest: does not match the tiles and places: the arrays were changed after they "
            "were written; remove the digest to accept the change, "
            "without the origin"
        )
    return level


NPZ = Format("arrays for NumPy", encode, decode)
