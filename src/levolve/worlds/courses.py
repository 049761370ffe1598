"""Courses: how a map develops, by one rule, by a mixture of rules, or as a window of a world. A
course gives its final map and its frames.
"""

from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Protocol

from levolve.worlds.morph import Field, Morph
from levolve.worlds.rule import Map, Outcome, Rule
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
