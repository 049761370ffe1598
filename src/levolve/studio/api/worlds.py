"""Worlds: rules that come with levolve, and pictures and files of any part of a world.

Favourite worlds: kept in the store, with the place that was seen.

How a request describes a world: the rule, its updates, the seed, and the colours.
"""

from collections.abc import Sequence
from functools import partial
from math import floor
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.responses import Response

from levolve.core.errors import InputError, StoreError, UnknownNameError
from levolve.core.registry import did_you_mean
from levolve.formats.look import Look
from levolve.jobs.store.kept import KeptWorld
from levolve.jobs.store.store import Store
from levolve.studio.api.levels import level_file
from levolve.studio.api.shared import MOST_NUMBER, RESPONSES, Runs, attachment
from levolve.studio.worlds import Worlds
from levolve.worlds.design import Design, design_from_data, design_from_text
from levolve.worlds.lambda_fields import DEFAULT_LENGTH, MOST_LENGTH
from levolve.worlds.legend import PALETTES, extended_palette, find_palette
from levolve.worlds.maps import make_map
from levolve.worlds.rule import DEFAULT_UPDATES, VON_NEUMANN
from levolve.worlds.shipped import THUMBNAIL_SEED, list_rules
from levolve.worlds.views import DEEPEST, MOST_UPDATES, SIDE, Mixture, WorldView

MOST_STATES = 16
MOST_NEIGHBOURS = 48
FARTHEST_NEIGHBOUR = 3
LARGEST_SCORE = 1e9
LONGEST_NAME = 60

Score = Annotated[float, Field(ge=-LARGEST_SCORE, le=LARGEST_SCORE, allow_inf_nan=False)]
Scores = Annotated[
    list[Annotated[list[Score], Field(max_length=MOST_STATES)]],
    Field(
        min_length=1,
        max_length=MOST_STATES,
        description=(
            "A row per state: what a cell of this state scores for a neighbour of each state."
        ),
    ),
]
Offset = Annotated[int, Field(ge=-FARTHEST_NEIGHBOUR, le=FARTHEST_NEIGHBOUR)]
Colour = Annotated[str, Field(pattern="^#[0-9a-f]{6}$")]
Palette = (
    Literal["source", "cave", "ink"]
    | Annotated[list[Colour], Field(min_length=1, max_length=MOST_STATES)]
)


class MixtureDescription(BaseModel):
    """Another rule with as many states, into which the rule of a world changes over space."""

    model_config = ConfigDict(extra="forbid")

    scores: Scores
    field: Literal["linear", "vertical", "radial", "noise"] = "noise"
    length: int = Field(
        default=DEFAULT_LENGTH,
        ge=1,
        le=MOST_LENGTH,
        description="Over how many cells one rule changes into the other.",
    )


