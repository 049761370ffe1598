"""The nodes of a scene, and where Godot draws them: positions, scales and drawing order, with those
of all parents.

Nodes that Godot would draw rotated, mirrored, faint or not at all are refused: a level is certified
only if it is what the scene shows.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from levolve.core.errors import InputError, shown
from levolve.formats.godot.text import Section, read_number, read_numbers

# Nodes whose children are drawn relative to them, and which place themselves by nothing but
# position, rotation, scale and skew.
PARENTS = {
    "Node2D",
    "CanvasGroup",
    "StaticBody2D",
    "AnimatableBody2D",
    "Area2D",
    "CharacterBody2D",
    "Marker2D",
    "TileMapLayer",
    "Sprite2D",
}
# Rounding errors of Godot's numbers, which have 24 bits.
ROUNDING = 1e-6
FAINTEST = 0.5
_ZERO = ("rotation", "rotation_degrees", "skew")
# Values that hide a node or draw it elsewhere, and what Godot does by default.
_DEFAULTS = {
    "visible": "true",
    "enabled": "true",
    "top_level": "false",
    "show_behind_parent": "false",
    "clip_children": "0",
    "y_sort_origin": "0",
}
_REFUSED = (
    "global_position",
    "global_scale",
    "global_transform",
    "global_rotation",
    "global_rotation_degrees",
    "global_skew",
)


@dataclass(frozen=True)
class Placement:
    """Where a node is drawn: a point p of it at `scale` * p + `offset`; a higher `z` is drawn above
    a lower one.
    """

    scale: tuple[float, float] = (1.0, 1.0)
    offset: tuple[float, float] = (0.0, 0.0)
    z: int = 0


@dataclass(frozen=True)
class Node:
    """A node of a scene: its section, its path from the root, and its position in the file."""

    section: Section
    path: str
    order: int

    @property
    def name(self) -> str:
        """The name of the node."""
        return self.section.attribute("name")

    @property
    def kind(self) -> str:
        """The type of the node; empty for an instance of another scene."""
        return self.section.attribute("type")

    @property
    def values(self) -> dict[str, str]:
        """The unparsed values."""
        return self.section.values

    @property
    def parent(self) -> str | None:
        """The path of the parent; None for the root."""
        return None if self.path == "." else self.path.rpartition("/")[0] or "."


def nodes_of(sections: Sequence[Section]) -> list[Node]:
    """Return the nodes of a scene, the root first."""
    nodes: list[Node] = []
    for section in sections:
        if section.name == "node":
            parent, name = section.attribute("parent").removeprefix("./"), section.attribute("name")
            path = (
                "."
                if "parent" not in section.attributes
                else name
                if parent in {"", "."}
                else f"{parent}/{name}"
            )
            nodes.append(Node(section, path, len(nodes)))
    return nodes


class NodeTree:
    """The nodes of a scene by their paths, and their placements."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        """Index the nodes."""
        self._nodes: dict[str, Node] = {}
        self._double: set[str] = set()
        self._placements: dict[tuple[str, bool], Placement] = {}
        for node in nodes:
            if node.path in self._nodes:
                self._double.add(node.path)
            self._nodes[node.path] = node

    def __getitem__(self, path: str) -> Node | None:
        """Return the node with a path; None if there is none."""
        return self._nodes.get(path)

    def placement(self, node: Node, *, shown_only: bool = True) -> Placement:
        """Return where a node is drawn; raise `InputError` if it is rotated or mirrored or, with
        `shown_only`, not seen in full.
        """
        chain = [node]
        while (chain[-1].path, shown_only) not in self._placements and (
            above := chain[-1].parent
        ) is not None:
            # Godot drops a node whose parent comes later.
            known = above in self._nodes and self._nodes[above].order < chain[-1].order
            if not known or above in self._double:
                raise InputError(
                    f"node {shown(node.path)}: expected one parent {shown(above)} before it, got "
                    f"{'two' if above in self._double else 'none'}"
                )
            chain.append(self._nodes[above])
        for each in reversed(chain):
            if (each.path, shown_only) not in self._placements:
                if each is not node and each.kind not in PARENTS:
                    raise InputError(
                        f"node {shown(each.path)}: expected a parent of type Node2D for "
                        f"{shown(node.name)}, got {shown(each.kind or 'an instance')}"
                    )
                base = (
                    Placement()
                    if each.parent is None
                    else self._placements[each.parent, shown_only]
                )
                self._placements[each.path, shown_only] = _placed(each, base, shown_only=shown_only)
        return self._placements[node.path, shown_only]


def _placed(node: Node, base: Placement, *, shown_only: bool) -> Placement:
    """Return the placement of a node whose parent has the placement `base`."""
    values = node.values
    _check_upright(node)
    if shown_only:
        _check_shown(node)
    x, y, across, down = _own_transform(node)
    above = _whole(values.get("z_index", "0"), node, "z_index")
    relative = values.get("z_as_relative", "true") != "false"
    return Placement(
        (base.scale[0] * across, base.scale[1] * down),
        (base.offset[0] + base.scale[0] * x, base.offset[1] + base.scale[1] * y),
        base.z + above if relative else above,
    )


def _check_upright(node: Node) -> None:
    values = node.values
    for name in _REFUSED:
        if name in values:
            _refuse(node, name, "expected a position relative to the parent")
    for name in _ZERO:
        if (
            name in values
            and abs(read_number(values[name], f"{name} of {shown(node.path)}")) > ROUNDING
        ):
            _refuse(node, name, "expected a node that is not rotated or skewed")
    if "index" in node.section.attributes:
        _refuse(
            node,
            "index",
            "expected nodes in the order in which they are drawn; save the scene in Godot",
        )


def _check_shown(node: Node) -> None:
    values = node.values
    for name, expected in _DEFAULTS.items():
        if values.get(name, expected) != expected:
            _refuse(
                node,
                name,
                f"expected {name} to be {expected}, so that the node is shown in its place",
            )
    for name in ("modulate", "self_modulate"):
        if (
            name in values
            and read_numbers(values[name], 4, f"{name} of {shown(node.path)}")[3] < FAINTEST
        ):
            _refuse(
                node,
                name,
                f"expected an opacity of at least {FAINTEST}, so that the node can be seen",
            )
    if _whole(values.get("visibility_layer", "1"), node, "visibility_layer") == 0:
        _refuse(node, "visibility_layer", "expected a layer, so that the node is shown")


def _refuse(node: Node, name: str, expected: str) -> None:
    got = node.values.get(name, node.section.attributes.get(name, ""))
    raise InputError(f"node {shown(node.path)}: {expected}, got {shown(f'{name} = {got}')}")


def _own_transform(node: Node) -> tuple[float, float, float, float]:
    """Return the position and the scale of a node."""
    values, path = node.values, shown(node.path)
    if "transform" in values:
        if {"position", "scale"} & set(values):
            _refuse(
                node, "transform", "expected position and scale, or a transform instead of them"
            )
        across, right, left, down, x, y = read_numbers(
            values["transform"], 6, f"transform of {path}"
        )
        if abs(right) > ROUNDING or abs(left) > ROUNDING:
            _refuse(node, "transform", "expected a node that is not rotated or skewed")
    else:
        x, y = read_numbers(values.get("position", "Vector2(0, 0)"), 2, f"position of {path}")
        across, down = read_numbers(values.get("scale", "Vector2(1, 1)"), 2, f"scale of {path}")
    if min(across, down) < ROUNDING:
        _refuse(
            node,
            "transform" if "transform" in values else "scale",
            "expected a positive scale, so that the node is neither mirrored nor hidden",
        )
    return x, y, across, down


def _whole(value: str, node: Node, name: str) -> int:
    return math.floor(read_number(value, f"{name} of {shown(node.path)}"))


def cells_between(
    one: Placement, other: Placement, tile: tuple[int, int], point: tuple[float, float] = (0.0, 0.0)
) -> tuple[float, float]:
    """Return a point of node `other` in cells of the layer `one`, whose tiles have a size in
    pixels.
    """
    places = (
        other.scale[axis] * point[axis] + other.offset[axis] - one.offset[axis] for axis in (0, 1)
    )
    x, y = (place / (one.scale[axis] * tile[axis]) for axis, place in enumerate(places))
    if not math.isfinite(x) or not math.isfinite(y) or max(abs(x), abs(y)) > 1 << 31:
        raise InputError(
            f"positions: expected nodes near the tiles, got one {shown(f'{x:g},{y:g}')} cells away"
        )
    return x, y


def same_scale(one: Placement, other: Placement) -> bool:
    """Whether two nodes have the same scale, apart from rounding."""
    return all(
        abs(other.scale[axis] - one.scale[axis]) <= ROUNDING * one.scale[axis] for axis in (0, 1)
    )
