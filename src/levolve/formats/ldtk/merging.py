"""A new level in an LDtk project that a person edited.

The values, the drawn tiles and the places of one level, and its fields, become those of the new
level. Definitions that the project has, by name, keep their numbers and settings; missing fields
and entities are added with new numbers.

Rules of a person are never applied here: only LDtk does that. Tiles that they drew from the values
of the old level are removed, and a warning names their layers.
"""

import math
import re
import warnings
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from levolve.core.errors import InputError, shown
from levolve.core.safe_text import printable
from levolve.formats.ldtk.definitions import (
    NUMBER,
    PLACES,
    TILES_LAYER,
    TILESET,
)
from levolve.formats.ldtk.model import LevelInstance, Project, checked_project
from levolve.formats.ldtk.ownership import chosen_level, complete, is_our_group, is_ours
from levolve.formats.ldtk.reading import (
    cell_of,
    decode_level,
    place_name,
    places_layer,
    tiles_layer,
)
from levolve.formats.ldtk.text import RawList, levels_in, project_bytes, read_project
from levolve.formats.metadata import METADATA

Data = dict[str, Any]
# The keys of numbers that refer to definitions.
_REFERENCES = frozenset(
    {"uid", "defUid", "layerDefUid", "levelId", "autoSourceLayerDefUid", "tagsSourceEnumUid"}
)
_REFERENCES |= {"tilesetUid", "tilesetId", "tilesetDefUid", "__tilesetDefUid", "iconTilesetUid"}
# What an entity that is added to a project of another look has.
WITHOUT_TILE: Data = {"tilesetId": None, "tileRect": None, "renderMode": "Ellipse"}
WITHOUT_TILE |= {"fillOpacity": 0.8, "lineOpacity": 1, "showName": True}
_RULE = re.compile(r'"d":\[(\d+),')


def merge(original: bytes, written: bytes, part: str | None = None) -> bytes:
    """Return the original project with the level of the written one in place of its own, or of the
    one called `part`.
    """
    project, new = read_project(original), read_project(written)
    model = checked_project(project)
    with complete():
        _Merger(project, new, model, chosen_level(model, part)).merge()
        return project_bytes(project)


