"""The jobs of a store, or the history of one, as CSV."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from levolve.formats.tables import csv_bytes
from levolve.runs.jobs import Figures
from levolve.runs.store.records import StoredRun

RUN_COLUMNS = ("id", "kind", "name", "size", "seed", "status", "progress", "score", "result", "digest", "started", "updated", "seconds", "version")
HISTORY_COLUMNS = ("step", "best", "mean", "evaluations")


def runs_to_csv(runs: Iterable[StoredRun]) -> bytes:
    """Return one line per job."""
    return csv_bytes(RUN_COLUMNS, (_row(run) for run in runs))


def history_to_csv(history: Iterable[Figures]) -> bytes:
    """Return one line per generation or other step of a job."""
    return csv_bytes(HISTORY_COLUMNS, ((one.step, one.best, one.mean, one.evaluations) for one in history))


def _row(run: StoredRun) -> Sequence[object]:
    times = [datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds") for moment in (run.started, run.updated)]
    digest = (run.summary or {}).get("digest", "")
    head = (run.id, run.kind, run.name, run.size, run.seed, run.status, run.progress, run.score, run.headline, digest)
    return (*head, *times, round(run.seconds, 3), run.version)
