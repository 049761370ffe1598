"""Repair a store.

Damaged values of rows are replaced, rows without their content are deleted, and what can be read of
a damaged file is copied to a new one.
"""

import os
import re
import sqlite3
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from levolve.core.errors import InputError, LevolveError, StoreError
from levolve.jobs.store import kept
from levolve.jobs.store.codec import decode_state, is_other_version
from levolve.jobs.store.database import DamagedFileError, decoded_text
from levolve.jobs.store.records import (
    COLUMNS,
    DONE,
    LATEST,
    RUNNING,
    STOPPED,
    TABLE,
    Column,
    DamagedRowError,
    faults_of,
    read_row,
)
from levolve.jobs.store.store import Store

# Tables, the order of their rows, and what a row is called.
TABLES = {
    "runs": ("id", "run"),
    "history": ("run, step", "line of a history"),
    "checkpoints": ("rowid", "checkpoint"),
    "levels": ("rowid", "level"),
    "packs": ("run", "result of a pack"),
    "studies": ("run", "result of a study"),
    "maps": ("run", "result of a map"),
    "sessions": ("id", "session"),
    "shelf": ("id", "kept level"),
    "worlds": ("id", "kept world"),
}
# Tables whose rows are listed, and what is read of them for a list.
LISTED = {
    "runs": COLUMNS,
    "sessions": kept.FIELDS,
    "shelf": kept.SHELF_COLUMNS,
    "worlds": kept.WORLD_COLUMNS,
}
# Complaints of SQLite about values of rows, not about the file.
ABOUT_ROWS = re.compile("NULL value in|CHECK constraint failed in")
# Lines of a history that cannot be read.
DAMAGED_LINES = """typeof(step) <> 'integer' OR typeof(evaluations) <> 'integer'
    OR typeof(best) NOT IN ('real', 'integer', 'null') OR abs(best) = 9e999
    OR typeof(mean) NOT IN ('real', 'integer', 'null') OR abs(mean) = 9e999"""


def damaged_rows(store: Store) -> list[str]:
    """Return a sentence about each row that is left out of a list because it is damaged."""
    found = []
    for table, columns in LISTED.items():
        for row in store.rows(f"SELECT {', '.join(columns)} FROM {table} ORDER BY id"):
            try:
                read_row(TABLES[table][1], row, columns)
            except DamagedRowError as problem:
                found.append(str(problem))
    return found


def repair_store(path: str | Path) -> list[str]:
    """Repair a store, and return a sentence about each repair; none if nothing is damaged.

    A damaged file is kept under another name. No other process may have it open then.
    """
    path = Path(path)
    done = [] if _is_sound(path) else [_salvage(path)]
    with Store(path, create=False) as store:
        return done + store.write(lambda: _repair_rows(store))


def _is_sound(path: Path) -> bool:
    """Whether SQLite can read the whole file."""
    try:
        with Store(path, create=False) as store:
            complaints = [str(row[0]) for row in store.rows("PRAGMA integrity_check")]
    except DamagedFileError:
        return False
    return all(text == "ok" or ABOUT_ROWS.match(text) for text in complaints)


# The rows of a file that SQLite can read


def _repair_rows(store: Store) -> list[str]:
    done: list[str] = []
    for row in store.rows("SELECT * FROM runs ORDER BY id"):
        done += _replaced(store, "runs", row, COLUMNS, _substitutes(store, row))
    for table, columns in (
        ("sessions", kept.FIELDS),
        ("shelf", kept.SHELF_COLUMNS),
        ("worlds", kept.WORLD_COLUMNS),
    ):
        content = "content" if table == "shelf" else "data"
        for row in store.rows(f"SELECT * FROM {table} ORDER BY id"):
            if _is_table(row[content]):
                done += _replaced(store, table, row, columns, {"added": time.time()})
            else:
                store.execute(f"DELETE FROM {table} WHERE id = ?", row["id"])
                done.append(f"{TABLES[table][1]} {row['id']}: its {content} was damaged; deleted")
    return done + _delete_unreadable(store)


def _substitutes(store: Store, row: sqlite3.Row) -> dict[str, object]:
    """Return what replaces damaged values of a run, as far as other values say it."""
    now = time.time()
    other = {"started": row["updated"], "updated": row["started"]}
    moments = {
        name: moment if isinstance(moment, float) and 0 <= moment < LATEST else now
        for name, moment in other.items()
    }
    call = TABLE.read(row["call"]) if _is_table(row["call"]) else {}
    seed = {"seed": str(call["seed"])} if isinstance(call.get("seed"), int) else {}
    ended = store.rows("SELECT 1 FROM levels WHERE run = ?", row["id"]) or _is_table(row["summary"])
    return {**moments, **seed, "status": DONE if ended else STOPPED}


