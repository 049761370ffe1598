"""Levels as the page draws them: rows of characters, places, things and the solution;
and pictures of puzzles.

Packs, archives and other runs of the store as the shelf lists them.

The ancestors of the best level of a run as the page shows them.

The best attempt of a solver as the page shows it: a picture of the board, the moves, and whether
they solve the puzzle.

Archives of illumination as the page shows them: the score of each cell, and the level of a cell.
"""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError, LevolveError
from levolve.formats.pictures.colours import sign_of
from levolve.formats.pictures.png import picture_bytes
from levolve.formats.pictures.walk_lines import joined_lines, path_cells
from levolve.formats.themes.thing_atlas import as_drawn, usual_signs
from levolve.formats.themes.things import looks_of
from levolve.jobs.archives.archive import Archive
from levolve.jobs.archives.illuminate import Illumination
from levolve.jobs.packs.members import Item, PuzzleMember
from levolve.jobs.packs.pack import Pack
from levolve.jobs.packs.pack_job import KINDS
from levolve.jobs.resume import stored_job
from levolve.jobs.runs.run import Run
from levolve.jobs.runs.solver_job import SolverJob
from levolve.jobs.store.records import StoredRun
from levolve.jobs.store.store import Store
from levolve.levels.level import Level
from levolve.levels.measures.measuring import level_at
from levolve.levels.solver import proven
from levolve.levels.things.playing import hidden_cells
from levolve.levels.tileset import Tileset
from levolve.puzzles.load_save import decode_json, puzzle_of
from levolve.puzzles.position import Position
from levolve.search.ancestors import Ancestor


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
        "places": [
            {"name": name, "sign": sign_of(name), "x": x, "y": y}
            for name, (x, y) in level.places.items()
        ],
        "solution": level.solution or "",
        **(_shown_things(level) if level.things else {}),
    }


def _shown_things(level: Level) -> dict[str, Any]:
    """Return the things of a level: the numbers of their signs, which are the same in all themes;
    None for a sign that is not a usual one. `hidden` are cells drawn as walls, `lines` those of the
    solution, which may leave out cells at stairs.
    """
    usual = {as_drawn(look): number for number, (_, look) in enumerate(usual_signs())}
    looks = looks_of(level.things, level.kinds)
    return {
        "things": [
            {
                "x": thing.cell[0],
                "y": thing.cell[1],
                "sign": usual.get(as_drawn(look)),
                "colour": "#" + bytes(look.colour).hex(),
                "letter": look.text or thing.kind[0].upper(),
            }
            for thing, look in zip(level.things, looks, strict=True)
        ],
        "hidden": [] if level.tileset.wall is None else sorted(hidden_cells(level)),
        "lines": joined_lines(list(path_cells(level))),
    }


def shown_puzzle(position: Position) -> str:
    """Return a small picture of a puzzle, as an address."""
    return (
        "data:image/png;base64,"
        f"{base64.b64encode(picture_bytes(PuzzleMember(position).drawn())).decode()}"
    )


Shelf = Literal["packs", "maps", "runs"]
PACKS: Shelf = "packs"
MAPS: Shelf = "maps"
RUNS: Shelf = "runs"
# Jobs that are neither packs nor maps are runs.
SHELVES: dict[str, Shelf] = {**dict.fromkeys(KINDS, PACKS), Illumination.kind: MAPS}
# The levels of a pack that the shelf shows.
PREVIEWED = 4


def shelf_of(record: StoredRun) -> Shelf:
    """Return where a run of the store is listed."""
    return SHELVES.get(record.kind, RUNS)


@dataclass(frozen=True)
class ShelvedRun:
    """A pack, an archive or another run, with the levels and puzzles of its result; those of an
    archive are found by their cells.
    """

    record: StoredRun
    items: Sequence[Item] = ()

    def contains(self, words: Sequence[str]) -> bool:
        """Whether all words, in lower case, are in its name, kind, number, seed, size or status."""
        record = self.record
        text = (
            f"{record.name} {record.kind} {record.id} {record.seed} {record.size} {record.status}"
        ).lower()
        return all(word in text for word in words)

    def to_data(self) -> dict[str, Any]:
        """Return the entry for the page, with some of its levels."""
        names = "id kind name size status updated headline"
        levels = [shown_level(item) for item in self.items[:PREVIEWED] if isinstance(item, Level)]
        puzzles = [item for item in self.items[:1] if not isinstance(item, Level)]
        return {
            **{name: getattr(self.record, name) for name in names.split()},
            "seed": str(self.record.seed),
            "count": len(self.items),
            "levels": levels,
            "picture": shown_puzzle(puzzles[0]) if puzzles else None,
        }


