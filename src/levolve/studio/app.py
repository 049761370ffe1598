"""The application: the routes of the API, the files of the page, and the form of errors."""

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib import resources
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.staticfiles import StaticFiles

from levolve.errors import InputError, LevolveError, StoreError, UnknownNameError
from levolve.printable import one_line, printable
from levolve.studio.api import ROUTERS
from levolve.studio.guard import Guard
from levolve.studio.library import LevelLibrary
from levolve.studio.live_runs import LiveRuns, TooManyRunsError
from levolve.studio.live_sessions import LiveSessions
from levolve.version import VERSION

LOG = logging.getLogger("levolve.studio")
LONGEST_LINE = 300
# The status of each kind of error, the first that fits.
STATUS = ((UnknownNameError, 404), (InputError, 400), (TooManyRunsError, 429), (StoreError, 503), (LevolveError, 409))


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
    status, sentence = (problem.status_code, problem.detail) if isinstance(problem, HTTPException) else (500, "")
    return JSONResponse({"error": printable(sentence)}, status)


def _explain_memory(request: Request, _: Exception) -> Response:
    sentence = "not enough memory; choose a smaller size"
    _log(request, sentence)
    return JSONResponse({"error": sentence}, 503)


def _explain_bug(request: Request, problem: Exception) -> Response:
    LOG.error("%s", one_line(f"{request.method} {request.url.path}: {problem}"))
    return JSONResponse({"error": "something went wrong in the studio; the terminal shows details"}, 500)
