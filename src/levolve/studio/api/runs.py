"""Runs: start, list, watch, pause, resume, stop, delete."""

from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import StreamingResponse

from levolve.recipes.adapt import adapt
from levolve.recipes.recipe import RECIPES
from levolve.runs.run import Run
from levolve.runs.store.records import StoredRun
from levolve.studio.api.parts import RESPONSES, RunNumber, Runs, Settings
from levolve.studio.live import LONGEST_DELAY
from levolve.studio.stored import stored_level
from levolve.studio.streams import OpenStreams, run_messages

router = APIRouter(tags=["runs"], responses=RESPONSES)
STREAMS = OpenStreams()


class NewRun(BaseModel):
    """A run to start."""

    model_config = ConfigDict(extra="forbid")

    recipe: str = Field(max_length=100, description="The name of a recipe.")
    seed: int | None = Field(default=None, ge=0, lt=1 << 64)
    settings: Settings = {}


class Pace(BaseModel):
    """How fast a run goes on."""

    model_config = ConfigDict(extra="forbid")

    delay: float = Field(ge=0, le=LONGEST_DELAY, description="Seconds between two generations.")


@router.get("/runs")
def list_runs(runs: Runs) -> list[dict[str, Any]]:
    """List all runs of the store, the one started last first."""
    return [_listed(runs, record) for record in runs.reading(lambda store: store.runs())]


@router.post("/runs", status_code=201)
def start_run(new: NewRun, runs: Runs) -> dict[str, Any]:
    """Start a run of a recipe."""
    RECIPES[new.recipe]
    recipe = adapt(new.recipe, settings={path: value for path, value in new.settings.items() if value is not None})
    return {"id": runs.start(Run(recipe, new.seed)).id}


@router.get("/runs/{run}")
def show_run(run: RunNumber, runs: Runs) -> dict[str, Any]:
    """Return a run with its history and its best level."""
    live = runs.find(run)
    record = runs.reading(lambda store: store.find(run))
    if live is not None and not live.is_over:
        history: list[Any] = live.since(-1)
        level = live.level
    else:
        history = [(one.step, one.best, one.mean, None) for one in runs.reading(lambda store: store.history(run))]
        level = runs.reading(lambda store: stored_level(store, record))
    recipe = (record.call or {}).get("recipe")
    return {**_listed(runs, record), "history": history, "level": level, "recipe": recipe}


@router.get("/runs/{run}/events", response_class=StreamingResponse, responses={200: {"content": {"text/event-stream": {}}}})
async def watch_run(
    run: RunNumber,
    runs: Runs,
    request: Request,
    *,
    wall: Annotated[bool, Query(description="Whether to send the levels of the population, the best ones first.")] = False,
    since: Annotated[int, Query(ge=-1, le=1 << 53, description="The last generation that is known.")] = -1,
) -> StreamingResponse:
    """Stream what happens in a run, as server-sent events."""
    STREAMS.check()
    live = runs.find(run)
    if live is None:
        runs.reading(lambda store: store.find(run))

    async def lines() -> AsyncIterator[str]:
        with STREAMS.open():
            async for name, data in run_messages(runs, run, wall=wall, since=since):
                if await request.is_disconnected():
                    return
                yield f"event: {name}\ndata: {data}\n\n"

    return StreamingResponse(lines(), media_type="text/event-stream", headers={"cache-control": "no-store", "x-accel-buffering": "no"})


@router.post("/runs/{run}/{action}")
def control_run(run: RunNumber, action: Literal["pause", "resume", "stop"], runs: Runs) -> dict[str, Any]:
    """Pause, resume or stop a run. A stopped run can be resumed."""
    record = runs.reading(lambda store: store.find(run))
    if action == "resume":
        runs.resume(run)
    else:
        live = runs.live(record)
        live.pause() if action == "pause" else live.stop()
    return {"id": run}


@router.put("/runs/{run}/pace")
def change_pace(run: RunNumber, pace: Pace, runs: Runs) -> dict[str, Any]:
    """Slow a run down, so that it can be watched."""
    runs.live(runs.reading(lambda store: store.find(run))).delay = pace.delay
    return {"id": run, "delay": pace.delay}


@router.delete("/runs/{run}")
def delete_run(run: RunNumber, runs: Runs) -> dict[str, Any]:
    """Stop a run, and delete it from the store."""
    runs.delete(run)
    return {"id": run}


def _listed(runs: Runs, record: StoredRun) -> dict[str, Any]:
    """Return a record, with what this server knows of it more recently."""
    names = "id kind name size status started updated seconds progress score headline problem"
    data = {name: getattr(record, name) for name in names.split()} | {"seed": str(record.seed), "live": False}
    live = runs.find(record.id)
    if live is not None and not live.is_over:
        data |= {name: live.message[name] for name in ("status", "progress", "score", "headline") if name in live.message} | {"live": True}
    return data
