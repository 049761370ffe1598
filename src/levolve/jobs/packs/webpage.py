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
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from levolve.formats.look import Look
from levolve.formats.pictures.colours import sign_of
from levolve.formats.pictures.drawing import path_colours
from levolve.formats.pictures.png import picture_bytes
from levolve.formats.themes.atlas import COLUMNS, Atlas, atlas_of
from levolve.formats.themes.things import ThingLook, looks_of
from levolve.formats.writing import check_writable, write_files
from levolve.jobs.archives.files import ARRAY_FILE, DATA_FILE, encode_archive, progress_table
from levolve.levels.grid import MOVES
from levolve.levels.level import Level
from levolve.levels.measures.measure import number_text
from levolve.levels.solver import way_back
from levolve.levels.things.lowering import DONE, Mechanics, lower
from levolve.levels.things.playing import hidden_cells
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
    return {
        name: {
            **_tileset_data(tileset, look),
            "signs": _signs([level for level in levels if level.tileset.name == name], look),
        }
        for name, tileset in tilesets.items()
    }


def _signs(levels: Sequence[Level], look: Look) -> dict[str, Any] | None:
    """Return a picture of all things of these levels as they look before and after they were used,
    and where each is; None if there are none.
    """
    looks: dict[str, ThingLook] = {}
    for level in levels:
        for shown in looks_of(level.things, level.kinds):
            for one in (replace(shown, changed=False), shown.used(), _plain(shown)):
                looks.setdefault(one.name, one)
    drawn = {name: shown for name, shown in sorted(looks.items()) if not shown.is_gone}
    if not drawn:
        return None
    tile = look.tile_size if look.tile or look.theme.file else PAGE_TILE
    rows = -(-len(drawn) // COLUMNS)
    grid = np.zeros((rows * COLUMNS, tile, tile, 4), np.uint8)
    for number, shown in enumerate(drawn.values()):
        grid[number] = look.theme.thing(shown, tile)
    pixels = grid.reshape(rows, COLUMNS, tile, tile, 4).swapaxes(1, 2)
    picture = Image.fromarray(pixels.reshape(rows * tile, COLUMNS * tile, 4))
    return {
        "tile": tile,
        "columns": COLUMNS,
        "names": {name: [n, _hex(drawn[name].colour)] for n, name in enumerate(drawn)},
        "image": _image(picture),
    }


def _plain(look: ThingLook) -> ThingLook:
    """Return how a thing looks beside the amount that a player has of it: without its number."""
    return replace(look, changed=False, text="")


def _image(picture: Image.Image) -> str:
    return f"data:image/png;base64,{base64.b64encode(picture_bytes(picture)).decode()}"


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
    numbers = {
        "tile": atlas.tile,
        "columns": COLUMNS,
        "variants": atlas.theme.variants,
        "first": list(atlas.first),
    }
    return {**numbers, "image": _image(atlas.picture)}


def entry_of(level: Level, entry: Mapping[str, Any], look: Look | None = None) -> dict[str, Any]:
    """Return the data of a level for the page, from the level and its entry in the manifest.

    `stops` are those of its goal; empty for a plain map. `back` is the way back of a tour that
    returns; `tile` of a place is that of the atlas.
    """
    stops = level.goal.stops_in(level.places)
    atlas = _atlas(level.tileset, look or Look())
    return {
        "type": ("crawl" if level.has_mechanics else "walk") if stops else "map",
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
        **(_things_data(level) if level.things else {}),
    }


def _things_data(level: Level) -> dict[str, Any]:
    """Return the things of a level: how they look, and what they do, as in `Mechanics`. `row` is
    that of a thing among those which act, -1 for decorations; `signs` has a look per resource.
    """
    found, looks = lower(level), looks_of(level.things, level.kinds)
    rows = {index: row for row, index in enumerate(found.things.tolist())}
    hidden = set(hidden_cells(level))
    things = [
        {
            "x": thing.cell[0],
            "y": thing.cell[1],
            "row": rows.get(index, -1),
            "changed": shown.changed,
            "looks": [
                None if one.is_gone else one.name
                for one in (replace(shown, changed=False), shown.used())
            ],
            "hidden": thing.cell in hidden,
        }
        for index, (thing, shown) in enumerate(zip(level.things, looks, strict=True))
    ]
    mechanics = {
        "resources": list(found.resources),
        "signs": [
            next(
                (
                    _plain(looks[found.things[row]]).name
                    for row in np.flatnonzero(found.gives[:, number]).tolist()
                ),
                None,
            )
            for number in range(len(found.resources))
        ],
        "initial": found.initial.tolist(),
        "collects": found.collects,
        "on": "".join("01"[on] for on in found.starts_on.tolist()),
        "rows": [_row_data(level, found, row) for row in range(len(found.things))],
    }
    return {"things": things, "mechanics": mechanics, "safe": level.certificate is not None}


def _row_data(level: Level, found: Mechanics, row: int) -> dict[str, Any]:
    def cell(number: int) -> list[int]:
        return [number % level.width, number // level.width]

    def amounts(table: NDArray[np.int32]) -> list[list[int]]:
        return [[n, amount] for n, amount in enumerate(table[row].tolist()) if amount]

    (x, y), leads = cell(int(found.cells[row])), int(found.leads_to[row])
    return {
        "x": x,
        "y": y,
        "name": level.things[found.things[row]].kind.replace("_", " "),
        "gives": amounts(found.gives),
        "needs": amounts(found.needs),
        "spends": amounts(found.spends),
        "state": bool(found.states[row] == DONE),
        "switch": ("", "toggle", "once")[found.switch[row]],
        "forced": bool(found.forced[row]),
        "gate": int(found.gate[row]),
        "open": bool(found.gate_open[row]),
        "moves": "".join(
            move for bit, move in enumerate(MOVES) if found.directions[row] >> bit & 1
        ),
        "leads": None if leads < 0 else cell(leads),
        "counts": bool(found.counts[row]),
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
