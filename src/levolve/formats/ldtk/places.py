"""Where the entities of an LDtk project are."""

import math

from levolve.core.errors import InputError
from levolve.formats.ldtk.definitions import CHECKPOINT, ENTITIES, PLACES
from levolve.formats.ldtk.model import (
    SHORT,
    EntityInstance,
    LayerInstance,
    LevelInstance,
    Project,
)
from levolve.formats.ldtk.thing_entities import AREAS, THINGS
from levolve.levels.places import Place


def cell_of(
    project: Project, entity: EntityInstance, layer: LayerInstance, tiles: LayerInstance
) -> Place:
    """Return the cell of the tiles under the centre of an entity, which may have any size, pivot
    and position, and whose layer may have an offset.
    """
    definition = project.entity(entity)
    if entity.px is None:
        raise InputError(f"entity {entity.identifier[:SHORT]}: expected its position px, got none")
    pivot_x = entity.pivot[0] if definition.pivot_x is None else definition.pivot_x
    pivot_y = entity.pivot[1] if definition.pivot_y is None else definition.pivot_y
    side = tiles.grid or 1
    x = entity.px[0] + (0.5 - pivot_x) * entity.width + layer.total_left
    y = entity.px[1] + (0.5 - pivot_y) * entity.height + layer.total_top
    return math.floor(x / side), math.floor(y / side)


def is_place(entity: EntityInstance) -> bool:
    """Whether an entity has the name of a place."""
    return entity.identifier in {*ENTITIES, CHECKPOINT}


def places_layer(found: LevelInstance) -> LayerInstance | None:
    """Return the entity layer called Places, or the only one; None if there is none."""
    layers = [layer for layer in found.layers or [] if layer.kind == "Entities"]
    others = [layer for layer in layers if layer.identifier not in {THINGS, AREAS}]
    # Of several, those of things and areas have no places.
    chosen = [layer for layer in layers if layer.identifier == PLACES] or others
    chosen = chosen or [layer for layer in layers if any(map(is_place, layer.entities))]
    if len(chosen) > 1:
        names = ", ".join(layer.identifier[:SHORT] for layer in chosen[:4])
        raise InputError(
            f"LDtk: expected one Entities layer, or one of them called {PLACES}, got {names}"
        )
    return chosen[0] if chosen else None
