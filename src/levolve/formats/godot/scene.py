"""TSCN: a scene for Godot 4.3 and later: TileMapLayers, a marker per place, the solution as a
hidden line, and metadata of the root node.

TRES: the TileSet of an atlas, shared by all scenes of a folder: collision on walls, a terrain to
draw walls with, and the kind of each tile.
"""

import base64
import struct
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.formats.godot.areas import area_lines
from levolve.formats.godot.text import MARKS, quoted
from levolve.formats.godot.things import Signs, thing_lines
from levolve.formats.look import Look
from levolve.formats.metadata import metadata_of
from levolve.formats.pictures.drawing import shown_tiles
from levolve.formats.pictures.png import picture_bytes
from levolve.formats.pictures.walk_lines import path_cells
from levolve.formats.reading.budgets import MOST_BYTES, MOST_MARKS, check_amount
from levolve.formats.themes.atlas import COLUMNS, EMPTY, Atlas, AtlasTile
from levolve.levels.level import Level
from levolve.levels.places import TOUR, Place, is_checkpoint
from levolve.levels.things.playing import hidden_cells
from levolve.levels.tileset import Colour

KIND = "kind"
# The neighbours of a tile in Godot's words, in the order of the bits of a mask: clockwise from
# north.
PEERING_BITS = (
    "top_side",
    "top_right_corner",
    "right_side",
    "bottom_right_corner",
    "bottom_side",
    "bottom_left_corner",
    "left_side",
    "top_left_corner",
)
# Godot's number for "match corners and sides".
CORNERS_AND_SIDES = 0
TEXT_TYPE = 4


def files_beside(level: Level, look: Look) -> dict[str, bytes]:
    """Return the files that a level's scene refers to: the picture of the tiles and the TileSet."""
    atlas = look.atlas(level.tileset)
    files = {
        f"{atlas.name}.png": picture_bytes(atlas.picture),
        f"{atlas.name}.tres": encode_tileset(atlas),
    }
    if level.things:
        signs = look.thing_atlas(level)
        files[f"{signs.name}.png"] = picture_bytes(signs.picture)
    return files


def encode_tileset(atlas: Atlas) -> bytes:
    """Encode an atlas as a TileSet. Its terrain is the wall; a tileset without walls has none."""
    tileset, side = atlas.tileset, atlas.tile
    lines = [
        '[gd_resource type="TileSet" load_steps=3 format=3]',
        "",
        f'[ext_resource type="Texture2D" path="{atlas.name}.png" id="1_tiles"]',
        "",
        '[sub_resource type="TileSetAtlasSource" id="TileSetAtlasSource_tiles"]',
        f"resource_name = {quoted(atlas.name)}",
        'texture = ExtResource("1_tiles")',
        f"texture_region_size = Vector2i({side}, {side})",
    ]
    for number, tile in enumerate(atlas.tiles):
        lines += _tile_lines(atlas, tile, number)
    lines += [
        "",
        "[resource]",
        f"tile_size = Vector2i({side}, {side})",
        "physics_layer_0/collision_layer = 1",
    ]
    if tileset.wall is not None:
        lines += [
            f"terrain_set_0/mode = {CORNERS_AND_SIDES}",
            f"terrain_set_0/terrain_0/name = {quoted(tileset.names[tileset.wall])}",
            (
                "terrain_set_0/terrain_0/color = "
                f"{colour_text(atlas.theme.colour(tileset, tileset.wall))}"
            ),
        ]
    lines += [
        f"custom_data_layer_0/name = {quoted(KIND)}",
        f"custom_data_layer_0/type = {TEXT_TYPE}",
    ]
    lines += ['sources/0 = SubResource("TileSetAtlasSource_tiles")']
    return ("\n".join(lines) + "\n").encode()


def _tile_lines(atlas: Atlas, tile: AtlasTile, number: int) -> list[str]:
    """Return the lines of a tile. The terrain set must come before the terrain and its
    neighbours.
    """
    key = f"{number % COLUMNS}:{number // COLUMNS}/0"
    lines = [f"{key} = 0"]
    if tile.mask is not None:
        lines += [f"{key}/terrain_set = 0", f"{key}/terrain = 0"]
        lines += [
            f"{key}/terrains_peering_bit/{name} = 0"
            for bit, name in enumerate(PEERING_BITS)
            if tile.mask >> bit & 1
        ]
    if tile.kind is not None and not atlas.tileset.may_stand(tile.kind):
        half = f"{atlas.tile / 2:g}"
        points = f"-{half}, -{half}, {half}, -{half}, {half}, {half}, -{half}, {half}"
        lines.append(f"{key}/physics_layer_0/polygon_0/points = PackedVector2Array({points})")
    return [*lines, f"{key}/custom_data_0 = {quoted(atlas.names[number])}"]


