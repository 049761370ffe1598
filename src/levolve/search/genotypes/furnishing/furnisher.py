"""`Furnisher`: which things levels get, and how genes place them; a part of a recipe.

Two ways to decode genes: assumed fill, where keys are placed so that levels can be won, and plain
indices of cells.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, ClassVar

import numpy as np
from annotated_types import Ge, Interval
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.core.settings import Configurable, setting
from levolve.levels.things.kinds import KINDS, MOST_AMOUNT, Kind
from levolve.levels.things.thing import Thing
from levolve.search.genotypes.furnishing.plan import FurnishingPlan, plan
from levolve.search.genotypes.furnishing.wanted import FAR_AWAY, Wanted, parse_wanted

# The numbers of genes of each thing.
NUMBERS = 2


@dataclass(frozen=True)
class Furnisher(Configurable):
    """The things of furnished levels. A subclass defines how genes place them."""

    assumed: ClassVar[bool] = True

    things: dict[str, Any] = field(
        default_factory=dict,
        metadata={
            "meaning": "How many things of each kind, by its name in the singular or plural; or a "
            "table with count, where (the places where they belong), distance (steps from the "
            "entrance) and fields."
        },
    )
    apart: Annotated[int, Interval(ge=1, le=20)] = setting(
        2, "Things are at least this many rows and columns from each other."
    )
    health: Annotated[int, Interval(ge=0, le=MOST_AMOUNT)] | None = setting(
        None, "The player's health; by default enough to survive everything."
    )
    allow_loss: bool = setting(
        default=False, meaning="Whether a level may be a result that can be lost."
    )
    weight: Annotated[float, Ge(0)] = setting(
        0.5, "How much a good furnishing adds to the score of the layout, as a share of it."
    )
    fixed: tuple[str, ...] = setting(
        (), "Things with a place of their own, as in text files: 'key 3,4 color=red'."
    )
    kinds: tuple[dict[str, Any], ...] = setting(
        (), "Kinds of your own, each a table; in files also the path of a TOML file with them."
    )

    def __post_init__(self) -> None:
        """Raise `InputError` for things that do not fit together; write names in one form."""
        object.__setattr__(self, "things", {each.kind.name: _table(each) for each in self._wanted})
        self.plan  # noqa: B018 raises the errors

    @cached_property
    def own_kinds(self) -> dict[str, Kind]:
        """The kinds of this recipe."""
        found = {}
        for table in self.kinds:
            kind = Kind.from_data(table)
            if kind.name in KINDS:
                raise InputError(
                    f"kinds: expected a name other than those of registered kinds, got "
                    f"{kind.name!r}; rename it"
                )
            found[kind.name] = kind
        return found

    @cached_property
    def _wanted(self) -> tuple[Wanted, ...]:
        return parse_wanted(self.things, self.own_kinds)

    @cached_property
    def fixed_things(self) -> tuple[Thing, ...]:
        """The things with a place of their own."""
        return tuple(Thing.from_text(line, "fixed") for line in self.fixed)

    @cached_property
    def plan(self) -> FurnishingPlan:
        """The prototypes and slots of the things."""
        ids = {thing.id for thing in self.fixed_things}
        return plan(self._wanted, self.health, allow_loss=self.allow_loss, taken_ids=ids)

    @property
    def numbers(self) -> int:
        """The number of genes of 16 bits."""
        return NUMBERS * len(self.plan.slots)

    @property
    def acts(self) -> bool:
        """Whether the things change what a player can do."""
        known = {**self.own_kinds, **{name: KINDS[name] for name in KINDS}}
        return any(
            thing.kind in known and known[thing.kind].acts
            for thing in (*self.plan.prototypes, *self.fixed_things)
        )

    def place(
        self,
        tiles: NDArray[np.uint8],
        linked: NDArray[np.uint8],
        ends: NDArray[np.int64],
        taken: NDArray[np.int64],
        numbers: NDArray[np.int64],
    ) -> NDArray[np.int64]:
        """Return the `(n, k)` cells of the things; see `furnish_levels`."""
        from levolve.kernels.building.furnishing import furnish_levels

        made = self.plan
        cells = np.full((len(tiles), len(made.prototypes)), -1, np.int64)
        furnish_levels(
            tiles,
            linked,
            ends,
            taken,
            made.slots,
            np.ascontiguousarray(numbers.reshape(len(tiles), len(made.slots), NUMBERS)),
            self.apart,
            self.assumed,
            cells,
        )
        if made.held >= 0:
            cells[:, made.held] = ends[:, 0]
        return cells


@dataclass(frozen=True)
class AssumedFill(Furnisher):
    """Barriers stand on choke points. Keys, levers and the like are placed where players come who
    have all the others, but none of what these open; and all else by preferences. Genes are the
    choke point of each barrier, the order in which keys are placed, and for each thing a
    preference, such as dead ends, and the part of the level.
    """


@dataclass(frozen=True)
class PlainIndices(Furnisher):
    """Barriers stand on choke points, and everything else on any cell. Genes are indices."""

    assumed: ClassVar[bool] = False


def _table(each: Wanted) -> int | dict[str, Any]:
    """Return a wanted thing as plain data: a count, if that is all."""
    table: dict[str, Any] = {"count": each.count}
    table |= {"where": list(each.where)} if each.where else {}
    table |= {"distance": list(each.distance)} if each.distance != (0, FAR_AWAY) else {}
    table |= {"fields": dict(each.fields)} if each.fields else {}
    return each.count if len(table) == 1 else table
