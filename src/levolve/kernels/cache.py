"""The cache of compiled kernels: one file per kernel and signature, with a checksum.

Numba's own cache loads whatever is in its files. Here a file begins with the SHA-256 of its key and content, which is compared before anything is
decoded. A damaged, incomplete or exchanged file is therefore ignored, and the kernel is compiled and stored again. Files are written under a
temporary name and renamed, so that several processes can share a folder. A file that cannot be written costs only time.
"""

import hashlib
import os
import pickle
import platform
import re
import stat
import tempfile
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
from numba.core import compiler, serialize
from numba.core.caching import _Cache
from numba.core.errors import NumbaWarning
from numba.core.runtime.nrt import rtsys

from levolve.kernels.cache_folder import SUFFIX, WRITABLE_BY_OTHERS, KernelCacheWarning
from levolve.kernels.reserving import SUFFIX as LOCK
from levolve.kernels.reserving import reserved

VERSIONS = f"1 {platform.python_implementation()} {platform.python_version()} numba {numba.__version__}"
# Numba's own names for the results of its compiler and the way to pickle them; without types.
CompileResult: Any = compiler.CompileResult
dumps: Callable[[object], bytes] = serialize.dumps
DIGEST_BYTES = 32
TEMPORARY = ".part"
# A temporary file of this age was left by a process that was killed.
ABANDONED_SECONDS = 3600


def read_entry(folder: Path, name: str, key: str) -> bytes | None:
    """Return the content that was stored under a name and a key; None if there is none, or if it is damaged."""
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
        message = f"kernel cache {folder}: {problem.strerror or problem}; the run continues, but later runs have to compile the same kernels again"
        warnings.warn(message, KernelCacheWarning, stacklevel=2)


def _digest(name: str, key: str, content: bytes | memoryview) -> bytes:
    # The length of the key separates it from the content.
    digest = hashlib.sha256(f"{len(name)} {len(key)} {name}{key}".encode())
    digest.update(content)
    return digest.digest()


def _is_private(status: os.stat_result) -> bool:
    """Whether a file is a regular one that only its owner, the user, can write."""
    owned = not hasattr(os, "geteuid") or (status.st_uid == os.geteuid() and not status.st_mode & WRITABLE_BY_OTHERS)
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


class KernelCache(_Cache):
    """The cached machine code of one kernel, in the form that Numba's dispatchers use."""

    # What is cached, for the name of the file.
    kind = "entry"

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        """Prepare; nothing is read yet."""
        self._folder = folder
        self._enabled = True
        self._name = f"{function.__module__}.{function.__qualname__}-{function.__code__.co_firstlineno}-{self.kind}"
        self._identity = f"{VERSIONS}\n{self._name}\n{identity_of(function)}"

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(self._folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:  # noqa: ANN401 numba has no types
        """Return the machine code for a signature; None if there is none that can be used."""
        if not self._enabled:
            return None
        content = read_entry(self._folder, *self._place(sig, target_context.codegen()))
        if content is None:
            return None
        # Only memory management: machine code needs none of the definitions that the compiler loads, which take longer than the rest of a start.
        rtsys.initialize(target_context)
        try:
            return self.rebuilt(target_context, pickle.loads(content))  # noqa: S301 the checksum is right, and only the user can write here
        except Exception:  # noqa: BLE001 whatever is wrong with it, the kernel is compiled again
            return None

    def rebuilt(self, context: Any, stored: Any) -> Any:  # noqa: ANN401 numba has no types
        """Return a result of the compiler from what was stored."""
        constants, reduced = stored
        result = CompileResult._rebuild(context, *reduced)  # noqa: SLF001 as numba's own cache does
        # If the kernel is known as a part already, its environment is the one without the constants that only an entry needs.
        known = result.environment.consts
        known.extend(constants[len(known) :])
        return result

    def compiled_once(self, sig: Any, target_context: Any, compile_kernel: Callable[[], Any]) -> Any:  # noqa: ANN401 numba has no types
        """Return the machine code for a signature: stored by another process meanwhile, or compiled and stored now."""
        if not self._enabled:
            return compile_kernel()
        with reserved(self._folder, self._place(sig, target_context.codegen())[0]):
            found = self.load_overload(sig, target_context)
            if found is None:
                found = compile_kernel()
                self._store(sig, found)
            return found

    def _store(self, sig: Any, data: Any) -> None:  # noqa: ANN401 numba has no types
        if data.library.has_dynamic_globals or not all(part.can_cache for part in data.lifted):
            warnings.warn(f"{self._name}: cannot be cached, because it uses dynamic globals or lifted code", NumbaWarning, stacklevel=2)
            return
        write_entry(self._folder, *self._place(sig, data.codegen), dumps((data.environment.consts, data._reduce())))  # noqa: SLF001 as numba's own cache does

    def save_overload(self, sig: Any, data: Any) -> None:  # noqa: ANN401 numba has no types
        """Do nothing: `compiled_once` has stored it."""

    def enable(self) -> None:
        """Use the files."""
        self._enabled = True

    def disable(self) -> None:
        """Use no files."""
        self._enabled = False

    def flush(self) -> None:
        """Remove the files of this kernel."""
        for path in self._folder.glob(f"{_file_name(self._name)}-*{SUFFIX}"):
            with suppress(OSError):
                path.unlink()

    def _place(self, signature: object, codegen: Any) -> tuple[str, str]:  # noqa: ANN401 numba has no types
        """Return the name of the file for a signature on this processor, and the whole key."""
        key = f"{self._identity}\n{signature}\n{codegen.magic_tuple()}"
        return f"{_file_name(self._name)}-{hashlib.sha256(key.encode()).hexdigest()[:24]}{SUFFIX}", key


def identity_of(function: Callable[..., Any]) -> str:
    """Return a digest of a function's code and of what it has from the functions around it.

    The folder is named after the sources of all kernels. The code identifies a kernel that is defined elsewhere, and the rest one that is composed of
    others.
    """
    code = function.__code__
    cells = tuple(_cell_content(cell.cell_contents) for cell in function.__closure__ or ())
    return hashlib.sha256(f"{function.__module__} {code.co_firstlineno}".encode() + code.co_code + (dumps(cells) if cells else b"")).hexdigest()


def _cell_content(content: Any) -> object:  # noqa: ANN401 anything
    """Return what identifies the content of a closure's cell. A kernel has a digest, too, because its pickle is never the same."""
    return identity_of(content.py_func) if hasattr(content, "py_func") else content


def _file_name(text: str) -> str:
    return re.sub(r"[^\w.-]", "", text.removeprefix("levolve.kernels."))
