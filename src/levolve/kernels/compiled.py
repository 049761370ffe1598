"""The decorators that make a function a kernel.

Numba compiles a kernel on first use and caches it on disk, so that later runs start at once. Numba checks only the file of the kernel itself to
decide whether the cached copy is valid, and would miss a change in another file that the kernel calls. So the cache folder is named after a hash of
*all* kernel sources: a change in one recompiles every kernel.
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
    """Return the cache folder, or None if no folder is writable: kernels are then compiled in every process."""
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
    """Compile `function` on first use, cache the machine code on disk, and run it without the global interpreter lock."""
    return _compile(function, "never")


def inlined(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Decorate a kernel that is inlined into its callers: for innermost functions, where passing arrays costs as much as the work itself."""
    return _compile(function, "always")
