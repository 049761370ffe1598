"""`Solution`: the result of solving a puzzle."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Solution:
    """The result of a solver. `moves` is None where no solution was found; `unsolvable` means that there is none, proven.

    `optimal` is the least number of moves, where it is known, and `gap` how many more this solution has. Exact search has no generations;
    its `evaluations` are the positions it examined. `facts` are further results of the puzzle's own solver, plain data; `remarks` are
    sentences that a user should know. `boards` are the positions from the start to the end, one text each, where the puzzle writes them so.
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
    facts: Mapping[str, Any] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    boards: tuple[str, ...] = ()

    @property
    def solved(self) -> bool:
        """Whether a solution was found."""
        return self.moves is not None

    @property
    def length(self) -> int | None:
        """The number of moves of the solution."""
        return None if self.moves is None else len(self.moves)

    @property
    def gap(self) -> int | None:
        """How many moves more than the least number, where both are known."""
        return None if self.moves is None or self.optimal is None else len(self.moves) - self.optimal

    @property
    def summary(self) -> str:
        """One sentence: the length and how good it is; or why there is no solution, and what to do."""
        if self.moves is not None:
            best = "" if self.gap is None else ", the fewest possible" if self.gap == 0 else f", {self.gap} more than the fewest possible"
            return f"solved in {self.length} moves{best}"
        if self.unsolvable:
            return "no solution found: there is none, exact search proved it"
        if self.method == "genetic":
            return f"no solution found: not within {self.evaluations:,} evaluations; allow more generations, or try another seed"
        longer_than = self.facts.get("longer_than")
        known = f", and showed that none has {longer_than} moves or fewer" if longer_than else ""
        return (
            f"no solution found: exact search examined {self.evaluations:,} positions{known}; allow more with the setting budget, "
            "or use the genetic method"
        )

    def to_data(self) -> dict[str, Any]:
        """The result as plain data, for JSON."""
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
            "remarks": list(self.remarks),
            **({"boards": list(self.boards)} if self.boards else {}),
        }
