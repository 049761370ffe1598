"""What a puzzle is, what a solver gives, and what it tells while it works."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from levolve.errors import InputError, LevolveError

METHODS = ("genetic", "exact")


class UnsolvableError(LevolveError):
    """A puzzle that can be shown to have no solution."""


@dataclass(frozen=True)
class Progress:
    """What a genetic solver tells between two stretches of generations. `attempt` is the best attempt's moves so far."""

    generation: int
    generations: int
    best: float
    diversity: float
    attempt: str


@dataclass(frozen=True)
class Attempt:
    """What a maker tells while it works on puzzle `number`, counted from 0: how many candidates it has tried, by how much the best so far misses the
    wish, which share of the candidates were different, and the best itself.
    """  # noqa: D205 one sentence

    number: int
    tried: int
    tries: int
    miss: float
    diversity: float
    best: Any


@dataclass(frozen=True)
class Solution:
    """What came of solving a puzzle. `moves` is None where no solution was found; `unsolvable` means that there is none, proven.

    `optimal` is the least number of moves, where it is known, and `gap` how many more this solution has. Exact search breeds no generations;
    its `evaluations` are the positions it looked at.
    """

    puzzle: str
    method: str
    moves: str | None
    generations: int
    evaluations: int
    seed: int | None
    seconds: float
    optimal: int | None = None
    unsolvable: bool = False
    facts: Mapping[str, object] = field(default_factory=dict)

    @property
    def solved(self) -> bool:
        """Whether a solution was found."""
        return self.moves is not None

    @property
    def length(self) -> int | None:
        """How many moves the solution has."""
        return None if self.moves is None else len(self.moves)

    @property
    def gap(self) -> int | None:
        """How many moves more than the least number, where both are known."""
        return None if self.moves is None or self.optimal is None else len(self.moves) - self.optimal

    def to_data(self) -> dict[str, Any]:
        """As plain data, for JSON."""
        return {
            "puzzle": self.puzzle,
            "method": self.method,
            "solved": self.solved,
            "moves": self.moves,
            "length": self.length,
            "generations": self.generations,
            "evaluations": self.evaluations,
            "seed": self.seed,
            "seconds": round(self.seconds, 6),
            "optimal": self.optimal,
            "gap": self.gap,
            "unsolvable": self.unsolvable,
            **self.facts,
        }


@dataclass(frozen=True)
class Puzzle:
    """A puzzle by name: `read` makes its position of whatever describes one, `solve` solves it."""

    meaning: str
    read: Callable[..., Any]
    solve: Callable[..., Solution]


def check_making(count: int, tries: int) -> None:
    """Refuse to make nothing, or too much."""
    check_range("count", count, 1, 100_000)
    check_range("tries", tries, 1, 1 << 40)


def check_range(name: str, value: object, low: float, high: float, *, whole: bool = True) -> None:
    """Refuse a setting outside its range."""
    kind = int if whole else int | float
    if isinstance(value, bool) or not isinstance(value, kind) or not low <= value <= high:
        message = f"{name}: expected {'a whole number' if whole else 'a number'} from {low:,} to {high:,}, got {value!r}"
        raise InputError(message)
