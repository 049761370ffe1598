"""The definitions of the entities of things and areas in an LDtk project."""

from typing import Any

from levolve.formats.edited_things import property_of
from levolve.formats.ldtk.definition_parts import entity_base, field_definition
from levolve.formats.ldtk.thing_entities import (
    DESTINATION,
    ID,
    ROLE,
    ROLES_ENUM,
    SHAPE,
    TARGETS,
    TILE,
    Furniture,
)


def thing_definition(kind: str, furniture: Furniture, side: int) -> dict[str, Any]:
    """Return the definition of the entity of a kind of things."""
    name, meaning = furniture.names[kind], furniture.kinds[kind]
    number = furniture.numbering
    fields = []
    for each, type_name in furniture.types[kind].items():
        called = property_of(each, meaning)
        value = furniture.default(kind, each)
        default = {"id": f"V_{type_name}", "params": [value]} if value is not None else None
        definition = field_definition(
            number("field", name, called), called, type_name, shown="NameAndValue"
        )
        fields.append(
            {**definition, "canBeNull": type_name != "Bool", "min": None, "max": None}
            | {"defaultOverride": default}
        )
    references = [DESTINATION] if meaning is not None and meaning.leads else []
    references += [TARGETS] if meaning is not None and meaning.switch else []
    for called in references:
        uid = number("field", name, called)
        definition = field_definition(uid, called, "EntityRef", shown="RefLinkBetweenCenters")
        definition |= {"allowedRefs": "Any", "allowOutOfLevelRef": False}
        if called == TARGETS:
            definition |= {"__type": "Array<EntityRef>", "isArray": True, "canBeNull": False}
        fields.append(definition)
    fields.append(field_definition(number("field", name, ID), ID, "String"))
    look: dict[str, Any] = {
        "doc": None if meaning is None else meaning.meaning or None,
        "color": "#E8B43C",
    }
    if furniture.signs is not None:
        rectangle = furniture.rectangle(furniture.sign_of(kind))
        tile = field_definition(number("field", name, TILE), TILE, "Tile", shown="EntityTile")
        fields.append({**tile, "tilesetUid": rectangle["tilesetUid"]})
        look |= {"fillOpacity": 0, "lineOpacity": 0, "renderMode": "Tile", "showName": False}
        look |= {"tilesetId": rectangle["tilesetUid"], "tileRect": rectangle}
    base = entity_base(number("entity", name), name, side)
    return {**base, **look, "fieldDefs": fields}


def area_definition(name: str, furniture: Furniture, side: int) -> dict[str, Any]:
    """Return the definition of the entity of a kind of areas: a rectangle of any size."""
    number = furniture.numbering
    enum = f"LocalEnum.{ROLES_ENUM}"
    role = field_definition(number("field", name, ROLE), ROLE, enum, shown="ValueOnly")
    role |= {"type": f"F_Enum({number('roles')})"}
    shape = field_definition(number("field", name, SHAPE), SHAPE, "Int")
    shape |= {"canBeNull": True, "min": None, "doc": "Rectangles with one number are one area."}
    return {
        **entity_base(number("entity", name), name, side),
        "resizableX": True,
        "resizableY": True,
        "fillOpacity": 0.1,
        "hollow": True,
        "color": "#6080A0",
        "renderMode": "Rectangle",
        "showName": False,
        "fieldDefs": [role, shape],
    }
