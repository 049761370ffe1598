"""What the routes share: the runs of the server, and the documented errors."""

from typing import Annotated, Any

from fastapi import Depends, Path, Request
from pydantic import BaseModel, Field, WithJsonSchema
from starlette.responses import Response

from levolve.studio.library import LevelLibrary
from levolve.studio.live_runs import LiveRuns

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
LevelReference = Annotated[str, Path(max_length=40, description="A level, such as run-5-0 or kept-3.")]
Settings = Annotated[
    dict[Annotated[str, Field(max_length=100)], Setting],
    Field(max_length=200, description="Changed settings by their paths, such as size or strategy.population."),
]
_SEED_SCHEMA: dict[str, Any] = {
    "anyOf": [{"type": "integer", "minimum": 0, "maximum": (1 << 64) - 1}, {"type": "string", "pattern": "^[0-9]{1,20}$"}],
    "description": "From 0 to 2**64 - 1; as text where numbers are not exact above 2**53, as in JavaScript.",
}
Seed = Annotated[int, Field(ge=0, lt=1 << 64), WithJsonSchema(_SEED_SCHEMA)]
RunNumber = Annotated[int, Path(ge=1, le=MOST_NUMBER, description="The number of a run, as 'levolve runs' lists it.")]
RESPONSES: dict[int | str, dict[str, Any]] = {code: {"model": Refusal} for code in (400, 401, 403, 404, 409, 413, 422, 429, 503)}


def attachment(content: bytes, name: str) -> Response:
    """Return a file that the browser saves under a name."""
    return Response(content, media_type="application/octet-stream", headers={"content-disposition": f'attachment; filename="{name}"'})
