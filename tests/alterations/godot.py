"""Alterations of Godot scenes, their TileSet and its picture."""

import base64
import re
import struct
from pathlib import Path
from random import Random

from PIL import Image

from alterations.alteration import POSITIONS, SCALES, pick
from levolve.formats.look import Look
from levolve.levels.level import Level
from oracles.godot import raw_cells

NODES = ("Level", "Floor", "Walls", "Places", "entrance", "exit", "Mark", "Solution")
SIDE = 16


def alter(path: Path, level: Level, other: Level, random: Random) -> str:
    """Change a scene once or twice; return what was done."""
    del other
    ways = (_node, _node, _node, _group, _cells, _tileset, _picture, _extra, _swap)
    return "; ".join(
        random.choice(ways)(path, level, random) for _ in range(random.choice((1, 1, 1, 2)))
    )


def _insert(path: Path, node: str, lines: str) -> None:
    text = path.read_text()
    path.write_text(re.sub(rf'(\[node name="{node}"[^\n]*\])', rf"\1\n{lines}", text, count=1))


def _place(random: Random) -> str:
    x, y = random.choice(POSITIONS), random.choice((0, 0, *POSITIONS))
    across, down = random.choice(SCALES)
    return pick(
        random,
        f"position = Vector2({x}, {y})",
        f"position = Vector2({x}, {y})",
        f"scale = Vector2({across}, {down})",
        f"position = Vector2({x}, {y})\nscale = Vector2({across}, {down})",
        f"rotation = {random.choice((0, 1.5707964, 3.1415927, 0.1, 1e-9))}",
        f"skew = {random.choice((0, 0.3))}",
        f"transform = Transform2D({across}, 0, 0, {down}, {x}, {y})",
        f"transform = Transform2D(0, {across}, {-down}, 0, {x}, {y})",
    )


def _hide(random: Random) -> str:
    return pick(
        random,
        "visible = false",
        "enabled = false",
        f"modulate = Color(1, 1, 1, {random.choice((0, 0.1, 1))})",
        "self_modulate = Color(1, 1, 1, 0)",
        f"z_index = {random.choice((-2, -1, 1, 5))}",
        "z_index = 3\nz_as_relative = false",
        "top_level = true",
        "show_behind_parent = true",
    )


def _node(path: Path, level: Level, random: Random) -> str:
    del level
    node, lines = random.choice(NODES), _place(random) if random.random() < 0.7 else _hide(random)
    text = path.read_text()
    if lines.startswith("position") and node in {"entrance", "exit"}:
        path.write_text(
            re.sub(
                rf'(\[node name="{node}"[^\n]*\])\nposition = [^\n]*',
                rf"\1\n{lines}",
                text,
                count=1,
            )
        )
    else:
        _insert(path, node, lines)
    return f"{node}: {lines}"


def _group(path: Path, level: Level, random: Random) -> str:
    """Put a node into a group that is moved itself."""
    del level
    node, lines = pick(random, "Floor", "Walls"), _place(random)
    heading = f'[node name="{node}" type="TileMapLayer" parent="."]'
    group = (
        f'[node name="Group" type="Node2D" parent="."]\n{lines}\n\n[node name="{node}" '
        'type="TileMapLayer" parent="Group"]'
    )
    path.write_text(path.read_text().replace(heading, group, 1))
    return f"{node} in a group with {lines}"


