"""Areas as Area2D nodes with polygons: rooms, corridors and doorways that a game can ask whether
the player is inside.

The outline of an area is one polygon. A shape with holes, or that touches itself at a corner, has a
polygon per rectangle instead.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from levolve.core.errors import InputError, shown
from levolve.formats.godot.text import quoted, read_list, read_text
from levolve.formats.godot.tree import Node, NodeTree, Placement, cells_between
from levolve.formats.outlines import cells_inside, loops_of
from levolve.levels.areas import Area
from levolve.levels.places import Place

AREAS, AREA, SHAPE, POLYGON = "Areas", "Area2D", "Shape", "CollisionPolygon2D"


def area_lines(areas: Iterable[Area], side: int) -> list[str]:
    """Return the nodes of areas, below a hidden node called Areas, for tiles of `side` pixels."""
    lines = ["", f'[node name="{AREAS}" type="Node2D" parent="."]', "visible = false"]
    counts: Counter[str] = Counter()
    for area in areas:
        counts[area.kind] += 1
        path = f"{AREAS}/{area.kind} {counts[area.kind]}"
        name = path.rpartition("/")[2]
        lines += [
            "",
            f'[node name="{name}" type="{AREA}" parent="{AREAS}" groups=["{area.kind}"]]',
            # It notices who enters it, and nothing bumps into it.
            "collision_layer = 0",
            "monitorable = false",
            f"metadata/kind = {quoted(area.kind)}",
            f"metadata/role = {quoted(area.role)}",
        ]
        for number, points in enumerate(polygons(area), 1):
            shape = SHAPE if number == 1 else f"{SHAPE} {number}"
            texts = ", ".join(f"{part * side}" for point in points for part in point)
            lines += [
                "",
                f'[node name="{shape}" type="{POLYGON}" parent={quoted(path)}]',
                f"polygon = PackedVector2Array({texts})",
            ]
    return lines


def polygons(area: Area) -> list[list[Place]]:
    """Return polygons that cover a shape of cells, as corners of cells."""
    outline, *others = loops_of(area.cells)
    if not others and len(set(outline)) == len(outline):
        return [outline]
    return [
        [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
        for x, y, width, height in area.rectangles
    ]


def is_area(node: Node) -> bool:
    """Whether a node is an area of the level: with a kind, directly below a node called Areas."""
    below = (node.parent or "").rpartition("/")[2] == AREAS
    return below and node.kind == AREA and "metadata/kind" in node.values


def read_areas(
    nodes: Sequence[Node], tree: NodeTree, base: Placement, tile: tuple[int, int], size: Place
) -> list[Area] | None:
    """Return the areas below a node called Areas, whose cells are those of the layer `base`; None
    without such a node.
    """
    if not any(node.name == AREAS and node.kind == "Node2D" for node in nodes):
        return None
    shapes: dict[str, list[Node]] = {}
    for node in nodes:
        if node.kind == POLYGON:
            shapes.setdefault(str(node.parent), []).append(node)
    found = []
    for node in nodes:
        if not is_area(node):
            continue
        where = f"node {shown(node.path)}"
        cells: set[Place] = set()
        for shape in shapes.get(node.path, []):
            place = tree.placement(shape, shown_only=False)
            points = [
                cells_between(base, place, tile, point)
                for point in read_list(shape.values.get("polygon", ""), f"{where}: polygon")
            ]
            cells.update(cells_inside(points, *size, where))
        if not cells:
            raise InputError(
                f"{where}: expected a {POLYGON} below it that covers cells of the level"
            )
        kind, role = (
            read_text(node.values.get(f"metadata/{name}", '""'), f"{where}: {name}")
            for name in ("kind", "role")
        )
        found.append(Area.of(kind, cells, role))
    return found
