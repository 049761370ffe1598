"""NPZ: arrays for NumPy, without pickled objects, so that reading a file executes no code."""

import io
import zipfile
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.lib import format as layout

from levolve.core.errors import InputError
from levolve.formats.format import Format
from levolve.formats.metadata import (
    METADATA,
    THINGS,
    level_from_parts,
    metadata_of,
    needing_plugins,
)
from levolve.formats.reading.arrays import Array, read_arrays
from levolve.formats.reading.budgets import check_amount
from levolve.levels.level import Level
from levolve.levels.places import MOST_CHECKPOINTS
from levolve.levels.things.thing import MOST_THINGS, Thing
from levolve.levels.tileset import TILESETS

# As many as a level may have, with checkpoints, entrance, exit and tour.
MOST_PLACES = MOST_CHECKPOINTS + 5
# A row per thing: kind, (x, y), id, and fields such as "color=red".
TABLE = ("thing_kinds", "thing_cells", "thing_ids", "thing_fields")
ARRAYS = ("tiles", "tileset", "place_names", "places", *TABLE, *METADATA)


def encode(level: Level) -> bytes:
    """Encode a level as arrays: `tiles`; `place_names` and `places`, one (x, y) each; `tileset`;
    `thing_kinds`, `thing_cells`, `thing_ids` and `thing_fields`, a row per thing; and one string
    per entry of the metadata.
    """
    arrays = {
        "tiles": level.tiles,
        "tileset": np.array(level.tileset.name),
        "place_names": np.array(list(level.places), np.str_),
        "places": np.array(list(level.places.values()), np.int64).reshape(-1, 2),
        **_things_to_arrays(level.things),
        **{name: np.array(text) for name, text in metadata_of(level).items() if name != THINGS},
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
    things = _things(arrays) if TABLE[0] in arrays else None
    level = level_from_parts(arrays["tiles"], places, tileset, texts, things)
    if texts.get("digest", level.digest) != level.digest:
        raise InputError(
            "digest: does not match the tiles and places: the arrays were changed after they "
            "were written; remove the digest to accept the change, "
            "without the origin"
        )
    return level


def _things_to_arrays(things: Sequence[Thing]) -> dict[str, Array]:
    if not things:
        return {}
    fields = [" ".join(map("=".join, thing.fields.items())) for thing in things]
    columns = (
        np.array([thing.kind for thing in things]),
        np.array([thing.cell for thing in things], np.int64),
        np.array([thing.id for thing in things]),
        np.array(fields),
    )
    return dict(zip(TABLE, columns, strict=True))


def _things(arrays: Mapping[str, Array]) -> list[Thing]:
    """Return the things in the arrays of `TABLE`; `InputError` for other shapes or types."""
    found = [arrays.get(name, np.empty(0)) for name in TABLE]
    kinds, cells, ids, fields = found
    count = kinds.size
    texts = all(
        column.shape == (count,) and column.dtype.kind == "U" for column in (kinds, ids, fields)
    )
    if not texts or cells.shape != (count, 2) or cells.dtype.kind not in "iu":
        got = ", ".join(
            f"{name} {each.dtype} {each.shape}" for name, each in zip(TABLE, found, strict=True)
        )
        raise InputError(
            "things: expected a row per thing in arrays of texts, and cells (x, y) of whole "
            f"numbers, got {got}"
        )
    check_amount(count, MOST_THINGS, "things", "npz")
    rows = zip(kinds.tolist(), cells.tolist(), ids.tolist(), fields.tolist(), strict=True)
    return [
        Thing(kind, (x, y), name, dict(word.partition("=")[::2] for word in words.split()))
        for kind, (x, y), name, words in rows
    ]


NPZ = Format("arrays for NumPy", encode, decode)
