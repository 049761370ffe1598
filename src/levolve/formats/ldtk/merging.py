"""Putting a new level into an existing LDtk project: everything in the project that is not part of
the level stays as it is.

The definitions of the project take precedence: a layer, entity, tileset or field that it already
has, by name, keeps its number and its settings. What is missing is added with new numbers. Layers
that are drawn by rules from the changed values are drawn again, by the rules of the project.

What a person added to an LDtk project, and the cells that it marks to be kept.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.formats.ldtk.definitions import CHECKPOINT, ENTITIES, NUMBER, PLACES, TILE, TILESET
from levolve.formats.ldtk.evaluation import redraw
from levolve.formats.ldtk.model import (
    SHORT,
    LevelInstance,
    Project,
    checked_project,
    levels_in,
    project_bytes,
    read_project,
)
from levolve.formats.ldtk.reading import (
    KEEP,
    ProjectLevels,
    cell_of,
    decode_level,
    place_name,
    places_layer,
    tiles_layer,
    value_names,
)
from levolve.formats.ldtk.tilesets import FLOOR_LAYER, TILES_LAYER
from levolve.formats.metadata import METADATA

OURS = "Levolve_"
GROUPS = "levolve "
ONLY_LEVEL = "Level_0"
# What a project of ours has of these settings, and of these settings of a level.
_SETTINGS: dict[str, Any] = {
    "customCommands": [],
    "flags": [],
    "toc": [],
    "tutorialDesc": None,
    "worldLayout": "Free",
    "pngFilePattern": None,
}
_LEVEL_SETTINGS: dict[str, Any] = {
    "bgColor": None,
    "bgRelPath": None,
    "worldX": 0,
    "worldY": 0,
    "worldDepth": 0,
}


def is_ours(name: str, layer: str) -> bool:
    """Whether a name is that of one of our layers, perhaps with the name of a tileset."""
    return name == layer or name.startswith(f"{layer}_")


def chosen_level(project: Project, part: str | None) -> LevelInstance:
    """Return the level with an identifier, or the only one."""
    levels = project.all_levels
    found = [level for level in levels if part in {None, level.identifier}]
    if len(found) != 1:
        message = (
            f"LDtk: expected one level{'' if part is None else f' called {part[:SHORT]}'}, got "
            f"{len(found)}"
        )
        raise InputError(message)
    return found[0]


@contextmanager
def complete() -> Iterator[None]:
    """Report parts that LDtk always writes and that a project lacks, or that have another type."""
    try:
        yield
    except (
        LookupError,
        TypeError,
        AttributeError,
        ArithmeticError,
        StopIteration,
        ValueError,
    ) as problem:
        if isinstance(problem, InputError):
            raise
        message = (
            "LDtk: expected a project as LDtk writes it, got one with missing or wrong parts "
            f"({type(problem).__name__}: {problem}); save it in LDtk"
        )
        raise InputError(message) from problem


def foreign(content: bytes, part: str | None = None) -> list[str]:
    """Return the parts of a project that are not ours, as a kind and a name each. `part` is the
    level that is ours, if there are several.
    """
    data = read_project(content)
    project = checked_project(data)
    ours = ProjectLevels(content).only() if part is None and len(project.all_levels) == 1 else part
    found = [
        f"level {level.identifier!r}" for level in project.all_levels if level.identifier != ours
    ]
    if ours is not None:
        level = next((level for level in levels_in(data) if level.get("identifier") == ours), {})
        found += (
            [f"level name {ours!r}"] if ours != ONLY_LEVEL and len(project.all_levels) == 1 else []
        )
        found += [
            f"level setting {name!r}"
            for name, value in _LEVEL_SETTINGS.items()
            if level.get(name, value) != value
        ]
    found += [
        f"setting {name!r}" for name, value in _SETTINGS.items() if data.get(name, value) != value
    ]
    with complete():
        return [*found, *_definitions(data["defs"])]


def _definitions(definitions: Mapping[str, Any]) -> Iterator[str]:
    for layer in definitions.get("layers", []):
        name = str(layer.get("identifier"))
        if not any(is_ours(name, ours) for ours in (TILES_LAYER, FLOOR_LAYER)) and name != PLACES:
            yield f"layer {name!r}"
            continue
        yield from (
            f"rules {group.get('name')!r}"
            for group in layer.get("autoRuleGroups", [])
            if not str(group.get("name")).startswith(GROUPS)
        )
    for entity in definitions.get("entities", []):
        name = str(entity.get("identifier"))
        if name not in {*ENTITIES, CHECKPOINT}:
            yield f"entity {name!r}"
            continue
        yield from (
            f"field {field['identifier']!r} of entity {name!r}"
            for field in entity.get("fieldDefs", [])
            if field.get("identifier") not in {NUMBER, TILE}
        )
    for kind, noun in (("tilesets", "tileset"), ("enums", "enum"), ("externalEnums", "enum")):
        names = [str(entry.get("identifier")) for entry in definitions.get(kind, [])]
        yield from (f"{noun} {name!r}" for name in names if not name.startswith(OURS))
    fields = [str(field.get("identifier")) for field in definitions.get("levelFields", [])]
    yield from (f"level field {name!r}" for name in fields if name not in {*METADATA, TILESET})


def kept(content: bytes, part: str | None = None) -> NDArray[np.bool_] | None:
    """Return the cells that an IntGrid layer called keep, or a value called keep, marks; None if
    there is none.

    The layer must have the grid of the tiles, so that each of its cells is a cell of the level.
    """
    project = checked_project(read_project(content))
    level = chosen_level(project, part)
    tiles = tiles_layer(project, level)
    marks: NDArray[np.bool_] | None = None
    for layer in level.layers or []:
        if layer.kind != "IntGrid" or layer is tiles:
            continue
        whole = layer.identifier.lower() == KEEP
        values = {value for value, name in value_names(project, layer).items() if name == KEEP}
        if not whole and not values:
            continue
        definition = project.layer(layer)
        offset = (layer.left + definition.left, layer.top + definition.top)
        same = (layer.width, layer.height, layer.grid) == (tiles.width, tiles.height, tiles.grid)
        if not same or any(offset) or len(layer.cells) != len(tiles.cells):
            message = (
                f"layer {layer.identifier[:SHORT]}: expected the cells of layer "
                f"{tiles.identifier[:SHORT]}, {tiles.width}x{tiles.height} of "
                f"{tiles.grid} pixels without an offset, got {layer.width}x{layer.height} of "
                f"{layer.grid}, offset {offset[0]},{offset[1]}"
            )
            raise InputError(message)
        cells = np.array(
            [value != 0 if whole else value in values for value in layer.cells]
        ).reshape(tiles.height, tiles.width)
        marks = cells if marks is None else marks | cells
    return marks


def grid(content: bytes, part: str | None = None) -> tuple[int, int]:
    """Return the width and the height of the tiles, in pixels."""
    project = checked_project(read_project(content))
    levels = project.all_levels
    side = (
        tiles_layer(
            project, levels[0] if part is None and levels else chosen_level(project, part)
        ).grid
        or 0
    )
    return side, side


Data = dict[str, Any]
# The keys of numbers that refer to definitions.
_REFERENCES = frozenset(
    {"uid", "defUid", "layerDefUid", "levelId", "autoSourceLayerDefUid", "tagsSourceEnumUid"}
)
_REFERENCES |= {"tilesetUid", "tilesetId", "tilesetDefUid", "__tilesetDefUid", "iconTilesetUid"}


def merge(original: bytes, written: bytes, part: str | None = None) -> bytes:
    """Return the original project with the level of the written one in place of its own, or of the
    one called `part`.
    """
    project, new = read_project(original), read_project(written)
    found = chosen_level(checked_project(project), part)
    with complete():
        _Merger(project, new, found).merge()
        content = project_bytes(project)
    again = checked_project(read_project(content))
    theirs = checked_project(new)
    if decode_level(again, chosen_level(again, found.identifier)) != decode_level(
        theirs, theirs.levels[0]
    ):
        message = "LDtk: the level does not fit into the project"
        raise InputError(message)
    return content


class _Merger:
    """Changes `project` so that its level `found` becomes the only level of `new`."""

    def __init__(self, project: Data, new: Data, found: LevelInstance) -> None:
        self.project, self.new = project, new
        model = checked_project(project)
        self.model, self.found = model, found
        self.level = next(
            level for level in levels_in(project) if level["identifier"] == found.identifier
        )
        self.fresh: Data = new["levels"][0]
        self.tiles, self.places = tiles_layer(model, found), places_layer(found)
        self.side = self.tiles.grid or 1
        tileset = decode_level(model, found).tileset
        # An empty cell is floor.
        self.floor = None if tileset.floor is None else tileset.names[tileset.floor]
        # The number of a definition of `new` in the project.
        self.numbers: dict[int, int] = {}
        self.shift = max([int(project.get("nextUid", 0)), *_uids(project)]) + 1
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
        self.numbers[self.fresh["uid"]] = self.level["uid"]
        self._match()
        self._add_definitions()
        self._write_fields()
        self._write_tiles(fresh)
        self._write_places()
        self.project["nextUid"] = max([self.shift, *_uids(self.project)]) + 1
        redraw(self.project, self.level, self.changed, self.numbers[fresh["layerDefUid"]])

    # Definitions

    def _match(self) -> None:
        """Find the definitions that the project already has."""
        ours, theirs = self.new["defs"], self.project["defs"]
        for kind in ("entities", "tilesets", "enums", "levelFields"):
            known = {entry["identifier"]: entry for entry in theirs.setdefault(kind, [])}
            for entry in ours[kind]:
                if entry["identifier"] in known:
                    self._same(entry, known[entry["identifier"]])
        for layer in ours["layers"]:
            name = layer["identifier"]
            uid = next(
                (
                    known["uid"]
                    for known in theirs["layers"]
                    if known["identifier"] == name and known["type"] == layer["type"]
                ),
                None,
            )
            if is_ours(name, TILES_LAYER):
                uid = self.tiles.uid
            elif name == PLACES and self.places is not None:
                uid = self.places.uid
            if uid is not None:
                self.numbers[layer["uid"]] = uid

    def _same(self, entry: Data, known: Data) -> None:
        self.numbers[entry["uid"]] = known["uid"]
        fields = {field["identifier"]: field["uid"] for field in known.get("fieldDefs", [])}
        for field in entry.get("fieldDefs", []):
            if field["identifier"] in fields:
                self.numbers[field["uid"]] = fields[field["identifier"]]
            elif field["identifier"] == NUMBER:
                known["fieldDefs"].append(self._translated(field))

    @property
    def _own(self) -> bool:
        """Whether the tiles are on a layer of ours, which is drawn in our look."""
        return is_ours(self.tiles.identifier, TILES_LAYER)

    def _add_definitions(self) -> None:
        ours, theirs = self.new["defs"], self.project["defs"]
        used = {
            entity["defUid"]
            for layer in self.fresh["layerInstances"]
            for entity in layer["entityInstances"]
        }
        missing = [
            entry
            for entry in ours["entities"]
            if entry["uid"] not in self.numbers and (self._own or entry["uid"] in used)
        ]
        theirs["entities"] += [self._translated(entry) for entry in missing]
        for kind in ("tilesets", "enums"):
            if self._own or missing:
                theirs[kind] += [
                    self._translated(entry)
                    for entry in ours[kind]
                    if entry["uid"] not in self.numbers
                ]
        theirs["levelFields"] += [
            self._translated(entry)
            for entry in ours["levelFields"]
            if entry["uid"] not in self.numbers
        ]
        for layer in ours["layers"]:
            self._add_layer(layer)

    def _add_layer(self, layer: Data) -> None:
        """Add a layer that is missing, in every level; let a layer of ours have our look, unless a
        person has changed its rules.
        """
        name, theirs = layer["identifier"], self.project["defs"]["layers"]
        if layer["uid"] in self.numbers:
            known = next(entry for entry in theirs if entry["uid"] == self.numbers[layer["uid"]])
            self._add_values(layer, known)
            ours = all(
                str(group.get("name")).startswith(GROUPS) for group in known["autoRuleGroups"]
            )
            tileset = layer["tilesetDefUid"]
            same = known["autoRuleGroups"] and known["tilesetDefUid"] == self.numbers.get(
                tileset, self._number(tileset)
            )
            if self._own and name != PLACES and tileset is not None and ours and not same:
                known |= {
                    "tilesetDefUid": self._number(tileset),
                    "autoRuleGroups": self._translated(layer["autoRuleGroups"]),
                }
                self._adopt(layer, known["uid"])
            return
        if name != PLACES and not self._own:
            return
        # Places lie above everything, the floor right below the tiles.
        below = next(
            (index + 1 for index, entry in enumerate(theirs) if entry["uid"] == self.tiles.uid), 0
        )
        theirs.insert(0 if name == PLACES else below, self._translated(layer))
        for level in levels_in(self.project):
            place = next(
                (
                    index + 1
                    for index, entry in enumerate(level["layerInstances"] or [])
                    if entry["layerDefUid"] == self.tiles.uid
                ),
                0,
            )
            instance = self._translated(
                next(
                    entry
                    for entry in self.fresh["layerInstances"]
                    if entry["layerDefUid"] == layer["uid"]
                )
            )
            sizes = {
                "__cWid": math.ceil(level["pxWid"] / self.side),
                "__cHei": math.ceil(level["pxHei"] / self.side),
                "levelId": level["uid"],
            }
            if level["layerInstances"] is not None:
                level["layerInstances"].insert(
                    0 if name == PLACES else place,
                    {**instance, **sizes, "autoLayerTiles": [], "entityInstances": []},
                )
        if layer["autoRuleGroups"]:
            self._adopt(layer, self._number(layer["uid"]))

    def _add_values(self, layer: Data, known: Data) -> None:
        """Add the kinds of tiles that an IntGrid layer lacks."""
        names = {str(value["identifier"]).lower() for value in known["intGridValues"]}
        used = {value for entry in self.fresh["layerInstances"] for value in entry["intGridCsv"]}
        for value in layer["intGridValues"]:
            if value["identifier"] not in names | {self.floor} and value["value"] in used:
                known["intGridValues"].append(
                    {
                        **value,
                        "value": max(
                            [entry["value"] for entry in known["intGridValues"]], default=0
                        )
                        + 1,
                    }
                )

    def _adopt(self, layer: Data, uid: int) -> None:
        """Let the instances of a layer in all levels have our tileset, and draw the variants of our
        look.
        """
        fresh = next(
            entry for entry in self.fresh["layerInstances"] if entry["layerDefUid"] == layer["uid"]
        )
        tileset = {
            "__tilesetDefUid": self._number(layer["tilesetDefUid"]),
            "__tilesetRelPath": fresh["__tilesetRelPath"],
            "overrideTilesetUid": None,
        }
        for level in levels_in(self.project):
            for instance in level["layerInstances"] or []:
                if instance["layerDefUid"] == uid:
                    # The numbers of the rules have grown by this much, and LDtk adds them to the
                    # seed.
                    instance |= {**tileset, "seed": fresh["seed"] - self.shift}
        self.changed.add(uid)

    def _number(self, uid: int) -> int:
        return self.numbers.get(uid, uid + self.shift)

    def _translated(self, part: Any, key: str = "") -> Any:
        """Return a part of the new project with the numbers of the definitions in this one."""
        if isinstance(part, dict):
            return {name: self._translated(value, name) for name, value in part.items()}
        if isinstance(part, list):
            return [self._translated(value) for value in part]
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

    def _instance(self, uid: int | None) -> Data:
        found: Data = next(
            layer for layer in self.level["layerInstances"] if layer["layerDefUid"] == uid
        )
        return found

    def _write_tiles(self, fresh: Data) -> None:
        """Set the values of the cells. A cell whose kind is the same keeps its value."""
        ours, theirs = (
            {value["value"]: str(value["identifier"]).lower() for value in values}
            for values in self._values(fresh)
        )
        numbers = {name: value for value, name in reversed(theirs.items())}
        instance = self._instance(self.tiles.uid)
        old, kinds = instance["intGridCsv"], [ours[value] for value in fresh["intGridCsv"]]
        instance["intGridCsv"] = [
            value if kind == theirs.get(value, self.floor) else numbers.get(kind, 0)
            for value, kind in zip(old, kinds, strict=True)
        ]

    def _values(self, fresh: Data) -> Iterable[list[Mapping[str, Any]]]:
        for definitions, uid in (
            (self.new["defs"], fresh["layerDefUid"]),
            (self.project["defs"], self.tiles.uid),
        ):
            yield next(
                layer["intGridValues"] for layer in definitions["layers"] if layer["uid"] == uid
            )

    def _write_places(self) -> None:
        """Move the places that are elsewhere now, remove those that are gone, and add new ones.
        Other entities stay.
        """
        (fresh,) = [
            layer for layer in self.fresh["layerInstances"] if layer["__type"] == "Entities"
        ]
        model = checked_project(self.new)
        given = next(layer for layer in model.levels[0].layers or [] if layer.kind == "Entities")
        cells = [tuple(entity["__grid"]) for entity in fresh["entityInstances"]]
        wanted = {
            place_name(entity, cell): (cell, data)
            for entity, cell, data in zip(
                given.entities, cells, fresh["entityInstances"], strict=True
            )
        }
        instance = self._instance(self._number(fresh["layerDefUid"]))
        entities = []
        old = self.places.entities if self.places is not None else []
        for entity, data in zip(old, instance["entityInstances"], strict=True):
            cell = cell_of(self.model, entity, self.places or given, self.tiles)
            name = place_name(entity, cell)
            if name is None:
                entities.append(data)
            elif name in wanted:
                target, _ = wanted.pop(name)
                entities.append(
                    data
                    if target == cell
                    else self._moved(
                        data,
                        (target[0] - cell[0]) * self.side,
                        (target[1] - cell[1]) * self.side,
                        instance,
                    )
                )
        entities += [
            self._placed(self._translated(data), cell, instance) for cell, data in wanted.values()
        ]
        instance["entityInstances"] = entities

    def _moved(self, data: Data, right: int, down: int, layer: Data) -> Data:
        x, y = data["px"][0] + right, data["px"][1] + down
        world = {
            key: self.level[key[2].lower() + key[3:]] + value
            for key, value in (("__worldX", x), ("__worldY", y))
            if data.get(key) is not None
        }
        return {
            **data,
            "px": [x, y],
            "__grid": [math.floor(x / layer["__gridSize"]), math.floor(y / layer["__gridSize"])],
            **world,
        }

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
        mine = (
            {"__tile": definition.get("tileRect"), "__smartColor": definition.get("color")}
            if not self._own
            else {}
        )
        fields = {field["uid"] for field in definition.get("fieldDefs", [])}
        data = {**data, **mine, "__pivot": pivot, "width": size[0], "height": size[1], "px": px}
        return self._moved(
            {
                **data,
                "fieldInstances": [
                    field for field in data["fieldInstances"] if field["defUid"] in fields
                ],
            },
            0,
            0,
            layer,
        )


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
