"""Decoding of scenes: the level that Godot shows, whatever a person moved or painted."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError, shown
from levolve.formats.godot.areas import read_areas
from levolve.formats.godot.kinds import SceneKinds, TileSets
from levolve.formats.godot.scene import CELL, KEEP, LAYERS, MARK, PLACES, VERSION
from levolve.formats.godot.text import Section, parse_sections, read_packed, read_text, read_whole
from levolve.formats.godot.thing_nodes import is_thing, read_things
from levolve.formats.godot.things import SPRITE, THINGS
from levolve.formats.godot.tree import Node, NodeTree, cells_between, nodes_of, same_scale
from levolve.formats.metadata import KINDS, METADATA, level_from_parts, read_kinds
from levolve.formats.reading.budgets import check_cells
from levolve.formats.reading.folder import Folder
from levolve.formats.themes.atlas import COLUMNS
from levolve.formats.themes.thing_atlas import known_thing_atlas
from levolve.levels.level import Level
from levolve.levels.places import Place
from levolve.levels.things.kinds import Kind
from levolve.levels.things.thing import Thing
from levolve.levels.tileset import TILESETS, Tileset

ERASED = 0xFFFF
NOTHING = 0xFF
# The share of a cell by which a layer may be off: rounding of Godot's numbers in a level of 2048
# cells.
OFF_GRID = 1e-3
LAYER = "TileMapLayer"


@dataclass(frozen=True)
class Scene:
    """A parsed scene of a level."""

    sections: list[Section]
    nodes: list[Node]
    tree: NodeTree
    tilesets: TileSets

    @cached_property
    def root(self) -> Node:
        """The root node, which has the metadata."""
        if not self.nodes or not {"metadata/size", "metadata/tileset"} <= set(self.nodes[0].values):
            got = (
                "a scene that lists a pack; name one of its levels"
                if self.nodes and "metadata/levels" in self.nodes[0].values
                else "another scene"
            )
            raise InputError(
                "tscn: expected a scene written by levolve, whose root node has the metadata "
                f"size and tileset, got {got}"
            )
        return self.nodes[0]

    @cached_property
    def size(self) -> tuple[int, int]:
        """The width and the height of the level."""
        width, height = read_whole(self.root.values["metadata/size"], 2, "metadata/size")
        check_cells(width, height, "metadata/size")
        return width, height

    @cached_property
    def tileset(self) -> Tileset:
        """The tileset of the level."""
        return TILESETS[read_text(self.root.values["metadata/tileset"], "metadata/tileset")]

    @cached_property
    def metadata(self) -> dict[str, str]:
        """The metadata of the level."""
        values = self.root.values
        return {
            name: read_text(values[f"metadata/{name}"], f"metadata/{name}")
            for name in METADATA
            if f"metadata/{name}" in values
        }

    @cached_property
    def own_kinds(self) -> dict[str, Kind]:
        """The kinds of things of the level's own."""
        return read_kinds(self.metadata.get(KINDS, "[]"))

    @cached_property
    def things(self) -> list[Node]:
        """The nodes of things."""
        return [node for node in self.nodes if is_thing(node)]

    @cached_property
    def layers(self) -> list[Node]:
        """The layers of the level, the lowest first."""
        every = [node for node in self.nodes if node.kind == LAYER]
        named = [node for node in every if node.name in LAYERS]
        chosen = named or [node for node in every if not is_keep(node)]
        if (
            not chosen
            or (not named and len(chosen) > 1)
            or len({node.name for node in chosen}) < len(chosen)
        ):
            got = ", ".join(shown(node.name) for node in chosen[:4]) or "none"
            raise InputError(
                f"tscn: expected one {LAYER}, or layers called {', '.join(LAYERS)}, each once, "
                f"got {got}"
            )
        return sorted(chosen, key=lambda node: (self.tree.placement(node).z, node.order))

    @cached_property
    def base(self) -> Node:
        """The layer whose cell 0,0 is that of the level."""
        return min(self.layers, key=lambda node: node.order)

    @cached_property
    def tile(self) -> tuple[int, int]:
        """The size of the cells in pixels."""
        return self.tilesets.tile(
            self.base.values.get("tile_set", ""), f"layer {shown(self.base.name)}"
        )

    def kinds(self, layer: Node) -> SceneKinds:
        """Return the kinds of the tiles of a layer."""
        return self.tilesets.kinds(layer.values.get("tile_set", ""), f"layer {shown(layer.name)}")

    def shift(self, layer: Node, tile: tuple[int, int] | None, *, shown_only: bool = True) -> Place:
        """Return by how many cells a layer is moved, in cells of the first layer; raise
        `InputError` if its cells lie between those.

        `tile` is the size of the layer's cells in pixels; None if its tiles do not matter.
        """
        base, other = (
            self.tree.placement(self.base),
            self.tree.placement(layer, shown_only=shown_only),
        )
        if tile is None:
            if (base.scale, base.offset) == (other.scale, other.offset) and layer.values.get(
                "tile_set"
            ) == self.base.values.get("tile_set"):
                return 0, 0
            tile = self.tilesets.tile(
                layer.values.get("tile_set", ""), f"layer {shown(layer.name)}"
            )
        x, y = cells_between(base, other, self.tile)
        if (
            not same_scale(base, other)
            or tile != self.tile
            or max(abs(x - round(x)), abs(y - round(y))) > OFF_GRID
        ):
            raise InputError(
                f"layer {shown(layer.name)}: expected its cells on those of "
                f"{shown(self.base.name)}, got a layer moved by {x:.4g},{y:.4g} cells, or "
                "with another scale or tile size; move it by whole tiles, or reset its transform"
            )
        return round(x), round(y)


