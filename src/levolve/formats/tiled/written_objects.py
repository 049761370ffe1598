"""The object layers of the maps that levolve writes: places, areas, things and the solution."""

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from levolve.formats.edited_things import ID, KIND, kind_named, property_of, references_of
from levolve.formats.look import Look
from levolve.formats.outlines import outline_of
from levolve.formats.pictures.colours import OTHER_PLACE
from levolve.formats.pictures.drawing import PATH
from levolve.formats.pictures.walk_lines import joined_lines, path_cells
from levolve.formats.themes.atlas import COLUMNS, Atlas
from levolve.formats.themes.thing_atlas import ThingAtlas
from levolve.formats.themes.things import ThingLook, colour_of, looks_of
from levolve.formats.tiled.model import AREAS, MOVES, PLACE, PLACES, SOLUTION, THINGS
from levolve.levels.areas import Area
from levolve.levels.level import Level
from levolve.levels.places import Place
from levolve.levels.things.kinds import Kind
from levolve.levels.things.thing import Thing
from levolve.levels.tileset import Colour

Data = dict[str, Any]
ROLE = "role"
AREA_COLOUR: Colour = (96, 128, 160)
_COLOURS = {SOLUTION: PATH, PLACES: OTHER_PLACE, THINGS: colour_of("gold"), AREAS: AREA_COLOUR}
_FAINT = 0.3
# Numbers that Tiled keeps as whole numbers, and colours that it keeps as colours.
_WHOLE, _COLOUR = re.compile(r"0|-?[1-9][0-9]{0,8}"), re.compile("#[0-9a-f]{6}")


def object_layers(level: Level, look: Look, moves: str | None) -> Iterator[tuple[str, list[Data]]]:
    """Return the names of the object layers of a level, each with its objects."""
    atlas = look.atlas(level.tileset)
    numbers = itertools.count(1)
    yield (
        PLACES,
        [_place(next(numbers), name, place, atlas) for name, place in level.places.items()],
    )
    if level.areas:
        yield AREAS, [_area(next(numbers), area, atlas.tile) for area in level.areas]
    if level.things:
        first = 1 + atlas.rows * COLUMNS
        yield THINGS, _things(level, numbers, look.thing_atlas(level), first)
    if moves is not None:
        yield SOLUTION, list(_walks(numbers, level, moves, atlas.tile))


def object_layer(number: int, name: str, objects: list[Data]) -> Data:
    """Return a layer with objects. Areas are faint, so that the level looks as it is."""
    opacity = _FAINT if name == AREAS else 1
    drawn = {"draworder": "topdown", "x": 0, "y": 0, "opacity": opacity, "visible": True}
    return {
        "id": number,
        "type": "objectgroup",
        "name": name,
        "color": hex_colour(_COLOURS[name]),
        **drawn,
        "objects": objects,
    }


def _place(number: int, name: str, place: Place, atlas: Atlas) -> Data:
    """Return a place as an object that shows its tile. Its position is that of the lower left
    corner.
    """
    x, y = place
    side = atlas.tile
    entry = _object(number, name, PLACE, x * side, (y + 1) * side, side)
    return {**entry, "gid": 1 + atlas.place_tile(name), "properties": []}


def _area(number: int, area: Area, side: int) -> Data:
    """Return an area as a rectangle, or as a polygon if it does not fill one."""
    name = f"{area.kind}: {area.role}" if area.role else area.kind
    entry = _object(number, name, area.kind, area.x * side, area.y * side, 0)
    entry["properties"] = [typed_property(ROLE, area.role)] if area.role else []
    if not area.mask:
        return entry | {"width": area.width * side, "height": area.height * side}
    corners = outline_of(area.cells)
    points = [{"x": (x - area.x) * side, "y": (y - area.y) * side} for x, y in corners]
    return entry | {"polygon": points}


def _things(level: Level, numbers: Iterator[int], signs: ThingAtlas, first: int) -> list[Data]:
    looks = looks_of(level.things, level.kinds)
    listed = list(zip(level.things, looks, numbers, strict=False))
    known = {thing.id: number for thing, _, number in listed if thing.id}
    return [
        _thing(number, thing, look, level.kinds, known, signs, first)
        for thing, look, number in listed
    ]


def _thing(
    number: int,
    thing: Thing,
    look: ThingLook,
    own: Mapping[str, Kind],
    known: Mapping[str, int],
    signs: ThingAtlas,
    first: int,
) -> Data:
    """Return a thing as an object that shows its tile."""
    kind, side, (x, y) = kind_named(thing.kind, own), signs.tile, thing.cell
    entry = _object(number, thing.id or thing.kind, thing.kind, x * side, (y + 1) * side, side)
    entry["gid"] = first + signs.number(look)
    references = references_of(kind)
    properties = [typed_property(KIND, thing.kind)]
    properties += [typed_property(ID, thing.id, word=True)] if thing.id else []
    for name, value in thing.fields.items():
        called = property_of(name, kind)
        if name in references and value in known:
            properties.append({"name": called, "type": "object", "value": known[value]})
        else:
            properties.append(typed_property(called, value))
    return entry | {"properties": sorted(properties, key=lambda each: str(each["name"]))}


def typed_property(name: str, value: str, *, word: bool = False) -> Data:
    """Return a property with the type that its value has in Tiled; a `word` is always text."""
    found: tuple[str, Any] = ("string", value)
    if not word and value in {"true", "false"}:
        found = "bool", value == "true"
    elif not word and _WHOLE.fullmatch(value):
        found = "int", int(value)
    elif not word and _COLOUR.fullmatch(value):
        # Tiled puts the opacity before the colour.
        found = "color", f"#ff{value[1:]}"
    return {"name": name, "type": found[0], "value": found[1]}


def _walks(numbers: Iterator[int], level: Level, moves: str, side: int) -> Iterator[Data]:
    """Return lines through the centres of the cells, with a point at both ends and at each turn.
    The first line has the moves; another one begins where stairs lead.
    """
    middle = side / 2 if side % 2 else side // 2
    for index, cells in enumerate(joined_lines(list(path_cells(level)))):
        left, top = cells[0]
        line = [{"x": (x - left) * side, "y": (y - top) * side} for x, y in _corners(cells)]
        x, y = left * side + middle, top * side + middle
        begin = _object(next(numbers), SOLUTION, SOLUTION, x, y, 0)
        yield {
            **begin,
            "polyline": line,
            "properties": [] if index else text_properties({MOVES: moves}),
        }


def _corners(cells: Sequence[Place]) -> list[Place]:
    steps = [(x - a, y - b) for (a, b), (x, y) in itertools.pairwise(cells)]
    turns = [index for index in range(1, len(steps)) if steps[index] != steps[index - 1]]
    return [cells[0], *(cells[turn] for turn in turns), cells[-1]]


def _object(number: int, name: str, kind: str, x: float, y: float, side: int) -> Data:
    return {
        "id": number,
        "name": name,
        "type": kind,
        "x": x,
        "y": y,
        "width": side,
        "height": side,
        "rotation": 0,
        "visible": True,
    }


def text_properties(texts: Mapping[str, str]) -> list[Data]:
    """Return properties with these texts, by name."""
    return [
        {"name": name, "type": "string", "value": value} for name, value in sorted(texts.items())
    ]


def hex_colour(colour: Colour) -> str:
    """Format a colour for Tiled, which puts the opacity before it."""
    return "#ff{:02x}{:02x}{:02x}".format(*colour)
