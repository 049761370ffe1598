"""A lock on a folder: processes that write or check a pack in the same folder do so one after the other.

The lock is one of the operating system on the folder itself. It leaves no file behind, and ends with the process that holds it. On a file system
without such locks, and on Windows, there is none.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from levolve.errors import OutputError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

# A pack is moved into its place in a fraction of a second; checking a large one takes longer. A process that has the lock for so long hangs.
LONGEST_WAIT_SECONDS = 600.0
PAUSE_SECONDS = 0.01


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder. Raises `OutputError` if another process does not give it back."""
    if fcntl is None:
        yield
        return
    file = os.open(folder, os.O_RDONLY)
    try:
        limit = time.monotonic() + LONGEST_WAIT_SECONDS
        while not _taken(file):
            if time.monotonic() > limit:
                message = f"output {folder}: another process has been using the pack in this folder for ten minutes; end it, or choose another folder"
                raise OutputError(message)
            time.sleep(PAUSE_SECONDS)
        yield
    finally:
        os.close(file)


def _taken(file: int) -> bool:
    """Whether the lock was taken, or does not exist on this file system."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
