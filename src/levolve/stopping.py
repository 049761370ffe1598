"""Requests to stop: work on a thread of a pool asks now and then whether the pool is shutting down, for example after an interrupt."""

from concurrent.futures import CancelledError
from threading import Event, local

_of_this_thread = local()


def belong_to(stopping: Event) -> None:
    """Set the event that says that the work of this thread shall stop."""
    _of_this_thread.stopping = stopping


def stop_requested() -> bool:
    """Whether the pool of this thread is shutting down, for example after an interrupt."""
    stopping: Event | None = getattr(_of_this_thread, "stopping", None)
    return stopping is not None and stopping.is_set()


def check_stop() -> None:
    """Raise `CancelledError` if the pool of this thread is shutting down."""
    if stop_requested():
        raise CancelledError
