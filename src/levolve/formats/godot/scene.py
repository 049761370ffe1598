"""TSCN: a scene for Godot 4.3 and later, with a TileMapLayer, one marker per place, and metadata of the root node."""

import base64
import struct

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError, shown
from levolve.formats.format import Format
from levolve.formats.godot.text import Node, parse_scene, quoted, read_numbers, read_packed, read_text
from levolve.formats.metadata import METADATA, level_from_parts, metadata_of
from levolve.formats.reading.budgets import check_cells
from levolve.formats.tileset import TILE, picture_name, tileset_picture
from levolve.levels.level import Level
from levolve.levels.places import Place
from levolve.levels.tileset import TILESETS, Tileset

TILES, PLACES = "Tiles", "Places"
# A cell: x, y, the tile's source in the tileset, its column and row there, and the number of its alternative.
CELL = np.dtype([("x", "<i2"), ("y", "<i2"), ("source", "<u2"), ("column", "<u2"), ("row", "<u2"), ("alternative", "<u2")])
VERSION = struct.pack("<H", 0)
ERASED = 0xFFFF
LONGEST_SIDE = 1 << 15


def encode(level: Level) -> bytes:
    """Encode a level as a scene that contains its tileset; walls collide."""
    if max(level.width, level.height) > LONGEST_SIDE:
        message = f"tscn: expected at most {LONGEST_SIDE} cells per side, the limit of Godot, got {level.width}x{level.height}"
        raise InputError(message)
    picture = picture_name(level.tileset)
    metadata = {"tileset": level.tileset.name, **metadata_of(level)}
    lines = [
        "[gd_scene load_steps=4 format=4]",
        "",
        f'[ext_resource type="Texture2D" path="{picture}" id="1_tiles"]',
        "",
        '[sub_resource type="TileSetAtlasSource" id="TileSetAtlasSource_tiles"]',
        'texture = ExtResource("1_tiles")',
        f"texture_region_size = Vector2i({TILE}, {TILE})",
        *_tile_lines(level.tileset),
        "",
        '[sub_resource type="TileSet" id="TileSet_tiles"]',
        f"tile_size = Vector2i({TILE}, {TILE})",
        "physics_layer_0/collision_layer = 1",
        'custom_data_layer_0/name = "kind"',
        "custom_data_layer_0/type = 4",
        'sources/0 = SubResource("TileSetAtlasSource_tiles")',
        "",
        '[node name="Level" type="Node2D"]',
        f"metadata/size = Vector2i({level.width}, {level.height})",
        *(f"metadata/{name} = {quoted(value)}" for name, value in metadata.items()),
        "",
        f'[node name="{TILES}" type="TileMapLayer" parent="."]',
        f'tile_map_data = PackedByteArray("{base64.b64encode(_cell_bytes(level)).decode()}")',
        'tile_set = SubResource("TileSet_tiles")',
        "",
        f'[node name="{PLACES}" type="Node2D" parent="."]',
    ]
    for name, (x, y) in level.places.items():
        middle = f"position = Vector2({x * TILE + TILE // 2}, {y * TILE + TILE // 2})"
        lines += ["", f'[node name="{name}" type="Marker2D" parent="{PLACES}"]', middle]
    return ("\n".join(lines) + "\n").encode()


def _tile_lines(tileset: Tileset) -> list[str]:
    """Return the lines that define the tiles: their names, and collision shapes for tiles that are not walkable."""
    half = TILE // 2
    square = f"PackedVector2Array(-{half}, -{half}, {half}, -{half}, {half}, {half}, -{half}, {half})"
    lines = []
    for kind, name in enumerate(tileset.names):
        lines.append(f"{kind}:0/0 = 0")
        if not tileset.may_stand(kind):
            lines.append(f"{kind}:0/0/physics_layer_0/polygon_0/points = {square}")
        lines.append(f'{kind}:0/0/custom_data_0 = "{name}"')
    return lines


