"""`Archive`: the result of illumination, the best level of each cell of a grid over features; and
its map, as an array and as text for a terminal.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from levolve.core.display import Displayed
from levolve.core.errors import InputError, requiring
from levolve.formats.tables import Tabular
from levolve.levels.level import Level, Origin
from levolve.levels.measures.measure import number_text, plain_number
from levolve.recipes.part_tables import plugins_of
from levolve.version import ENGINE, VERSION

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from levolve.formats.look import Look
    from levolve.recipes.recipe import Recipe
    from levolve.search.feature_grid import Axis, FeatureGrid
    from levolve.search.genotypes.gene_space import Genes


@dataclass(frozen=True)
class Progress:
    """How an archive was filled: evaluations, coverage and QD score, one entry per generation in
    each list.
    """

    evaluations: list[int] = field(default_factory=list)
    coverage: list[float] = field(default_factory=list)
    qd_score: list[float] = field(default_factory=list)


@dataclass(frozen=True, eq=False, repr=False)
class Archive(Displayed, Tabular):
    """m elites in the order in which their cells were first filled. Plain data: the recipe and the
    seed give the same archive again.

    Parameters
    ----------
    recipe, seed, evaluations
        What was evolved, with which seed, and how many individuals were evaluated. The strategy of
        the recipe has the axes.
    grid
        The axes with their ranges.
    cells, genes, scores, values
        `(m,)` cells, numbered with the last axis fastest; `(m, ...)` genes; `(m,)` scores; `(m,
        axes)` values of the features.
    floor
        The score that adds nothing to the QD score.
    ahead
        The number of levels that a run of the recipe lists before the elites: 1 if its best
        individual lies outside the ranges, otherwise 0.
    progress
        Coverage and QD score over time.
    """

    recipe: Recipe
    seed: int
    evaluations: int
    grid: FeatureGrid
    cells: NDArray[np.int64]
    genes: Genes
    scores: NDArray[np.float64]
    values: NDArray[np.float64]
    floor: float = 0.0
    ahead: int = 0
    progress: Progress = field(default_factory=Progress)
    version: str = VERSION
    engine: str = ENGINE

    def __len__(self) -> int:
        """Return the number of elites."""
        return len(self.cells)

    @property
    def coverage(self) -> float:
        """The share of the cells that have an elite."""
        return len(self) / self.grid.count

    @property
    def qd_score(self) -> float:
        """The sum of the scores of all elites, each minus the floor."""
        return float(self.scores.sum()) - len(self) * self.floor

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the cells, scores and genes of the elites."""
        parts = (
            self.cells.astype("<i8"),
            self.scores.astype("<f8"),
            self.genes.astype(self.genes.dtype.newbyteorder("<")),
        )
        return hashlib.sha256(b"".join(part.tobytes() for part in parts)).hexdigest()

    @cached_property
    def score_map(self) -> NDArray[np.float64]:
        """The score of each cell's elite, an array with one dimension per axis; NaN for empty
        cells.
        """
        scores = np.full(self.grid.count, np.nan)
        scores[self.cells] = self.scores
        return scores.reshape(self.grid.shape)

    @cached_property
    def _grown(self) -> dict[int, Level]:
        """The winnable elites as levels with a solution, by their place in the archive, best
        first.
        """
        order = np.argsort(-self.scores, kind="stable")
        data = self.recipe.to_data()
        numbers: dict[Level, int] = {}
        grown: dict[int, Level] = {}
        for place in order.tolist():
            for level in self.recipe.problem.result(self.genes[place : place + 1]):
                # A run of the recipe lists equal levels once.
                number = numbers.setdefault(level, len(numbers))
                plugins = plugins_of(data, level)
                origin = Origin.of(
                    data, self.seed, number + self.ahead, self.version, plugins, self.engine
                )
                grown[place] = level.with_origin(origin)
        return grown

    @property
    def levels(self) -> list[Level]:
        """The levels of all elites that can be won, from best to worst score, each with a solution
        that the independent checker has replayed.
        """
        return list(self._grown.values())

    def level(self, cell: int | Sequence[int]) -> Level:
        """Return the level of a cell, given by its number or by its place on each axis; raise
        `InputError` if the cell is empty.
        """
        number = cell if isinstance(cell, int) else self.grid.cell(cell)
        found = np.flatnonzero(self.cells == number)
        if not len(found) or int(found[0]) not in self._grown:
            raise InputError(
                f"cell: expected one with a level, got {cell}, which is empty; {len(self)} of "
                f"{self.grid.count} cells have one"
            )
        return self._grown[int(found[0])]

    def entries(self) -> Iterator[tuple[int, Level, dict[str, int | float]]]:
        """Yield the cell, the level and the features with the score of each elite that can be won,
        best first.
        """
        for place, level in self._grown.items():
            yield (
                int(self.cells[place]),
                level,
                {**self._features(place), "score": float(self.scores[place])},
            )

    def to_data(self) -> dict[str, Any]:
        """Return the result as JSON-compatible data, without the elites."""
        return {
            "recipe": self.recipe.name,
            "seed": self.seed,
            "axes": [
                {
                    "name": axis.name,
                    "low": axis.low,
                    "high": axis.span(axis.cells - 1)[1],
                    "cells": axis.cells,
                }
                for axis in self.grid.axes
            ],
            "cells": len(self),
            "coverage": self.coverage,
            "qd_score": self.qd_score,
            "best_score": float(self.scores.max()) if len(self) else None,
            "evaluations": self.evaluations,
            "digest": self.digest,
        }

    def __repr__(self) -> str:
        """Return the axes, the coverage and the QD score in one line."""
        axes = " x ".join(f"{axis.name} ({axis.cells})" for axis in self.grid.axes)
        return (
            f"<Archive of {self.recipe.name}: {axes}, {len(self)} of {self.grid.count} cells "
            f"({self.coverage:.1%}), QD score {self.qd_score:,.6g}>"
        )

    def _picture(self) -> bytes:
        from levolve.jobs.charts.heat_maps import archive_picture

        return archive_picture(self)

    def rows(self) -> list[dict[str, Any]]:
        """Return the cell, the values on the axes and the score of each elite, best first."""
        order = np.argsort(-self.scores, kind="stable").tolist()
        return [
            {
                "cell": int(self.cells[place]),
                **self._features(place),
                "score": float(self.scores[place]),
            }
            for place in order
        ]

    def plot(self) -> Figure:
        """Return the heat map, and coverage and QD score over time, as a matplotlib figure.
        Requires the extra `plot`.
        """
        with requiring("archive.plot", ("matplotlib",), "plot"):
            from levolve.jobs.charts.results import archive_figure

        return archive_figure(self)

    def encoded_files(self, path: Path, look: Look | None = None) -> dict[Path, bytes]:
        """Return the bytes of the heat map (.png), of the archive's two files (.npz or .json), or
        of the table of elites (.csv, .parquet).
        """
        suffix = path.suffix.lower()
        if look is None and suffix == ".png":
            return {path: self._picture()}
        if look is None and suffix in {".npz", ".json"}:
            from levolve.jobs.archives.files import encode_archive

            return {
                path.with_suffix(Path(name).suffix): content
                for name, content in encode_archive(self).items()
            }
        return super().encoded_files(path, look)

    def _features(self, place: int) -> dict[str, int | float]:
        """Return the values of an elite on the axes, by name."""
        return {
            axis.name: _plain(value, axis.step)
            for axis, value in zip(self.grid.axes, self.values[place].tolist(), strict=True)
        }


