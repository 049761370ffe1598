"""`History`: the scores of a run by generation. `Curve`: its points, thinned evenly so that their
number stays bounded. `Front`: its best trade-offs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from levolve.core.display import Displayed
from levolve.core.errors import requiring
from levolve.formats.tables import Tabular
from levolve.levels.measures.measure import number_text
from levolve.search.search import Generations

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from levolve.formats.look import Look
    from levolve.levels.level import Level


@dataclass(repr=False)
class History(Tabular):
    """The history of a run, one entry per generation in each list. `best` is the best score so far,
    `mean` that of the population.
    """

    best: list[float] = field(default_factory=list)
    mean: list[float] = field(default_factory=list)
    evaluations: list[int] = field(default_factory=list)

    def add(self, done: Generations) -> None:
        """Add one or more generations."""
        self.best += done.best
        self.mean += done.mean
        self.evaluations += done.evaluations

    def __repr__(self) -> str:
        """Return the number of generations, the last best score and the evaluations."""
        scores = (
            f": best {self.best[-1]:g} after {self.evaluations[-1]:,} evaluations"
            if self.best
            else ""
        )
        return f"<History of {len(self.best)} generations{scores}>"

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per generation."""
        columns = zip(self.best, self.mean, self.evaluations, strict=True)
        return [
            {"generation": number, "best": best, "mean": mean, "evaluations": used}
            for number, (best, mean, used) in enumerate(columns)
        ]


Point = TypeVar("Point")


class Curve(Generic[Point]):
    """Points by generation. When there are more than `most`, every second generation is dropped,
    and from then on not recorded.

    >>> curve: Curve[int] = Curve(most=4)
    >>> for generation in range(10):
    ...     curve.add(generation, generation)
    >>> curve.points
    [0, 4, 8, 9]
    """

    def __init__(self, most: int) -> None:
        """Start without points."""
        self._most = most
        self._stride = 1
        self._kept: list[tuple[int, Point]] = []
        self._last: tuple[int, Point] | None = None

    def add(self, generation: int, point: Point) -> None:
        """Add a point; generations are added in order."""
        self._last = generation, point
        if generation % self._stride:
            return
        self._kept.append(self._last)
        if len(self._kept) > self._most:
            self._stride *= 2
            self._kept = [kept for kept in self._kept if kept[0] % self._stride == 0]

    @property
    def points(self) -> list[Point]:
        """The points, the newest included."""
        kept, last = self._kept, self._last
        newest = [] if last is None or (kept and kept[-1][0] == last[0]) else [last[1]]
        return [point for _, point in kept] + newest


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
