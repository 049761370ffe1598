"""Requests to stop: long work asks now and then whether its pool is shutting down, or whether an
interrupt was lost.

Long calls of kernels in pieces of about a tenth of a second, so that an interrupt is answered at
once.
"""

import signal
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from threading import Event, current_thread, local, main_thread
from types import FrameType

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
