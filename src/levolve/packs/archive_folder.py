"""The folder of an archive: its two files, the heat map, coverage and QD score over time, and a page whose cells are played."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from levolve.archives.files import ARRAY_FILE, DATA_FILE, encode_archive, progress_table
from levolve.archives.heat_map import heat_map
from levolve.formats.writing import check_writable, write_files
from levolve.measures.measure import number_text
from levolve.packs.webpage import entry_of, page, tilesets_of

if TYPE_CHECKING:
    from levolve.archives.archive import Archive
    from levolve.formats.look import Look
    from levolve.levels.level import Level

PICTURE, TABLE, PAGE = "heat_map.png", "progress.csv", "index.html"
FILES = (PAGE, PICTURE, ARRAY_FILE, DATA_FILE, TABLE)


def archive_page(archive: Archive, look: Look | None = None) -> bytes:
    """Return a self-contained page: the heat map, with a level in every cell that has one. Of more than two axes, the best levels over the others."""
    shown: dict[tuple[int, ...], tuple[Level, dict[str, int | float]]] = {}
    for cell, level, figures in archive.entries():
        places = archive.grid.places(cell)[:2]
        # The entries come best first.
        shown.setdefault((*places, 0)[:2], (level, figures))
    axes = archive.grid.axes[:2]
    levels = [level for level, _ in shown.values()]
    entries = []
    for level, figures in shown.values():
        name = ", ".join(f"{axis.name.replace('_', ' ')} {number_text(figures[axis.name])}" for axis in axes)
        entries.append(entry_of(level, {"name": name, "measures": figures, "files": []}, look))
    data = {
        "axes": [{"name": axis.name, "low": axis.low, "high": axis.span(axis.cells - 1)[1]} for axis in axes],
        "shape": list((*(axis.cells for axis in axes), 1)[:2]),
        "cells": list(map(list, shown)),
        "summary": f"{len(archive):,} of {archive.grid.count:,} cells ({archive.coverage:.1%}), QD score {archive.qd_score:,.6g}.",
    }
    return page(f"{archive.recipe.name}: archive", archive.digest, tilesets_of(levels, look), entries, archive=data)


def check_archive_folder(folder: Path) -> None:
    """Raise `InputError` for a folder that cannot be written, before the work starts."""
    check_writable(folder / PAGE)


def archive_file(archive: Archive, name: str, look: Look | None = None) -> bytes:
    """Return one of the `FILES` of the folder."""
    if name in {ARRAY_FILE, DATA_FILE}:
        return encode_archive(archive)[name]
    if name == PAGE:
        return archive_page(archive, look)
    return heat_map(archive) if name == PICTURE else progress_table(archive)


def write_archive_folder(archive: Archive, folder: Path, look: Look | None = None) -> list[Path]:
    """Write all files of an archive to a folder, all or none, and return their paths."""
    return write_files({folder / name: archive_file(archive, name, look) for name in FILES})
