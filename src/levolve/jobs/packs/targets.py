"""Parsing of the targets of a pack: a value, a range, one range per level, a spread, or a curve.

The targets of a pack of levels in the style of examples: how like them, how far from a copy, and
without more pockets than they have.

Detection of impossible targets before the search.
"""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, inf, isfinite
from typing import Any

import numpy as np

from levolve.core.errors import InputError
from levolve.core.events import Watch
from levolve.jobs.executors import stop_requested
from levolve.jobs.packs.events import ProbeAdvanced
from levolve.levels.batch import Batch
from levolve.levels.frame import UNKEPT, Frame
from levolve.levels.measures import MEASURES
from levolve.levels.measures.measure import Range as MeasureRange
from levolve.levels.style import style_of
from levolve.levels.tileset import Tileset
from levolve.recipes.recipe import Recipe
from levolve.search.fused import begin_search
from levolve.search.loop import GenerationScored, advance
from levolve.search.objectives.combined import parse_range
from levolve.search.objectives.likeness import Likeness

Range = tuple[float, float]

# Positions of words on the scale from the easiest (0) to the hardest level (1) that a short search
# finds.
WORDS = {"easy": 0.1, "medium": 0.45, "hard": 0.8}
PAIR = 2


@dataclass(frozen=True)
class Same:
    """The same range for every level."""

    range: Range

    def ranges(self, count: int, stride: float = 1) -> list[Range]:
        """Return one range per level."""
        return [self.range] * count

    def to_data(self) -> object:
        """Return plain data."""
        return list(self.range)


@dataclass(frozen=True)
class Each:
    """A separate range for every level."""

    each: tuple[Range, ...]

    def ranges(self, count: int, stride: float = 1) -> list[Range]:
        """Return one range per level."""
        return list(self.each)

    def to_data(self) -> object:
        """Return plain data."""
        return [list(part) for part in self.each]


@dataclass(frozen=True)
class Spread:
    """Values spaced evenly from `low` to `high` over the levels of a pack, each with tolerance
    `within`, but never outside `low` to `high`.

    By default `within` is half the distance between the values of consecutive levels, or enough for
    one possible value of a count.
    """

    low: float
    high: float
    within: float | None = None

    def __post_init__(self) -> None:
        """Raise `InputError` for values that are not numbers."""
        for name in ("low", "high", "within"):
            value = getattr(self, name)
            if not (_is_number(value) or (name == "within" and value is None)):
                raise InputError(f"spread: expected numbers, got {value!r} for {name}")
        if self.within is not None and self.within < 0:
            raise InputError(f"spread: expected within to be 0 or more, got {self.within!r}")

    def ranges(self, count: int, stride: float = 1) -> list[Range]:
        """Return one range per level, each with a possible value of a measure whose values are
        `stride` apart.
        """
        least, most = min(self.low, self.high), max(self.low, self.high)
        if count == 1:
            return [(least, most)]
        gap = (self.high - self.low) / (count - 1)
        within = max(abs(gap) / 2, stride / 2) if self.within is None else self.within
        values = [self.low + gap * index for index in range(count)]
        return [(max(value - within, least), min(value + within, most)) for value in values]

    def to_data(self) -> object:
        """Return plain data."""
        return {"low": self.low, "high": self.high, "within": self.within}


def write_range(limits: Range) -> str:
    """Format a range as `50..64`, or `50` if both ends are equal."""
    low, high = limits
    return f"{low:g}" if low == high else f"{low:g}..{high:g}"


PackTarget = Same | Each | Spread


def spread(low: float, high: float, within: float | None = None) -> Spread:
    """Return a target that differs from level to level: `spread(35, 98, within=7)`.

    Parameters
    ----------
    low, high
        The values of the first and the last level.
    within
        The tolerance of each level's value, 0 or more; by default half the distance between the
        values of consecutive levels.
    """
    return Spread(low, high, within)


