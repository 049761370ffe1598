"""TRES: the TileSet of an atlas, shared by all scenes of a folder: collision on walls, a terrain to draw walls with, and the kind of each tile."""

from levolve.formats.godot.text import quoted
from levolve.formats.look import Look
from levolve.formats.png import picture_bytes
from levolve.formats.themes.atlas import COLUMNS, Atlas, AtlasTile
from levolve.levels.level import Level
from levolve.levels.tileset import Colour

KIND = "kind"
# The neighbours of a tile in Godot's words, in the order of the bits of a mask: clockwise from north.
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
    return {f"{atlas.name}.png": picture_bytes(atlas.picture), f"{atlas.name}.tres": encode_tileset(atlas)}


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
        lines += _tile_lines(atlas, tile, f"{number % COLUMNS}:{number // COLUMNS}/0")
    lines += ["", "[resource]", f"tile_size = Vector2i({side}, {side})", "physics_layer_0/collision_layer = 1"]
    if tileset.wall is not None:
        lines += [
            f"terrain_set_0/mode = {CORNERS_AND_SIDES}",
            f"terrain_set_0/terrain_0/name = {quoted(tileset.names[tileset.wall])}",
            f"terrain_set_0/terrain_0/color = {colour_text(atlas.theme.colour(tileset, tileset.wall))}",
        ]
    lines += [f"custom_data_layer_0/name = {quoted(KIND)}", f"custom_data_layer_0/type = {TEXT_TYPE}"]
    lines += ['sources/0 = SubResource("TileSetAtlasSource_tiles")']
    return ("\n".join(lines) + "\n").encode()


def _tile_lines(atlas: Atlas, tile: AtlasTile, key: str) -> list[str]:
    """Return the lines of a tile. The terrain set must come before the terrain and its neighbours."""
    lines = [f"{key} = 0"]
    if tile.mask is not None:
        lines += [f"{key}/terrain_set = 0", f"{key}/terrain = 0"]
        lines += [f"{key}/terrains_peering_bit/{name} = 0" for bit, name in enumerate(PEERING_BITS) if tile.mask >> bit & 1]
    if tile.kind is not None and not atlas.tileset.may_stand(tile.kind):
        half = f"{atlas.tile / 2:g}"
        points = f"-{half}, -{half}, {half}, -{half}, {half}, {half}, -{half}, {half}"
        lines.append(f"{key}/physics_layer_0/polygon_0/points = PackedVector2Array({points})")
    return [*lines, f"{key}/custom_data_0 = {quoted(tile.place if tile.kind is None else atlas.tileset.names[tile.kind])}"]


def colour_text(colour: Colour) -> str:
    """Return a colour in Godot's text form."""
    return f"Color({', '.join(f'{channel / 255:.3g}' for channel in colour)}, 1)"
