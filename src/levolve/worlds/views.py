"""`WorldView`: a world as a map that is looked at in square pictures, at full scale and at every
half of it, each at a bounded cost.

A picture at zoom 0 has one pixel per cell; at zoom -k a pixel is the most common state of 2**k x
2**k cells. A picture of a smaller zoom covers more cells, all of which have to be computed. From
some zoom on, which depends on what an update of the rule costs, a picture is *sampled*: each square
of 128x128 pixels shows the 128x128 cells in the middle of what it stands for, one pixel per cell.
Such a picture costs the same at every zoom.
"""

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from levolve.core.errors import InputError
from levolve.worlds.design import Design
from levolve.worlds.lambda_fields import DEFAULT_LENGTH, space_field
from levolve.worlds.legend import Palette, extended_palette
from levolve.worlds.morph import Morph
from levolve.worlds.pictures import encode_picture
from levolve.worlds.rule import Map, Rule
from levolve.worlds.world import World

SIDE = 256
DEEPEST = 12
# How far out pictures are exact at most.
DEEPEST_EXACT = 6
# The side of a square of a sampled picture.
SAMPLE = 128
MOST_UPDATES = 200
# What a picture may cost, in about nanoseconds of one core.
MOST_COST = 1 << 30
# What an exact picture may cost: a screen shows up to twenty, which are made in some seconds.
EXACT_COST = 1 << 28
# A part of any size may cost as much as so many pictures; one of about so many pixels is made at
# once if it costs no more than this.
MOST_PART = 4
SCREEN = (1024, 768)
QUICK_COST = 3 << 27
# To draw the start state of a cell; an update of a cell by tables, for each rule, and each further
# neighbour; by sums, for each neighbour.
START_COST = 2.0
TABLE_COST, NEIGHBOUR_COST = 0.5, 0.1
SUM_COST = 2.5
# Two states and four neighbours are run 64 cells at a time.
PACKED_COST = 0.2


def update_cost(rule: Rule | Morph) -> float:
    """About how many nanoseconds an update of a cell takes."""
    if isinstance(rule, Morph):
        rules, near, tables = len(rule.rules), len(rule.rules[0].neighbourhood), rule.tables
        return rules * (
            SUM_COST * near
            if tables is None
            else 2 * TABLE_COST * len(tables.groups) + NEIGHBOUR_COST * near
        )
    near, tables = len(rule.neighbourhood), rule.tables
    if rule.is_packed:
        return PACKED_COST
    return (
        SUM_COST * near
        if tables is None
        else TABLE_COST * len(tables.groups) + NEIGHBOUR_COST * near
    )


def cost_of(rule: Rule | Morph, updates: int, width: int, height: int) -> float:
    """About how many nanoseconds a window of so many cells takes, with the margin that its past
    needs.
    """
    reach = (rule.rules[0] if isinstance(rule, Morph) else rule).reach
    halo = 2 * updates * reach
    # Of the margin every update needs less: on average half of it.
    start, mean = (width + 2 * halo) * (height + 2 * halo), (width + halo) * (height + halo)
    return start * START_COST + mean * updates * update_cost(rule)


def most_updates(rule: Rule | Morph) -> int:
    """The largest number of updates with which a picture at full scale is within the cost."""
    return max(
        updates
        for updates in range(MOST_UPDATES + 1)
        if updates == 0 or cost_of(rule, updates, SIDE, SIDE) <= MOST_COST
    )


