"""The page of a pack: one HTML file with everything in it, which works without a network and from the file system."""

import html
import json
import re
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

from levolve.formats.drawing import TILE_COLOURS, sign_of
from levolve.levels.level import Level
from levolve.levels.tileset import TILESETS

SCRIPTS = ("rules.js", "puzzles.js", "draw.js", "play.js", "overview.js")


def page(name: str, digest: str, tilesets: Mapping[str, Any], entries: Sequence[Mapping[str, Any]]) -> bytes:
    """A page with all levels or puzzles: to look at, to sort and filter by their measures, and to play. An entry's `type` says by which rules."""
    data = {"name": name, "digest": digest, "tilesets": tilesets, "levels": entries}
    parts = {
        "title": html.escape(name),
        "style": _resource("style.css"),
        "script": "\n".join(_resource(script) for script in SCRIPTS),
        # No text in the data can end the script element early.
        "data": json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda mark: parts[mark[1]], _resource("index.html")).encode()


def tilesets_of(levels: Sequence[Level]) -> dict[str, Any]:
    """Characters, legal steps and colours of the tilesets in use."""
    names = dict.fromkeys(level.tileset.name for level in levels)
    return {
        name: {
            "characters": TILESETS[name].characters,
            "names": TILESETS[name].names,
            "steps": [[int(step) for step in row] for row in TILESETS[name].steps],
            "colours": ["#" + bytes(colour).hex() for colour in TILE_COLOURS[name]],
        }
        for name in names
    }


def entry_of(level: Level, entry: Mapping[str, Any]) -> dict[str, Any]:
    """A level and its entry in the manifest, as the page takes them."""
    return {
        "type": "walk",
        "width": level.width,
        "height": level.height,
        "name": entry["name"],
        "kind": level.origin.recipe["name"] if level.origin else "",
        "tileset": level.tileset.name,
        "rows": ["".join(level.tileset.characters[kind] for kind in row) for row in level.tiles],
        "places": [{"name": name, "sign": sign_of(name), "x": x, "y": y} for name, (x, y) in level.places.items()],
        "solution": level.solution,
        "measures": entry["measures"],
        "files": entry["files"],
    }


def _resource(name: str) -> str:
    return (resources.files("levolve.packs") / "page" / name).read_text(encoding="utf-8")
