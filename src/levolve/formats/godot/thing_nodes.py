"""Reading of things: what the nodes below a node called Things mean, whatever a person changed.

A node is a thing if it has a group or the metadata `kind`. A group that is no kind of things makes
a decoration. Sprites that show another thing than their node is are refused.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from levolve.core.errors import InputError, shown
from levolve.formats.godot.text import read_text, read_texts, read_whole
from levolve.formats.godot.things import META, OWN_META, PREFIX, SPRITE, THINGS, links, rect
from levolve.formats.godot.tree import Node
from levolve.formats.themes.atlas import COLUMNS
from levolve.formats.themes.recognition import known_atlas
from levolve.formats.themes.thing_atlas import (
    ThingAtlas,
    as_drawn,
    known_thing_atlas,
    thing_atlas,
)
from levolve.formats.themes.things import ThingLook, looks_of
from levolve.levels.places import Place
from levolve.levels.things.kinds import KINDS, NAME, Kind, is_value
from levolve.levels.things.thing import MOST_THINGS, Thing, kinds_of

_PATH = re.compile(r'NodePath\("([^"\\]*)"\)')
_STRING = re.compile(r'&?"[^"\\]*(?:\\.[^"\\]*)*"')
_NUMBER = re.compile(r"([-+]?[0-9]{1,9})(?:\.0*)?")
_ID = r"[A-Za-z0-9_-]{1,40}"
_LONGEST = 36


def is_thing(node: Node) -> bool:
    """Whether a node is a thing: directly below a node called Things, with a group or a kind."""
    below = (node.parent or "").rpartition("/")[2] == THINGS
    return below and (f"{META}kind" in node.values or bool(_groups(node)))


def _groups(node: Node) -> list[str]:
    return read_texts(node.section.attributes.get("groups", ""))


def kind_of_node(node: Node, own: Mapping[str, Kind]) -> str:
    """Return the kind of a thing: its metadata, or its group; `InputError` if they differ."""
    groups, where = _groups(node), f"node {shown(node.path)}"
    known = [name for name in groups if name in own or name in KINDS]
    if f"{META}kind" in node.values:
        kind = read_text(node.values[f"{META}kind"], f"{where}: metadata kind")
        others = [name for name in known if name != kind]
        if others:
            raise InputError(
                f"{where}: expected the group {shown(kind)}, as its metadata kind says, got "
                f"{shown(', '.join(others))}; change one of them"
            )
        return kind
    if len(known) > 1:
        raise InputError(
            f"{where}: expected one kind of things as group, got {shown(', '.join(known))}"
        )
    return (known or groups)[0]


def own_values(node: Node) -> set[str]:
    """Return the metadata of a thing that belong to the level: all that can be fields."""
    return {
        key
        for key, value in node.values.items()
        if (name := key.removeprefix(META)) != key
        and (name in OWN_META or (_field_name(name) and _plain(value) is not None))
    }


def _field_name(name: str) -> str:
    """Return the field that metadata hold; empty for metadata of another form."""
    return name.removeprefix(PREFIX) if re.fullmatch(NAME, name) and name not in OWN_META else ""


def _plain(value: str) -> str | None:
    """Return a value as the text of a field, a path as it is; None for what no field can hold."""
    number = _NUMBER.fullmatch(value)
    if number is not None:
        return str(int(number[1]))
    if _STRING.fullmatch(value):
        text = read_text(value, "")
        return text if is_value(text) else None
    match = _PATH.fullmatch(value)
    return match[1] if match is not None else value if value in {"true", "false"} else None


def read_things(
    nodes: Sequence[tuple[Node, Place]], own: Mapping[str, Kind], picture: Callable[[str], str]
) -> list[Thing]:
    """Return the things that nodes show, given with their cells. `picture` returns the name of the
    file that a texture refers to.
    """
    if len(nodes) > MOST_THINGS:
        raise InputError(f"things: expected at most {MOST_THINGS:,}, got {len(nodes):,}")
    ids = _ids([node for node, _ in nodes])
    things = []
    for node, cell in nodes:
        kind = kind_of_node(node, own)
        fields = _fields(node, KINDS[kind] if kind in KINDS else own.get(kind), ids)
        try:
            things.append(Thing(kind, cell, ids.get(node.path, ""), fields))
        except InputError as problem:
            raise InputError(f"node {shown(node.path)}: {problem}") from problem
    _check_pictures([node for node, _ in nodes], things, own, picture)
    return things


def _ids(nodes: Sequence[Node]) -> dict[str, str]:
    """Return the ids of things by the paths of their nodes: their names. A name that can be no id
    gives one only if another thing refers to it.
    """
    names: dict[str, str] = {}
    for node in nodes:
        if node.path in names:
            raise InputError(
                f"node {shown(node.path)}: expected one node of this name, got a second"
            )
        names[node.path] = node.name
    ids = {path: name for path, name in names.items() if re.fullmatch(_ID, name) is not None}
    taken = set(ids.values())
    for node in nodes:
        for value in node.values.values():
            target = _target(node, value)
            if target in names and target not in ids:
                plain = re.sub("[^A-Za-z0-9_-]+", "_", names[target])[:_LONGEST]
                free, number = plain, 1
                while free in taken:
                    number += 1
                    free = f"{plain}_{number}"
                ids[target] = free
                taken.add(free)
    return ids


def _target(node: Node, value: str) -> str:
    """Return the path of the node to which a NodePath leads; empty for another value."""
    match = _PATH.fullmatch(value)
    parts = node.path.split("/")
    for part in match[1].split("/") if match is not None else []:
        if part == ".." and parts:
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "" if match is None else "/".join(parts)


def _fields(node: Node, kind: Kind | None, ids: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of a thing, without those that it has from its kind."""
    usual = {} if kind is None else kind.fields
    implied = read_texts(node.values.get(f"{META}default_fields", ""))
    found: dict[str, str] = {}
    for key, value in node.values.items():
        name = _field_name(key.removeprefix(META)) if key.startswith(META) else ""
        if not name:
            continue
        target = _target(node, value)
        text = ids.get(target) if target else _plain(value)
        if text is None and name in usual:
            link = kind is not None and name in links(kind)
            what = f"a path to another node below {THINGS}" if link else "one word or number"
            raise InputError(
                f"node {shown(node.path)}: expected {what} as {name}, got {shown(value)}"
            )
        if text is not None and not (name in implied and text == usual.get(name)):
            found[name] = text
    return found


