"""Breeding sessions: begin, act, go back, keep and download levels."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import JSONResponse, Response

from levolve.core.errors import InputError
from levolve.formats import FORMATS
from levolve.formats.look import DEFAULT_THEME, Look
from levolve.formats.themes import THEMES
from levolve.jobs.breeding.actions import read_action
from levolve.levels.level import Level
from levolve.recipes.finding import adapt
from levolve.recipes.from_levels import recipe_that_encodes
from levolve.recipes.recipe import RECIPES
from levolve.studio.api.levels import level_file
from levolve.studio.api.shared import MOST_NUMBER, RESPONSES, Seed, Settings
from levolve.studio.library import ItemReference, find_item
from levolve.studio.live_jobs import LiveSessions, OpenSession
from levolve.studio.views import shown_level, shown_rows

router = APIRouter(tags=["sessions"], responses=RESPONSES)
MOST_GENERATIONS = 100
MOST_SHOWN = 24
# How many levels of a sheet the family tree shows.
THUMBNAILS = 4


def _sessions(request: Request) -> LiveSessions:
    sessions: LiveSessions = request.app.state.sessions
    return sessions


Sessions = Annotated[LiveSessions, Depends(_sessions)]
Number = Annotated[int, Path(ge=1, le=MOST_NUMBER, description="The number of a session.")]
Place = Annotated[
    int, Path(ge=0, le=MOST_SHOWN, description="The place of a level on the sheet, from 0.")
]
Share = Annotated[float, Field(ge=0, le=1)]
Cells = Annotated[list[Annotated[str, Field(max_length=40)]], Field(max_length=1 << 14)]


class StartLevel(BaseModel):
    """A level of another session to begin with."""

    model_config = ConfigDict(extra="forbid")

    session: int = Field(ge=1, le=MOST_NUMBER)
    place: int = Field(ge=0, le=MOST_SHOWN)


class NewSession(BaseModel):
    """A session to begin."""

    model_config = ConfigDict(extra="forbid")

    recipe: str | None = Field(
        default=None,
        max_length=100,
        description=(
            "The name of a recipe; by default one that can begin with the level to start with."
        ),
    )
    seed: Seed | None = None
    sheet: int = Field(default=12, ge=2, le=MOST_SHOWN, description="Levels per sheet.")
    wildness: Share = 0.3
    blend: Share = 0.0
    settings: Settings = {}
    start: StartLevel | None = None
    level: str | None = Field(
        default=None,
        max_length=40,
        description="A level of the store to start with, such as kept-3 or run-5-0.",
    )


class SessionAction(BaseModel):
    """An action with what it needs, as in the data of a session; besides, undo, redo, and go with
    the number of a sheet.
    """

    model_config = ConfigDict(extra="forbid")

    action: Literal[
        "pick",
        "next",
        "cross",
        "advance",
        "more_like",
        "lock",
        "unlock",
        "paint",
        "adjust",
        "undo",
        "redo",
        "go",
    ]
    picks: (
        dict[Annotated[str, Field(max_length=4)], Annotated[str, Field(max_length=10)]] | None
    ) = Field(default=None, max_length=MOST_SHOWN)
    place: int | None = Field(default=None, ge=0, le=MOST_SHOWN)
    places: tuple[int, int] | None = None
    generations: int | None = Field(default=None, ge=1, le=MOST_GENERATIONS)
    cells: Cells | None = None
    tiles: dict[Annotated[str, Field(max_length=1)], Cells] | None = Field(
        default=None, max_length=64
    )
    lock: bool | None = None
    setting: Literal["wildness", "blend"] | None = None
    value: Share | None = None
    number: int | None = Field(default=None, ge=0, le=1 << 20)


class Name(BaseModel):
    """A name that a person gives."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(min_length=1, max_length=100)


@router.get("/sessions")
def list_sessions(sessions: Sessions) -> list[dict[str, Any]]:
    """List all breeding sessions of the store, the one that was used last first."""
    return [record.to_data() for record in sessions.list()]


@router.post("/sessions", status_code=201)
def begin_session(new: NewSession, sessions: Sessions) -> dict[str, Any]:
    """Begin a breeding session with a recipe, and optionally with a level."""
    start = _start(new, sessions)
    name = new.recipe or (None if start is None else recipe_that_encodes(start))
    if name is None:
        raise InputError(
            "recipe: expected the name of a recipe, or a level to start with that one of them "
            "can encode, got neither"
        )
    RECIPES[name]
    recipe = adapt(
        name,
        settings={path: value for path, value in new.settings.items() if value is not None},
        start=start,
    )
    number = sessions.begin(
        recipe, new.seed, sheet=new.sheet, wildness=new.wildness, blend=new.blend
    )
    with sessions.using(number) as opened:
        return _shown(opened)


@router.get("/sessions/{number}")
def show_session(number: Number, sessions: Sessions) -> dict[str, Any]:
    """Return a session: its sheet, its picks and its family tree."""
    with sessions.using(number) as opened:
        return _shown(opened)


