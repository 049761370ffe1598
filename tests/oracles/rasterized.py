"""What Tiled draws: `tmxrasterizer`, which comes with it, draws a map, and the walls of an atlas
are looked for in the picture.

Nothing here reads a map as levolve does: only the offsets of layers, by which Tiled enlarges the
picture, are taken from the file.
"""

import math
import os
import shutil
import subprocess
import xml.etree.ElementTree as ET
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from levolve.formats.look import Look
from levolve.formats.pictures.walk_lines import path_cells
from levolve.levels.level import Level
from levolve.levels.tileset import TILESETS

RASTERIZER = shutil.which("tmxrasterizer")
SIDE = 16
# Programs round the mixture of two colours differently.
ROUNDING = 3
Pixels = NDArray[np.int16]


def drawn(path: Path, *hidden: str) -> Pixels | None:
    """The pixels that Tiled draws for a map, without some layers; None for a file that it cannot
    open.
    """
    assert RASTERIZER is not None
    picture = path.with_suffix(".drawn.png")
    picture.unlink(missing_ok=True)
    hide = [part for name in hidden for part in ("--hide-layer", name)]
    call: list[Any] = [RASTERIZER, *hide, path, picture]
    subprocess.run(
        call,
        capture_output=True,
        timeout=60,
        check=False,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )
    if not picture.exists():
        return None
    with Image.open(picture) as image:
        return np.asarray(image.convert("RGB"), np.int16)


def origin(path: Path) -> tuple[int, int]:
    """Where the map begins in the picture, which has room for the layer that is moved farthest to
    the left and to the top.
    """
    most = [0, 0]

    def walk(element: ET.Element, left: float, top: float) -> None:
        for layer in element:
            if layer.tag in {"layer", "objectgroup", "imagelayer", "group"}:
                at = left + _number(layer, "offsetx"), top + _number(layer, "offsety")
                if layer.tag == "group":
                    walk(layer, *at)
                else:
                    most[:] = [max(old, math.ceil(-new)) for old, new in zip(most, at, strict=True)]

    walk(ET.parse(path).getroot(), 0, 0)
    return most[0], most[1]


def _number(element: ET.Element, key: str) -> float:
    try:
        return float(element.get(key, "0").replace("_", "x"))
    except ValueError:
        return 0


@lru_cache(maxsize=1)
def walls() -> tuple[NDArray[np.int16], NDArray[np.bool_]]:
    """The pixels of all walls of the default look, turned and mirrored in all ways, and which of
    them hide what is below.
    """
    atlas = Look().atlas(TILESETS["walls"])
    pictures = [
        drawn
        for tile, drawn in zip(atlas.tiles, atlas.pixels, strict=True)
        if tile.kind == atlas.tileset.wall
    ]
    ways = [
        np.rot90(each, turns)
        for picture in pictures
        for each in (picture, picture[:, ::-1])
        for turns in range(4)
    ]
    stacked = np.unique(np.stack(ways), axis=0)
    return stacked[..., :3].astype(np.int16), stacked[..., 3] == 255


def shows_wall(pixels: Pixels, x: int, y: int) -> bool:
    """Whether the square of the picture that begins at a pixel shows a wall."""
    square = pixels[y : y + SIDE, x : x + SIDE] if min(x, y) >= 0 else pixels[:0]
    if square.shape[:2] != (SIDE, SIDE):
        return False
    colours, opaque = walls()
    far = np.abs(colours - square).max(axis=-1) > ROUNDING
    return bool((~(far & opaque).any(axis=(1, 2))).any())


def walls_on_solution(path: Path, level: Level) -> list[tuple[int, int]]:
    """The cells of a level's solution in which Tiled draws a wall, even half of one; the layer of
    the solution itself is hidden.
    """
    found = []
    left, top = origin(path)
    for hidden in (("solution",), ("solution", "places")):
        pixels = drawn(path, *hidden)
        if pixels is None:
            continue
        for x, y in dict.fromkeys(path_cells(level)):
            shifts = ((0, 0), (-SIDE // 2, 0), (SIDE // 2, 0), (0, -SIDE // 2), (0, SIDE // 2))
            if any(
                shows_wall(pixels, left + SIDE * x + across, top + SIDE * y + down)
                for across, down in shifts
            ):
                found.append((x, y))
    return found
