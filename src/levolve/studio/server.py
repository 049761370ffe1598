"""`serve`: runs the studio on 127.0.0.1 until it is stopped."""

import secrets
import signal
import socket
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from levolve.errors import OutputError
from levolve.studio.app import create_app
from levolve.studio.connections import Connections
from levolve.studio.guard import TOKEN
from levolve.studio.redirect_file import RedirectFile

HOST = "127.0.0.1"
# Open event streams are closed after this time when the server stops.
SHUTDOWN_SECONDS = 2


def serve(
    store: Path,
    port: int = 0,
    *,
    announce: Callable[[str], None],
    open_browser: bool = False,
) -> None:
    """Run the studio until SIGINT or SIGTERM; runs in progress are stored.

    Parameters
    ----------
    store
        The SQLite file of runs.
    port
        The port; 0 for any free one.
    announce
        Called with the address, which contains the token, when the server accepts requests.
    open_browser
        Whether to open the address in the user's browser, by way of a private file.
    """
    if hasattr(signal, "SIGPIPE"):
        # Commands end quietly when their output is closed. A browser that closes a connection must not end the server.
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    listener = listen(port)
    port = listener.getsockname()[1]
    token = secrets.token_urlsafe(24)
    address = f"http://{HOST}:{port}/?{TOKEN}={token}"
    file = RedirectFile(address) if open_browser else None
    hosts = frozenset({f"{HOST}:{port}", f"localhost:{port}"})
    try:
        app = create_app(store, token, hosts, (lambda: None) if file is None else file.remove)
        _run(
            app,
            listener,
            started=lambda: _started(address, announce, file),
            ended=(lambda: None) if file is None else file.remove,
        )
    finally:
        if file is not None:
            file.remove()


def _started(address: str, announce: Callable[[str], None], file: RedirectFile | None) -> None:
    announce(address)
    if file is not None:
        # Some browsers run in the terminal: the server does not wait for them.
        threading.Thread(target=webbrowser.open, args=(file.path.as_uri(),), daemon=True).start()


def _run(
    app: ASGIApp,
    listener: socket.socket,
    *,
    started: Callable[[], None],
    ended: Callable[[], None],
) -> None:
    connections = Connections()
    config = uvicorn.Config(
        connections.counting(app),
        http=connections.protocol(),
        ws="none",
        # There is no proxy, whose headers would be believed.
        proxy_headers=False,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            started()

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            # Afterwards uvicorn raises the signal again, which ends the process.
            ended()
            await super().shutdown(sockets)

    Server(config).run(sockets=[listener])


def listen(port: int) -> socket.socket:
    """Return a socket that is bound to a port of this computer."""
    # With the protocol named, asyncio sends small answers at once; otherwise each waits 40 ms for an acknowledgement of the headers.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
    except OSError as problem:
        listener.close()
        message = f"--port {port}: cannot be used: {problem.strerror}; choose another port, or leave the option out"
        raise OutputError(message) from problem
    return listener
