"""The definitions of an LDtk project: layers, entities, level fields and tilesets, each with a name
and a number that other parts refer to.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from levolve.formats.ldtk.definition_parts import (
    entity_base,
    field_definition,
    hex_colour,
    layer_definition,
)
from levolve.formats.ldtk.rules import Numbering, RuleGroup, groups_of
from levolve.formats.ldtk.thing_definitions import area_definition, thing_definition
from levolve.formats.ldtk.thing_entities import AREAS, THINGS, TILE, Furniture
from levolve.formats.look import Look
from levolve.formats.metadata import ABOUT, CERTIFICATE, FLOORS, GOAL, KINDS, PUZZLE, RIGHTS
from levolve.formats.pictures.colours import OTHER_PLACE, PLACE_COLOURS
from levolve.formats.themes.atlas import COLUMNS, FLOOR, Atlas
from levolve.levels.level import Level
from levolve.levels.places import ENTRANCE, EXIT, TOUR, checkpoint
from levolve.levels.text_form import RECOGNISED
from levolve.levels.tileset import Tileset

TILES_LAYER, FLOOR_LAYER = "Tiles", "Floor"
PLACES, CHECKPOINT, NUMBER, TILESET = "Places", "Checkpoint", "number", "tileset"
# LDtk's names of the places that can occur only once; they begin with a capital letter.
ENTITIES = {name.capitalize(): name for name in (ENTRANCE, EXIT, *TOUR)}


@dataclass(frozen=True)
class TilesetSheet:
    """A tileset in a project: its atlas and the numbers of its definitions. `tag` is part of the
    names of its layers, if there are several sheets.
    """

    atlas: Atlas
    numbering: Numbering
    tag: str = ""

    @property
    def tiles_layer(self) -> str:
        """The IntGrid layer, which contains the kind of every cell and draws the walls, or all
        tiles if there are no walls.
        """
        return TILES_LAYER + self.tag

    @property
    def floor_layer(self) -> str | None:
        """The layer that draws the floor below the walls; None without walls."""
        return None if self.atlas.tileset.wall is None else FLOOR_LAYER + self.tag

    @cached_property
    def groups(self) -> dict[str, RuleGroup]:
        """The rules by the name of the layer that they draw."""
        found = groups_of(self.atlas, self.numbering, alone=not self.tag)
        named = {FLOOR: self.floor_layer}
        return {named.get(name) or self.tiles_layer: group for name, group in found.items()}

    @property
    def uid(self) -> int:
        """The number of the tileset."""
        return self.numbering("tileset", self.atlas.tileset.name)

    @property
    def picture(self) -> str:
        """The name of the picture of the tiles."""
        return f"{self.atlas.name}.png"

    def rectangle(self, tile: int) -> dict[str, int]:
        """Return the position of a tile in the picture."""
        side = self.atlas.tile
        return {
            "tilesetUid": self.uid,
            "x": tile % COLUMNS * side,
            "y": tile // COLUMNS * side,
            "w": side,
            "h": side,
        }

    def tileset_definition(self) -> dict[str, Any]:
        """Return the tileset. Every tile has the name of its kind, or of its place, as custom data;
        kinds are tags too.
        """
        atlas = self.atlas
        kinds = [
            {
                "enumValueId": name.capitalize(),
                "tileIds": [number for number, tile in enumerate(atlas.tiles) if tile.kind == kind],
            }
            for kind, name in enumerate(atlas.tileset.names)
        ]
        return {
            "__cWid": COLUMNS,
            "__cHei": atlas.rows,
            "identifier": identifier_of(atlas.name),
            "uid": self.uid,
            "relPath": self.picture,
            "embedAtlas": None,
            "pxWid": COLUMNS * atlas.tile,
            "pxHei": atlas.rows * atlas.tile,
            "tileGridSize": atlas.tile,
            "spacing": 0,
            "padding": 0,
            "tags": [],
            "tagsSourceEnumUid": self.numbering("kinds", atlas.tileset.name),
            "enumTags": kinds,
            "customData": [
                {"tileId": number, "data": name} for number, name in enumerate(atlas.names)
            ],
            "savedSelections": [],
            "cachedPixelData": None,
        }

    def kinds_definition(self) -> dict[str, Any]:
        """Return the enum of the kinds of tiles."""
        atlas = self.atlas
        values = []
        for kind, name in enumerate(atlas.tileset.names):
            red, green, blue = atlas.theme.colour(atlas.tileset, kind)
            values.append(
                {
                    "id": name.capitalize(),
                    "tileRect": self.rectangle(atlas.first[kind]),
                    "color": red << 16 | green << 8 | blue,
                }
            )
        return {
            "identifier": identifier_of(f"levolve-{atlas.tileset.name}-kinds"),
            "uid": self.numbering("kinds", atlas.tileset.name),
            "values": values,
            "iconTilesetUid": self.uid,
            "externalRelPath": None,
            "externalFileChecksum": None,
            "tags": [],
        }


def sheets_of(tilesets: Iterable[Tileset], look: Look) -> dict[str, TilesetSheet]:
    """Return a sheet per tileset, by its name."""
    different = {tileset.name: tileset for tileset in tilesets}
    numbering = Numbering()
    return {
        name: TilesetSheet(
            look.atlas(tileset), numbering, "" if len(different) == 1 else identifier_of(f"_{name}")
        )
        for name, tileset in different.items()
    }


def identifier_of(name: str) -> str:
    """Return a name in the form that LDtk keeps: letters, digits and _, a capital letter or _
    first.
    """
    plain = re.sub(r"[^A-Za-z0-9]+", "_", name)
    return plain[:1].upper() + plain[1:]


def entity_layers(furniture: Furniture) -> list[str]:
    """Return the layers of entities of a project, the highest first."""
    return [
        *([THINGS] if furniture.has_things else []),
        PLACES,
        *([AREAS] if furniture.has_areas else []),
    ]


def level_fields(level: Level, metadata: Mapping[str, str]) -> dict[str, str | None]:
    """Return the fields of a level by name: its metadata, which may be empty, and its goal, areas,
    puzzle and tileset if there are any to write.
    """
    tileset = {} if level.tileset in RECOGNISED else {TILESET: level.tileset.name}
    names = (GOAL, PUZZLE, KINDS, CERTIFICATE, FLOORS)
    optional = {name: metadata[name] for name in names if name in metadata}
    return {name: metadata.get(name) for name in (*ABOUT, RIGHTS)} | optional | tileset


def definitions_for(
    sheets: Sequence[TilesetSheet], fields: Iterable[str], furniture: Furniture, *, drawn: bool
) -> dict[str, Any]:
    """Return the definitions of a project with these tilesets, whose levels have these fields and
    this furniture. Without `drawn` it has neither rules nor tiles.
    """
    numbering, first = sheets[0].numbering, sheets[0]
    side = first.atlas.tile
    layers = [
        layer_definition(numbering("layer", name), name, "Entities", side)
        for name in entity_layers(furniture)
    ]
    for sheet in sheets:
        layers += _layers_of(sheet, drawn=drawn)
    return {
        "layers": layers,
        "entities": [
            *(_entity_definition(name, first, drawn=drawn) for name in [*ENTITIES, CHECKPOINT]),
            *(thing_definition(name, furniture, side) for name in furniture.kinds),
            *(area_definition(name, furniture, side) for name in furniture.areas.values()),
        ],
        "tilesets": [
            *(sheet.tileset_definition() for sheet in sheets if drawn),
            *([furniture.tileset()] if furniture.signs else []),
        ],
        "enums": [
            *(sheet.kinds_definition() for sheet in sheets if drawn),
            *([furniture.roles_definition()] if furniture.has_areas else []),
        ],
        "externalEnums": [],
        "levelFields": [
            field_definition(numbering("field", name), name, "String") for name in fields
        ],
    }


def _layers_of(sheet: TilesetSheet, *, drawn: bool) -> list[dict[str, Any]]:
    """Return the IntGrid layer of a tileset, and the layer of the floor below walls."""
    tileset, side = sheet.atlas.tileset, sheet.atlas.tile
    source = sheet.numbering("layer", sheet.tiles_layer)
    values = [
        {
            "value": kind + 1,
            "identifier": name,
            "color": hex_colour(colour),
            "tile": None,
            "groupUid": 0,
        }
        for kind, (name, colour) in enumerate(zip(tileset.names, tileset.colours, strict=True))
    ]
    layers = [
        {**layer_definition(source, sheet.tiles_layer, "IntGrid", side), "intGridValues": values}
    ]
    if not drawn:
        return layers
    if sheet.floor_layer is not None:
        floor = layer_definition(
            sheet.numbering("layer", sheet.floor_layer), sheet.floor_layer, "AutoLayer", side
        )
        layers.append({**floor, "autoSourceLayerDefUid": source})
    return [
        {
            **layer,
            "tilesetDefUid": sheet.uid,
            "autoRuleGroups": [sheet.groups[layer["identifier"]].to_data()],
        }
        for layer in layers
    ]


def _entity_definition(name: str, sheet: TilesetSheet, *, drawn: bool) -> dict[str, Any]:
    """Return the definition of an entity of one cell. A level has at most one, except checkpoints:
    adding a second moves the first.
    """
    numbering, side = sheet.numbering, sheet.atlas.tile
    several = name == CHECKPOINT
    place = checkpoint(1) if several else ENTITIES[name]
    rectangle = sheet.rectangle(sheet.atlas.place_tile(place)) if drawn else None
    fields = (
        [field_definition(numbering("field", CHECKPOINT, NUMBER), NUMBER, "Int", shown="ValueOnly")]
        if several
        else []
    )
    if several and drawn:
        # The tile with the number of the checkpoint, in place of the one of the definition.
        fields.append(
            {
                **field_definition(
                    numbering("field", CHECKPOINT, TILE), TILE, "Tile", shown="EntityTile"
                ),
                "tilesetUid": sheet.uid,
            }
        )
    return {
        **entity_base(numbering("entity", name), name, side),
        "tileOpacity": 1,
        "fillOpacity": 0 if drawn else 0.8,
        "lineOpacity": 0 if drawn else 1,
        "color": hex_colour(PLACE_COLOURS.get(place, OTHER_PLACE)),
        "renderMode": "Tile" if drawn else "Ellipse",
        "showName": not drawn,
        "tilesetId": sheet.uid if drawn else None,
        "tileRect": rectangle,
        "maxCount": 0 if several else 1,
        "fieldDefs": fields,
    }
