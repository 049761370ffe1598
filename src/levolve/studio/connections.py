"""Connections to the studio: how many are open, and how long a request may take to arrive.

uvicorn closes idle connections after an answer, but waits without end for the first request and for
the rest of its headers. It takes its protocol as a setting; the one of this module adds a time
limit and a number, from outside: it overrides only methods of `asyncio.Protocol`.

`Turns`: long work of requests, a few at a time. It is given up once nobody waits for it.
"""

import asyncio
import os
import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from concurrent.futures import CancelledError
from typing import TypeVar, cast

from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from levolve.core.stopping import belong_to
from levolve.studio.live_jobs import TooManyRunsError

# A browser opens at most six to a host; event streams need one each.
MOST_CONNECTIONS = 256
# The time from the connection, or from the last answer, to the end of the headers of a request.
HEADER_SECONDS = 10.0
BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nconnection: "
    b"close\r\n\r\n"
    b'{"error": "too many connections to the studio; close a page"}'
)
Address = tuple[str, int]


class Connection:
    """A connection: the number of its requests in progress, and its timer while there is none."""

    def __init__(self, transport: asyncio.Transport) -> None:
        """Begin without a request."""
        self.transport = transport
        self.requests = 0
        self.unsent = -1
        self.timer: asyncio.TimerHandle | None = None


class Connections:
    """Counts connections, and closes those that wait too long for a request.

    One too many takes the place of the one that has waited longest, so that connections without a
    request never keep a page from the studio. If all have a request, it is refused.

    Parameters
    ----------
    most
        How many may be open.
    seconds
        How long one may be open without a complete request.
    """

    def __init__(self, most: int = MOST_CONNECTIONS, seconds: float = HEADER_SECONDS) -> None:
        """Start without a connection."""
        self._most, self._seconds = most, seconds
        self._open: dict[Address, Connection] = {}
        # Those without a request, the one that has waited longest first.
        self._waiting: OrderedDict[Address, Connection] = OrderedDict()

    def counting(self, app: ASGIApp) -> ASGIApp:
        """Return an application that reports when a request has arrived and when it was
        answered.
        """

        async def counted(scope: Scope, receive: Receive, send: Send) -> None:
            connection = self._open.get(tuple(scope.get("client") or ()))
            if connection is None:
                await app(scope, receive, send)
                return
            self._begin(connection)
            try:
                await app(scope, receive, send)
            finally:
                self._end(connection)

        return counted

    def protocol(self) -> type[asyncio.Protocol]:
        """Return the protocol for the setting `http` of uvicorn."""
        connections = self

        class LimitedProtocol(H11Protocol):
            def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as in the base class
                super().connection_made(transport)
                connections.add(transport)

            def data_received(self, data: bytes) -> None:
                # What a refused client sends is not read.
                if not self.transport.is_closing():
                    super().data_received(data)

            def connection_lost(self, exc: Exception | None) -> None:
                connections.remove(self.transport)
                super().connection_lost(exc)

        return LimitedProtocol

    def add(self, transport: asyncio.Transport) -> None:
        """Count a connection; one too many closes another one, or is refused."""
        if len(self._open) >= self._most:
            if not self._waiting:
                transport.write(BUSY)
                transport.close()
                return
            _, longest = self._waiting.popitem(last=False)
            self.remove(longest.transport)
            longest.transport.abort()
        self._open[_address(transport)] = connection = Connection(transport)
        self._wait(connection)

    def remove(self, transport: asyncio.Transport) -> None:
        """Forget a connection that is closed."""
        address = _address(transport)
        connection = self._open.get(address)
        # Meanwhile another one may have the same address.
        if connection is not None and connection.transport is transport:
            del self._open[address]
            self._stop_waiting(connection)

    def _begin(self, connection: Connection) -> None:
        connection.requests += 1
        self._stop_waiting(connection)

    def _end(self, connection: Connection) -> None:
        connection.requests -= 1
        if not connection.requests and not connection.transport.is_closing():
            self._wait(connection)

    def _wait(self, connection: Connection) -> None:
        self._waiting[_address(connection.transport)] = connection
        loop = asyncio.get_running_loop()
        connection.timer = loop.call_later(self._seconds, self._expire, connection)

    def _stop_waiting(self, connection: Connection) -> None:
        self._waiting.pop(_address(connection.transport), None)
        if connection.timer is not None:
            connection.timer.cancel()
            connection.timer = None

    def _expire(self, connection: Connection) -> None:
        """Close a connection, unless the client is still receiving the last answer."""
        unsent = connection.transport.get_write_buffer_size()
        receives = unsent and unsent != connection.unsent
        connection.unsent = unsent
        self._stop_waiting(connection)
        if receives:
            self._wait(connection)
        else:
            connection.transport.abort()


def _address(transport: asyncio.Transport) -> Address:
    return cast("Address", tuple(transport.get_extra_info("peername") or ()))


# Seconds between two questions whether anybody waits for the result.
PATIENCE = 0.1
Value = TypeVar("Value")
Gone = Callable[[], Awaitable[bool]]


def _stoppable(
    stop: threading.Event, function: Callable[..., Value], *arguments: object
) -> Value | None:
    """Call a function that ends with `CancelledError` if the event is set; the result is then
    None.
    """
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

    async def work(
        self, function: Callable[..., Value], *arguments: object, gone: Gone
    ) -> Value | None:
        """Return what a function returns, called when it is its turn; None once who asked is
        gone.
        """
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
        if (
            self._most_waiting is not None
            and self._waiting >= self._most_waiting
            and self._turn.locked()
        ):
            raise TooManyRunsError(
                f"expected at most {self._most_waiting} requests to wait for their turn; try "
                "again later"
            )
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