def _cell_bytes(level: Level) -> bytes:
    cells = np.zeros(level.tiles.size, CELL)
    cells["x"], cells["y"] = np.tile(np.arange(level.width), level.height), np.repeat(np.arange(level.height), level.width)
    cells["column"] = level.tiles.ravel()
    return VERSION + cells.tobytes()


def decode(content: bytes) -> Level:
    """Decode a level from a scene that `encode` wrote, even after it was edited in Godot."""
    nodes = parse_scene(content)
    root = nodes[0] if nodes else None
    if root is None or not {"metadata/size", "metadata/tileset"} <= set(root.values):
        message = "tscn: expected a scene written by levolve, whose root node has the metadata size and tileset, got another scene"
        raise InputError(message)
    width, height = (int(part) for part in read_numbers(root.values["metadata/size"], 2, "metadata/size"))
    check_cells(width, height, "metadata/size")
    tileset = TILESETS[read_text(root.values["metadata/tileset"], "metadata/tileset")]
    tiles = _tiles(_layer(nodes), width, height, tileset)
    metadata = {name: read_text(root.values[f"metadata/{name}"], f"metadata/{name}") for name in METADATA if f"metadata/{name}" in root.values}
    return level_from_parts(tiles, _places(nodes), tileset, metadata)


def _layer(nodes: list[Node]) -> Node:
    layers = [node for node in nodes if node.kind == "TileMapLayer"]
    chosen = [node for node in layers if node.name == TILES] or layers
    if len(chosen) != 1:
        message = (
            f"tscn: expected one TileMapLayer, or one of them called {TILES}, got {', '.join(shown(node.name) for node in chosen[:4]) or 'none'}"
        )
        raise InputError(message)
    return chosen[0]


def _tiles(layer: Node, width: int, height: int, tileset: Tileset) -> NDArray[np.uint8]:
    packed = read_packed(layer.values.get("tile_map_data", 'PackedByteArray("AAA=")'), "tile_map_data")
    if packed[:2] != VERSION or (len(packed) - 2) % CELL.itemsize:
        message = f"tile_map_data: expected the version 0 in two bytes and {CELL.itemsize} bytes per cell, got {len(packed)} bytes"
        raise InputError(message)
    cells = np.frombuffer(packed, CELL, offset=2)
    cells = cells[cells["source"] != ERASED]
    outside = (cells["x"] < 0) | (cells["x"] >= width) | (cells["y"] < 0) | (cells["y"] >= height)
    foreign = (cells["source"] != 0) | (cells["row"] != 0) | (cells["column"] >= len(tileset.names))
    for wrong, expected in ((outside, f"cells inside the {width}x{height} of metadata/size"), (foreign, "tiles of the tileset in the scene")):
        if wrong.any():
            cell = cells[wrong][0]
            message = f"layer {shown(layer.name)}: expected {expected}, got another one at {cell['x']},{cell['y']}"
            raise InputError(message)
    tiles = np.full((height, width), ERASED, np.uint16)
    tiles[cells["y"], cells["x"]] = cells["column"]
    empty = tiles == ERASED
    if empty.any() and tileset.floor is None:
        y, x = divmod(int(empty.argmax()), width)
        message = f"layer {shown(layer.name)}: expected a tile in every cell, got an empty cell at {x},{y}"
        raise InputError(message)
    tiles[empty] = tileset.open_kind
    return tiles.astype(np.uint8)


def _places(nodes: list[Node]) -> dict[str, Place]:
    places: dict[str, Place] = {}
    for node in nodes:
        if node.kind == "Marker2D" and node.parent.rsplit("/", 1)[-1] == PLACES:
            x, y = read_numbers(node.values.get("position", "Vector2(0, 0)"), 2, f"position of {shown(node.name)}")
            if node.name in places:
                message = f"marker {shown(node.name)}: expected one, got a second"
                raise InputError(message)
            places[node.name] = (int(x // TILE), int(y // TILE))
    return places


TSCN = Format("a scene for Godot 4.3 and later, with a picture of the tiles in a second file", encode, decode, edited=True, beside=tileset_picture)