class WorldDescription(BaseModel):
    """A world, described completely: the same description gives the same cells."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(default="rule", min_length=1, max_length=LONGEST_NAME)
    scores: Scores
    neighbourhood: list[tuple[Offset, Offset]] = Field(
        default=list(VON_NEUMANN),
        min_length=1,
        max_length=MOST_NEIGHBOURS,
        description="The neighbours as (dx, dy), y downwards. Of equal scores the first counts.",
    )
    updates: int = Field(default=DEFAULT_UPDATES, ge=0, le=MOST_UPDATES)
    seed: int = Field(default=0, ge=0, lt=1 << 64, description="Decides the start map.")
    weights: list[Annotated[float, Field(ge=0, le=LARGEST_SCORE, allow_inf_nan=False)]] | None = (
        Field(
            default=None,
            max_length=MOST_STATES,
            description="The shares of the states at the start; equal by default.",
        )
    )
    arithmetic: Literal["exact", "float", "text"] = "exact"
    legend: list[Annotated[str, Field(min_length=1, max_length=30)]] | None = Field(
        default=None, max_length=MOST_STATES
    )
    palette: Palette = Field(
        default="cave",
        description="A palette by name, or one colour per state. Missing colours are added.",
    )

    morph: MixtureDescription | None = None

    def design(self) -> Design:
        """Return the design, or raise an error that says what does not fit."""
        data = self.model_dump(exclude={"seed", "legend", "palette", "morph"}, exclude_none=True)
        if self.legend is not None:
            data["legend"] = self.legend
        named = isinstance(self.palette, str) and len(PALETTES[self.palette]) >= len(self.scores)
        data["palette"] = (
            self.palette if named else extended_palette(len(self.scores), self._colours())
        )
        return design_from_data(data, "rule")

    def _colours(self) -> Sequence[Sequence[int]]:
        return (
            PALETTES[self.palette]
            if isinstance(self.palette, str)
            else [tuple(bytes.fromhex(colour[1:])) for colour in self.palette]
        )

    def view(self) -> WorldView:
        """Return the world as a map to look at."""
        morph = self.morph
        mixture = (
            None
            if morph is None
            else Mixture(tuple(tuple(row) for row in morph.scores), morph.field, morph.length)
        )
        return WorldView(self.design(), self.seed, mixture)


def described(design: Design) -> dict[str, Any]:
    """Return the description of a design."""
    data = {
        key: value
        for key, value in design.to_data().items()
        if key not in {"summary", "border", "smooth", "start", "result"}
    }
    named = isinstance(design.palette, str)
    return data | {
        "name": design.name[:LONGEST_NAME] or "rule",
        "neighbourhood": [list(offset) for offset in design.rule.neighbourhood],
        "palette": design.palette
        if named
        else ["#" + bytes(colour).hex() for colour in find_palette(design.palette)[:MOST_STATES]],
    }


router = APIRouter(tags=["worlds"], responses=RESPONSES)
WORLDS = Worlds()
FARTHEST = 1 << 53
MOST_PIXELS = 1 << 22
MOST_LEVEL_CELLS = 1 << 18
THUMBNAIL = (72, 48)
PNG: dict[int | str, dict[str, Any]] = {200: {"content": {"image/png": {}}}}
FILE: dict[int | str, dict[str, Any]] = {200: {"content": {"application/octet-stream": {}}}}
# The content of a picture never changes: its address contains a digest of all that decides it.
FOR_EVER = {"cache-control": "private, max-age=31536000, immutable"}

Digest = Annotated[str, Path(pattern="^[0-9a-f]{32}$", description="The id of a world.")]
Zoom = Annotated[
    int, Path(ge=-DEEPEST, le=0, description="Half the scale for each -1; 0 is one pixel per cell.")
]
Column = Annotated[int, Path(ge=-FARTHEST, le=FARTHEST)]
Cell = Annotated[int, Query(ge=-FARTHEST, le=FARTHEST)]
Side = Annotated[int, Query(ge=1, le=1 << 12)]


@router.get("/worlds/rules")
def list_world_rules() -> dict[str, Any]:
    """List the rules that come with levolve, the palettes and the limits."""
    return {
        "rules": [
            {
                "name": rule.name,
                "summary": rule.summary,
                "picture": f"/api/worlds/rules/{rule.name}.png",
                "description": described(rule.design),
            }
            for rule in list_rules()
        ],
        "palettes": {
            name: ["#" + bytes(colour).hex() for colour in colours]
            for name, colours in PALETTES.items()
        },
        "limits": {
            "states": MOST_STATES,
            "neighbours": MOST_NEIGHBOURS,
            "reach": FARTHEST_NEIGHBOUR,
            "updates": MOST_UPDATES,
            "tile": SIDE,
        },
    }


@router.get("/worlds/rules/{name}.png", response_class=Response, responses=PNG)
def rule_picture(name: str) -> Response:
    """Return a small map of a rule that comes with levolve."""
    rules = {rule.name: rule.design for rule in list_rules()}
    if name not in rules:
        message = f"unknown rule: {did_you_mean(name[:60], list(rules))}"
        raise UnknownNameError(message)
    picture = WorldView(rules[name], THUMBNAIL_SEED).picture(0, 0, 0, *THUMBNAIL)
    return Response(picture, media_type="image/png", headers={"cache-control": "max-age=3600"})


class RuleFile(BaseModel):
    """The text of a rule file or of a record."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(max_length=1 << 20)
    format: Literal["toml", "json", "txt"]


