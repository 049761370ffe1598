"""Favourite worlds: kept in the store, with the place that was seen."""

from math import floor
from typing import Annotated, Any

from fastapi import APIRouter, Path
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.responses import Response

from levolve.errors import InputError, StoreError
from levolve.fashion.views import DEEPEST
from levolve.runs.store.store import Store
from levolve.runs.store.worlds import KeptWorld
from levolve.studio.api.descriptions import WorldDescription
from levolve.studio.api.parts import MOST_NUMBER, RESPONSES, Runs

router = APIRouter(tags=["favourites"], responses=RESPONSES)
FARTHEST = 1 << 40
MOST_FAVOURITES = 500
THUMBNAIL = (72, 48)

Cell = Annotated[float, Field(ge=-FARTHEST, le=FARTHEST, allow_inf_nan=False)]
Number = Annotated[int, Path(ge=1, le=MOST_NUMBER)]


class Favourite(BaseModel):
    """A world, and the cell in the middle of what was seen of it."""

    model_config = ConfigDict(extra="forbid")

    description: WorldDescription
    x: Cell = 0
    y: Cell = 0
    zoom: float = Field(default=0, ge=-DEEPEST, le=10, description="The pixels per cell are two to the power of it.")


@router.get("/favourites")
def list_favourites(runs: Runs) -> list[dict[str, Any]]:
    """List all favourite worlds, the one that was added last first."""
    return [_listed(kept) for kept in runs.reading(lambda store: store.worlds.list())]


@router.post("/favourites", status_code=201)
def add_favourite(favourite: Favourite, runs: Runs) -> dict[str, Any]:
    """Keep a world under the name of its rule."""
    favourite.description.view()

    def add(store: Store) -> int:
        if len(store.worlds.list()) >= MOST_FAVOURITES:
            message = f"favourites: expected at most {MOST_FAVOURITES}; remove one first"
            raise InputError(message)
        return store.worlds.add(favourite.description.name, _data(favourite))

    return {"id": runs.reading(add)}


@router.delete("/favourites/{number}")
def remove_favourite(number: Number, runs: Runs) -> dict[str, Any]:
    """Forget a favourite world."""
    runs.reading(lambda store: store.worlds.delete(number))
    return {"id": number}


@router.get("/favourites/{number}.png", response_class=Response, responses={200: {"content": {"image/png": {}}}})
def favourite_picture(number: Number, runs: Runs) -> Response:
    """Return a small picture of a favourite world: the cells around the middle of what was seen."""
    favourite = _read(runs.reading(lambda store: store.worlds.find(number)))
    width, height = THUMBNAIL
    left, top = floor(favourite.x) - width // 2, floor(favourite.y) - height // 2
    picture = favourite.description.view().picture(0, left, top, width, height)
    return Response(picture, media_type="image/png", headers={"cache-control": "private, max-age=3600"})


def _data(favourite: Favourite) -> dict[str, Any]:
    data = favourite.model_dump(mode="json", exclude_none=True)
    # Not every seed is a number that JavaScript can hold.
    data["description"]["seed"] = str(favourite.description.seed)
    return data


def _listed(kept: KeptWorld) -> dict[str, Any]:
    """Return a favourite; one that cannot be read is listed with the reason, so that it can be removed."""
    try:
        return {"id": kept.id, "name": kept.name, "picture": f"/api/favourites/{kept.id}.png", **_data(_read(kept))}
    except StoreError as problem:
        return {"id": kept.id, "name": kept.name, "problem": str(problem)}


def _read(kept: KeptWorld) -> Favourite:
    try:
        return Favourite.model_validate(kept.data)
    except ValidationError as problem:
        message = f"the data of world {kept.id} is damaged; delete it"
        raise StoreError(message) from problem
