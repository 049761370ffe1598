"""The page of a pack: a self-contained HTML file that works offline.

The folder of an archive: its two files, the heat map, coverage and QD score over time, and a page
whose cells are played.
"""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from levolve.formats.look import Look
from levolve.formats.pictures.colours import sign_of
from levolve.formats.pictures.drawing import path_colours
from levolve.formats.pictures.png import picture_bytes
from levolve.formats.themes.atlas import COLUMNS, Atlas, atlas_of
from levolve.formats.writing import check_writable, write_files
from levolve.jobs.archives.files import ARRAY_FILE, DATA_FILE, encode_archive, progress_table
from levolve.levels.level import Level
from levolve.levels.measures.measure import number_text
from levolve.levels.solver import way_back
from levolve.levels.tileset import Colour, Tileset

if TYPE_CHECKING:
    from levolve.jobs.archives.archive import Archive

# First the rules and the drawing that all share, then the script of the puzzle, then what plays.
SHARED, PLAYING = ("rules.js", "atlas.js", "draw.js"), "play.js"
# The overview of a pack is a list of levels, that of an archive a map.
LIST, MAP = "overview.js", "archive.js"

# A page in a file needs nothing else, and may do nothing else.
_ALLOWED = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
)
POLICY = f'<meta http-equiv="Content-Security-Policy" content="{_ALLOWED}">'
# Pixels per tile of the tiles in the page.
PAGE_TILE = 32


def page(
    name: str,
    digest: str,
    tilesets: Mapping[str, Any],
    entries: Sequence[Mapping[str, Any]],
    scripts: Sequence[str] = (),
    *,
    linked: tuple[str, str] | None = None,
    archive: Mapping[str, Any] | None = None,
) -> bytes:
    """Return a page to view, sort, filter and play levels or puzzles. The `type` of an entry
    selects the rules of play.

    Each of `scripts` adds rules and a painter for a type, `RULES.type` and `PAINTERS.type`; it is
    put into a block of its own. `linked` are the addresses of the style and of the script on a
    server; by default both are part of the page. A server's page opens a single level at once.
    `archive` is the data of a map whose cells are the levels; it replaces the list of levels.
    """
    data = {
        "name": name,
        "digest": digest,
        "tilesets": tilesets,
        "levels": entries,
        "open": linked is not None and len(entries) == 1,
    }
    if archive is not None:
        data["map"] = archive
    if linked is None:
        style, script = (
            f"<style>\n{page_style()}\n</style>",
            (
                "<script "
                'type="module">\n'
                f"{page_script(scripts, LIST if archive is None else MAP)}\n</script>"
            ),
        )
    else:
        style, script = (
            f'<link rel="stylesheet" href="{linked[0]}">',
            f'<script type="module" src="{linked[1]}"></script>',
        )
    parts = {
        "title": html.escape(name),
        "policy": POLICY if linked is None else "",
        "style": style,
        "script": script,
        # Escaped, so that no string in the data can end the script element.
        "data": json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda mark: parts[mark[1]], _resource("index.html")).encode()


def page_script(scripts: Sequence[str] = (), overview: str = LIST) -> str:
    """Return the script of a page, with those of puzzles, and that of its overview."""
    return "\n".join(
        [
            *map(_resource, SHARED),
            *(f"{{\n{script}\n}}" for script in scripts),
            *map(_resource, (PLAYING, overview)),
        ]
    )


def page_style() -> str:
    """Return the style of a page."""
    return _resource("style.css")


def tiles_module() -> str:
    """Return a module of which tile of an atlas each cell of a level shows, for other pages that
    draw levels.
    """
    return _resource("atlas.js") + "\nexport { EMPTY, drawAtlasTile, layersOf };\n"


def tilesets_of(levels: Sequence[Level], look: Look | None = None) -> dict[str, Any]:
    """Return the tilesets in use by name: characters, names, legal steps, colours, the style of
    paths and floor, and the atlas in a look.
    """
    look = look or Look()
    tilesets = {level.tileset.name: level.tileset for level in levels}
    return {name: _tileset_data(tileset, look) for name, tileset in tilesets.items()}


def _tileset_data(tileset: Tileset, look: Look) -> dict[str, Any]:
    path, edge = path_colours(tileset, look.theme)
    theme = [_hex(look.theme.colour(tileset, kind)) for kind in range(len(tileset.names))]
    return {
        "characters": tileset.characters,
        "names": tileset.names,
        "steps": [[int(step) for step in row] for row in tileset.steps],
        "colours": theme,
        "dark_colours": [_hex(colour) for colour in tileset.dark_colours]
        if look.theme.flat
        else theme,
        "open": tileset.open_kind,
        "wall": tileset.wall,
        "atlas": None if look.theme.flat else _atlas_data(_atlas(tileset, look)),
        "seams": None if tileset.seam is None or not look.theme.flat else tileset.open_kind,
        "path": _hex(path),
        "path_edge": None if edge is None else _hex(edge),
        "rule": tileset.rule,
        "blocked": tileset.blocked,
    }


