"""How kernels are compiled: the only interface for everything outside this folder.

docs/compiler.md explains it. Nothing here loads Numba before the first kernel is called.
"""

from levolve.kernels.compiler.cache_files import read_entry, write_entry
from levolve.kernels.compiler.cache_folder import SUFFIX, VARIABLE, KernelCacheWarning
from levolve.kernels.compiler.compiled_kernel import (
    CACHE_FOLDER,
    SMALL,
    compiles_only,
    compiling_only,
    inlined,
    kernel,
    level_kernel,
    load_definitions,
    loading_seconds,
    watching_compiler,
    when_numba_is_loaded,
)
from levolve.kernels.compiler.modes import LINKED, PLAIN, CompilerWarning, mode

__all__ = [
    "CACHE_FOLDER",
    "LINKED",
    "PLAIN",
    "SMALL",
    "SUFFIX",
    "VARIABLE",
    "CompilerWarning",
    "KernelCacheWarning",
    "compiles_only",
    "compiling_only",
    "inlined",
    "kernel",
    "level_kernel",
    "load_definitions",
    "loading_seconds",
    "mode",
    "read_entry",
    "watching_compiler",
    "when_numba_is_loaded",
    "write_entry",
]
