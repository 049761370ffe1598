"""Runs: start, list, watch, pause, resume, stop, delete."""

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal, Self

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field, model_validator
from starlette.responses import Response, StreamingResponse

from levolve.jobs.archives.illuminate import Illumination, illumination_recipe
from levolve.jobs.runs.run import Run
from levolve.jobs.runs.solver_job import SolverJob
from levolve.jobs.store.records import StoredRun
from levolve.puzzles import PUZZLES
from levolve.recipes.finding import adapt
from levolve.recipes.recipe import RECIPES
from levolve.studio.api.shared import MOST_NUMBER, RESPONSES, RunNumber, Runs, Seed, Settings
from levolve.studio.library import stored_level
from levolve.studio.live_jobs import EventStream, LiveRuns, run_events
from levolve.studio.live_run import ANCESTRY, ARCHIVE, ATTEMPT, LEVEL, LONGEST_DELAY, WALL
from levolve.studio.views import stored_ancestry, stored_attempt, stored_board

router = APIRouter(tags=["runs"], responses=RESPONSES)
LONGEST_POSITION = 100_000
MOST_GENERATIONS = 10_000_000
MOST_GRID = 100
CHECKPOINT_SECONDS = 5.0


class NewSolver(BaseModel):
    """A puzzle to solve."""

    model_config = ConfigDict(extra="forbid")

    puzzle: str = Field(
        max_length=100, description="The name of a puzzle, such as sliding or flag."
    )
    position: str = Field(
        max_length=LONGEST_POSITION,
        description="A board such as 8672543_1, the number of a round, or text or JSON.",
    )
    method: Literal["genetic", "exact"] = "genetic"
    scheme: str | None = Field(
        default=None,
        max_length=100,
        description="Which genetic algorithm; the first of the puzzle by default.",
    )
    generations: int | None = Field(
        default=None,
        ge=1,
        le=MOST_GENERATIONS,
        description="The most generations; only for the genetic method.",
    )

    def job(self, seed: int | None) -> SolverJob:
        """Return the job that solves the puzzle."""
        settings = {} if self.generations is None else {"generations": self.generations}
        position = PUZZLES[self.puzzle].parse(self.position)
        return SolverJob(
            self.puzzle,
            position,
            method=self.method,
            seed=seed,
            scheme=self.scheme,
            settings=settings,
        )


class NewIllumination(BaseModel):
    """How to illuminate: find the best level for every combination of two measures."""

    model_config = ConfigDict(extra="forbid")

    axes: list[Annotated[str, Field(max_length=100)]] | None = Field(
        default=None, max_length=3, description="Measures; by default two that suit."
    )
    grid: int = Field(
        default=30,
        ge=2,
        le=MOST_GRID,
        description="The number of cells on each axis, if there are as many values.",
    )
    evaluations: int = Field(
        default=100_000, ge=1, le=MOST_GENERATIONS, description="How many levels are evaluated."
    )


class NewRun(BaseModel):
    """A run to start: of a recipe, also to illuminate, or of a solver."""

    model_config = ConfigDict(extra="forbid")

    recipe: str | None = Field(default=None, max_length=100, description="The name of a recipe.")
    solve: NewSolver | None = Field(
        default=None, description="A puzzle to solve, instead of a recipe."
    )
    illuminate: NewIllumination | None = Field(
        default=None, description="To illuminate, instead of looking for one best level."
    )
    seed: Seed | None = None
    ancestry: bool = Field(
        default=True,
        description=(
            "Whether to record the ancestors of the best level; the run takes a little longer."
        ),
    )
    settings: Settings = Field(
        default={},
        description=(
            "Changed settings of the recipe by their paths, such as size or strategy.population."
        ),
    )

    @model_validator(mode="after")
    def _check_kind(self) -> Self:
        if (self.recipe is None) == (self.solve is None):
            raise ValueError("expected either a recipe or a puzzle to solve")
        if self.solve is not None and self.illuminate is not None:
            raise ValueError("expected a recipe to illuminate, not a puzzle")
        if self.solve is not None and self.settings:
            raise ValueError(
                "settings belong to recipes; they cannot be combined with a puzzle to solve"
            )
        return self

    def job(self) -> Run | SolverJob | Illumination:
        """Return the job to carry out."""
        if self.solve is not None:
            return self.solve.job(self.seed)
        name = self.recipe or ""
        RECIPES[name]
        settings = {path: value for path, value in self.settings.items() if value is not None}
        if self.illuminate is not None:
            wanted = self.illuminate
            grid = (wanted.grid,)
            adapted = illumination_recipe(
                name,
                axes=wanted.axes,
                grid=grid,
                evaluations=wanted.evaluations,
                settings=settings,
                check=LiveRuns.check_recipe,
            )
            return Illumination(adapted, self.seed)
        recipe = adapt(name, settings=settings)
        LiveRuns.check_recipe(recipe, ancestry=self.ancestry)
        return Run(recipe, self.seed, ancestry=self.ancestry)


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
    """Start a run of a recipe, or a solver of a puzzle."""
    return {"id": runs.start(new.job()).id}


