"""`Database`: an SQLite file of ours, in WAL mode, with the current schema; transactions, and
errors in plain words.

With `synchronous = NORMAL` a transaction survives the end of the process at any moment, also by
`kill -9`; a power failure may lose the last ones, but never damages the file.

The tables of a store, their version, and the steps that bring an older store up to date.
"""

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import Self, TypeVar

from levolve.core.errors import StoreError

# Marks a file as a store ("levo"): SQLite files of other programs have another number.
APPLICATION = 0x6C65766F

FIRST = (
    """CREATE TABLE runs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL, name TEXT NOT NULL, size TEXT NOT NULL, seed TEXT NOT NULL,
        call TEXT, options TEXT NOT NULL, plugins TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('running', 'done', 'stopped', 'failed')),
        started REAL NOT NULL, updated REAL NOT NULL, seconds REAL NOT NULL,
        pid INTEGER NOT NULL, host TEXT NOT NULL, process TEXT NOT NULL,
        version TEXT NOT NULL, progress REAL, score REAL, headline TEXT NOT NULL, problem TEXT, summary TEXT
    )""",  # noqa: E501 text in another language
    "CREATE INDEX runs_by_time ON runs (updated)",
    """CREATE TABLE history (
        run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        step INTEGER NOT NULL, best REAL, mean REAL, evaluations INTEGER NOT NULL,
        PRIMARY KEY (run, step)
    ) WITHOUT ROWID""",
    """CREATE TABLE checkpoints (
        run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        number INTEGER NOT NULL, saved REAL NOT NULL, state BLOB NOT NULL,
        PRIMARY KEY (run, number)
    )""",
    """CREATE TABLE levels (
        run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        place INTEGER NOT NULL, digest TEXT NOT NULL, content BLOB NOT NULL,
        PRIMARY KEY (run, place)
    )""",
    *(
        (
            f"CREATE TABLE {table} (run INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE "
            "CASCADE, digest TEXT, result TEXT NOT NULL)"
        )
        for table in ("packs", "studies", "maps")
    ),
)

SECOND = (
    """CREATE TABLE sessions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL, recipe TEXT NOT NULL, created REAL NOT NULL, updated REAL NOT NULL, data TEXT NOT NULL
    )""",  # noqa: E501 text in another language
    "CREATE INDEX sessions_by_time ON sessions (updated)",
    """CREATE TABLE shelf (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL, digest TEXT NOT NULL, content BLOB NOT NULL, source TEXT NOT NULL, added REAL NOT NULL
    )""",  # noqa: E501 text in another language
    "CREATE INDEX shelf_by_digest ON shelf (digest)",
)

THIRD = (
    """CREATE TABLE worlds (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL, data TEXT NOT NULL, added REAL NOT NULL
    )""",
)

FOURTH = ("ALTER TABLE runs ADD COLUMN engine TEXT NOT NULL DEFAULT ''",)

# Step n brings a store of version n to version n + 1. A step is never changed once it has been
# released; a new one is added.
MIGRATIONS: list[Sequence[str]] = [FIRST, SECOND, THIRD, FOURTH]

# The table with the results of each kind of job, beside `runs` and `levels`.
RESULT_TABLES = {
    "pack": "packs",
    "puzzle-pack": "packs",
    "compare": "studies",
    "meta": "studies",
    "map": "maps",
}


def version_of(connection: sqlite3.Connection) -> int:
    """Return the schema version of a store; 0 for an empty file. Raises an error for a file of
    another program, or of a newer version.
    """
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if application != APPLICATION and (application, version, tables) != (0, 0, 0):
        raise StoreError(
            "expected a store of levolve, got an SQLite file of another program; choose another "
            "path"
        )
    if version > len(MIGRATIONS):
        raise StoreError(
            f"its schema has version {version}, but this levolve knows versions up to "
            f"{len(MIGRATIONS)}; update levolve, or choose another path"
        )
    return int(version)


def is_outdated(connection: sqlite3.Connection) -> bool:
    """Whether a store has an older schema, or none yet."""
    return version_of(connection) < len(MIGRATIONS)


def migrate(connection: sqlite3.Connection) -> None:
    """Bring a store up to date, within the transaction of the caller: all steps succeed, or none
    has happened.
    """
    for step in MIGRATIONS[version_of(connection) :]:
        for statement in step:
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")


# Another process may hold the lock for as long as it writes a large state.
BUSY_SECONDS = 5
PATIENCE_SECONDS = 60

Value = TypeVar("Value")


class DamagedFileError(StoreError):
    """SQLite cannot read the file of a store."""


class Database:
    """An open SQLite file. A context manager, which closes the file on exit.

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
            raise StoreError(
                f"store {self.path}: there is no such file; no run has been stored in it yet"
            )
        with self._explained("opened"):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self.path.exists() and not self.path.is_file():
                raise StoreError(
                    f"store {self.path}: expected a file, got something else; choose another path"
                )
            self._connection = sqlite3.connect(
                self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            self._connection.row_factory = sqlite3.Row
            self._connection.text_factory = decoded_text
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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        self.close()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def rows(self, query: str, *values: object) -> list[sqlite3.Row]:
        """Return the rows of a query."""
        with self._lock, self._explained("read"):
            return self._patiently(lambda: self._connection.execute(query, values).fetchall())

    def execute(self, statement: str, *values: object) -> sqlite3.Cursor:
        """Carry out a statement within the transaction of `write`."""
        return self._connection.execute(statement, values)

    def write(self, action: Callable[[], Value]) -> Value:
        """Carry out an action in one transaction: all of it happens, or nothing."""

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
                if (
                    problem.sqlite_errorcode & 0xFF
                    not in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
                    or time.monotonic() > limit
                ):
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
                raise DamagedFileError(
                    f"store {self.path}: the file is damaged; 'levolve runs repair' saves what "
                    "can be read of it"
                ) from problem
            else:
                reason = f"cannot be {done}: {problem}; choose another path"
            raise StoreError(f"store {self.path}: {reason}") from problem
        except OSError as problem:
            raise StoreError(
                f"store {self.path}: cannot be {done}: {problem.strerror or problem}; choose "
                "another path"
            ) from problem
        except StoreError as problem:
            if str(problem).startswith("store "):
                raise
            raise StoreError(f"store {self.path}: {problem}") from problem


def decoded_text(content: bytes) -> str:
    """Return a text. Bytes that are not UTF-8 become lone surrogates, which the row's check
    finds.
    """
    return content.decode(errors="surrogateescape")
