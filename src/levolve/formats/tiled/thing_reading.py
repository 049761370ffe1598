"""The things and the areas of a Tiled map, as Tiled shows them."""

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from levolve.core.errors import InputError, shown
from levolve.formats.edited_things import (
    ID,
    KIND,
    FoundThing,
    check_count,
    check_shown,
    field_of,
    kind_name,
    kind_named,
    references_of,
    things_from,
)
from levolve.formats.outlines import cells_inside
from levolve.formats.reading.budgets import MOST_AREAS, MOST_CELLS, check_amount
from levolve.formats.themes.things import BUILT_IN, ThingLook, looks_of
from levolve.formats.tiled.layers import FLIPS, PlacedLayer, object_layer
from levolve.formats.tiled.model import AREAS, THINGS, Map, Object, Property
from levolve.formats.tiled.objects import cell_of, points_of, sized
from levolve.formats.tiled.tiles import TileKinds
from levolve.formats.tiled.written_objects import ROLE
from levolve.levels.areas import ROOM, Area
from levolve.levels.things.kinds import Kind
from levolve.levels.things.thing import Thing

_OBJECT = "object"


def things_of(found: Map, kinds: TileKinds, own: Mapping[str, Kind]) -> tuple[Thing, ...] | None:
    """Return the things on the layer called `things`; None if there is no such layer. `own` are the
    kinds of the level's own.
    """
    placed = object_layer(found, THINGS)
    if placed is None:
        return None
    listed = placed.layer.objects
    check_count(len(listed))
    if listed:
        placed.check_shown()
    order = sorted(listed, key=lambda entry: entry.id)
    parts = [found_thing(entry, placed, found, kinds, own) for entry in order]
    things = things_from(parts, lambda key: f"o{key}")
    for entry, thing, look in zip(order, things, looks_of(things, own), strict=True):
        _check_picture(entry, thing, look, kinds)
    return things


def label(entry: Object, placed: PlacedLayer) -> str:
    """Return what messages call an object."""
    name = entry.kind or entry.name
    return f"object {entry.id} ({shown(name)}) on layer {shown(placed.name)}"


def found_thing(
    entry: Object, placed: PlacedLayer, found: Map, kinds: TileKinds, own: Mapping[str, Kind]
) -> FoundThing:
    """Return one object as a thing: its class, its cell and its properties, and those that it has
    from its tile.
    """
    where = label(entry, placed)
    number = entry.gid & ~int(FLIPS)
    if entry.template:
        cell_of(entry, placed, found, "unspecified")
    properties = properties_of(entry.properties, where)
    tile_class, from_tile = kinds.inherited(number)
    kind = thing_kind(entry, properties, tile_class, where)
    meaning = kind_named(kind, own)
    if number:
        entry = sized(entry, kinds.drawn(number), where)
    cell = cell_of(entry, placed, found, kinds.alignment_of(entry.gid))
    thing = FoundThing(where, str(entry.id), kind, cell)
    if ID in properties:
        thing.id = text_of(properties[ID]) or ""
    references = references_of(meaning)
    for name, value in properties.items():
        points = value.type == _OBJECT
        field = field_of(name, _number(value) if points else text_of(value), meaning, where)
        if field is None or (points and field not in references):
            continue
        if points:
            # Tiled writes 0 for a reference to nothing.
            if _number(value) != "0":
                thing.references[field] = _number(value)
        else:
            thing.fields[field] = text_of(value) or ""
    defaults = {} if meaning is None else meaning.fields
    for value in from_tile if meaning is not None else ():
        text = text_of(value)
        if value.name not in properties and text is not None and text != defaults.get(value.name):
            field = field_of(value.name, text, meaning, where)
            thing.fields |= {} if field is None else {field: text}
    return thing


def thing_kind(
    entry: Object, properties: Mapping[str, Property], tile_class: str, where: str
) -> str:
    """Return the kind of an object: its class, its property `kind` or the class of its tile."""
    stated = text_of(properties[KIND]) if KIND in properties else None
    named = entry.kind or stated or tile_class
    if not named:
        raise InputError(
            f"{where}: expected a class such as key or door, got none; set it in Tiled, or put the "
            "object on another layer"
        )
    if stated and kind_name(stated) != kind_name(named):
        raise InputError(
            f"{where}: expected its class and its property {KIND!r} to agree, got {shown(named)} "
            f"and {shown(stated)}; change both in Tiled"
        )
    return kind_name(named)


