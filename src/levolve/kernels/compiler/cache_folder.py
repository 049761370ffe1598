"""The choice of a folder for compiled kernels. Machine code is loaded from it, so only a folder
that nobody else can write is used.

The folder belongs to the user, and nobody else can write to it or replace one of its parents. A
folder in a shared place such as /tmp is accepted if the sticky bit protects it.
"""

import os
import stat
import tempfile
import warnings
from collections.abc import Iterable
from pathlib import Path

from platformdirs import user_cache_path

# How the name of a file with a compiled kernel ends.
SUFFIX = ".kernel"
VARIABLE = "NUMBA_CACHE_DIR"
ROOT = 0
WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


class KernelCacheWarning(UserWarning):
    """Compiled kernels are stored in another folder than usual, or not at all."""


def candidates(name: str) -> list[Path]:
    """Return the folders called `name` to try, in this order: in NUMBA_CACHE_DIR, in the user's
    cache folder, in the folder for temporary files.
    """
    chosen = os.environ.get(VARIABLE)
    user = f"-{os.geteuid()}" if hasattr(os, "geteuid") else ""
    parents = [
        user_cache_path("levolve") / "kernels",
        Path(tempfile.gettempdir()) / f"levolve-kernels{user}",
    ]
    return [parent / name for parent in ([Path(chosen)] if chosen else []) + parents]


def choose_folder(folders: Iterable[Path]) -> Path | None:
    """Create and return the first folder that is private and writable; None if there is none. Warn
    if it is not the first one.
    """
    complaint = ""
    for folder in folders:
        path, fault = _prepared(folder)
        if path is not None:
            if complaint:
                warnings.warn(
                    f"{complaint}; {path} is used instead", KernelCacheWarning, stacklevel=2
                )
            return path
        complaint = (
            complaint
            or f"kernel cache {folder}: {fault}, or set {VARIABLE} to a folder of your own"
        )
    warnings.warn(
        f"{complaint}; no other folder can be used either, so kernels are compiled on every run",
        KernelCacheWarning,
        stacklevel=2,
    )
    return None


def _prepared(folder: Path) -> tuple[Path | None, str]:
    """Create a folder. Return its real path, or None and the reason why it is not used."""
    try:
        # Without symbolic links, so that a link that changes later has no effect.
        path = folder.resolve()
        create_private(path)
        fault = _fault(path)
    except (OSError, ValueError, RuntimeError) as problem:
        return (
            None,
            (
                f"it cannot be created ({getattr(problem, 'strerror', None) or problem}); make "
                "it writable"
            ),
        )
    if not fault and not os.access(path, os.W_OK | os.X_OK):
        fault = "it cannot be written; make it writable"
    return (None, fault) if fault else (path, "")


def create_private(path: Path) -> None:
    """Create a folder and its missing parents, all of them private."""
    for folder in reversed([path, *path.parents]):
        if not folder.exists():
            folder.mkdir(mode=0o700, exist_ok=True)


def _fault(path: Path) -> str:
    """Return why others could change the files in a folder, and what to do; empty if they
    cannot.
    """
    if not hasattr(os, "geteuid"):
        # On Windows the profile of a user is private, and there are no such modes.
        return ""
    user = os.geteuid()
    # Not the root folder: its owner controls Python too.
    for folder in [path, *path.parents][: len(path.parts) - 1]:
        status = folder.stat()
        if status.st_uid not in ({user} if folder == path else {user, ROOT}):
            return (
                f"{folder} belongs to another user (number {status.st_uid}); choose a folder of "
                "your own"
            )
        shared = bool(status.st_mode & WRITABLE_BY_OTHERS)
        # In a folder with the sticky bit, others cannot rename or delete what is not theirs.
        if shared and (folder == path or not status.st_mode & stat.S_ISVTX):
            mode = stat.S_IMODE(status.st_mode)
            return (
                f"other users can write to {folder} (mode {mode:03o}); delete the cache and run "
                f"'chmod go-w {folder}'"
            )
    return ""
