"""Things and areas of levels as LDtk writes them: the definitions of their entities, and entities.

Every kind is an entity: the kind `small_key` is `Small_key`. Fields have the names of the kind's
fields; what leads to another thing has a reference `destination`, and a switch a list `targets` of
references to what it opens, as in the samples of LDtk.
"""

import re
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from levolve.formats.edited_things import declared, kind_named, property_of
from levolve.formats.ldtk.rules import Numbering
from levolve.formats.look import Look
from levolve.formats.themes.atlas import COLUMNS
from levolve.formats.themes.thing_atlas import ThingAtlas, joined
from levolve.formats.themes.things import BUILT_IN, looks_of
from levolve.levels.areas import CORRIDOR, DOORWAY, ROLES, ROOM
from levolve.levels.level import Level
from levolve.levels.things.kinds import KINDS, Kind
from levolve.levels.things.thing import Thing

Data = dict[str, Any]
THINGS, AREAS = "Things", "Areas"
ID, TILE, TARGETS, DESTINATION, ROLE, SHAPE = (
    "thing_id",
    "tile",
    "targets",
    "destination",
    "role",
    "shape",
)
ROLES_ENUM = "Levolve_roles"
_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,8}")
_UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def text_iid(text: str) -> str:
    """Return an identifier of an instance that follows from a text."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"levolve:{text}"))


def entity_name(name: str, prefix: str, taken: Iterable[str]) -> str:
    """Return the identifier of the entity of a kind; with a prefix if another entity has it."""
    plain = name[0].upper() + name[1:]
    return prefix + name if plain in taken or plain.startswith(prefix) else plain


def plain_value(text: str, kind: str) -> str | int | bool:
    """Return the value of a field of a type."""
    return int(text) if kind == "Int" else text == "true" if kind == "Bool" else text


def type_of(values: Iterable[str]) -> str:
    """Return the type of a field that has these values."""
    listed = list(values)
    if listed and all(value in {"true", "false"} for value in listed):
        return "Bool"
    return "Int" if listed and all(map(_WHOLE.fullmatch, listed)) else "String"


def signs_of(levels: Iterable[Level], look: Look) -> ThingAtlas | None:
    """Return the signs of the things of levels in one picture; None if no level has things."""
    atlases = [look.thing_atlas(level) for level in levels if level.things]
    return joined(atlases) if atlases else None


@dataclass
class Furniture:
    """What the things and areas of several levels need in a project: names, types and numbers.

    `taken` are the identifiers of the entities of places.
    """

    levels: Sequence[Level]
    numbering: Numbering
    signs: ThingAtlas | None
    taken: frozenset[str]
    iids: set[str] = field(default_factory=set)

    @cached_property
    def has_things(self) -> bool:
        """Whether any level has things."""
        return any(level.things for level in self.levels)

    @cached_property
    def has_areas(self) -> bool:
        """Whether any level has areas."""
        return any(level.areas for level in self.levels)

    @cached_property
    def areas(self) -> dict[str, str]:
        """The identifiers of the kinds of areas, by name."""
        if not self.has_areas:
            return {}
        used = [area.kind for level in self.levels for area in level.areas]
        names = dict.fromkeys([ROOM, CORRIDOR, DOORWAY, *used])
        return {name: entity_name(name, "Area_", self.taken) for name in names}

    @cached_property
    def roles(self) -> list[str]:
        """The roles of areas."""
        return list(dict.fromkeys([*ROLES, *self._used_roles()]))

    def _used_roles(self) -> Iterable[str]:
        return (area.role for level in self.levels for area in level.areas if area.role)

    @cached_property
    def kinds(self) -> dict[str, Kind | None]:
        """The kinds of things by name, None for unknown ones."""
        if not self.has_things:
            return {}
        found: dict[str, Kind | None] = {name: KINDS[name] for name in sorted(BUILT_IN)}
        for level in self.levels:
            for thing in level.things:
                found.setdefault(thing.kind, kind_named(thing.kind, level.kinds))
        return found

    @cached_property
    def names(self) -> dict[str, str]:
        """The identifiers of the kinds of things, by name."""
        taken = self.taken | set(self.areas.values())
        return {name: entity_name(name, "Thing_", taken) for name in self.kinds}

    @cached_property
    def types(self) -> dict[str, dict[str, str]]:
        """The type of each field that is no reference, by kind and name."""
        values: dict[str, dict[str, list[str]]] = {}
        for name, kind in self.kinds.items():
            values[name] = {each: [] for each in sorted(declared(kind))} if kind else {}
            for each, default in kind.fields.items() if kind else ():
                values[name][each].append(default)
            for each in ("on", "open"):
                if each in values[name] and not values[name][each]:
                    values[name][each].append("false")
        for level in self.levels:
            for thing in level.things:
                for each, value in thing.fields.items():
                    values[thing.kind].setdefault(each, []).append(value)
        return {
            name: {
                each: type_of(listed)
                for each, listed in fields.items()
                if each not in self.references(name)
            }
            for name, fields in values.items()
        }

    def references(self, name: str) -> tuple[str, ...]:
        """Return the fields of a kind that name another thing."""
        kind = self.kinds[name]
        return () if kind is None else tuple(filter(None, (kind.gate, kind.leads)))

    def default(self, name: str, each: str) -> str | int | bool | None:
        """Return the default of a field, with its type."""
        kind, type_name = self.kinds[name], self.types[name][each]
        text = kind.fields.get(each) if kind else None
        if text is None:
            return False if type_name == "Bool" else None
        return plain_value(text, type_name)

    def rectangle(self, number: int) -> Data:
        """Return the position of a sign in the picture of signs."""
        assert self.signs is not None  # noqa: S101 only drawn projects have signs
        side = self.signs.tile
        x, y = number % COLUMNS * side, number // COLUMNS * side
        uid = self.numbering("tileset", self.signs.name)
        return {"tilesetUid": uid, "x": x, "y": y, "w": side, "h": side}

    def tileset(self) -> Data:
        """Return the definition of the tileset of signs; every tile has its kind as custom data."""
        assert self.signs is not None  # noqa: S101 only drawn projects have signs
        signs = self.signs
        name = re.sub("[^A-Za-z0-9]+", "_", signs.name)
        return {
            "__cWid": COLUMNS,
            "__cHei": signs.rows,
            "identifier": name[0].upper() + name[1:],
            "uid": self.numbering("tileset", signs.name),
            "relPath": f"{signs.name}.png",
            "embedAtlas": None,
            "pxWid": COLUMNS * signs.tile,
            "pxHei": signs.rows * signs.tile,
            "tileGridSize": signs.tile,
            "spacing": 0,
            "padding": 0,
            "tags": [],
            "tagsSourceEnumUid": None,
            "enumTags": [],
            "customData": [
                {"tileId": number, "data": kind} for number, (kind, _) in enumerate(signs.signs)
            ],
            "savedSelections": [],
            "cachedPixelData": None,
        }

    def roles_definition(self) -> Data:
        """Return the enum of the roles of areas."""
        values = [
            {"id": name.capitalize(), "tileRect": None, "color": 0x6080A0} for name in self.roles
        ]
        return {
            "identifier": ROLES_ENUM,
            "uid": self.numbering("roles"),
            "values": values,
            "iconTilesetUid": None,
            "externalRelPath": None,
            "externalFileChecksum": None,
            "tags": [],
        }

    def sign_of(self, name: str) -> int:
        """Return the sign that the definition of a kind shows: the first of this kind."""
        assert self.signs is not None  # noqa: S101 only drawn projects have signs
        kinds = [kind for kind, _ in self.signs.signs]
        return kinds.index(name) if name in kinds else 0

    def iid(self, identifier: str, thing: Thing, number: int) -> str:
        """Return the identifier of the instance of a thing: its id if that is one, else one that
        follows from the level's name and its id, or its number among those of its kind.
        """
        key = f"id {thing.id}" if thing.id else f"{thing.kind} {number}"
        found = thing.id if _UUID.fullmatch(thing.id) else text_iid(f"{identifier}:thing {key}")
        if found in self.iids:
            found = text_iid(f"{identifier}:thing {key}")
        self.iids.add(found)
        return found


@dataclass(frozen=True)
class LevelSpot:
    """Where the entities of a level are: the level, its name, its corner in the world and the
    identifiers that references need.
    """

    level: Level
    identifier: str
    corner: tuple[int, int]
    side: int
    iids: Mapping[str, str]


def thing_entities(furniture: Furniture, room: LevelSpot) -> list[Data]:
    """Return the things of a level as entities."""
    level = room.level
    counts: dict[str, int] = {}
    iids = []
    for thing in level.things:
        counts[thing.kind] = counts.get(thing.kind, 0) + 1
        iids.append(furniture.iid(room.identifier, thing, counts[thing.kind]))
    known = {thing.id: iid for thing, iid in zip(level.things, iids, strict=True) if thing.id}
    targets: dict[str, list[str]] = {}
    for thing, iid in zip(level.things, iids, strict=True):
        kind = furniture.kinds[thing.kind]
        if kind is not None and kind.gate:
            targets.setdefault(thing.value(kind.gate, {thing.kind: kind}), []).append(iid)
    looks = looks_of(level.things, level.kinds)
    found = []
    for thing, iid, look in zip(level.things, iids, looks, strict=True):
        name, kind = furniture.names[thing.kind], furniture.kinds[thing.kind]
        uid = partial(furniture.numbering, "field", name)
        instances = []
        for each, type_name in furniture.types[thing.kind].items():
            called = property_of(each, kind)
            value = thing.fields.get(each)
            given = None if value is None else plain_value(value, type_name)
            shown = furniture.default(thing.kind, each) if given is None else given
            instances.append(instance(uid(called), called, type_name, shown, [given]))
        if kind is not None and kind.leads:
            to = known.get(thing.value(kind.leads, {thing.kind: kind}))
            link = None if to is None else _reference(room, to)
            instances.append(instance(uid(DESTINATION), DESTINATION, "EntityRef", link, [to]))
        if kind is not None and kind.switch:
            listed = targets.get(thing.id, []) if thing.id else []
            links = [_reference(room, to) for to in listed]
            instances.append(instance(uid(TARGETS), TARGETS, "Array<EntityRef>", links, listed))
        instances.append(instance(uid(ID), ID, "String", thing.id or None, [thing.id or None]))
        tile = None
        if furniture.signs is not None:
            tile = furniture.rectangle(furniture.signs.number(look))
            text = ",".join(str(tile[key]) for key in "xywh")
            instances.append(instance(uid(TILE), TILE, "Tile", tile, [text], tile))
        found.append(
            _entity(furniture, room, name, iid, (*thing.cell, 1, 1), tile, look.colour)
            | {"fieldInstances": instances}
        )
    return found


def area_entities(furniture: Furniture, room: LevelSpot) -> list[Data]:
    """Return the areas of a level as entities: a rectangle each, or several with one number."""
    found = []
    for number, area in enumerate(room.level.areas, 1):
        name, role = furniture.areas[area.kind], area.role.capitalize() or None
        uid = partial(furniture.numbering, "field", name)
        fields = [
            instance(uid(ROLE), ROLE, f"LocalEnum.{ROLES_ENUM}", role, [role]),
            instance(uid(SHAPE), SHAPE, "Int", number, [number]),
        ]
        for part, box in enumerate(area.rectangles, 1):
            iid = text_iid(f"{room.identifier}:area {number} {part}")
            found.append(
                _entity(furniture, room, name, iid, box, None, (96, 128, 160))
                | {"fieldInstances": fields}
            )
    return found


def _reference(room: LevelSpot, iid: str) -> Data:
    return {"entityIid": iid, **room.iids}


def instance(
    uid: int, name: str, kind: str, value: Any, given: Sequence[Any], tile: Data | None = None
) -> Data:
    """Return a field with its value, and with the values that were given in the editor: None for
    one that was not.
    """
    called = {"Int": "V_Int", "Bool": "V_Bool"}.get(kind, "V_String")
    return {
        "__identifier": name,
        "__type": kind,
        "__value": value,
        "__tile": tile,
        "defUid": uid,
        "realEditorValues": [
            {"id": called, "params": [each]} for each in given if each is not None
        ],
    }


def _entity(
    furniture: Furniture,
    room: LevelSpot,
    name: str,
    iid: str,
    box: tuple[int, int, int, int],
    tile: Data | None,
    colour: tuple[int, int, int],
) -> Data:
    x, y, width, height = (part * room.side for part in box)
    return {
        "__identifier": name,
        "__grid": [box[0], box[1]],
        "__pivot": [0, 0],
        "__tags": [],
        "__tile": tile,
        "__smartColor": "#{:02X}{:02X}{:02X}".format(*colour),
        "iid": iid,
        "width": width,
        "height": height,
        "defUid": furniture.numbering("entity", name),
        "px": [x, y],
        "fieldInstances": [],
        "__worldX": room.corner[0] + x,
        "__worldY": room.corner[1] + y,
    }
