"""Levels of stored runs."""

from typing import Any

from levolve.archives.illumination import Illumination
from levolve.errors import InputError, LevolveError
from levolve.levels.level import Level
from levolve.puzzles.files import decode_json
from levolve.resuming import stored_job
from levolve.runs.run import Run
from levolve.runs.store.records import StoredRun
from levolve.runs.store.store import Store
from levolve.studio.archives import elite_level, stored_archive
from levolve.studio.shown import shown_level


def best_level(store: Store, record: StoredRun) -> Level:
    """Return the best level of a run: of its result, or of its last checkpoint."""
    for content in store.levels(record.id):
        found = decode_json(content)
        if isinstance(found, Level):
            return found
    if record.kind == Illumination.kind:
        archive = stored_archive(store, record)
        return elite_level(archive, int(archive.cells[archive.scores.argmax()]))
    if record.kind != Run.kind or record.call is None:
        message = f"run {record.id}: expected a run that evolves levels, got one of kind {record.kind}"
        raise InputError(message)
    level: Level = stored_job(store, record).result.best
    return level


def stored_level(store: Store, record: StoredRun) -> dict[str, Any] | None:
    """Return the best level of a run for the page; None if there is none yet."""
    try:
        return shown_level(best_level(store, record))
    except LevolveError:
        return None
