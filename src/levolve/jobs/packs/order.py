"""`Order`: the complete definition of a pack except its seed. An order and a seed give the same
levels on any machine.

`PuzzleOrder`: the complete definition of the puzzles of a pack except their seed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from levolve.core.errors import InputError
from levolve.core.events import Watch
from levolve.jobs.packs.objective import least_differing
from levolve.jobs.packs.targets import (
    PackTarget,
    Range,
    Spread,
    check_distinct,
    check_wanted,
    parse_curve,
    parse_target,
    style_targets,
    write_range,
)
from levolve.levels.frame import CHECKPOINTS, Frame
from levolve.levels.measures import MEASURES
from levolve.levels.tileset import Tileset
from levolve.puzzles import PUZZLES
from levolve.puzzles.settings import changed_settings, check_range
from levolve.recipes.base_recipe import parse_size
from levolve.recipes.recipe import Recipe
from levolve.search.genotypes.genotype import Genotype
from levolve.search.objectives.combined import Target
from levolve.search.objectives.reward import ANY_WALLS, Reward

MOST_LEVELS = 100_000
BUDGET = 8
PROBE_GENERATIONS = 150
# Random individuals that show which values of a measure are possible, and how many different values
# they must have to show it.
MOST_SAMPLES, SAMPLED_CELLS, ENOUGH_VALUES = 128, 1 << 22, 8


@dataclass(frozen=True)
class Order:
    """The definition of a pack: the recipe, the number of levels, and their targets.

    `budget` is the number of consecutive failed searches after which a target is abandoned. Use
    `Order.of` to create an order from user input.
    """

    recipe: Recipe
    count: int
    target: Mapping[str, PackTarget]
    distinct: float
    curve: Range | None
    budget: int

    @classmethod
    def of(
        cls,
        recipe: Recipe,
        *,
        count: int = 24,
        target: Mapping[str, Any] | None = None,
        distinct: float = 0.0,
        curve: str | Sequence[float] | None = None,
        budget: int | None = None,
        watch: Watch | None = None,
    ) -> "Order":
        """Create an order from user input; raise `InputError` for invalid or impossible targets.
        See `levolve.pack` for the parameters.
        """
        _check_whole("count", count, MOST_LEVELS)
        budget = BUDGET if budget is None else budget
        _check_whole("attempts", budget, MOST_LEVELS)
        if (
            isinstance(distinct, bool)
            or not isinstance(distinct, int | float)
            or not 0 <= distinct < 1
        ):
            raise InputError(
                f"distinct: expected a share of cells from 0 to below 1, got {distinct!r}"
            )
        if target is not None and not isinstance(target, Mapping):
            raise InputError(
                f"target: expected a table of measures and their ranges, got {target!r}"
            )
        targets = {name: parse_target(name, value, count) for name, value in (target or {}).items()}
        if recipe.like:
            targets = {**style_targets(recipe, targets, watch), **targets}
        order = cls(
            recipe,
            count,
            targets,
            float(distinct),
            None if curve is None else parse_curve(curve),
            budget,
        )
        order.check()
        return order

    def check(self) -> None:
        """Raise `InputError` for targets that no level of this recipe can meet."""
        frame, tileset = self.frame, self.tileset
        if self.curve is not None and "difficulty" in self.target:
            raise InputError(
                "target difficulty: expected no curve as well, because a curve sets the "
                "difficulty of each level"
            )
        for name in [*self.target, *(["difficulty"] if self.curve else [])]:
            if not MEASURES[name].suits(frame):
                raise InputError(f"target {name}: {MEASURES[name].refusal(frame)}")
        for ranges in dict.fromkeys(tuple(targets.items()) for targets in self.targets):
            for name, limits in ranges:
                check_wanted(name, limits, frame, tileset)
        check_distinct(self.distinct, self.least, self.count, frame, tileset)

    @property
    def name(self) -> str:
        """The name of the recipe."""
        return self.recipe.name

    @property
    def title(self) -> str:
        """The recipe and the size of its levels."""
        width, height = self.recipe.size
        return f"{self.name} {width}x{height}"

    @property
    def size(self) -> tuple[int, int]:
        """The width and the height of the levels."""
        return self.frame.width, self.frame.height

    @cached_property
    def frame(self) -> Frame:
        """The recipe's frame, with default checkpoints if a target needs some and the recipe has
        none.
        """
        frame = self.recipe.frame
        if (
            frame.checkpoints
            or frame.tours
            or not any(CHECKPOINTS in MEASURES[name].needs for name in self.target)
        ):
            return frame
        return self.recipe.changed({"objective.kind": "reconvergence"}).frame

    @cached_property
    def genotype(self) -> Genotype:
        """The genotype of the levels."""
        return self.recipe.parts[0]

    @cached_property
    def tileset(self) -> Tileset:
        """The tileset of the levels."""
        return self.genotype.batch(self.genotype.start(self.frame, 0, 0, 1), self.frame).tileset

    @property
    def least(self) -> int:
        """The minimum number of cells in which any two levels differ."""
        return least_differing(self.distinct, self.frame.width * self.frame.height)

    @property
    def probe_generations(self) -> int:
        """The generations of the searches for the easiest and the hardest level; levels in a style
        are not found in a few.
        """
        return self.recipe.generations if self.recipe.like else PROBE_GENERATIONS

    @property
    def maximises(self) -> bool:
        """Whether distinctness is the only target, so that the recipe's own objective is
        maximised.
        """
        return (
            not self.target and self.curve is None and not isinstance(self.recipe.parts[1], Target)
        )

    def _stride(self, name: str, target: PackTarget) -> float:
        """Return the distance between possible values of a measure, as far as random individuals
        show it; only a spread depends on it.

        On a lattice, for example, all ways between two cells differ by a multiple of four tiles.
        """
        entry = MEASURES[name]
        if not isinstance(target, Spread) or target.within is not None or not entry.whole:
            return entry.stride
        count = min(MOST_SAMPLES, max(SAMPLED_CELLS // (self.frame.width * self.frame.height), 2))
        values = np.unique(
            entry.count(
                self.genotype.batch(self.genotype.start(self.frame, 0, 0, count), self.frame)
            )
        ).astype(np.int64)
        gaps = np.diff(values[values >= 0])
        return (
            max(int(np.gcd.reduce(gaps)), entry.stride)
            if len(gaps) >= ENOUGH_VALUES
            else entry.stride
        )

    @cached_property
    def targets(self) -> list[dict[str, Range]]:
        """The target ranges of each level by measure, including the constraints of the recipe's
        objective.
        """
        targets: list[dict[str, Range]] = [dict(self._conditions) for _ in range(self.count)]
        for name, target in self.target.items():
            for ranges, (low, high) in zip(
                targets, target.ranges(self.count, self._stride(name, target)), strict=True
            ):
                least, most = ranges.get(name, (low, high))
                ranges[name] = max(low, least), min(high, most)
                if max(low, least) > min(high, most):
                    raise InputError(
                        f"target {name}: expected a range within "
                        f"{write_range((least, most))}, which the recipe's objective "
                        "requires, "
                        f"got {write_range((low, high))}"
                    )
        return targets

    @property
    def _conditions(self) -> dict[str, Range]:
        """Return the constraints of the recipe's objective, and its targets, if any."""
        objective = self.recipe.parts[1]
        conditions: dict[str, Range] = (
            dict(objective.targets) if isinstance(objective, Target) else {}
        )
        if isinstance(objective, Reward):
            cells = self.frame.width * self.frame.height
            if objective.walls != ANY_WALLS:
                conditions["walls"] = (objective.walls[0] * cells, objective.walls[1] * cells)
            if objective.exit_members:
                conditions["exit_members"] = (
                    float(objective.exit_members),
                    float(len(self.frame.checkpoints)),
                )
        return conditions

    def to_data(self) -> dict[str, Any]:
        """Return the order as plain data: that of the recipe, and the settings of the pack under
        `pack`.
        """
        pack: dict[str, Any] = {
            "count": self.count,
            "distinct": self.distinct,
            "budget": self.budget,
        }
        if self.target:
            pack["target"] = {name: target.to_data() for name, target in self.target.items()}
        if self.curve is not None:
            pack["curve"] = list(self.curve)
        return {**self.recipe.to_data(), "pack": pack}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "Order":
        """Create an order from the result of `to_data`."""
        pack = data.get("pack")
        known = {"count", "distinct", "budget", "target", "curve"}
        if not isinstance(pack, Mapping) or not set(pack) <= known:
            raise InputError(
                f"origin: expected a pack with some of {', '.join(sorted(known))}, got {pack!r}"
            )
        return cls.of(
            Recipe.from_data(
                {key: value for key, value in data.items() if key != "pack"}, "origin"
            ),
            **pack,
        )


