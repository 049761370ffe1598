"""Critical differences: the average ranks of recipes over many problems and seeds, and which of them are too close to call (Demšar 2006)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from levolve.display import Displayed
from levolve.errors import InputError, requiring
from levolve.formats.tables import Tabular
from levolve.studies.distributions import chi_square_tail, doubled_ranks, range_quantile

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure

    from levolve.formats.look import Look
    from levolve.studies.comparison import Comparison
    from levolve.studies.distributions import Numbers

ALPHA = 0.05
FEWEST, MANY = 2, 3


@dataclass(frozen=True, eq=False, repr=False)
class CriticalDifference(Displayed, Tabular):
    """The average ranks of recipes, best first; rank 1 is the best of a block, ties share their ranks.

    A block is one seed of one problem, on which every recipe has one run. `p` is that of Friedman's test that all recipes are alike, None for two
    recipes. Two recipes whose ranks differ by less than `distance` are not significantly different at the 5 % level (Nemenyi's test).
    """

    names: tuple[str, ...]
    ranks: Numbers
    blocks: int
    distance: float
    p: float | None
    problems: tuple[str, ...]

    @classmethod
    def of(cls, comparisons: Sequence[Comparison]) -> CriticalDifference:
        """Rank the recipes of one or more comparisons, such as those on several sizes. All must have the same recipes."""
        if not comparisons:
            message = "comparisons: expected at least one, got none"
            raise InputError(message)
        names = sorted(entrant.name for entrant in comparisons[0].entrants)
        for comparison in comparisons:
            if sorted(entrant.name for entrant in comparison.entrants) != names:
                message = f"comparisons: expected the recipes {', '.join(names)} in all of them, got {comparison!r}"
                raise InputError(message)
        parts = [[each[name].performance(has_goal=each.goal is not None) for name in names] for each in comparisons]
        table = np.concatenate([np.stack(part, axis=1) for part in parts])
        ranked = np.stack([doubled_ranks(-block)[0] / 2 for block in table])
        ranks = ranked.mean(axis=0)
        order = np.argsort(ranks, kind="stable")
        count, blocks = len(names), len(table)
        p = None if count < MANY else friedman(ranked)
        problems = tuple(f"{each.problem['objective']['kind']} {each.problem['size']}" for each in comparisons)
        return cls(tuple(names[place] for place in order), ranks[order], blocks, critical_distance(count, blocks), p, problems)

    @property
    def groups(self) -> list[tuple[int, int]]:
        """The largest groups of recipes without a significant difference, each as the places of its first and last recipe."""
        found: list[tuple[int, int]] = []
        for first in range(len(self.names)):
            last = int(np.searchsorted(self.ranks, self.ranks[first] + self.distance, side="left")) - 1
            if last > first and (not found or last > found[-1][1]):
                found.append((first, last))
        return found

    def __repr__(self) -> str:
        """Return the average ranks, best first."""
        standing = ", ".join(f"{name} {rank:.2f}" for name, rank in zip(self.names, self.ranks, strict=True))
        return f"<CriticalDifference {self.distance:.2f} over {self.blocks} blocks: {standing}>"

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per recipe: its average rank."""
        return [{"recipe": name, "rank": float(rank)} for name, rank in zip(self.names, self.ranks, strict=True)]

    def to_data(self) -> dict[str, Any]:
        """Return all figures as JSON-compatible data."""
        groups = [list(self.names[first : last + 1]) for first, last in self.groups]
        return {"ranks": self.rows(), "blocks": self.blocks, "distance": self.distance, "p": self.p, "problems": list(self.problems), "alike": groups}

    def plot(self) -> Figure:
        """Return the diagram as a matplotlib figure."""
        with requiring("ranks.plot", ("matplotlib",), "plot"):
            from levolve.studies.critical_difference_chart import rank_figure  # noqa: PLC0415 it imports this class
        return rank_figure(self)

    def _picture(self) -> bytes:
        with requiring("a picture of ranks", ("matplotlib",), "plot"):
            from levolve.runs.charts import png_of  # noqa: PLC0415 needed only for charts
        return png_of(self.plot())

    def encoded_files(self, path: Path, look: Look | None = None) -> dict[Path, bytes]:
        """Return the bytes of the diagram (.png), or of the table of ranks (.csv, .parquet)."""
        return {path: self._picture()} if look is None and path.suffix.lower() == ".png" else super().encoded_files(path, look)


def critical_distance(recipes: int, blocks: int) -> float:
    """Return Nemenyi's critical difference of average ranks at the 5 % level.

    >>> round(critical_distance(5, 30), 3)
    1.114
    """
    quantile = range_quantile(1 - ALPHA, recipes) / np.sqrt(2)
    return float(quantile * np.sqrt(recipes * (recipes + 1) / (6 * blocks)))


def friedman(ranks: Numbers) -> float:
    """Return the p-value of Friedman's test: `(blocks, recipes)` ranks, with ties, differ only by chance."""
    blocks, count = ranks.shape
    # The ranks of a block are as far from their mean as its ties let them be; tables of ties have nothing to compare.
    spread = float(((ranks - (count + 1) / 2) ** 2).sum()) / (count - 1)
    between = float(((ranks.sum(axis=0) - blocks * (count + 1) / 2) ** 2).sum())
    return chi_square_tail(between / spread, count - 1) if spread > 0 else 1.0