@router.get("/runs/{run}")
def show_run(run: RunNumber, runs: Runs) -> dict[str, Any]:
    """Return a run with its history and its best level, or its best attempt at a puzzle."""
    live = runs.find(run)
    record = runs.reading(lambda store: store.find(run))
    if live is not None and not live.is_over:
        history: list[Any] = live.since(-1)
        last: dict[str, Any] = {
            name: live.message[name] for name in ("mean", "evaluations") if name in live.message
        }
        level, attempt = live.level, live.attempt
    else:
        figures, level, attempt = runs.reading(
            lambda store: (
                store.history(run),
                stored_level(store, record),
                stored_attempt(store, record),
            )
        )
        history = [(one.step, one.best, one.mean, None) for one in figures]
        last = {"mean": figures[-1].mean, "evaluations": figures[-1].evaluations} if figures else {}
    recipe = (record.call or {}).get("recipe")
    return {
        **_listed(runs, record),
        **last,
        "history": history,
        "level": level,
        "attempt": attempt,
        "recipe": recipe,
    }


@router.get("/runs/{run}/ancestry")
def show_ancestry(run: RunNumber, runs: Runs) -> dict[str, Any]:
    """Return the ancestors of the best level of a run, from the first to itself: at most 24, those
    with the largest gains.

    `ancestors` is null for a run that does not record them.
    """
    live = runs.find(run)
    if live is not None and live.ancestry is not None and not live.is_over:
        return {"ancestors": live.ancestry}
    return {"ancestors": runs.reading(lambda store: stored_ancestry(store, store.find(run)))}


@router.get(
    "/runs/{run}/board", response_class=Response, responses={200: {"content": {"image/png": {}}}}
)
def show_board(
    run: RunNumber,
    runs: Runs,
    step: Annotated[int, Query(ge=0, le=MOST_NUMBER, description="How many moves.")] = 0,
) -> Response:
    """Return a picture of the board after the first moves of the best attempt of a solver, as of
    its last checkpoint.
    """
    return Response(
        runs.reading(lambda store: stored_board(store, store.find(run), step)),
        media_type="image/png",
    )


@router.get(
    "/runs/{run}/events",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {}}}},
)
async def watch_run(
    run: RunNumber,
    runs: Runs,
    *,
    wall: Annotated[
        bool,
        Query(description="Whether to send the levels of the population, the best ones first."),
    ] = False,
    ancestry: Annotated[
        bool,
        Query(
            description="Whether to send the ancestors of the best level, if the run records them."
        ),
    ] = False,
    archive: Annotated[
        bool, Query(description="Whether to send the map of elites of an illumination.")
    ] = False,
    since: Annotated[
        int, Query(ge=-1, le=1 << 53, description="The last generation that is known.")
    ] = -1,
) -> StreamingResponse:
    """Stream what happens in a run, as server-sent events."""
    live = runs.find(run)
    if live is None:
        runs.reading(lambda store: store.find(run))

    chosen = {WALL: wall, ANCESTRY: ancestry, ARCHIVE: archive}
    names = frozenset({LEVEL, ATTEMPT, *(name for name, wanted in chosen.items() if wanted)})

    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return EventStream(
        run_events(runs, run, names, since), media_type="text/event-stream", headers=headers
    )


@router.post("/runs/{run}/{action}")
def control_run(
    run: RunNumber, action: Literal["pause", "resume", "stop", "checkpoint"], runs: Runs
) -> dict[str, Any]:
    """Pause, resume or stop a run, or store it as it is now. A stopped run can be resumed."""
    record = runs.reading(lambda store: store.find(run))
    if action == "resume":
        runs.resume(run)
        return {"id": run}
    live = runs.live(record)
    actions: dict[str, Callable[[], None]] = {
        "pause": live.pause,
        "stop": live.stop,
        "checkpoint": partial(live.checkpoint, CHECKPOINT_SECONDS),
    }
    actions[action]()
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
    data = {name: getattr(record, name) for name in names.split()} | {
        "seed": str(record.seed),
        "live": False,
    }
    live = runs.find(record.id)
    if live is not None and not live.is_over:
        data |= {
            name: live.message[name]
            for name in ("status", "progress", "score", "headline")
            if name in live.message
        } | {"live": True}
    return data
