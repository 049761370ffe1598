"""Tables of results: rows as CSV, as Parquet, and as a pandas data frame. pandas and pyarrow are
needed only by those who use them.
"""

from __future__ import annotations

import csv
import io
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from levolve.core.errors import InputError, LevolveError
from levolve.core.safe_text import one_line

if TYPE_CHECKING:
    import pandas as pd

    from levolve.formats.look import Look

CSV, PARQUET = ".csv", ".parquet"
# A spreadsheet takes a text that begins with one of these for a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r")

Row = Mapping[str, Any]


@runtime_checkable
class Savable(Protocol):
    """Results that `levolve.save` writes by the suffix of a path."""

    def encoded_files(self, path: Path, look: Look | None = None) -> dict[Path, bytes]:
        """Return the bytes of the files for a path. `look` is the look of levels in pictures; None
        for the default one.
        """


class Tabular:
    """A mixin for results that are tables. A subclass implements `rows`; all rows have the same
    keys.
    """

    @abstractmethod
    def rows(self) -> Sequence[Row]:
        """Return one mapping per row, from the names of the columns to numbers and texts."""

    def to_frame(self) -> pd.DataFrame:
        """Return the rows as a pandas data frame. Requires pandas."""
        return frame_of(self.rows())

    def encoded_files(self, path: Path, look: Look | None = None) -> dict[Path, bytes]:
        """Return the bytes of a table for a path that ends in .csv or .parquet."""
        if look is not None:
            raise InputError(f"theme and tile: expected a picture of levels, got the table {path}")
        return {path: table_bytes(self.rows(), path)}


def frame_of(rows: Sequence[Row]) -> pd.DataFrame:
    """Return rows as a pandas data frame."""
    try:
        import pandas  # noqa: ICN001 only those who ask for a data frame need it
    except ModuleNotFoundError as problem:
        raise LevolveError(
            "to_frame: requires pandas, which is not installed; run: pip install pandas"
        ) from problem
    return pandas.DataFrame(list(rows))


def table_bytes(rows: Sequence[Row], path: Path) -> bytes:
    """Return rows in the form that the suffix of a path names: .csv, or .parquet, which requires
    pandas and pyarrow.
    """
    suffix = path.suffix.lower()
    if suffix == CSV:
        return csv_bytes(list(rows[0]) if rows else [], (row.values() for row in rows))
    if suffix != PARQUET:
        raise InputError(f"{path}: expected a file name of a table, ending in {CSV} or {PARQUET}")
    frame = frame_of(rows)
    buffer = io.BytesIO()
    try:
        frame.to_parquet(buffer, index=False)
    except ImportError as problem:
        raise LevolveError(
            f"{path}: requires pyarrow, which is not installed; run: pip install pyarrow"
        ) from problem
    return buffer.getvalue()


def csv_bytes(columns: Sequence[str], rows: Iterable[Iterable[object]]) -> bytes:
    """Return a table as CSV, with a line of names above it."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([safe_cell(value) for value in row] for row in rows)
    return text.getvalue().encode()


def safe_cell(value: object) -> object:
    """Quote a text that a spreadsheet would take for a formula, and escape its control characters;
    numbers stay numbers.
    """
    if not isinstance(value, str):
        return value
    return one_line(f"'{value}" if value.startswith(FORMULA) else value)
