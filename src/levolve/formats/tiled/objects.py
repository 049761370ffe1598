"""Where objects are: their centres in pixels, and the cells below them."""

import math

from levolve.errors import InputError, shown
from levolve.formats.tiled.kinds import Drawn
from levolve.formats.tiled.layers import PlacedLayer
from levolve.formats.tiled.model import Map, Object
from levolve.levels.places import Place

# Where the position of a tile object is in its rectangle, as shares of the width and the height, by the alignment of its tileset.
ALIGNMENTS: dict[str, tuple[float, float]] = {
    "unspecified": (0, 1),
    "topleft": (0, 0),
    "top": (0.5, 0),
    "topright": (1, 0),
    "left": (0, 0.5),
    "center": (0.5, 0.5),
    "right": (1, 0.5),
    "bottomleft": (0, 1),
    "bottom": (0.5, 1),
    "bottomright": (1, 1),
}


def box_of(entry: Object, alignment: str) -> tuple[float, float, float, float]:
    """Return the left, top, right and bottom edge of an object before its rotation, in pixels from its position."""
    if entry.polygon or entry.polyline:
        return _extent(entry)
    if alignment not in ALIGNMENTS:
        message = f"tileset: expected an object alignment such as bottomleft, got {shown(alignment)}"
        raise InputError(message)
    across, down = ALIGNMENTS[alignment] if entry.gid else (0, 0)
    left, top = -across * entry.width, -down * entry.height
    return left, top, left + entry.width, top + entry.height


def _extent(entry: Object) -> tuple[float, float, float, float]:
    """Return the edges of a polygon or a line."""
    points = entry.polygon or entry.polyline
    pairs = (pair.partition(",")[::2] for pair in points.split()) if isinstance(points, str) else ((point["x"], point["y"]) for point in points)
    left, top, right, bottom = math.inf, math.inf, -math.inf, -math.inf
    try:
        for pair in pairs:
            x, y = float(pair[0]), float(pair[1])
            left, top, right, bottom = min(left, x), min(top, y), max(right, x), max(bottom, y)
    except (TypeError, ValueError, LookupError) as problem:
        message = f"object {shown(entry.name)}: expected points of two numbers each, got others"
        raise InputError(message) from problem
    if not all(map(math.isfinite, (left, top, right, bottom))):
        message = f"object {shown(entry.name)}: expected at least one point, and finite numbers"
        raise InputError(message)
    return left, top, right, bottom


def centre_of(entry: Object, alignment: str) -> tuple[float, float]:
    """Return the centre of an object in pixels. Tiled turns an object clockwise around its position."""
    left, top, right, bottom = box_of(entry, alignment)
    x, y = (left + right) / 2, (top + bottom) / 2
    if entry.rotation:
        angle = math.radians(entry.rotation)
        x, y = x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)
        # Without the rounding, a quarter turn could end just beside the edge of a cell.
        return round(entry.x + x, 6), round(entry.y + y, 6)
    return entry.x + x, entry.y + y


def sized(entry: Object, drawn: Drawn, what: str) -> Object:
    """Return an object with its size: one that shows a tile and has no size is as large as the tile."""
    if entry.width and entry.height:
        return entry
    if not (drawn.width and drawn.height):
        message = f"{what}: expected an object with a size, or a tileset with the size of its tiles, got neither; set its size in Tiled"
        raise InputError(message)
    return entry.model_copy(update={"width": entry.width or drawn.width, "height": entry.height or drawn.height})


def turned(box: tuple[float, float, float, float], rotation: float) -> tuple[float, float, float, float]:
    """Return the edges that hold a box after a clockwise turn around its position. A negative size is drawn mirrored."""
    angle = math.radians(rotation % 360)
    across, down = math.cos(angle), math.sin(angle)
    corners = [(x * across - y * down, x * down + y * across) for x in box[::2] for y in box[1::2]]
    columns, rows = zip(*corners, strict=True)
    return min(columns), min(rows), max(columns), max(rows)


def cell_of(entry: Object, placed: PlacedLayer, found: Map, alignment: str) -> Place:
    """Return the cell under the centre of an object."""
    what = f"object {shown(entry.name)}"
    if entry.template:
        message = f"{what}: expected an object without a template; in Tiled choose Detach in its context menu"
        raise InputError(message)
    if not entry.visible:
        message = f"{what}: expected a visible object, got a hidden one; show it in Tiled"
        raise InputError(message)
    centre, offset = centre_of(entry, alignment), placed.offset
    across, down = centre[0] + offset[0], centre[1] + offset[1]
    x, y = across / found.tilewidth, down / found.tileheight
    if not (0 <= x < found.width and 0 <= y < found.height):
        message = f"{what}: expected its centre in the map of {found.width}x{found.height} cells, got {across:g},{down:g} pixels"
        raise InputError(message)
    return int(x), int(y)
