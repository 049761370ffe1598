"""`save_level` and `load_level`: levels to and from files of any format."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from levolve.core.errors import InputError, OutputError, UnknownNameError, shown
from levolve.core.registry import did_you_mean
from levolve.formats import FORMATS
from levolve.formats.format import Format
from levolve.formats.metadata import needing_plugins
from levolve.formats.originals import Original
from levolve.formats.pictures.colours import check_pixels
from levolve.formats.reading.budgets import check_cells
from levolve.formats.reading.files import naming, read_bytes
from levolve.formats.writing import write_files
from levolve.levels.level import Level
from levolve.levels.solver import recertified, writable

if TYPE_CHECKING:
    from levolve.formats.look import Look

# In a path, what follows this sign is the name of one of several levels in the file.
PART = "#"


class UnseenThingsWarning(UserWarning):
    """The programs that a file is for do not show the things of its level."""


def suffix_of(path: str | Path) -> str:
    """Return the name of the format in a path: its suffix without the dot, or a suffix of two parts
    such as tiles.png.
    """
    name = split_part(path)[0].name.lower()
    suffix = next(
        (known for known in FORMATS if "." in known and name.endswith(f".{known}")),
        Path(name).suffix.removeprefix("."),
    )
    if not suffix:
        raise InputError(
            f"{path}: expected a file name that ends in one of "
            f"{', '.join('.' + name for name in FORMATS)}"
        )
    return suffix


def check_size(path: str | Path, width: int, height: int, look: Look | None = None) -> None:
    """Refuse a level that is too large for its file, before the work that makes it: one that no
    reader accepts, or a picture with too many pixels.
    """
    check_cells(width, height, f"output {path}")
    if suffix_of(path) in {"png", "gif"} and look is not None and look.tile is not None:
        check_pixels(width, height, look.tile)


def save_level(
    level: Level,
    path: str | Path,
    look: Look | None = None,
    original: Original | None = None,
    *,
    allow_loss: bool = False,
) -> Path:
    """Write a level to a file, and return the path.

    The solution is replayed first; a wrong one raises `ProofError`, and nothing is written. A level
    with things that can be lost is only written with `allow_loss`.

    Parameters
    ----------
    level
        The level to write.
    path
        Its suffix selects the format (see `levolve parts formats`). Additional files of the format,
        such as a picture of the tiles, are written to the same folder.
    look
        The theme and the tile size of pictures and of files for editors and engines.
    original
        A file whose foreign parts, such as layers that a person added, are written too; see
        `open_level`.
    """
    write_files(encode_all(level, path, look, original, allow_loss=allow_loss))
    return Path(path)


def encode_all(
    level: Level,
    path: str | Path,
    look: Look | None = None,
    original: Original | None = None,
    *,
    allow_loss: bool = False,
) -> dict[Path, bytes]:
    """Return the bytes of a level's file and of its additional files, such as a picture of the
    tiles, by path.

    The foreign parts of an original, such as layers that a person added, are part of the file; a
    warning names those that it cannot hold. An existing file with other content is never replaced
    by an additional file.
    """
    suffix = suffix_of(path)
    entry = FORMATS[suffix]
    level = writable(level, allow_loss=allow_loss)
    from levolve.formats.look import Look

    look = look or Look()
    if entry.blind and level.things:
        _warn_of_things(suffix, entry.blind, level)
    written, look = (
        (entry.write(level, look), look)
        if original is None
        else original.write(level, suffix, look)
    )
    files = {Path(path): written}
    for name, content in entry.beside(level, look).items():
        other = Path(path).parent / name
        if not other.exists() or _same(other, content):
            files[other] = content
        elif not _serves(entry, other, content):
            raise OutputError(
                f"output {other}: {Path(path).name} needs this name for its tiles, but another "
                "file has it; move that file"
            )
    return files


def _warn_of_things(suffix: str, programs: str, level: Level) -> None:
    kinds = ", ".join(dict.fromkeys(thing.kind for thing in level.things))
    warnings.warn(
        f".{suffix}: {programs} show no things; only levolve reads these from the file: {kinds}",
        UnseenThingsWarning,
        stacklevel=4,
    )


def _serves(entry: Format, path: Path, content: bytes) -> bool:
    """Whether an existing file can be used as it is, although its bytes differ."""
    return entry.serves is not None and entry.serves(path.name, read_bytes(path), content)


def _same(path: Path, content: bytes) -> bool:
    """Whether a file has this content, or contains the same picture."""
    return _same_picture(path, content) if path.suffix == ".png" else read_bytes(path) == content


def _same_picture(path: Path, content: bytes) -> bool:
    """Whether a file contains the same picture, even if its bytes differ."""
    from levolve.formats.reading.pictures import png_chunks, png_pixels, png_size

    try:
        there, ours = png_chunks(read_bytes(path)), png_chunks(content)
        return (
            png_size(there) == png_size(ours)
            and png_pixels(there, "RGBA").tobytes() == png_pixels(ours, "RGBA").tobytes()
        )
    except InputError:
        return False


def split_part(path: str | Path) -> tuple[Path, str | None]:
    """Split a path such as pack.ldtk#Level_03 into the path of a file and the name of a level in
    it; the name is None in any other path.
    """
    path = Path(path)
    file, _, name = path.name.partition(PART)
    named = re.fullmatch(r"[\w-]+", name) is not None
    if (
        not named
        or path.exists()
        or not any(
            file.lower().endswith(f".{suffix}") and FORMATS[suffix].levels is not None
            for suffix in FORMATS
        )
    ):
        return path, None
    return path.with_name(file), name


def load_level(path: str | Path) -> Level:
    """Read a level from a file; the suffix of the path selects the format. FILE#NAME is one of
    several levels in a file.

    The solution is replayed; a wrong one raises `ProofError`. In formats that people edit, it is
    replaced by a new one instead, or dropped if the level cannot be won.
    """
    return open_level(path)[0]


def open_level(path: str | Path) -> tuple[Level, Original]:
    """Read a level as `load_level` does, and return it together with its file."""
    level, original = _read(path)
    with naming(path):
        return certified(path, level), original


def read_original(path: str | Path) -> Original:
    """Return a file as an original, whose foreign parts can join the files of other levels."""
    file, part = split_part(path)
    suffix, content = suffix_of(file), read_bytes(file)
    with naming(path):
        return Original(
            file.name,
            suffix,
            content,
            None if part is None else _called(part, FORMATS[suffix], content, file.parent)[0],
        )


def read_level(path: str | Path) -> Level:
    """Read the level in a file, or one of several (FILE#NAME), whatever its solution."""
    return _read(path)[0]


def _read(path: str | Path) -> tuple[Level, Original]:
    file, part = split_part(path)
    entry = FORMATS[suffix_of(file)]
    content = read_bytes(file)
    with naming(path), needing_plugins(content):
        name, level = (
            (None, entry.read(content, file.parent))
            if part is None
            else _called(part, entry, content, file.parent)
        )
    return level, Original(file.name, suffix_of(file), content, name)


def read_parts(path: str | Path) -> dict[str, Callable[[], Level]]:
    """Return what reads each level of a file, whatever its solution, by FILE#NAME, or by the path
    itself if it contains one level.

    The file is parsed once.
    """
    file, part = split_part(path)
    entry = FORMATS[suffix_of(file)]
    if part is not None or entry.levels is None:
        return {str(path): partial(read_level, path)}
    content = read_bytes(file)
    with naming(path), needing_plugins(content):
        levels = entry.levels(content, file.parent)
    if len(levels) <= 1:
        return {str(path): partial(read_level, path)}

    def read(name: str) -> Level:
        with naming(f"{path}{PART}{name}"), needing_plugins(content):
            return levels[name]

    return {f"{path}{PART}{name}": partial(read, name) for name in levels}


def _called(name: str, entry: Format, content: bytes, folder: Path) -> tuple[str, Level]:
    """Return the name and the level that a name means: in any case, with - for _ and without the
    word Level.
    """
    levels = {} if entry.levels is None else entry.levels(content, folder)
    plain = re.sub(r"\W+", "_", name).lower()
    found = (
        name
        if name in levels
        else next((known for known in levels if known.lower() in {plain, f"level_{plain}"}), None)
    )
    if found is None:
        raise UnknownNameError(f"unknown level {shown(name)}: {did_you_mean(name, list(levels))}")
    return found, levels[found]


def certified(path: str | Path, level: Level) -> Level:
    """Return the level that was read from a file with a solution that holds, as `load_level`
    does.
    """
    if FORMATS[suffix_of(split_part(path)[0])].edited:
        return recertified(level)
    if level.solution is not None:
        level.check(loss=level.certificate is None)
    return level
