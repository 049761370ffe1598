"""What the drawn tiles of an LDtk level show. LDtk and engines show them as they are in the file,
whatever the values of the IntGrid layer say.
"""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError, shown
from levolve.formats.ldtk.definitions import FLOOR_LAYER
from levolve.formats.ldtk.kinds import TilesetKinds, is_ours, kinds_of
from levolve.formats.ldtk.model import (
    FAINTEST,
    SHORT,
    EntityDefinition,
    EntityInstance,
    LayerInstance,
    Project,
    TileRectangle,
    TilesetDefinition,
    checked_layer,
    rectangle_of,
)
from levolve.formats.ldtk.text import RawList
from levolve.levels.tileset import Tileset

_POSITION = re.compile(r'"px"\s*+:\s*+\[\s*+(-?[0-9]{1,10})\s*+,\s*+(-?[0-9]{1,10})\s*+\]')
_SOURCE = re.compile(_POSITION.pattern.replace("px", "src"))
# What would follow a number that is read only in part, such as 4e1.
_END = r"(?![0-9.eE])"
_OPACITY = re.compile(rf'"a"\s*+:\s*+([0-9]{{1,3}}(?:\.[0-9]{{1,20}})?){_END}')
_Numbers = NDArray[np.int64]
_TILE = re.compile(rf'"t"\s*+:\s*+([0-9]{{1,10}}){_END}')
# The number of the cell: LDtk shows a painted tile there, and engines show it at px.
_CELL = re.compile(r'"d"\s*+:\s*+\[\s*+([0-9]{1,10})\s*+\]')
# A tile in a value of LDtk's editor.
_RECTANGLE = re.compile(",".join([r"\s*(-?[0-9]{1,9})\s*"] * 4))


def check_drawn(
    project: Project,
    layers: Sequence[LayerInstance],
    source: LayerInstance,
    tiles: NDArray[np.uint8],
    tileset: Tileset,
) -> None:
    """Raise `InputError` if tiles with the name of a kind are drawn in cells of another kind, or
    walls are not drawn.

    Only tiles of our pictures, and those whose custom data is the name of a kind, are compared: a
    person may draw walls with other tiles. Floor may be drawn below walls.
    """
    below = False
    for layer in layers:
        # The first layer is the topmost.
        below = below or layer is source
        if layer.kind == "Entities":
            _check_entities(project, layer, source, tiles, tileset)
        for drawn in (layer.drawn, layer.painted):
            if drawn:
                _check_layer(project, layer, drawn, source, tiles, tileset, below=below)


