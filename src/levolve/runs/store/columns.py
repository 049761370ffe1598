"""The columns of the tables of a store: what each holds, how it is read and repaired.

SQLite stores any type in any column, and a file may have been damaged, edited, or written by
another version. So every row is checked when it is read. One that is damaged is named and left out;
`levolve runs repair` replaces its damaged values.
"""

import json
import math
import sqlite3
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from levolve.errors import StoreError

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
        message = f"{what} {row['id']} is damaged ({sentences})"
        raise DamagedRowError(message)
    return {name: column.read(row[name]) for name, column in columns.items()}


def faults_of(row: sqlite3.Row, columns: Mapping[str, Column]) -> list[str]:
    """Return the names of the columns whose value is damaged."""
    return [name for name, column in columns.items() if not _is_readable(row[name], column)]


def intact(rows: Iterable[sqlite3.Row], read: Callable[[sqlite3.Row], Value], advice: str = REPAIR) -> list[Value]:
    """Read rows. A damaged one is named in a warning, with advice about its number, and left out."""
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
