"""Writing files so that none is ever half-written.

`write_files` writes each content under a temporary name in the folder of its target, flushes it to
the disk, and only then renames it. So a file has its old content or its new one, whatever happens:
an error, a full disk, a killed process, a power failure. On an error, temporary files are removed
at once; those of a killed process are removed by the next process that writes into the folder
(`formats/writing.py`). All contents are on the disk before the first file is replaced, so a disk
that fills up changes none of them.

A file that is replaced keeps its permissions. A link is followed: the file that it points to is
replaced.

Temporary names, and the removal of what a killed process left behind under such a name.

A temporary name contains the machine, the number of the process and the time at which it started. A
file is removed only if it was made on this machine by a process that has ended, so a file that is
being written is never removed. Processes of another machine or container cannot be seen from here;
their files stay.
"""

import errno
import hashlib
import os
import platform
import re
import secrets
import stat
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from levolve.core.errors import OutputError

_NAME = re.compile(
    r"\.levolve-(?P<machine>[0-9a-f]{8})-(?P<process>\d{1,10})-(?P<start>\d{1,20})-[0-9a-f]{8}\.part"
)
# A folder is searched for leftovers at most this often, so that writing many files into one folder
# does not list it for each.
SECONDS_BETWEEN_SEARCHES = 10.0
_searched: dict[Path, float] = {}


def temporary_path(folder: Path) -> Path:
    """Return a new temporary name in a folder."""
    process = os.getpid()
    return (
        folder
        / f".levolve-{_machine()}-{process}-{_start_of(process) or 0}-{secrets.token_hex(4)}.part"
    )


def remove_leftovers(folder: Path) -> None:
    """Remove temporary files and folders of processes that have ended."""
    now = time.monotonic()
    if now - _searched.get(folder, -SECONDS_BETWEEN_SEARCHES) < SECONDS_BETWEEN_SEARCHES:
        return
    _searched[folder] = now
    with suppress(OSError):
        for path in folder.iterdir():
            match = _NAME.fullmatch(path.name)
            if (
                match
                and match["machine"] == _machine()
                and _is_ours(path)
                and _has_ended(int(match["process"]), int(match["start"]))
            ):
                remove_temporary(path)


def remove_temporary(path: Path) -> None:
    """Remove a temporary file, or a temporary folder with the files in it. What cannot be removed
    stays; links are not followed.
    """
    with suppress(OSError):
        if not stat.S_ISDIR(path.lstat().st_mode):
            path.unlink()
            return
        _empty(path)
        path.rmdir()


def _empty(path: Path) -> None:
    """Remove the files in a folder, which is opened once, so that another user cannot put a link to
    another folder into its place meanwhile.
    """
    if os.unlink not in os.supports_dir_fd or os.listdir not in os.supports_fd:
        for entry in path.iterdir():
            entry.unlink()
        return
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        for name in os.listdir(folder):  # noqa: PTH208 an open folder has no path
            os.unlink(name, dir_fd=folder)
    finally:
        os.close(folder)


def _is_ours(path: Path) -> bool:
    """Whether a file belongs to this user: another one could have given it any name."""
    return not hasattr(os, "geteuid") or path.lstat().st_uid == os.geteuid()


@cache
def _machine() -> str:
    """Return a tag of this machine and, in a container, of its own numbering of processes."""
    try:
        numbering = Path("/proc/self/ns/pid").readlink()
    except OSError:
        numbering = Path()
    return hashlib.sha256(f"{platform.node()} {numbering}".encode()).hexdigest()[:8]


def _start_of(process: int) -> int | None:
    """Return when a process started, in ticks since the machine started; None if it has ended, or
    if this system does not say.
    """
    try:
        # The name of the program comes second, in brackets, and may contain anything.
        fields = Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()
        return None if fields[0] in {b"Z", b"X"} else int(fields[19])
    except (OSError, IndexError, ValueError):
        return None


def _has_ended(process: int, start: int) -> bool:
    """Whether a process has ended. Another process that got its number later started at another
    time.
    """
    if os.name != "posix":
        return False
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return True
    except OSError:
        # It belongs to another user.
        return False
    return start > 0 and _start_of(os.getpid()) is not None and _start_of(process) != start


# Threads that flush files: a disk flushes several at once in the time of one.
FLUSHERS = 8
# What a file system answers that cannot flush a folder.
_NOT_SUPPORTED = {errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.EACCES, errno.EPERM}


def write_file(path: str | Path, content: bytes) -> Path:
    """Write a file atomically, and create missing folders."""
    return write_files({path: content})[0]


def write_files(
    files: Mapping[str, bytes] | Mapping[Path, bytes] | Mapping[str | Path, bytes],
) -> list[Path]:
    """Write several files, each atomically, and create missing folders; return their paths. A full
    disk changes none of them.
    """
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
        flush_folders(
            {temporary.parent for temporary in staged.values()} | {folder.parent for folder in made}
        )
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
        reason = (
            f"{path} is a folder" if is_folder else f"{folder} is not a folder that can be written"
        )
        raise OutputError(f"output {path}: {reason}; choose another path")


def _check_regular(path: Path, target: Path) -> None:
    """Raise an error for a device or a pipe, which would be replaced by a file."""
    if target.exists() and not target.is_file() and not target.is_dir():
        raise OutputError(
            f"output {path}: expected a file or a new path, got a device, a pipe or a socket; "
            "choose another path"
        )


@contextmanager
def explained(path: Path, what: str = "cannot be written") -> Iterator[None]:
    """Turn an error of the operating system into an `OutputError` with the path, the reason and
    what to do.
    """
    try:
        yield
    except (OSError, RuntimeError, ValueError) as problem:
        # A `RuntimeError` is a loop of links, a `ValueError` a path with a zero byte.
        full = isinstance(problem, OSError) and problem.errno in {errno.ENOSPC, errno.EDQUOT}
        reason = problem.strerror if isinstance(problem, OSError) else None
        advice = (
            "free some space, or choose a path on another disk" if full else "choose another path"
        )
        raise OutputError(f"output {path}: {what}: {reason or problem}; {advice}") from problem


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
    """Write a new file. It may not be on the disk before `flush_files`; a private one can be read
    by its owner only until `copy_permissions`.
    """
    file = os.open(
        path,
        os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0),
        0o600 if private else 0o666,
    )
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
                raise OutputError(
                    f"output {folder}: cannot be written: {problem.strerror}; choose another path"
                ) from problem


def _flush(path: Path, access: int) -> None:
    file = os.open(path, access)
    try:
        os.fsync(file)
    finally:
        os.close(file)
