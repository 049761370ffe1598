"""What a person added to a scene: nodes, resources, scripts, connections and properties. They
survive when the level is written again.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from levolve.core.errors import InputError, shown
from levolve.formats.godot.reading import Scene, read_places, read_scene
from levolve.formats.godot.scene import LAYERS, MARK, PLACES, SOLUTION, TILES, WALLS
from levolve.formats.godot.text import Section, quoted, references
from levolve.formats.godot.tree import Node
from levolve.formats.metadata import METADATA

# What a node of ours is for, and the name of its layer or place.
Role = tuple[str, str]
_TRANSFORM = ("position", "scale", "transform")
_MARKER = ("metadata/name", "metadata/kind", "metadata/cell", "metadata/_edit_group_")
# The values that levolve writes, by the role of a node. Its transform is applied to the level, so
# that it is not kept.
_OWN = {
    "root": (
        "metadata/size",
        "metadata/tileset",
        "metadata/theme",
        *(f"metadata/{name}" for name in METADATA),
    ),
    "layer": ("tile_map_data", "tile_set", *_TRANSFORM),
    "places": _TRANSFORM,
    "marker": (*_TRANSFORM, *_MARKER),
    "mark": (*_TRANSFORM, "texture", "region_enabled", "region_rect"),
    "solution": (*_TRANSFORM, "points"),
}
# The look of the line is written once; then it is the person's.
_ONCE = {
    "solution": (
        "visible",
        "width",
        "default_color",
        "joint_mode",
        "begin_cap_mode",
        "end_cap_mode",
    )
}
_OWN_ATTRIBUTES = {"name", "type", "parent", "unique_id"}
_RESOURCES = ("ext_resource", "sub_resource")


def foreign(content: bytes) -> list[str]:
    """Return the parts of a scene that are not levolve's."""
    scene = read_scene(content)
    roles = roles_of(scene)
    ours = _own_resources(scene, roles)
    found = []
    for section in scene.sections[1:]:
        if section.name in _RESOURCES and _id(section) not in ours:
            found.append(f"resource {shown(section.attribute('path') or section.attribute('id'))}")
        elif section.name == "connection":
            found.append(
                f"connection {shown(section.attribute('signal'))} from node "
                f"{shown(section.attribute('from'))}"
            )
        elif section.name not in {*_RESOURCES, "node"}:
            found.append(f"section {shown(section.name)}")
    for node in scene.nodes:
        role = roles.get(node.path)
        if role is None:
            found.append(f"node {shown(node.path)}")
            continue
        name = shown(node.name)
        own = {*_OWN[role[0]], *_ONCE.get(role[0], ())}
        found += [f"property {shown(key)} of node {name}" for key in node.values if key not in own]
        found += [
            f"attribute {shown(key)} of node {name}"
            for key in node.section.attributes
            if key not in _OWN_ATTRIBUTES
        ]
    return found


def roles_of(scene: Scene) -> dict[str, Role]:
    """Return the roles of the nodes that levolve writes, by path."""
    roles: dict[str, Role] = {scene.root.path: ("root", "")}
    for node in scene.nodes[1:]:
        above = (node.parent or "").rpartition("/")[2]
        if node in scene.layers:
            roles[node.path] = ("layer", node.name)
        elif node.kind == "Marker2D" and above == PLACES:
            roles[node.path] = ("marker", node.name)
            roles[str(node.parent)] = ("places", "")
        elif node.kind == "Node2D" and node.name == PLACES:
            roles.setdefault(node.path, ("places", ""))
        elif (
            node.kind == "Sprite2D"
            and node.name == MARK
            and roles.get(str(node.parent), ("", ""))[0] == "marker"
        ):
            if scene.tilesets.ours(node.values.get("texture", "")):
                roles[node.path] = ("mark", above)
        elif node.kind == "Line2D" and node.name == SOLUTION:
            roles[node.path] = ("solution", "")
    if len(set(roles.values())) < len(roles):
        double = next(path for path in roles if list(roles.values()).count(roles[path]) > 1)
        message = (
            f"node {shown(double)}: expected one node of this name and type, got several; rename "
            "the others"
        )
        raise InputError(message)
    return roles


def _id(section: Section) -> tuple[str, str]:
    return "Ext" if section.name == "ext_resource" else "Sub", section.attribute("id")


