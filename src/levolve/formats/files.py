"""`save_level` and `load_level`: levels to and from files of any format."""

from pathlib import Path

from levolve.errors import InputError, OutputError
from levolve.formats import FORMATS
from levolve.formats.look import Look
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


def save_level(level: Level, path: str | Path, look: Look | None = None) -> Path:
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
    """
    write_files(encode_all(level, path, look))
    return Path(path)


def encode_all(level: Level, path: str | Path, look: Look | None = None) -> dict[Path, bytes]:
    """Return the bytes of a level's file and of its additional files, such as a picture of the tiles, by path.

    An existing file with other content is never replaced by an additional file.
    """
    entry = FORMATS[suffix_of(path)]
    if level.solution is not None:
        level.check()
    look = look or Look()
    files = {Path(path): entry.write(level, look)}
    for name, content in entry.beside(level, look).items():
        other = Path(path).parent / name
        if other.exists() and not _same_picture(other, content):
            message = f"output {other}: {Path(path).name} needs this name for a picture of its tiles, but another file has it; move that file"
            raise OutputError(message)
        files[other] = content
    return files


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
    level = read_level(path)
    with naming(path):
        if FORMATS[suffix_of(path)].edited:
            return recertified(level)
        if level.solution is not None:
            level.check()
    return level


def read_level(path: str | Path) -> Level:
    """Read what a file contains, without a look at the solution."""
    entry = FORMATS[suffix_of(path)]
    content = read_bytes(path)
    with naming(path):
        return entry.read(content, Path(path).parent)
