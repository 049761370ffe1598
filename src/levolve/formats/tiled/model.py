"""The parts of a Tiled map that matter here, checked. TMX files are read into the same shape that TMJ files have."""

from typing import Annotated, Any

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError

from levolve.errors import InputError, explain

Finite = Annotated[float, Field(allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0, lt=1 << 32)]
# Called type, class, and type again, by the versions of Tiled.
Class = Annotated[str, Field(default="", validation_alias=AliasChoices("type", "class"))]


class Part(BaseModel):
    """Anything in a map; what is not known is left out."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Property(Part):
    """A custom property."""

    name: str
    value: Any = ""


class Tile(Part):
    """A tile of a tileset that has something to say."""

    id: Count
    kind: Class


class Tileset(Part):
    """A tileset inside a map, or the name of a file that holds it."""

    firstgid: Count = 1
    name: str = ""
    source: str | None = None
    tiles: list[Tile] = []


class Object(Part):
    """Something at a place, in pixels. Objects that show a tile stand on their lower left corner."""

    name: str = ""
    x: Finite
    y: Finite
    width: Finite = 0
    height: Finite = 0
    rotation: Finite = 0
    gid: Count = 0
    properties: list[Property] = []


class Layer(Part):
    """A layer of tiles or objects, or something else."""

    type: str
    name: str = ""
    width: Count = 0
    height: Count = 0
    data: list[int] | str = []
    compression: str = ""
    objects: list[Object] = []


class Map(Part):
    """A map."""

    width: Count
    height: Count
    tilewidth: Annotated[int, Field(ge=1, lt=1 << 16)]
    tileheight: Annotated[int, Field(ge=1, lt=1 << 16)]
    orientation: str = "orthogonal"
    infinite: bool = False
    properties: list[Property] = []
    tilesets: list[Tileset] = []
    layers: list[Layer] = []


def checked_map(data: object, what: str) -> Map:
    """A map from plain data."""
    try:
        return Map.model_validate(data)
    except ValidationError as problem:
        raise InputError(explain(problem, what)) from problem


def checked_tileset(data: object, what: str) -> Tileset:
    """A tileset from plain data."""
    try:
        return Tileset.model_validate(data)
    except ValidationError as problem:
        raise InputError(explain(problem, what)) from problem
