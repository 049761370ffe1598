"""A map with its design to bytes, by a file's suffix."""

import io
from collections.abc import Mapping

import numpy as np

from levolve.errors import InputError
from levolve.fashion.design import Design
from levolve.fashion.legend import palette_for
from levolve.fashion.pictures import encode_animation, encode_picture
from levolve.fashion.records import write_records
from levolve.fashion.rule import Map

SUFFIXES = (".txt", ".toml", ".json", ".png", ".gif", ".npy")


def encode_map(design: Design, tiles: Map, suffix: str, pixels: int = 4, notes: Mapping[str, str] | None = None) -> bytes:
    """A finished map as a picture, an array or a record; or its design as a rule file. A GIF shows all updates from this map on."""
    match suffix:
        case ".txt":
            return write_records([design.to_record((tiles.shape[1], tiles.shape[0]), tiles)]).encode()
        case ".toml":
            return design.to_toml().encode()
        case ".json":
            return design.to_json().encode()
        case ".png":
            return encode_picture(tiles, palette_for(design.rule.states, design.palette), pixels, notes)
        case ".gif":
            return encode_animation(design.rule.frames(tiles, design.updates), palette_for(design.rule.states, design.palette), pixels)
        case ".npy":
            buffer = io.BytesIO()
            np.save(buffer, tiles)
            return buffer.getvalue()
    message = f"expected a file name that ends in one of {', '.join(SUFFIXES)}, got {suffix!r}"
    raise InputError(message)
