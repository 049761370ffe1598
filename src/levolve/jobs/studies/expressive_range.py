"""`ExpressiveRange`: which levels recipes make, as histograms over two measures side by side (Smith
and Whitehead 2010).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from levolve.core.display import html_table
from levolve.jobs.studies.result import StudyResult, json_text
from levolve.levels.measures import MEASURES
from levolve.levels.measures.measure import number_text, plain_number
from levolve.version import ENGINE, VERSION

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from levolve.recipes.recipe import Recipe

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Sample:
    """The winnable levels of one unit of work: their seed, `(n, 2)` values, `(n,)` scores, and
    `(n,)` hashes of the levels; `tried` counts all.
    """

    name: str
    seed: int
    tried: int
    values: Numbers
    scores: Numbers
    keys: NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class RecipeRange:
    """The levels of one recipe."""

    name: str
    recipe: Recipe
    samples: tuple[Sample, ...]

    @cached_property
    def values(self) -> Numbers:
        """The values of all levels, `(n, 2)`."""
        return np.concatenate([sample.values for sample in self.samples])

    @property
    def tried(self) -> int:
        """The number of levels before those that cannot be won were dropped."""
        return sum(sample.tried for sample in self.samples)

    @cached_property
    def distinct(self) -> int:
        """The number of different levels."""
        return len(np.unique(np.concatenate([sample.keys for sample in self.samples])))


@dataclass(frozen=True, eq=False, repr=False)
class ExpressiveRange(StudyResult):
    """The expressive ranges of several recipes over the same two measures and on the same grid.

    Attributes
    ----------
    axes
        The names of the two measures.
    edges
        For each axis the edges of the cells, `(cells + 1,)`. Cells of whole numbers have whole
        widths.
    recipes
        The levels of each recipe.
    seed
        The first seed.
    """

    noun: ClassVar[str] = "range"

    axes: tuple[str, str]
    edges: tuple[Numbers, Numbers]
    recipes: tuple[RecipeRange, ...]
    seed: int

    def __repr__(self) -> str:
        """Return the recipes with their numbers of levels."""
        counts = ", ".join(f"{one.name} {len(one.values)}" for one in self.recipes)
        return f"<ExpressiveRange over {' and '.join(self.axes)}: levels of {counts}>"

    def __getitem__(self, name: str) -> RecipeRange:
        """Return the levels of a recipe."""
        return next(one for one in self.recipes if one.name == name)

    def histogram(self, name: str) -> Numbers:
        """Return the share of a recipe's levels in each cell, `(cells of the first axis, cells of
        the second)`; all 0 without levels.
        """
        values = self[name].values
        counts = np.histogram2d(values[:, 0], values[:, 1], bins=self.edges)[0]
        return np.asarray(counts / max(len(values), 1), np.float64)

    def coverage(self, name: str) -> float:
        """Return the share of the cells that hold a level of a recipe."""
        return float((self.histogram(name) > 0).mean())

    def overlap(self, one: str, other: str) -> float:
        """Return how much two recipes have in common: the sum over the cells of the smaller of both
        shares, from 0 to 1.
        """
        return float(np.minimum(self.histogram(one), self.histogram(other)).sum())

    @property
    def overlaps(self) -> dict[tuple[str, str], float]:
        """The overlap of every two recipes."""
        return {
            (one.name, other.name): self.overlap(one.name, other.name)
            for one, other in combinations(self.recipes, 2)
        }

    def figures(self, one: RecipeRange) -> dict[str, str]:
        """Return the row of a table for a recipe, as texts by column."""
        spans = {axis: self._span(one.values[:, column]) for column, axis in enumerate(self.axes)}
        share = f"{100 * len(one.values) / max(one.tried, 1):.0f} %"
        return {
            "levels": f"{len(one.values):,}",
            "winnable": share,
            "distinct": f"{one.distinct:,}",
            **spans,
            "cells": f"{self.coverage(one.name):.1%}",
        }

    @staticmethod
    def _span(values: Numbers) -> str:
        """Return the lowest value, the median and the highest value."""
        return (
            "-"
            if not len(values)
            else " ".join(_text(value) for value in (values.min(), np.median(values), values.max()))
        )

    def to_data(self, *, levels: bool = True) -> dict[str, Any]:
        """Return the result as JSON-compatible data. Without `levels`, single levels are left
        out.
        """
        return {
            "axes": list(self.axes),
            "edges": [edges.tolist() for edges in self.edges],
            "seed": self.seed,
            "version": VERSION,
            "engine": ENGINE,
            "recipes": [self._recipe_data(one, levels=levels) for one in self.recipes],
            "overlaps": [
                {"first": one, "second": other, "overlap": share}
                for (one, other), share in self.overlaps.items()
            ],
        }

    def _recipe_data(self, one: RecipeRange, *, levels: bool) -> dict[str, Any]:
        summary = {
            "name": one.name,
            "tried": one.tried,
            "levels": len(one.values),
            "distinct": one.distinct,
            "cells": self.coverage(one.name),
            "axes": {
                axis: _summary(one.values[:, column]) for column, axis in enumerate(self.axes)
            },
            "recipe": one.recipe.to_data(),
        }
        if not levels:
            return summary
        return {
            **summary,
            "values": [[plain_value(value) for value in row] for row in one.values],
            "histogram": self.histogram(one.name).tolist(),
        }

    def rows(self) -> list[dict[str, Any]]:
        """Return a row per level: its recipe, the seed, the values and the score."""
        first, second = self.axes
        return [
            {
                "recipe": one.name,
                "seed": sample.seed,
                first: plain_value(row[0]),
                second: plain_value(row[1]),
                "score": plain_value(score),
            }
            for one in self.recipes
            for sample in one.samples
            for row, score in zip(sample.values, sample.scores, strict=True)
        ]

    def _figure(self) -> Figure:
        from levolve.jobs.charts.studies import range_figure

        return range_figure(self)

    def _png(self) -> bytes:
        from levolve.jobs.charts.heat_maps import range_picture

        return range_picture(self)

    def _document(self, suffix: str) -> str | None:
        return json_text(self.to_data()) if suffix == ".json" else None

    def _repr_html_(self) -> str:
        return super()._repr_html_() + html_table(
            [{"recipe": one.name, **self.figures(one)} for one in self.recipes]
        )


def shared_edges(
    recipes: tuple[RecipeRange, ...], axes: tuple[str, str], grid: tuple[int, int]
) -> tuple[Numbers, Numbers]:
    """Return the edges of the cells over the values of all recipes. There are fewer cells than in
    `grid` if an axis has fewer whole values.
    """
    values = np.concatenate([one.values for one in recipes])
    first, second = (_edges(values[:, column], axes[column], grid[column]) for column in (0, 1))
    return first, second


def _edges(values: Numbers, axis: str, cells: int) -> Numbers:
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    measure = MEASURES[axis]
    if not measure.whole:
        return np.linspace(low, high if high > low else low + 1.0, cells + 1)
    # A whole number of strides, so that every cell can hold as many values.
    stride = measure.stride
    width = stride * max(-(-(high - low + stride) // (stride * cells)), 1.0)
    return low + width * np.arange((high - low) // width + 2)


def _summary(values: Numbers) -> Mapping[str, float | None]:
    if not len(values):
        return {"lowest": None, "median": None, "mean": None, "highest": None}
    lowest, median, highest = (
        plain_value(value) for value in (values.min(), np.median(values), values.max())
    )
    return {"lowest": lowest, "median": median, "mean": float(values.mean()), "highest": highest}


def plain_value(value: np.float64) -> int | float:
    """Return a value of a measure for JSON: whole numbers without a fraction."""
    return int(value) if float(value).is_integer() else plain_number(value)


def _text(value: np.float64) -> str:
    return number_text(plain_value(value))
