"""The files of the kernel cache: one per kernel and signature, with a checksum. Nothing here loads
Numba.

Numba's own cache loads whatever is in its files. Here a file begins with the SHA-256 of its key and
content, which is compared before anything is decoded. A damaged, incomplete or exchanged file is
therefore ignored, and the kernel is compiled and stored again. Files are written under a temporary
name and renamed, so that several processes can share a folder. A file that cannot be written costs
only time.

One process compiles a kernel while others that need the same one wait for it (`reserved`). The lock
belongs to an open file, so that the system releases it when its process ends. A kernel is reserved
before those that it calls, and no kernel calls itself, not even through others: no two processes
wait for each other.
"""

import hashlib
import os
import pickle
import re
import stat
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from levolve.kernels.compiler.cache_folder import SUFFIX, WRITABLE_BY_OTHERS, KernelCacheWarning
from levolve.kernels.compiler.modes import numba_version_file

try:
    import fcntl
except ImportError:  # not on this system: each process compiles for itself
    fcntl = None  # type: ignore[assignment]

DIGEST_BYTES = 32
TEMPORARY = ".part"
# A temporary file of this age was left by a process that was killed.
ABANDONED_SECONDS = 3600
LOCK = ".lock"
PAUSE = 0.01
# A process that takes longer has been stopped.
LONGEST = 60.0


def read_entry(folder: Path, name: str, key: str) -> bytes | None:
    """Return the content that was stored under a name and a key; None if there is none, or if it is
    damaged.
    """
    try:
        with (folder / name).open("rb") as file:
            if not _is_private(os.fstat(file.fileno())):
                return None
            found = file.read()
    except OSError:
        return None
    content = memoryview(found)[DIGEST_BYTES:]
    return bytes(content) if found[:DIGEST_BYTES] == _digest(name, key, content) else None


def write_entry(folder: Path, name: str, key: str, content: bytes) -> None:
    """Store a content under a name and a key. If that is not possible, warn once."""
    try:
        _remove_abandoned(folder)
        descriptor, temporary = tempfile.mkstemp(dir=folder, prefix=f"{name}.", suffix=TEMPORARY)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(_digest(name, key, content))
                file.write(content)
            Path(temporary).replace(folder / name)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as problem:
        _warn(folder, problem)


_warned: set[Path] = set()


def _warn(folder: Path, problem: OSError) -> None:
    if folder not in _warned:
        _warned.add(folder)
        message = (
            f"kernel cache {folder}: {problem.strerror or problem}; the run continues, but later "
            "runs have to compile the same kernels again"
        )
        warnings.warn(message, KernelCacheWarning, stacklevel=2)


def _digest(name: str, key: str, content: bytes | memoryview) -> bytes:
    # The length of the key separates it from the content.
    digest = hashlib.sha256(f"{len(name)} {len(key)} {name}{key}".encode())
    digest.update(content)
    return digest.digest()


def _is_private(status: os.stat_result) -> bool:
    """Whether a file is a regular one that only its owner, the user, can write."""
    owned = not hasattr(os, "geteuid") or (
        status.st_uid == os.geteuid() and not status.st_mode & WRITABLE_BY_OTHERS
    )
    return owned and stat.S_ISREG(status.st_mode)


_cleaned: set[Path] = set()


def _remove_abandoned(folder: Path) -> None:
    """Remove the files that killed processes have left, once per process."""
    if folder in _cleaned:
        return
    _cleaned.add(folder)
    for path in [*folder.glob(f"*{TEMPORARY}"), *folder.glob(f"*{LOCK}")]:
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > ABANDONED_SECONDS:
                path.unlink()


def _versions() -> str:
    """Return what the content of the files depends on."""
    version = hashlib.sha256(numba_version_file().read_bytes()).hexdigest()[:16]
    return f"2 {sys.implementation.cache_tag} {sys.version} numba {version}"


VERSIONS = _versions()


def place_of(
    kernel: str, function: Callable[..., Any], signature: str, target: tuple[str, str, str]
) -> tuple[str, str]:
    """Return the name of the file of a kernel for a signature, and its whole key. `target` is the
    system, the processor, and what it can do.
    """
    key = f"{VERSIONS}\n{kernel}\n{identity_of(function)}\n{signature}\n{target}"
    return f"{file_name(kernel)}-{hashlib.sha256(key.encode()).hexdigest()[:24]}{SUFFIX}", key


def name_of(function: Callable[..., Any], kind: str) -> str:
    """Return the name of a kernel, for those of its files. `kind` is what is stored."""
    return (
        f"{function.__module__}.{function.__qualname__}-{function.__code__.co_firstlineno}-{kind}"
    )


def file_name(kernel: str) -> str:
    """Return how the names of a kernel's files begin."""
    return re.sub(r"[^\w.-]", "", kernel.removeprefix("levolve.kernels."))


def identity_of(function: Callable[..., Any]) -> str:
    """Return a digest of a function's code and of what it has from the functions around it.

    The folder is named after the sources of all kernels. The code identifies a kernel that is
    defined elsewhere, and the rest one that is composed of others.
    """
    code = function.__code__
    cells = tuple(_cell_content(cell.cell_contents) for cell in function.__closure__ or ())
    return hashlib.sha256(
        f"{function.__module__} {code.co_firstlineno}".encode() + code.co_code + pickle.dumps(cells)
    ).hexdigest()


def _cell_content(content: Any) -> object:
    """Return what identifies the content of a closure's cell. A kernel or another function has a
    digest, too: its pickle is not its code.
    """
    function = getattr(content, "py_func", content)
    return identity_of(function) if hasattr(function, "__code__") else content


@contextmanager
def reserved(folder: Path, name: str) -> Iterator[None]:
    """Reserve a name in a folder; wait until no other process has reserved it, at most a minute."""
    path = folder / f"{name}{LOCK}"
    with locked(path, LONGEST):
        yield
        # A process that waits with this file open continues, and another one may begin: both find
        # what was stored.
        with suppress(OSError):
            path.unlink()


@contextmanager
def locked(path: Path, longest: float) -> Iterator[None]:
    """Lock a file, which is created if necessary; wait until no other thread or process has locked
    it, at most `longest` seconds.
    """
    try:
        # Open until the end of the block.
        file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    except OSError:
        yield
        return
    try:
        _wait(file, longest)
        yield
    finally:
        os.close(file)


def _wait(file: int, longest: float) -> None:
    if fcntl is None:
        return
    end = time.monotonic() + longest
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