@router.post("/worlds/read")
def read_rule_file(file: RuleFile) -> dict[str, Any]:
    """Return the description of the rule in a file; of a text of records, that of the first."""
    return described(design_from_text(file.text, file.format))


@router.post("/worlds", status_code=201)
def describe_world(description: WorldDescription) -> dict[str, Any]:
    """Check the description of a world, and return the id by which its pictures are found."""
    view = WORLDS.add(description.view())
    return {
        "id": view.digest,
        "colours": ["#" + bytes(colour).hex() for colour in view.colours],
        "lowest_zoom": view.lowest_zoom,
        "exact_zoom": view.exact_zoom,
        "quick_zoom": view.quick_zoom,
        "most_updates": view.most_updates,
        "legend": view.design.legend.names,
    }


@router.get("/worlds/{world}/tiles/{zoom}/{x}/{y}.png", response_class=Response, responses=PNG)
async def tile(world: Digest, zoom: Zoom, x: Column, y: Column, request: Request) -> Response:
    """Return a picture of 256x256 pixels, in column x and row y of all pictures of a zoom; sampled
    below the exact zoom of the world.
    """
    view = WORLDS.find(world)
    picture = WORLDS.kept(world, zoom, x, y)
    if picture is None:
        picture = await WORLDS.turns.work(
            WORLDS.make, view, zoom, x, y, gone=request.is_disconnected
        )
    if picture is None:
        return Response(status_code=204)
    return Response(picture, media_type="image/png", headers=FOR_EVER)


@router.get("/worlds/{world}/part/{zoom}.png", response_class=Response, responses=PNG)
async def part(
    world: Digest,
    zoom: Zoom,
    x: Cell,
    y: Cell,
    width: Side,
    height: Side,
    request: Request,
    *,
    sampled: bool = False,
) -> Response:
    """Return a picture of any part, counted in pixels of the zoom: all that a page shows, in less
    time than in squares.

    A sampled picture shows in each square of 128x128 pixels the 128x128 cells in the middle of
    those it stands for.
    """
    view = WORLDS.find(world)
    picture = await WORLDS.turns.work(
        partial(view.picture, sampled=sampled),
        zoom,
        x,
        y,
        width,
        height,
        gone=request.is_disconnected,
    )
    if picture is None:
        return Response(status_code=204)
    return Response(picture, media_type="image/png", headers=FOR_EVER)


@router.get("/worlds/{world}/file", response_class=Response, responses=FILE)
def window_file(
    world: Digest,
    x: Cell = 0,
    y: Cell = 0,
    width: Side = 100,
    height: Side = 100,
    format: Literal["png", "tmx", "txt", "npy", "toml", "json"] = "png",  # noqa: A002 the word that users know
    pixels: Annotated[int, Query(ge=1, le=16, description="Pixels per cell of a picture.")] = 1,
) -> Response:
    """Return a window of cells as a file: a picture, a level, a record or an array; or the rule
    alone as TOML or JSON.
    """
    view = WORLDS.find(world)
    name = f"levolve-{world[:8]}"
    if format in {"toml", "json"}:
        return attachment(rule_file(view.design, format), f"{name}.{format}")
    most = (
        MOST_LEVEL_CELLS
        if format == "tmx"
        else MOST_PIXELS // (pixels**2 if format == "png" else 1)
    )
    if width * height > most:
        message = (
            f"size: expected at most {most:,} cells for {format}, got {width}x{height}; take a "
            "smaller window"
        )
        raise InputError(message)
    view.check_cost(0, width, height)
    others = [] if view.other is None else [view.other]
    field, length = (
        ("linear", DEFAULT_LENGTH)
        if view.mixture is None
        else (view.mixture.field, view.mixture.length)
    )
    made = make_map(
        view.design,
        window=(x, y, width, height),
        seed=view.seed,
        morph=others,
        field=field,
        length=length,
    )
    name = f"{name}-{x}-{y}"
    if format == "tmx":
        return level_file(made.to_level(), name, format, Look())
    return attachment(made.encode(f".{format}", pixels=pixels), f"{name}.{format}")


