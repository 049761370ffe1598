"""Conversion of rule and record files: into records, rule files, pictures, arrays and levels."""

from collections.abc import Sequence
from pathlib import Path

from levolve.errors import InputError
from levolve.fashion.caverns import level_of
from levolve.fashion.design import Design, find_designs
from levolve.fashion.files import SUFFIXES, encode_map
from levolve.fashion.records import MARK, holds_maps_only, write_records
from levolve.fashion.starts import checked_size
from levolve.formats import FORMATS
from levolve.formats.files import save_level, split_part, suffix_of
from levolve.formats.look import Look
from levolve.formats.reading.files import read_bytes
from levolve.formats.writing import check_writable, write_file


def designs_in(path: str | Path, *, size: tuple[int, int] | str | None = None) -> list[Design] | None:
    """The designs in a file of records or a rule file; None for a file of another kind, such as a level.

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
        return find_designs(path) if '"scores"' in content and '"levolve level"' not in content else None
    if MARK in content or (wanted is not None and holds_maps_only(content)):
        return find_designs(path, size=wanted)
    return None


def convert_designs(  # noqa: PLR0913 what to write, and how it looks
    designs: Sequence[Design],
    target: str | Path,
    *,
    level: bool = False,
    palette: str | Sequence[Sequence[int]] = "source",
    pixels: int = 4,
    look: Look | None = None,
) -> list[Path]:
    """Write designs into another kind of file, by the target's suffix, and give the paths written.

    Several designs go into one `.txt` file of records, or into files of their own, `NAME-1`, `NAME-2` and so on. With `level`, or where the suffix
    belongs to levels only, each design's map becomes a level. `palette` and `pixels`, the pixels per cell, are for pictures of
    maps, `look` is for levels.
    """
    target = Path(target)
    check_writable(target)
    if target.suffix.lower() == ".txt" and not level:
        return [write_file(target, write_records([design.to_record() for design in designs]).encode())]
    paths = [target] if len(designs) == 1 else [target.with_stem(f"{target.stem}-{number}") for number in range(1, len(designs) + 1)]
    return [_write(design.adapted(palette=palette), path, level=level, pixels=pixels, look=look) for design, path in zip(designs, paths, strict=True)]


def _write(design: Design, path: Path, *, level: bool, pixels: int, look: Look | None) -> Path:
    suffix = path.suffix.lower()
    if suffix in {".toml", ".json"} and not level:
        return write_file(path, encode_map(design, design.starting((2, 2), 0), suffix))
    if design.given is None:
        message = f"{design.name}: expected a map to make {path.name} of, this record has none; make one with 'levolve map'"
        raise InputError(message)
    if level or suffix not in SUFFIXES or "." in suffix_of(path):
        FORMATS[suffix_of(path)]
        return save_level(level_of(design.given, design.legend), path, look)
    if look is not None:
        message = f"--theme and --tile: expected a level, but {path.name} becomes a picture of the map; add --level"
        raise InputError(message)
    return write_file(path, encode_map(design, design.given, suffix, pixels))
