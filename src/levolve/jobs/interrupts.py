"""Interrupts of a command: Ctrl-C, SIGTERM and a closed terminal end a job between two of its
events, where its state can be stored.
"""

import os
import signal
import sys
from threading import current_thread, main_thread
from types import FrameType, TracebackType
from typing import Any, Self

from levolve.core.errors import LevolveError

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