def _replaced(
    store: Store,
    table: str,
    row: sqlite3.Row,
    columns: Mapping[str, Column],
    known: Mapping[str, object],
) -> list[str]:
    """Replace the damaged values of a row."""
    faults = faults_of(row, columns)
    if not faults:
        return []
    values = {name: known.get(name, columns[name].substitute) for name in faults}
    changes = ", ".join(f"{name} = ?" for name in faults)
    store.execute(f"UPDATE {table} SET {changes} WHERE id = ?", *values.values(), row["id"])
    replaced = ", ".join(
        f"{name} (now {'empty' if value in {None, ''} else value})"
        for name, value in values.items()
    )
    return [f"{TABLES[table][1]} {row['id']}: replaced damaged values: {replaced}"]


def _delete_unreadable(store: Store) -> list[str]:
    """Delete checkpoints, levels and lines of histories that cannot be read."""
    done: list[str] = []
    checks: dict[str, tuple[str, Callable[[Any], bool]]] = {
        "checkpoints": ("state", _is_state),
        "levels": ("content", _is_table),
    }
    for table, (column, is_readable) in checks.items():
        for row in store.rows(f"SELECT rowid, run, {column} FROM {table} ORDER BY rowid"):
            if not is_readable(row[column]):
                store.execute(f"DELETE FROM {table} WHERE rowid = ?", row["rowid"])
                done.append(f"run {row['run']}: deleted a damaged {TABLES[table][1]}")
    lines = store.execute(f"DELETE FROM history WHERE {DAMAGED_LINES}").rowcount
    if lines:
        done.append(f"deleted {lines} damaged lines of histories")
    for table in ("history", "checkpoints", "levels", "packs", "studies", "maps"):
        lost = store.execute(f"DELETE FROM {table} WHERE run NOT IN (SELECT id FROM runs)").rowcount
        if lost:
            done.append(f"deleted rows of {table} whose run is lost: {lost}")
    return done


def _is_table(value: object) -> bool:
    try:
        TABLE.read(value.decode() if isinstance(value, bytes) else value)
    except (ValueError, TypeError, RecursionError):
        return False
    return True


def _is_state(value: object) -> bool:
    """Whether a checkpoint can be read, here or by another version of levolve."""
    if not isinstance(value, bytes):
        return False
    try:
        decode_state(value)
    except InputError:
        return is_other_version(value)
    return True


# A file that SQLite cannot read


def _salvage(path: Path) -> str:
    """Copy what can be read of a damaged file to a new one; the damaged one gets another name."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        with closing(sqlite3.connect(path)) as damaged, Store(fresh) as store:
            damaged.text_factory = decoded_text
            counts = store.write(lambda: {name: _copy(damaged, store, name) for name in TABLES})
            running = [record.id for record in store.runs() if record.status == RUNNING]
        if running:
            raise LevolveError(
                f"store {path}: run {running[0]} is being carried out; stop it first"
            )
        if not any(counts.values()):
            raise StoreError(
                f"store {path}: nothing can be read of the damaged file; restore it from a copy, "
                "or move it away to begin a new one"
            )
        aside = _free_name(path)
        for ending in ("", "-wal", "-shm"):
            if (part := Path(f"{path}{ending}")).exists():
                part.replace(f"{aside}{ending}")
        fresh.replace(path)
    finally:
        for ending in ("", "-wal", "-shm"):
            Path(f"{fresh}{ending}").unlink(missing_ok=True)
    saved = ", ".join(f"{count} of {name}" for name, count in counts.items() if count)
    return f"the file was damaged and is now {aside.name}; rows saved from it: {saved}"


def _copy(damaged: sqlite3.Connection, store: Store, table: str) -> int:
    """Copy the rows of a table that can be read, from both ends up to the damage; return how
    many.
    """
    order = TABLES[table][0]
    known = {row["name"] for row in store.rows(f"PRAGMA table_info({table})")}
    copied = 0
    for way in ("ASC", "DESC"):
        keys = ", ".join(f"{key} {way}" for key in order.split(", "))
        try:
            found = damaged.execute(f"SELECT * FROM {table} ORDER BY {keys}")
            names = [entry[0] for entry in found.description]
            for row in found:
                given = zip(names, row, strict=True)
                values = {name: value for name, value in given if name in known}
                try:
                    _insert(store, table, values)
                    copied += 1
                except sqlite3.IntegrityError as problem:
                    # A row that is there already: both ways have met. Any other is left out.
                    if "UNIQUE" in str(problem):
                        return copied
                except UnicodeEncodeError:
                    continue
        except sqlite3.DatabaseError:
            continue
        return copied
    return copied


def _insert(store: Store, table: str, values: Mapping[str, object]) -> None:
    marks = ", ".join("?" * len(values))
    statement = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})"
    store.execute(statement, *values.values())


def _free_name(path: Path) -> Path:
    """Return a name beside the file that no other file has."""
    names = (path.with_name(f"{path.name}.damaged{number or ''}") for number in range(1 << 20))
    return next(name for name in names if not name.exists())
