"""Callbacks for compilations, without loading Numba before a kernel does."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from levolve.kernels.compiler.compiled_kernel import when_numba_is_loaded

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