def parse_target(name: str, value: Any, count: int) -> PackTarget:
    """Parse a target of the measure `name`: a number, a pair, `LOW..HIGH`, a list with one of these
    per level, or a spread.
    """
    MEASURES[name]
    if isinstance(value, Spread):
        return value
    if isinstance(value, Mapping):
        if not {"low", "high"} <= set(value) <= {"low", "high", "within"}:
            raise InputError(
                f"target {name}: expected a spread with low, high and within, got {dict(value)!r}"
            )
        return spread(**value)
    if (
        isinstance(value, Sequence | np.ndarray)
        and not isinstance(value, str)
        and not _is_pair(value)
    ):
        if len(value) != count:
            raise InputError(
                f"target {name}: expected one range, or one for each of the {count} levels, got "
                f"{len(value)}"
            )
        return Each(tuple(_parse_one(name, part) for part in value))
    return Same(_parse_one(name, value))


def _parse_one(name: str, value: object) -> Range:
    try:
        pair = parse_range(value)
    except InputError as problem:
        raise InputError(f"target {name}: {problem}") from problem
    if not _is_pair(pair):
        raise InputError(
            f"target {name}: expected a number, a pair of numbers or LOW..HIGH, got {value!r}"
        )
    low, high = (float(part) for part in pair)  # type: ignore[attr-defined] # a pair of numbers
    if low > high:
        raise InputError(
            f"target {name}: expected a lower value and a higher one, got {low:g} and {high:g}"
        )
    return low, high


def _is_pair(value: object) -> bool:
    return (
        isinstance(value, Sequence | np.ndarray)
        and len(value) == PAIR
        and all(_is_number(part) for part in value)
    )


def _is_number(value: object) -> bool:
    return (
        isinstance(value, int | float | np.integer | np.floating)
        and not isinstance(value, bool)
        and isfinite(value)
    )


def parse_curve(curve: str | Sequence[float]) -> Range:
    """Parse a curve such as `easy..hard`: words, or numbers from 0 (the easiest level that a short
    search finds) to 1 (the hardest).
    """
    parts: Sequence[object] = (
        curve.split("..")
        if isinstance(curve, str)
        else curve
        if isinstance(curve, Sequence)
        else [curve]
    )
    positions = [position for position in map(_position, parts) if position is not None]
    if len(positions) != len(parts) or len(parts) not in {1, PAIR}:
        raise InputError(
            "curve: expected FROM..TO with easy, medium, hard or numbers from 0 to 1, such as "
            f"easy..hard, got {curve!r}"
        )
    return positions[0], positions[-1]


def _position(part: object) -> float | None:
    if isinstance(part, str) and part.strip().lower() in WORDS:
        return WORDS[part.strip().lower()]
    try:
        value = float(str(part))
    except ValueError:
        return None
    return value if 0 <= value <= 1 else None


# Levels have at least this share of the likeness of the best level of a short search.
SLACK = 0.85
SHORTER = 2
DIGITS = 1000


def style_targets(
    recipe: Recipe, given: Container[str], watch: Watch | None = None
) -> dict[str, Same]:
    """Return the targets of levels like the examples of a recipe, except those that are given.

    The lowest likeness follows from a search with a fixed seed, so that it depends on the recipe
    alone. `watch` receives a `ProbeAdvanced` event per generation of this search.
    """
    targets: dict[str, Same] = {}
    if "pockets" not in given:
        targets["pockets"] = Same((0.0, float(_most_pockets(recipe))))
    if "originality" not in given:
        least = Likeness().least_originality(recipe.frame, recipe.tileset)
        targets["originality"] = Same((int(DIGITS * least) / DIGITS, 1.0))
    if "path_share" not in given and MEASURES["path_share"].suits(recipe.frame):
        targets["path_share"] = Same((Likeness().way, 1.0))
    if "likeness" not in given:
        targets["likeness"] = Same((_lowest_likeness(recipe, watch), 1.0))
    return targets


