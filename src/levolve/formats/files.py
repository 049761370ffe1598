"""`save_level` and `load_level`: levels to and from files of any format."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from levolve.errors import InputError, OutputError, ProofError
from levolve.formats import FORMATS
from levolve.formats.writing import write_files
from levolve.levels.level import Level
from levolve.levels.recertify import recertified


def suffix_of(path: str | Path) -> str:
    """Return the name of the format in a path: its suffix without the dot, or a suffix of two parts such as tiles.png."""
    name = Path(path).name.lower()
    suffix = next((known for known in FORMATS if "." in known and name.endswith(f".{known}")), Path(path).suffix.lower().removeprefix("."))
    if not suffix:
        message = f"{path}: expected a file name that ends in one of {', '.join('.' + name for name in FORMATS)}"
        raise InputError(message)
    return suffix


def save_level(level: Level, path: str | Path) -> Path:
    """Write a level to a file, and return the path.

    The solution is replayed first; a wrong one raises `ProofError`, and nothing is written.

    Parameters
    ----------
    level
        The level to write.
    path
        Its suffix selects the format (see `levolve parts formats`). Additional files of the format, such as a picture of the tiles, are written to
        the same folder.
    """
    write_files(encode_all(level, path))
    return Path(path)


def encode_all(level: Level, path: str | Path) -> dict[Path, bytes]:
    """Return the bytes of a level's file and of its additional files, such as a picture of the tiles, by path.

    An existing file with other content is never replaced by an additional file.
    """
    entry = FORMATS[suffix_of(path)]
    if level.solution is not None:
        level.check()
    files = {Path(path): entry.encode(level)}
    for name, content in entry.beside(level).items():
        other = Path(path).parent / name
        if other.exists() and not _same_picture(other, content):
            message = f"output {other}: {Path(path).name} needs this name for a picture of its tiles, but another file has it; move that file"
            raise OutputError(message)
        files[other] = content
    return files


def _same_picture(path: Path, content: bytes) -> bool:
    """Whether a file contains the same picture, even if its bytes differ."""
    from PIL import Image  # noqa: PLC0415 needed only for formats with a picture of the tiles

    try:
        with Image.open(path) as there, Image.open(io.BytesIO(content)) as ours:
            return there.size == ours.size and there.convert("RGBA").tobytes() == ours.convert("RGBA").tobytes()
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        return False


def load_level(path: str | Path) -> Level:
    """Read a level from a file; the suffix of the path selects the format.

    The solution is replayed; a wrong one raises `ProofError`. In formats that people edit, it is replaced by a new one instead, or dropped if the
    level cannot be won.
    """
    entry = FORMATS[suffix_of(path)]
    content = read_bytes(path)
    with naming(path):
        level = entry.read(content, Path(path).parent)
        if entry.edited:
            return recertified(level)
        if level.solution is not None:
            level.check()
    return level


def read_bytes(path: str | Path) -> bytes:
    """The bytes of a file; one that cannot be read is refused by name."""
    try:
        return Path(path).read_bytes()
    except OSError as problem:
        message = f"{path}: expected a file that can be read: {problem.strerror or problem}"
        raise InputError(message) from problem


@contextmanager
def naming(path: str | Path) -> Iterator[None]:
    """Prefix error messages with the file's name."""
    try:
        yield
    except InputError as problem:
        message = f"{path}: {problem}"
        raise type(problem)(message) from problem
    except ProofError as problem:
        message = f"{path}: {problem}"
        raise ProofError(message) from problem
