"""`save` and `load`, and the one place that writes files: to a temporary name, then renamed, so that nothing half-written is ever left."""

import io
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from levolve.errors import InputError, OutputError, ProofError
from levolve.formats import FORMATS, RECORDS
from levolve.levels.certifying import certified
from levolve.levels.grid import Grid
from levolve.levels.level import Level


def write_file(path: str | Path, content: bytes) -> Path:
    """Write a file whole or not at all; missing folders are made."""
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        target = path.resolve()
        descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=".levolve-", suffix=".part")
    except OSError as problem:
        message = f"output {path}: cannot write into the folder {path.parent}: {problem.strerror or problem}; choose another place"
        raise OutputError(message) from problem
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(target)
    except OSError as problem:
        temporary.unlink(missing_ok=True)
        message = f"output {path}: cannot be written: {problem.strerror or problem}"
        raise OutputError(message) from problem
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return path


def check_writable(path: str | Path) -> None:
    """Refuse a path that cannot be written, before the work whose result should go there."""
    path = Path(path)
    try:
        folder = next(parent for parent in (path.parent, *path.parent.parents) if parent.exists())
        is_folder = path.is_dir()
        writable = folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)
    except OSError as problem:
        message = f"output {path}: cannot be written: {problem.strerror or problem}; choose another place"
        raise OutputError(message) from problem
    if is_folder or not writable:
        reason = f"{path} is a folder" if is_folder else f"{folder} is not a folder that can be written"
        message = f"output {path}: {reason}; choose another place"
        raise OutputError(message)


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


def suffix_of(path: str | Path) -> str:
    """The format's name in a path: its suffix, without the dot; of two parts where a format has such a name."""
    name = Path(path).name.lower()
    suffix = next((known for known in FORMATS if "." in known and name.endswith(f".{known}")), Path(path).suffix.lower().removeprefix("."))
    if not suffix:
        message = f"{path}: expected a file name that ends in one of {', '.join('.' + name for name in FORMATS)}"
        raise InputError(message)
    return suffix


def save(level: Grid, path: str | Path) -> Path:
    """Write a level in the format that the path's suffix names, and what that needs beside it; or a round of a puzzle.

    A solution that does not hold is never written.
    """
    if not isinstance(level, Level):
        return _save_record(level, path)
    for name, content in encode_all(level, path).items():
        write_file(name, content)
    return Path(path)


def encode_all(level: Level, path: str | Path) -> dict[Path, bytes]:
    """The bytes of a level's file and of those it needs beside it, such as a picture of the tiles, each with its path.

    A file beside it that somebody else has put there is never replaced.
    """
    entry = FORMATS[suffix_of(path)]
    if level.solution is not None:
        level.check()
    files = {Path(path): entry.encode(level)}
    for name, content in entry.beside(level).items():
        other = Path(path).parent / name
        if other.exists() and not _same_picture(other, content):
            message = (
                f"output {other}: there is another file of this name, which {Path(path).name} needs for its tiles; move it away, or write elsewhere"
            )
            raise OutputError(message)
        files[other] = content
    return files


def _same_picture(path: Path, content: bytes) -> bool:
    """Whether a file is the same picture, in whatever bytes."""
    from PIL import Image  # noqa: PLC0415 only formats with pictures beside them need it

    try:
        with Image.open(path) as there, Image.open(io.BytesIO(content)) as ours:
            return there.size == ours.size and there.convert("RGBA").tobytes() == ours.convert("RGBA").tobytes()
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        return False


def _save_record(record: Grid, path: str | Path) -> Path:
    for name in RECORDS:
        if isinstance(record, RECORDS[name].kind):
            return RECORDS[name].save(record, path)
    message = f"save: expected a level or a round, got {type(record).__name__}"
    raise InputError(message)


def load(path: str | Path) -> Any:  # noqa: ANN401 a level, or whatever else a file of ours holds
    """Read a file by its suffix: a `Level`, as `load_level` reads it, or a round of Reach the Flag, whose solution must hold."""
    if Path(path).suffix.lower() in {".json", ".txt"}:
        content = _read(path)
        for name in RECORDS:
            with _naming(path):
                found = RECORDS[name].decode(content)
                if found is not None:
                    if found.solution is not None:
                        found.check()
                    return found
    return load_level(path)


def load_level(path: str | Path) -> Level:
    """Read a level in the format that the path's suffix names; a solution in it must hold.

    In formats that people edit it need not: a level from such a file comes with a new solution, or without one if it cannot be won.
    """
    entry = FORMATS[suffix_of(path)]
    content = _read(path)
    with _naming(path):
        level = entry.read(content, Path(path).parent)
        if entry.edited:
            return certified(level)
        if level.solution is not None:
            level.check()
    return level


def _read(path: str | Path) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as problem:
        message = f"{path}: expected a file that can be read: {problem.strerror or problem}"
        raise InputError(message) from problem


@contextmanager
def _naming(path: str | Path) -> Iterator[None]:
    """Put the file's name before what is wrong with it."""
    try:
        yield
    except InputError as problem:
        message = f"{path}: {problem}"
        raise type(problem)(message) from problem
    except ProofError as problem:
        message = f"{path}: {problem}"
        raise ProofError(message) from problem
