"""The things and the areas of a level of an LDtk project, as LDtk shows them."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from levolve.core.errors import InputError, shown
from levolve.formats.edited_things import (
    FoundThing,
    Key,
    check_count,
    check_shown,
    field_of,
    kind_name,
    kind_named,
    things_from,
)
from levolve.formats.ldtk.definitions import PLACES
from levolve.formats.ldtk.model import (
    SHORT,
    EntityDefinition,
    EntityInstance,
    FieldInstance,
    LayerInstance,
    LevelInstance,
    Project,
    checked_layer,
)
from levolve.formats.ldtk.places import cell_of, is_place, places_layer
from levolve.formats.ldtk.thing_entities import (
    AREAS,
    DESTINATION,
    ID,
    ROLE,
    SHAPE,
    TARGETS,
    THINGS,
    TILE,
)
from levolve.formats.reading.budgets import MOST_AREAS, MOST_CELLS, check_amount
from levolve.formats.themes.atlas import COLUMNS
from levolve.formats.themes.thing_atlas import ThingAtlas, known_thing_atlas, shown_fields
from levolve.formats.themes.things import BUILT_IN, ThingLook, looks_of
from levolve.levels.areas import Area
from levolve.levels.places import Place
from levolve.levels.things.kinds import Kind
from levolve.levels.things.thing import Thing

_ID = r"[A-Za-z0-9_-]{1,40}"
# Identifiers that levolve writes are of this version; those of LDtk are of another.
_OURS = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
_REFERENCE = "entityIid"
_OUR_FIELDS = frozenset({ID, TILE, TARGETS, DESTINATION, ROLE, SHAPE})


def entity_layer(found: LevelInstance, name: str) -> LayerInstance | None:
    """Return the layer of entities with a name of ours; None if there is none."""
    layers = [
        layer
        for layer in found.layers or []
        if layer.kind == "Entities" and layer.identifier == name
    ]
    if len(layers) > 1:
        raise InputError(f"LDtk: expected one layer {name} in a level, got {len(layers)}")
    return layers[0] if layers else None


def kind_of_entity(identifier: str, prefix: str) -> str:
    """Return the kind that an identifier stands for."""
    return kind_name(identifier.removeprefix(prefix))


def things_of(
    project: Project, found: LevelInstance, tiles: LayerInstance, own: Mapping[str, Kind]
) -> tuple[Thing, ...] | None:
    """Return the things on the layer Things; None if there is no such layer."""
    atlases: dict[int, ThingAtlas | None] = {}
    _check_others(project, found, atlases)
    layer = entity_layer(found, THINGS)
    if layer is None:
        return None
    check_count(len(layer.entities))
    if layer.entities:
        checked_layer(project, layer)
    order = [entity for entity in layer.entities if not is_place(entity)]
    if len(order) < len(layer.entities) and places_layer(found) is not layer:
        raise InputError(f"layer {THINGS}: expected places on the layer {PLACES}, got one here")
    # A copy has the id of its original, but an identifier of LDtk.
    order.sort(key=lambda entity: _OURS.fullmatch(entity.iid) is None)
    parts = [_found(project, entity, layer, tiles, own) for entity in order]
    taken: set[str] = set()
    for part in parts:
        copied = part.id in taken and _OURS.fullmatch(part.key) is None
        part.id = part.key if copied and re.fullmatch(_ID, part.key) else part.id
        taken |= {part.id} if part.id else set()
    _turn_targets(parts, own)
    things = things_from(parts, lambda key: key if re.fullmatch(_ID, key) else "thing")
    for entity, part, thing, look in zip(order, parts, things, looks_of(things, own), strict=True):
        _check_signs(project, entity, part.where, thing, look, atlases)
    return things


def _found(
    project: Project,
    entity: EntityInstance,
    layer: LayerInstance,
    tiles: LayerInstance,
    own: Mapping[str, Kind],
) -> FoundThing:
    cell = cell_of(project, entity, layer, tiles)
    kind = kind_of_entity(entity.identifier, "Thing_")
    where = label(entity, cell)
    thing = FoundThing(where, entity.iid, kind, cell)
    meaning, definition = kind_named(kind, own), project.entity(entity)
    for field in fields_of(entity, definition, where):
        name, (value, given) = field.identifier, value_of(field, definition, where)
        if name == DESTINATION and meaning is not None and meaning.leads:
            if value:
                thing.references[meaning.leads] = value[0]
        elif name == TARGETS and meaning is not None and meaning.switch:
            thing.references |= {f"{TARGETS} {number}": key for number, key in enumerate(value)}
        elif name == ID:
            thing.id = str(value or "")
        else:
            text = _text(value)
            called = None if text is None and not given else field_of(name, text, meaning, where)
            if called is None:
                continue
            default = None if meaning is None else meaning.fields.get(called)
            if given or (text != default and not (default is None and value is False)):
                thing.fields[called] = text or ""
    if not thing.id and _OURS.fullmatch(entity.iid) is None and re.fullmatch(_ID, entity.iid):
        thing.id = entity.iid
    return thing


def label(entity: EntityInstance, cell: Place) -> str:
    """Return what messages call an entity."""
    return f"entity {entity.identifier[:SHORT]} at {cell[0]},{cell[1]}"


def fields_of(
    entity: EntityInstance, definition: EntityDefinition, where: str
) -> list[FieldInstance]:
    """Return the fields of an entity, each once and with the name of its definition."""
    names = {known.uid: known.identifier for known in definition.fields}
    seen: set[str] = set()
    for field in entity.fields:
        if names.get(field.uid) != field.identifier or field.identifier in seen:
            raise InputError(
                f"{where}: expected each field of its definition once, got "
                f"{shown(field.identifier)}; open and save the project in LDtk"
            )
        seen.add(field.identifier)
    return entity.fields


def value_of(field: FieldInstance, definition: EntityDefinition, where: str) -> tuple[Any, bool]:
    """Return the value of a field, with references as a list of identifiers, and whether it was
    given in the editor. LDtk reads the values of its editor, and programs `__value`: they agree.
    """
    known = next(known for known in definition.fields if known.uid == field.uid)
    listed = [_parameter(each) for each in field.edited or []]
    listed = [each for each in listed if each is not None]
    default = _parameter(known.default)
    value = field.value
    is_list = isinstance(value, list)
    is_reference = (isinstance(value, dict) and _REFERENCE in value) or is_list
    if is_reference:
        links = value if is_list else [value]
        value = [
            str(link.get(_REFERENCE)) if isinstance(link, dict) else str(link) for link in links
        ]
        wrong = field.edited is not None and value != listed
    elif isinstance(value, dict):
        return None, False
    else:
        wrong = bool(listed) and value != listed[0]
        wrong = wrong or (not listed and value not in {default, None, False})
    if wrong:
        raise InputError(
            f"{where}: expected one value of {shown(field.identifier)} in __value and in "
            "realEditorValues, got two; open and save the project in LDtk"
        )
    return value, bool(listed)


def _parameter(value: Any) -> Any:
    params = value.get("params") if isinstance(value, dict) else None
    return params[0] if isinstance(params, list) and params else None


def _text(value: Any) -> str | None:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, str | int | float) else None


def _turn_targets(parts: Sequence[FoundThing], own: Mapping[str, Kind]) -> None:
    """Let gates refer to their switches, instead of switches to their gates."""
    by_key = {part.key: part for part in parts}
    for part in parts:
        for name in [name for name in part.references if name.startswith(f"{TARGETS} ")]:
            gate = by_key.get(part.references.pop(name))
            kind = None if gate is None else kind_named(gate.kind, own)
            if gate is None or kind is None or not kind.gate:
                raise InputError(
                    f"{part.where}: expected gates of the layer {THINGS} as {TARGETS}, got "
                    f"{'another thing' if gate else 'none'}; choose them anew in LDtk"
                )
            if kind.gate in gate.references:
                raise InputError(
                    f"{gate.where}: expected one switch that opens it, got two; remove it from the "
                    f"{TARGETS} of {part.where}"
                )
            gate.references[kind.gate] = part.key


def _check_signs(
    project: Project,
    entity: EntityInstance,
    where: str,
    thing: Thing,
    look: ThingLook,
    atlases: dict[int, ThingAtlas | None],
) -> None:
    """Compare the signs that an entity shows with what it is."""
    for kind, sign in _signs(project, entity, atlases):
        check_shown(where, thing, look, kind, dict(shown_fields(kind, sign)))


def _signs(
    project: Project, entity: EntityInstance, atlases: dict[int, ThingAtlas | None]
) -> Iterator[tuple[str, ThingLook]]:
    """Yield the kinds of things whose signs an entity shows, and the signs."""
    fields = [field.tile for field in entity.fields]
    for tile in dict.fromkeys([entity.tile, *fields]):
        if tile is None:
            continue
        if tile.uid not in atlases:
            pictures = [
                (known.picture or "").replace("\\", "/").rpartition("/")[2]
                for known in project.definitions.tilesets
                if known.uid == tile.uid
            ]
            atlases[tile.uid] = known_thing_atlas(pictures[0]) if pictures else None
        atlas = atlases[tile.uid]
        number = -1 if atlas is None else tile.y // atlas.tile * COLUMNS + tile.x // atlas.tile
        if atlas is not None and 0 <= number < len(atlas.signs):
            kind, sign = atlas.signs[number]
            if kind in BUILT_IN:
                yield kind, sign


def _check_others(
    project: Project, found: LevelInstance, atlases: dict[int, ThingAtlas | None]
) -> None:
    """Raise `InputError` for an entity that shows a thing on another layer than that of things."""
    for layer in found.layers or []:
        if layer.identifier in {THINGS, AREAS}:
            continue
        for entity in layer.entities:
            for kind, _ in _signs(project, entity, atlases):
                raise InputError(
                    f"entity {shown(entity.identifier)} on layer {shown(layer.identifier)}: "
                    f"expected things on the layer {THINGS}, got one that shows a {kind}; move it "
                    "there, or remove it"
                )


def areas_of(
    project: Project, found: LevelInstance, tiles: LayerInstance
) -> tuple[Area, ...] | None:
    """Return the areas on the layer Areas; None if there is no such layer. Rectangles with one
    number are one area.
    """
    layer = entity_layer(found, AREAS)
    if layer is None:
        return None
    check_amount(len(layer.entities), MOST_AREAS, "areas", "areas")
    shapes: dict[tuple[object, ...], list[Place]] = {}
    cells = 0
    for index, entity in enumerate(layer.entities):
        where = label(entity, cell_of(project, entity, layer, tiles))
        definition = project.entity(entity)
        values = {
            field.identifier: value_of(field, definition, where)[0]
            for field in fields_of(entity, definition, where)
        }
        role, number = str(values.get(ROLE) or "").lower(), values.get(SHAPE)
        kind = kind_of_entity(entity.identifier, "Area_")
        covered = _covered(project, entity, layer, tiles)
        cells += len(covered)
        check_amount(cells, MOST_CELLS, "cells in all areas", "areas")
        if (
            not covered
            or re.fullmatch("[a-z]+", kind) is None
            or re.fullmatch("[a-z]*", role) is None
        ):
            raise InputError(
                f"{where}: expected a rectangle in the level, called by a word such as Room, got "
                "another; move or delete it"
            )
        key = (kind, role, number) if number is not None else (index,)
        shapes.setdefault((kind, role, *key), []).extend(covered)
    return tuple(
        Area.of(str(key[0]), dict.fromkeys(listed), str(key[1])) for key, listed in shapes.items()
    )


def _covered(
    project: Project, entity: EntityInstance, layer: LayerInstance, tiles: LayerInstance
) -> list[Place]:
    """Return the cells of the level whose centres an entity covers."""
    definition, side = project.entity(entity), tiles.grid or 1
    px = entity.px or (0, 0)
    pivots = [
        given if own is None else own
        for own, given in zip((definition.pivot_x, definition.pivot_y), entity.pivot, strict=True)
    ]
    spans = []
    for at, pivot, size, total, most in (
        (px[0], pivots[0], entity.width, layer.total_left, tiles.width),
        (px[1], pivots[1], entity.height, layer.total_top, tiles.height),
    ):
        low = (at - pivot * size + total) / side
        first, last = (math.ceil(edge - 0.5) for edge in (low, low + size / side))
        spans.append(range(max(first, 0), min(last, most)))
    check_amount(len(spans[0]) * len(spans[1]), MOST_CELLS, "cells in one area", "areas")
    return [(x, y) for y in spans[1] for x in spans[0]]


def keys_of(project: Project, layer: LayerInstance, tiles: LayerInstance) -> list[Key]:
    """Return the kind, the cell and the id of each thing."""
    found = []
    for entity in (entity for entity in layer.entities if not is_place(entity)):
        ids = [field.value for field in entity.fields if field.identifier == ID]
        name = str(ids[0]) if ids and ids[0] else ""
        cell = cell_of(project, entity, layer, tiles)
        found.append((kind_of_entity(entity.identifier, "Thing_"), cell, name))
    return found


def is_our_field(name: str, kind: Kind | None) -> bool:
    """Whether a field of a thing is levolve's."""
    return name in _OUR_FIELDS or field_of(name, "", kind, "") is not None
