"""The decorators that make a function a kernel.

Numba compiles a kernel on first use. The machine code is cached on disk, so that later runs start at once. The cache folder is named after a hash of
*all* kernel sources: a change in one recompiles every kernel, including those in other files that call it.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeVar

import numba

from levolve.kernels.cache import KernelCache
from levolve.kernels.cache_folder import candidates, choose_folder

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def _sources_digest() -> str:
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


# None if no folder can be used: kernels are then compiled in every process.
CACHE_FOLDER = choose_folder(candidates(_sources_digest()))


def _compile(function: Callable[Parameters, Result], inline: Literal["never", "always"]) -> Callable[Parameters, Result]:
    compiled: Any = numba.njit(nogil=True, error_model="numpy", inline=inline)(function)
    # Where Numba is switched off, the function is left as it is.
    if CACHE_FOLDER is not None and compiled is not function:
        compiled._cache = KernelCache(function, CACHE_FOLDER)  # noqa: SLF001 what enable_caching() sets
    kernel: Callable[Parameters, Result] = compiled
    return kernel


def kernel(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile `function` on first use, cache the machine code on disk, and run it without the global interpreter lock."""
    return _compile(function, "never")


def inlined(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Decorate a kernel that is inlined into its callers: for innermost functions, where passing arrays costs as much as the work itself."""
    return _compile(function, "always")
