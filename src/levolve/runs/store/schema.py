"""The tables of a store, their version, and the steps that bring an older store up to date."""

import sqlite3
from collections.abc import Sequence

from levolve.errors import StoreError

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
    )""",
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
        f"CREATE TABLE {table} (run INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE, digest TEXT, result TEXT NOT NULL)"
        for table in ("packs", "studies", "maps")
    ),
)

SECOND = (
    """CREATE TABLE sessions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL, recipe TEXT NOT NULL, created REAL NOT NULL, updated REAL NOT NULL, data TEXT NOT NULL
    )""",
    "CREATE INDEX sessions_by_time ON sessions (updated)",
    """CREATE TABLE shelf (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL, digest TEXT NOT NULL, content BLOB NOT NULL, source TEXT NOT NULL, added REAL NOT NULL
    )""",
    "CREATE INDEX shelf_by_digest ON shelf (digest)",
)

THIRD = (
    """CREATE TABLE worlds (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL, data TEXT NOT NULL, added REAL NOT NULL
    )""",
)

FOURTH = ("ALTER TABLE runs ADD COLUMN engine TEXT NOT NULL DEFAULT ''",)

# Step n brings a store of version n to version n + 1. A step is never changed once it has been released; a new one is added.
MIGRATIONS: list[Sequence[str]] = [FIRST, SECOND, THIRD, FOURTH]

# The table with the results of each kind of job, beside `runs` and `levels`.
RESULT_TABLES = {"pack": "packs", "puzzle-pack": "packs", "compare": "studies", "meta": "studies", "map": "maps"}


def version_of(connection: sqlite3.Connection) -> int:
    """Return the schema version of a store; 0 for an empty file. Raises an error for a file of another program, or of a newer version."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if application != APPLICATION and (application, version, tables) != (0, 0, 0):
        message = "expected a store of levolve, got an SQLite file of another program; choose another path"
        raise StoreError(message)
    if version > len(MIGRATIONS):
        message = f"its schema has version {version}, but this levolve knows versions up to {len(MIGRATIONS)}; update levolve, or choose another path"
        raise StoreError(message)
    return int(version)


def is_outdated(connection: sqlite3.Connection) -> bool:
    """Whether a store has an older schema, or none yet."""
    return version_of(connection) < len(MIGRATIONS)


def migrate(connection: sqlite3.Connection) -> None:
    """Bring a store up to date, within the transaction of the caller: all steps succeed, or none has happened."""
    for step in MIGRATIONS[version_of(connection) :]:
        for statement in step:
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
