"""What a store gives back: one job as a record, and what is written about it."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from levolve.runs.jobs import Figures, JobOutcome
from levolve.runs.store.columns import (
    MOMENT,
    NUMBER,
    PROCESS,
    SECONDS,
    SEED,
    TABLE,
    TEXT,
    TEXTS,
    WHOLE,
    one_of,
    optional,
    read_row,
)
from levolve.runs.store.processes import Process

RUNNING, DONE, STOPPED, FAILED = "running", "done", "stopped", "failed"
# The columns of the table `runs`.
COLUMNS = {
    "id": WHOLE,
    **dict.fromkeys(("kind", "name", "size"), TEXT),
    "seed": SEED,
    "call": optional(TABLE),
    "options": TABLE,
    "plugins": TEXTS,
    "status": one_of(RUNNING, DONE, FAILED, STOPPED),
    **dict.fromkeys(("started", "updated"), MOMENT),
    "seconds": SECONDS,
    "pid": PROCESS,
    **dict.fromkeys(("host", "process", "version", "engine"), TEXT),
    **dict.fromkeys(("progress", "score"), optional(NUMBER)),
    "headline": TEXT,
    "problem": optional(TEXT),
    "summary": optional(TABLE),
}


@dataclass(frozen=True)
class StoredRun:
    """One job of a store.

    `call` builds the job again, None if it cannot be written down; `options` are what the command does with the result; `plugins` are the modules
    named by `--plugin`; `seconds` the time spent so far; `progress` the finished share; `problem` the error that ended it; `summary` the result.
    """

    id: int
    kind: str
    name: str
    size: str
    seed: int
    call: Mapping[str, Any] | None
    options: Mapping[str, Any]
    plugins: tuple[str, ...]
    status: str
    started: float
    updated: float
    seconds: float
    process: Process
    version: str
    engine: str
    progress: float | None
    score: float | None
    headline: str
    problem: str | None
    summary: Mapping[str, Any] | None

    @classmethod
    def of(cls, row: sqlite3.Row) -> "StoredRun":
        """Read a row of the table `runs`; raises `DamagedRowError` if a value is damaged."""
        values = read_row("run", row, COLUMNS)
        process = Process(*(values.pop(name) for name in ("pid", "host", "process")))
        if values["status"] == RUNNING and not process.is_alive(values["updated"]):
            # Its process was killed.
            values["status"] = STOPPED
        return cls(**values, process=process)

    def to_data(self) -> dict[str, Any]:
        """Return the record as JSON-compatible data."""
        names = "id kind name size seed status started updated seconds version engine progress score headline problem options summary"
        return {name: getattr(self, name) for name in names.split()} | {"process": str(self.process)}


@dataclass(frozen=True)
class Entry:
    """What is written about a job at one moment: its state as bytes, and the history since the last entry."""

    status: str
    seconds: float
    progress: float | None
    score: float | None
    headline: str
    state: bytes | None = field(repr=False)
    figures: Sequence[Figures] = ()
    outcome: JobOutcome | None = None
    problem: str | None = None


def to_json(data: object) -> str:
    """Return data as JSON; paths become absolute, so that they name the same files from any folder."""
    return json.dumps(data, default=_plain)


def _plain(value: object) -> Any:  # noqa: ANN401 JSON is anything
    if isinstance(value, Path):
        return str(value.absolute())
    if hasattr(value, "tolist"):
        return value.tolist()
    message = f"expected JSON-compatible data, got {type(value).__name__}"
    raise TypeError(message)
