"""The project file beside maps with things or areas: the classes that a person can choose from a
list in Tiled, with the fields of each, and the values of directions and roles.
"""

from typing import Any

from levolve.formats.edited_things import references_of
from levolve.formats.themes.things import BUILT_IN, LINKS, colour_of
from levolve.formats.tiled.written_objects import AREA_COLOUR, ROLE, hex_colour, typed_property
from levolve.levels.areas import CORRIDOR, DOORWAY, ROLES, ROOM
from levolve.levels.things.kinds import KINDS, Kind
from levolve.levels.tileset import Colour

PROJECT = "levolve.tiled-project"
DIRECTION = "direction"


def project_of() -> dict[str, Any]:
    """Return a project with a class per built-in kind of things and per kind of areas."""
    types: list[dict[str, Any]] = [
        _enum(1, DIRECTION, ["u", "d", "l", "r"]),
        _enum(2, ROLE, ["", *ROLES]),
    ]
    for kind in (KINDS[name] for name in sorted(BUILT_IN)):
        members = [_member(name, value, kind) for name, value in sorted(kind.fields.items())]
        colour = colour_of(kind.fields.get("color", LINKS[0]))
        types.append(_class(len(types) + 1, kind.name, colour, members))
    for name in (ROOM, CORRIDOR, DOORWAY):
        member = {"name": ROLE, "propertyType": ROLE, "type": "string", "value": ""}
        types.append(_class(len(types) + 1, name, AREA_COLOUR, [member]))
    return {
        "automappingRulesFile": "",
        "commands": [],
        "compatibilityVersion": 1100,
        "extensionsPath": "extensions",
        "folders": ["."],
        "properties": [],
        "propertyTypes": types,
    }


def _enum(number: int, name: str, values: list[str]) -> dict[str, Any]:
    found = {"id": number, "name": name, "storageType": "string", "type": "enum"}
    return {**found, "values": values, "valuesAsFlags": False}


def _member(name: str, value: str, kind: Kind) -> dict[str, Any]:
    if name in references_of(kind):
        return {"name": name, "type": "object", "value": 0}
    enum = {"propertyType": DIRECTION} if name == kind.direction else {}
    return {**typed_property(name, value), **enum}


def _class(number: int, name: str, colour: Colour, members: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "color": hex_colour(colour),
        "drawFill": True,
        "id": number,
        "members": members,
        "name": name,
        "type": "class",
        "useAs": ["object", "tile"],
    }
