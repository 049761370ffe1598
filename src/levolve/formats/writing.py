"""Writing files so that none is ever half-written.

`write_files` writes each content under a temporary name in the folder of its target, flushes it to the disk, and only then renames it. So a file has
its old content or its new one, whatever happens: an error, a full disk, a killed process, a power failure. On an error, temporary files are removed
at once; those of a killed process are removed by the next process that writes into the folder (`formats/leftovers.py`). All contents are on the disk
before the first file is replaced, so a disk that fills up changes none of them.

A file that is replaced keeps its permissions. A link is followed: the file that it points to is replaced.
"""

import errno
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

from levolve.errors import OutputError
from levolve.formats.leftovers import remove_leftovers, remove_temporary, temporary_path

# Threads that flush files: a disk flushes several at once in the time of one.
FLUSHERS = 8
# What a file system answers that cannot flush a folder.
_NOT_SUPPORTED = {errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.EACCES, errno.EPERM}


def write_file(path: str | Path, content: bytes) -> Path:
    """Write a file atomically, and create missing folders."""
    return write_files({path: content})[0]


def write_files(files: Mapping[str, bytes] | Mapping[Path, bytes] | Mapping[str | Path, bytes]) -> list[Path]:
    """Write several files, each atomically, and create missing folders; return their paths. A full disk changes none of them."""
    paths = [Path(path) for path in files]
    made: list[Path] = []
    staged: dict[Path, Path] = {}
    try:
        for path, content in zip(paths, files.values(), strict=True):
            with explained(path, f"cannot write to the folder {path.parent}"):
                made += make_folders(path.parent)
                target = path.resolve()
                _check_regular(path, target)
                remove_leftovers(target.parent)
                staged[path] = temporary_path(target.parent)
            with explained(path):
                write_new(staged[path], content, private=target.exists())
        flush_files(staged)
        for path, temporary in staged.items():
            with explained(path):
                target = path.resolve()
                copy_permissions(target, temporary)
                temporary.replace(target)
        flush_folders({temporary.parent for temporary in staged.values()} | {folder.parent for folder in made})
    except BaseException:
        for temporary in staged.values():
            remove_temporary(temporary)
        remove_folders(made)
        raise
    return paths


def check_writable(path: str | Path) -> None:
    """Raise an error if a path cannot be written, before the work whose result it is for."""
    path = Path(path)
    with explained(path):
        folder = next(parent for parent in (path.parent, *path.parent.parents) if parent.exists())
        is_folder = path.is_dir()
        writable = folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)
        if not is_folder:
            _check_regular(path, path)
    if is_folder or not writable:
        reason = f"{path} is a folder" if is_folder else f"{folder} is not a folder that can be written"
        message = f"output {path}: {reason}; choose another path"
        raise OutputError(message)


def _check_regular(path: Path, target: Path) -> None:
    """Raise an error for a device or a pipe, which would be replaced by a file."""
    if target.exists() and not target.is_file() and not target.is_dir():
        message = f"output {path}: expected a file or a new path, got a device, a pipe or a socket; choose another path"
        raise OutputError(message)


@contextmanager
def explained(path: Path, what: str = "cannot be written") -> Iterator[None]:
    """Turn an error of the operating system into an `OutputError` with the path, the reason and what to do."""
    try:
        yield
    except (OSError, RuntimeError, ValueError) as problem:
        # A `RuntimeError` is a loop of links, a `ValueError` a path with a zero byte.
        full = isinstance(problem, OSError) and problem.errno in {errno.ENOSPC, errno.EDQUOT}
        reason = problem.strerror if isinstance(problem, OSError) else None
        advice = "free some space, or choose a path on another disk" if full else "choose another path"
        message = f"output {path}: {what}: {reason or problem}; {advice}"
        raise OutputError(message) from problem


def make_folders(folder: Path) -> list[Path]:
    """Create a folder and its missing parents; return those created, outermost first."""
    missing = [parent for parent in (folder, *folder.parents) if not parent.exists()][::-1]
    made = []
    try:
        for parent in missing:
            with suppress(FileExistsError):
                parent.mkdir()
                made.append(parent)
        # Raises an error for a file in the place of a folder.
        folder.mkdir(exist_ok=True)
    except BaseException:
        remove_folders(made)
        raise
    return made


def remove_folders(made: Iterable[Path]) -> None:
    """Remove folders that `make_folders` created, unless there is something in them."""
    for folder in reversed(list(made)):
        with suppress(OSError):
            folder.rmdir()


def write_new(path: Path, content: bytes, *, private: bool) -> None:
    """Write a new file. It may not be on the disk before `flush_files`; a private one can be read by its owner only until `copy_permissions`."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600 if private else 0o666)
    try:
        view = memoryview(content)
        while view:
            view = view[os.write(file, view) :]
    finally:
        os.close(file)


def copy_permissions(source: Path, target: Path) -> None:
    """Give a file the permissions of the one that it replaces, if there is one."""
    if not hasattr(os, "chown") or not source.exists():
        return
    known, ours = source.stat(), target.stat()
    if (ours.st_uid, ours.st_gid) != (known.st_uid, known.st_gid):
        # Only an administrator may give files away.
        with suppress(OSError):
            os.chown(target, known.st_uid, known.st_gid)
    target.chmod(stat.S_IMODE(known.st_mode) & 0o777)


def flush_files(files: Mapping[Path, Path]) -> None:
    """Wait until the contents of files are on the disk; errors name the path that each is for."""
    if len(files) == 1:
        for path, temporary in files.items():
            _flush_file(path, temporary)
        return
    with ThreadPoolExecutor(FLUSHERS) as pool:
        for _ in pool.map(_flush_file, files.keys(), files.values()):
            pass


def _flush_file(path: Path, temporary: Path) -> None:
    with explained(path):
        _flush(temporary, os.O_RDWR)


def flush_folders(folders: Iterable[Path]) -> None:
    """Wait until the names in folders are on the disk, where the file system can do that."""
    for folder in folders:
        try:
            _flush(folder, os.O_RDONLY)
        except OSError as problem:
            if problem.errno not in _NOT_SUPPORTED:
                message = f"output {folder}: cannot be written: {problem.strerror}; choose another path"
                raise OutputError(message) from problem


def _flush(path: Path, access: int) -> None:
    file = os.open(path, access)
    try:
        os.fsync(file)
    finally:
        os.close(file)