def _cuts(first: int, length: int) -> list[tuple[int, int]]:
    """Return where pixels from `first` on belong to other squares of a sampled picture: the first
    pixel of each, and that after its last.
    """
    ends = [*range((first // SAMPLE + 1) * SAMPLE, first + length, SAMPLE), first + length]
    return list(zip([first, *ends[:-1]], ends, strict=True))


@dataclass(frozen=True)
class Mixture:
    """Another rule's scores into which those of a design change over space: the name of a field,
    and over how many cells.
    """

    scores: tuple[tuple[float, ...], ...]
    field: str = "noise"
    length: int = DEFAULT_LENGTH


@dataclass(frozen=True, eq=False)
class WorldView:
    r"""The world of a design and a seed, in pictures of 256x256 pixels; with a `mixture`, of two
    rules that change into each other.

    >>> from levolve.worlds import find_design
    >>> view = WorldView(find_design("caverns"), seed=3)
    >>> view.exact_zoom, view.lowest_zoom, view.tile(0, -1, 2)[:4]
    (-4, -12, b'\x89PNG')
    """

    design: Design
    seed: int = 0
    mixture: Mixture | None = None

    def __post_init__(self) -> None:
        """Refuse a rule whose pictures would take too long."""
        most, given = self.most_updates, self.design.updates
        if given > most:
            near = len(self.design.rule.neighbourhood)
            raise InputError(
                f"updates: expected at most {most} for a neighbourhood of {near} cells, so that "
                f"a picture takes about a second, got {given}"
            )
        # Both check what they are given.
        _ = self.world, self.colours

    @cached_property
    def other(self) -> Rule | None:
        """The rule into which that of the design changes."""
        if self.mixture is None:
            return None
        rule = self.design.rule
        return Rule(
            self.mixture.scores, rule.neighbourhood, rule.border, arithmetic=rule.arithmetic
        )

    @cached_property
    def _rule(self) -> Rule | Morph:
        return self.design.rule if self.other is None else Morph([self.design.rule, self.other])

    @cached_property
    def most_updates(self) -> int:
        """The largest number of updates with which a picture at full scale is within the cost."""
        return most_updates(self._rule)

    @cached_property
    def world(self) -> World:
        """The world without an edge."""
        field = (
            None
            if self.mixture is None
            else space_field(self.mixture.field, self.mixture.length, self.seed)
        )
        return World(self._rule, self.seed, self.design.updates, self.design.weights, field=field)

    @cached_property
    def colours(self) -> Palette:
        """One colour per state."""
        return extended_palette(self.design.rule.states, self.design.palette)

    @cached_property
    def digest(self) -> str:
        """A name for all that decides the pictures: 32 hexadecimal digits."""
        content: dict[str, object] = {"design": self.design.to_data(), "seed": self.seed}
        if self.mixture is not None:
            content["mixture"] = [self.mixture.scores, self.mixture.field, self.mixture.length]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:32]

    @property
    def lowest_zoom(self) -> int:
        """The lowest zoom of all."""
        return -DEEPEST

    @cached_property
    def exact_zoom(self) -> int:
        """The lowest zoom, 0 or less, at which an exact picture is within the cost. Pictures of
        lower zooms are sampled.
        """
        return self._lowest_within(EXACT_COST, SIDE, SIDE)

    @cached_property
    def quick_zoom(self) -> int:
        """The lowest zoom, 0 or less, at which all that a screen shows is made exactly in a
        moment.
        """
        return max(self._lowest_within(QUICK_COST, *SCREEN), self.exact_zoom)

    def _lowest_within(self, most: float, width: int, height: int) -> int:
        updates = self.design.updates
        zooms = range(DEEPEST_EXACT + 1)
        return -max(
            deep
            for deep in zooms
            if deep == 0 or cost_of(self._rule, updates, width << deep, height << deep) <= most
        )

    def check_cost(self, zoom: int, width: int, height: int, *, sampled: bool = False) -> None:
        """Refuse a part that would take long: so many pixels of a zoom."""
        if not self.lowest_zoom <= zoom <= 0:
            raise InputError(f"zoom: expected from {self.lowest_zoom} to 0, got {zoom}")
        if sampled or zoom < self.exact_zoom:
            squares = (-(-width // SAMPLE) + 1) * (-(-height // SAMPLE) + 1)
            cost = squares * cost_of(self._rule, self.design.updates, SAMPLE, SAMPLE)
        else:
            cost = cost_of(self._rule, self.design.updates, width << -zoom, height << -zoom)
        if cost > MOST_PART * MOST_COST:
            raise InputError(
                f"size: expected a part that takes a few seconds, got {width}x{height} at zoom "
                f"{zoom}; take a smaller one, or fewer updates"
            )

    def part(
        self, zoom: int, x: int, y: int, width: int, height: int, *, sampled: bool = False
    ) -> Map:
        """The `(height, width)` states whose upper left one is (x, y), all counted in pixels of a
        zoom. Below the exact zoom it is always sampled.
        """
        self.check_cost(zoom, width, height, sampled=sampled)
        scale = 1 << -zoom
        if scale > 1 and (sampled or zoom < self.exact_zoom):
            return self._sampled(scale, x, y, width, height)
        return self.world.window(x * scale, y * scale, width, height, scale)

    def _sampled(self, scale: int, x: int, y: int, width: int, height: int) -> Map:
        """Squares of cells, each from the middle of what it stands for. Squares begin at multiples
        of their side, whatever the part.
        """
        whole = np.empty((height, width), np.uint8)
        # Squares at the edge are computed only as far as they are seen.
        middle = (SAMPLE * scale - SAMPLE) // 2
        for top, bottom in _cuts(y, height):
            for left, right in _cuts(x, width):
                row, column = (
                    start // SAMPLE * SAMPLE * scale + middle + start % SAMPLE
                    for start in (top, left)
                )
                whole[top - y : bottom - y, left - x : right - x] = self.world.window(
                    column, row, right - left, bottom - top
                )
        return whole

    def tile(self, zoom: int, x: int, y: int) -> bytes:
        """The picture in column x and row y of a zoom as PNG."""
        return self.picture(zoom, x * SIDE, y * SIDE, SIDE, SIDE)

    def picture(
        self, zoom: int, x: int, y: int, width: int, height: int, *, sampled: bool = False
    ) -> bytes:
        """A part as PNG with one pixel per state."""
        return encode_picture(
            self.part(zoom, x, y, width, height, sampled=sampled), self.colours, effort=1
        )
