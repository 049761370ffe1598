"""Requests to stop: long work asks now and then whether its pool is shutting down, or whether an
interrupt was lost.

Long calls of kernels in pieces of about a tenth of a second, so that an interrupt is answered at
once.

Interrupts of a command: Ctrl-C, SIGTERM and a closed terminal end a job between two of its events,
where its state can be stored.
"""

import os
import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from threading import Event, current_thread, local, main_thread
from types import FrameType, TracebackType
from typing import Any, Self

from levolve.core.errors import LevolveError

_of_this_thread = local()
_interrupted = Event()


def belong_to(stopping: Event) -> None:
    """Set the event that says that the work of this thread shall stop."""
    _of_this_thread.stopping = stopping


def stop_requested() -> bool:
    """Whether the pool of this thread is shutting down, for example after an interrupt. Raises an
    interrupt again that was lost.
    """
    if _interrupted.is_set() and current_thread() is main_thread():
        raise KeyboardInterrupt
    stopping: Event | None = getattr(_of_this_thread, "stopping", None)
    return stopping is not None and stopping.is_set()


def check_stop() -> None:
    """Raise `CancelledError` if the pool of this thread is shutting down."""
    if stop_requested():
        raise CancelledError


def note_interrupts() -> None:
    """Remember an interrupt of this process, so that `stop_requested` raises it again.

    `KeyboardInterrupt` is lost where a library clears the errors of a function that it calls.
    Without this, a command would then go on.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _note)


def _note(_number: int, _frame: FrameType | None) -> None:
    _interrupted.set()
    raise KeyboardInterrupt


SECONDS_PER_PIECE = 0.1


def run_in_pieces(run: Callable[[int], bool], first: int) -> None:
    """Call `run(amount)` until it returns False. The amount of work of the first call is `first`,
    then as much as takes about a tenth of a second.

    Between two calls Python answers signals, and work on a thread whose pool is shutting down ends
    with `CancelledError`.
    """
    amount = max(first, 1)
    while True:
        check_stop()
        began = time.perf_counter()
        if not run(amount):
            return
        share = SECONDS_PER_PIECE / max(time.perf_counter() - began, 1e-9)
        # At most twice as much as before: the speed may vary.
        amount = max(int(amount * min(share, 2.0)), 1)


# If no event comes within this time, the job is interrupted where it is, and its last checkpoint
# counts.
GRACE_SECONDS = 0.5
SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
TIMERS = hasattr(signal, "setitimer")
SHOW_CURSOR = b"\x1b[?25h\n"


class JobInterruptedError(LevolveError):
    """A command was interrupted. The message says what was stored; `exit_code` is 128 plus the
    number of the signal.
    """

    def __init__(self, message: str, number: int) -> None:
        """Create the error for a signal."""
        super().__init__(message)
        self.exit_code = 128 + number


class Interrupts:
    """A context in which the first signal is only recorded: `requested` is its number. A second one
    ends the process at once.
    """

    def __init__(self) -> None:
        """Start without a signal."""
        self.requested: int | None = None
        self._before: dict[int, Any] = {}

    def __call__(self) -> bool:
        """Whether a signal has come. Where it is asked for, the job can be stored, so nothing is
        interrupted any more.
        """
        if self.requested is None:
            return False
        self.settle()
        return True

    def __enter__(self) -> Self:
        """Handle the signals, except those that this process ignores."""
        if current_thread() is main_thread():
            for number in SIGNALS:
                if signal.getsignal(number) not in {signal.SIG_IGN, None}:
                    self._before[number] = signal.signal(number, self._record)
            if TIMERS:
                self._before[signal.SIGALRM] = signal.signal(signal.SIGALRM, self._interrupt)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Handle signals as before."""
        self.settle()
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def settle(self) -> None:
        """Stop the time within which the next event is awaited."""
        if TIMERS and self._before:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def _record(self, number: int, _frame: FrameType | None) -> None:
        if self.requested is not None:
            if sys.stderr.isatty():
                os.write(sys.stderr.fileno(), SHOW_CURSOR)
            os._exit(128 + number)
        self.requested = number
        if not TIMERS:
            raise KeyboardInterrupt
        # Repeated, because an interrupt is lost where a library clears the errors of a function
        # that it calls.
        signal.setitimer(signal.ITIMER_REAL, GRACE_SECONDS, GRACE_SECONDS)

    @staticmethod
    def _interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt
