"""Levels as the page draws them: rows of characters, places and the solution; and pictures of puzzles."""

import base64
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.formats.colours import sign_of
from levolve.formats.png import picture_bytes
from levolve.levels.level import Level
from levolve.levels.tileset import Tileset
from levolve.packs.members import PuzzleMember
from levolve.puzzles.position import Position


def shown_rows(tiles: NDArray[np.uint8], tileset: Tileset) -> list[str]:
    """Return one text per row, with one character per cell."""
    table = np.frombuffer(tileset.characters.encode(), np.uint8)
    return [row.tobytes().decode() for row in table[tiles]]


def shown_level(level: Level) -> dict[str, Any]:
    """Return what the page needs to draw a level."""
    return {
        "digest": level.digest,
        "width": level.width,
        "height": level.height,
        "tileset": level.tileset.name,
        "rows": shown_rows(level.tiles, level.tileset),
        "places": [{"name": name, "sign": sign_of(name), "x": x, "y": y} for name, (x, y) in level.places.items()],
        "solution": level.solution or "",
    }


def shown_puzzle(position: Position) -> str:
    """Return a small picture of a puzzle, as an address."""
    return f"data:image/png;base64,{base64.b64encode(picture_bytes(PuzzleMember(position).drawn())).decode()}"
