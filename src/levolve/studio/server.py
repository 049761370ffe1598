"""`serve`: runs the studio on 127.0.0.1 until it is stopped."""

import secrets
import signal
import socket
import webbrowser
from collections.abc import Callable
from pathlib import Path

import uvicorn

from levolve.errors import OutputError
from levolve.studio.app import create_app
from levolve.studio.guard import TOKEN

HOST = "127.0.0.1"
# Open event streams are closed after this time when the server stops.
SHUTDOWN_SECONDS = 2


def serve(store: Path, port: int = 0, *, announce: Callable[[str], None], open_browser: bool = False, token: str | None = None) -> None:
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
        Whether to open the address in the user's browser.
    token
        The token; by default a random one.
    """
    if hasattr(signal, "SIGPIPE"):
        # Commands end quietly when their output is closed. A browser that closes a connection must not end the server.
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    listener = listen(port)
    port = listener.getsockname()[1]
    token = token or secrets.token_urlsafe(24)
    app = create_app(store, token, frozenset({f"{HOST}:{port}", f"localhost:{port}"}))
    config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=SHUTDOWN_SECONDS)
    address = f"http://{HOST}:{port}/?{TOKEN}={token}"

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            announce(address)
            if open_browser:
                webbrowser.open(address)

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