def _check_pictures(
    nodes: Sequence[Node],
    things: Sequence[Thing],
    own: Mapping[str, Kind],
    picture: Callable[[str], str],
) -> None:
    """Raise `InputError` if a sprite shows another thing than its node is."""
    kinds = kinds_of(things, own)
    shown_by = {
        node.path: picture(node.values["texture"])
        for node in nodes
        if node.kind == SPRITE and "texture" in node.values
    }
    atlases = {name: _atlas(name, things, own) for name in set(shown_by.values())}
    tiles = {name for name in atlases if known_atlas(name) is not None}
    for node, thing, look in zip(nodes, things, looks_of(things, own), strict=True):
        name = shown_by.get(node.path)
        if name is None:
            continue
        if {"offset", "centered"} & set(node.values):
            raise InputError(
                f"node {shown(node.path)}: expected its picture in its middle; move the node"
            )
        if name in tiles and not (thing.kind in kinds and kinds[thing.kind].hidden):
            raise InputError(
                f"node {shown(node.path)}: expected the picture of a thing, got that of a tile in "
                f"{shown(name)}; choose another picture"
            )
        atlas, exact = atlases[name]
        if atlas is not None:
            # Things without a colour of their own get colours in order, so that any will do.
            free = not thing.value("color", kinds)
            _check_sign(node, look, atlas, any_colour=free, exact=exact)


def _atlas(
    name: str, things: Sequence[Thing], own: Mapping[str, Kind]
) -> tuple[ThingAtlas | None, bool]:
    """Return the signs in a picture, None for any other picture; and whether they are exactly those
    of a level. Otherwise only the usual ones are known.
    """
    usual = known_thing_atlas(name)
    if usual is None:
        return None, False
    ours = thing_atlas(usual.theme, usual.tile, things, own)
    exact = ours.name == name.rpartition(".")[0]
    return (ours if exact else usual), exact


def _check_sign(
    node: Node, look: ThingLook, atlas: ThingAtlas, *, any_colour: bool, exact: bool
) -> None:
    """Raise `InputError` if a sprite shows another sign than that of its thing. The signs after the
    usual ones are only known if the atlas is exactly that of the level.
    """
    where = f"node {shown(node.path)}"
    rectangle = node.values.get("region_rect", "Rect2(0, 0, 0, 0)")
    x, y, *size = read_whole(rectangle, 4, f"{where}: region_rect")
    side = atlas.tile
    on_grid = size == [side, side] and not (x % side or y % side) and 0 <= x < COLUMNS * side
    number = y // side * COLUMNS + x // side if on_grid else -1
    if number >= len(atlas.signs) and not exact:
        return
    kind, found = atlas.signs[number] if 0 <= number < len(atlas.signs) else ("", None)
    if found is not None and any_colour:
        found = replace(found, colour=look.colour)
    if found is None or as_drawn(found) != as_drawn(look):
        right = atlas.find(look)
        advice = "remove its texture" if right is None else f"set it to {rect(right, side)}"
        raise InputError(
            f"{where}: expected a region_rect that shows what it is, got "
            f"{shown(rectangle)}{f', a {kind}' if kind else ''}; {advice}"
        )
