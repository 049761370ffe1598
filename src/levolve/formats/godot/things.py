"""Things as nodes below a node called Things, one sprite each, which games find by their groups.

The kind of a thing is its group and the metadata `kind`; its fields are metadata too. A field that
names another thing is a NodePath, so that Godot follows when that thing is renamed. The name of a
node is the id of the thing; things without an id are called `key 1`, `key 2` and so on.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from levolve.formats.godot.text import quoted
from levolve.formats.themes.atlas import COLUMNS, Atlas
from levolve.formats.themes.thing_atlas import ThingAtlas
from levolve.formats.themes.things import ThingLook, looks_of
from levolve.levels.places import Place
from levolve.levels.things.kinds import Kind
from levolve.levels.things.thing import Thing, kinds_of

THINGS = "Things"
SPRITE = "Sprite2D"
META = "metadata/"
# Metadata of a thing that are not its fields. A field of one of these names gets a prefix.
OWN_META = ("kind", "cell", "default_fields", "used_rect")
PREFIX = "field_"
_WHOLE = re.compile("0|[1-9][0-9]{0,8}")


@dataclass(frozen=True)
class Signs:
    """How things are shown: the ids of the resources of two pictures and of scenes by kind, each
    with what is in it.
    """

    things: tuple[str, ThingAtlas]
    tiles: tuple[str, Atlas]
    scenes: Mapping[str, str]
    # The tiles that hide things, by cell.
    walls: Mapping[Place, int]


def node_names(things: Iterable[Thing]) -> list[str]:
    """Return the names of the nodes of things."""
    counts: Counter[str] = Counter()
    names = []
    for thing in things:
        counts[thing.kind] += not thing.id
        names.append(thing.id or f"{thing.kind} {counts[thing.kind]}")
    return names


def thing_lines(things: Sequence[Thing], own: Mapping[str, Kind], signs: Signs) -> list[str]:
    """Return the nodes of things, below the node called Things."""
    kinds = kinds_of(things, own)
    lines = ["", f'[node name="{THINGS}" type="Node2D" parent="."]']
    for thing, name, look in zip(things, node_names(things), looks_of(things, own), strict=True):
        side = signs.things[1].tile
        x, y = ((part + 0.5) * side for part in thing.cell)
        scene = signs.scenes.get(thing.kind)
        what = f'type="{SPRITE}"' if scene is None else f'instance=ExtResource("{scene}")'
        # Godot writes the instance after the groups.
        group = f'parent="{THINGS}" groups=["{thing.kind}"]'
        heading = f"{what} {group}" if scene is None else f"{group} {what}"
        lines += ["", f"[node name={quoted(name)} {heading}]"]
        lines.append(f"position = Vector2({x:.12g}, {y:.12g})")
        lines += [] if scene else _picture_lines(thing, look, signs)
        lines += [
            f"{META}kind = {quoted(thing.kind)}",
            f"{META}cell = Vector2i({thing.cell[0]}, {thing.cell[1]})",
            *_field_lines(thing, kinds),
        ]
    return lines


def _picture_lines(thing: Thing, look: ThingLook, signs: Signs) -> list[str]:
    """Return the picture of a thing: its sign, or the wall that hides it. The metadata `used_rect`
    is the sign that it has when it is open, shut, switched or spent.
    """
    if thing.cell in signs.walls:
        picture, tiles = signs.tiles
        return _sprite_lines(picture, rect(signs.walls[thing.cell], tiles.tile))
    picture, atlas = signs.things
    number, side = atlas.number(look), atlas.tile
    changed = replace(look, changed=not look.changed)
    lines = _sprite_lines(picture, rect(number, side))
    if changed.is_gone or atlas.number(changed) == number:
        return lines
    return [*lines, f"{META}used_rect = {rect(atlas.number(changed), side)}"]


def _sprite_lines(picture: str, region: str) -> list[str]:
    return [
        f'texture = ExtResource("{picture}")',
        "region_enabled = true",
        f"region_rect = {region}",
    ]


def rect(number: int, side: int) -> str:
    """Return the rectangle of a tile or sign in its picture, in Godot's text form."""
    return f"Rect2({number % COLUMNS * side}, {number // COLUMNS * side}, {side}, {side})"


def _field_lines(thing: Thing, kinds: Mapping[str, Kind]) -> list[str]:
    """Return the fields of a thing, those too that it has from its kind."""
    kind = kinds.get(thing.kind, Kind(thing.kind))
    given = {name: value for name, value in kind.fields.items() if value} | dict(thing.fields)
    implied = [name for name in given if name not in thing.fields]
    lines = [
        f"{META}{PREFIX if _is_taken(name) else ''}{name} = "
        + (f"NodePath({quoted(f'../{value}')})" if name in links(kind) else _value_text(value))
        for name, value in sorted(given.items())
    ]
    names = ", ".join(map(quoted, sorted(implied)))
    return [*lines, f"{META}default_fields = PackedStringArray({names})"] if implied else lines


def _is_taken(name: str) -> bool:
    return name in OWN_META or name.startswith(PREFIX)


def links(kind: Kind) -> set[str]:
    """Return the fields that hold the id of another thing."""
    return {name for name in (kind.gate, kind.leads) if name}


def _value_text(value: str) -> str:
    """Return the value of a field in Godot's text form: numbers and truth values as such."""
    return value if value in {"true", "false"} or _WHOLE.fullmatch(value) else quoted(value)
