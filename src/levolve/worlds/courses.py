"""Courses: how a map develops, by one rule, by a mixture of rules, or as a window of a world. A
course gives its final map and its frames. `world_of` and `morph_course` build them from what
`make_map` takes.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from numpy.typing import ArrayLike

from levolve.core.errors import InputError
from levolve.worlds.design import Design, RuleLike
from levolve.worlds.lambda_fields import FIELDS, space_field
from levolve.worlds.morph import Field, Morph, find_field
from levolve.worlds.rule import Map, Outcome, Rule
from levolve.worlds.shipped import find_design
from levolve.worlds.world import World


class Course(Protocol):
    """A development of known length. `start` is the map before the first update, None where it has
    no edge.
    """

    @property
    def start(self) -> Map | None:
        """The `(height, width)` start map, where there is one."""
        ...

    @property
    def settles(self) -> bool:
        """Whether it is known if the map came to rest."""
        ...

    def develop(self, executor: Executor | None = None) -> Outcome:
        """The map after all updates. The threads of a pool share the work on a large map."""
        ...

    def frames(self) -> Iterator[Map]:
        """The map after 0, 1, 2 … updates, the last one included."""
        ...


@dataclass(frozen=True, eq=False)
class RuleCourse:
    """One rule on a start map."""

    rule: Rule
    start: Map
    updates: int
    settles: bool = True

    def develop(self, executor: Executor | None = None) -> Outcome:
        """The map after all updates."""
        return self.rule.develop(self.start, self.updates, executor=executor)

    def frames(self) -> Iterator[Map]:
        """The start map and the map after each update."""
        return self.rule.frames(self.start, self.updates)


@dataclass(frozen=True, eq=False)
class MorphCourse:
    """Several rules mixed by a field of λ on a start map."""

    morph: Morph
    field: Field
    start: Map
    updates: int
    settles: bool = True

    def develop(self, executor: Executor | None = None) -> Outcome:
        """The map after all updates."""
        return self.morph.develop(self.start, self.field, self.updates, executor=executor)

    def frames(self) -> Iterator[Map]:
        """The start map and the map after each update."""
        return self.morph.frames(self.start, self.field, self.updates)


@dataclass(frozen=True, eq=False)
class WindowCourse:
    """A window (x, y, width, height) of a world, each cell the most common state of `scale` x
    `scale` cells.
    """

    world: World
    window: tuple[int, int, int, int]
    scale: int = 1
    start: Map | None = None
    settles: bool = False

    def develop(self, executor: Executor | None = None) -> Outcome:
        """The window after all updates. Whether a whole world comes to rest is not known."""
        return Outcome(
            self.world.window(*self.window, self.scale, executor=executor), self.world.updates, 0, 0
        )

    def frames(self) -> Iterator[Map]:
        """The window after 0, 1, 2 … updates."""
        world = self.world
        for updates in range(world.updates + 1):
            yield world.after(updates).window(*self.window, self.scale)


@dataclass(frozen=True, eq=False)
class GivenCourse:
    """A finished map as it was given, with the maps before it, where the file holds them. Nothing
    is run.
    """

    maps: tuple[Map, ...]
    updates: int
    settles: bool = False

    @property
    def start(self) -> Map | None:
        """The map before the first update, where it is among those given."""
        return self.maps[0] if len(self.maps) == self.updates + 1 else None

    def develop(self, executor: Executor | None = None) -> Outcome:
        """The map as it was given."""
        return Outcome(self.maps[-1], self.updates, 0, 0)

    def frames(self) -> Iterator[Map]:
        """The maps given."""
        return iter(self.maps)


def world_of(
    design: Design, others: Sequence[RuleLike], field: object, length: int, seed: int
) -> World:
    """The world without an edge of one rule, or of several that change into each other."""
    if not others:
        return World(design.rule, seed, design.updates, design.weights)
    if not isinstance(field, str):
        raise InputError(
            f"field: expected one of {', '.join(FIELDS)} together with window, got "
            f"{type(field).__name__}"
        )
    return World(
        Morph(_mixed_rules(design, others)),
        seed,
        design.updates,
        design.weights,
        field=space_field(field, length, seed),
    )


def _mixed_rules(design: Design, others: Sequence[RuleLike]) -> list[Rule]:
    return [
        design.rule,
        *(
            find_design(other)
            .adapted(border=design.rule.border, arithmetic=design.rule.arithmetic)
            .rule
            for other in others
        ),
    ]


def morph_course(
    design: Design, start: Map, others: Sequence[RuleLike], field: str | Path | ArrayLike, seed: int
) -> MorphCourse:
    """The course of a map that changes from the rule of a design into others."""
    rules = _mixed_rules(design, others)
    size = (start.shape[1], start.shape[0])
    return MorphCourse(
        Morph(rules), find_field(field, size, len(rules), seed), start, design.updates
    )