def _plain(value: float, step: float) -> int | float:
    return plain_number(int(value) if step and float(value).is_integer() else value)


def flat_map(archive: Archive) -> NDArray[np.float64]:
    """Return the `(width, height)` scores over the first two axes; NaN for empty cells."""
    scores = archive.score_map
    if scores.ndim == 1:
        return scores[:, np.newaxis]
    others = tuple(range(2, scores.ndim))
    best = np.where(np.isnan(scores), -np.inf, scores).max(axis=others) if others else scores
    return np.where(np.isneginf(best), np.nan, best)


# From low scores to high ones; a space has no level.
SHADES = "░▒▓█"
WIDTH, HEIGHT, LABEL = 60, 15, 8


def map_lines(archive: Archive) -> list[str]:
    """Return at most 18 lines of at most 70 characters: the first axis to the right, the second
    upwards, darker for higher scores.
    """
    scores = flat_map(archive).T[::-1]
    rows, columns = min(HEIGHT, scores.shape[0]), min(WIDTH, scores.shape[1])
    known = scores[~np.isnan(scores)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
    across = archive.grid.axes[0]
    up = archive.grid.axes[1] if len(archive.grid.axes) > 1 else None
    lines = []
    for row in range(rows):
        label = (
            ""
            if up is None
            else _end(up, 1.0)
            if row == 0
            else _end(up, 0.0)
            if row == rows - 1
            else ""
        )
        band = scores[row * scores.shape[0] // rows : (row + 1) * scores.shape[0] // rows]
        edges = [column * scores.shape[1] // columns for column in range(columns + 1)]
        marks = [
            _mark(band[:, edges[column] : edges[column + 1]], low, high)
            for column in range(columns)
        ]
        lines.append(f"{label[-LABEL + 1 :]:>{LABEL - 1}} │{''.join(marks)}".rstrip())
    first, last = _end(across, 0.0), _end(across, 1.0)
    lines += [
        " " * LABEL + "└" + "─" * columns,
        " " * (LABEL + 1) + first + " " * max(columns - len(first) - len(last), 1) + last,
    ]
    upward = "" if up is None else f", {up.name} upwards"
    scale = f"; score {number_text(low)} {SHADES} {number_text(high)}" if len(known) else ""
    return [*lines, " " * (LABEL + 1) + f"{across.name} to the right{upward}{scale}"]


def _mark(block: np.ndarray[tuple[int, ...], np.dtype[np.float64]], low: float, high: float) -> str:
    known = block[~np.isnan(block)]
    if not len(known):
        return " "
    depth = (float(known.mean()) - low) / (high - low) if high > low else 1.0
    return SHADES[min(int(depth * len(SHADES)), len(SHADES) - 1)]


def _end(axis: Axis, share: float) -> str:
    value = axis.low if share == 0 else axis.span(axis.cells - 1)[1]
    return number_text(round(value) if axis.step else value)