def rule_file(design: Design, suffix: str) -> bytes:
    """Return a rule alone as TOML or JSON."""
    return (design.to_toml() if suffix == "toml" else design.to_json()).encode()


favourites_router = APIRouter(tags=["favourites"], responses=RESPONSES)
FARTHEST_FAVOURITE = 1 << 40
MOST_FAVOURITES = 500

FavouriteCell = Annotated[
    float, Field(ge=-FARTHEST_FAVOURITE, le=FARTHEST_FAVOURITE, allow_inf_nan=False)
]
Number = Annotated[int, Path(ge=1, le=MOST_NUMBER)]


class Favourite(BaseModel):
    """A world, and the cell in the middle of what was seen of it."""

    model_config = ConfigDict(extra="forbid")

    description: WorldDescription
    x: FavouriteCell = 0
    y: FavouriteCell = 0
    zoom: float = Field(
        default=0, ge=-DEEPEST, le=10, description="The pixels per cell are two to the power of it."
    )


@favourites_router.get("/favourites")
def list_favourites(runs: Runs) -> list[dict[str, Any]]:
    """List all favourite worlds, the one that was added last first."""
    return [_listed(kept) for kept in runs.reading(lambda store: store.worlds.list())]


@favourites_router.post("/favourites", status_code=201)
def add_favourite(favourite: Favourite, runs: Runs) -> dict[str, Any]:
    """Keep a world under the name of its rule."""
    favourite.description.view()

    def add(store: Store) -> int:
        if len(store.worlds.list()) >= MOST_FAVOURITES:
            message = f"favourites: expected at most {MOST_FAVOURITES}; remove one first"
            raise InputError(message)
        return store.worlds.add(favourite.description.name, _data(favourite))

    return {"id": runs.reading(add)}


@favourites_router.delete("/favourites/{number}")
def remove_favourite(number: Number, runs: Runs) -> dict[str, Any]:
    """Forget a favourite world."""
    runs.reading(lambda store: store.worlds.delete(number))
    return {"id": number}


@favourites_router.get(
    "/favourites/{number}.png",
    response_class=Response,
    responses={200: {"content": {"image/png": {}}}},
)
def favourite_picture(number: Number, runs: Runs) -> Response:
    """Return a small picture of a favourite world: the cells around the middle of what was seen."""
    favourite = _read(runs.reading(lambda store: store.worlds.find(number)))
    width, height = THUMBNAIL
    left, top = floor(favourite.x) - width // 2, floor(favourite.y) - height // 2
    picture = favourite.description.view().picture(0, left, top, width, height)
    return Response(
        picture, media_type="image/png", headers={"cache-control": "private, max-age=3600"}
    )


def _data(favourite: Favourite) -> dict[str, Any]:
    data = favourite.model_dump(mode="json", exclude_none=True)
    # Not every seed is a number that JavaScript can hold.
    data["description"]["seed"] = str(favourite.description.seed)
    return data


def _listed(kept: KeptWorld) -> dict[str, Any]:
    """Return a favourite; one that cannot be read is listed with the reason, so that it can be
    removed.
    """
    try:
        return {
            "id": kept.id,
            "name": kept.name,
            "picture": f"/api/favourites/{kept.id}.png",
            **_data(_read(kept)),
        }
    except StoreError as problem:
        return {"id": kept.id, "name": kept.name, "problem": str(problem)}


def _read(kept: KeptWorld) -> Favourite:
    try:
        return Favourite.model_validate(kept.data)
    except ValidationError as problem:
        message = f"the data of world {kept.id} is damaged; delete it"
        raise StoreError(message) from problem