def _cells(path: Path, level: Level, random: Random) -> str:
    """Paint, erase, move, flip or double tiles."""
    layer = pick(random, "Floor", "Walls")
    text = path.read_text()
    match = re.search(
        (
            rf'\[node name="{layer}"[^\n]*\]\n(?:(?!\[).*\n)*?tile_map_data = '
            r'(PackedByteArray\("[^"]*"\))'
        ),
        text,
    )
    if match is None:
        return "nothing"
    cells = [list(cell) for cell in raw_cells(match[1])]
    tiles = Look().atlas(level.tileset).tiles
    for _ in range(random.randint(1, 4)):
        number = random.randrange(len(tiles))
        at = [random.randrange(level.width), random.randrange(level.height)]
        way = pick(random, "paint", "paint", "erase", "move", "flip", "source", "alternative")
        if way == "paint" or not cells:
            cells.append([*at, 0, number % 8, number // 8, 0])
            continue
        cell = random.choice(cells)
        if way == "erase":
            cells.remove(cell)
        elif way == "move":
            cell[0] += random.choice((-1, 1))
        elif way == "flip":
            cell[5] |= random.choice((0x1000, 0x2000, 0x4000))
        elif way == "source":
            cell[2] = random.choice((1, 0xFFFF))
        else:
            cell[5] = 3
    content = struct.pack("<H", 0) + b"".join(struct.pack("<hhHHHH", *cell) for cell in cells)
    path.write_text(
        text.replace(match[1], f'PackedByteArray("{base64.b64encode(content).decode()}")', 1)
    )
    return f"other cells in {layer}"


def _tileset(path: Path, level: Level, random: Random) -> str:
    """Change the TileSet of the folder."""
    tres = path.parent / f"{Look().atlas(level.tileset).name}.tres"
    text = tres.read_text()
    column, row = random.randrange(8), random.randrange(6)
    before, after = random.choice(
        (
            (
                "\ntile_size = Vector2i(16, 16)",
                f"\ntile_size = Vector2i({random.choice((8, 20, 32))}, {random.choice((16, 32))})",
            ),
            (
                "texture_region_size = Vector2i(16, 16)",
                f"texture_region_size = Vector2i({random.choice((8, 32))}, 16)",
            ),
            (
                "texture_region_size",
                f"margins = Vector2i({random.choice((16, 64))}, 0)\ntexture_region_size",
            ),
            ("texture_region_size", "separation = Vector2i(16, 0)\ntexture_region_size"),
            ('custom_data_0 = "wall"', 'custom_data_0 = "floor"'),
            ('custom_data_0 = "floor"', 'custom_data_0 = "wall"'),
            (
                f"{column}:{row}/0 = 0\n",
                f"{column}:{row}/0 = 0\n{column}:{row}/0/texture_origin = Vector2i(16, 0)\n",
            ),
            (f"{column}:{row}/0 = 0\n", ""),
        )
    )
    tres.write_text(text.replace(before, after))
    return f"TileSet: {before.strip()} → {after.strip()}"


def _picture(path: Path, level: Level, random: Random) -> str:
    """Swap tiles in the picture of the folder."""
    picture = path.parent / f"{Look().atlas(level.tileset).name}.png"
    with Image.open(picture) as image:
        pixels = image.convert("RGBA")
    count = len(Look().atlas(level.tileset).tiles)
    for _ in range(random.choice((1, 8, 40))):
        one, other = (
            ((number % 8) * SIDE, (number // 8) * SIDE) for number in random.sample(range(count), 2)
        )
        first, second = (pixels.crop((x, y, x + SIDE, y + SIDE)) for x, y in (one, other))
        pixels.paste(first, other)
        pixels.paste(second, one)
    pixels.save(picture)
    return "tiles of the picture swapped"


def _extra(path: Path, level: Level, random: Random) -> str:
    """Add a layer with tiles of the level's TileSet."""
    number = random.randrange(len(Look().atlas(level.tileset).tiles))
    cell = struct.pack(
        "<HhhHHHH",
        0,
        random.randrange(level.width),
        random.randrange(level.height),
        0,
        number % 8,
        number // 8,
        0,
    )
    data = base64.b64encode(cell).decode()
    layer = (
        '\n[node name="Extra" type="TileMapLayer" parent="."]\ntile_map_data = '
        f'PackedByteArray("{data}")\ntile_set = ExtResource("1_tileset")\n'
    )
    path.write_text(path.read_text() + layer)
    return "one more layer"


def _swap(path: Path, level: Level, random: Random) -> str:
    """Exchange two names, positions, pictures or layers."""
    del level
    text = path.read_text()
    one, other = random.choice(
        (
            ('"entrance"', '"exit"'),
            ('name="Floor"', 'name="Walls"'),
            ('"Places/entrance"', '"Places/exit"'),
        )
    )
    regions = re.findall(r"Rect2\([^)]*\)", text)
    if random.random() < 0.3 and len(regions) > 1:
        one, other = regions[0], regions[1]
    path.write_text(text.replace(one, "@@").replace(other, one).replace("@@", other))
    return f"{one} and {other} exchanged"