def stored_pack(store: Store, record: StoredRun) -> Pack:
    """Return the pack of a stored builder, as of its last checkpoint."""
    if shelf_of(record) != PACKS or record.call is None:
        raise InputError(f"run {record.id}: expected a pack, got a run of kind {record.kind}")
    pack: Pack = stored_job(store, record).result
    return pack


MOST_SHOWN = 24


def shown_ancestry(run: Run) -> list[dict[str, Any]] | None:
    """Return the ancestors of the best level, from the first to itself; None for a run that does
    not record them.

    Of a long line the first, the last, and those that gained most are shown. `births` counts the
    births since the one shown before, `changed` the cells in which both differ.
    """
    if not run.has_ancestry:
        return None
    line = run.ancestry
    places = chosen_places([ancestor.score for ancestor in line], MOST_SHOWN)
    batch = run.problem.batch(np.stack([line[place].genes for place in places]))
    tiles, tileset = batch.tiles, batch.tileset
    steps = [
        line[0].births,
        *(
            sum(ancestor.births for ancestor in line[before + 1 : place + 1])
            for before, place in pairwise(places)
        ),
    ]
    changed = [0, *np.count_nonzero(tiles[1:] != tiles[:-1], axis=(1, 2)).tolist()]
    return [
        {
            "generation": line[place].generation,
            "score": line[place].score,
            "operators": line[place].operators,
            "births": steps[index],
            "changed": changed[index],
            "mate": _mate(run, line[place]),
            "tileset": tileset.name,
            "rows": shown_rows(tiles[index], tileset),
        }
        for index, place in enumerate(places)
    ]


def chosen_places(scores: Sequence[float], most: int) -> list[int]:
    """Return the places of at most `most` ancestors in their order: the first, the last, and those
    that gained most.

    >>> chosen_places([1.0, 1.0, 5.0, 6.0, 6.0, 6.0], 4)
    [0, 2, 3, 5]
    """
    inner = range(1, len(scores) - 1)
    # Among equal gains the later ones, which are nearer to the best.
    gaining = sorted(
        inner, key=lambda place: (scores[place] - scores[place - 1], place), reverse=True
    )
    return sorted({0, len(scores) - 1, *gaining[: most - 2]})


def _mate(run: Run, ancestor: Ancestor) -> dict[str, Any] | None:
    """Return the second parent."""
    if ancestor.mate is None:
        return None
    batch = run.problem.batch(ancestor.mate[np.newaxis])
    return {
        "score": ancestor.mate_score,
        "tileset": batch.tileset.name,
        "rows": shown_rows(batch.tiles[0], batch.tileset),
    }


def stored_ancestry(store: Store, record: StoredRun) -> list[dict[str, Any]] | None:
    """Return the ancestors of the best level of a stored run, as of its last checkpoint; None if it
    does not record them.
    """
    if record.kind != Run.kind or not (record.call or {}).get("ancestry"):
        return None
    try:
        job = stored_job(store, record)
        return shown_ancestry(job) if isinstance(job, Run) and job.score is not None else None
    except LevolveError:
        return None


def shown_attempt(position: Position, moves: str, *, solved: bool) -> dict[str, Any]:
    """Return what the page needs to show a position after some moves."""
    image = puzzle_of(position).draw(position, moves)
    picture = base64.b64encode(picture_bytes(image)).decode()
    return {
        "picture": f"data:image/png;base64,{picture}",
        "width": image.width,
        "height": image.height,
        "moves": moves,
        "solved": solved,
    }


