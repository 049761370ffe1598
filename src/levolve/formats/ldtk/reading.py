"""Reader for LDtk projects: the levels in them, as LDtk shows them. What would be shown elsewhere
than it is read is applied or rejected.
"""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError, shown
from levolve.core.registry import did_you_mean, near_names
from levolve.formats.ldtk.definitions import (
    CHECKPOINT,
    ENTITIES,
    NUMBER,
    TILES_LAYER,
    TILESET,
)
from levolve.formats.ldtk.drawn import check_drawn
from levolve.formats.ldtk.kinds import is_ours
from levolve.formats.ldtk.model import (
    SHORT,
    EntityInstance,
    LayerInstance,
    LevelInstance,
    Project,
    checked_layer,
    checked_project,
)
from levolve.formats.ldtk.places import cell_of, places_layer
from levolve.formats.ldtk.text import read_project
from levolve.formats.ldtk.thing_reading import areas_of, things_of
from levolve.formats.metadata import KINDS, METADATA, level_from_parts, read_kinds
from levolve.formats.reading.budgets import check_cells
from levolve.formats.themes.recognition import tileset_of
from levolve.levels.level import Level
from levolve.levels.places import Place, checkpoint
from levolve.levels.tileset import Tileset

# The name of a layer, or of a value of an IntGrid layer, that marks cells which evolution must not
# change.
KEEP = "keep"
NAMED = 4


class ProjectLevels(Mapping[str, Level]):
    """The levels of a project by identifier. Each is decoded when it is looked up."""

    def __init__(self, content: bytes, folder: Path | None = None) -> None:
        """Parse the project; its pictures are read from `folder` only."""
        self.project = checked_project(read_project(content), folder)
        self._found: dict[str, LevelInstance] = {}
        for level in self.project.all_levels:
            if level.identifier in self._found:
                raise InputError(
                    "LDtk: expected levels with different names, got a second "
                    f"{level.identifier[:SHORT]}"
                )
            self._found[level.identifier] = level

    def __getitem__(self, identifier: str) -> Level:
        """Decode a level; raise `KeyError` for an unknown identifier, and `InputError` for what is
        no level.
        """
        return decode_level(self.project, self._found[identifier])

    def __iter__(self) -> Iterator[str]:
        """Return the identifiers in the order of the project."""
        return iter(self._found)

    def __len__(self) -> int:
        """Return the number of levels."""
        return len(self._found)

    def only(self) -> str:
        """Return the identifier of the only level; raise `InputError` that names the levels if
        there are more.
        """
        if len(self) != 1:
            names = [name[:SHORT] for name in self]
            listed = ", ".join(names[:NAMED]) + (
                f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
            )
            advice = (
                f"; add the name of one to the path, such as FILE.ldtk#{names[0]}" if names else ""
            )
            raise InputError(
                f"LDtk: expected a project with one level, got {listed or 'none'}{advice}"
            )
        return next(iter(self))


def decode(content: bytes, folder: Path | None = None) -> Level:
    """Decode the only level of a project."""
    levels = ProjectLevels(content, folder)
    return levels[levels.only()]


def decode_level(project: Project, found: LevelInstance) -> Level:
    """Return a level of a project."""
    if found.layers is None:
        raise InputError(
            "LDtk: expected the level inside the project, got it in a separate file; turn off "
            "'Save levels to separate files'"
        )
    fields = {
        field.identifier: str(field.value) for field in found.fields if field.value is not None
    }
    layer = tiles_layer(project, found)
    tiles, tileset = _tiles(project, layer, fields.get(TILESET))
    if is_ours(found.background, project.files):
        raise InputError(
            "LDtk: expected a background of the level without tiles of levolve, got our picture; "
            "remove it in LDtk (level settings)"
        )
    check_drawn(project, found.layers, layer, tiles, tileset)
    return level_from_parts(
        tiles,
        _places(project, found, layer),
        tileset,
        {name: value for name, value in fields.items() if name in METADATA},
        things_of(project, found, layer, read_kinds(fields.get(KINDS, "[]"))),
        areas_of(project, found, layer),
    )


