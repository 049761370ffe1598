"""LDtk: a project with one level. An IntGrid layer contains the tiles, an entity layer the places, and level fields the metadata."""

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from levolve.errors import InputError, explain, shown
from levolve.formats.format import Format
from levolve.formats.json import compact_json
from levolve.formats.ldtk.definitions import CHECKPOINT, ENTITIES, NUMBER, PLACES, TILES, TILESET
from levolve.formats.ldtk.writing import project_of
from levolve.formats.metadata import METADATA, level_from_parts
from levolve.formats.reading.budgets import check_cells
from levolve.formats.reading.data import parse_json
from levolve.formats.tileset import tileset_of
from levolve.levels.level import Level
from levolve.levels.places import Place, checkpoint
from levolve.levels.tileset import Tileset
from levolve.registry import did_you_mean

Count = Annotated[int, Field(ge=0, lt=1 << 31)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class _Value(_Part):
    value: int
    identifier: str | None = None


class _Layer(_Part):
    identifier: str
    values: list[_Value] = Field(default=[], alias="intGridValues")


class _Definitions(_Part):
    layers: list[_Layer]


class _Field(_Part):
    identifier: str = Field(alias="__identifier")
    value: Any = Field(default=None, alias="__value")


class _Entity(_Part):
    identifier: str = Field(alias="__identifier")
    grid: tuple[int, int] = Field(alias="__grid")
    fields: list[_Field] = Field(default=[], alias="fieldInstances")


class _LayerInstance(_Part):
    identifier: str = Field(alias="__identifier")
    kind: str = Field(alias="__type")
    width: Count = Field(alias="__cWid")
    height: Count = Field(alias="__cHei")
    left: int = Field(default=0, alias="__pxTotalOffsetX")
    top: int = Field(default=0, alias="__pxTotalOffsetY")
    cells: list[int] = Field(default=[], alias="intGridCsv")
    entities: list[_Entity] = Field(default=[], alias="entityInstances")


class _Level(_Part):
    identifier: str = ""
    fields: list[_Field] = Field(default=[], alias="fieldInstances")
    layers: list[_LayerInstance] | None = Field(default=None, alias="layerInstances")


class _Project(_Part):
    definitions: _Definitions = Field(alias="defs")
    levels: list[_Level]
    worlds: list[Any] = []


def encode(level: Level) -> bytes:
    """Encode a level as a project."""
    return compact_json(project_of(level))


def decode(content: bytes) -> Level:
    """Decode the only level of a project."""
    try:
        project = _Project.model_validate(parse_json(content, "LDtk"))
    except ValidationError as problem:
        raise InputError(explain(problem, "LDtk")) from problem
    if len(project.levels) != 1:
        names = ", ".join(level.identifier[:40] for level in project.levels[:4]) or ("several worlds" if project.worlds else "none")
        message = f"LDtk: expected a project with one level, got {names}"
        raise InputError(message)
    found = project.levels[0]
    if found.layers is None:
        message = "LDtk: expected the level inside the project, got it in a separate file; turn off 'Save levels to separate files'"
        raise InputError(message)
    fields = {field.identifier: str(field.value) for field in found.fields if field.value is not None}
    tiles, tileset = _tiles(project, found.layers, fields.get(TILESET))
    return level_from_parts(tiles, _places(found.layers), tileset, {name: value for name, value in fields.items() if name in METADATA})


def _only(layers: list[_LayerInstance], kind: str, name: str) -> _LayerInstance | None:
    """Return the layer of a kind with this name, or the only one; None if there is none."""
    all_of_them = [layer for layer in layers if layer.kind == kind]
    chosen = [layer for layer in all_of_them if layer.identifier == name] or all_of_them
    if len(chosen) > 1:
        message = f"LDtk: expected one {kind} layer, or one of them called {name}, got {', '.join(layer.identifier[:40] for layer in chosen[:4])}"
        raise InputError(message)
    return chosen[0] if chosen else None


def _tiles(project: _Project, layers: list[_LayerInstance], named: str | None) -> tuple[NDArray[np.uint8], Tileset]:
    layer = _only(layers, "IntGrid", TILES)
    if layer is None:
        message = "LDtk: expected an IntGrid layer, got none"
        raise InputError(message)
    if layer.left or layer.top:
        message = f"layer {layer.identifier[:40]}: expected no offset, got {layer.left},{layer.top} pixels"
        raise InputError(message)
    check_cells(layer.width, layer.height, f"layer {layer.identifier[:40]}")
    if len(layer.cells) != layer.width * layer.height:
        message = f"layer {layer.identifier[:40]}: expected {layer.width}x{layer.height} cells in intGridCsv, got {len(layer.cells)}"
        raise InputError(message)
    called: dict[int, str] = {}
    for definition in project.definitions.layers:
        if definition.identifier == layer.identifier:
            called |= {value.value: (value.identifier or "").lower() for value in definition.values}
    used = sorted(set(layer.cells))
    nameless = next((value for value in used if value and not called.get(value)), None)
    if nameless is not None:
        message = f"layer {layer.identifier[:40]}: expected every value to have a name such as floor or wall, got {nameless} without one"
        raise InputError(message)
    tileset = tileset_of({called[value] for value in used if value}, f"layer {layer.identifier[:40]}", named)
    if 0 in used and tileset.floor is None:
        where = layer.cells.index(0)
        message = f"layer {layer.identifier[:40]}: expected a tile in every cell, got an empty cell at {where % layer.width},{where // layer.width}"
        raise InputError(message)
    kinds = {value: tileset.names.index(called[value]) if value else tileset.open_kind for value in used}
    return np.array([kinds[value] for value in layer.cells], np.uint8).reshape(layer.height, layer.width), tileset


def _places(layers: list[_LayerInstance]) -> dict[str, Place]:
    layer = _only(layers, "Entities", PLACES)
    places: dict[str, Place] = {}
    for entity in layer.entities if layer is not None else []:
        name = _name(entity)
        if name in places:
            message = f"entity {entity.identifier[:40]}: expected one {name}, got a second at {entity.grid[0]},{entity.grid[1]}"
            raise InputError(message)
        places[name] = entity.grid
    return places


def _name(entity: _Entity) -> str:
    if entity.identifier == CHECKPOINT:
        number = next((field.value for field in entity.fields if field.identifier == NUMBER), None)
        if not isinstance(number, int) or isinstance(number, bool):
            message = (
                f"entity {CHECKPOINT} at {entity.grid[0]},{entity.grid[1]}: expected a whole number in its field {NUMBER!r}, got {shown(number)}"
            )
            raise InputError(message)
        return checkpoint(number)
    if entity.identifier not in ENTITIES:
        known = did_you_mean(entity.identifier, [*ENTITIES, CHECKPOINT])
        message = f"entity {entity.identifier[:40]} at {entity.grid[0]},{entity.grid[1]}: expected a place: {known}"
        raise InputError(message)
    return ENTITIES[entity.identifier]


LDTK = Format("a project of the LDtk editor with one level", encode, decode, edited=True)
