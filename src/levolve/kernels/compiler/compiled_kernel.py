"""The decorators that make a function a kernel. They are used from `levolve.kernels.compiler`.

Numba compiles a kernel on first use. The machine code is cached on disk, so that later runs start
at once. The cache folder is named after a hash of *all* kernel sources: a change in one recompiles
every kernel, including those in other files that call it.

Numba itself is loaded with the first kernel. To compile a kernel takes seconds, and to load Numba
half a second. So a kernel of small work is run as plain Python at first, with the same result.
"""

import functools
import hashlib
import os
import pickle
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, ParamSpec, TypeVar, cast

import numpy as np

from levolve.kernels.compiler.cache_files import identity_of
from levolve.kernels.compiler.cache_folder import candidates, choose_folder
from levolve.kernels.compiler.modes import LINKED, mode

if TYPE_CHECKING:
    from levolve.kernels.compiler.numba_free_call import BareKernel

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
Inline = Literal["never", "always"]

# The most elements of an array that plain Python is used for, and the seconds after which a kernel
# is compiled nevertheless.
SMALL = 1200
PATIENCE = 0.06


def _sources_digest() -> str:
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


# None if no folder can be used: kernels are then compiled in every process.
CACHE_FOLDER = choose_folder(candidates(_sources_digest()))

# A value of LEVOLVE_COMPILER that has no meaning is an error before anything is compiled.
mode()

_loading = threading.RLock()
_thread = threading.local()
_waiting: list[Callable[[], None]] = []
# The seconds of each time that Numba was loaded, or was found loaded.
_loads: list[float] = []
# One entry for each thread that only compiles: kernels ask whether it is theirs.
_compiling: list[bool] = []
# The known addresses, by kernel and types. They keep their kernels: the code of one that nobody
# holds is removed from memory.
_addresses: dict[tuple["Kernel[..., Any]", Any], int] = {}


class Kernel(Generic[Parameters, Result]):
    """A function that is compiled on first use. Kernels call each other as compiled code."""

    def __init__(
        self, function: Callable[Parameters, Result], inline: Inline, *, small: bool
    ) -> None:
        """Prepare; Numba is not loaded yet."""
        functools.update_wrapper(self, function)
        self._name = function.__qualname__
        # Two names that Numba looks for, to inline a kernel into another.
        self.py_func: Callable[..., Result] = function
        self.targetoptions: dict[str, Any] = {"forceinline": inline == "always"}
        # What runs the kernel; None if it is not loaded.
        self._call: Callable[..., Result] | None = None
        self._part: Any = None
        # The forms that are called without Numba, by the kinds of their arguments; None for kinds
        # without one.
        self._bare: dict[Any, BareKernel | None] = {}
        self.small = small
        # The seconds that plain Python may still take.
        self.patience = PATIENCE if small else 0.0

    def __call__(self, *arguments: Any) -> Result:
        """Run the kernel."""
        if self._call is None or _compiling:
            return self._run_unloaded(arguments)
        return self._call(*arguments)

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Return the name by which other processes find the kernel.

        A composed kernel has none. It is pickled only where Numba's cache needs the bytes, to
        identify a kernel that contains this one.
        """
        if "<locals>" in self._name:
            return _find_composed, (self._name, identity_of(self.py_func))
        return self._name

    @property
    def is_loaded(self) -> bool:
        """Whether Numba runs the kernel."""
        return self._call is not None

    @property
    def _numba_type_(self) -> Any:
        """The type of the kernel where another one calls it: the name is Numba's."""
        from numba.core import types

        return types.Dispatcher(self.part)

    @property
    def part(self) -> Any:
        """Numba's form of the kernel where another one calls it."""
        if self._part is None:
            with _loading:
                if self._part is None:
                    self._part = _forms().part_of(self.py_func, self.targetoptions, CACHE_FOLDER)
        return self._part

    @property
    def dispatcher(self) -> Any:
        """Numba's form of the kernel where Python calls it."""
        if self._call is None:
            with _loading:
                self._call = self._call or self._load()
        return self._call

    def bare(self, arguments: tuple[Any, ...]) -> "BareKernel | None":
        """Return the form for arguments of these types that is called without Numba; None if there
        is none, or if Numba is loaded anyway.
        """
        if "numba" in sys.modules or CACHE_FOLDER is None or mode() != LINKED:
            return None
        from levolve.kernels.compiler.numba_free_call import (
            MOST_CALLS,
            BareKernel,
            bare_kernel,
            kinds_of,
        )

        if BareKernel.calls >= MOST_CALLS:
            return None
        kind = kinds_of(arguments)
        if kind not in self._bare:
            with _loading:
                if kind not in self._bare:
                    self._bare[kind] = bare_kernel(self.py_func, CACHE_FOLDER, arguments)
        return self._bare[kind]

    def address(self, arguments: tuple[Any, ...]) -> int:
        """Return the address of the kernel for arguments of these types."""
        from levolve.kernels.compiler.numba_free_call import kinds_of

        key = (self, kinds_of(arguments))
        if key not in _addresses:
            bare = self.bare(arguments)
            _addresses[key] = self._address(arguments) if bare is None else bare.address
        return _addresses[key]

    def _address(self, arguments: tuple[Any, ...]) -> int:
        entry = self.dispatcher
        from levolve.kernels.compiler.compiled_forms import address_of

        return address_of(_forms().compiled(entry, arguments))

    def _load(self) -> Any:
        # Takes as long to load as a whole run of a small recipe.
        began = time.perf_counter()
        forms = _forms()
        _loads.append(time.perf_counter() - began)
        for action in _waiting:
            action()
        _waiting.clear()
        return forms.entry_of(self.py_func, self.targetoptions, CACHE_FOLDER, lambda: self.part)

    def _compile(self, arguments: tuple[Any, ...]) -> Any:
        from levolve.kernels.compiler.compiled_forms import blank_of

        # Not kept: whoever keeps it calls it.
        form = _forms().compiled(self._load(), arguments)
        return blank_of(form.signature.return_type)

    def _run_unloaded(self, arguments: tuple[Any, ...]) -> Result:
        calls_none = compiles_only()
        if self._call is not None and not calls_none:
            return self._call(*arguments)
        if getattr(_thread, "interprets", False):
            return self.py_func(*arguments)
        if (
            self.patience <= 0
            or max(getattr(argument, "size", 0) for argument in arguments) > SMALL
        ):
            if calls_none:
                return cast("Result", self._compile(arguments) if _thread.compiles else None)
            bare = self.bare(arguments)
            return cast("Result", self.dispatcher(*arguments) if bare is None else bare(arguments))
        began = time.perf_counter()
        _thread.interprets = True
        try:
            # Machine code wraps around without a warning.
            with np.errstate(over="ignore"):
                return self.py_func(*arguments)
        finally:
            _thread.interprets = False
            self.patience -= time.perf_counter() - began


