"""`Front`: the levels of a run with several objectives that no other level dominates, and their
values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from levolve.core.display import Displayed
from levolve.core.errors import requiring
from levolve.formats.tables import Tabular
from levolve.levels.measures.measure import number_text

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from levolve.formats.look import Look
    from levolve.levels.level import Level


@dataclass(frozen=True, eq=False, repr=False)
class Front(Displayed, Tabular):
    """A Pareto front: n levels, best first by the first objective, and the values of each objective
    by name, `(n,)`.

    All levels can be won and have a solution. Every combination of values occurs once.
    """

    levels: tuple[Level, ...]
    values: Mapping[str, NDArray[np.float64]]

    def __len__(self) -> int:
        """Return the number of levels."""
        return len(self.levels)

    def __iter__(self) -> Iterator[Level]:
        """Iterate over the levels."""
        return iter(self.levels)

    def __repr__(self) -> str:
        """Return the number of levels and the range of each objective."""
        return f"<Front of {len(self)} levels: {', '.join(self.ranges())}>"

    def ranges(self) -> list[str]:
        """Return the name of each objective with its lowest and highest value, such as "walls 12 to
        180".
        """
        return [
            f"{name} {number_text(plain(min(values)))} to {number_text(plain(max(values)))}"
            for name, values in self.values.items()
            if len(values)
        ]

    def rows(self) -> list[dict[str, Any]]:
        """Return the values and the digest of each level as JSON-compatible data."""
        return [
            {
                **{name: plain(values[i]) for name, values in self.values.items()},
                "digest": level.digest,
            }
            for i, level in enumerate(self.levels)
        ]

    def plot(self) -> Figure:
        """Return the first two objectives and some of the levels as a matplotlib figure. Requires
        the extra `plot`.
        """
        with requiring("front.plot", ("matplotlib",), "plot"):
            from levolve.jobs.charts.results import front_figure

        return front_figure(self)

    def sheet(self, look: Look | None = None) -> bytes:
        """Return a PNG with all levels, each with its values below."""
        captions = [
            ", ".join(
                f"{name} {number_text(plain(values[i]))}" for name, values in self.values.items()
            )
            for i in range(len(self))
        ]
        from levolve.formats.pictures.png import sheet_picture

        return sheet_picture(self.levels, captions, look)

    def _picture(self) -> bytes | None:
        return self.sheet() if self.levels else None

    def encoded_files(self, path: Path, look: Look | None = None) -> dict[Path, bytes]:
        """Return the bytes of a sheet of all levels (.png), or of the table of their values (.csv,
        .parquet).
        """
        return (
            {path: self.sheet(look)}
            if path.suffix.lower() == ".png" and self.levels
            else super().encoded_files(path, look)
        )


def plain(value: np.float64) -> int | float:
    """Return a number for JSON and for people: whole numbers without a fraction."""
    return int(value) if float(value).is_integer() else float(value)
