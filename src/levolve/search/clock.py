"""`work_clock`: seconds that do not include the compilation of kernels, nor the loading of Numba.

The first run of a recipe compiles its kernels for seconds; how long a run takes is what the next
one takes.
"""

import atexit
import time
from threading import Lock

from levolve.kernels.compiler import loading_seconds, watching_compiler


class _Compilations:
    """The time during which at least one thread compiles."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._under_way = 0
        self._began = self._seconds = 0.0

    def on_event(self, started: bool, _name: str) -> None:  # noqa: FBT001 called by the compiler
        """Count a compilation that begins or ends; they may contain each other."""
        with self._lock:
            now = time.perf_counter()
            if self._under_way:
                self._seconds += now - self._began
            self._under_way += 1 if started else -1
            self._began = now

    def working(self) -> float:
        """Return the seconds since some moment, without those of compilations."""
        with self._lock:
            now = time.perf_counter()
            compiling = self._seconds + (now - self._began if self._under_way else 0.0)
            return now - compiling - loading_seconds()


_COMPILATIONS = _Compilations()
# For as long as the process lives.
_WATCHING = watching_compiler(_COMPILATIONS.on_event)
_WATCHING.__enter__()
atexit.register(_WATCHING.__exit__, None, None, None)


def work_clock() -> float:
    """Return seconds for differences, as `time.perf_counter` does. The clock stands still while a
    thread of this process compiles a kernel or loads Numba.
    """
    return _COMPILATIONS.working()