@router.put("/sessions/{number}")
def rename_session(number: Number, name: Name, sessions: Sessions) -> dict[str, Any]:
    """Change the name of a session."""
    sessions.rename(number, name.name)
    return {"id": number, "name": name.name}


@router.delete("/sessions/{number}")
def delete_session(number: Number, sessions: Sessions) -> dict[str, Any]:
    """Delete a session from the store."""
    sessions.delete(number)
    return {"id": number}


@router.post("/sessions/{number}/actions")
def act(number: Number, given: SessionAction, sessions: Sessions) -> dict[str, Any]:
    """Carry out an action, and return the session after it. An action that fails changes
    nothing.
    """
    with sessions.changing(number) as opened:
        session = opened.session
        if given.action == "undo":
            session.undo()
        elif given.action == "redo":
            session.redo()
        elif given.action == "go":
            session.go(0 if given.number is None else given.number)
        else:
            session.act(read_action(given.model_dump(mode="json", exclude_none=True), "action"))
        return _shown(opened)


@router.get("/sessions/{number}/sheets/{sheet}")
def show_sheet(
    number: Number, sheet: Annotated[int, Path(ge=0, le=1 << 20)], sessions: Sessions
) -> dict[str, Any]:
    """Return some levels of any sheet of a session, for its family tree."""
    with sessions.using(number) as opened:
        tree = opened.session.tree
        if sheet >= len(tree):
            raise InputError(
                f"sheet: expected the number of a sheet, from 0 to {len(tree) - 1}, got {sheet}"
            )
        levels = tree[sheet].levels[:THUMBNAILS]
    return {
        "number": sheet,
        "levels": [
            {"rows": shown_rows(level.tiles, level.tileset), "tileset": level.tileset.name}
            for level in levels
        ],
    }


@router.get(
    "/sessions/{number}/file",
    response_class=Response,
    responses={200: {"content": {"application/json": {}}}},
)
def download_session(number: Number, sessions: Sessions) -> Response:
    """Return a session as the file that 'levolve breed --session' reads."""
    with sessions.using(number) as opened:
        data = opened.session.to_data()
    return JSONResponse(
        data,
        headers={"content-disposition": f'attachment; filename="levolve-session-{number}.json"'},
    )


@router.get(
    "/sessions/{number}/levels/{place}",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {}}}},
)
def download_level(
    number: Number,
    place: Place,
    sessions: Sessions,
    format: Annotated[str, Query(max_length=60)] = "json",  # noqa: A002 the word that users know
    theme: Annotated[str, Query(max_length=60)] = DEFAULT_THEME,
) -> Response:
    """Return a level of the sheet as a file."""
    FORMATS[format]
    with sessions.using(number) as opened:
        level = _level(opened, place)
    return level_file(
        level, f"levolve-session-{number}-{place + 1}", format, Look(THEMES[theme], 16)
    )


@router.post("/sessions/{number}/levels/{place}/shelf", status_code=201)
def keep_level(number: Number, place: Place, name: Name, sessions: Sessions) -> dict[str, Any]:
    """Put a level of the sheet on the shelf."""
    with sessions.using(number) as opened:
        level, source = (
            _level(opened, place),
            f"session {number}, sheet {opened.session.number}, level {place + 1}",
        )
    return {
        "id": sessions.store.shelf.add(
            name.name, level.digest, FORMATS["json"].encode(level), source
        )
    }


def _start(new: NewSession, sessions: LiveSessions) -> Level | None:
    """Return the level to start with, if there is one."""
    if new.start is not None:
        with sessions.using(new.start.session) as opened:
            return _level(opened, new.start.place)
    if new.level is None:
        return None
    found = find_item(sessions.store, ItemReference.parse(new.level))
    if not isinstance(found, Level):
        raise InputError(f"level: expected a level, got {new.level}, which is a puzzle")
    return found


def _level(opened: OpenSession, place: int) -> Level:
    levels = opened.session.levels
    if place >= len(levels):
        raise InputError(
            f"place: expected a place of the sheet, from 0 to {len(levels) - 1}, got {place}"
        )
    return levels[place]


def _shown(opened: OpenSession) -> dict[str, Any]:
    """Return what the page shows of a session."""
    session = opened.session
    tree = session.tree
    return {
        **opened.record.to_data(),
        "seed": str(session.seed),
        "size": "{}x{}".format(*session.recipe.size),
        "objective": session.recipe.objective["kind"],
        "sheet": session.number,
        "generation": session.generation,
        "digest": session.digest,
        "wildness": session.wildness,
        "blend": session.blend,
        "can_undo": session.can_undo,
        "can_redo": session.can_redo,
        "picks": {str(place): word for place, word in session.picks.items()},
        "locked": [[x, y] for x, y in session.locked],
        "levels": [shown_level(level) for level in session.levels],
        "tree": [
            {
                "number": one.number,
                "parent": one.parent,
                "generation": one.generation,
                "action": one.action.kind if one.action else None,
            }
            for one in tree
        ],
    }
