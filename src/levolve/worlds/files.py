"""Map files: a map with its design as bytes, by a file's suffix.

Conversion of rule and record files: into records, rule files, pictures, arrays and levels.
"""

import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from levolve.core.errors import InputError
from levolve.formats import FORMATS
from levolve.formats.level_files import check_size, save_level, split_part, suffix_of
from levolve.formats.look import Look
from levolve.formats.reading.files import read_bytes, read_text
from levolve.formats.writing import check_writable, write_file
from levolve.worlds.design import Design
from levolve.worlds.legend import palette_for
from levolve.worlds.pictures import check_picture, encode_animation, encode_picture, level_of
from levolve.worlds.records import MARK, appended, holds_maps_only, write_records
from levolve.worlds.rule import Map, Rule
from levolve.worlds.shipped import find_design, find_designs
from levolve.worlds.starts import checked_size

CONTENTS = ("record", "every", "map", "parameters")
# The work that reading a file may cause: some seconds.
MOST_WORK = 1 << 30
SUFFIXES = (".txt", ".toml", ".json", ".png", ".gif", ".npy")


def check_map_path(path: str | Path, *, append: bool = False) -> None:
    """Refuse a file name that no map can be written to, before the work whose result should go
    there.

    With `append` an existing file has to be text of the source's form.
    """
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(
            f"output: expected a file name that ends in one of {', '.join(SUFFIXES)}, got "
            f"{str(path)!r}"
        )
    check_writable(path)
    if append and path.suffix.lower() != ".txt":
        raise InputError(
            "append: expected a file name that ends in .txt, the only form that can be appended "
            f"to, got {str(path)!r}"
        )
    if append and path.exists():
        appended(read_text(path), "", f"append: {path}")


def check_frames(folder: str | Path, prefix: str = "") -> None:
    """Refuse a folder that frames cannot be written into, and a prefix of their names that would
    lead out of it.
    """
    if any(sign in prefix for sign in ("/", "\\", "\0")) or prefix in {".", ".."}:
        raise InputError(
            "prefix: expected the beginning of a file name, without path separators, got "
            f"{prefix!r}; choose the folder instead"
        )
    check_writable(Path(folder) / f"{prefix}0.png")


def check_map_sizes(
    paths: Iterable[str | Path], size: tuple[int, int], pixels: int, level: str | Path | None = None
) -> None:
    """Refuse pictures of a map, and a file of its level, that are too large, before the map of this
    width and height is made.
    """
    if any(Path(path).suffix.lower() in {".png", ".gif"} for path in paths):
        check_picture(*size, pixels)
    if level is not None:
        check_size(level, *size)


def check_content(content: str) -> None:
    """Refuse what a text file cannot hold."""
    if content not in CONTENTS:
        raise InputError(f"content: expected one of {', '.join(CONTENTS)}, got {content!r}")


def check_level_path(path: str | Path) -> None:
    """Refuse a file name that no level can be written to."""
    FORMATS[suffix_of(path)]
    check_writable(path)


def encode_map(
    design: Design, tiles: Map, suffix: str, pixels: int = 4, notes: Mapping[str, str] | None = None
) -> bytes:
    """A map as the bytes of a file: a picture or an array; or its design as a rule file or a
    record.

    `tiles` are `(height, width)` states, `suffix` is one of `SUFFIXES`, `pixels` the pixels per
    cell in pictures, from 1. `notes` are texts that a PNG carries.
    """
    match suffix:
        case ".txt":
            return write_records([design.to_record((tiles.shape[1], tiles.shape[0]))]).encode()
        case ".toml":
            return design.to_toml().encode()
        case ".json":
            return design.to_json().encode()
        case ".png":
            return encode_picture(
                tiles, palette_for(design.rule.states, design.palette), pixels, notes
            )
        case ".gif":
            frames = (
                (*design.earlier, design.result)
                if design.result is not None
                else design.rule.frames(tiles, design.updates)
            )
            return encode_animation(frames, palette_for(design.rule.states, design.palette), pixels)
        case ".npy":
            buffer = io.BytesIO()
            np.save(buffer, tiles)
            return buffer.getvalue()
    raise InputError(
        f"expected a file name that ends in one of {', '.join(SUFFIXES)}, got {suffix!r}"
    )


