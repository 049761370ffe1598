"""The jobs of a store, or the history of one, as CSV."""

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from levolve.printable import one_line
from levolve.runs.jobs import Figures
from levolve.runs.store.records import StoredRun

RUN_COLUMNS = ("id", "kind", "name", "size", "seed", "status", "progress", "score", "result", "digest", "started", "updated", "seconds", "version")
HISTORY_COLUMNS = ("step", "best", "mean", "evaluations")
# A spreadsheet takes a text that begins with one of these for a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def runs_to_csv(runs: Iterable[StoredRun]) -> bytes:
    """Return one line per job."""
    return _csv(RUN_COLUMNS, (_row(run) for run in runs))


def history_to_csv(history: Iterable[Figures]) -> bytes:
    """Return one line per generation or other step of a job."""
    return _csv(HISTORY_COLUMNS, ((one.step, one.best, one.mean, one.evaluations) for one in history))


def _row(run: StoredRun) -> Sequence[object]:
    times = [datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds") for moment in (run.started, run.updated)]
    digest = (run.summary or {}).get("digest", "")
    head = (run.id, run.kind, run.name, run.size, run.seed, run.status, run.progress, run.score, run.headline, digest)
    return (*head, *times, round(run.seconds, 3), run.version)


def _csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue().encode()


def _cell(value: object) -> object:
    """Quote a text that a spreadsheet would take for a formula, and escape its control characters; numbers stay numbers."""
    if not isinstance(value, str):
        return value
    return one_line(f"'{value}" if value.startswith(FORMULA) else value)