def read_scene(content: bytes, folder: Path | None = None) -> Scene:
    """Parse a scene; TileSets in other files are read from `folder` only."""
    files = Folder(folder)
    sections = parse_sections(content, check=files.budget.take)
    nodes = nodes_of(sections)
    return Scene(sections, nodes, NodeTree(nodes), TileSets(sections, files))


def decode(content: bytes, folder: Path | None = None) -> Level:
    """Decode a level from a scene that `encode` wrote, even after it was edited in Godot."""
    scene = read_scene(content, folder)
    width, height = scene.size
    tiles = np.full((height, width), NOTHING, np.uint8)
    for layer in scene.layers:
        _paint(tiles, scene, layer)
    empty = tiles == NOTHING
    if empty.any() and scene.tileset.floor is None:
        y, x = divmod(int(empty.argmax()), width)
        raise InputError(
            f"layer {shown(scene.layers[0].name)}: expected a tile in every cell, got an empty "
            f"cell at {x},{y}"
        )
    tiles[empty] = scene.tileset.open_kind
    _check_others(scene, tiles)
    base = scene.tree.placement(scene.base)
    areas = read_areas(scene.nodes, scene.tree, base, scene.tile, scene.size)
    return level_from_parts(
        tiles, read_places(scene), scene.tileset, scene.metadata, _things(scene), areas
    )


def _things(scene: Scene) -> list[Thing] | None:
    """Return the things that the scene shows as nodes; None for a scene without any, whose things
    are metadata.
    """
    nodes = scene.things
    _check_sprites(scene)
    if "metadata/things" in scene.root.values:
        if nodes:
            raise InputError(
                f"node {shown(nodes[0].path)}: expected things as nodes or as metadata, got both; "
                "remove metadata/things from the root node"
            )
        return None
    if len({node.parent for node in nodes}) > 1:
        raise InputError(f"tscn: expected one node called {THINGS}, got a second with things")
    return read_things(
        [(node, _cell(scene, node)) for node in nodes], scene.own_kinds, scene.tilesets.file_name
    )