def _own_resources(scene: Scene, roles: Mapping[str, Role]) -> set[tuple[str, str]]:
    """Return the resources that only the values of levolve refer to."""
    own: list[str] = []
    others: list[str] = [
        section.text for section in scene.sections if section.name not in {*_RESOURCES, "node"}
    ]
    for node in scene.nodes:
        role = roles.get(node.path)
        kept = _OWN[role[0]] if role is not None else ()
        own += [value for key, value in node.values.items() if key in kept]
        others += [
            node.section.heading,
            *(value for key, value in node.values.items() if key not in kept),
        ]
    inner = {
        _id(section): section.text for section in scene.sections if section.name == "sub_resource"
    }
    theirs = _reached(others, inner)
    listed = {_id(section): section for section in scene.sections if section.name in _RESOURCES}
    return {name for name in _reached(own, inner) & set(listed) if name not in theirs}


def _reached(texts: Iterable[str], inner: Mapping[tuple[str, str], str]) -> set[tuple[str, str]]:
    """Return the resources that texts refer to, directly and through other resources."""
    waiting = [name for text in texts for name in references(text)]
    found: set[tuple[str, str]] = set()
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += references(inner.get(name, "").partition("\n")[2])
    return found


@dataclass
class _Output:
    """The sections of the merged scene, and the paths of its nodes."""

    resources: list[str] = field(default_factory=list)
    nodes: list[tuple[str, str]] = field(default_factory=list)

    def insert(self, parent: str, previous: str, path: str, text: str) -> None:
        """Insert a node below a parent: after the child that is or contains `previous`, or as the
        first child if that is the parent itself.
        """
        while previous not in {parent, "."} and (previous.rpartition("/")[0] or ".") != parent:
            previous = previous.rpartition("/")[0] or "."
        below = "" if previous == parent else f"{previous}/"
        last = max(
            index
            for index, (each, _) in enumerate(self.nodes)
            if each == previous or (below and each.startswith(below))
        )
        self.nodes.insert(last + 1, (path, text))


def merge(original: bytes, written: bytes) -> bytes:
    """Return the written scene together with what a person added to the original one, as unchanged
    text.
    """
    before, after = read_scene(original), read_scene(written)
    if before.tile != after.tile:
        sizes = " and ".join(f"{tile[0]}x{tile[1]}" for tile in (before.tile, after.tile))
        message = (
            "tscn: expected tiles as large as in the original, where additions are placed in "
            f"pixels, got {sizes}; set the tile size"
        )
        raise InputError(message)
    old, new = roles_of(before), roles_of(after)
    nodes = {
        role: next(node for node in after.nodes if node.path == path) for path, role in new.items()
    }
    output = _Output()
    renamed = _merge_resources(before, after, old, output)
    paths = _merge_nodes(before, old, nodes, renamed, output)
    previous = "."
    for role, node in nodes.items():
        if role not in paths:
            parent = paths[new[str(node.parent)]]
            paths[role] = node.name if parent == "." else f"{parent}/{node.name}"
            heading = f'[node name={quoted(node.name)} type="{node.kind}" parent={quoted(parent)}]'
            text = _renamed("\n".join([heading, *node.section.lines.values()]), renamed)
            output.insert(parent, previous, paths[role], text)
        previous = paths[role]
    rest = [
        section.text.rstrip()
        for section in before.sections[1:]
        if section.name not in {*_RESOURCES, "node"}
    ]
    steps = f"load_steps={len(output.resources) + 1}"
    heading = re.sub(r"\bload_steps=[0-9]+", steps, before.sections[0].heading)
    merged = (
        "\n\n".join(
            [heading, *_grouped(output.resources), *(text for _, text in output.nodes), *rest]
        )
        + "\n"
    ).encode()
    _check_merged(merged, after)
    return merged


def _grouped(resources: list[str]) -> list[str]:
    """Return external resources as one paragraph, and each other resource as its own."""
    outer = [text for text in resources if text.startswith("[ext_resource")]
    return [
        *(["\n".join(outer)] if outer else []),
        *(text for text in resources if text not in outer),
    ]


