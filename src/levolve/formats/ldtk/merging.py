"""A new level in an LDtk project that a person edited.

The values, the drawn tiles and the places of one level, and its fields, become those of the new
level. Definitions that the project has, by name, keep their numbers and settings; missing fields
and entities are added with new numbers.

Rules of a person are never applied here: only LDtk does that. Tiles that they drew from the values
of the old level are removed, and a warning names their layers.
"""

import warnings

import numpy as np

from levolve.core.errors import InputError, shown
from levolve.core.safe_text import printable
from levolve.formats.ldtk.definitions import (
    NUMBER,
    PLACES,
    TILES_LAYER,
    TILESET,
)
from levolve.formats.ldtk.merged import Data, of_layer, uids_in
from levolve.formats.ldtk.merged_things import MergedThings
from levolve.formats.ldtk.model import checked_project
from levolve.formats.ldtk.ownership import chosen_level, complete, is_our_group, is_ours
from levolve.formats.ldtk.places import cell_of
from levolve.formats.ldtk.reading import (
    place_name,
)
from levolve.formats.ldtk.text import project_bytes, read_project
from levolve.formats.metadata import METADATA

# What an entity that is added to a project of another look has.
WITHOUT_TILE: Data = {"tilesetId": None, "tileRect": None, "renderMode": "Ellipse"}
WITHOUT_TILE |= {"fillOpacity": 0.8, "lineOpacity": 1, "showName": True}


def merge(original: bytes, written: bytes, part: str | None = None) -> bytes:
    """Return the original project with the level of the written one in place of its own, or of the
    one called `part`.
    """
    project, new = read_project(original), read_project(written)
    model = checked_project(project)
    with complete():
        _Merger(project, new, model, chosen_level(model, part)).merge()
        return project_bytes(project)


class _Merger(MergedThings):
    """Changes the project."""

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
        self.match_things()
        self._match_layers()
        self._write_fields()
        self._write_values(fresh)
        self._draw()
        self._write_places()
        self.write_things()
        self.project["nextUid"] = max([self.shift, *uids_in(self.project)]) + 1

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
                    self.translated(entry | {"fieldDefs": fields}) | WITHOUT_TILE
                )
        theirs["levelFields"] += [
            self.translated(entry)
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
                known["fieldDefs"].append(self.translated(field))

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

    # The level

    def _write_fields(self) -> None:
        """Set the fields of ours. One that the new level does not have becomes empty; fields of
        others stay.
        """
        fields = {field["__identifier"]: field for field in self.level["fieldInstances"]}
        fresh = {
            field["__identifier"]: self.translated(field) for field in self.fresh["fieldInstances"]
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
        of_layer(self.level, self.tiles.uid)["intGridCsv"] = [
            numbers[value] for value in fresh["intGridCsv"]
        ]

    def _draw(self) -> None:
        """Write the tiles that our rules draw, and remove those that other rules drew from the old
        level.
        """
        fresh = {self.number(each["layerDefUid"]): each for each in self.fresh["layerInstances"]}
        removed = []
        for definition in self.project["defs"]["layers"]:
            uid = definition["uid"]
            if self.tiles.uid not in {uid, definition.get("autoSourceLayerDefUid")}:
                continue
            layer, ours = of_layer(self.level, uid), uid in self.drawn
            if layer["autoLayerTiles"] and not (
                ours and all(map(is_our_group, definition["autoRuleGroups"]))
            ):
                removed.append(shown(layer["__identifier"]))
            layer["autoLayerTiles"] = self.translated(fresh[uid]["autoLayerTiles"]) if ours else []
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
        layer = of_layer(self.level, self.places.uid)
        entities = []
        for entity, data in zip(self.places.entities, layer["entityInstances"], strict=True):
            before = cell_of(self.model, entity, self.places, self.tiles)
            name = place_name(entity, before)
            if name is None:
                entities.append(data)
            elif name in wanted:
                cell, _ = wanted.pop(name)
                steps = [self.side * (new - old) for new, old in zip(cell, before, strict=True)]
                entities.append(self.moved(data, steps, layer) if any(steps) else data)
        entities += [
            self.placed(self.translated(data), cell, layer) for cell, data in wanted.values()
        ]
        layer["entityInstances"] = entities
