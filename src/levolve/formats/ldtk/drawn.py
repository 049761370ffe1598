"""What the drawn tiles of an LDtk level show. LDtk and engines show them as they are in the file, whatever the values of the IntGrid layer say."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError
from levolve.formats.ldtk.model import FAINTEST, SHORT, LayerInstance, Project, checked_layer
from levolve.formats.ldtk.text import RawList
from levolve.formats.ldtk.tilesets import FLOOR_LAYER
from levolve.levels.tileset import Tileset

_POSITION = re.compile(r'"px"\s*+:\s*+\[\s*+(-?[0-9]{1,10})\s*+,\s*+(-?[0-9]{1,10})\s*+\]')
_SOURCE = re.compile(_POSITION.pattern.replace("px", "src"))
_OPACITY = re.compile(r'"a"\s*+:\s*+([0-9]{1,3}(?:\.[0-9]{1,20})?)')
_Numbers = NDArray[np.int64]
_TILE = re.compile(r'"t"\s*+:\s*+([0-9]{1,10})')


def check_drawn(project: Project, layers: Sequence[LayerInstance], source: LayerInstance, tiles: NDArray[np.uint8], tileset: Tileset) -> None:
    """Raise `InputError` if tiles with the name of a kind are drawn in cells of another kind, or walls are not drawn.

    Only tiles whose custom data is the name of a kind are compared: a person may draw walls with other tiles. Floor may be drawn below walls.
    """
    below = False
    for layer in layers:
        kinds = _kinds(project, layer, tileset)
        # The first layer is the topmost.
        below = below or layer is source
        if layer.kind not in {"IntGrid", "AutoLayer"} or not layer.drawn or not kinds:
            continue
        checked_layer(project, layer)
        if layer.total_left or layer.total_top or layer.grid != source.grid:
            got = f"{layer.total_left},{layer.total_top} pixels and a grid of {layer.grid}"
            message = f"layer {layer.identifier[:SHORT]}: expected no offset from the tiles and their grid of {source.grid}, got {got}"
            raise InputError(message)
        positions, numbers, sources, faint = _parsed(layer)
        found = np.array([kinds.get(number, -1) for number in numbers.tolist()], np.int64)
        _check_tiles(project, layer, numbers[found >= 0], positions[found >= 0], sources[found >= 0], faint[found >= 0])
        rows, columns = positions[:, 1] // (layer.grid or 1), positions[:, 0] // (layer.grid or 1)
        inside = (found >= 0) & (rows >= 0) & (columns >= 0) & (rows < tiles.shape[0]) & (columns < tiles.shape[1])
        rows, columns, found = rows[inside], columns[inside], found[inside]
        real = tiles[rows, columns]
        # A person may decorate with tiles of ours on layers above; our own floor belongs below the walls.
        covered = layer is source or (not below and layer.identifier.startswith(FLOOR_LAYER))
        wrong = (found != real) & (covered | ~((found == tileset.open_kind) & (real == (-1 if tileset.wall is None else tileset.wall))))
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


def _check_tiles(project: Project, layer: LayerInstance, numbers: _Numbers, positions: _Numbers, sources: _Numbers, faint: NDArray[np.bool_]) -> None:  # noqa: PLR0913, PLR0917 the values of drawn tiles
    """Raise `InputError` if tiles lie between cells, can hardly be seen, or are cut from elsewhere than where their number says."""
    tileset = next(known for known in project.definitions.tilesets if known.uid == layer.tileset)
    side, columns = tileset.side or layer.grid or 1, tileset.columns or 1
    step = side + tileset.spacing
    expected = tileset.padding + np.stack([numbers % columns, numbers // columns], axis=1) * step
    if side != layer.grid or (positions % side).any() or (sources != expected).any() or faint.any():
        message = (
            f"layer {layer.identifier[:SHORT]}: expected drawn tiles of {layer.grid} pixels that fill cells and are cut from the picture where their "
            "numbers say, got others; apply all auto-layer rules again in LDtk, or empty autoLayerTiles"
        )
        raise InputError(message)


def _parsed(layer: LayerInstance) -> tuple[_Numbers, _Numbers, _Numbers, NDArray[np.bool_]]:
    """Return the `(tiles, 2)` positions, the `(tiles,)` numbers and the `(tiles, 2)` sources of the drawn tiles, and which of them are faint."""
    drawn: Any = layer.drawn
    if isinstance(drawn, RawList):
        found = [(int(x), int(y)) for x, y in _POSITION.findall(drawn)]
        sources = [(int(x), int(y)) for x, y in _SOURCE.findall(drawn)]
        numbers = [int(number) for number in _TILE.findall(drawn)]
        count = drawn.count("{")
        # Earlier versions of LDtk wrote no opacity.
        opacities = [float(opacity) for opacity in _OPACITY.findall(drawn)] or [1.0] * count
    else:
        entries = [entry if isinstance(entry, dict) else {} for entry in drawn]
        found = [px for px in (_pair(entry, "px") for entry in entries) if px is not None]
        sources = [src for src in (_pair(entry, "src") for entry in entries) if src is not None]
        numbers = [number for number in (entry.get("t") for entry in entries) if isinstance(number, int)]
        opacities = [float(opacity) for opacity in (entry.get("a", 1) for entry in entries) if isinstance(opacity, int | float)]
        count = len(entries)
    if not len(found) == len(numbers) == len(sources) == len(opacities) == count:
        message = f"layer {layer.identifier[:SHORT]}: expected px, src and t in every tile of autoLayerTiles, and a in all or none, got others"
        raise InputError(message)
    pairs = [np.array(pair, np.int64).reshape(-1, 2) for pair in (found, sources)]
    return pairs[0], np.array(numbers, np.int64), pairs[1], np.array(opacities) < FAINTEST


def _pair(entry: dict[str, Any], key: str) -> tuple[int, int] | None:
    """Return a position in a tile, if it has one."""
    match entry.get(key):
        case [int(x), int(y)] if max(abs(x), abs(y)) < 1 << 31:
            return x, y
    return None