def _forms() -> Any:
    """Return the module that makes compiled forms of kernels. It loads Numba."""
    name = "linking" if mode() == LINKED else "plain"
    return import_module(f"levolve.kernels.compiler.{name}")


def load_definitions() -> None:
    """Load what Numba's compiler needs, in the way that takes the least time."""
    _forms().load_definitions()


def _find_composed(name: str, _identity: str) -> Any:
    raise pickle.UnpicklingError(
        f"kernel {name}: a composed kernel cannot be sent to another process"
    )


def _is_switched_off() -> bool:
    """Whether kernels always run as plain Python."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in {"", "0"}


@contextmanager
def compiling_only(*, compiles: bool = True) -> Iterator[None]:
    """Compile the kernels that this thread calls in this block instead of calling them: they return
    zeros of the right types.

    Small work is done by plain Python nevertheless. Without `compiles` nothing is compiled either,
    and kernels return None.
    """
    _thread.compiles = compiles
    _compiling.append(True)
    try:
        yield
    finally:
        _compiling.pop()
        del _thread.compiles


def compiles_only() -> bool:
    """Whether this thread calls no kernels."""
    return hasattr(_thread, "compiles")


def when_numba_is_loaded(action: Callable[[], None]) -> Callable[[], None]:
    """Call `action` now if Numba is loaded, otherwise before the first kernel is. Return a function
    that cancels it.
    """
    with _loading:
        if "numba" in sys.modules:
            action()
        else:
            _waiting.append(action)

    def cancel() -> None:
        with _loading:
            if action in _waiting:
                _waiting.remove(action)

    return cancel


def loading_seconds() -> float:
    """Return how long this process has taken to load Numba."""
    return sum(_loads)


def _decorated(
    function: Callable[Parameters, Result], inline: Inline = "never", *, small: bool = False
) -> Callable[Parameters, Result]:
    # Where Numba is switched off, the function is left as it is.
    return (
        function
        if _is_switched_off()
        else cast("Callable[Parameters, Result]", Kernel(function, inline, small=small))
    )


def kernel(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Compile `function` on first use, cache the machine code on disk, and run it without the
    global interpreter lock.
    """
    return _decorated(function)


def level_kernel(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Decorate a kernel whose work is nearly proportional to its arrays: for one small level plain
    Python takes less time than to load the kernel.
    """
    return _decorated(function, small=True)


def inlined(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Decorate a kernel that is inlined into its callers: for innermost functions, where passing
    arrays costs as much as the work itself.
    """
    return _decorated(function, "always")


KIND = "numba:compile"
# Whether a compilation starts (or ends), and the name of what is compiled.
Compiling = Callable[[bool, str], None]


@contextmanager
def watching_compiler(callback: Compiling) -> Iterator[None]:
    """Call `callback` when a compilation starts and when it ends."""
    listeners: list[Any] = []

    def register() -> None:
        event: Any = _events()

        class Listener(event.Listener):  # type: ignore[misc]
            """Forwards the start and the end of each compilation."""

            def on_start(self, happening: Any) -> None:
                callback(True, happening.data["dispatcher"].__name__)

            def on_end(self, happening: Any) -> None:
                callback(False, happening.data["dispatcher"].__name__)

        listeners.append(Listener())
        event.register(KIND, listeners[0])

    cancel = when_numba_is_loaded(register)
    try:
        yield
    finally:
        cancel()
        if listeners:
            _events().unregister(KIND, listeners[0])


def _events() -> Any:
    from numba.core import event

    return event
