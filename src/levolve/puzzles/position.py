"""`Position`: what the positions of all puzzles have in common. A position is one puzzle to be
solved, such as a board or a round.

`Solution`: the result of solving a puzzle.

Positions, solutions and facts as data and text.
"""

import dataclasses
import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from levolve.core.display import Displayed
from levolve.core.errors import InputError, LevolveError
from levolve.formats.reading.budgets import MOST_POSITION_BYTES, MOST_POSITION_MOVES, check_amount
from levolve.formats.reading.data import decode_text, parse_json


class UnsolvableError(LevolveError):
    """A puzzle that can be shown to have no solution."""


class Position(Displayed, ABC):
    """One puzzle to be solved: immutable, with its solution and facts about it where they are
    known.

    A position is a frozen dataclass with the fields `solution`, a text of one character per move,
    and `facts`. Two positions are equal if they have the same text form; solution and facts do not
    count.
    """

    solution: str | None
    facts: Mapping[str, object]

    @abstractmethod
    def to_text(self) -> str:
        """The text form: everything but the solution and the facts. Lines below the first part read
        `key: value`.
        """

    @abstractmethod
    def to_data(self) -> dict[str, Any]:
        """The position with its solution and facts as plain data that JSON can hold."""

    @abstractmethod
    def check(self) -> None:
        """Replay the solution move by move; raise `ProofError` unless it solves the puzzle."""

    @abstractmethod
    def likeness(self) -> str:
        """A text that is the same for positions which differ only by a symmetry of the puzzle, such
        as a rotation.
        """

    def _picture(self) -> bytes:
        from levolve.puzzles.load_save import puzzle_of

        return puzzle_of(self).encode(self, "png")

    def check_solvable(self) -> None:
        """Raise `UnsolvableError` where a quick look shows that there is no solution. By default
        nothing is known.
        """
        return

    @property
    def digest(self) -> str:
        """Sha256 of the text form: equal positions, and only those, have the same."""
        return hashlib.sha256(self.to_text().encode()).hexdigest()

    def with_solution(self, solution: str | None) -> Self:
        """The same position with this solution."""
        return dataclasses.replace(self, solution=solution)  # type: ignore[type-var] # a position is a dataclass

    def with_facts(self, facts: Mapping[str, object]) -> Self:
        """The same position with these facts: a name, how hard it is, how it was made."""
        return dataclasses.replace(self, facts=dict(facts))  # type: ignore[type-var] # same


@dataclass(frozen=True)
class Solution:
    """The result of a solver. `moves` is None where no solution was found; `unsolvable` means that
    there is none, proven.

    `optimal` is the least number of moves, where it is known, and `gap` how many more this solution
    has. Exact search has no generations; its `evaluations` are the positions it examined. `facts`
    are further results of the puzzle's own solver, plain data; `remarks` are sentences that a user
    should know. `boards` are the positions from the start to the end, one text each, where the
    puzzle writes them so.
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
        return (
            None if self.moves is None or self.optimal is None else len(self.moves) - self.optimal
        )

    @property
    def summary(self) -> str:
        """One sentence: the length and how good it is; or why there is no solution, and what to
        do.
        """
        if self.moves is not None:
            best = (
                ""
                if self.gap is None
                else ", the fewest possible"
                if self.gap == 0
                else f", {self.gap} more than the fewest possible"
            )
            return f"solved in {self.length} moves{best}"
        if self.unsolvable:
            return "no solution found: there is none, exact search proved it"
        if self.method == "genetic":
            return (
                f"no solution found: not within {self.evaluations:,} evaluations; allow more "
                "generations, or try another seed"
            )
        longer_than = self.facts.get("longer_than")
        known = f", and showed that none has {longer_than} moves or fewer" if longer_than else ""
        return (
            f"no solution found: exact search examined {self.evaluations:,} "
            f"positions{known}; allow more with the setting budget, "
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


def encode_text(position: Position) -> str:
    """The text form with `solution:` and `facts:` lines below it: nothing of the position is
    lost.
    """
    lines = [position.to_text()]
    if position.solution is not None:
        lines.append(f"solution: {position.solution}")
    if position.facts:
        lines.append(f"facts: {json.dumps(dict(position.facts), sort_keys=True)}")
    return "\n".join(lines) + "\n"


def position_text(content: bytes) -> str | None:
    """The text in the bytes of a file; None where they cannot be a position."""
    if len(content) > MOST_POSITION_BYTES:
        return None
    try:
        return decode_text(content, "position")
    except InputError:
        return None


def position_data(source: str, mark: str) -> object:
    """The data in a JSON text that contains a mark, such as a key that positions have; None for
    every other text.
    """
    if mark not in source:
        return None
    try:
        return parse_json(source, "position")
    except InputError:
        return None


def read_solution(value: object) -> str | None:
    """The solution in a file: a text of moves that is not too long; None where there is none."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise InputError(
            f"solution: expected a text of moves u, d, l, r, got {type(value).__name__}"
        )
    check_amount(len(value), MOST_POSITION_MOVES, "moves", "solution")
    return value


def read_facts(value: object) -> dict[str, object]:
    """The facts in a file: an object, or the text of a `facts:` line; nothing where there are
    none.
    """
    if value is None:
        return {}
    if isinstance(value, str):
        value = parse_json(value, "facts")
    if not isinstance(value, dict):
        raise InputError(f"facts: expected an object, got {type(value).__name__}")
    return value
