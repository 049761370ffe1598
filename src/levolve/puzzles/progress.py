"""Progress of solvers and makers, as events."""

from dataclasses import dataclass
from typing import ClassVar

from levolve.events import Event
from levolve.puzzles.position import Position


@dataclass(frozen=True)
class SolverProgress(Event):
    """The state of a genetic solver between two groups of generations.

    `best` is the best score, `diversity` the share of the population that differs, `attempt` the moves of the best attempt.
    """

    kind: ClassVar[str] = "solver_progress"

    generation: int
    generations: int
    best: float
    diversity: float
    attempt: str


@dataclass(frozen=True)
class MakerProgress(Event):
    """The state of a maker that works on puzzle `number`, counted from 0.

    It has tried `tried` of `tries` candidates; the best of them, `best`, misses the request by `miss` (0: meets it), and the share `diversity` of the
    candidates were different.
    """

    kind: ClassVar[str] = "maker_progress"

    number: int
    tried: int
    tries: int
    miss: float
    diversity: float
    best: Position
