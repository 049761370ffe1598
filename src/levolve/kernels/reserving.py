"""One process compiles a kernel while others that need the same one wait for it.

The lock belongs to an open file, so that the system releases it when its process ends. A kernel is reserved before those that it calls, and no kernel
calls itself, not even through others: no two processes wait for each other.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # not on this system: each process compiles for itself
    fcntl = None  # type: ignore[assignment]

SUFFIX = ".lock"
PAUSE = 0.01
# A process that takes longer has been stopped.
LONGEST = 60.0


@contextmanager
def reserved(folder: Path, name: str) -> Iterator[None]:
    """Reserve a name in a folder; wait until no other process has reserved it, at most a minute."""
    try:
        # Open until the end of the block.
        file = os.open(folder / f"{name}{SUFFIX}", os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    except OSError:
        yield
        return
    try:
        _wait(file)
        yield
        # A process that waits with this file open continues, and another one may begin: both find what was stored.
        with suppress(OSError):
            (folder / f"{name}{SUFFIX}").unlink()
    finally:
        os.close(file)


def _wait(file: int) -> None:
    if fcntl is None:
        return
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(PAUSE)
        except OSError:
            # The file system has no locks.
            return
        else:
            return
