"""What is levolve's in an LDtk project, what a person added, and the cells that a person marks."""

from collections.abc import Container, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.formats.edited_things import kind_named, part_of
from levolve.formats.ldtk.definitions import (
    CHECKPOINT,
    ENTITIES,
    FLOOR_LAYER,
    NUMBER,
    PLACES,
    TILES_LAYER,
    TILESET,
)
from levolve.formats.ldtk.model import SHORT, LevelInstance, Project, checked_project
from levolve.formats.ldtk.reading import KEEP, ProjectLevels, tiles_layer, value_names
from levolve.formats.ldtk.text import layers_in, levels_in, read_project
from levolve.formats.ldtk.thing_entities import AREAS, THINGS, TILE
from levolve.formats.ldtk.thing_reading import entity_layer, is_our_field, keys_of, kind_of_entity
from levolve.formats.metadata import KINDS, METADATA, read_kinds
from levolve.formats.themes.things import BUILT_IN
from levolve.levels.areas import CORRIDOR, DOORWAY, ROOM

OURS = "Levolve_"
_OUR_ENTITIES = frozenset(name.capitalize() for name in (*BUILT_IN, ROOM, CORRIDOR, DOORWAY))
GROUPS = "levolve "
ONLY_LEVEL = "Level_0"
# What a project of ours has of these settings, and of these settings of a level.
_SETTINGS: dict[str, Any] = {
    "customCommands": [],
    "flags": [],
    "toc": [],
    "tutorialDesc": None,
    "worldLayout": "Free",
    "pngFilePattern": None,
}
_LEVEL_SETTINGS: dict[str, Any] = {
    "bgColor": None,
    "bgRelPath": None,
    "worldX": 0,
    "worldY": 0,
    "worldDepth": 0,
}


@contextmanager
def complete() -> Iterator[None]:
    """Report parts that LDtk always writes and that a project lacks, or that have another type."""
    try:
        yield
    except (
        LookupError,
        TypeError,
        AttributeError,
        ArithmeticError,
        StopIteration,
        ValueError,
    ) as problem:
        if isinstance(problem, InputError):
            raise
        raise InputError(
            "LDtk: expected a project as LDtk writes it, got one with missing or wrong parts "
            f"({type(problem).__name__}: {problem}); save it in LDtk"
        ) from problem


def foreign(content: bytes, part: str | None = None) -> list[str]:
    """Return the parts of a project that are not ours, as a kind and a name each. `part` is the
    level that is ours, if there are several.
    """
    data = read_project(content)
    project = checked_project(data)
    ours = ProjectLevels(content).only() if part is None and len(project.all_levels) == 1 else part
    found = [
        f"level {level.identifier!r}" for level in project.all_levels if level.identifier != ours
    ]
    if ours is not None:
        level = next((level for level in levels_in(data) if level.get("identifier") == ours), {})
        found += (
            [f"level name {ours!r}"] if ours != ONLY_LEVEL and len(project.all_levels) == 1 else []
        )
        found += [
            f"level setting {name!r}"
            for name, value in _LEVEL_SETTINGS.items()
            if level.get(name, value) != value
        ]
    found += [
        f"setting {name!r}" for name, value in _SETTINGS.items() if data.get(name, value) != value
    ]
    with complete():
        things = {
            entity["__identifier"]
            for layer in layers_in(data)
            if layer.get("__identifier") in {THINGS, AREAS}
            for entity in layer["entityInstances"]
        }
        found += _definitions(data["defs"], things)
    if ours is not None:
        found += _unknown_things(project, chosen_level(project, ours))
    return found


def _unknown_things(project: Project, level: LevelInstance) -> Iterator[str]:
    """Return the things of unknown kinds in a level."""
    layer = entity_layer(level, THINGS)
    texts = [field.value for field in level.fields if field.identifier == KINDS and field.value]
    own = read_kinds(str(texts[0])) if texts else {}
    for kind, cell, _ in (
        [] if layer is None else keys_of(project, layer, tiles_layer(project, level))
    ):
        if kind_named(kind, own) is None:
            yield part_of(kind, cell)