def attempt_of(job: SolverJob, known: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the best attempt of a job; `known`, if that is still the best one."""
    moves, solved = job.attempt, job.is_solved
    if known is not None and (known["moves"], known["solved"]) == (moves, solved):
        return known
    return shown_attempt(job.position, moves, solved=solved)


def stored_attempt(store: Store, record: StoredRun) -> dict[str, Any] | None:
    """Return the solution or the best attempt of a stored solver, as of its last checkpoint; None
    for other runs.
    """
    try:
        position, moves, solved = _stored_moves(store, record)
        return shown_attempt(position, moves, solved=solved)
    except LevolveError:
        return None


def stored_board(store: Store, record: StoredRun, step: int) -> bytes:
    """Return a picture of the board after so many moves of what `stored_attempt` gives, as PNG."""
    position, moves, _ = _stored_moves(store, record)
    return picture_bytes(puzzle_of(position).draw(position, moves[:step]))


def _stored_moves(store: Store, record: StoredRun) -> tuple[Position, str, bool]:
    """Return the position, the moves of the solution or of the best attempt, and whether they solve
    it.
    """
    if record.kind != SolverJob.kind or record.call is None:
        raise InputError(
            f"run {record.id}: expected a run that solves a puzzle, got one of kind {record.kind}"
        )
    for content in store.levels(record.id):
        found = decode_json(content)
        if isinstance(found, Position):
            return found, found.solution or "", found.solution is not None
    job = stored_job(store, record)
    assert isinstance(job, SolverJob)  # noqa: S101 by its kind
    return job.position, job.attempt, False


DIGITS = 4


def shown_archive(archive: Archive) -> dict[str, Any]:
    """Return the map of an archive over its first two axes: of each cell with a level its column,
    its row, its number and its score.

    Of an archive with more axes, a cell shows the best level over the others.
    """
    axes = archive.grid.axes
    places = np.array(np.unravel_index(archive.cells, archive.grid.shape)).reshape(len(axes), -1)
    columns, rows = places[0], places[1] if len(axes) > 1 else np.zeros_like(places[0])
    if len(axes) > 2:  # a map has two axes
        flat = columns * axes[1].cells + rows
        # The last of equals in a stable order from low to high is the best; `unique` gives the
        # first of the reversed order.
        order = np.argsort(archive.scores, kind="stable")[::-1]
        chosen = order[np.unique(flat[order], return_index=True)[1]]
    else:
        chosen = np.arange(len(archive))
    ends = [(axis.low, axis.span(axis.cells - 1)[1]) for axis in axes]
    return {
        "axes": [
            {
                "name": axis.name,
                "low": low,
                "high": high,
                "cells": axis.cells,
                "whole": axis.step > 0,
            }
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
    """Return the level of a cell. If it can be won, it has a shortest solution and its origin; for
    that, all levels are decoded once.
    """
    level = _decoded(archive, _place(archive, cell))
    return level if level.solution is None else archive.level(cell)


def _decoded(archive: Archive, place: int) -> Level:
    """Return a level without its origin, with a shortest solution if it can be won. Only this level
    is decoded.
    """
    level = level_at(archive.recipe.problem.batch(archive.genes[place : place + 1]))
    return proven(level) or level


def shown_elite(archive: Archive, cell: int) -> dict[str, Any]:
    """Return the level of a cell with its score and its values on the axes."""
    place = _place(archive, cell)
    values = dict(zip(archive.grid.names, archive.values[place].tolist(), strict=True))
    return {
        "cell": cell,
        "score": float(archive.scores[place]),
        "values": values,
        "level": shown_level(_decoded(archive, place)),
    }


def _place(archive: Archive, cell: int) -> int:
    found = np.flatnonzero(archive.cells == cell)
    if not len(found):
        raise InputError(
            f"cell: expected one with a level, got {cell}; {len(archive)} of "
            f"{archive.grid.count} cells have one"
        )
    return int(found[0])


def stored_archive(store: Store, record: StoredRun) -> Archive:
    """Return the archive of a stored illumination, as of its last checkpoint."""
    if record.kind != Illumination.kind or record.call is None:
        raise InputError(
            f"run {record.id}: expected an illumination, got a run of kind {record.kind}"
        )
    return _read(store.path, record.id, record.updated)


@lru_cache(maxsize=4)
def _read(path: Path, run: int, updated: float) -> Archive:  # noqa: ARG001 a run that was updated is read again
    """Read an archive; the last ones are remembered, because a page asks for many of its levels."""
    with Store(path) as store:
        record = store.find(run)
        job = stored_job(store, record)
        if job.score is None:
            raise LevolveError(f"run {run}: nothing has been stored yet")
        archive: Archive = job.result
        return archive
