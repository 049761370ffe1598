"""The cache of compiled kernels in the form that Numba's dispatchers use."""

import pickle
import warnings
from abc import abstractmethod
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from numba.core import compiler, serialize
from numba.core.caching import _Cache
from numba.core.errors import NumbaWarning
from numba.core.runtime.nrt import rtsys

from levolve.kernels.compiler.cache_files import (
    file_name,
    name_of,
    place_of,
    read_entry,
    reserved,
    write_entry,
)
from levolve.kernels.compiler.cache_folder import SUFFIX
from levolve.kernels.compiler.numba_free_form import described

# Numba's own names for the results of its compiler and the way to pickle them; without types.
CompileResult: Any = compiler.CompileResult
dumps: Callable[[object], bytes] = serialize.dumps
# The checksum of a file is right, and only the user can write it.
loads: Callable[[bytes], Any] = pickle.loads


class KernelCache(_Cache):
    """The cached code of one kernel, in the form that Numba's dispatchers use."""

    # What is cached, for the name of the file.
    kind: str

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        """Prepare; nothing is read yet."""
        self._folder = folder
        self._enabled = True
        self._function = function
        self._name = name_of(function, self.kind)

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(self._folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the machine code for a signature; None if there is none that can be used."""
        if not self._enabled:
            return None
        content = read_entry(self._folder, *self._place(sig, target_context.codegen()))
        if content is None:
            return None
        # Only memory management: machine code needs none of the definitions that the compiler
        # loads, which take longer than the rest of a start.
        rtsys.initialize(target_context)
        try:
            return self.rebuilt(target_context, content)
        except Exception:  # noqa: BLE001 whatever is wrong with it, the kernel is compiled again
            return None

    @abstractmethod
    def packed(self, result: Any) -> bytes:
        """Return what is stored of a result of the compiler."""

    @abstractmethod
    def rebuilt(self, context: Any, content: bytes) -> Any:
        """Return a result of the compiler from what was stored."""

    def compiled_once(
        self, sig: Any, target_context: Any, compile_kernel: Callable[[], Any]
    ) -> Any:
        """Return the machine code for a signature: stored by another process meanwhile, or compiled
        and stored now.
        """
        if not self._enabled:
            return compile_kernel()
        with reserved(self._folder, self._place(sig, target_context.codegen())[0]):
            found = self.load_overload(sig, target_context)
            if found is None:
                found = compile_kernel()
                self._store(sig, found)
            return found

    def _store(self, sig: Any, data: Any) -> None:
        if data.library.has_dynamic_globals or not all(part.can_cache for part in data.lifted):
            warnings.warn(
                f"{self._name}: cannot be cached, because it uses dynamic globals or lifted code",
                NumbaWarning,
                stacklevel=2,
            )
            return
        write_entry(self._folder, *self._place(sig, data.codegen), self.packed(data))

    def save_overload(self, sig: Any, data: Any) -> None:
        """Do nothing: `compiled_once` has stored it."""

    def enable(self) -> None:
        """Use the files."""
        self._enabled = True

    def disable(self) -> None:
        """Use no files."""
        self._enabled = False

    def flush(self) -> None:
        """Remove the files of this kernel."""
        for path in self._folder.glob(f"{file_name(self._name)}-*{SUFFIX}"):
            with suppress(OSError):
                path.unlink()

    def _place(self, signature: tuple[Any, ...], codegen: Any) -> tuple[str, str]:
        """Return the name of the file for a signature on this processor, and the whole key."""
        return place_of(
            self._name,
            self._function,
            described(signature) or str(signature),
            codegen.magic_tuple(),
        )


class EntryCache(KernelCache):
    """The cached machine code of one kernel."""

    kind = "entry"

    def packed(self, result: Any) -> bytes:
        """Return how the kernel is called without Numba, its machine code, and what Numba needs
        besides.
        """
        (name, kind, (machine_code, names)), *others = result._reduce()
        bare = None if result.library.bare is None else tuple(result.library.bare)
        return pickle.dumps(
            (bare, machine_code, dumps((result.environment.consts, name, kind, names, others)))
        )

    def rebuilt(self, context: Any, content: bytes) -> Any:
        """Return a result of the compiler from what was stored."""
        _, machine_code, rest = loads(content)
        constants, name, kind, names, others = loads(rest)
        result = CompileResult._rebuild(context, (name, kind, (machine_code, names)), *others)
        # If the kernel is known as a part already, its environment is the one without the constants
        # that only an entry needs.
        known = result.environment.consts
        known.extend(constants[len(known) :])
        return result
