"""The one decorator of this floor: how a function becomes a kernel.

A kernel is compiled by Numba on first use and kept on disk, so that the second run starts at once. Numba looks only at the file a
kernel stands in to decide whether a kept copy is still good; a kernel that calls into another file would survive a change there.
So the folder for kept copies is named after a hash of *all* kernel sources: change one, and every kernel is prepared anew.
"""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeVar

import numba
from platformdirs import user_cache_path

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def _sources_digest() -> str:
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder() -> Path | None:
    """The folder for kept kernels, or None when no folder can be written: kernels are then prepared anew in every process."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    parent = Path(chosen) if chosen else user_cache_path("levolve") / "kernels"
    folder = parent / _sources_digest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


CACHE_FOLDER = _cache_folder()
config: Any = numba.config


def _compile(function: Callable[Parameters, Result], inline: Literal["never", "always"]) -> Callable[Parameters, Result]:
    usual = config.CACHE_DIR
    config.CACHE_DIR = str(CACHE_FOLDER)
    try:
        compiled: Callable[Parameters, Result] = numba.njit(cache=CACHE_FOLDER is not None, nogil=True, error_model="numpy", inline=inline)(function)
    finally:
        config.CACHE_DIR = usual
    return compiled


def kernel(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile `function` on first use, keep the machine code on disk, and run it without holding the interpreter's lock."""
    return _compile(function, "never")


def inlined(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """A kernel that is copied into each kernel that calls it: for the innermost pieces, where handing over arrays costs as much as the work."""
    return _compile(function, "always")