class _Merger:
    """Changes `project` so that its level `found` becomes the only level of `new`."""

    def __init__(self, project: Data, new: Data, model: Project, found: LevelInstance) -> None:
        self.project, self.new, self.model = project, new, model
        self.level = next(
            level for level in levels_in(project) if level["identifier"] == found.identifier
        )
        self.fresh: Data = new["levels"][0]
        self.tiles, self.places = tiles_layer(model, found), places_layer(found)
        self.side = self.tiles.grid or 1
        self.entities = [
            entity for layer in self.fresh["layerInstances"] for entity in layer["entityInstances"]
        ]
        # The number of a definition of `new` in the project.
        self.numbers: dict[int, int] = {self.fresh["uid"]: self.level["uid"]}
        self.shift = max([int(project.get("nextUid", 0)), *_uids(project)]) + 1
        written = checked_project(new)
        self.wanted = decode_level(written, written.levels[0])
        # The layers with our rules.
        self.drawn: set[int] = set()

    def merge(self) -> None:
        fresh = next(
            layer
            for layer in self.fresh["layerInstances"]
            if is_ours(layer["__identifier"], TILES_LAYER)
        )
        if (fresh["__cWid"], fresh["__cHei"], fresh["__gridSize"]) != (
            self.tiles.width,
            self.tiles.height,
            self.side,
        ):
            raise InputError(
                f"LDtk: expected a level of {self.tiles.width}x{self.tiles.height} tiles of "
                f"{self.side} pixels, as in the project, "
                f"got {fresh['__cWid']}x{fresh['__cHei']} of {fresh['__gridSize']}; choose "
                f"the size of tiles with --tile {self.side}"
            )
        self._match_definitions()
        self._match_layers()
        self._write_fields()
        self._write_values(fresh)
        self._draw()
        self._write_places()
        self.project["nextUid"] = max([self.shift, *_uids(self.project)]) + 1

    # Definitions

    def _match_definitions(self) -> None:
        """Match the definitions that the project has, and add the missing fields of levels and
        entities of the places; these without tiles.
        """
        ours, theirs = self.new["defs"], self.project["defs"]
        for kind in ("entities", "tilesets", "enums", "levelFields"):
            known = {entry["identifier"]: entry for entry in theirs.setdefault(kind, [])}
            for entry in ours[kind]:
                if entry["identifier"] in known:
                    self._match(entry, known[entry["identifier"]])
        used = {entity["defUid"] for entity in self.entities}
        for entry in ours["entities"]:
            if entry["uid"] in used - set(self.numbers):
                fields = [field for field in entry["fieldDefs"] if field["identifier"] == NUMBER]
                theirs["entities"].append(
                    self._translated(entry | {"fieldDefs": fields}) | WITHOUT_TILE
                )
        theirs["levelFields"] += [
            self._translated(entry)
            for entry in ours["levelFields"]
            if entry["uid"] not in self.numbers
        ]

    def _match(self, entry: Data, known: Data) -> None:
        self.numbers[entry["uid"]] = known["uid"]
        fields = {field["identifier"]: field["uid"] for field in known.get("fieldDefs", [])}
        for field in entry.get("fieldDefs", []):
            if field["identifier"] in fields:
                self.numbers[field["uid"]] = fields[field["identifier"]]
            elif field["identifier"] == NUMBER:
                known["fieldDefs"].append(self._translated(field))

    def _match_layers(self) -> None:
        """Match our layers and the rules that draw them, which must be of the same theme."""
        for layer in self.new["defs"]["layers"]:
            name, uid = layer["identifier"], None
            if is_ours(name, TILES_LAYER):
                uid = self.tiles.uid
            elif name == PLACES and self.places is not None:
                uid = self.places.uid
            known = next(
                (
                    known
                    for known in self.project["defs"]["layers"]
                    if known["uid"] == uid
                    or (
                        uid is None
                        and is_ours(known["identifier"], name)
                        and known.get("autoSourceLayerDefUid") == self.tiles.uid
                    )
                ),
                None,
            )
            if known is not None:
                self.numbers[layer["uid"]] = known["uid"]
                self._add_kinds(layer, known)
                if is_ours(known["identifier"], name) and layer["autoRuleGroups"]:
                    self._match_rules(layer, known)

    def _add_kinds(self, layer: Data, known: Data) -> None:
        """Add the kinds of tiles that an IntGrid layer lacks. An empty cell is floor."""
        tileset = self.wanted.tileset
        kinds = set(np.unique(self.wanted.tiles).tolist()) - {tileset.floor}
        used = {tileset.names[kind] for kind in kinds}
        used -= {str(value["identifier"]).lower() for value in known["intGridValues"]}
        for value in layer["intGridValues"]:
            if value["identifier"] in used:
                numbers = [entry["value"] for entry in known["intGridValues"]]
                known["intGridValues"].append({**value, "value": max(numbers, default=0) + 1})

    def _match_rules(self, layer: Data, known: Data) -> None:
        """Match the numbers of our rules. Rules of ours that a person changed draw nothing here."""
        rules, there = (
            [rule for group in groups if is_our_group(group) for rule in group["rules"]]
            for groups in (layer["autoRuleGroups"], known["autoRuleGroups"])
        )
        if there and known["tilesetDefUid"] != self.numbers.get(layer["tilesetDefUid"]):
            names = [
                tileset["relPath"]
                for project, uid in (
                    (self.project, known["tilesetDefUid"]),
                    (self.new, layer["tilesetDefUid"]),
                )
                for tileset in project["defs"]["tilesets"]
                if tileset["uid"] == uid
            ]
            raise InputError(
                f"LDtk: expected the tiles of the project, {' and not '.join(names)}; choose its "
                "theme with --theme"
            )
        if [rule["tileRectsIds"] for rule in rules] == [rule["tileRectsIds"] for rule in there]:
            self.numbers |= {
                rule["uid"]: same["uid"] for rule, same in zip(rules, there, strict=True)
            }
            self.drawn.add(known["uid"])

    def _number(self, uid: int) -> int:
        return self.numbers.get(uid, uid + self.shift)

    def _translated(self, part: Any, key: str = "") -> Any:
        """Return a part of the new project with the numbers of the definitions in this one."""
        if isinstance(part, dict):
            return {name: self._translated(value, name) for name, value in part.items()}
        if isinstance(part, list):
            return [self._translated(value) for value in part]
        if isinstance(part, RawList):
            return RawList(_RULE.sub(lambda it: f'"d":[{self._number(int(it[1]))},', part))
        return self._number(part) if key in _REFERENCES and isinstance(part, int) else part

    # The level

    def _write_fields(self) -> None:
        """Set the fields of ours. One that the new level does not have becomes empty; fields of
        others stay.
        """
        fields = {field["__identifier"]: field for field in self.level["fieldInstances"]}
        fresh = {
            field["__identifier"]: self._translated(field) for field in self.fresh["fieldInstances"]
        }
        empty: Data = {"__value": None, "realEditorValues": []}
        for name in fields:
            if name in {*METADATA, TILESET}:
                fields[name] |= fresh.get(name, empty)
        self.level["fieldInstances"] += [
            field for name, field in fresh.items() if name not in fields
        ]

    def _write_values(self, fresh: Data) -> None:
        """Set the values of the cells."""
        ours, theirs = (
            {
                str(value["identifier"]).lower(): value["value"]
                for layer in project["defs"]["layers"]
                if layer["uid"] == uid
                for value in reversed(layer["intGridValues"])
            }
            for project, uid in (
                (self.new, fresh["layerDefUid"]),
                (self.project, self.tiles.uid),
            )
        )
        numbers = {number: theirs.get(name, 0) for name, number in ours.items()}
        _of_layer(self.level, self.tiles.uid)["intGridCsv"] = [
            numbers[value] for value in fresh["intGridCsv"]
        ]

    def _draw(self) -> None:
        """Write the tiles that our rules draw, and remove those that other rules drew from the old
        level.
        """
        fresh = {self._number(each["layerDefUid"]): each for each in self.fresh["layerInstances"]}
        removed = []
        for definition in self.project["defs"]["layers"]:
            uid = definition["uid"]
            if self.tiles.uid not in {uid, definition.get("autoSourceLayerDefUid")}:
                continue
            layer, ours = _of_layer(self.level, uid), uid in self.drawn
            if layer["autoLayerTiles"] and not (
                ours and all(map(is_our_group, definition["autoRuleGroups"]))
            ):
                removed.append(shown(layer["__identifier"]))
            layer["autoLayerTiles"] = self._translated(fresh[uid]["autoLayerTiles"]) if ours else []
        if removed:
            warnings.warn(
                printable(
                    "LDtk: levolve applies no rules but its own: tiles of other rules are removed "
                    f"from layer {', '.join(removed)}; in LDtk apply all auto-layer rules, and save"
                ),
                stacklevel=2,
            )

    def _write_places(self) -> None:
        """Move the places that are elsewhere now, remove those that are gone, and add new ones.
        Other entities stay.
        """
        if self.places is None:
            if self.entities:
                raise InputError(
                    f"LDtk: expected an Entities layer for the places; add one called {PLACES}"
                )
            return
        wanted = {
            name: (cell, data)
            for (name, cell), data in zip(self.wanted.places.items(), self.entities, strict=True)
        }
        layer = _of_layer(self.level, self.places.uid)
        entities = []
        for entity, data in zip(self.places.entities, layer["entityInstances"], strict=True):
            before = cell_of(self.model, entity, self.places, self.tiles)
            name = place_name(entity, before)
            if name is None:
                entities.append(data)
            elif name in wanted:
                cell, _ = wanted.pop(name)
                steps = [self.side * (new - old) for new, old in zip(cell, before, strict=True)]
                entities.append(self._moved(data, steps, layer) if any(steps) else data)
        entities += [
            self._placed(self._translated(data), cell, layer) for cell, data in wanted.values()
        ]
        layer["entityInstances"] = entities

    def _moved(self, data: Data, steps: Sequence[int], layer: Data) -> Data:
        px = [position + step for position, step in zip(data["px"], steps, strict=True)]
        world = {
            key: self.level[key[2].lower() + key[3:]] + position
            for key, position in zip(("__worldX", "__worldY"), px, strict=True)
            if data.get(key) is not None
        }
        cell = [math.floor(position / layer["__gridSize"]) for position in px]
        return {**data, "px": px, "__grid": cell, **world}

    def _placed(self, data: Data, cell: tuple[int, int], layer: Data) -> Data:
        """Return a new entity in the middle of its cell, with the size and the pivot that its
        definition has in the project.
        """
        definition = next(
            entry for entry in self.project["defs"]["entities"] if entry["uid"] == data["defUid"]
        )
        pivot = [definition.get("pivotX", 0), definition.get("pivotY", 0)]
        size = [definition.get("width", self.side), definition.get("height", self.side)]
        offsets = (layer["__pxTotalOffsetX"], layer["__pxTotalOffsetY"])
        px = [
            round((part + 0.5) * self.side - offset + (at - 0.5) * side)
            for part, offset, at, side in zip(cell, offsets, pivot, size, strict=True)
        ]
        fields = {field["uid"] for field in definition.get("fieldDefs", [])}
        data |= {
            "__pivot": pivot,
            "width": size[0],
            "height": size[1],
            "px": px,
            "fieldInstances": [
                field for field in data["fieldInstances"] if field["defUid"] in fields
            ],
        }
        if not self.drawn:
            data |= {"__tile": definition.get("tileRect"), "__smartColor": definition.get("color")}
        return self._moved(data, (0, 0), layer)


def _of_layer(level: Data, uid: int | None) -> Data:
    """Return the layer of a level that has a definition."""
    found: Data = next(layer for layer in level["layerInstances"] if layer["layerDefUid"] == uid)
    return found


def _uids(part: Any) -> Iterable[int]:
    """Return all numbers of definitions and levels in a part of a project."""
    if isinstance(part, dict):
        if isinstance(part.get("uid"), int):
            yield part["uid"]
        for value in part.values():
            yield from _uids(value)
    elif isinstance(part, list):
        for value in part:
            yield from _uids(value)