def _definitions(definitions: Mapping[str, Any], things: Container[str]) -> Iterator[str]:
    """Return the definitions that are not ours. `things` are the entities in our layers."""
    for layer in definitions.get("layers", []):
        name = str(layer.get("identifier"))
        if not any(is_ours(name, ours) for ours in (TILES_LAYER, FLOOR_LAYER)) and name not in {
            PLACES,
            THINGS,
            AREAS,
        }:
            yield f"layer {name!r}"
            continue
        yield from (
            f"rules {group.get('name')!r}"
            for group in layer.get("autoRuleGroups", [])
            if not is_our_group(group)
        )
    for entity in definitions.get("entities", []):
        name = str(entity.get("identifier"))
        kind = kind_of_entity(name, "Thing_")
        if name not in {*ENTITIES, CHECKPOINT} | _OUR_ENTITIES and name not in things:
            yield f"entity {name!r}"
            continue
        known = kind_named(kind, {}) if name not in {*ENTITIES, CHECKPOINT} else None
        yield from (
            f"field {field['identifier']!r} of entity {name!r}"
            for field in entity.get("fieldDefs", [])
            if field.get("identifier") not in {NUMBER, TILE}
            and (name in {*ENTITIES, CHECKPOINT} or not is_our_field(field["identifier"], known))
        )
    for kind, noun in (("tilesets", "tileset"), ("enums", "enum"), ("externalEnums", "enum")):
        names = [str(entry.get("identifier")) for entry in definitions.get(kind, [])]
        yield from (f"{noun} {name!r}" for name in names if not name.startswith(OURS))
    fields = [str(field.get("identifier")) for field in definitions.get("levelFields", [])]
    yield from (f"level field {name!r}" for name in fields if name not in {*METADATA, TILESET})


def is_our_group(group: Mapping[str, Any]) -> bool:
    """Whether a group of rules is one that levolve writes."""
    return str(group.get("name")).startswith(GROUPS)


def is_ours(name: str, layer: str) -> bool:
    """Whether a name is that of one of our layers, perhaps with the name of a tileset."""
    return name == layer or name.startswith(f"{layer}_")


def chosen_level(project: Project, part: str | None) -> LevelInstance:
    """Return the level with an identifier, or the only one."""
    levels = project.all_levels
    found = [level for level in levels if part in {None, level.identifier}]
    if len(found) != 1:
        raise InputError(
            f"LDtk: expected one level{'' if part is None else f' called {part[:SHORT]}'}, got "
            f"{len(found)}"
        )
    return found[0]


def kept(content: bytes, part: str | None = None) -> NDArray[np.bool_] | None:
    """Return the cells that an IntGrid layer called keep, or a value called keep, marks; None if
    there is none.

    The layer must have the grid of the tiles, so that each of its cells is a cell of the level.
    """
    project = checked_project(read_project(content))
    level = chosen_level(project, part)
    tiles = tiles_layer(project, level)
    marks: NDArray[np.bool_] | None = None
    for layer in level.layers or []:
        if layer.kind != "IntGrid" or layer is tiles:
            continue
        whole = layer.identifier.lower() == KEEP
        values = {value for value, name in value_names(project, layer).items() if name == KEEP}
        if not whole and not values:
            continue
        definition = project.layer(layer)
        offset = (layer.left + definition.left, layer.top + definition.top)
        same = (layer.width, layer.height, layer.grid) == (tiles.width, tiles.height, tiles.grid)
        if not same or any(offset) or len(layer.cells) != len(tiles.cells):
            raise InputError(
                f"layer {layer.identifier[:SHORT]}: expected the cells of layer "
                f"{tiles.identifier[:SHORT]}, {tiles.width}x{tiles.height} of "
                f"{tiles.grid} pixels without an offset, got {layer.width}x{layer.height} of "
                f"{layer.grid}, offset {offset[0]},{offset[1]}"
            )
        cells = np.array(
            [value != 0 if whole else value in values for value in layer.cells]
        ).reshape(tiles.height, tiles.width)
        marks = cells if marks is None else marks | cells
    return marks


def grid(content: bytes, part: str | None = None) -> tuple[int, int]:
    """Return the width and the height of the tiles, in pixels."""
    project = checked_project(read_project(content))
    levels = project.all_levels
    side = (
        tiles_layer(
            project, levels[0] if part is None and levels else chosen_level(project, part)
        ).grid
        or 0
    )
    return side, side
