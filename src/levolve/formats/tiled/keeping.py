"""The layer called `keep`: cells that evolution must not change, painted with any tile, or covered by rectangles."""

import math

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError, shown
from levolve.formats.tiled.layers import PlacedLayer, all_layers, numbers_in_place
from levolve.formats.tiled.model import Map, Object
from levolve.formats.tiled.names import KEEP
from levolve.formats.tiled.objects import box_of
from levolve.formats.tiled.reading import check_map


def kept_cells(found: Map) -> NDArray[np.bool_] | None:
    """Return the `(height, width)` cells that the layers called `keep` mark; None if there is no such layer."""
    check_map(found)
    layers = [layer for layer in all_layers(found) if layer.name == KEEP and layer.layer.type in {"tilelayer", "objectgroup"}]
    if not layers:
        return None
    kept = np.zeros((found.height, found.width), bool)
    for placed in layers:
        if placed.parallax != (1, 1) or (placed.layer.x, placed.layer.y) != (0, 0):
            message = f"layer {KEEP!r}: expected a parallax factor of 1, and x and y of 0, got others; set them in Tiled (layer properties)"
            raise InputError(message)
        if placed.layer.type == "tilelayer":
            kept |= numbers_in_place(found, placed) != 0
        else:
            for entry in placed.layer.objects:
                _cover(kept, entry, placed, found)
    return kept


def _cover(kept: NDArray[np.bool_], entry: Object, placed: PlacedLayer, found: Map) -> None:
    """Mark the cells whose centres a rectangle covers, and the cell under its own centre."""
    if entry.polygon or entry.polyline or entry.ellipse or entry.rotation % 360 or entry.template:
        message = f"object {shown(entry.name or str(entry.id))} on layer {KEEP!r}: expected a rectangle that is not turned; draw it anew in Tiled"
        raise InputError(message)
    edges = box_of(entry, "unspecified")
    begin = [(position + offset) for position, offset in zip((entry.x, entry.y), placed.offset, strict=True)]
    spans = []
    for axis, (size, count) in enumerate(((found.tilewidth, found.width), (found.tileheight, found.height))):
        low, high = (begin[axis] + edges[axis]) / size, (begin[axis] + edges[axis + 2]) / size
        middle = math.floor((low + high) / 2)
        first, last = min(math.ceil(low - 0.5), middle), max(math.ceil(high - 0.5), middle + 1)
        spans.append(slice(max(first, 0), max(min(last, count), 0)))
    if not kept[spans[1], spans[0]].size:
        message = (
            f"object {shown(entry.name or str(entry.id))} on layer {KEEP!r}: expected a rectangle on the map, got one beside it; move or remove it"
        )
        raise InputError(message)
    kept[spans[1], spans[0]] = True
