"""Worlds: rules that come with levolve, and pictures and files of any part of a world.

Favourite worlds: kept in the store, with the place that was seen.
"""

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
from levolve.studio.worlds import (
    FARTHEST_NEIGHBOUR,
    MOST_NEIGHBOURS,
    MOST_STATES,
    WorldDescription,
    Worlds,
    described,
)
from levolve.worlds.design import Design, design_from_text
from levolve.worlds.lambda_fields import DEFAULT_LENGTH
from levolve.worlds.legend import PALETTES
from levolve.worlds.maps import make_map
from levolve.worlds.shipped import THUMBNAIL_SEED, list_rules
from levolve.worlds.views import DEEPEST, MOST_UPDATES, SIDE, WorldView

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
        raise UnknownNameError(f"unknown rule: {did_you_mean(name[:60], list(rules))}")
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
        raise InputError(
            f"size: expected at most {most:,} cells for {format}, got {width}x{height}; take a "
            "smaller window"
        )
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
            raise InputError(f"favourites: expected at most {MOST_FAVOURITES}; remove one first")
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
        raise StoreError(f"the data of world {kept.id} is damaged; delete it") from problem