def _merge_resources(
    before: Scene, after: Scene, old: Mapping[str, Role], output: _Output
) -> dict[str, str]:
    """Add the resources of both scenes; return the ids of the written ones that had to change."""
    ours = _own_resources(before, old)
    needed = {
        section.attribute("path"): section
        for section in after.sections
        if section.name == "ext_resource"
    }
    renamed: dict[str, str] = {}
    taken: set[str] = set()
    for section in before.sections:
        if section.name not in _RESOURCES:
            continue
        same = next(
            (
                path
                for path in needed
                if section.attribute("path").rpartition("/")[2] == path
                and section.name == "ext_resource"
            ),
            None,
        )
        if same is not None:
            # Godot gives resources ids of its own, and the path from the root of the project.
            renamed[needed.pop(same).attribute("id")] = section.attribute("id")
        if same is not None or _id(section) not in ours:
            output.resources.append(section.text.rstrip())
            taken.add(section.attribute("id"))
    for section in needed.values():
        name = section.attribute("id")
        free = next(
            each
            for number in range(len(taken) + 1)
            if (each := f"{name}_{number}" if number else name) not in taken
        )
        taken.add(free)
        renamed[name] = free
        output.resources.append(section.text.rstrip().replace(f'id="{name}"', f'id="{free}"'))
    return renamed


def _renamed(text: str, names: Mapping[str, str]) -> str:
    return re.sub(
        r'ExtResource\("([^"]*)"\)',
        lambda found: f'ExtResource("{names.get(found[1], found[1])}")',
        text,
    )


def _merge_nodes(
    before: Scene,
    old: Mapping[str, Role],
    nodes: Mapping[Role, Node],
    renamed: Mapping[str, str],
    output: _Output,
) -> dict[Role, str]:
    """Add the nodes of the original scene, ours with their new values; return the paths of ours."""
    paths: dict[Role, str] = {}
    dropped: set[str] = set()
    for node in before.nodes:
        role = old.get(node.path)
        # In earlier versions, one layer had the tiles of both.
        target = ("layer", WALLS) if role == ("layer", TILES) and role not in nodes else role
        if target is not None and target not in nodes:
            dropped.add(node.path)
        elif str(node.parent) in dropped or (target != role and _children(before, node)):
            owner = node.parent if target == role else node.path
            message = (
                f"node {shown(node.path)}: expected it below a node that the new level has too, "
                f"got {shown(owner)}; move it in Godot, then try again"
            )
            raise InputError(message)
        elif role is None or target is None:
            output.nodes.append((node.path, node.section.text.rstrip()))
        else:
            path = (
                node.path
                if target == role
                else f"{node.path.rpartition('/')[0]}/{WALLS}".lstrip("/")
            )
            paths[target] = path
            output.nodes.append(
                (path, _merged_node(node, nodes[target], target, renamed, rename=target != role))
            )
    wrong = next(
        (
            each
            for each in before.sections
            if each.name == "connection"
            and {each.attribute("from"), each.attribute("to")} & dropped
        ),
        None,
    )
    if wrong is not None:
        message = (
            f"connection {shown(wrong.attribute('signal'))}: expected nodes that the new level "
            "has too; remove it in Godot, then try again"
        )
        raise InputError(message)
    return paths


def _children(scene: Scene, node: Node) -> bool:
    return any(each.parent == node.path for each in scene.nodes)


def _merged_node(
    node: Node, written: Node, role: Role, renamed: Mapping[str, str], *, rename: bool
) -> str:
    """Return a node of ours: its written values, and all others of the original."""
    own, once = _OWN[role[0]], _ONCE.get(role[0], ())
    heading = (
        node.section.heading.replace(f"name={quoted(node.name)}", f"name={quoted(written.name)}")
        if rename
        else node.section.heading
    )
    new = {
        key: _renamed(line, renamed)
        for key, line in written.section.lines.items()
        if key not in once
    }
    lines = {
        key: line if key not in own else new[key]
        for key, line in node.section.lines.items()
        if key not in own or key in new
    }
    return "\n".join(
        [heading, *{**lines, **{key: line for key, line in new.items() if key in own}}.values()]
    )


def _check_merged(merged: bytes, after: Scene) -> None:
    """Raise `InputError` if parents of the original would move the new tiles or places."""
    scene = read_scene(merged)
    moved = [node.name for node in scene.layers if scene.shift(node, None) != (0, 0)]
    if [node.name for node in scene.layers] != [node.name for node in after.layers]:
        message = (
            f"layers: expected {' below '.join(node.name for node in after.layers)}, got another "
            "order; reorder them in Godot, then try again"
        )
        raise InputError(message)
    if moved or read_places(scene) != read_places(after):
        what = f"layer {shown(moved[0])}" if moved else PLACES
        message = (
            f"{what}: expected parents at the same position as those of {LAYERS[0]}; reset their "
            "transforms in Godot, then try again"
        )
        raise InputError(message)
