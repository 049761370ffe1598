"""Map files: a map with its design as bytes, by a file's suffix."""

import io
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from levolve.errors import InputError
from levolve.fashion.design import Design
from levolve.fashion.legend import palette_for
from levolve.fashion.pictures import check_picture, encode_animation, encode_picture
from levolve.fashion.records import appended, write_records
from levolve.fashion.rule import Map
from levolve.formats import FORMATS
from levolve.formats.files import check_size, suffix_of
from levolve.formats.reading.files import read_text
from levolve.formats.writing import check_writable

CONTENTS = ("record", "every", "map", "parameters")
SUFFIXES = (".txt", ".toml", ".json", ".png", ".gif", ".npy")


def check_map_path(path: str | Path, *, append: bool = False) -> None:
    """Refuse a file name that no map can be written to, before the work whose result should go there.

    With `append` an existing file has to be text of the source's form.
    """
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        message = f"output: expected a file name that ends in one of {', '.join(SUFFIXES)}, got {str(path)!r}"
        raise InputError(message)
    check_writable(path)
    if append and path.suffix.lower() != ".txt":
        message = f"append: expected a file name that ends in .txt, the only form that can be appended to, got {str(path)!r}"
        raise InputError(message)
    if append and path.exists():
        appended(read_text(path), "", f"append: {path}")


def check_frames(folder: str | Path, prefix: str = "") -> None:
    """Refuse a folder that frames cannot be written into, and a prefix of their names that would lead out of it."""
    if any(sign in prefix for sign in ("/", "\\", "\0")) or prefix in {".", ".."}:
        message = f"prefix: expected the beginning of a file name, without path separators, got {prefix!r}; choose the folder instead"
        raise InputError(message)
    check_writable(Path(folder) / f"{prefix}0.png")


def check_map_sizes(paths: Iterable[str | Path], size: tuple[int, int], pixels: int, level: str | Path | None = None) -> None:
    """Refuse pictures of a map, and a file of its level, that are too large, before the map of this width and height is made."""
    if any(Path(path).suffix.lower() in {".png", ".gif"} for path in paths):
        check_picture(*size, pixels)
    if level is not None:
        check_size(level, *size)


def check_content(content: str) -> None:
    """Refuse what a text file cannot hold."""
    if content not in CONTENTS:
        message = f"content: expected one of {', '.join(CONTENTS)}, got {content!r}"
        raise InputError(message)


def check_level_path(path: str | Path) -> None:
    """Refuse a file name that no level can be written to."""
    FORMATS[suffix_of(path)]
    check_writable(path)


def encode_map(design: Design, tiles: Map, suffix: str, pixels: int = 4, notes: Mapping[str, str] | None = None) -> bytes:
    """A map as the bytes of a file: a picture or an array; or its design as a rule file or a record.

    `tiles` are `(height, width)` states, `suffix` is one of `SUFFIXES`, `pixels` the pixels per cell in pictures, from 1. `notes` are texts that a
    PNG carries.
    """
    match suffix:
        case ".txt":
            return write_records([design.to_record((tiles.shape[1], tiles.shape[0]))]).encode()
        case ".toml":
            return design.to_toml().encode()
        case ".json":
            return design.to_json().encode()
        case ".png":
            return encode_picture(tiles, palette_for(design.rule.states, design.palette), pixels, notes)
        case ".gif":
            frames = (*design.earlier, design.result) if design.result is not None else design.rule.frames(tiles, design.updates)
            return encode_animation(frames, palette_for(design.rule.states, design.palette), pixels)
        case ".npy":
            buffer = io.BytesIO()
            np.save(buffer, tiles)
            return buffer.getvalue()
    message = f"expected a file name that ends in one of {', '.join(SUFFIXES)}, got {suffix!r}"
    raise InputError(message)