def _check_sprites(scene: Scene) -> None:
    """Raise `InputError` for a sprite that shows a thing, but is none."""
    known = {node.path for node in scene.things}
    for node in scene.nodes:
        if node.kind != SPRITE or node.path in known or node.values.get("visible") == "false":
            continue
        if known_thing_atlas(scene.tilesets.file_name(node.values.get("texture", ""))) is not None:
            raise InputError(
                f"node {shown(node.path)}: expected sprites of things directly below a node called "
                f"{THINGS}, in the group of their kind; move it there, or remove it"
            )


def _paint(tiles: NDArray[np.uint8], scene: Scene, layer: Node) -> None:
    """Put the tiles of a layer over those of the layers below it."""
    rows, columns, found = _kinds(scene, layer)
    height, width = tiles.shape
    outside = (columns < 0) | (columns >= width) | (rows < 0) | (rows >= height)
    if outside.any():
        x, y = columns[outside][0], rows[outside][0]
        raise InputError(
            f"layer {shown(layer.name)}: expected cells inside the {width}x{height} of "
            f"metadata/size, got another one at {x},{y}"
        )
    wall = scene.tileset.wall
    below = tiles[rows, columns]
    hidden = (
        (below == wall) & (found != wall) if wall is not None else np.zeros(len(found), np.bool_)
    )
    if hidden.any():
        x, y = columns[hidden][0], rows[hidden][0]
        raise InputError(
            f"layer {shown(layer.name)}: expected no tile over a wall, got one at {x},{y}; erase "
            "one of the two tiles"
        )
    tiles[rows, columns] = found


def _kinds(
    scene: Scene, layer: Node
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]:
    """Return the rows, columns and kinds of the tiles that a layer shows."""
    kinds, where = scene.kinds(layer), f"layer {shown(layer.name)}"
    cells = read_cells(layer)
    across, down = scene.shift(layer, kinds.tile)
    rows, columns = cells["y"].astype(np.int64) + down, cells["x"].astype(np.int64) + across
    names = {name: kind for kind, name in enumerate(scene.tileset.names)}
    identities = (
        np.stack([cells[part] for part in ("source", "column", "row", "alternative")], axis=1)
        if len(cells)
        else np.zeros((0, 4), np.uint16)
    )
    unique, first, which = np.unique(identities, axis=0, return_index=True, return_inverse=True)
    table = np.zeros(len(unique), np.uint8)
    for number, (source, column, row, alternative) in enumerate(unique.tolist()):
        at = f"{where}, cell {columns[first[number]]},{rows[first[number]]}"
        name = kinds.kind((source, column, row, alternative), at)
        if name not in names:
            raise InputError(
                f"{at}: expected a tile of the kind {' or '.join(names)}, got {shown(name)}"
            )
        table[number] = names[name]
    return rows, columns, table[which.reshape(-1)]


def read_cells(layer: Node) -> NDArray[np.void]:
    """Return the cells of a layer that have a tile."""
    packed = read_packed(
        layer.values.get("tile_map_data", 'PackedByteArray("AAA=")'), "tile_map_data"
    )
    if packed and (packed[:2] != VERSION or (len(packed) - 2) % CELL.itemsize):
        raise InputError(
            f"tile_map_data: expected the version 0 in two bytes and {CELL.itemsize} bytes per "
            f"cell, got {len(packed)} bytes"
        )
    cells: NDArray[np.void] = np.frombuffer(packed, CELL, offset=2) if packed else np.zeros(0, CELL)
    # Of two tiles in a cell, Godot shows the last; a tile of no source erases.
    numbers = cells["y"].astype(np.int64) * (1 << 16) + cells["x"]
    _, last = np.unique(numbers[::-1], return_index=True)
    cells = cells[np.sort(len(cells) - 1 - last)]
    return np.asarray(cells[cells["source"] != ERASED])


