"""Areas as Area2D nodes with polygons: rooms, corridors and doorways that a game can ask whether
the player is inside.

The outline of an area is one polygon. A shape with holes, or that touches itself at a corner, has a
polygon per rectangle instead.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import ceil, floor

import numpy as np

from levolve.core.errors import InputError, shown
from levolve.formats.godot.text import quoted, read_list, read_text
from levolve.formats.godot.tree import Node, NodeTree, Placement, cells_between
from levolve.formats.reading.budgets import check_amount
from levolve.levels.areas import Area
from levolve.levels.places import Place

AREAS, AREA, SHAPE, POLYGON = "Areas", "Area2D", "Shape", "CollisionPolygon2D"
# About a second of work.
MOST_WORK = 1 << 28
Points = list[tuple[float, float]]


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
    outline = _outline(set(area.cells))
    if outline is not None:
        return [outline]
    return [
        [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
        for x, y, width, height in area.rectangles
    ]


def _outline(cells: set[Place]) -> list[Place] | None:
    """Return the corners of cells clockwise; None if no single line that meets itself nowhere
    surrounds them.
    """
    after: dict[Place, Place] = {}
    for x, y in cells:
        for neighbour, start, end in (
            ((x, y - 1), (x, y), (x + 1, y)),
            ((x + 1, y), (x + 1, y), (x + 1, y + 1)),
            ((x, y + 1), (x + 1, y + 1), (x, y + 1)),
            ((x - 1, y), (x, y + 1), (x, y)),
        ):
            if neighbour not in cells:
                if start in after:
                    return None
                after[start] = end
    first = min(after)
    line = [first]
    while (following := after[line[-1]]) != first:
        line.append(following)
    if len(line) < len(after):
        return None
    turns = zip([line[-1], *line], line, [*line[1:], first], strict=False)
    return [
        here for before, here, there in turns if before[0] != there[0] and before[1] != there[1]
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
    work = 0
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
            box = _box(points, size)
            work += len(points) * (1 + box[2] * box[3])
            check_amount(work, MOST_WORK, "corners times cells in all areas", where)
            cells |= _filled(points, box)
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


def _box(points: Points, size: Place) -> tuple[int, int, int, int]:
    """Return the cells (x, y, width, height) around a polygon, inside a level of this size."""
    low = [max(0, floor(min((point[axis] for point in points), default=0))) for axis in (0, 1)]
    high = [
        min(size[axis], ceil(max((point[axis] for point in points), default=0))) for axis in (0, 1)
    ]
    return low[0], low[1], max(0, high[0] - low[0]), max(0, high[1] - low[1])


def _filled(points: Points, box: tuple[int, int, int, int]) -> set[Place]:
    """Return the cells of a box whose middle is inside a polygon."""
    left, top, width, height = box
    inside = np.zeros((height, width), np.bool_)
    for (x, y), (to_x, to_y) in zip(points, [*points[1:], *points[:1]], strict=True):
        first, last = (ceil(end - top - 0.5) for end in sorted((y, to_y)))
        rows = np.arange(max(0, first), min(height, last))
        if len(rows):
            crossed = x + (rows + top + 0.5 - y) * (to_x - x) / (to_y - y)
            inside[rows] ^= np.arange(width) + left + 0.5 > crossed[:, None]
    down, across = np.nonzero(inside)
    return set(zip((across + left).tolist(), (down + top).tolist(), strict=True))