def _check_layer(
    project: Project,
    layer: LayerInstance,
    drawn: RawList | list[Any],
    source: LayerInstance,
    tiles: NDArray[np.uint8],
    tileset: Tileset,
    *,
    below: bool,
) -> None:
    """Compare the drawn tiles of a layer with the level."""
    hidden = layer.kind == "Tiles" and (not layer.visible or not layer.opacity)
    kinds = None if hidden else _kinds_of(project, layer, tileset)
    if kinds is None:
        return
    positions, numbers, sources, faint, cells = _parsed(layer, drawn)
    found = kinds.of(numbers)
    ours = (found >= 0) | (
        kinds.of(_cut_at(_tileset(project, layer.tileset), sources, layer.grid)) >= 0
    )
    if not ours.any() and layer is not source:
        return
    checked_layer(project, layer)
    offset = (layer.total_left, layer.total_top)
    if (any(offset) and layer.kind != "Tiles") or layer.grid != source.grid:
        got = f"{offset[0]},{offset[1]} pixels and a grid of {layer.grid}"
        raise InputError(
            f"layer {layer.identifier[:SHORT]}: expected no offset from the tiles and their grid "
            f"of {source.grid}, got {got}"
        )
    _check_tiles(project, layer, numbers[ours], positions[ours], sources[ours], faint[ours])
    side = layer.grid or 1
    if len(cells):
        columns, rows = (positions[ours] // side).T
        if (cells[ours] != columns + rows * layer.width).any():
            raise InputError(
                f"layer {layer.identifier[:SHORT]}: expected painted tiles whose cell d is that of "
                "their position px, got others; open and save the project in LDtk"
            )
    # A layer with an offset draws a tile in up to four cells.
    edges = [
        (x, y)
        for x in sorted({0, offset[0] % side and side - 1})
        for y in sorted({0, offset[1] % side and side - 1})
    ]
    corners = np.concatenate(
        [positions + np.array(offset, np.int64) + np.array(edge, np.int64) for edge in edges]
    )
    found, (columns, rows) = np.tile(found, len(edges)), (corners // side).T
    inside = (
        (found >= 0)
        & (rows >= 0)
        & (columns >= 0)
        & (rows < tiles.shape[0])
        & (columns < tiles.shape[1])
    )
    rows, columns, found = rows[inside], columns[inside], found[inside]
    real = tiles[rows, columns]
    # A person may decorate with tiles of ours on layers above; our own floor belongs below the
    # walls.
    covered = layer is source or (not below and layer.identifier.startswith(FLOOR_LAYER))
    wrong = (found != real) & (
        covered
        | ~((found == tileset.open_kind) & (real == (-1 if tileset.wall is None else tileset.wall)))
    )
    bare = np.zeros(tiles.shape, bool)
    if tileset.wall is not None and layer is source and (found == tileset.wall).any():
        bare = tiles == tileset.wall
        bare[rows[found == tileset.wall], columns[found == tileset.wall]] = False
    if wrong.any() or bare.any():
        row, column = (rows[wrong][0], columns[wrong][0]) if wrong.any() else np.argwhere(bare)[0]
        seen = tileset.names[found[wrong][0]] if wrong.any() else "no wall"
        raise InputError(
            f"layer {layer.identifier[:SHORT]}: expected drawn tiles as in its IntGrid "
            f"values, got {seen} drawn at {column},{row}, where "
            f"the value is {tileset.names[tiles[row, column]]}; apply all auto-layer rules "
            "again in LDtk, or empty autoLayerTiles"
        )


def _kinds_of(project: Project, layer: LayerInstance, tileset: Tileset) -> TilesetKinds | None:
    """Return the kinds of the tiles of a layer, whose parts must name the same tileset.

    LDtk goes by the numbers of tilesets, and some programs by the name of the picture.
    """
    what = f"layer {layer.identifier[:SHORT]}"
    own = [each.picture for each in project.definitions.tilesets if each.uid == layer.tileset]
    if layer.picture not in own and is_ours(layer.picture, project.files):
        raise InputError(
            f"{what}: expected the picture of its tileset in __tilesetRelPath, got "
            f"{shown(layer.picture)}; open and save the project in LDtk"
        )
    kinds = kinds_of(project, layer.tileset, tileset) or kinds_of(project, layer.override, tileset)
    if kinds is not None and layer.override not in {None, layer.tileset}:
        raise InputError(
            f"{what}: expected one tileset, got two; open and save the project in LDtk"
        )
    return kinds


def _tileset(project: Project, uid: int | None) -> TilesetDefinition:
    return next(known for known in project.definitions.tilesets if known.uid == uid)


def _cut_at(tileset: TilesetDefinition, sources: _Numbers, grid: int | None) -> _Numbers:
    """Return the numbers of the tiles at positions in the picture of a tileset."""
    step = max((tileset.side or grid or 1) + tileset.spacing, 1)
    cells = (sources - tileset.padding) // step
    return np.asarray(cells[:, 0] + cells[:, 1] * (tileset.columns or 1))


def _check_entities(
    project: Project,
    layer: LayerInstance,
    source: LayerInstance,
    tiles: NDArray[np.uint8],
    tileset: Tileset,
) -> None:
    """Raise `InputError` for an entity that shows a tile of another kind than that of the cells
    which it covers.
    """
    if not layer.visible or not layer.opacity:
        return
    side = source.grid or 1
    for entity in layer.entities:
        definition = project.entity(entity)
        given = [entity.tile, definition.tile, *_shown_by_fields(entity, definition)]
        for rectangle in (each for each in dict.fromkeys(given) if each is not None):
            kinds = kinds_of(project, rectangle.uid, tileset)
            if kinds is None or entity.px is None:
                continue
            corners = [
                (rectangle.x, rectangle.y),
                (rectangle.x + rectangle.width - 1, rectangle.y + rectangle.height - 1),
            ]
            shows = set(
                kinds.of(
                    _cut_at(
                        _tileset(project, rectangle.uid), np.array(corners, np.int64), source.grid
                    )
                ).tolist()
            ) - {-1}
            pivots = [
                own if own is not None else other
                for own, other in zip(
                    (definition.pivot_x, definition.pivot_y), entity.pivot, strict=True
                )
            ]
            left, top = (
                int(entity.px[axis] - pivots[axis] * size + total)
                for axis, size, total in (
                    (0, entity.width, layer.total_left),
                    (1, entity.height, layer.total_top),
                )
            )
            rows = slice(max(top // side, 0), max(-(-(top + max(entity.height, 1)) // side), 0))
            columns = slice(max(left // side, 0), max(-(-(left + max(entity.width, 1)) // side), 0))
            covered = set(np.unique(tiles[rows, columns]).tolist())
            wrong = next(
                (
                    kind
                    for kind in shows
                    if covered - {kind}
                    and not (kind == tileset.open_kind and covered <= {kind, tileset.wall})
                ),
                None,
            )
            if wrong is not None:
                raise InputError(
                    f"entity {entity.identifier[:SHORT]} on layer "
                    f"{layer.identifier[:SHORT]}: expected a tile that fits the level, got "
                    f"{tileset.names[wrong]} drawn at {columns.start},{rows.start}; choose "
                    "another tile for it in LDtk"
                )


def _shown_by_fields(
    entity: EntityInstance, definition: EntityDefinition
) -> Iterator[TileRectangle | None]:
    """Return the tiles of the fields that LDtk shows in place of the entity's own tile.

    LDtk reads them from the values of its editor, and programs from `__value` or `__tile`.
    """
    seen = {known.uid: known for known in definition.fields if known.shown == "EntityTile"}
    for field in entity.fields:
        known = seen.get(field.uid)
        if known is None:
            continue
        yield field.tile
        for value in field.value if isinstance(field.value, list) else [field.value]:
            yield rectangle_of(value) if isinstance(value, dict) else None
        for text in field.texts:
            numbers = _RECTANGLE.fullmatch(text)
            if numbers is not None:
                sides = dict(zip("xywh", map(int, numbers.groups()), strict=True))
                yield rectangle_of({"tilesetUid": known.tileset, **sides})


def _check_tiles(
    project: Project,
    layer: LayerInstance,
    numbers: _Numbers,
    positions: _Numbers,
    sources: _Numbers,
    faint: NDArray[np.bool_],
) -> None:
    """Raise `InputError` if tiles lie between cells, can hardly be seen, or are cut from elsewhere
    than where their number says.
    """
    tileset = _tileset(project, layer.tileset)
    side, columns = tileset.side or layer.grid or 1, tileset.columns or 1
    step = side + tileset.spacing
    expected = tileset.padding + np.stack([numbers % columns, numbers // columns], axis=1) * step
    if side != layer.grid or (positions % side).any() or (sources != expected).any() or faint.any():
        raise InputError(
            f"layer {layer.identifier[:SHORT]}: expected drawn tiles of {layer.grid} pixels "
            "that fill cells and are cut from the picture where their "
            "numbers say, got others; apply all auto-layer rules again in LDtk, or empty "
            "autoLayerTiles"
        )


def _parsed(
    layer: LayerInstance, drawn: RawList | list[Any]
) -> tuple[_Numbers, _Numbers, _Numbers, NDArray[np.bool_], _Numbers]:
    """Return what the drawn tiles are, one row per tile.

    These are the `(tiles, 2)` positions, the `(tiles,)` numbers, the `(tiles, 2)` sources, which of
    them are faint, and the `(tiles,)` cells, which are empty if no tile has one.
    """
    text = drawn if isinstance(drawn, RawList) else json.dumps(drawn)
    found = [(int(x), int(y)) for x, y in _POSITION.findall(text)]
    sources = [(int(x), int(y)) for x, y in _SOURCE.findall(text)]
    numbers = [int(number) for number in _TILE.findall(text)]
    cells = [int(number) for number in _CELL.findall(text)]
    count, celled = text.count("{"), text.count('"d"')
    # Earlier versions of LDtk wrote no opacity.
    opacities = [float(opacity) for opacity in _OPACITY.findall(text)] or [1.0] * count
    # A key that one tile has twice and another not at all would shift the values of all others.
    keys = [f'"{key}"' for key in ("px", "src", "t", "a", "d")]
    twice = any(tile.count(key) > 1 for tile in text.split("}") for key in keys)
    twice = twice or (text is not drawn and count != len(drawn))
    if twice or not len(found) == len(numbers) == len(sources) == len(opacities) == count:
        raise InputError(
            f"layer {layer.identifier[:SHORT]}: expected px, src and t in every drawn tile as "
            "32-bit numbers, and a in all or none, each once, got others"
        )
    if drawn is layer.painted and (celled not in {0, count} or celled != len(cells)):
        raise InputError(
            f"layer {layer.identifier[:SHORT]}: expected one cell as d in all of its painted tiles "
            "or in none, got others; open and save the project in LDtk"
        )
    pairs = [np.array(pair, np.int64).reshape(-1, 2) for pair in (found, sources)]
    return (
        pairs[0],
        np.array(numbers, np.int64),
        pairs[1],
        np.array(opacities) < FAINTEST,
        np.array(cells if drawn is layer.painted else [], np.int64),
    )
