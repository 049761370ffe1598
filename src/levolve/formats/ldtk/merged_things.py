"""The things and areas of a new level in an LDtk project that a person edited."""

import copy
from collections.abc import Mapping
from typing import Any

from levolve.core.errors import InputError, shown
from levolve.formats.edited_things import Key, kind_named, matched
from levolve.formats.ldtk.definitions import CHECKPOINT, ENTITIES
from levolve.formats.ldtk.merged import Data, Merged, of_layer
from levolve.formats.ldtk.text import levels_in
from levolve.formats.ldtk.thing_entities import (
    AREAS,
    DESTINATION,
    ROLE,
    ROLES_ENUM,
    TARGETS,
    THINGS,
    TILE,
    text_iid,
)
from levolve.formats.ldtk.thing_reading import (
    areas_of,
    entity_layer,
    is_our_field,
    keys_of,
    kind_of_entity,
)
from levolve.levels.areas import CORRIDOR, DOORWAY, ROOM
from levolve.levels.things.kinds import Kind

# The kinds of areas that levolve finds. Others are a person's.
_OUR_AREAS = frozenset({ROOM, CORRIDOR, DOORWAY})


class MergedThings(Merged):
    """Changes the layers Things and Areas."""

    def match_things(self) -> None:
        """Add the definitions that the entities of the new level need: those of entities and their
        fields, of the tileset of signs, of roles and of layers.
        """
        ours, theirs = self.new["defs"], self.project["defs"]
        used = {
            entity["defUid"] for name in (THINGS, AREAS) for entity in self.fresh_entities(name)
        }
        if not used:
            return
        for entry in ours["tilesets"]:
            if entry["relPath"].startswith("levolve-things-") and entry["uid"] not in self.numbers:
                theirs["tilesets"].append(self.translated(entry))
        for entry in ours["enums"]:
            known = next(
                (each for each in theirs["enums"] if each["identifier"] == ROLES_ENUM), None
            )
            if entry["identifier"] != ROLES_ENUM:
                continue
            if known is None:
                theirs["enums"].append(self.translated(entry))
            else:
                there = {value["id"] for value in known["values"]}
                known["values"] += [value for value in entry["values"] if value["id"] not in there]
        for entry in (entry for entry in ours["entities"] if entry["uid"] in used):
            self._match_entity(entry)
        for name in (THINGS, AREAS):
            if self.fresh_entities(name):
                self._match_entity_layer(name)

    def _match_entity(self, entry: Data) -> None:
        """Add the definition of an entity, or those of its fields that are missing."""
        theirs = self.project["defs"]["entities"]
        known = next((each for each in theirs if each["identifier"] == entry["identifier"]), None)
        if known is None:
            theirs.append(self._typed(self.translated(entry)))
            return
        fields = {field["identifier"]: field for field in known["fieldDefs"]}
        for field in entry["fieldDefs"]:
            there = fields.get(field["identifier"])
            if there is None:
                known["fieldDefs"] += self._typed({"fieldDefs": [self.translated(field)]})[
                    "fieldDefs"
                ]
            elif there["__type"] != field["__type"]:
                raise InputError(
                    f"LDtk: expected the field {shown(field['identifier'])} of entity "
                    f"{shown(entry['identifier'])} to be {field['__type']}, got {there['__type']}; "
                    "delete it in LDtk"
                )
            elif field["identifier"] == TILE:
                there["tilesetUid"] = self.number(field["tilesetUid"])

    def _typed(self, entity: Data) -> Data:
        """Return a definition whose fields refer to the enum of roles in this project."""
        for enum in self.project["defs"]["enums"]:
            for field in entity["fieldDefs"]:
                if enum["identifier"] == ROLES_ENUM and field["identifier"] == ROLE:
                    field["type"] = f"F_Enum({enum['uid']})"
        return entity

    def _match_entity_layer(self, name: str) -> None:
        """Add a layer of entities to all levels, unless it is there."""
        layers = self.project["defs"]["layers"]
        fresh = next(each for each in self.new["defs"]["layers"] if each["identifier"] == name)
        known = next((each for each in layers if each["identifier"] == name), None)
        if known is not None:
            self.numbers[fresh["uid"]] = known["uid"]
            return
        definition = self.translated(fresh)
        at = (
            0
            if name == THINGS
            else layers.index(next(each for each in layers if each["uid"] == self.tiles.uid))
        )
        layers.insert(at, definition)
        like = next(each for each in self.fresh["layerInstances"] if each["__identifier"] == name)
        for level in levels_in(self.project):
            side = definition["gridSize"]
            part = {
                **copy.deepcopy(like),
                "layerDefUid": definition["uid"],
                "levelId": level["uid"],
                "iid": text_iid(f"{level['iid']}:{name}"),
                "__cWid": -(-level["pxWid"] // side),
                "__cHei": -(-level["pxHei"] // side),
                "entityInstances": [],
            }
            level["layerInstances"].insert(at, part)

    def write_things(self) -> None:
        """Move and change the things that the new level has too; remove those of known kinds that
        are gone, and add new ones. Areas are replaced; equal ones, and those of other kinds than
        levolve's, stay.
        """
        self._write_areas()
        holder = _named(self.level, THINGS)
        if holder is None:
            return
        places = {*ENTITIES, CHECKPOINT}
        listed = [data for data in holder["entityInstances"] if data["__identifier"] not in places]
        kept = [data for data in holder["entityInstances"] if data["__identifier"] in places]
        model = entity_layer(self.found, THINGS)
        old = [] if model is None else keys_of(self.model, model, self.tiles)
        new_model = self.written
        new_layer = entity_layer(new_model.levels[0], THINGS)
        new = keys_of(new_model, new_layer, self.written_tiles) if new_layer is not None else []
        fresh = self.fresh_entities(THINGS)
        pairs = matched(old, new, self.found_kinds)
        iids = {fresh[there]["iid"]: listed[here]["iid"] for here, there in pairs.items()}
        taken = _iids(self.project)
        for entity in fresh:
            if entity["iid"] not in iids:
                iid = entity["iid"]
                while iid in taken:
                    iid = text_iid(f"{self.level['iid']}:{iid}")
                iids[entity["iid"]] = iid
                taken.add(iid)
        for index, (data, key) in enumerate(zip(listed, old, strict=True)):
            kind = kind_named(key[0], self.found_kinds)
            if index in pairs and kind is not None:
                there = pairs[index]
                kept.append(self._changed(data, key, fresh[there], new[there], holder, kind, iids))
            elif index in pairs or kind is None:
                kept.append(data)
        old_ones = set(pairs.values())
        for index, entity in enumerate(fresh):
            if index not in old_ones:
                added = self.placed(self._local(entity, holder, iids), new[index][1], holder)
                kept.append(added)
        holder["entityInstances"] = kept

    def _changed(
        self,
        data: Data,
        old: Key,
        fresh: Data,
        new: Key,
        holder: Data,
        kind: Kind,
        iids: Mapping[str, str],
    ) -> Data:
        """Return an entity as a new thing, with the fields that a person added."""
        steps = [self.side * (cell - before) for cell, before in zip(new[1], old[1], strict=True)]
        local = self._local(fresh, holder, iids)
        fields = [
            field
            for field in data["fieldInstances"]
            if not is_our_field(field["__identifier"], kind)
        ]
        moved = self.moved(data, steps, holder) if any(steps) else data
        look = {"__tile": local["__tile"], "__smartColor": local["__smartColor"]}
        return {**moved, **look, "fieldInstances": [*fields, *local["fieldInstances"]]}

    def _local(self, entity: Data, holder: Data, iids: Mapping[str, str]) -> Data:
        """Return an entity of the new project with the numbers and identifiers of this one."""
        found: Data = self.translated(entity)
        place = {"layerIid": holder["iid"], "levelIid": self.level["iid"], "worldIid": self.world}

        def link(value: Any) -> Any:
            if isinstance(value, list):
                return [link(each) for each in value]
            if isinstance(value, dict) and "entityIid" in value:
                return {"entityIid": iids[value["entityIid"]], **place}
            return value

        for field in found["fieldInstances"]:
            field["__value"] = link(field["__value"])
            if field["__identifier"] in {TARGETS, DESTINATION}:
                for value in field["realEditorValues"]:
                    value["params"] = [iids[each] for each in value["params"]]
        return {**found, "iid": iids.get(entity["iid"], entity["iid"])}

    def _write_areas(self) -> None:
        holder = _named(self.level, AREAS)
        if holder is None:
            return
        fresh = self.fresh_entities(AREAS)
        wanted = areas_of(self.written, self.written.levels[0], self.written_tiles)
        before = areas_of(self.model, self.found, self.tiles)
        if before == wanted:
            return
        kept = [
            data
            for data in holder["entityInstances"]
            if kind_of_entity(data["__identifier"], "Area_") not in _OUR_AREAS
        ]
        taken = _iids(self.project) - {data["iid"] for data in holder["entityInstances"]}
        iids = {}
        for entity in fresh:
            iid = entity["iid"]
            while iid in taken:
                iid = text_iid(f"{self.level['iid']}:{iid}")
            iids[entity["iid"]] = iid
            taken.add(iid)
        added = [
            self.moved(
                self._local(entity, holder, iids),
                [-holder["__pxTotalOffsetX"], -holder["__pxTotalOffsetY"]],
                holder,
            )
            for entity in fresh
        ]
        holder["entityInstances"] = [*kept, *added]


def _named(level: Data, name: str) -> Data | None:
    found = [each for each in level["layerInstances"] if each["__identifier"] == name]
    return of_layer(level, found[0]["layerDefUid"]) if found else None


def _iids(part: Any) -> set[str]:
    """Return the identifiers of all instances in a part of a project."""
    found: set[str] = set()
    waiting = [part]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            found |= {each["iid"]} if isinstance(each.get("iid"), str) else set()
            waiting += each.values()
        elif isinstance(each, list):
            waiting += each
    return found
