"""`save` and `load`, and the one place that writes files: to a temporary name, then renamed, so that nothing half-written is ever left."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from levolve.errors import InputError, OutputError, ProofError
from levolve.formats import FORMATS, RECORDS
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
        message = f"output {path}: cannot write into the folder {path.parent}: {problem.strerror or problem}; choose another place with -o"
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
        message = f"output {path}: cannot be written: {problem.strerror or problem}; choose another place with -o"
        raise OutputError(message) from problem
    if is_folder or not writable:
        reason = f"{path} is a folder" if is_folder else f"{folder} is not a folder that can be written"
        message = f"output {path}: {reason}; choose another place with -o"
        raise OutputError(message)


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


def suffix_of(path: str | Path) -> str:
    """The format's name in a path: its suffix, without the dot."""
    suffix = Path(path).suffix.lower().removeprefix(".")
    if not suffix:
        message = f"{path}: expected a file name that ends in one of {', '.join('.' + name for name in FORMATS)}"
        raise InputError(message)
    return suffix


def save(level: Grid, path: str | Path) -> Path:
    """Write a level, or a round of a puzzle, in the format that the path's suffix names. A solution that does not hold is never written."""
    if not isinstance(level, Level):
        return _save_record(level, path)
    entry = FORMATS[suffix_of(path)]
    if level.solution is not None:
        level.check()
    return write_file(path, entry.encode(level))


def _save_record(record: Grid, path: str | Path) -> Path:
    for name in RECORDS:
        if isinstance(record, RECORDS[name].kind):
            return RECORDS[name].save(record, path)
    message = f"save: expected a level or a round, got {type(record).__name__}"
    raise InputError(message)


def load(path: str | Path) -> Any:  # noqa: ANN401 a level, or whatever else a file of ours holds
    """Read a file by its suffix: a `Level`, or a round of Reach the Flag; a solution in it must hold."""
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
    """Read a level in the format that the path's suffix names; a solution in it must hold."""
    entry = FORMATS[suffix_of(path)]
    content = _read(path)
    with _naming(path):
        level = entry.decode(content)
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
        raise InputError(message) from problem
    except ProofError as problem:
        message = f"{path}: {problem}"
        raise ProofError(message) from problem
