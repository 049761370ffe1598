"""`Turns`: long work of requests, a few at a time. It is given up once nobody waits for it."""

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import CancelledError
from typing import TypeVar

from starlette.concurrency import run_in_threadpool

from levolve.stopping import belong_to
from levolve.studio.live_runs import TooManyRunsError

# Seconds between two questions whether anybody waits for the result.
PATIENCE = 0.1
Value = TypeVar("Value")
Gone = Callable[[], Awaitable[bool]]


def _stoppable(stop: threading.Event, function: Callable[..., Value], *arguments: object) -> Value | None:
    """Call a function that ends with `CancelledError` if the event is set; the result is then None."""
    belong_to(stop)
    try:
        result = function(*arguments)
    except CancelledError:
        return None
    finally:
        # The thread goes on to other work.
        belong_to(threading.Event())
    return None if stop.is_set() else result


class Turns:
    """Carries out work on threads, at most as much at once as there are cores; the rest waits.

    Parameters
    ----------
    most_waiting
        How much may wait; by default without a limit.
    """

    def __init__(self, most_waiting: int | None = None) -> None:
        """Start without work."""
        self._turn = asyncio.Semaphore(os.cpu_count() or 1)
        self._most_waiting = most_waiting
        self._waiting = 0

    async def work(self, function: Callable[..., Value], *arguments: object, gone: Gone) -> Value | None:
        """Return what a function returns, called when it is its turn; None once who asked is gone."""
        if not await self._wait(gone):
            return None
        stop = threading.Event()
        try:
            task = asyncio.create_task(run_in_threadpool(_stoppable, stop, function, *arguments))
            while not (await asyncio.wait({task}, timeout=PATIENCE))[0]:
                if await gone():
                    stop.set()
            return task.result()
        finally:
            # Also if the server stops.
            stop.set()
            self._turn.release()

    async def _wait(self, gone: Gone) -> bool:
        """Wait for a turn; False once who asked is gone."""
        if self._most_waiting is not None and self._waiting >= self._most_waiting and self._turn.locked():
            message = f"expected at most {self._most_waiting} requests to wait for their turn; try again later"
            raise TooManyRunsError(message)
        self._waiting += 1
        turn = asyncio.create_task(self._turn.acquire())
        is_ours = False
        try:
            while not (await asyncio.wait({turn}, timeout=PATIENCE))[0]:
                if await gone():
                    return False
            is_ours = not await gone()
        finally:
            self._waiting -= 1
            if not is_ours and not turn.cancel():
                self._turn.release()
        return is_ours
