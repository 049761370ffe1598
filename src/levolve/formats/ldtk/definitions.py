"""The definitions of an LDtk project: layers, entities and level fields, each with a name and a
number that other parts refer to.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from levolve.formats.ldtk.tilesets import TilesetSheet
from levolve.formats.metadata import ABOUT, AREAS, GOAL, PUZZLE, RIGHTS
from levolve.formats.pictures.colours import OTHER_PLACE, PLACE_COLOURS
from levolve.levels.level import Level
from levolve.levels.places import ENTRANCE, EXIT, TOUR, checkpoint
from levolve.levels.text_form import RECOGNISED
from levolve.levels.tileset import Colour

PLACES, CHECKPOINT, NUMBER, TILE, TILESET = "Places", "Checkpoint", "number", "tile", "tileset"
# LDtk's names of the places that can occur only once; they begin with a capital letter.
ENTITIES = {name.capitalize(): name for name in (ENTRANCE, EXIT, *TOUR)}
MOST_NUMBER = 10**9 - 1


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
