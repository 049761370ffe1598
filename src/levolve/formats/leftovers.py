"""Temporary names, and the removal of what a killed process left behind under such a name.

A temporary name contains the machine, the number of the process and the time at which it started. A file is removed only if it was made on this
machine by a process that has ended, so a file that is being written is never removed. Processes of another machine or container cannot be seen from
here; their files stay.
"""

import hashlib
import os
import platform
import re
import secrets
import stat
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

_NAME = re.compile(r"\.levolve-(?P<machine>[0-9a-f]{8})-(?P<process>\d{1,10})-(?P<start>\d{1,20})-[0-9a-f]{8}\.part")
# A folder is searched for leftovers at most this often, so that writing many files into one folder does not list it for each.
SECONDS_BETWEEN_SEARCHES = 10.0
_searched: dict[Path, float] = {}


def temporary_path(folder: Path) -> Path:
    """Return a new temporary name in a folder."""
    process = os.getpid()
    return folder / f".levolve-{_machine()}-{process}-{_start_of(process) or 0}-{secrets.token_hex(4)}.part"


def remove_leftovers(folder: Path) -> None:
    """Remove temporary files and folders of processes that have ended."""
    now = time.monotonic()
    if now - _searched.get(folder, -SECONDS_BETWEEN_SEARCHES) < SECONDS_BETWEEN_SEARCHES:
        return
    _searched[folder] = now
    with suppress(OSError):
        for path in folder.iterdir():
            match = _NAME.fullmatch(path.name)
            if match and match["machine"] == _machine() and _is_ours(path) and _has_ended(int(match["process"]), int(match["start"])):
                remove_temporary(path)


def remove_temporary(path: Path) -> None:
    """Remove a temporary file, or a temporary folder with the files in it. What cannot be removed stays; links are not followed."""
    with suppress(OSError):
        if not stat.S_ISDIR(path.lstat().st_mode):
            path.unlink()
            return
        _empty(path)
        path.rmdir()


def _empty(path: Path) -> None:
    """Remove the files in a folder, which is opened once, so that another user cannot put a link to another folder into its place meanwhile."""
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
    """Return when a process started, in ticks since the machine started; None if it has ended, or if this system does not say."""
    try:
        # The name of the program comes second, in brackets, and may contain anything.
        fields = Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()
        return None if fields[0] in {b"Z", b"X"} else int(fields[19])
    except (OSError, IndexError, ValueError):
        return None


def _has_ended(process: int, start: int) -> bool:
    """Whether a process has ended. Another process that got its number later started at another time."""
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
