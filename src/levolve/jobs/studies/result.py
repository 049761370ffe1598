"""`StudyResult`: what all results of studies have in common: a table, and a chart as a figure and
as a picture.
"""

import json
from abc import abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from levolve.core.display import Displayed
from levolve.core.errors import MissingExtraError, requiring
from levolve.formats.look import Look
from levolve.formats.tables import Tabular

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class StudyResult(Displayed, Tabular):
    """A mixin for results of studies. A subclass implements `rows`, `to_data`, and `_figure`,
    which imports the chart.

    The other methods have meanings of their own in subclasses that need them.
    """

    # What errors call it.
    noun: ClassVar[str]

    @abstractmethod
    def _figure(self) -> "Figure":
        """Return the chart."""

    @abstractmethod
    def to_data(self) -> dict[str, Any]:
        """Return the result as JSON-compatible data."""

    def _origin(self) -> tuple[str, Mapping[str, Any]] | None:
        """Return the data that a picture contains, and their name: recipes and seed."""
        return None

    def _document(self, suffix: str) -> str | None:
        """Return the text of a file with a suffix other than those of pictures and tables."""
        return None

    def plot(self) -> "Figure":
        """Return the chart as a matplotlib figure. Requires the extra `plot`."""
        with requiring(f"{self.noun}.plot", ("matplotlib",), "plot"):
            return self._figure()

    def _png(self) -> bytes:
        """Return the chart as PNG: the same bytes each time."""
        with requiring(f"a plot of a {self.noun}", ("matplotlib",), "plot"):
            from levolve.jobs.charts.figures import png_of

            return png_of(self._figure(), self._origin())

    def _picture(self) -> bytes | None:
        try:
            return self._png()
        except MissingExtraError:
            return None

    def encoded_files(self, path: Path, look: Look | None = None) -> dict[Path, bytes]:
        """Return the bytes of the chart (.png), of the data, or of the table (.csv, .parquet)."""
        suffix = path.suffix.lower()
        if look is None and suffix == ".png":
            return {path: self._png()}
        document = self._document(suffix) if look is None else None
        return super().encoded_files(path, look) if document is None else {path: document.encode()}


def json_text(data: object) -> str:
    """Return data as the text of a JSON file."""
    return f"{json.dumps(data, indent=2, allow_nan=False)}\n"