def _check_whole(name: str, value: object, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise InputError(f"{name}: expected a whole number from 1 to {most:,}, got {value!r}")


MOST_PUZZLES = 10_000


@dataclass(frozen=True)
class PuzzleOrder:
    """So many puzzles of one kind and size, along a curve. Use `PuzzleOrder.of` to create an order
    from user input.
    """

    puzzle: str
    size: tuple[int, int]
    count: int
    curve: Range | None
    request: tuple[tuple[str, Any], ...] = ()

    @classmethod
    def of(
        cls,
        puzzle: str,
        *,
        count: int = 24,
        size: str | Sequence[int] | None = None,
        curve: str | Sequence[float] | None = None,
        request: Mapping[str, Any] | None = None,
    ) -> "PuzzleOrder":
        """Create an order from user input; raise `InputError` for an unknown puzzle or a size that
        it cannot have.

        `size` is `7x7` or (width, height), by default the usual one of the puzzle's requests.
        `request` are other fields of the request, such as `unique`; the order itself sets the
        length.
        """
        check_range("count", count, 1, MOST_PUZZLES)
        usual: Any = PUZZLES[puzzle].request()
        sides: tuple[int, int] = usual.size if size is None else parse_size(size)
        lengths = PUZZLES[puzzle].lengths(sides)
        given = dict(request or {})
        if "length" in given:
            raise InputError(
                f"length: expected other fields of a request, got {given['length']!r}; a pack "
                "has solutions of all lengths"
            )
        changed_settings(
            PUZZLES[puzzle].request,
            {**given, "size": sides, "length": lengths},
            f"a request for {PUZZLES[puzzle].plural}",
        )
        return cls(
            puzzle,
            sides,
            count,
            None if curve is None else parse_curve(curve),
            tuple(sorted(given.items())),
        )

    @property
    def name(self) -> str:
        """The name of the puzzle."""
        return self.puzzle

    @property
    def title(self) -> str:
        """The puzzle and its size."""
        return f"{self.puzzle} {self.size[0]}x{self.size[1]}"

    def to_data(self) -> dict[str, Any]:
        """Return the order as plain data."""
        curve = {} if self.curve is None else {"curve": list(self.curve)}
        request = {"request": dict(self.request)} if self.request else {}
        return {
            "puzzle": self.puzzle,
            "size": f"{self.size[0]}x{self.size[1]}",
            "count": self.count,
            **curve,
            **request,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "PuzzleOrder":
        """Create an order from the result of `to_data`."""
        known = {"puzzle", "size", "count", "curve", "request"}
        if not known - {"curve", "request"} <= set(data) <= known:
            raise InputError(
                f"origin: expected an order of puzzles with {', '.join(sorted(known))}, got "
                f"{sorted(map(str, data))}"
            )
        return cls.of(**data)
