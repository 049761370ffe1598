"""The application: the routes of the API, the files of the page, and the form of errors.

`serve`: runs the studio on 127.0.0.1 until it is stopped.
"""

import logging
import secrets
import signal
import socket
import threading
import webbrowser
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib import resources
from pathlib import Path

import uvicorn
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from levolve.core.errors import InputError, LevolveError, OutputError, StoreError, UnknownNameError
from levolve.core.safe_text import one_line, printable
from levolve.studio.api import ROUTERS
from levolve.studio.api.levels import files_router
from levolve.studio.connections import Connections
from levolve.studio.guard import TOKEN, Guard, RedirectFile
from levolve.studio.library import LevelLibrary
from levolve.studio.live_jobs import LiveRuns, LiveSessions, TooManyRunsError
from levolve.version import VERSION

LOG = logging.getLogger("levolve.studio")
LONGEST_LINE = 300
# The status of each kind of error, the first that fits.
STATUS = (
    (UnknownNameError, 404),
    (InputError, 400),
    (TooManyRunsError, 429),
    (StoreError, 503),
    (LevolveError, 409),
)


def static_folder() -> Path:
    """Return the folder of the page's files."""
    return Path(str(resources.files("levolve.studio") / "static"))


def create_app(
    store: Path,
    token: str,
    hosts: frozenset[str],
    opened: Callable[[], None] = lambda: None,
) -> Guard:
    """Build the application.

    Parameters
    ----------
    store
        The SQLite file of runs, shared with the command line.
    token, hosts, opened
        See `Guard`.
    """
    runs, sessions = LiveRuns(store), LiveSessions(store)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        runs.close()
        sessions.close()

    app = FastAPI(
        title="levolve studio",
        version=VERSION,
        description="Everything that the page of the studio can do.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=lifespan,
    )
    app.state.runs = runs
    app.state.sessions = sessions
    app.state.library = LevelLibrary(store)
    for router in ROUTERS:
        app.include_router(router, prefix="/api")
    app.add_exception_handler(LevolveError, _explain)
    app.add_exception_handler(RequestValidationError, _explain_request)
    app.add_exception_handler(HTTPException, _explain_status)
    app.add_exception_handler(MemoryError, _explain_memory)
    app.add_exception_handler(Exception, _explain_bug)
    folder = static_folder()

    @app.get("/", include_in_schema=False)
    def page() -> FileResponse:
        return FileResponse(folder / "index.html", headers={"cache-control": "no-cache"})

    app.include_router(files_router)
    app.mount("/static", StaticFiles(directory=folder), name="static")
    return Guard(app, token, hosts, opened)


def _log(request: Request, sentence: object) -> None:
    """Write a line about a request that was refused."""
    LOG.warning("%s", one_line(f"{request.method} {request.url.path}: {sentence}")[:LONGEST_LINE])


def _explain(request: Request, problem: Exception) -> Response:
    status = next(status for kind, status in STATUS if isinstance(problem, kind))
    _log(request, problem)
    return JSONResponse({"error": str(problem)}, status)


def _explain_request(request: Request, problem: Exception) -> Response:
    """Return one sentence about the first part of a request that was not understood."""
    first = problem.errors()[0] if isinstance(problem, RequestValidationError) else {}
    where = ".".join(str(part) for part in first.get("loc", ())[1:]) or "request"
    sentence = printable(f"{where[:80]}: {first.get('msg', 'not understood')}")
    _log(request, sentence)
    return JSONResponse({"error": sentence}, 422)


def _explain_status(_: Request, problem: Exception) -> Response:
    """Return the sentence of an error of the protocol, such as an unknown address."""
    status, sentence = (
        (problem.status_code, problem.detail) if isinstance(problem, HTTPException) else (500, "")
    )
    return JSONResponse({"error": printable(sentence)}, status)


def _explain_memory(request: Request, _: Exception) -> Response:
    sentence = "not enough memory; choose a smaller size"
    _log(request, sentence)
    return JSONResponse({"error": sentence}, 503)


def _explain_bug(request: Request, problem: Exception) -> Response:
    LOG.error("%s", one_line(f"{request.method} {request.url.path}: {problem}"))
    return JSONResponse(
        {"error": "something went wrong in the studio; the terminal shows details"}, 500
    )


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
        # Commands end quietly when their output is closed. A browser that closes a connection must
        # not end the server.
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
    # With the protocol named, asyncio sends small answers at once; otherwise each waits 40 ms for
    # an acknowledgement of the headers.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
    except OSError as problem:
        listener.close()
        raise OutputError(
            f"--port {port}: cannot be used: {problem.strerror}; choose another port, or leave "
            "the option out"
        ) from problem
    return listener
