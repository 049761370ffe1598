"""`Order`: everything about a pack but its seed. An order and a seed give the same levels on any machine."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from levolve.errors import InputError
from levolve.genotypes.genotype import Genotype
from levolve.levels.frame import CHECKPOINTS, Frame
from levolve.levels.tileset import Tileset
from levolve.measures import MEASURES
from levolve.objectives.reward import ANY_WALLS, Reward
from levolve.objectives.target import Target
from levolve.packs.bounds import check_distinct, check_wanted
from levolve.packs.crowd import least_differing
from levolve.packs.wanted import Range, Wanted, parse_curve, parse_wanted
from levolve.runs.recipe import Recipe

MOST_LEVELS = 100_000
BUDGET = 8


@dataclass(frozen=True)
class Order:
    """What to make: a recipe for how levels are grown, how many, and what each shall be like.

    `budget` is how many searches in a row may come to nothing before a wish is given up. Use `Order.of` to make one from what people write.
    """

    recipe: Recipe
    count: int
    target: Mapping[str, Wanted]
    distinct: float
    curve: Range | None
    budget: int

    @classmethod
    def of(  # noqa: PLR0913 as many wishes
        cls,
        recipe: Recipe,
        *,
        count: int = 24,
        target: Mapping[str, Any] | None = None,
        distinct: float = 0.0,
        curve: str | Sequence[float] | None = None,
        budget: int | None = None,
    ) -> "Order":
        """An order from what people write, every wish checked; what can be known to be impossible is refused."""
        _check_whole("count", count, MOST_LEVELS)
        budget = BUDGET if budget is None else budget
        _check_whole("budget", budget, MOST_LEVELS)
        if isinstance(distinct, bool) or not isinstance(distinct, int | float) or not 0 <= distinct < 1:
            message = f"distinct: expected a share of cells from 0 to below 1, got {distinct!r}"
            raise InputError(message)
        if target is not None and not isinstance(target, Mapping):
            message = f"target: expected a table of measures and what they shall be, got {target!r}"
            raise InputError(message)
        wanted = {name: parse_wanted(name, value, count) for name, value in (target or {}).items()}
        order = cls(recipe, count, wanted, float(distinct), None if curve is None else parse_curve(curve), budget)
        order.check()
        return order

    def check(self) -> None:
        """Refuse what no level of this recipe can be."""
        frame, tileset = self.frame, self.tileset
        if self.curve is not None and "difficulty" in self.target:
            message = "target difficulty: expected no curve beside it: a curve says itself how difficult each level shall be"
            raise InputError(message)
        for name in [*self.target, *(["difficulty"] if self.curve else [])]:
            if not MEASURES[name].suits(frame):
                message = f"target {name}: {MEASURES[name].refusal(frame)}"
                raise InputError(message)
        for ranges in dict.fromkeys(tuple(wish.items()) for wish in self.wishes):
            for name, wanted in ranges:
                check_wanted(name, wanted, frame, tileset)
        check_distinct(self.distinct, self.least, self.count, frame, tileset)

    @cached_property
    def frame(self) -> Frame:
        """The recipe's; with the usual checkpoints if a wish needs some and the recipe has none."""
        frame = self.recipe.frame
        if frame.checkpoints or frame.tours or not any(CHECKPOINTS in MEASURES[name].needs for name in self.target):
            return frame
        return self.recipe.changed({"objective.kind": "reconvergence"}).frame

    @cached_property
    def genotype(self) -> Genotype:
        """How levels are written down."""
        return self.recipe.parts[0]

    @cached_property
    def tileset(self) -> Tileset:
        """What levels are made of."""
        return self.genotype.batch(self.genotype.start(self.frame, 0, 0, 1), self.frame).tileset

    @property
    def least(self) -> int:
        """How many cells must differ between any two levels."""
        return least_differing(self.distinct, self.frame.width * self.frame.height)

    @property
    def aims_high(self) -> bool:
        """Whether nothing is wished but distinctness, so that the recipe's own objective says what a good level is."""
        return not self.target and self.curve is None and not isinstance(self.recipe.parts[1], Target)

    @cached_property
    def wishes(self) -> list[dict[str, Range]]:
        """The range of every measure that is wished for, level by level; conditions of the recipe's objective are among them."""
        wishes: list[dict[str, Range]] = [dict(self._conditions) for _ in range(self.count)]
        for name, wanted in self.target.items():
            for wish, (low, high) in zip(wishes, wanted.ranges(self.count), strict=True):
                least, most = wish.get(name, (low, high))
                wish[name] = max(low, least), min(high, most)
                if max(low, least) > min(high, most):
                    message = f"target {name}: expected something within {least:g}..{most:g}, as the recipe's objective has it, got {low:g}..{high:g}"
                    raise InputError(message)
        return wishes

    @property
    def _conditions(self) -> dict[str, Range]:
        """What the recipe's objective asks of every level: its conditions, and its own targets, if it has some."""
        objective = self.recipe.parts[1]
        conditions: dict[str, Range] = dict(objective.targets) if isinstance(objective, Target) else {}
        if isinstance(objective, Reward):
            cells = self.frame.width * self.frame.height
            if objective.walls != ANY_WALLS:
                conditions["walls"] = (objective.walls[0] * cells, objective.walls[1] * cells)
            if objective.exit_members:
                conditions["exit_members"] = (float(objective.exit_members), float(len(self.frame.checkpoints)))
        return conditions

    def to_data(self) -> dict[str, Any]:
        """The order as plain data: the recipe's, and under `pack` what is wished of the pack."""
        pack: dict[str, Any] = {"count": self.count, "distinct": self.distinct, "budget": self.budget}
        if self.target:
            pack["target"] = {name: wanted.to_data() for name, wanted in self.target.items()}
        if self.curve is not None:
            pack["curve"] = list(self.curve)
        return {**self.recipe.to_data(), "pack": pack}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "Order":
        """What `to_data` gave."""
        pack = data.get("pack")
        known = {"count", "distinct", "budget", "target", "curve"}
        if not isinstance(pack, Mapping) or not set(pack) <= known:
            message = f"origin: expected a pack with some of {', '.join(sorted(known))}, got {pack!r}"
            raise InputError(message)
        return cls.of(Recipe.from_data({key: value for key, value in data.items() if key != "pack"}, "origin"), **pack)


def _check_whole(name: str, value: object, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        message = f"{name}: expected a whole number from 1 to {most:,}, got {value!r}"
        raise InputError(message)
