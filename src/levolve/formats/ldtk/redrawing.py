"""Drawing the auto-layers of an LDtk project again, by its own rules, after the values of an IntGrid layer have changed."""

import json
import re
from typing import Any

import numpy as np

from levolve.formats.ldtk.evaluation import Evaluator
from levolve.formats.ldtk.text import RawList, levels_in

Data = dict[str, Any]
_CELL = re.compile(r'"d"\s*+:\s*+\[\s*+([0-9]{1,10})\s*+\]')


def redraw(project: Data, changed: Data, layers: set[int], source: int) -> None:
    """Draw the layers of a changed level whose values come from the IntGrid layer `source`, and these layers in all levels."""
    definitions = {layer["uid"]: layer for layer in project["defs"]["layers"]}
    tilesets = {tileset["uid"]: tileset for tileset in project["defs"]["tilesets"]}
    for level in levels_in(project):
        for instance in level["layerInstances"] or []:
            definition = definitions.get(instance["layerDefUid"])
            if definition is None or not definition["autoRuleGroups"] or definition["type"] not in {"IntGrid", "AutoLayer"}:
                continue
            from_layer = definition["uid"] if definition["type"] == "IntGrid" else definition.get("autoSourceLayerDefUid")
            if definition["uid"] not in layers and not (level is changed and from_layer == source):
                continue
            tileset = tilesets.get(_first(instance.get("overrideTilesetUid"), definition["tilesetDefUid"]))
            values = next((layer for layer in level["layerInstances"] if layer["layerDefUid"] == from_layer), None)
            if tileset is not None and values is not None:
                instance["autoLayerTiles"] = _drawn(level, instance, definition, definitions[values["layerDefUid"]], tileset, values)
                for rule in (rule for group in definition["autoRuleGroups"] for rule in group["rules"] if rule.get("perlinActive")):
                    # LDtk applies these rules when it opens the list of rules.
                    rule["invalidated"] = True


def _drawn(level: Data, instance: Data, definition: Data, source: Data, tileset: Data, values: Data) -> RawList:  # noqa: PLR0913, PLR0917 all that a layer depends on
    cells = np.array(values["intGridCsv"], np.int64).reshape(values["__cHei"], values["__cWid"])
    biome = next((field["__value"] for field in level["fieldInstances"] if field["defUid"] == definition.get("biomeFieldUid")), None)
    biomes = None if biome is None else biome if isinstance(biome, list) else [biome]
    covered = _covered(level, definition.get("autoTilesKilledByOtherLayerUid"))
    tiles = Evaluator(definition, source, tileset, cells, instance, biomes=biomes, covered=covered).tiles()
    return RawList("[" + ",\n".join(json.dumps(tile, separators=(",", ":")) for tile in tiles) + "]")


def _covered(level: Data, uid: int | None) -> set[int]:
    """Return the cells in which another layer has tiles."""
    other: Data = next((layer for layer in level["layerInstances"] if uid is not None and layer["layerDefUid"] == uid), {})
    tiles = other.get("gridTiles", [])
    return {int(cell) for cell in _CELL.findall(tiles)} if isinstance(tiles, RawList) else {tile["d"][0] for tile in tiles}


def _first(*values: int | None) -> int | None:
    return next((value for value in values if value is not None), None)
