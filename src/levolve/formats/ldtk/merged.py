"""What merging changes in an LDtk project: numbers of definitions, and where entities are."""

import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

from levolve.formats.ldtk.definitions import PLACES
from levolve.formats.ldtk.model import LevelInstance, Project, checked_project
from levolve.formats.ldtk.places import places_layer
from levolve.formats.ldtk.reading import decode_level, tiles_layer
from levolve.formats.ldtk.text import RawList, levels_in
from levolve.formats.metadata import KINDS, read_kinds

Data = dict[str, Any]
# The keys of numbers that refer to definitions.
_REFERENCES = frozenset(
    {"uid", "defUid", "layerDefUid", "levelId", "autoSourceLayerDefUid", "tagsSourceEnumUid"}
)
_REFERENCES |= {"tilesetUid", "tilesetId", "tilesetDefUid", "__tilesetDefUid", "iconTilesetUid"}
_RULE = re.compile(r'"d":\[(\d+),')


class Merged:
    """A project whose level `found` becomes the only level of `new`."""

    def __init__(self, project: Data, new: Data, model: Project, found: LevelInstance) -> None:
        """Find the level in both projects."""
        self.project, self.new, self.model, self.found = project, new, model, found
        self.level = next(
            level for level in levels_in(project) if level["identifier"] == found.identifier
        )
        self.fresh: Data = new["levels"][0]
        self.tiles, self.places = tiles_layer(model, found), places_layer(found)
        self.side = self.tiles.grid or 1
        self.entities = self.fresh_entities(PLACES)
        # The number of a definition of `new` in the project.
        self.numbers: dict[int, int] = {self.fresh["uid"]: self.level["uid"]}
        self.shift = max([int(project.get("nextUid", 0)), *uids_in(project)]) + 1
        self.written = checked_project(new)
        self.written_tiles = tiles_layer(self.written, self.written.levels[0])
        self.wanted = decode_level(self.written, self.written.levels[0])
        texts = [field.value for field in found.fields if field.identifier == KINDS and field.value]
        self.found_kinds = read_kinds(str(texts[0])) if texts else {}
        self.world = next(
            (
                str(world.get("iid"))
                for world in project.get("worlds") or []
                if any(level is self.level for level in world.get("levels") or [])
            ),
            str(project.get("dummyWorldIid", "")),
        )
        # The layers with our rules.
        self.drawn: set[int] = set()

    def fresh_entities(self, layer: str) -> list[Data]:
        """Return the entities of a layer of the new level."""
        return [
            entity
            for each in self.fresh["layerInstances"]
            if each["__identifier"] == layer
            for entity in each["entityInstances"]
        ]

    def number(self, uid: int) -> int:
        """Return the number of a definition of the new project in this one."""
        return self.numbers.get(uid, uid + self.shift)

    def translated(self, part: Any, key: str = "") -> Any:
        """Return a part of the new project with the numbers of the definitions in this one."""
        if isinstance(part, dict):
            return {name: self.translated(value, name) for name, value in part.items()}
        if isinstance(part, list):
            return [self.translated(value) for value in part]
        if isinstance(part, RawList):
            return RawList(_RULE.sub(lambda it: f'"d":[{self.number(int(it[1]))},', part))
        return self.number(part) if key in _REFERENCES and isinstance(part, int) else part

    def moved(self, data: Data, steps: Sequence[int], layer: Data) -> Data:
        """Return an entity moved by some pixels."""
        px = [position + step for position, step in zip(data["px"], steps, strict=True)]
        world = {
            key: self.level[key[2].lower() + key[3:]] + position
            for key, position in zip(("__worldX", "__worldY"), px, strict=True)
            if data.get(key) is not None
        }
        cell = [math.floor(position / layer["__gridSize"]) for position in px]
        return {**data, "px": px, "__grid": cell, **world}

    def placed(self, data: Data, cell: tuple[int, int], layer: Data) -> Data:
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
        return self.moved(data, (0, 0), layer)


def of_layer(level: Data, uid: int | None) -> Data:
    """Return the layer of a level that has a definition."""
    found: Data = next(layer for layer in level["layerInstances"] if layer["layerDefUid"] == uid)
    return found


def uids_in(part: Any) -> Iterable[int]:
    """Return all numbers of definitions and levels in a part of a project."""
    if isinstance(part, dict):
        if isinstance(part.get("uid"), int):
            yield part["uid"]
        for value in part.values():
            yield from uids_in(value)
    elif isinstance(part, list):
        for value in part:
            yield from uids_in(value)
