"""The definitions of an LDtk project: layers, entities, level fields and tilesets, each with a name
and a number that other parts refer to.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from levolve.formats.ldtk.rules import Numbering, RuleGroup, groups_of
from levolve.formats.look import Look
from levolve.formats.metadata import ABOUT, AREAS, GOAL, PUZZLE, RIGHTS
from levolve.formats.pictures.colours import OTHER_PLACE, PLACE_COLOURS
from levolve.formats.themes.atlas import COLUMNS, FLOOR, Atlas
from levolve.levels.level import Level
from levolve.levels.places import ENTRANCE, EXIT, TOUR, checkpoint
from levolve.levels.text_form import RECOGNISED
from levolve.levels.tileset import Colour, Tileset

TILES_LAYER, FLOOR_LAYER = "Tiles", "Floor"
PLACES, CHECKPOINT, NUMBER, TILE, TILESET = "Places", "Checkpoint", "number", "tile", "tileset"
# LDtk's names of the places that can occur only once; they begin with a capital letter.
ENTITIES = {name.capitalize(): name for name in (ENTRANCE, EXIT, *TOUR)}
MOST_NUMBER = 10**9 - 1


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


def level_fields(level: Level, metadata: Mapping[str, str]) -> dict[str, str | None]:
    """Return the fields of a level by name: its metadata, which may be empty, and its goal, areas,
    puzzle and tileset if there are any to write.
    """
    tileset = {} if level.tileset in RECOGNISED else {TILESET: level.tileset.name}
    optional = {name: metadata[name] for name in (GOAL, AREAS, PUZZLE) if name in metadata}
    return {name: metadata.get(name) for name in (*ABOUT, RIGHTS)} | optional | tileset


def definitions_for(
    sheets: Sequence[TilesetSheet], fields: Iterable[str], *, drawn: bool
) -> dict[str, Any]:
    """Return the definitions of a project with these tilesets, whose levels have these fields.
    Without `drawn` there are no rules and no tiles.
    """
    numbering, first = sheets[0].numbering, sheets[0]
    side = first.atlas.tile
    layers = [_layer_definition(numbering("layer", PLACES), PLACES, "Entities", side)]
    for sheet in sheets:
        layers += _layers_of(sheet, drawn=drawn)
    return {
        "layers": layers,
        "entities": [
            _entity_definition(name, first, drawn=drawn) for name in [*ENTITIES, CHECKPOINT]
        ],
        "tilesets": [sheet.tileset_definition() for sheet in sheets] if drawn else [],
        "enums": [sheet.kinds_definition() for sheet in sheets] if drawn else [],
        "externalEnums": [],
        "levelFields": [
            _field_definition(numbering("field", name), name, "String") for name in fields
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
        {**_layer_definition(source, sheet.tiles_layer, "IntGrid", side), "intGridValues": values}
    ]
    if not drawn:
        return layers
    if sheet.floor_layer is not None:
        floor = _layer_definition(
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


def _layer_definition(uid: int, name: str, kind: str, side: int) -> dict[str, Any]:
    return {
        "__type": kind,
        "identifier": name,
        "type": kind,
        "uid": uid,
        "doc": None,
        "uiColor": None,
        "gridSize": side,
        "guideGridWid": 0,
        "guideGridHei": 0,
        "displayOpacity": 1,
        "inactiveOpacity": 0.6,
        "hideInList": False,
        "hideFieldsWhenInactive": True,
        "canSelectWhenInactive": True,
        "renderInWorldView": True,
        "pxOffsetX": 0,
        "pxOffsetY": 0,
        "parallaxFactorX": 0,
        "parallaxFactorY": 0,
        "parallaxScaling": True,
        "requiredTags": [],
        "excludedTags": [],
        "autoTilesKilledByOtherLayerUid": None,
        "uiFilterTags": [],
        "useAsyncRender": False,
        "intGridValues": [],
        "intGridValuesGroups": [],
        "autoRuleGroups": [],
        "autoSourceLayerDefUid": None,
        "tilesetDefUid": None,
        "tilePivotX": 0,
        "tilePivotY": 0,
        "biomeFieldUid": None,
    }


def _entity_definition(name: str, sheet: TilesetSheet, *, drawn: bool) -> dict[str, Any]:
    """Return the definition of an entity of one cell. A level has at most one, except checkpoints:
    adding a second moves the first.
    """
    numbering, side = sheet.numbering, sheet.atlas.tile
    several = name == CHECKPOINT
    place = checkpoint(1) if several else ENTITIES[name]
    rectangle = sheet.rectangle(sheet.atlas.place_tile(place)) if drawn else None
    fields = (
        [
            _field_definition(
                numbering("field", CHECKPOINT, NUMBER), NUMBER, "Int", shown="ValueOnly"
            )
        ]
        if several
        else []
    )
    if several and drawn:
        # The tile with the number of the checkpoint, in place of the one of the definition.
        fields.append(
            {
                **_field_definition(
                    numbering("field", CHECKPOINT, TILE), TILE, "Tile", shown="EntityTile"
                ),
                "tilesetUid": sheet.uid,
            }
        )
    return {
        "identifier": name,
        "uid": numbering("entity", name),
        "tags": [],
        "exportToToc": False,
        "allowOutOfBounds": False,
        "doc": None,
        "width": side,
        "height": side,
        "resizableX": False,
        "resizableY": False,
        "minWidth": None,
        "maxWidth": None,
        "minHeight": None,
        "maxHeight": None,
        "keepAspectRatio": False,
        "tileOpacity": 1,
        "fillOpacity": 0 if drawn else 0.8,
        "lineOpacity": 0 if drawn else 1,
        "hollow": False,
        "color": hex_colour(PLACE_COLOURS.get(place, OTHER_PLACE)),
        "renderMode": "Tile" if drawn else "Ellipse",
        "showName": not drawn,
        "tilesetId": sheet.uid if drawn else None,
        "tileRenderMode": "FitInside",
        "tileRect": rectangle,
        "uiTileRect": None,
        "nineSliceBorders": [],
        "maxCount": 0 if several else 1,
        "limitScope": "PerLevel",
        "limitBehavior": "MoveLastOne",
        "pivotX": 0,
        "pivotY": 0,
        "fieldDefs": fields,
    }


def _field_definition(uid: int, name: str, kind: str, *, shown: str = "Hidden") -> dict[str, Any]:
    return {
        "identifier": name,
        "doc": None,
        "__type": kind,
        "uid": uid,
        "type": f"F_{kind}",
        "isArray": False,
        "canBeNull": kind != "Int",
        "arrayMinLength": None,
        "arrayMaxLength": None,
        "editorDisplayMode": shown,
        "editorDisplayScale": 1,
        "editorDisplayPos": "Above",
        "editorLinkStyle": "StraightArrow",
        "editorDisplayColor": None,
        "editorAlwaysShow": False,
        "editorShowInWorld": True,
        "editorCutLongValues": True,
        "editorTextSuffix": None,
        "editorTextPrefix": None,
        "useForSmartColor": False,
        "exportToToc": False,
        "searchable": False,
        "min": 1 if kind == "Int" else None,
        "max": MOST_NUMBER if kind == "Int" else None,
        "regex": None,
        "acceptFileTypes": None,
        "defaultOverride": None,
        "textLanguageMode": None,
        "symmetricalRef": False,
        "autoChainRef": True,
        "allowOutOfLevelRef": True,
        "allowedRefs": "OnlySame",
        "allowedRefsEntityUid": None,
        "allowedRefTags": [],
        "tilesetUid": None,
    }


def hex_colour(colour: Colour) -> str:
    """Format a colour for LDtk."""
    return "#{:02X}{:02X}{:02X}".format(*colour)
