"""A new level in an LDtk project that a person edited.

The values, the drawn tiles and the places of one level, and its fields, become those of the new
level. Definitions that the project has, by name, keep their numbers and settings; missing ones are
added with new numbers.

Rules of a person are never applied here: only LDtk does that. Tiles that they drew from the values
of the old level are removed, and a warning names their layers.
"""

import math
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

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
        # Whether the tiles are on a layer of ours, which is drawn in our look.
        self.own = is_ours(self.tiles.identifier, TILES_LAYER)
        # The number of a definition of `new` in the project.
        self.numbers: dict[int, int] = {self.fresh["uid"]: self.level["uid"]}
        self.shift = max([int(project.get("nextUid", 0)), *_uids(project)]) + 1
        level = decode_level(checked_project(new), checked_project(new).levels[0])
        self.wanted = dict(level.places)
        # An empty cell is floor.
        self.floor = (
            None if level.tileset.floor is None else level.tileset.names[level.tileset.floor]
        )
        # The layers with our rules, and those of them that have other rules than before.
        self.drawn: set[int] = set()
        self.changed: set[int] = set()

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
            message = (
                f"LDtk: expected a level of {self.tiles.width}x{self.tiles.height} tiles of "
                f"{self.side} pixels, as in the project, "
                f"got {fresh['__cWid']}x{fresh['__cHei']} of {fresh['__gridSize']}; choose "
                f"the size of tiles with --tile {self.side}"
            )
            raise InputError(message)
        self._add_definitions()
        for layer in self.new["defs"]["layers"]:
            self._join_layer(layer)
        self._write_fields()
        self._write_values(fresh)
        self._draw()
        self._write_places()
        self.project["nextUid"] = max([self.shift, *_uids(self.project)]) + 1

    # Definitions

    def _add_definitions(self) -> None:
        """Match the definitions that the project already has, and add the missing ones."""
        ours, theirs = self.new["defs"], self.project["defs"]
        kinds = ("entities", "tilesets", "enums", "levelFields")
        missing: dict[str, list[Data]] = {}
        for kind in kinds:
            known = {entry["identifier"]: entry for entry in theirs.setdefault(kind, [])}
            missing[kind] = [entry for entry in ours[kind] if entry["identifier"] not in known]
            for entry in ours[kind]:
                if entry["identifier"] in known:
                    self._match(entry, known[entry["identifier"]])
        for layer in ours["layers"]:
            there = self._known_layer(layer)
            if there is not None:
                self.numbers[layer["uid"]] = there["uid"]
        if not self.own:
            used = {
                entity["defUid"]
                for layer in self.fresh["layerInstances"]
                for entity in layer["entityInstances"]
            }
            missing["entities"] = [entry for entry in missing["entities"] if entry["uid"] in used]
            if not missing["entities"]:
                missing |= {"tilesets": [], "enums": []}
        for kind in kinds:
            theirs[kind] += [self._translated(entry) for entry in missing[kind]]

    def _match(self, entry: Data, known: Data) -> None:
        self.numbers[entry["uid"]] = known["uid"]
        fields = {field["identifier"]: field["uid"] for field in known.get("fieldDefs", [])}
        for field in entry.get("fieldDefs", []):
            if field["identifier"] in fields:
                self.numbers[field["uid"]] = fields[field["identifier"]]
            elif field["identifier"] == NUMBER:
                known["fieldDefs"].append(self._translated(field))

    def _known_layer(self, layer: Data) -> Data | None:
        """Return the layer of the project that stands for one of ours."""
        name, uid = layer["identifier"], None
        if is_ours(name, TILES_LAYER):
            uid = self.tiles.uid
        elif name == PLACES and self.places is not None:
            uid = self.places.uid
        return next(
            (
                known
                for known in self.project["defs"]["layers"]
                if (known["uid"] == uid)
                or (uid is None and (known["identifier"], known["type"]) == (name, layer["type"]))
            ),
            None,
        )

    def _join_layer(self, layer: Data) -> None:
        """Let a layer of ours have our values and rules; add it, in every level, if it is
        missing.
        """
        known = self._known_layer(layer)
        if known is None and (self.own or layer["identifier"] == PLACES):
            known = self._inserted(layer)
        if known is None:
            return
        used = {value for entry in self.fresh["layerInstances"] for value in entry["intGridCsv"]}
        names = {self.floor, *(str(each["identifier"]).lower() for each in known["intGridValues"])}
        for value in layer["intGridValues"]:
            if value["identifier"] not in names and value["value"] in used:
                numbers = [entry["value"] for entry in known["intGridValues"]]
                known["intGridValues"].append({**value, "value": max(numbers, default=0) + 1})
        if self.own and layer["autoRuleGroups"]:
            self._join_rules(layer, known)

    def _inserted(self, layer: Data) -> Data:
        """Add a layer: places above everything, and the floor right below the tiles."""
        known: Data = {**self._translated(layer), "autoRuleGroups": []}
        top = layer["identifier"] == PLACES
        instance: Data = {
            **self._translated(_of_layer(self.fresh, layer["uid"])),
            "autoLayerTiles": [],
            "entityInstances": [],
        }

        def insert(layers: list[Data], key: str, added: Data) -> None:
            below = [n for n, entry in enumerate(layers, 1) if entry[key] == self.tiles.uid]
            layers.insert(0 if top else below[0], added)

        insert(self.project["defs"]["layers"], "uid", known)
        for level in levels_in(self.project):
            if level["layerInstances"] is not None:
                sizes = {
                    "__cWid": math.ceil(level["pxWid"] / self.side),
                    "__cHei": math.ceil(level["pxHei"] / self.side),
                    "levelId": level["uid"],
                }
                insert(level["layerInstances"], "layerDefUid", {**instance, **sizes})
        return known

    def _join_rules(self, layer: Data, known: Data) -> None:
        """Match the numbers of our rules, if the layer has them, or replace the rules of another
        look, in every level. Rules of ours that a person changed stay.
        """
        rules, there = (
            [rule for group in groups if is_our_group(group) for rule in group["rules"]]
            for groups in (layer["autoRuleGroups"], known["autoRuleGroups"])
        )
        tileset = self._number(layer["tilesetDefUid"])
        if there and known["tilesetDefUid"] == tileset:
            if [rule["tileRectsIds"] for rule in rules] == [rule["tileRectsIds"] for rule in there]:
                self.numbers |= {
                    rule["uid"]: same["uid"] for rule, same in zip(rules, there, strict=True)
                }
                self.drawn.add(known["uid"])
            return
        theirs = [group for group in known["autoRuleGroups"] if not is_our_group(group)]
        known["tilesetDefUid"] = tileset
        known["autoRuleGroups"] = self._translated(layer["autoRuleGroups"]) + theirs
        self.drawn.add(known["uid"])
        self.changed.add(known["uid"])
        fresh = _of_layer(self.fresh, layer["uid"])
        for instance in self._instances(known["uid"]):
            instance |= {
                "__tilesetDefUid": tileset,
                "__tilesetRelPath": fresh["__tilesetRelPath"],
                "overrideTilesetUid": None,
                # The numbers of the rules have grown by this much, and LDtk adds them to the seed.
                "seed": fresh["seed"] - self.shift,
            }

    def _instances(self, uid: int) -> Iterator[Data]:
        for level in levels_in(self.project):
            for instance in level["layerInstances"] or []:
                if instance["layerDefUid"] == uid:
                    yield instance

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
        level, or our rules of another look in other levels.
        """
        fresh = {self._number(each["layerDefUid"]): each for each in self.fresh["layerInstances"]}
        removed = []
        for definition in self.project["defs"]["layers"]:
            uid, groups = definition["uid"], definition["autoRuleGroups"]
            from_tiles = self.tiles.uid in {uid, definition.get("autoSourceLayerDefUid")}
            for level in levels_in(self.project):
                here = level is self.level and from_tiles
                for layer in level["layerInstances"] or []:
                    if layer["layerDefUid"] != uid or not (here or uid in self.changed):
                        continue
                    before, ours = layer["autoLayerTiles"], here and uid in self.drawn
                    layer["autoLayerTiles"] = (
                        self._translated(fresh[uid]["autoLayerTiles"]) if ours else []
                    )
                    if before and not (ours and all(map(is_our_group, groups))):
                        removed.append(f"{shown(layer['__identifier'])} of {level['identifier']}")
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
        fresh = next(each for each in self.fresh["layerInstances"] if each["__type"] == "Entities")
        wanted = {
            name: (cell, data)
            for (name, cell), data in zip(
                self.wanted.items(), fresh["entityInstances"], strict=True
            )
        }
        layer = _of_layer(self.level, self._number(fresh["layerDefUid"]))
        entities = []
        for entity, data in zip(
            [] if self.places is None else self.places.entities,
            layer["entityInstances"],
            strict=True,
        ):
            assert self.places is not None  # noqa: S101 it has this entity
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
        if not self.own:
            look = {"__tile": definition.get("tileRect"), "__smartColor": definition.get("color")}
            data |= look
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
