"""`Store`: the jobs of a user in one SQLite file, in WAL mode.

With `synchronous = NORMAL` a transaction survives the end of the process at any moment, also by `kill -9`; a power failure may lose the last
ones, but never damages the file.
"""

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import Any, Self, TypeVar

from levolve.errors import InputError, LevolveError, StoreError
from levolve.plugins import named_plugins
from levolve.runs.jobs import Figures, Job
from levolve.runs.store.codec import decode_state
from levolve.runs.store.processes import Process
from levolve.runs.store.records import DONE, RUNNING, Entry, StoredRun, to_json
from levolve.runs.store.schema import RESULT_TABLES, is_outdated, migrate
from levolve.version import VERSION

# Another process may hold the lock for as long as it writes a large state.
BUSY_SECONDS = 5
PATIENCE_SECONDS = 60
LAST = "last"
# A checkpoint and the one before it are kept.
CHECKPOINTS = 2

Value = TypeVar("Value")


class Store:
    """The jobs of a user. A context manager, which closes the file on exit.

    Parameters
    ----------
    path
        The SQLite file; it and its folder are created if they do not exist.
    create
        Whether to create a missing file.
    """

    def __init__(self, path: str | Path, *, create: bool = True) -> None:
        """Open the file, and bring its schema up to date."""
        self.path = Path(path)
        self._lock = RLock()
        if not create and not self.path.exists():
            message = f"store {self.path}: there is no such file; no run has been stored in it yet"
            raise StoreError(message)
        with self._explained("opened"):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.path.exists() and not self.path.is_file():
                message = f"store {self.path}: expected a file, got something else; choose another path"
                raise StoreError(message)
            self._connection = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
            self._connection.row_factory = sqlite3.Row
            try:
                self._patiently(self._prepare)
            except BaseException:
                self._connection.close()
                raise

    def _prepare(self) -> None:
        connection = self._connection
        outdated = is_outdated(connection)
        if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        if outdated:
            with self._transaction():
                migrate(connection)
        connection.execute("PRAGMA foreign_keys = ON")

    def __enter__(self) -> Self:
        """Return this store."""
        return self

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None) -> None:
        """Close the file."""
        self.close()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

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
            "headline": entry.headline,
        }
        names = ", ".join(values)
        marks = ", ".join("?" * len(values))

        def insert() -> int:
            cursor = self._connection.execute(f"INSERT INTO runs ({names}) VALUES ({marks})", tuple(values.values()))  # noqa: S608 fixed names
            run = int(cursor.lastrowid or 0)
            self._update(run, job.kind, entry)
            return run

        return self._write(insert)

    def update(self, run: int, kind: str, entry: Entry) -> None:
        """Write an entry about a job: its status, state and history, in one transaction."""
        self._write(lambda: self._update(run, kind, entry))

    def _update(self, run: int, kind: str, entry: Entry) -> None:
        execute = self._connection.execute
        now = time.time()
        done = execute(
            "UPDATE runs SET status = ?, updated = ?, seconds = ?, progress = ?, score = ?, headline = ?, problem = ? WHERE id = ?",
            (entry.status, now, entry.seconds, entry.progress, entry.score, entry.headline, entry.problem, run),
        )
        if done.rowcount == 0:
            message = f"run {run} was deleted while it was running"
            raise StoreError(message)
        rows = ((run, one.step, one.best, one.mean, one.evaluations) for one in entry.figures)
        self._connection.executemany("INSERT OR REPLACE INTO history VALUES (?, ?, ?, ?, ?)", rows)
        if entry.state is not None:
            (last,) = execute("SELECT coalesce(max(number), 0) FROM checkpoints WHERE run = ?", (run,)).fetchone()
            execute("INSERT INTO checkpoints VALUES (?, ?, ?, ?)", (run, last + 1, now, entry.state))
            kept = 1 if entry.outcome is not None else CHECKPOINTS
            execute("DELETE FROM checkpoints WHERE run = ? AND number <= ?", (run, last + 1 - kept))
        if entry.outcome is not None:
            summary = to_json(entry.outcome.summary)
            execute("UPDATE runs SET summary = ? WHERE id = ?", (summary, run))
            levels = ((run, place, digest, content) for place, (digest, content) in enumerate(entry.outcome.levels))
            self._connection.executemany("INSERT OR REPLACE INTO levels VALUES (?, ?, ?, ?)", levels)
            if (table := RESULT_TABLES.get(kind)) is not None:
                execute(f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?)", (run, entry.outcome.digest, summary))  # noqa: S608 a fixed name

    def claim(self, run: int) -> StoredRun:
        """Make this process the one that carries out a job, unless it is done; raises an error if another one does. Returns the record before."""

        def take() -> StoredRun:
            record = self.find(run)
            if record.status == RUNNING:
                message = f"run {run} is being carried out by {record.process}; wait until it ends, or stop it first"
                raise LevolveError(message)
            if record.status == DONE:
                return record
            process = Process.this()
            self._connection.execute(
                "UPDATE runs SET status = ?, pid = ?, host = ?, process = ?, updated = ?, problem = NULL WHERE id = ?",
                (RUNNING, process.pid, process.host, process.began, time.time(), run),
            )
            return record

        return self._write(take)

    def release(self, record: StoredRun) -> None:
        """Undo `claim`: nobody carries out this job."""
        self._write(lambda: self._connection.execute("UPDATE runs SET status = ? WHERE id = ?", (record.status, record.id)))

    def delete(self, runs: Iterable[int]) -> None:
        """Delete jobs with all that is stored about them; raises an error for one that is being carried out."""
        chosen = list(runs)

        def remove() -> None:
            for run in chosen:
                record = self.find(run)
                if record.status == RUNNING:
                    message = f"run {run} is being carried out by {record.process}; stop it before it is deleted"
                    raise LevolveError(message)
                self._connection.execute("DELETE FROM runs WHERE id = ?", (run,))

        self._write(remove)

    # Reading

    def find(self, run: int | str) -> StoredRun:
        """Return a job by its number, or the one that was updated last by "last"."""
        if run == LAST:
            rows = self._rows("SELECT * FROM runs ORDER BY updated DESC, id DESC LIMIT 1")
            if not rows:
                message = f"store {self.path}: there are no runs yet"
                raise InputError(message)
            return StoredRun.of(rows[0])
        if not str(run).isascii() or not str(run).isdecimal() or int(run) >= 1 << 63:
            message = f"run: expected the number of a run or {LAST!r}, got {run!r}; 'levolve runs' lists them"
            raise InputError(message)
        rows = self._rows("SELECT * FROM runs WHERE id = ?", int(run))
        if not rows:
            message = f"run: there is no run {run} in {self.path}; 'levolve runs' lists what there is"
            raise InputError(message)
        return StoredRun.of(rows[0])

    def runs(self) -> list[StoredRun]:
        """Return all jobs, the one that was started last first."""
        return [StoredRun.of(row) for row in self._rows("SELECT * FROM runs ORDER BY started DESC, id DESC")]

    def history(self, run: int) -> list[Figures]:
        """Return the history of a job."""
        return [Figures(*row) for row in self._rows("SELECT step, best, mean, evaluations FROM history WHERE run = ? ORDER BY step", run)]

    def levels(self, run: int) -> list[bytes]:
        """Return the levels or positions of a finished job, each as the content of a JSON file."""
        return [row["content"] for row in self._rows("SELECT content FROM levels WHERE run = ? ORDER BY place", run)]

    def state(self, run: int) -> dict[str, Any]:
        """Return the last state of a job; the one before it, if its bytes are damaged."""
        rows = self._rows("SELECT state FROM checkpoints WHERE run = ? ORDER BY number DESC", run)
        problem: InputError | None = None
        for row in rows:
            try:
                return decode_state(row["state"])
            except InputError as damage:
                problem = problem or damage
        message = f"run {run}: {problem or 'there is no checkpoint of it'}; start it again"
        raise StoreError(message)

    def _rows(self, query: str, *values: object) -> list[sqlite3.Row]:
        with self._lock, self._explained("read"):
            return self._patiently(lambda: self._connection.execute(query, values).fetchall())

    # Transactions

    def _write(self, action: Callable[[], Value]) -> Value:
        def attempt() -> Value:
            with self._transaction():
                return action()

        with self._lock, self._explained("written"):
            return self._patiently(attempt)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    @staticmethod
    def _patiently(action: Callable[[], Value]) -> Value:
        """Repeat an action for as long as other processes lock the file, up to a minute."""
        limit = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                return action()
            except sqlite3.OperationalError as problem:
                if problem.sqlite_errorcode & 0xFF not in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED} or time.monotonic() > limit:
                    raise
            time.sleep(0.01)

    @contextmanager
    def _explained(self, done: str) -> Iterator[None]:
        """Convert the errors of SQLite and of the file system into our own."""
        try:
            yield
        except sqlite3.Error as problem:
            code = getattr(problem, "sqlite_errorcode", 0) & 0xFF
            if code == sqlite3.SQLITE_NOTADB:
                reason = "expected a store of levolve, got another file; choose another path"
            elif code == sqlite3.SQLITE_CORRUPT:
                reason = "the file is damaged; restore it from a copy, or move it away to begin a new one"
            else:
                reason = f"cannot be {done}: {problem}; choose another path"
            message = f"store {self.path}: {reason}"
            raise StoreError(message) from problem
        except OSError as problem:
            message = f"store {self.path}: cannot be {done}: {problem.strerror or problem}; choose another path"
            raise StoreError(message) from problem
        except StoreError as problem:
            if str(problem).startswith("store "):
                raise
            message = f"store {self.path}: {problem}"
            raise StoreError(message) from problem
