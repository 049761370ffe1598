"""What is levolve's in a scene, and what a person added: nodes, resources, scripts, connections and
properties.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from levolve.core.errors import InputError, shown
from levolve.formats.godot.areas import AREAS, POLYGON, is_area
from levolve.formats.godot.reading import Scene
from levolve.formats.godot.scene import MARK, PLACES, SOLUTION
from levolve.formats.godot.text import Section, read_text, read_texts, references
from levolve.formats.godot.thing_nodes import is_thing, kind_of_node, own_values
from levolve.formats.godot.things import SPRITE, THINGS
from levolve.formats.godot.tree import Node
from levolve.formats.metadata import METADATA

# What a node of ours is for, and the name of its layer or place.
Role = tuple[str, str]
_TRANSFORM = ("position", "scale", "transform")
PICTURE = ("texture", "region_enabled", "region_rect")
_MARKER = ("metadata/name", "metadata/kind", "metadata/cell", "metadata/_edit_group_")
# The values that levolve writes, by the role of a node. Its transform is applied to the level, so
# that it is not kept.
OWN_VALUES = {
    "root": (
        "metadata/size",
        "metadata/tileset",
        "metadata/theme",
        *(f"metadata/{name}" for name in METADATA),
    ),
    "layer": ("tile_map_data", "tile_set", *_TRANSFORM),
    "places": _TRANSFORM,
    "marker": (*_TRANSFORM, *_MARKER),
    "mark": (*_TRANSFORM, *PICTURE),
    "solution": (*_TRANSFORM, "points"),
}
# The metadata of things are found by `own_values`.
OWN_VALUES |= {
    "things": _TRANSFORM,
    "thing": (*_TRANSFORM, *PICTURE),
    "areas": _TRANSFORM,
    "area": (*_TRANSFORM, "collision_layer", "monitorable", "metadata/kind", "metadata/role"),
    "shape": (*_TRANSFORM, "polygon"),
}
# Nodes that stay, empty, if the new level has nothing to put there.
STAYING = ("things", "areas")
# The look of the line is written once; then it is the person's.
WRITTEN_ONCE = {
    "solution": (
        "visible",
        "width",
        "default_color",
        "joint_mode",
        "begin_cap_mode",
        "end_cap_mode",
    ),
    "areas": ("visible",),
}
_OWN_ATTRIBUTES = {"name", "type", "parent", "unique_id"}
RESOURCES = ("ext_resource", "sub_resource")


def foreign_parts(scene: Scene) -> list[str]:
    """Return the parts of a scene that are not levolve's."""
    roles = roles_of(scene)
    ours = own_resources(scene, roles)
    found = []
    for section in scene.sections[1:]:
        if section.name in RESOURCES and resource_id(section) not in ours:
            found.append(f"resource {shown(section.attribute('path') or section.attribute('id'))}")
        elif section.name == "connection":
            found.append(
                f"connection {shown(section.attribute('signal'))} from node "
                f"{shown(section.attribute('from'))}"
            )
        elif section.name not in {*RESOURCES, "node"}:
            found.append(f"section {shown(section.name)}")
    for node in scene.nodes:
        role = roles.get(node.path)
        if role is None:
            found.append(f"node {shown(node.path)}")
            continue
        name = shown(node.name)
        own = {*own_keys(node, role), *WRITTEN_ONCE.get(role[0], ())}
        found += [f"property {shown(key)} of node {name}" for key in node.values if key not in own]
        found += [
            f"attribute {shown(key)} of node {name}"
            for key in node.section.attributes
            if key not in _OWN_ATTRIBUTES and not (key == "groups" and _has_own_group(node, role))
        ]
    return found


def _has_own_group(node: Node, role: Role) -> bool:
    """Whether the only group of a node is the kind of the thing or area that it is."""
    groups = read_texts(node.section.attributes["groups"])
    return role[0] in {"thing", "area"} and groups == [role[1].partition(" ")[0]]


def own_keys(node: Node, role: Role) -> set[str]:
    """Return the values of a node that levolve writes."""
    return {*OWN_VALUES[role[0]], *(own_values(node) if role[0] == "thing" else ())}


def roles_of(scene: Scene) -> dict[str, Role]:
    """Return the roles of the nodes that levolve writes, by path."""
    roles: dict[str, Role] = {scene.root.path: ("root", "")}
    layers = {node.path for node in scene.layers}
    for node in scene.nodes[1:]:
        role = _role(node, scene, roles, layers)
        if role is not None:
            roles[node.path] = role
            if role[0] == "marker":
                roles[str(node.parent)] = ("places", "")
    if len(set(roles.values())) < len(roles):
        counts = Counter(roles.values())
        double = next(path for path, role in roles.items() if counts[role] > 1)
        raise InputError(
            f"node {shown(double)}: expected one node of this name and type, got several; rename "
            "the others"
        )
    return roles


def _role(
    node: Node, scene: Scene, roles: Mapping[str, Role], layers: Collection[str]
) -> Role | None:
    """Return the role of a node below nodes whose roles are known; None for a node of a person."""
    above, parent = roles.get(str(node.parent), ("", "")), (node.parent or "").rpartition("/")[2]
    found: Role | None = None
    if node.path in layers:
        found = "layer", node.name
    elif node.kind == "Node2D" and node.name in {PLACES, THINGS, AREAS}:
        found = node.name.lower(), ""
    elif is_thing(node):
        # A thing of another kind is another node: its group differs.
        found = "thing", f"{kind_of_node(node, scene.own_kinds)} {node.name}"
    elif is_area(node):
        found = "area", f"{read_text(node.values['metadata/kind'], 'kind')} {node.name}"
    elif node.kind == POLYGON and above[0] == "area":
        found = "shape", f"{above[1]}/{node.name}"
    elif node.kind == "Marker2D" and parent == PLACES:
        found = "marker", node.name
    elif node.kind == SPRITE and node.name == MARK and above[0] == "marker":
        ours = scene.tilesets.ours(node.values.get("texture", ""))
        found = ("mark", parent) if ours else None
    elif node.kind == "Line2D" and node.name == SOLUTION:
        found = "solution", ""
    return found


def resource_id(section: Section) -> tuple[str, str]:
    """Return how values refer to a resource."""
    return "Ext" if section.name == "ext_resource" else "Sub", section.attribute("id")


def own_resources(scene: Scene, roles: Mapping[str, Role]) -> set[tuple[str, str]]:
    """Return the resources that only the values of levolve refer to."""
    own: list[str] = []
    others: list[str] = [
        section.text for section in scene.sections if section.name not in {*RESOURCES, "node"}
    ]
    for node in scene.nodes:
        role = roles.get(node.path)
        kept = own_keys(node, role) if role is not None else set()
        own += [value for key, value in node.values.items() if key in kept]
        others += [
            node.section.heading,
            *(value for key, value in node.values.items() if key not in kept),
        ]
    inner = {
        resource_id(section): section.text
        for section in scene.sections
        if section.name == "sub_resource"
    }
    theirs = _reached(others, inner)
    listed = {
        resource_id(section): section for section in scene.sections if section.name in RESOURCES
    }
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
