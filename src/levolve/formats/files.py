"""`save_level` and `load_level`: levels to and from files of any format."""

from pathlib import Path

from levolve.errors import InputError, OutputError
from levolve.formats import FORMATS
from levolve.formats.format import Format
from levolve.formats.look import Look
from levolve.formats.originals import Original
from levolve.formats.reading.files import naming, read_bytes
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


def save_level(level: Level, path: str | Path, look: Look | None = None, original: Original | None = None) -> Path:
    """Write a level to a file, and return the path.

    The solution is replayed first; a wrong one raises `ProofError`, and nothing is written.

    Parameters
    ----------
    level
        The level to write.
    path
        Its suffix selects the format (see `levolve parts formats`). Additional files of the format, such as a picture of the tiles, are written to
        the same folder.
    look
        The theme and the tile size of pictures and of files for editors and engines.
    original
        A file whose foreign parts, such as layers that a person added, are written too; see `open_level`.
    """
    write_files(encode_all(level, path, look, original))
    return Path(path)


def encode_all(level: Level, path: str | Path, look: Look | None = None, original: Original | None = None) -> dict[Path, bytes]:
    """Return the bytes of a level's file and of its additional files, such as a picture of the tiles, by path.

    The foreign parts of an original, such as layers that a person added, are part of the file; a warning names those that it cannot hold. An existing
    file with other content is never replaced by an additional file.
    """
    suffix = suffix_of(path)
    entry = FORMATS[suffix]
    if level.solution is not None:
        level.check()
    look = look or Look()
    written, look = (entry.write(level, look), look) if original is None else original.write(level, suffix, look)
    files = {Path(path): written}
    for name, content in entry.beside(level, look).items():
        other = Path(path).parent / name
        if not other.exists() or _same(other, content):
            files[other] = content
        elif not _serves(entry, other, content):
            message = f"output {other}: {Path(path).name} needs this name for its tiles, but another file has it; move that file"
            raise OutputError(message)
    return files


def _serves(entry: Format, path: Path, content: bytes) -> bool:
    """Whether an existing file can be used as it is, although its bytes differ."""
    return entry.serves is not None and entry.serves(path.name, read_bytes(path), content)


def _same(path: Path, content: bytes) -> bool:
    """Whether a file has this content, or contains the same picture."""
    return _same_picture(path, content) if path.suffix == ".png" else read_bytes(path) == content


def _same_picture(path: Path, content: bytes) -> bool:
    """Whether a file contains the same picture, even if its bytes differ."""
    from levolve.formats.reading.pictures import png_chunks, png_pixels, png_size  # noqa: PLC0415 needed only for formats with a picture of the tiles

    try:
        there, ours = png_chunks(read_bytes(path)), png_chunks(content)
        return png_size(there) == png_size(ours) and png_pixels(there, "RGBA").tobytes() == png_pixels(ours, "RGBA").tobytes()
    except InputError:
        return False


def load_level(path: str | Path) -> Level:
    """Read a level from a file; the suffix of the path selects the format.

    The solution is replayed; a wrong one raises `ProofError`. In formats that people edit, it is replaced by a new one instead, or dropped if the
    level cannot be won.
    """
    return open_level(path)[0]


def read_original(path: str | Path) -> Original:
    """Return a file as an original, whose foreign parts can join the files of other levels."""
    return Original(Path(path).name, suffix_of(path), read_bytes(path))


def open_level(path: str | Path) -> tuple[Level, Original]:
    """Read a level as `load_level` does, and return it together with its file."""
    suffix = suffix_of(path)
    entry = FORMATS[suffix]
    content = read_bytes(path)
    original = Original(Path(path).name, suffix, content)
    with naming(path):
        level = entry.read(content, Path(path).parent)
        if entry.edited:
            return recertified(level), original
        if level.solution is not None:
            level.check()
    return level, original