def encode_design(rule: Design | Rule, path: Path) -> dict[Path, bytes]:
    """Return the bytes of the file of a rule, as TOML, JSON or a record."""
    design = find_design(rule)
    match path.suffix.lower():
        case ".txt":
            text = write_records([design.to_record()])
        case ".json":
            text = design.to_json()
        case _:
            text = design.to_toml()
    return {path: text.encode()}


def read_map(path: str | Path) -> Any:
    """Read the rule in a file: a `FashionMap` if the file contains a map, otherwise a `Design`."""
    designs = find_designs(path if Path(path).parent != Path() else Path("./") / path)
    if len(designs) > 1:
        raise InputError(
            f"{path}: expected one record, got {len(designs)}; read them with "
            "levolve.fashion.find_designs"
        )
    (design,) = designs
    if design.given is None:
        return design
    work = design.given.size * (design.updates if design.result is None else 0)
    if work > MOST_WORK:
        raise InputError(
            f"{path}: expected at most {MOST_WORK:,} cells times updates, got {work:,}; make the "
            "map with levolve.fashion.make_map"
        )
    from levolve.worlds.maps import make_map

    return make_map(design, seed=0)


def designs_in(
    path: str | Path, *, size: tuple[int, int] | str | None = None
) -> list[Design] | None:
    """The designs in a file of records or a rule file; None for a file of another kind, such as a
    level.

    A text file of maps alone is read with their `size`, (width, height) or `"WIDTHxHEIGHT"`.
    """
    path = split_part(path)[0]
    wanted = None if size is None else checked_size(size)
    suffix = path.suffix.lower()
    if suffix == ".toml":
        return find_designs(path)
    if suffix.removeprefix(".") in FORMATS and suffix not in {".txt", ".json"}:
        return None
    try:
        content = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    if suffix == ".json":
        return (
            find_designs(path)
            if '"scores"' in content and '"levolve level"' not in content
            else None
        )
    if MARK in content or (wanted is not None and holds_maps_only(content)):
        return find_designs(path, size=wanted)
    return None


def convert_designs(
    designs: Sequence[Design],
    target: str | Path,
    *,
    level: bool = False,
    palette: str | Sequence[Sequence[int]] = "source",
    pixels: int = 4,
    look: Look | None = None,
) -> list[Path]:
    """Write designs into another kind of file, by the target's suffix, and give the paths written.

    Several designs go into one `.txt` file of records, or into files of their own, `NAME-1`,
    `NAME-2` and so on. With `level`, or where the suffix belongs to levels only, each design's map
    becomes a level. `palette` and `pixels`, the pixels per cell, are for pictures of maps, `look`
    is for levels.
    """
    target = Path(target)
    check_writable(target)
    if target.suffix.lower() == ".txt" and not level:
        return [
            write_file(target, write_records([design.to_record() for design in designs]).encode())
        ]
    paths = (
        [target]
        if len(designs) == 1
        else [target.with_stem(f"{target.stem}-{number}") for number in range(1, len(designs) + 1)]
    )
    return [
        _write(design.adapted(palette=palette), path, level=level, pixels=pixels, look=look)
        for design, path in zip(designs, paths, strict=True)
    ]


def _write(design: Design, path: Path, *, level: bool, pixels: int, look: Look | None) -> Path:
    suffix = path.suffix.lower()
    if suffix in {".toml", ".json"} and not level:
        return write_file(path, encode_map(design, design.starting((2, 2), 0), suffix))
    if design.given is None:
        raise InputError(
            f"{design.name}: expected a map to make {path.name} of, this record has none; make "
            "one with 'levolve map'"
        )
    if level or suffix not in SUFFIXES or "." in suffix_of(path):
        FORMATS[suffix_of(path)]
        return save_level(level_of(design.given, design.legend), path, look)
    if look is not None:
        raise InputError(
            f"--theme and --tile: expected a level, but {path.name} becomes a picture of the "
            "map; add --level"
        )
    return write_file(path, encode_map(design, design.given, suffix, pixels))
