"""`Position`: what the positions of all puzzles have in common. A position is one puzzle to be solved, such as a board or a round."""

import dataclasses
import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Self

from levolve.display import Displayed
from levolve.errors import LevolveError


class UnsolvableError(LevolveError):
    """A puzzle that can be shown to have no solution."""


class Position(Displayed, ABC):
    """One puzzle to be solved: immutable, with its solution and facts about it where they are known.

    A position is a frozen dataclass with the fields `solution`, a text of one character per move, and `facts`. Two positions are equal if they have
    the same text form; solution and facts do not count.
    """

    solution: str | None
    facts: Mapping[str, object]

    @abstractmethod
    def to_text(self) -> str:
        """The text form: everything but the solution and the facts. Lines below the first part read `key: value`."""

    @abstractmethod
    def to_data(self) -> dict[str, Any]:
        """The position with its solution and facts as plain data that JSON can hold."""

    @abstractmethod
    def check(self) -> None:
        """Replay the solution move by move; raise `ProofError` unless it solves the puzzle."""

    @abstractmethod
    def likeness(self) -> str:
        """A text that is the same for positions which differ only by a symmetry of the puzzle, such as a rotation."""

    def _picture(self) -> bytes:
        from levolve.puzzles.files import puzzle_of  # noqa: PLC0415 it imports this class

        return puzzle_of(self).encode(self, "png")

    def check_solvable(self) -> None:
        """Raise `UnsolvableError` where a quick look shows that there is no solution. By default nothing is known."""
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
