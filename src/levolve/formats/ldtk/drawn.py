"""What the drawn tiles of an LDtk level show. LDtk and engines show them as they are in the file, whatever the values of the IntGrid layer say."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError
from levolve.formats.ldtk.model import SHORT, LayerInstance, Project, checked_layer
from levolve.formats.ldtk.text import RawList
from levolve.levels.tileset import Tileset

_POSITION = re.compile(r'"px"\s*+:\s*+\[\s*+(-?[0-9]{1,10})\s*+,\s*+(-?[0-9]{1,10})\s*+\]')
_TILE = re.compile(r'"t"\s*+:\s*+([0-9]{1,10})')


def check_drawn(project: Project, layers: Sequence[LayerInstance], source: LayerInstance, tiles: NDArray[np.uint8], tileset: Tileset) -> None:
    """Raise `InputError` if tiles with the name of a kind are drawn in cells of another kind, or walls are not drawn.

    Only tiles whose custom data is the name of a kind are compared: a person may draw walls with other tiles. Floor may be drawn below walls.
    """
    for layer in layers:
        kinds = _kinds(project, layer, tileset)
        if layer.kind not in {"IntGrid", "AutoLayer"} or not layer.drawn or not kinds or layer.grid != source.grid:
            continue
        checked_layer(project, layer)
        if layer.total_left or layer.total_top:
            message = f"layer {layer.identifier[:SHORT]}: expected no offset from the tiles, got {layer.total_left},{layer.total_top} pixels"
            raise InputError(message)
        positions, numbers = _parsed(layer)
        found = np.array([kinds.get(number, -1) for number in numbers.tolist()], np.int64)
        rows, columns = positions[:, 1] // (layer.grid or 1), positions[:, 0] // (layer.grid or 1)
        inside = (found >= 0) & (rows >= 0) & (columns >= 0) & (rows < tiles.shape[0]) & (columns < tiles.shape[1])
        rows, columns, found = rows[inside], columns[inside], found[inside]
        real = tiles[rows, columns]
        wrong = (found != real) & ~((found == tileset.open_kind) & (real == (-1 if tileset.wall is None else tileset.wall)))
        bare = np.zeros(tiles.shape, bool)
        if tileset.wall is not None and layer is source and (found == tileset.wall).any():
            bare = tiles == tileset.wall
            bare[rows[found == tileset.wall], columns[found == tileset.wall]] = False
        if wrong.any() or bare.any():
            row, column = (rows[wrong][0], columns[wrong][0]) if wrong.any() else np.argwhere(bare)[0]
            seen = tileset.names[found[wrong][0]] if wrong.any() else "no wall"
            message = (
                f"layer {layer.identifier[:SHORT]}: expected drawn tiles as in its IntGrid values, got {seen} drawn at {column},{row}, where "
                f"the value is {tileset.names[tiles[row, column]]}; apply all auto-layer rules again in LDtk, or empty autoLayerTiles"
            )
            raise InputError(message)


def _kinds(project: Project, layer: LayerInstance, tileset: Tileset) -> dict[int, int]:
    """Return the kind of each tile of a layer's tileset that has the name of one."""
    known = {name: kind for kind, name in enumerate(tileset.names)}
    named = [data for definition in project.definitions.tilesets if definition.uid == layer.tileset for data in definition.data]
    return {data.tile: known[data.data] for data in named if data.data in known}


def _parsed(layer: LayerInstance) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the `(tiles, 2)` positions in pixels and the `(tiles,)` numbers of the drawn tiles."""
    drawn: Any = layer.drawn
    if isinstance(drawn, RawList):
        found = [(int(x), int(y)) for x, y in _POSITION.findall(drawn)]
        numbers = [int(number) for number in _TILE.findall(drawn)]
        count = drawn.count("{")
    else:
        entries = [entry if isinstance(entry, dict) else {} for entry in drawn]
        found = [px for px in map(_pair, entries) if px is not None]
        numbers = [number for number in (entry.get("t") for entry in entries) if isinstance(number, int)]
        count = len(entries)
    if not len(found) == len(numbers) == count:
        counts = f"{count} tiles with {len(found)} and {len(numbers)}"
        message = f"layer {layer.identifier[:SHORT]}: expected px and t in every tile of autoLayerTiles, got {counts}"
        raise InputError(message)
    return np.array(found, np.int64).reshape(-1, 2), np.array(numbers, np.int64)


def _pair(entry: dict[str, Any]) -> tuple[int, int] | None:
    """Return the position of a tile, if it has one."""
    match entry.get("px"):
        case [int(x), int(y)] if max(abs(x), abs(y)) < 1 << 31:
            return x, y
    return None