def _atlas(tileset: Tileset, look: Look) -> Atlas:
    """Return the tiles for the page: larger than for an editor, unless the size was chosen or is
    that of a picture.
    """
    return atlas_of(
        look.theme, tileset, look.tile_size if look.tile or look.theme.file else PAGE_TILE
    )


def _atlas_data(atlas: Atlas) -> dict[str, Any]:
    picture = base64.b64encode(picture_bytes(atlas.picture)).decode()
    numbers = {
        "tile": atlas.tile,
        "columns": COLUMNS,
        "variants": atlas.theme.variants,
        "first": list(atlas.first),
    }
    return {**numbers, "image": f"data:image/png;base64,{picture}"}


def entry_of(level: Level, entry: Mapping[str, Any], look: Look | None = None) -> dict[str, Any]:
    """Return the data of a level for the page, from the level and its entry in the manifest.

    `stops` are those of its goal; empty for a plain map. `back` is the way back of a tour that
    returns; `tile` of a place is that of the atlas.
    """
    stops = level.goal.stops_in(level.places)
    atlas = _atlas(level.tileset, look or Look())
    return {
        "type": "walk" if stops else "map",
        "width": level.width,
        "height": level.height,
        "name": entry["name"],
        "kind": level.origin.recipe["name"] if level.origin else "",
        "tileset": level.tileset.name,
        "rows": ["".join(level.tileset.characters[kind] for kind in row) for row in level.tiles],
        "places": [
            {"name": name, "sign": sign_of(name), "tile": atlas.place_tile(name), "x": x, "y": y}
            for name, (x, y) in level.places.items()
        ],
        "stops": list(stops),
        "solution": level.solution if stops else "",
        "back": way_back(level) or "",
        "measures": entry["measures"],
        "files": entry["files"],
    }


def _hex(colour: Colour) -> str:
    return "#" + bytes(colour).hex()


def _resource(name: str) -> str:
    return (resources.files("levolve.jobs.packs") / "page" / name).read_text(encoding="utf-8")


PICTURE, TABLE, PAGE = "heat_map.png", "progress.csv", "index.html"
FILES = (PAGE, PICTURE, ARRAY_FILE, DATA_FILE, TABLE)


def archive_page(archive: Archive, look: Look | None = None) -> bytes:
    """Return a self-contained page: the heat map, with a level in every cell that has one. Of more
    than two axes, the best levels over the others.
    """
    shown: dict[tuple[int, ...], tuple[Level, dict[str, int | float]]] = {}
    for cell, level, figures in archive.entries():
        places = archive.grid.places(cell)[:2]
        # The entries come best first.
        shown.setdefault((*places, 0)[:2], (level, figures))
    axes = archive.grid.axes[:2]
    levels = [level for level, _ in shown.values()]
    entries = []
    for level, figures in shown.values():
        name = ", ".join(
            f"{axis.name.replace('_', ' ')} {number_text(figures[axis.name])}" for axis in axes
        )
        entries.append(entry_of(level, {"name": name, "measures": figures, "files": []}, look))
    data = {
        "axes": [
            {"name": axis.name, "low": axis.low, "high": axis.span(axis.cells - 1)[1]}
            for axis in axes
        ],
        "shape": list((*(axis.cells for axis in axes), 1)[:2]),
        "cells": list(map(list, shown)),
        "summary": (
            f"{len(archive):,} of {archive.grid.count:,} cells ({archive.coverage:.1%}), QD "
            f"score {archive.qd_score:,.6g}."
        ),
    }
    return page(
        f"{archive.recipe.name}: archive",
        archive.digest,
        tilesets_of(levels, look),
        entries,
        archive=data,
    )


def check_archive_folder(folder: Path) -> None:
    """Raise `InputError` for a folder that cannot be written, before the work starts."""
    check_writable(folder / PAGE)


def archive_file(archive: Archive, name: str, look: Look | None = None) -> bytes:
    """Return one of the `FILES` of the folder."""
    if name in {ARRAY_FILE, DATA_FILE}:
        return encode_archive(archive)[name]
    if name == PAGE:
        return archive_page(archive, look)
    if name != PICTURE:
        return progress_table(archive)
    from levolve.jobs.charts.heat_maps import archive_picture

    return archive_picture(archive)


def write_archive_folder(archive: Archive, folder: Path, look: Look | None = None) -> list[Path]:
    """Write all files of an archive to a folder, all or none, and return their paths."""
    return write_files({folder / name: archive_file(archive, name, look) for name in FILES})