def properties_of(listed: Iterable[Property], where: str) -> dict[str, Property]:
    """Return properties by name, each of which may be there once."""
    found: dict[str, Property] = {}
    for each in listed:
        if each.name in found:
            raise InputError(f"{where}: expected one property {shown(each.name)}, got a second")
        found[each.name] = each
    return found


def text_of(value: Property) -> str | None:
    """Return the value of a property as the text of a field; None for one that has none."""
    given: Any = value.value
    if isinstance(given, bool):
        return str(given).lower()
    if isinstance(given, int | float):
        return str(given)
    if not isinstance(given, str):
        return None
    # Tiled puts the opacity before the colour.
    return f"#{given[3:]}" if value.type == "color" and given[:3] == "#ff" else given


def _number(value: Property) -> str:
    return str(value.value)


def _check_picture(entry: Object, thing: Thing, look: ThingLook, kinds: TileKinds) -> None:
    """Raise `InputError` for an object that shows a thing of another kind or another direction, and
    warn of one that shows another colour or number than it has.
    """
    number = entry.gid & ~int(FLIPS)
    seen = kinds.drawn(number).names & BUILT_IN if number else frozenset()
    where = f"object {entry.id} ({shown(thing.kind)}) on layer {THINGS!r}"
    fields = {value.name: text_of(value) for value in kinds.inherited(number)[1]}
    for kind in seen:
        check_shown(where, thing, look, kind, fields)
    if seen and look.direction and (entry.rotation % 360 or entry.gid != number):
        raise InputError(
            f"{where}: expected a tile that is not turned, got one that shows another direction; "
            "choose the tile of its direction in Tiled"
        )


def areas_of(found: Map) -> tuple[Area, ...] | None:
    """Return the areas on the layer called `areas`; None if there is no such layer."""
    placed = object_layer(found, AREAS)
    if placed is None:
        return None
    check_amount(len(placed.layer.objects), MOST_AREAS, "areas", "areas")
    cells = 0
    areas = []
    for entry in placed.layer.objects:
        area = _area(entry, placed, found)
        cells += area.width * area.height if area.mask else 0
        check_amount(cells, MOST_CELLS, "cells around all polygons", "areas")
        areas.append(area)
    return tuple(areas)


def _area(entry: Object, placed: PlacedLayer, found: Map) -> Area:
    """Return the cells whose centres a rectangle or a polygon covers, as an area."""
    where = label(entry, placed)
    lines = entry.polyline or entry.ellipse or entry.gid or entry.rotation % 360 or entry.template
    if lines or not (entry.polygon or (entry.width and entry.height)):
        raise InputError(
            f"{where}: expected a rectangle or a polygon that is not turned; draw it anew in "
            "Tiled, or put it on another layer"
        )
    properties = properties_of(entry.properties, where)
    role = (text_of(properties[ROLE]) if ROLE in properties else "") or ""
    kind = entry.kind or ROOM
    if re.fullmatch("[a-z]+", kind) is None or re.fullmatch("[a-z]*", role) is None:
        raise InputError(
            f"{where}: expected a class such as room and a role such as boss, words of lower-case "
            f"letters, got {shown(kind)} and {shown(role)}"
        )
    corners = points_of(entry) if entry.polygon else _rectangle(entry)
    left, top = entry.x + placed.offset[0], entry.y + placed.offset[1]
    points = [((left + x) / found.tilewidth, (top + y) / found.tileheight) for x, y in corners]
    if entry.polygon:
        cells = cells_inside(points, found.width, found.height, where)
        if cells:
            return Area.of(kind, cells, role)
    else:
        sides = [
            (max(0, math.ceil(min(ends) - 0.5)), min(most, math.ceil(max(ends) - 0.5)))
            for ends, most in zip(
                zip(*points[::2], strict=True), (found.width, found.height), strict=True
            )
        ]
        (x, right), (y, bottom) = sides
        if x < right and y < bottom:
            return Area(kind, x, y, right - x, bottom - y, role=role)
    raise InputError(
        f"{where}: expected a shape that covers cells of the map, got one that covers none; move "
        "or delete it"
    )


def _rectangle(entry: Object) -> list[tuple[float, float]]:
    return [(0, 0), (entry.width, 0), (entry.width, entry.height), (0, entry.height)]
