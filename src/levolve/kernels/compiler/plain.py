"""How a kernel is compiled in plain mode: by `numba.njit` with Numba's own cache.

Other kernels and Python call the same form. Numba's cache may mix up two versions of a kernel that
are stored by two processes at the same time, and it decodes whatever is in its folder. So it gets a
folder of its own in the private one, and one process at a time reads from it and writes to it.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any

import numba
from numba.core.errors import NumbaError

from levolve.kernels.compiler.cache_files import locked
from levolve.kernels.compiler.cache_folder import create_private
from levolve.kernels.compiler.compiled_forms import named
from levolve.kernels.compiler.numba_free_call import kinds_of

FOLDER = "plain"
LOCK = "levolve.lock"
# The suffix of the files in which Numba looks for the others.
INDEX = ".nbi"
# A process that holds the folder for longer has been stopped: to compile a whole command takes
# less, also on a busy machine.
LONGEST_WAIT = 900.0

_folder_changes = RLock()


def part_of(function: Callable[..., Any], options: dict[str, Any], folder: Path | None) -> Any:
    """Return a kernel in the form that other kernels call."""
    njit: Any = numba.njit
    with _cache_in(folder):
        return njit(cache=folder is not None, nogil=True, error_model="numpy", **options)(
            named(function)
        )


def entry_of(
    _function: Callable[..., Any],
    _options: dict[str, Any],
    folder: Path | None,
    part: Callable[[], Any],
) -> "PlainEntry":
    """Return a kernel in the form that Python calls: `part` returns its other form."""
    return PlainEntry(part(), folder)


def compiled(entry: "PlainEntry", arguments: tuple[Any, ...]) -> Any:
    """Return what Numba knows of the form for arguments of these types."""
    return entry.compiled(arguments)


def load_definitions() -> None:
    """Load nothing: Numba does so when it compiles."""


class PlainEntry:
    """A kernel that Python calls. Before Numba meets new types, this process takes the cache."""

    def __init__(self, dispatcher: Any, folder: Path | None) -> None:
        """Prepare; nothing is compiled yet."""
        self._dispatcher = dispatcher
        self._folder = folder
        self._known: set[Any] = set()

    def __call__(self, *arguments: Any) -> Any:
        """Run the kernel."""
        if kinds_of(arguments) not in self._known:
            self.compiled(arguments)
        return self._dispatcher(*arguments)

    def compiled(self, arguments: tuple[Any, ...]) -> Any:
        """Compile for arguments of these types, or load what is in the cache."""
        types_of = tuple(map(numba.typeof, arguments))
        if self._folder is None:
            self._dispatcher.compile(types_of)
        else:
            with locked(self._folder / FOLDER / LOCK, LONGEST_WAIT):
                self._compile_or_load(types_of, self._folder / FOLDER)
        self._known.add(kinds_of(arguments))
        return self._dispatcher.overloads[types_of]

    def _compile_or_load(self, types_of: tuple[Any, ...], folder: Path) -> None:
        try:
            self._dispatcher.compile(types_of)
        except NumbaError:
            raise
        except Exception:  # noqa: BLE001 whatever is wrong with a damaged file, it is compiled again
            for index in folder.rglob(f"*{INDEX}"):
                index.unlink(missing_ok=True)
            self._dispatcher.compile(types_of)


@contextmanager
def _cache_in(folder: Path | None) -> Iterator[None]:
    """Let kernels that are declared in this block keep their machine code in a folder."""
    config: Any = numba.config
    with _folder_changes:
        before = config.CACHE_DIR
        if folder is not None:
            create_private(folder / FOLDER)
            config.CACHE_DIR = str(folder / FOLDER)
        try:
            yield
        finally:
            config.CACHE_DIR = before