def colour_text(colour: Colour) -> str:
    """Return a colour in Godot's text form."""
    return f"Color({', '.join(f'{channel / 255:.3g}' for channel in colour)}, 1)"


ROOT, PLACES, SOLUTION, MARK = "Level", "Places", "Solution", "Mark"
FLOOR, WALLS, TILES, KEEP = "Floor", "Walls", "Tiles", "Keep"
LAYERS = (FLOOR, WALLS, TILES)
TILESET_ID, PICTURE_ID, SIGNS_ID = "1_tileset", "2_tiles", "3_things"
# What is written as nodes instead of metadata.
AS_NODES = {"things", "areas"}
# A cell: x, y, the tile's source in the tileset, its column and row there, and the number of its
# alternative.
CELL = np.dtype(
    [
        ("x", "<i2"),
        ("y", "<i2"),
        ("source", "<u2"),
        ("column", "<u2"),
        ("row", "<u2"),
        ("alternative", "<u2"),
    ]
)
VERSION = struct.pack("<H", 0)
LONGEST_SIDE = 1 << 15


def encode(level: Level, look: Look | None = None) -> bytes:
    """Encode a level as a scene that refers to the TileSet of its atlas."""
    if max(level.width, level.height) > LONGEST_SIDE:
        raise InputError(
            f"tscn: expected at most {LONGEST_SIDE} cells per side, the limit of Godot, got "
            f"{level.width}x{level.height}"
        )
    look = look or Look()
    atlas = look.atlas(level.tileset)
    layers, hidden = _layers(level, atlas)
    kinds = {thing.kind for thing in level.things}
    scenes = {kind: path for kind, path in look.scenes if kind in kinds}
    ids = {kind: f"{number}_{kind}" for number, kind in enumerate(scenes, 4)}
    signs = Signs((SIGNS_ID, look.thing_atlas(level)), (PICTURE_ID, atlas), ids, hidden)
    # Things and areas are nodes.
    about = {name: text for name, text in metadata_of(level).items() if name not in AS_NODES}
    metadata = {"tileset": level.tileset.name, "theme": look.theme.name, **about}
    resources = [("TileSet", f"{atlas.name}.tres", TILESET_ID)]
    # Only the pictures of places and of what hides things refer to the picture.
    if level.places or hidden:
        resources.append(("Texture2D", f"{atlas.name}.png", PICTURE_ID))
    if any(thing.cell not in hidden and thing.kind not in ids for thing in level.things):
        resources.append(("Texture2D", f"{signs.things[1].name}.png", SIGNS_ID))
    resources += [("PackedScene", path, ids[kind]) for kind, path in scenes.items()]
    lines = [
        f"[gd_scene load_steps={1 + len(resources)} format=4]",
        "",
        *(
            f'[ext_resource type="{kind}" path={quoted(path)} id="{name}"]'
            for kind, path, name in resources
        ),
        "",
        f'[node name="{ROOT}" type="Node2D"]',
        f"metadata/size = Vector2i({level.width}, {level.height})",
        *(f"metadata/{name} = {quoted(value)}" for name, value in metadata.items()),
    ]
    for name, numbers in layers.items():
        cells = base64.b64encode(_cell_bytes(numbers)).decode()
        lines += [
            "",
            f'[node name="{name.capitalize()}" type="TileMapLayer" parent="."]',
            f'tile_map_data = PackedByteArray("{cells}")',
        ]
        lines += [f'tile_set = ExtResource("{TILESET_ID}")']
    lines += _solution_lines(level, atlas)
    lines += ["", f'[node name="{PLACES}" type="Node2D" parent="."]']
    for name, place in level.places.items():
        lines += _place_lines(name, place, atlas)
    lines += thing_lines(level.things, level.kinds, signs) if level.things else []
    lines += area_lines(level.areas, atlas.tile) if level.areas else []
    text = "\n".join(lines) + "\n"
    check_amount(
        sum(map(text.count, MARKS)), MOST_MARKS, "brackets, quotation marks and lines", "tscn"
    )
    content = text.encode()
    if len(content) > MOST_BYTES:
        raise InputError(
            f"tscn: expected a level whose scene has at most {MOST_BYTES:,} bytes, got "
            f"{len(content):,} for {level.width}x{level.height}; split it"
        )
    return content


