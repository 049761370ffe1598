"""Connections to the studio: how many are open, and how long a request may take to arrive.

uvicorn closes idle connections after an answer, but waits without end for the first request and for
the rest of its headers. It takes its protocol as a setting; the one of this module adds a time limit
and a number, from outside: it overrides only methods of `asyncio.Protocol`.
"""

import asyncio
from collections import OrderedDict
from typing import cast

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

# A browser opens at most six to a host; event streams need one each.
MOST_CONNECTIONS = 256
# The time from the connection, or from the last answer, to the end of the headers of a request.
HEADER_SECONDS = 10.0
BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n"
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
        """Return an application that reports when a request has arrived and when it was answered."""

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
