"""What is levolve's in a scene, and what a person added: nodes, resources, scripts, connections and
properties.
"""

from collections.abc import Iterable, Mapping

from levolve.core.errors import InputError, shown
from levolve.formats.godot.reading import Scene
from levolve.formats.godot.scene import MARK, PLACES, SOLUTION
from levolve.formats.godot.text import Section, references
from levolve.formats.metadata import METADATA

# What a node of ours is for, and the name of its layer or place.
Role = tuple[str, str]
_TRANSFORM = ("position", "scale", "transform")
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
    "mark": (*_TRANSFORM, "texture", "region_enabled", "region_rect"),
    "solution": (*_TRANSFORM, "points"),
}
# The look of the line is written once; then it is the person's.
WRITTEN_ONCE = {
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
        own = {*OWN_VALUES[role[0]], *WRITTEN_ONCE.get(role[0], ())}
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
        raise InputError(
            f"node {shown(double)}: expected one node of this name and type, got several; rename "
            "the others"
        )
    return roles


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
        kept = OWN_VALUES[role[0]] if role is not None else ()
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
