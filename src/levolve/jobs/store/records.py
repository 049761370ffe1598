"""What a store gives back: one job as a record, and what is written about it.

Which process carries out a job, and whether it is still alive.

The columns of the tables of a store: what each holds, how it is read and repaired.

SQLite stores any type in any column, and a file may have been damaged, edited, or written by
another version. So every row is checked when it is read. One that is damaged is named and left out;
`levolve runs repair` replaces its damaged values.
"""

import json
import math
import os
import platform
import sqlite3
import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from levolve.core.errors import StoreError
from levolve.jobs.job import Figures, JobOutcome

# A process on another machine, or on Windows, cannot be looked at: it counts as alive for this time
# after its last checkpoint.
SILENT_SECONDS = 600


@dataclass(frozen=True)
class Process:
    """A process: its number, its machine, and when it began, because numbers are used again."""

    pid: int
    host: str
    began: str

    @classmethod
    def this(cls) -> "Process":
        """Return the process that runs this code."""
        return cls(os.getpid(), platform.node(), _began(os.getpid()))

    def is_alive(self, updated: float) -> bool:
        """Whether the process exists; `updated` is the time of its last checkpoint."""
        if self.host != platform.node() or os.name == "nt":
            return time.time() - updated < SILENT_SECONDS
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except OSError:
            pass  # it exists, but belongs to another user
        return _began(self.pid) == self.began

    def __str__(self) -> str:
        """Return the number, and the machine if it is another one."""
        return f"process {self.pid}" + ("" if self.host == platform.node() else f" on {self.host}")


def _began(pid: int) -> str:
    """Return when a process began, as the system counts it; empty where the system does not say. A
    process that has ended has no such time.
    """
    try:
        fields = (
            Path(f"/proc/{pid}/stat")
            .read_text(encoding="utf-8", errors="replace")
            .rpartition(")")[2]
            .split()
        )
    except OSError:
        return ""
    # A process that has ended, but whose parent has not asked for its exit code yet, is no longer
    # alive.
    return "ended" if fields[0] in {"Z", "X"} else fields[19]


Value = TypeVar("Value")
REPAIR = "'levolve runs repair' repairs it"


class DamagedRowError(StoreError):
    """A row of a store cannot be read."""


@dataclass(frozen=True)
class Column:
    """A column: what it holds, and what replaces a damaged value.

    `read` returns the value, and raises an error for any other.
    """

    expected: str
    read: Callable[[Any], Any]
    substitute: object


def read_row(what: str, row: sqlite3.Row, columns: Mapping[str, Column]) -> dict[str, Any]:
    """Return the values of a row by column; raises `DamagedRowError` if one is damaged."""
    faults = faults_of(row, columns)
    if faults:
        sentences = "; ".join(f"{name}: expected {columns[name].expected}" for name in faults)
        raise DamagedRowError(f"{what} {row['id']} is damaged ({sentences})")
    return {name: column.read(row[name]) for name, column in columns.items()}


def faults_of(row: sqlite3.Row, columns: Mapping[str, Column]) -> list[str]:
    """Return the names of the columns whose value is damaged."""
    return [name for name, column in columns.items() if not _is_readable(row[name], column)]


def intact(
    rows: Iterable[sqlite3.Row], read: Callable[[sqlite3.Row], Value], advice: str = REPAIR
) -> list[Value]:
    """Read rows. A damaged one is named in a warning, with advice about its number, and left
    out.
    """
    found = []
    for row in rows:
        try:
            found.append(read(row))
        except DamagedRowError as problem:
            sentence = f"{problem}; it is left out; {advice.format(row['id'])}"
            warnings.warn(sentence, stacklevel=3)
    return found


def _is_readable(value: object, column: Column) -> bool:
    try:
        column.read(value)
    except (ValueError, TypeError, OverflowError, RecursionError):
        return False
    return True


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    value.encode()  # bytes that are not UTF-8 are read as lone surrogates, which cannot be encoded
    return value


def _whole(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError
    return value


def _number(value: object) -> float:
    if not isinstance(value, int | float):
        raise TypeError
    if not math.isfinite(value):
        raise ValueError
    return float(value)


def _moment(value: object) -> float:
    number = _number(value)
    if not 0 <= number < LATEST:
        raise ValueError
    return number


def one_of(*words: str) -> Column:
    """Return a column of certain words; the last one replaces a damaged value."""

    def read(value: object) -> str:
        if value not in words:
            raise ValueError
        return str(value)

    return Column(" or ".join(words), read, words[-1])


def _process(value: object) -> int:
    number = _whole(value)
    if not 0 <= number < 1 << 31:
        raise ValueError
    return number


def _seed(value: object) -> int:
    return int(_text(value))


def _table(value: object) -> dict[str, Any]:
    data = json.loads(_text(value))
    if not isinstance(data, dict):
        raise TypeError
    return data


def _texts(value: object) -> tuple[str, ...]:
    data = json.loads(_text(value))
    if not isinstance(data, list):
        raise TypeError
    return tuple(_text(text) for text in data)


def _content(value: object) -> bytes:
    if not isinstance(value, bytes):
        raise TypeError
    return value


def optional(column: Column) -> Column:
    """Return a column that may be empty."""

    def read(value: object) -> object:
        return None if value is None else column.read(value)

    return Column(f"{column.expected} or nothing", read, None)


# The year 9999, the last one that a date can have.
LATEST = 253_370_764_800.0
TEXT = Column("text", _text, "")
WHOLE = Column("a whole number", _whole, 0)
NUMBER = Column("a number", _number, 0.0)
MOMENT = Column("seconds since 1970", _moment, 0.0)
SECONDS = Column("seconds", _moment, 0.0)
PROCESS = Column("the number of a process", _process, 0)
SEED = Column("a whole number as text", _seed, "0")
TABLE = Column("a JSON table", _table, "{}")
TEXTS = Column("a JSON list of texts", _texts, "[]")
CONTENT = Column("bytes", _content, b"")


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

    `call` builds the job again, None if it cannot be written down; `options` are what the command
    does with the result; `plugins` are the modules named by `--plugin`; `seconds` the time spent so
    far; `progress` the finished share; `problem` the error that ended it; `summary` the result.
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
        names = (
            "id kind name size seed status started updated seconds version engine progress score "
            "headline problem options summary"
        )
        return {name: getattr(self, name) for name in names.split()} | {
            "process": str(self.process)
        }


@dataclass(frozen=True)
class Entry:
    """What is written about a job at one moment: its state as bytes, and the history since the last
    entry.
    """

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
    """Return data as JSON; paths become absolute, so that they name the same files from any
    folder.
    """
    return json.dumps(data, default=_plain)


def _plain(value: object) -> Any:
    if isinstance(value, Path):
        return str(value.absolute())
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"expected JSON-compatible data, got {type(value).__name__}")
