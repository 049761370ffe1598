"""The best attempt of a solver as the page shows it: a picture of the board, the moves, and whether they solve the puzzle."""

import base64
from typing import Any

from levolve.errors import InputError, LevolveError
from levolve.formats.png import picture_bytes
from levolve.puzzles.files import decode_json, puzzle_of
from levolve.puzzles.position import Position
from levolve.resuming import stored_job
from levolve.runs.solving import SolverJob
from levolve.runs.store.records import StoredRun
from levolve.runs.store.store import Store


def shown_attempt(position: Position, moves: str, *, solved: bool) -> dict[str, Any]:
    """Return what the page needs to show a position after some moves."""
    image = puzzle_of(position).draw(position, moves)
    picture = base64.b64encode(picture_bytes(image)).decode()
    return {"picture": f"data:image/png;base64,{picture}", "width": image.width, "height": image.height, "moves": moves, "solved": solved}


def attempt_of(job: SolverJob, known: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the best attempt of a job; `known`, if that is still the best one."""
    moves, solved = job.attempt, job.is_solved
    if known is not None and (known["moves"], known["solved"]) == (moves, solved):
        return known
    return shown_attempt(job.position, moves, solved=solved)


def stored_attempt(store: Store, record: StoredRun) -> dict[str, Any] | None:
    """Return the solution or the best attempt of a stored solver, as of its last checkpoint; None for other runs."""
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
    """Return the position, the moves of the solution or of the best attempt, and whether they solve it."""
    if record.kind != SolverJob.kind or record.call is None:
        message = f"run {record.id}: expected a run that solves a puzzle, got one of kind {record.kind}"
        raise InputError(message)
    for content in store.levels(record.id):
        found = decode_json(content)
        if isinstance(found, Position):
            return found, found.solution or "", found.solution is not None
    job = stored_job(store, record)
    assert isinstance(job, SolverJob)  # noqa: S101 by its kind
    return job.position, job.attempt, False
