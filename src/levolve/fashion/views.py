"""`WorldView`: a world as a map that is looked at in square pictures, at full scale and at every half of it, each at a bounded cost.

A picture at zoom 0 has one pixel per cell; at zoom -k a pixel is the most common state of 2**k x 2**k cells. A picture of a smaller zoom covers more
cells, all of which have to be computed. So the lowest zoom depends on what an update of the rule costs.
"""

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property

from levolve.errors import InputError
from levolve.fashion.design import Design
from levolve.fashion.legend import Palette, extended_palette
from levolve.fashion.pictures import encode_picture
from levolve.fashion.rule import Map, Rule
from levolve.fashion.world import World

SIDE = 256
DEEPEST = 6
MOST_UPDATES = 200
# What a picture may cost, in about nanoseconds of one core.
MOST_COST = 1 << 30
# A part of any size may cost as much as so many pictures.
MOST_PART = 4
# To draw the start state of a cell, and to follow one neighbour in one update.
START_COST = 5.0
NEIGHBOUR_COST = 1.0
# Two states and four neighbours are run 64 cells at a time.
PACKED_COST = 0.5


def cost_of(rule: Rule, updates: int, width: int, height: int) -> float:
    """About how many nanoseconds a window of so many cells takes, with the margin that its past needs."""
    halo = 2 * updates * rule.reach
    per_update = PACKED_COST if rule.is_packed else NEIGHBOUR_COST * len(rule.neighbourhood)
    return (width + 2 * halo) * (height + 2 * halo) * (START_COST + updates * per_update)


def most_updates(rule: Rule) -> int:
    """The largest number of updates with which a picture at full scale is within the cost."""
    return max(updates for updates in range(MOST_UPDATES + 1) if updates == 0 or cost_of(rule, updates, SIDE, SIDE) <= MOST_COST)


@dataclass(frozen=True, eq=False)
class WorldView:
    r"""The world of a design and a seed, in pictures of 256x256 pixels.

    >>> from levolve.fashion import find_design
    >>> view = WorldView(find_design("caverns"), seed=3)
    >>> view.lowest_zoom, view.tile(0, -1, 2)[:4]
    (-4, b'\x89PNG')
    """

    design: Design
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse a rule whose pictures would take too long."""
        most, given = most_updates(self.design.rule), self.design.updates
        if given > most:
            near = len(self.design.rule.neighbourhood)
            message = f"updates: expected at most {most} for a neighbourhood of {near} cells, so that a picture takes about a second, got {given}"
            raise InputError(message)
        # Both check what they are given.
        _ = self.world, self.colours

    @cached_property
    def world(self) -> World:
        """The world without an edge."""
        return World(self.design.rule, self.seed, self.design.updates, self.design.weights)

    @cached_property
    def colours(self) -> Palette:
        """One colour per state."""
        return extended_palette(self.design.rule.states, self.design.palette)

    @cached_property
    def digest(self) -> str:
        """A name for all that decides the pictures: 32 hexadecimal digits."""
        content = json.dumps({"design": self.design.to_data(), "seed": self.seed}, sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()[:32]

    @cached_property
    def lowest_zoom(self) -> int:
        """The lowest zoom, 0 or less, at which a picture is within the cost."""
        rule, updates = self.design.rule, self.design.updates
        return -max(deep for deep in range(DEEPEST + 1) if deep == 0 or cost_of(rule, updates, SIDE << deep, SIDE << deep) <= MOST_COST)

    def check_cost(self, zoom: int, width: int, height: int) -> None:
        """Refuse a part that would take long: so many pixels of a zoom."""
        if not self.lowest_zoom <= zoom <= 0:
            message = f"zoom: expected from {self.lowest_zoom} to 0 for this rule, got {zoom}"
            raise InputError(message)
        if cost_of(self.design.rule, self.design.updates, width << -zoom, height << -zoom) > MOST_PART * MOST_COST:
            message = f"size: expected a part that takes a few seconds, got {width}x{height} at zoom {zoom}; take a smaller one, or fewer updates"
            raise InputError(message)

    def part(self, zoom: int, x: int, y: int, width: int, height: int) -> Map:
        """The `(height, width)` states whose upper left one is (x, y), all counted in pixels of a zoom."""
        self.check_cost(zoom, width, height)
        scale = 1 << -zoom
        return self.world.window(x * scale, y * scale, width, height, scale)

    def tile(self, zoom: int, x: int, y: int) -> bytes:
        """The picture in column x and row y of a zoom as PNG."""
        return self.picture(zoom, x * SIDE, y * SIDE, SIDE, SIDE)

    def picture(self, zoom: int, x: int, y: int, width: int, height: int) -> bytes:
        """A part as PNG with one pixel per state."""
        return encode_picture(self.part(zoom, x, y, width, height), self.colours, effort=1)
