"""Goals: how a level is won. A new goal is one object and one line here, or an entry point of a
plug-in.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from levolve.core.errors import InputError
from levolve.core.registry import Registry
from levolve.levels.places import (
    CHECKPOINTS,
    ENTRANCE,
    EXIT,
    TOUR,
    Place,
    is_checkpoint,
    known_place,
)


@dataclass(frozen=True)
class Goal:
    """The places to visit, in order, to win a level. The path starts on the first stop and ends on
    the last.

    `stops` are names of places; "checkpoints" stands for all checkpoints of the level in order of
    number. A level with a goal without stops needs no places, and its solution is empty. With
    `returns`, the measured tour continues from the last stop back to the first. With `collects`,
    the level ends at its last stop only when all things that count were collected.
    """

    name: str
    stops: tuple[str, ...] = ()
    returns: bool = False
    collects: bool = False

    def __post_init__(self) -> None:
        """Raise `InputError` for a single stop, unknown places, or a name that cannot be written on
        one line.
        """
        if len(self.stops) == 1:
            raise InputError(
                f"goal {self.name!r}: expected no stops, or a first and a last one, got "
                f"{self.stops[0]!r} alone"
            )
        unknown = next(
            (stop for stop in self.stops if stop != CHECKPOINTS and not known_place(stop)), None
        )
        if unknown is not None:
            raise InputError(
                f"goal {self.name!r}: expected stops called entrance, exit, A, B, C, 'checkpoint "
                f"N' or checkpoints, got {unknown!r}"
            )
        if (
            not self.name.isprintable()
            or not self.name
            or ":" in self.name
            or self.name != self.name.strip()
        ):
            raise InputError(
                f"goal: expected a name on one line, without colons, got {self.name!r}"
            )

    def stops_in(self, places: Iterable[str]) -> tuple[str, ...]:
        """Return the names of the stops in a level with these places, with "checkpoints" replaced
        by the names of its checkpoints.
        """
        checkpoints = [name for name in places if is_checkpoint(name)]
        return tuple(
            name for stop in self.stops for name in (checkpoints if stop == CHECKPOINTS else [stop])
        )

    def missing(self, places: Iterable[str]) -> list[str]:
        """Return the stops that are not among these places."""
        present = set(places)
        return [name for name in self.stops_in(present) if name not in present]

    def route(self, places: Mapping[str, Place]) -> tuple[Place, ...] | None:
        """Return the cells of the stops in order; None if one is missing."""
        return (
            None if self.missing(places) else tuple(places[name] for name in self.stops_in(places))
        )


GOALS: Registry[Goal] = Registry(
    "goal",
    {
        name: f"{__name__}:{name.upper()}_GOAL"
        for name in ("exit", "checkpoints", "tour", "none", "all")
    },
    "levolve.goals",
    kinds=(f"{__name__}:Goal",),
)

EXIT_GOAL = Goal("exit", (ENTRANCE, EXIT))
CHECKPOINTS_GOAL = Goal("checkpoints", (ENTRANCE, CHECKPOINTS, EXIT))
TOUR_GOAL = Goal("tour", TOUR, returns=True)
NONE_GOAL = Goal("none")
ALL_GOAL = Goal("all", (ENTRANCE, EXIT), collects=True)


def default_goal(places: Iterable[str]) -> Goal:
    """Return the goal that follows from the places: the tour if any of A, B and C exists, unless
    both entrance and exit exist; otherwise the exit.
    """
    present = set(places)
    return TOUR_GOAL if present & set(TOUR) and not {ENTRANCE, EXIT} <= present else EXIT_GOAL
