"""The validated parts of a Tiled map that are needed here. TMX files are converted to the structure
of TMJ files first.

The names of the layers, tilesets and properties that are levolve's in a Tiled map.
"""

from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError

from levolve.core.errors import InputError, explain
from levolve.formats.metadata import METADATA
from levolve.formats.themes.atlas import FLOOR, TILES, WALLS

Finite = Annotated[float, Field(allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0, lt=1 << 32)]
# Different versions of Tiled call it type or class.
Class = Annotated[str, Field(default="", validation_alias=AliasChoices("type", "class"))]


class Element(BaseModel):
    """The base of all parts of a map; unknown fields are ignored. A text is no number and no flag:
    programs read such texts differently.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class Property(Element):
    """A custom property."""

    name: str
    type: str = "string"
    value: Any = ""


class AnimationFrame(Element):
    """A tile that an animation shows."""

    tileid: Count


class Tile(Element):
    """A tile of a tileset with a class, properties, an animation or a picture of its own, perhaps a
    part of one.
    """

    id: Count
    kind: Class
    animation: list[AnimationFrame] = []
    image: str = ""
    imagewidth: Count = 0
    imageheight: Count = 0
    x: Finite | None = None
    y: Finite | None = None
    width: Finite | None = None
    height: Finite | None = None
    properties: list[Property] = []


class Point(Element):
    """A distance in pixels."""

    x: Finite = 0
    y: Finite = 0


class TiledTileset(Element):
    """A tileset embedded in a map, or the name of its file."""

    firstgid: Count = 1
    name: str = ""
    source: str | None = None
    tilecount: Count = 0
    tilewidth: Count = 0
    tileheight: Count = 0
    columns: Count = 0
    margin: Count = 0
    spacing: Count = 0
    image: str = ""
    imagewidth: Count = 0
    imageheight: Count = 0
    tiles: list[Tile] = []
    tileoffset: Point = Point()
    objectalignment: str = "unspecified"
    tilerendersize: str = "tile"


class Object(Element):
    """An object with a position in pixels. The position of a tile object is its lower left corner,
    unless its tileset says otherwise.
    """

    id: Count = 0
    name: str = ""
    kind: Class
    template: str = ""
    visible: bool = True
    x: Finite
    y: Finite
    width: Finite = 0
    height: Finite = 0
    rotation: Finite = 0
    gid: Count = 0
    # Points as text in TMX and as objects in TMJ; they are parsed only where they matter.
    polygon: Any = None
    polyline: Any = None
    ellipse: bool = False
    properties: list[Property] = []


class Layer(Element):
    """A layer of tiles, objects, or another kind, such as a group of layers."""

    id: Count = 0
    type: str
    name: str = ""
    x: int = 0
    y: int = 0
    offsetx: Finite = 0
    offsety: Finite = 0
    parallaxx: Finite = 1
    parallaxy: Finite = 1
    opacity: Finite = 1
    visible: bool = True
    tintcolor: str = ""
    layers: list["Layer"] = []
    properties: list[Property] = []
    width: Count = 0
    height: Count = 0
    data: list[int] | str = []
    chunks: list[Any] = []
    compression: str = ""
    objects: list[Object] = []
    image: str = ""
    repeatx: bool = False
    repeaty: bool = False


class Map(Element):
    """A map."""

    width: Count
    height: Count
    tilewidth: Annotated[int, Field(ge=1, lt=1 << 16)]
    tileheight: Annotated[int, Field(ge=1, lt=1 << 16)]
    orientation: str = "orthogonal"
    infinite: bool = False
    nextlayerid: Count = 0
    nextobjectid: Count = 0
    backgroundcolor: str = ""
    kind: Annotated[str, Field(default="", validation_alias="class")]
    properties: list[Property] = []
    tilesets: list[TiledTileset] = []
    layers: list[Layer] = []


def checked_map(data: object, what: str) -> Map:
    """Validate a map from plain data."""
    try:
        return Map.model_validate(data)
    except ValidationError as problem:
        raise InputError(explain(problem, what)) from problem


def checked_tileset(data: object, what: str) -> TiledTileset:
    """Validate a tileset from plain data."""
    try:
        return TiledTileset.model_validate(data)
    except ValidationError as problem:
        raise InputError(explain(problem, what)) from problem


PLACES, SOLUTION, MOVES, KEEP = "places", "solution", "moves", "keep"
THINGS, AREAS = "things", "areas"
# A level is in these tile layers: two, or in earlier versions and for tilesets without walls one.
TILE_LAYERS = (FLOOR, WALLS, TILES)
# The class of the objects that are places.
PLACE = "place"
# The prefix of the names of our tilesets in a map.
OWN = "levolve-"
# The prefix of our properties. Readers such as pytmx reject properties with the names of their own
# attributes, such as `version`.
PREFIX = "levolve_"


def own_properties(names: Iterable[str]) -> dict[str, str]:
    """Return the metadata in a map's properties, as the name in `METADATA` by the name of the
    property.

    Earlier versions wrote names without a prefix. They count only in a map in which no name has the
    prefix.
    """
    listed = list(names)
    own = {name: name.removeprefix(PREFIX) for name in listed if name.startswith(PREFIX)}
    return own or {name: name for name in listed if name in METADATA}


def written_by_us(names: Iterable[str]) -> dict[str, str]:
    """Return the metadata that levolve wrote: every version wrote the digest. Without it, `seed` or
    `version` may be a person's own property.
    """
    own = own_properties(names)
    return (
        own
        if "digest" in own.values()
        else {name: key for name, key in own.items() if name.startswith(PREFIX)}
    )
