"""`Store`: the jobs, breeding sessions, kept levels and kept worlds of a user in one SQLite file.

The jobs of a store, or the history of one, as CSV.
"""

import math
import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from levolve.core.errors import InputError, LevolveError, StoreError
from levolve.core.plugins import named_plugins
from levolve.formats.tables import csv_bytes
from levolve.jobs.job import Figures, Job
from levolve.jobs.store.codec import decode_state
from levolve.jobs.store.database import RESULT_TABLES, Database
from levolve.jobs.store.kept import KeptWorlds, Sessions, Shelf
from levolve.jobs.store.records import (
    DONE,
    NUMBER,
    REPAIR,
    RUNNING,
    WHOLE,
    DamagedRowError,
    Entry,
    Process,
    StoredRun,
    faults_of,
    intact,
    optional,
    to_json,
)
from levolve.version import ENGINE, VERSION

LAST = "last"
ADVICE = f"{REPAIR}, 'levolve runs delete {{0}}' deletes it"
HISTORY = {"step": WHOLE, **dict.fromkeys(("best", "mean"), optional(NUMBER)), "evaluations": WHOLE}
# A checkpoint and the one before it are kept.
CHECKPOINTS = 2


class Store(Database):
    """The jobs of a user, breeding sessions (`sessions`), kept levels (`shelf`) and kept fashion
    worlds (`worlds`).

    Parameters
    ----------
    path
        The SQLite file; it and its folder are created if they do not exist.
    create
        Whether to create a missing file.
    """

    def __init__(self, path: str | Path, *, create: bool = True) -> None:
        """Open the file, and bring its schema up to date."""
        super().__init__(path, create=create)
        self.sessions = Sessions(self)
        self.shelf = Shelf(self)
        self.worlds = KeptWorlds(self)

    # Writing

    def add(self, job: Job[Any], options: Mapping[str, Any], entry: Entry) -> int:
        """Add a job of this process, and return its number."""
        try:
            call = to_json(job.call())
        except InputError:
            call = None  # a job that cannot be written down is listed, but cannot be resumed
        process, now = Process.this(), time.time()
        values = {
            "kind": job.kind,
            "name": job.name,
            "size": job.size,
            "seed": str(job.seed),
            "call": call,
            "options": to_json(options),
            "plugins": to_json(named_plugins()),
            "status": entry.status,
            "started": now - entry.seconds,
            "updated": now,
            "seconds": entry.seconds,
            "pid": process.pid,
            "host": process.host,
            "process": process.began,
            "version": VERSION,
            "engine": ENGINE,
            "headline": entry.headline,
        }
        names = ", ".join(values)
        marks = ", ".join("?" * len(values))

        def insert() -> int:
            cursor = self._connection.execute(
                f"INSERT INTO runs ({names}) VALUES ({marks})", tuple(values.values())
            )
            run = int(cursor.lastrowid or 0)
            self._update(run, job.kind, entry)
            return run

        return self.write(insert)

    def update(self, run: int, kind: str, entry: Entry) -> None:
        """Write an entry about a job: its status, state and history, in one transaction."""
        self.write(lambda: self._update(run, kind, entry))

    def _update(self, run: int, kind: str, entry: Entry) -> None:
        execute = self._connection.execute
        now = time.time()
        done = execute(
            (
                "UPDATE runs SET status = ?, updated = ?, seconds = ?, progress = ?, score = ?, "
                "headline = ?, problem = ? WHERE id = ?"
            ),
            (
                entry.status,
                now,
                entry.seconds,
                entry.progress,
                entry.score,
                entry.headline,
                entry.problem,
                run,
            ),
        )
        if done.rowcount == 0:
            raise StoreError(f"run {run} was deleted while it was running")
        rows = ((run, one.step, one.best, one.mean, one.evaluations) for one in entry.figures)
        self._connection.executemany("INSERT OR REPLACE INTO history VALUES (?, ?, ?, ?, ?)", rows)
        if entry.state is not None:
            (last,) = execute(
                "SELECT coalesce(max(number), 0) FROM checkpoints WHERE run = ?", (run,)
            ).fetchone()
            execute(
                "INSERT INTO checkpoints VALUES (?, ?, ?, ?)", (run, last + 1, now, entry.state)
            )
            kept = 1 if entry.outcome is not None else CHECKPOINTS
            execute("DELETE FROM checkpoints WHERE run = ? AND number <= ?", (run, last + 1 - kept))
        if entry.outcome is not None:
            summary = to_json(entry.outcome.summary)
            execute("UPDATE runs SET summary = ? WHERE id = ?", (summary, run))
            levels = (
                (run, place, digest, content)
                for place, (digest, content) in enumerate(entry.outcome.levels)
            )
            self._connection.executemany(
                "INSERT OR REPLACE INTO levels VALUES (?, ?, ?, ?)", levels
            )
            if (table := RESULT_TABLES.get(kind)) is not None:
                execute(
                    f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?)",
                    (run, entry.outcome.digest, summary),
                )

    def claim(self, run: int) -> StoredRun:
        """Make this process the one that carries out a job, unless it is done; raises an error if
        another one does. Returns the record before.
        """

        def take() -> StoredRun:
            record = self.find(run)
            if record.status == RUNNING:
                raise LevolveError(
                    f"run {run} is being carried out by {record.process}; wait until it ends, or "
                    "stop it first"
                )
            if record.status == DONE:
                return record
            process = Process.this()
            self._connection.execute(
                (
                    "UPDATE runs SET status = ?, pid = ?, host = ?, process = ?, updated = ?, "
                    "problem = NULL WHERE id = ?"
                ),
                (RUNNING, process.pid, process.host, process.began, time.time(), run),
            )
            return record

        return self.write(take)

    def release(self, record: StoredRun) -> None:
        """Undo `claim`: nobody carries out this job."""
        self.write(
            lambda: self._connection.execute(
                "UPDATE runs SET status = ? WHERE id = ?", (record.status, record.id)
            )
        )

    def delete(self, runs: Iterable[int]) -> None:
        """Delete jobs with all that is stored about them, also damaged ones; raises an error for
        one that is being carried out.
        """
        chosen = list(runs)

        def remove() -> None:
            for run in chosen:
                row = self._row(run)
                try:
                    record = StoredRun.of(row)
                except DamagedRowError:
                    pass
                else:
                    if record.status == RUNNING:
                        raise LevolveError(
                            f"run {run} is being carried out by {record.process}; stop it before "
                            "it is deleted"
                        )
                self._connection.execute("DELETE FROM runs WHERE id = ?", (row["id"],))

        self.write(remove)

    # Reading

    def find(self, run: int | str) -> StoredRun:
        """Return a job by its number, or the one that was updated last by "last"; raises
        `DamagedRowError` if it cannot be read.
        """
        row = self._row(run)
        try:
            return StoredRun.of(row)
        except DamagedRowError as problem:
            raise DamagedRowError(f"{problem}; {ADVICE.format(row['id'])}") from problem

    def number(self, run: int | str) -> int:
        """Return the number of a job, also of a damaged one, by its number as text, or by "last" as
        `find` does.
        """
        return self.find(LAST).id if run == LAST else int(self._row(run)["id"])

    def _row(self, run: int | str) -> sqlite3.Row:
        if run == LAST:
            rows = self.rows("SELECT * FROM runs ORDER BY updated DESC, id DESC LIMIT 1")
            if not rows:
                raise InputError(f"store {self.path}: there are no runs yet")
            return rows[0]
        if not str(run).isascii() or not str(run).isdecimal() or int(run) >= 1 << 63:
            raise InputError(
                f"run: expected the number of a run or {LAST!r}, got {run!r}; 'levolve runs' "
                "lists them"
            )
        rows = self.rows("SELECT * FROM runs WHERE id = ?", int(run))
        if not rows:
            raise InputError(
                f"run: there is no run {run} in {self.path}; 'levolve runs' lists what there is"
            )
        return rows[0]

    def runs(self) -> list[StoredRun]:
        """Return all jobs, the one that was started last first. Damaged ones are named in a
        warning, and left out.
        """
        return intact(
            self.rows("SELECT * FROM runs ORDER BY started DESC, id DESC"), StoredRun.of, ADVICE
        )

    def deletable(self, before: float = math.inf) -> list[int]:
        """Return the numbers of the jobs that nobody carries out: all, also damaged ones, or those
        last updated before a moment.
        """
        found = []
        for row in self.rows("SELECT * FROM runs ORDER BY id"):
            try:
                record = StoredRun.of(row)
            except DamagedRowError:
                if before == math.inf:
                    found.append(row["id"])
                continue
            if record.status != RUNNING and record.updated < before:
                found.append(record.id)
        return found

    def history(self, run: int) -> list[Figures]:
        """Return the history of a job, without damaged lines."""
        rows = self.rows(
            "SELECT step, best, mean, evaluations FROM history WHERE run = ? ORDER BY step", run
        )
        return [Figures(*row) for row in rows if not faults_of(row, HISTORY)]

    def levels(self, run: int) -> list[bytes]:
        """Return the levels or positions of a finished job, each as the content of a JSON file;
        empty where it is damaged.
        """
        rows = self.rows("SELECT content FROM levels WHERE run = ? ORDER BY place", run)
        return [row["content"] if isinstance(row["content"], bytes) else b"" for row in rows]

    def state(self, run: int) -> dict[str, Any]:
        """Return the last state of a job; the one before it, if its bytes are damaged."""
        rows = self.rows("SELECT state FROM checkpoints WHERE run = ? ORDER BY number DESC", run)
        problem: InputError | None = None
        for row in rows:
            try:
                return decode_state(row["state"] if isinstance(row["state"], bytes) else b"")
            except InputError as damage:
                problem = problem or damage
        raise StoreError(f"run {run}: {problem or 'there is no checkpoint of it'}; start it again")


RUN_COLUMNS = (
    "id",
    "kind",
    "name",
    "size",
    "seed",
    "status",
    "progress",
    "score",
    "result",
    "digest",
    "started",
    "updated",
    "seconds",
    "version",
)
HISTORY_COLUMNS = ("step", "best", "mean", "evaluations")


def runs_to_csv(runs: Iterable[StoredRun]) -> bytes:
    """Return one line per job."""
    return csv_bytes(RUN_COLUMNS, (_row(run) for run in runs))


def history_to_csv(history: Iterable[Figures]) -> bytes:
    """Return one line per generation or other step of a job."""
    return csv_bytes(
        HISTORY_COLUMNS, ((one.step, one.best, one.mean, one.evaluations) for one in history)
    )


def _row(run: StoredRun) -> Sequence[object]:
    times = [
        datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds")
        for moment in (run.started, run.updated)
    ]
    digest = (run.summary or {}).get("digest", "")
    head = (
        run.id,
        run.kind,
        run.name,
        run.size,
        run.seed,
        run.status,
        run.progress,
        run.score,
        run.headline,
        digest,
    )
    return (*head, *times, round(run.seconds, 3), run.version)
