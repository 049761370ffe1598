"""Archives of illumination as the page shows them: the score of each cell, and the level of a cell."""

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from levolve.archives.archive import Archive
from levolve.archives.illumination import Illumination
from levolve.errors import InputError, LevolveError
from levolve.levels.level import Level
from levolve.levels.solving import shortest_solution
from levolve.measures.levels import level_at
from levolve.resuming import stored_job
from levolve.runs.store.records import StoredRun
from levolve.runs.store.store import Store
from levolve.studio.shown import shown_level

DIGITS = 4


def shown_archive(archive: Archive) -> dict[str, Any]:
    """Return the map of an archive over its first two axes: of each cell with a level its column, its row, its number and its score.

    Of an archive with more axes, a cell shows the best level over the others.
    """
    axes = archive.grid.axes
    places = np.array(np.unravel_index(archive.cells, archive.grid.shape)).reshape(len(axes), -1)
    columns, rows = places[0], places[1] if len(axes) > 1 else np.zeros_like(places[0])
    if len(axes) > 2:  # noqa: PLR2004 a map has two axes
        flat = columns * axes[1].cells + rows
        # The last of equals in a stable order from low to high is the best; `unique` gives the first of the reversed order.
        order = np.argsort(archive.scores, kind="stable")[::-1]
        chosen = order[np.unique(flat[order], return_index=True)[1]]
    else:
        chosen = np.arange(len(archive))
    ends = [(axis.low, axis.span(axis.cells - 1)[1]) for axis in axes]
    return {
        "axes": [
            {"name": axis.name, "low": low, "high": high, "cells": axis.cells, "whole": axis.step > 0}
            for axis, (low, high) in zip(axes, ends, strict=True)
        ],
        "columns": columns[chosen].tolist(),
        "rows": rows[chosen].tolist(),
        "cells": archive.cells[chosen].tolist(),
        "scores": [round(score, DIGITS) for score in archive.scores[chosen].tolist()],
        "coverage": archive.coverage,
        "qd_score": archive.qd_score,
        "count": len(archive),
        "evaluations": archive.evaluations,
    }


def elite_level(archive: Archive, cell: int) -> Level:
    """Return the level of a cell. If it can be won, it has a shortest solution and its origin; for that, all levels are decoded once."""
    level = _decoded(archive, _place(archive, cell))
    return level if level.solution is None else archive.level(cell)


def _decoded(archive: Archive, place: int) -> Level:
    """Return a level without its origin, with a shortest solution if it can be won. Only this level is decoded."""
    level = level_at(archive.recipe.problem.batch(archive.genes[place : place + 1]))
    solution = shortest_solution(level)
    if solution is None:
        return level
    proven = level.with_solution(solution)
    proven.check()
    return proven


def shown_elite(archive: Archive, cell: int) -> dict[str, Any]:
    """Return the level of a cell with its score and its values on the axes."""
    place = _place(archive, cell)
    values = dict(zip(archive.grid.names, archive.values[place].tolist(), strict=True))
    return {"cell": cell, "score": float(archive.scores[place]), "values": values, "level": shown_level(_decoded(archive, place))}


def _place(archive: Archive, cell: int) -> int:
    found = np.flatnonzero(archive.cells == cell)
    if not len(found):
        message = f"cell: expected one with a level, got {cell}; {len(archive)} of {archive.grid.count} cells have one"
        raise InputError(message)
    return int(found[0])


def stored_archive(store: Store, record: StoredRun) -> Archive:
    """Return the archive of a stored illumination, as of its last checkpoint."""
    if record.kind != Illumination.kind or record.call is None:
        message = f"run {record.id}: expected an illumination, got a run of kind {record.kind}"
        raise InputError(message)
    return _read(store.path, record.id, record.updated)


@lru_cache(maxsize=4)
def _read(path: Path, run: int, updated: float) -> Archive:  # noqa: ARG001 a run that was updated is read again
    """Read an archive; the last ones are remembered, because a page asks for many of its levels."""
    with Store(path) as store:
        record = store.find(run)
        job = stored_job(store, record)
        if job.score is None:
            message = f"run {run}: nothing has been stored yet"
            raise LevolveError(message)
        archive: Archive = job.result
        return archive
