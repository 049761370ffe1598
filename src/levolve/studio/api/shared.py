"""The version and the limits of the studio.

What the routes share: the runs of the server, and the documented errors.
"""

from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Depends, Path, Request
from pydantic import BaseModel, Field, WithJsonSchema
from starlette.responses import Response

from levolve.jobs.store.repair import damaged_rows
from levolve.studio.library import LevelLibrary
from levolve.studio.live_jobs import MOST_RUNS, LiveRuns
from levolve.version import VERSION

Setting = str | int | float | bool | None | list[Any] | dict[str, Any]
MOST_NUMBER = (1 << 63) - 1


class Refusal(BaseModel):
    """Why a request was refused, in one sentence."""

    error: str


def _runs(request: Request) -> LiveRuns:
    runs: LiveRuns = request.app.state.runs
    return runs


def _library(request: Request) -> LevelLibrary:
    library: LevelLibrary = request.app.state.library
    return library


Runs = Annotated[LiveRuns, Depends(_runs)]
Library = Annotated[LevelLibrary, Depends(_library)]
LevelReference = Annotated[
    str, Path(max_length=40, description="A level, such as run-5-0 or kept-3.")
]
Settings = Annotated[
    dict[Annotated[str, Field(max_length=100)], Setting],
    Field(
        max_length=200,
        description="Changed settings by their paths, such as size or strategy.population.",
    ),
]
_SEED_SCHEMA: dict[str, Any] = {
    "anyOf": [
        {"type": "integer", "minimum": 0, "maximum": (1 << 64) - 1},
        {"type": "string", "pattern": "^[0-9]{1,20}$"},
    ],
    "description": (
        "From 0 to 2**64 - 1; as text where numbers are not exact above 2**53, as in JavaScript."
    ),
}
Seed = Annotated[int, Field(ge=0, lt=1 << 64), WithJsonSchema(_SEED_SCHEMA)]
RunNumber = Annotated[
    int, Path(ge=1, le=MOST_NUMBER, description="The number of a run, as 'levolve runs' lists it.")
]
RESPONSES: dict[int | str, dict[str, Any]] = {
    code: {"model": Refusal} for code in (400, 401, 403, 404, 408, 409, 413, 422, 429, 503)
}


def attachment(content: bytes, name: str) -> Response:
    """Return a file that the browser saves under a name."""
    headers = {"content-disposition": disposition(name)}
    return Response(content, media_type="application/octet-stream", headers=headers)


def disposition(name: str) -> str:
    r"""Return the header that names a file to save, as RFC 6266 writes it.

    Names that are not plain ASCII are encoded by RFC 5987, after one for programs that do not know
    that.

    >>> disposition("maze.zip")
    'attachment; filename="maze.zip"'
    >>> disposition("日本.zip")
    'attachment; filename="__.zip"; filename*=UTF-8\'\'%E6%97%A5%E6%9C%AC.zip'
    """
    plain = "".join(
        sign if sign.isascii() and sign.isprintable() and sign not in '"\\' else "_"
        for sign in name
    )
    named = f'attachment; filename="{plain}"'
    return named if plain == name else f"{named}; filename*=UTF-8''{quote(name, safe='')}"


router = APIRouter(tags=["about"], responses=RESPONSES)


@router.get("/about")
def about(runs: Runs) -> dict[str, Any]:
    """Return the version, the store and the limits."""
    return {"version": VERSION, "store": str(runs.path), "most_runs": MOST_RUNS}


@router.get("/damage")
def list_damage(runs: Runs) -> list[str]:
    """Return a sentence about each row of the store that is damaged, and therefore in no list."""
    return runs.reading(damaged_rows)