def tiles_layer(project: Project, found: LevelInstance) -> LayerInstance:
    """Return the layer of a level's tiles: the IntGrid layer whose name begins with Tiles, or the
    only one. Layers that mark cells are no tiles.
    """
    layers = [
        layer
        for layer in found.layers or []
        if layer.kind == "IntGrid" and not _marks_only(project, layer)
    ]
    ours = [
        layer
        for layer in layers
        if layer.identifier == TILES_LAYER or layer.identifier.startswith(f"{TILES_LAYER}_")
    ]
    # A project with several tilesets has a layer for each; a level uses one of them.
    chosen = (
        [layer for layer in ours if any(layer.cells)] or ours[:1] if len(ours) > 1 else ours
    ) or layers
    if not chosen:
        raise InputError("LDtk: expected an IntGrid layer, got none")
    if len(chosen) > 1:
        raise InputError(
            f"LDtk: expected one IntGrid layer with tiles, or one of them called {TILES_LAYER}, "
            f"got {_listed(chosen)}"
        )
    layer = chosen[0]
    name, definition = layer.identifier[:SHORT], checked_layer(project, layer)
    left, top = layer.left + definition.left, layer.top + definition.top
    if left or top:
        raise InputError(
            f"layer {name}: expected no offset, because cells would lie outside the level, got "
            f"{left},{top} pixels"
        )
    check_cells(layer.width, layer.height, f"layer {name}")
    side = layer.grid or 0
    for cells, pixels, key in (
        (layer.width, found.width, "pxWid"),
        (layer.height, found.height, "pxHei"),
    ):
        if side and pixels is not None and math.ceil(pixels / side) != cells:
            raise InputError(
                f"layer {name}: expected {math.ceil(pixels / side)} cells of {side} pixels as in "
                f"the level's {key} of {pixels}, got {cells}"
            )
    if len(layer.cells) != layer.width * layer.height:
        raise InputError(
            f"layer {name}: expected {layer.width}x{layer.height} cells in intGridCsv, got "
            f"{len(layer.cells)}"
        )
    return layer


def _marks_only(project: Project, layer: LayerInstance) -> bool:
    """Whether an IntGrid layer only marks cells: it is called keep, or keep is its only value."""
    if layer.identifier.lower() == KEEP:
        return True
    values = [
        value.identifier
        for known in project.definitions.layers
        if known.uid == layer.uid
        for value in known.values
    ]
    return bool(values) and all((name or "").lower() == KEEP for name in values)


def _listed(layers: list[LayerInstance]) -> str:
    return ", ".join(layer.identifier[:SHORT] for layer in layers[:NAMED])


def _tiles(
    project: Project, layer: LayerInstance, named: str | None
) -> tuple[NDArray[np.uint8], Tileset]:
    name = layer.identifier[:SHORT]
    called = value_names(project, layer)
    used = sorted(set(layer.cells))
    nameless = next((value for value in used if value and not called.get(value)), None)
    if nameless is not None:
        raise InputError(
            f"layer {name}: expected every value to have a name such as floor or wall, got "
            f"{nameless} without one"
        )
    if KEEP in {called[value] for value in used if value}:
        raise InputError(
            f"layer {name}: expected tiles, got the value {KEEP!r}; draw it on another IntGrid "
            "layer, so that the tiles below it stay"
        )
    tileset = tileset_of({called[value] for value in used if value}, f"layer {name}", named)
    if 0 in used and tileset.floor is None:
        where = layer.cells.index(0)
        raise InputError(
            f"layer {name}: expected a tile in every cell, got an empty cell at "
            f"{where % layer.width},{where // layer.width}"
        )
    kinds = {
        value: tileset.names.index(called[value]) if value else tileset.open_kind for value in used
    }
    return np.array([kinds[value] for value in layer.cells], np.uint8).reshape(
        layer.height, layer.width
    ), tileset


def value_names(project: Project, layer: LayerInstance) -> dict[int, str]:
    """Return the names of the values of an IntGrid layer, in lower case."""
    return {value.value: (value.identifier or "").lower() for value in project.layer(layer).values}


def _places(project: Project, found: LevelInstance, tiles: LayerInstance) -> dict[str, Place]:
    layer = places_layer(found)
    places: dict[str, Place] = {}
    if layer is None or not layer.entities:
        return places
    checked_layer(project, layer)
    for entity in layer.entities:
        x, y = cell_of(project, entity, layer, tiles)
        name = place_name(entity, (x, y))
        if name is None:
            continue
        if name in places:
            raise InputError(
                f"entity {entity.identifier[:SHORT]}: expected one {name}, got a second at {x},{y}"
            )
        places[name] = (x, y)
    return places


def place_name(entity: EntityInstance, cell: Place) -> str | None:
    """Return the name of the place that an entity stands for; None for an entity that is no place.
    A misspelt name is an error.
    """
    if entity.identifier == CHECKPOINT:
        number = next((field.value for field in entity.fields if field.identifier == NUMBER), None)
        if not isinstance(number, int) or isinstance(number, bool):
            raise InputError(
                f"entity {CHECKPOINT} at {cell[0]},{cell[1]}: expected a whole number in its "
                f"field {NUMBER!r}, got {shown(number)}"
            )
        return checkpoint(number)
    known = [*ENTITIES, CHECKPOINT]
    # Every short name resembles a name of one letter.
    long = [name for name in known if len(name) > 1]
    if entity.identifier not in ENTITIES and (
        near_names(entity.identifier, long) or entity.identifier.capitalize() in known
    ):
        raise InputError(
            f"entity {entity.identifier[:SHORT]} at {cell[0]},{cell[1]}: expected a place: "
            f"{did_you_mean(entity.identifier, known)}"
        )
    return ENTITIES.get(entity.identifier)
