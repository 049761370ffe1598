"""A new level in a scene that a person edited: what our nodes say about the level is replaced, and
everything else stays as unchanged text.
"""

import re
from collections.abc import Collection, Mapping

from levolve.core.errors import InputError, shown
from levolve.formats.godot.ownership import (
    PICTURE,
    RESOURCES,
    STAYING,
    Role,
    foreign_parts,
    own_keys,
    own_resources,
    resource_id,
    roles_of,
)
from levolve.formats.godot.reading import Scene, read_scene
from levolve.formats.godot.text import Section, quoted
from levolve.formats.godot.tree import Node

# The nodes of a merged scene: the path and the text of each.
Nodes = list[tuple[str, str]]


def foreign(content: bytes) -> list[str]:
    """Return the parts of a scene that are not levolve's."""
    return foreign_parts(read_scene(content))


def merge(original: bytes, written: bytes) -> bytes:
    """Return the original scene with the level of the written one."""
    before, after = read_scene(original), read_scene(written)
    if before.tile != after.tile:
        sizes = " and ".join(f"{tile[0]}x{tile[1]}" for tile in (before.tile, after.tile))
        raise InputError(
            "tscn: expected tiles as large as in the original, where additions are placed in "
            f"pixels, got {sizes}; set the tile size"
        )
    old = roles_of(before)
    resources, ids = _joined_resources(before, after, old)
    nodes = _joined_nodes(before, after, old, ids)
    _check_kept(before, old, {path for path, _ in nodes})
    opening = re.sub(
        r"\bload_steps=[0-9]+", f"load_steps={len(resources) + 1}", before.sections[0].heading
    )
    outer = "\n".join(text for text in resources if text.startswith("[ext_resource"))
    inner = [text for text in resources if not text.startswith("[ext_resource")]
    rest = [
        section.text.rstrip()
        for section in before.sections[1:]
        if section.name not in {*RESOURCES, "node"}
    ]
    paragraphs = [opening, *([outer] if outer else []), *inner, *(text for _, text in nodes), *rest]
    return ("\n\n".join(paragraphs) + "\n").encode()


def _joined_resources(
    before: Scene, after: Scene, old: Mapping[str, Role]
) -> tuple[list[str], dict[str, str]]:
    """Return the resources of both scenes, without those of the old level, and the new ids of those
    of the new one.
    """
    ours = own_resources(before, old)
    new = {
        section.attribute("path"): section
        for section in after.sections
        if section.name == "ext_resource"
    }
    ids: dict[str, str] = {}
    kept: list[Section] = []
    for section in before.sections:
        # Godot gives resources ids of its own, and the path from the root of the project.
        name = section.attribute("path").rpartition("/")[2]
        if section.name == "ext_resource" and name in new:
            ids[new.pop(name).attribute("id")] = section.attribute("id")
            kept.append(section)
        elif section.name in RESOURCES and resource_id(section) not in ours:
            kept.append(section)
    taken = {section.attribute("id") for section in kept}
    resources = [section.text.rstrip() for section in kept]
    for section in new.values():
        name, number = section.attribute("id"), 0
        free = name
        while free in taken:
            number += 1
            free = f"{name}_{number}"
        taken.add(free)
        ids[name] = free
        resources.append(section.text.rstrip().replace(f'id="{name}"', f'id="{free}"'))
    return resources, ids


def _joined_nodes(
    before: Scene, after: Scene, old: Mapping[str, Role], ids: Mapping[str, str]
) -> Nodes:
    """Return the nodes of the original scene, ours with the values of the new level, without those
    that it does not have and with those that are new.
    """
    roles = roles_of(after)
    written = {roles[node.path]: node for node in after.nodes}
    paths: dict[Role, str] = {}
    nodes: Nodes = []
    for node in before.nodes:
        role = old.get(node.path)
        if role is None:
            nodes.append((node.path, node.section.text.rstrip()))
        elif role in written:
            paths[role] = node.path
            nodes.append((node.path, _with_values(node, written[role], role, ids)))
        elif role[0] in STAYING:
            nodes.append((node.path, node.section.text.rstrip()))
    previous, place = ".", 0
    for role, node in written.items():
        if role not in paths:
            parent = paths[roles[str(node.parent)]]
            paths[role] = node.name if parent == "." else f"{parent}/{node.name}"
            text = _renamed("\n".join([_heading(node, parent), *node.section.lines.values()]), ids)
            # The node before it may be new too, and then it is followed by this one.
            place = place + 1 if place and parent == _above(previous) else 0
            place = place or _place(nodes, parent, previous)
            nodes.insert(place, (paths[role], text))
        else:
            place = 0
        previous = paths[role]
    return nodes


def _heading(node: Node, parent: str) -> str:
    """Return the heading of a new node below a parent."""
    attributes = {**node.section.attributes, "parent": quoted(parent)}
    return f"[node {' '.join(f'{name}={value}' for name, value in attributes.items())}]"


def _with_values(node: Node, written: Node, role: Role, ids: Mapping[str, str]) -> str:
    """Return a node of ours: its written values, and all others of the original."""
    own, section = own_keys(node, role) | own_keys(written, role), node.section
    if node.kind != written.kind:
        # A thing that is a scene or another node of a person is shown as the person wants.
        own -= {*PICTURE, "metadata/used_rect"}
    new = {key: _renamed(line, ids) for key, line in written.section.lines.items() if key in own}
    kept = {key: line for key, line in section.lines.items() if key not in own or key in new}
    return "\n".join([section.heading, *{**kept, **new}.values()])


def _above(path: str) -> str:
    return path.rpartition("/")[0] or "."


def _renamed(text: str, ids: Mapping[str, str]) -> str:
    return re.sub(
        r'ExtResource\("([^"]*)"\)',
        lambda found: f'ExtResource("{ids.get(found[1], found[1])}")',
        text,
    )


def _place(nodes: Nodes, parent: str, previous: str) -> int:
    """Return where a new child of a parent begins: after the child that is or contains the node
    before it, or as the first child if that is the parent itself.
    """
    while previous not in {parent, "."} and _above(previous) != parent:
        previous = _above(previous)
    below = "\n" if previous == parent else f"{previous}/"
    return max(
        place
        for place, (path, _) in enumerate(nodes, 1)
        if path == previous or path.startswith(below)
    )


def _check_kept(before: Scene, old: Mapping[str, Role], paths: Collection[str]) -> None:
    """Raise `InputError` if nodes or connections of a person need a node that is gone."""
    gone = {node.path for node in before.nodes} - set(paths)
    for node in before.nodes:
        if node.path not in old and node.parent in gone:
            raise InputError(
                f"node {shown(node.path)}: expected it below a node that the new level has too, "
                f"got {shown(node.parent)}; move it in Godot, then try again"
            )
    for each in before.sections:
        if each.name == "connection" and gone & {each.attribute("from"), each.attribute("to")}:
            raise InputError(
                f"connection {shown(each.attribute('signal'))}: expected nodes that the new level "
                "has too; remove it in Godot, then try again"
            )