def _most_pockets(recipe: Recipe) -> int:
    """Return the largest number of pockets of an example; any region but one is a pocket."""
    found = []
    for tiles in style_of(recipe.like, recipe.tileset).examples:
        batch = Batch(
            Frame(tiles.shape[1], tiles.shape[0], {}),
            tiles=tiles[np.newaxis],
            tileset=recipe.tileset,
        )
        found.append(int(MEASURES["pockets"].count(batch)[0]))
    return max(found)


def _lowest_likeness(recipe: Recipe, watch: Watch | None) -> float:
    """Return a share `SLACK` of the likeness of the best level of a short search, rounded down."""
    problem = replace(recipe.problem, objective=Likeness(feasible_first=True))
    generations = -(-recipe.generations // SHORTER)
    search = begin_search(problem, recipe.parts[2], 0, generations)
    for event in advance(
        search,
        problem.evaluate,
        replace(recipe.limits, generations=generations, goal=None),
        stop_requested,
    ):
        if watch is not None and isinstance(event, GenerationScored):
            watch(ProbeAdvanced(recipe.name, event.generation, generations))
    assert search.best_genes is not None  # noqa: S101 the start is always evaluated
    found = problem.batch(search.best_genes[np.newaxis])
    return int(DIGITS * SLACK * float(MEASURES["likeness"].count(found)[0])) / DIGITS


def check_wanted(measure: str, wanted: MeasureRange, frame: Frame, tileset: Tileset) -> None:
    """Raise `InputError` if no level of this frame and tileset can meet a range of a measure;
    `wanted` is its least and its greatest value.
    """
    low, high = wanted
    entry = MEASURES[measure]
    least, most = entry.bounds(frame, tileset)
    given = f"{low:g}" if low == high else f"{low:g}..{high:g}"
    if high < least or low > most:
        possible = f"{least:g} or more" if most == inf else f"{least:g} to {most:g}"
        raise InputError(
            f"target {measure}: expected a possible value for a winnable "
            f"{frame.width}x{frame.height} level, {possible}, got {given}"
        )
    if not entry.whole:
        return
    first, last = ceil(low), floor(high)
    if first > last:
        raise InputError(
            f"target {measure}: expected a range that contains a whole number, got {given}; this "
            "measure is a count"
        )
    if not any(
        (value - int(least)) % entry.stride == 0
        for value in range(first, min(last, first + entry.stride - 1) + 1)
    ):
        kinds = (
            f"an {'odd' if int(least) % 2 else 'even'} number"
            if entry.stride == 2  # odd or even
            else f"{least:g} plus a multiple of {entry.stride}"
        )
        raise InputError(
            f"target {measure}: expected {kinds}, like all levels of this frame, got {given}"
        )


def check_distinct(distinct: float, least: int, count: int, frame: Frame, tileset: Tileset) -> None:
    """Raise `InputError` if there cannot be this many distinct levels, by Plotkin's bound on
    codes.
    """
    kept = sum(character not in UNKEPT for row in frame.kept for character in row)
    free = frame.width * frame.height - kept
    if count > 1 and least > free:
        raise InputError(
            f"distinct: expected at most {free / (frame.width * frame.height):.3g}, the share of "
            f"cells that are not kept, got {distinct:g}"
        )
    kinds = len(tileset.characters)
    # Scaled by the number of kinds, to use integers only: d > n (1 - 1/q) allows at most d / (d - n
    # (1 - 1/q)) words.
    surplus = kinds * least - free * (kinds - 1)
    if surplus > 0 and count > kinds * least // surplus:
        most = kinds * least // surplus
        raise InputError(
            f"distinct: no more than {most} levels of {frame.width}x{frame.height} can "
            f"differ in {distinct:g} of their cells between any two "
            f"(Plotkin's bound), got a count of {count}; {(kinds - 1) / kinds:.2g} or less "
            "allows many"
        )