def _check_others(scene: Scene, tiles: NDArray[np.uint8]) -> None:
    """Raise `InputError` if another layer shows tiles of the level's TileSets that differ from
    those of the level: Godot shows them too.
    """
    used = {layer.values.get("tile_set") for layer in scene.layers}
    height, width = tiles.shape
    for node in scene.nodes:
        if (
            node.kind != LAYER
            or node in scene.layers
            or is_keep(node)
            or node.values.get("tile_set") not in used
        ):
            continue
        rows, columns, found = _kinds(scene, node)
        inside = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
        there = np.full(len(found), scene.tileset.open_kind, np.uint8)
        there[inside] = tiles[rows[inside], columns[inside]]
        if (found != there).any():
            x, y = columns[found != there][0], rows[found != there][0]
            raise InputError(
                f"layer {shown(node.name)}: expected the level's tiles on {' and '.join(LAYERS)} "
                f"only, got one at {x},{y}; move it there, or erase it"
            )


def is_keep(node: Node) -> bool:
    """Whether a layer marks the cells to keep."""
    return node.kind == LAYER and node.name.lower() == KEEP.lower()


def read_places(scene: Scene) -> dict[str, Place]:
    """Return the cell under each marker below a node called Places."""
    markers = [
        node
        for node in scene.nodes
        if node.kind == "Marker2D" and (node.parent or "").rpartition("/")[2] == PLACES
    ]
    double = next(
        (name for name, count in Counter(node.name for node in markers).items() if count > 1), None
    )
    if double is not None:
        raise InputError(f"marker {shown(double)}: expected one, got a second")
    for node in markers:
        mark = scene.tree[f"{node.path}/{MARK}"]
        if (
            mark is not None
            and mark.kind == "Sprite2D"
            and mark.values.get("visible", "true") == "true"
        ):
            _check_mark(scene, node, mark)
    return {node.name: _cell(scene, node) for node in markers}


def _check_mark(scene: Scene, marker: Node, mark: Node) -> None:
    """Raise `InputError` if the picture of a place is in another cell than its marker, or shows
    another place.
    """
    if _cell(scene, mark) != _cell(scene, marker) or {"offset", "centered"} & set(mark.values):
        raise InputError(
            f"marker {shown(marker.name)}: expected its picture {MARK} in the same cell; move "
            "the marker instead of its picture"
        )
    atlas = scene.tilesets.atlas(mark.values.get("texture", ""))
    if atlas is None or "region_rect" not in mark.values:
        return
    number, side = atlas.place_tile(marker.name), atlas.tile
    expected = [number % COLUMNS * side, number // COLUMNS * side, side, side]
    if read_whole(mark.values["region_rect"], 4, f"region_rect of {shown(mark.path)}") != expected:
        raise InputError(
            f"marker {shown(marker.name)}: expected the picture of this place, got region_rect = "
            f"{shown(mark.values['region_rect'])}"
        )


def _cell(scene: Scene, node: Node) -> Place:
    x, y = cells_between(scene.tree.placement(scene.base), scene.tree.placement(node), scene.tile)
    return int(x // 1), int(y // 1)


def kept(content: bytes) -> NDArray[np.bool_] | None:
    """Return the `(height, width)` cells that a TileMapLayer called Keep marks with any tile; None
    if the scene has no such layer.
    """
    scene = read_scene(content)
    layers = [node for node in scene.nodes if is_keep(node)]
    if not layers:
        return None
    (width, height), marked = scene.size, layers[0]
    if len(layers) > 1:
        raise InputError(f"tscn: expected one layer called {KEEP}, got {len(layers)}")
    cells = read_cells(marked)
    across, down = scene.shift(marked, None, shown_only=False)
    rows, columns = cells["y"].astype(np.int64) + down, cells["x"].astype(np.int64) + across
    outside = (columns < 0) | (columns >= width) | (rows < 0) | (rows >= height)
    if outside.any():
        x, y = columns[outside][0], rows[outside][0]
        raise InputError(
            f"layer {shown(marked.name)}: expected cells inside the {width}x{height} of "
            f"metadata/size, got another one at {x},{y}"
        )
    found = np.zeros((height, width), np.bool_)
    found[rows, columns] = True
    return found


def grid(content: bytes) -> tuple[int, int]:
    """Return the size of the cells of a scene in pixels."""
    return read_scene(content).tile
