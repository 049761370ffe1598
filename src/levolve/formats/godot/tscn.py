"""The format `tscn`: scenes for Godot.

A scene that lists a pack: instances of all its levels in a grid, and their names in the metadata of
the root.
"""

from collections.abc import Mapping
from math import ceil, sqrt

from levolve.formats.format import Format
from levolve.formats.godot.merging import foreign, merge
from levolve.formats.godot.reading import decode, grid, kept
from levolve.formats.godot.scene import encode, files_beside, vector
from levolve.formats.godot.text import quoted
from levolve.formats.look import Look
from levolve.levels.level import Level

# Tiles between two levels.
GAP = 2


def encode_pack(name: str, levels: Mapping[str, Level], look: Look) -> dict[str, bytes]:
    """Return the scene of a pack: every level is an instance of its own scene, so that editing that
    scene changes both.
    """
    if not levels:
        return {}
    file = name if name not in levels else f"{name}-pack"
    columns = ceil(sqrt(len(levels)))
    width = (max(level.width for level in levels.values()) + GAP) * look.tile_size
    height = (max(level.height for level in levels.values()) + GAP) * look.tile_size
    lines = [f"[gd_scene load_steps={len(levels) + 1} format=4]", ""]
    lines += [
        f'[ext_resource type="PackedScene" path={quoted(f"{level}.tscn")} id="{number}_level"]'
        for number, level in enumerate(levels, 1)
    ]
    listed = ", ".join(quoted(f"{level}.tscn") for level in levels)
    lines += [
        "",
        '[node name="Pack" type="Node2D"]',
        f"metadata/pack = {quoted(name)}",
        f"metadata/levels = PackedStringArray({listed})",
    ]
    for index, level in enumerate(levels):
        position = vector(index % columns * width, index // columns * height)
        lines += [
            "",
            f'[node name={quoted(level)} parent="." instance=ExtResource("{index + 1}_level")]',
            f"position = {position}",
        ]
    return {f"{file}.tscn": ("\n".join(lines) + "\n").encode()}


TSCN = Format(
    "a scene for Godot 4.3 and later, with a TileSet and a picture of the tiles in separate files",
    encode,
    decode,
    edited=True,
    beside=files_beside,
    decode_in=decode,
    draw=encode,
    foreign=foreign,
    merge=merge,
    kept=kept,
    grid=grid,
    bundle=encode_pack,
)
