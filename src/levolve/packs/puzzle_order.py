"""`PuzzleOrder`: the complete definition of the puzzles of a pack except their seed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from levolve.errors import InputError
from levolve.packs.targets import Range, parse_curve
from levolve.puzzles import PUZZLES
from levolve.puzzles.settings import changed_settings, check_range
from levolve.recipes.values import parse_size

MOST_PUZZLES = 10_000


@dataclass(frozen=True)
class PuzzleOrder:
    """So many puzzles of one kind and size, along a curve. Use `PuzzleOrder.of` to create an order from user input."""

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
        """Create an order from user input; raise `InputError` for an unknown puzzle or a size that it cannot have.

        `size` is `7x7` or (width, height), by default the usual one of the puzzle's requests. `request` are other fields of the request, such as
        `unique`; the order itself sets the length.
        """
        check_range("count", count, 1, MOST_PUZZLES)
        usual: Any = PUZZLES[puzzle].request()
        sides: tuple[int, int] = usual.size if size is None else parse_size(size)
        lengths = PUZZLES[puzzle].lengths(sides)
        given = dict(request or {})
        if "length" in given:
            message = f"length: expected other fields of a request, got {given['length']!r}; a pack has solutions of all lengths"
            raise InputError(message)
        changed_settings(PUZZLES[puzzle].request, {**given, "size": sides, "length": lengths}, f"a request for {PUZZLES[puzzle].plural}")
        return cls(puzzle, sides, count, None if curve is None else parse_curve(curve), tuple(sorted(given.items())))

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
        return {"puzzle": self.puzzle, "size": f"{self.size[0]}x{self.size[1]}", "count": self.count, **curve, **request}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "PuzzleOrder":
        """Create an order from the result of `to_data`."""
        known = {"puzzle", "size", "count", "curve", "request"}
        if not known - {"curve", "request"} <= set(data) <= known:
            message = f"origin: expected an order of puzzles with {', '.join(sorted(known))}, got {sorted(map(str, data))}"
            raise InputError(message)
        return cls.of(**data)
