"""Morphs: maps whose character changes from place to place, S(λ) = (1 - λ) S1 + λ S2 with λ over
space, between two or more rules.

λ is held in 256ths, whole numbers: 0 is the first rule, 256 the second, 512 the third. A cell
scores by the mixture at its own place.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from levolve.core.errors import InputError
from levolve.formats.reading.files import naming, read_bytes
from levolve.formats.reading.pictures import png_chunks, png_pixels, png_size
from levolve.kernels.fashion.lines import UNIT
from levolve.kernels.fashion.margins import BOUNDED, TORUS
from levolve.kernels.fashion.starts import LENGTH, SINCE, new_courses
from levolve.worlds.rule import (
    DEFAULT_UPDATES,
    LOWEST,
    LOWEST_FLOAT,
    Map,
    Outcome,
    Rule,
    checked_updates,
)
from levolve.worlds.running import RankTables, run_by_sums, run_by_tables, sum_tables
from levolve.worlds.scores import MOST_SCORE, whole_scores
from levolve.worlds.starts import random_start

FIELDS = ("linear", "vertical", "radial", "noise")
Field = NDArray[np.int64]


def linear(size: tuple[int, int], stops: int = 2, *, vertical: bool = False) -> Field:
    """λ from the first rule at the left to the last at the right, or from top to bottom: `(height,
    width)` int64.
    """
    width, height = size
    along = np.arange(height if vertical else width, dtype=np.int64)
    line = along * (UNIT * (stops - 1)) // max(len(along) - 1, 1)
    return np.ascontiguousarray(
        np.broadcast_to(line[:, np.newaxis] if vertical else line, (height, width))
    )


def radial(size: tuple[int, int], stops: int = 2) -> Field:
    """λ from the first rule in the middle to the last at the nearest side and beyond."""
    width, height = size
    # Twice the distances, so that the middle is a whole number.
    dx = 2 * np.arange(width, dtype=np.int64) - (width - 1)
    dy = 2 * np.arange(height, dtype=np.int64) - (height - 1)
    square = dx[np.newaxis, :] ** 2 + dy[:, np.newaxis] ** 2
    far = max(min(width, height) - 1, 1)
    steps = np.arange(1, UNIT * (stops - 1) + 1, dtype=np.int64)
    # λ is the number of rings whose edge is passed: whole numbers throughout.
    edges = -((-((steps * far) ** 2)) // (UNIT * (stops - 1)) ** 2)
    return np.searchsorted(edges, square, side="right").astype(np.int64)


def noise(size: tuple[int, int], stops: int = 2, *, seed: int = 0, cell: int = 24) -> Field:
    """λ by smooth noise: random numbers at the corners of squares `cell` wide, and in between by
    how near each corner is.
    """
    width, height = size
    if not 1 <= cell <= 1 << 16:
        raise InputError(f"cell: expected from 1 to {1 << 16}, got {cell!r}")
    corners = random_start(256, (width // cell + 2, height // cell + 2), seed).astype(np.int64)

    def shares(length: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        at = np.arange(length, dtype=np.int64)
        part = at % cell * UNIT // cell
        # 3 t² - 2 t³: flat at the corners, so that their grid does not show.
        return at // cell, part * part * (3 * UNIT - 2 * part) // (UNIT * UNIT)

    (column, across), (row, down) = shares(width), shares(height)
    upper = corners[row][:, column] * (UNIT - across) + corners[row][:, column + 1] * across
    lower = corners[row + 1][:, column] * (UNIT - across) + corners[row + 1][:, column + 1] * across
    value = upper * (UNIT - down)[:, np.newaxis] + lower * down[:, np.newaxis]
    # Noise keeps to the middle of its range; stretched by two it reaches both ends.
    centred = 2 * value - 255 * UNIT * UNIT // 2
    return np.clip(centred * (stops - 1) // (255 * UNIT), 0, UNIT * (stops - 1))


def painted(mask: ArrayLike, stops: int = 2) -> Field:
    """λ from a painted mask of bytes, `(height, width)`: 0 is the first rule, 255 the last."""
    array = np.asarray(mask)
    if array.ndim != 2 or array.dtype != np.uint8:  # rows and columns
        raise InputError(
            f"mask: expected bytes in rows and columns, got {array.dtype} of shape {array.shape}"
        )
    return array.astype(np.int64) * (UNIT * (stops - 1)) // 255


class Morph:
    """Two or more rules with the same states, neighbourhood, border and arithmetic, mixed place by
    place.

    With float arithmetic a neighbour's score is mixed first, rule by rule, and then added to the
    sum, in the order of the neighbourhood.

    >>> first, second = Rule([[0, .5], [.2, .6]]), Rule([[1, 0], [0, 1]])
    >>> start = random_start(2, (40, 20), seed=1)
    >>> Morph([first, second]).run(start, linear((40, 20)), updates=4).shape
    (20, 40)
    """

    def __init__(self, rules: Sequence[Rule]) -> None:
        """Check that the rules can be mixed."""
        self.rules = tuple(rules)
        if len(self.rules) < 2 or not all(
            isinstance(rule, Rule) for rule in self.rules
        ):  # one rule is no mixture
            raise InputError(f"rules: expected at least two fashion rules, got {list(rules)!r}")
        first = self.rules[0]
        for number, rule in enumerate(self.rules):
            parts = [
                (one.states, one.neighbourhood, one.border, one.arithmetic) for one in (rule, first)
            ]
            if parts[0] != parts[1]:
                raise InputError(
                    "rules: expected the states, neighbourhood, border and arithmetic of the "
                    f"first rule, got others in rule {number}"
                )
        if first.arithmetic == "text":
            raise InputError(
                "rules: rules with arithmetic 'text' cannot be mixed; use 'float' or 'exact'"
            )
        self._scores: NDArray[Any]
        self._lowest: Any
        if first.arithmetic == "float":
            self._scores, self._lowest = (
                np.stack([rule.summands()[0] for rule in self.rules]),
                LOWEST_FLOAT,
            )
        else:
            self._scores, self._lowest = self._whole_scores(), LOWEST

    def _whole_scores(self) -> NDArray[np.int64]:
        """The scores of all rules as whole numbers in common proportions."""
        first = self.rules[0]
        whole = whole_scores(*(rule.exact for rule in self.rules))
        scores = np.zeros((len(whole), first.states, first.states + 1), np.int64)
        if (
            max(abs(value) for matrix in whole for row in matrix for value in row)
            * len(first.neighbourhood)
            * UNIT
            >= MOST_SCORE
        ):
            raise InputError(
                "rules: scores of such different size cannot be mixed exactly; round them to "
                "fewer digits"
            )
        scores[:, :, :-1] = whole
        return scores

    def shares(self, field: ArrayLike) -> NDArray[np.int64]:
        """How much each rule counts at each cell, in 256ths: `(rules, height, width)`."""
        array = np.asarray(field)
        most = UNIT * (len(self.rules) - 1)
        if (
            array.ndim != 2 or array.dtype.kind not in "iu" or array.min() < 0 or array.max() > most
        ):  # rows and columns
            raise InputError(
                f"field: expected λ in 256ths, whole numbers from 0 to {most} in rows and "
                "columns; linear(), radial(), noise() make them"
            )
        stops = np.arange(len(self.rules)).reshape(-1, 1, 1) * UNIT
        return np.asarray(np.maximum(UNIT - np.abs(array.astype(np.int64) - stops), 0), np.int64)

    def run(self, start: ArrayLike, field: ArrayLike, updates: int = DEFAULT_UPDATES) -> Map:
        """The map after `updates` updates, mixed by a field of λ of the same size."""
        return self.develop(start, field, updates).final

    def frames(
        self, start: ArrayLike, field: ArrayLike, updates: int = DEFAULT_UPDATES
    ) -> Iterator[Map]:
        """The start map and the map after each update: `updates` + 1 maps."""
        now = self.rules[0].checked_map(start)
        yield now
        for _ in range(checked_updates(updates)):
            now = self.run(now, field, 1)
            yield now

    def develop(
        self,
        start: ArrayLike,
        field: ArrayLike,
        updates: int = DEFAULT_UPDATES,
        *,
        executor: Executor | None = None,
    ) -> Outcome:
        """Run a map and say whether it came to a fixed point or a cycle. The threads of a pool
        share the work on a large map.
        """
        first = self.rules[0]
        tiles = first.checked_map(start).copy()
        shares = self.shares(field)
        if shares.shape[1:] != tiles.shape:
            raise InputError(
                f"field: expected the start map's shape {tiles.shape}, got {shares.shape[1:]}"
            )
        course = new_courses(1, checked_updates(updates))[0]
        torus, steps = first.border == "torus", first.steps(tiles.shape)
        if self.tables is not None:
            around = TORUS if torus else BOUNDED
            final = run_by_tables(
                tiles,
                first.states,
                around,
                self.tables,
                steps,
                course,
                np.asarray(field, np.int32),
                executor=executor,
            )
        else:
            final = run_by_sums(
                tiles,
                steps,
                self._scores,
                shares.astype(self._scores.dtype),
                self._lowest,
                course,
                torus=torus,
            )
        return Outcome(final, updates, int(course[SINCE]), int(course[LENGTH]))

    @cached_property
    def tables(self) -> RankTables | None:
        """Tables of partial sums; None with float arithmetic, where scores are mixed before they
        are added, and for sums of more than 63 bits.
        """
        first = self.rules[0]
        if first.arithmetic == "float":
            return None
        return sum_tables(
            whole_scores(*(rule.exact for rule in self.rules)),
            len(first.neighbourhood),
            bounded=first.border == "bounded",
        )


def find_field(
    field: str | Path | ArrayLike, size: tuple[int, int], stops: int, seed: int
) -> Field:
    """λ by a field's name, from a grey PNG of the map's size (black is the first rule), or as it
    is, in 256ths.
    """
    if isinstance(field, str | Path) and str(field).lower().endswith(".png"):
        return painted(_read_mask(Path(field), size), stops)
    return (
        field_by_name(str(field), size, stops, seed)
        if isinstance(field, str | Path)
        else np.asarray(field)
    )


def _read_mask(path: Path, size: tuple[int, int]) -> NDArray[np.uint8]:
    content = read_bytes(path)
    with naming(f"field {path}"):
        chunks = png_chunks(content)
        width, height = png_size(chunks)
        if (width, height) != tuple(size):
            raise InputError(
                f"expected a picture of {size[0]}x{size[1]} like the map, got {width}x{height}"
            )
        return np.array(png_pixels(chunks, "L", width * height))


def field_by_name(name: str, size: tuple[int, int], stops: int, seed: int) -> Field:
    """One of the fields that need no more than a name."""
    match name:
        case "linear" | "vertical":
            return linear(size, stops, vertical=name == "vertical")
        case "radial":
            return radial(size, stops)
        case "noise":
            return noise(size, stops, seed=seed)
    raise InputError(f"field: expected one of {', '.join(FIELDS)}, got {name!r}")