def _layers(level: Level, atlas: Atlas) -> tuple[dict[str, NDArray[np.int32]], dict[Place, int]]:
    """Return the tiles of all layers, and the walls that players see instead of hidden things: the
    walls beside them are drawn as if those were walls too.
    """
    layers = atlas.layers(level.tiles)
    hidden = hidden_cells(level) if WALLS.lower() in layers else []
    if not hidden:
        return layers, {}
    walls = atlas.layers(shown_tiles(level))[WALLS.lower()]
    found = {(x, y): int(walls[y, x]) for x, y in hidden}
    for x, y in hidden:
        walls[y, x] = EMPTY
    return {**layers, WALLS.lower(): walls}, found


def _cell_bytes(numbers: NDArray[np.int32]) -> bytes:
    """Return the cells that show a tile, row by row."""
    rows, columns = np.nonzero(numbers != EMPTY)
    shown = numbers[rows, columns]
    cells = np.zeros(len(shown), CELL)
    cells["x"], cells["y"], cells["column"], cells["row"] = (
        columns,
        rows,
        shown % COLUMNS,
        shown // COLUMNS,
    )
    return VERSION + cells.tobytes()


def _place_lines(name: str, place: Place, atlas: Atlas) -> list[str]:
    """Return the marker of a place, in the middle of its cell, and its picture. Godot's editor
    selects both as one.
    """
    number, side = atlas.place_tile(name), atlas.tile
    return [
        "",
        f'[node name="{name}" type="Marker2D" parent="{PLACES}"]',
        f"position = {vector(*middle(place, side))}",
        "metadata/_edit_group_ = true",
        f"metadata/name = {quoted(name)}",
        f"metadata/kind = {quoted(kind_of(name))}",
        f"metadata/cell = Vector2i({place[0]}, {place[1]})",
        "",
        f'[node name="{MARK}" type="Sprite2D" parent="{PLACES}/{name}"]',
        f'texture = ExtResource("{PICTURE_ID}")',
        "region_enabled = true",
        (
            f"region_rect = Rect2({number % COLUMNS * side}, {number // COLUMNS * side}, {side}, "
            f"{side})"
        ),
    ]


def kind_of(name: str) -> str:
    """Return the kind of a place: entrance, exit, checkpoint or tour."""
    return "checkpoint" if is_checkpoint(name) else "tour" if name in TOUR else name


def _solution_lines(level: Level, atlas: Atlas) -> list[str]:
    """Return the solution as a hidden line through the cells where it turns; nothing for a level
    without one.
    """
    cells = corners(list(path_cells(level)))
    if len(cells) < 2:  # a line has two ends
        return []
    points = ", ".join(f"{number:g}" for cell in cells for number in middle(cell, atlas.tile))
    return [
        "",
        f'[node name="{SOLUTION}" type="Line2D" parent="."]',
        "visible = false",
        f"points = PackedVector2Array({points})",
        f"width = {atlas.tile / 4:g}",
        f"default_color = {colour_text(level.tileset.path)}",
        "joint_mode = 2",
        "begin_cap_mode = 2",
        "end_cap_mode = 2",
    ]


def corners(cells: Sequence[Place]) -> list[Place]:
    """Return the first cell, those where the direction changes, and the last."""
    inner = [
        here
        for before, here, after in zip(cells, cells[1:], cells[2:], strict=False)
        if _step(before, here) != _step(here, after)
    ]
    return [*cells[:1], *inner, *cells[-1:]] if len(cells) > 1 else list(cells)


def _step(one: Place, other: Place) -> Place:
    return other[0] - one[0], other[1] - one[1]


def middle(place: Place, side: int) -> tuple[float, float]:
    """Return the middle of a cell in pixels."""
    return (place[0] + 0.5) * side, (place[1] + 0.5) * side


def vector(x: float, y: float) -> str:
    """Return a Vector2 in Godot's text form."""
    return f"Vector2({x:.12g}, {y:.12g})"
