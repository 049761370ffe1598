"""The rules of Ice, and its checker.

The player slides in one of four directions until a rock, the edge of the lake or the exit stops the
slide. A move that goes nowhere is not allowed. The text form has one character per cell: `~` ice,
`o` rock, `S` start, `X` exit.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from levolve.core.errors import InputError, ProofError
from levolve.puzzles.position import Position

STEPS = {"u": (0, -1), "d": (0, 1), "l": (-1, 0), "r": (1, 0)}
FORMAT = "levolve-example lake"
CHARACTERS = "~oSX"
MOST_SIDE = 20

Place = tuple[int, int]


@dataclass(frozen=True)
class Lake(Position):
    r"""A lake: rows of `~` and `o`, top first, the start and the exit as (x, y).

    >>> Lake.from_text("S~~\n~~o\n~~X").slide((0, 0), "r")
    (2, 0)
    """

    rows: tuple[str, ...]
    start: Place
    exit: Place
    solution: str | None = field(default=None, compare=False)
    facts: Mapping[str, object] = field(default_factory=dict, compare=False)

    @classmethod
    def from_text(cls, text: str) -> "Lake":
        """Read the text form."""
        rows = [line.strip() for line in text.splitlines() if line.strip()]
        if (
            not rows
            or len({len(row) for row in rows}) != 1
            or not set("".join(rows)) <= set(CHARACTERS)
        ):
            message = (
                f"lake: expected rows of equal length made of {' '.join(CHARACTERS)}, got {text!r}"
            )
            raise InputError(message)
        if len(rows) > MOST_SIDE or len(rows[0]) > MOST_SIDE:
            message = (
                f"lake: expected at most {MOST_SIDE} rows and columns, got "
                f"{len(rows[0])}x{len(rows)}"
            )
            raise InputError(message)
        places = {}
        for sign in "SX":
            found = [(row.index(sign), y) for y, row in enumerate(rows) if sign in row]
            if len(found) != 1 or rows[found[0][1]].count(sign) != 1:
                message = f"lake: expected one {sign}, got {''.join(rows).count(sign)}"
                raise InputError(message)
            places[sign] = found[0]
        plain = tuple(row.replace("S", "~").replace("X", "~") for row in rows)
        return cls(plain, places["S"], places["X"])

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.rows[0])

    @property
    def height(self) -> int:
        """The number of rows."""
        return len(self.rows)

    def to_text(self) -> str:
        """One character per cell, top row first."""
        cells = [list(row) for row in self.rows]
        cells[self.start[1]][self.start[0]] = "S"
        cells[self.exit[1]][self.exit[0]] = "X"
        return "\n".join("".join(row) for row in cells)

    def to_data(self) -> dict[str, Any]:
        """The lake as plain data."""
        return {
            "format": FORMAT,
            "lake": self.to_text().split("\n"),
            "solution": self.solution,
            "facts": dict(self.facts),
        }

    def slide(self, place: Place, move: str) -> Place:
        """Where a slide from `place` ends; `place` itself where it is blocked at once."""
        x, y = place
        right, down = STEPS[move]
        while (x, y) != self.exit or (x, y) == place:
            to_x, to_y = x + right, y + down
            if (
                not (0 <= to_x < self.width and 0 <= to_y < self.height)
                or self.rows[to_y][to_x] == "o"
            ):
                break
            x, y = to_x, to_y
        return x, y

    def after(self, moves: str) -> Place:
        """Where the player is after some moves; moves that go nowhere do nothing."""
        place = self.start
        for move in moves:
            place = self.slide(place, move)
        return place

    def likeness(self) -> str:
        """The least text of all rotations and reflections."""
        rows = self.to_text().split("\n")
        found = []
        for _ in range(2):
            for _ in range(4):
                found.append("\n".join(rows))
                rows = ["".join(row[x] for row in reversed(rows)) for x in range(len(rows[0]))]
            rows = [row[::-1] for row in rows]
        return min(found)

    def check(self) -> None:
        """Replay the solution cell by cell, with nothing shared with `slide`; raise `ProofError`
        unless it ends on the exit.
        """
        if self.solution is None:
            message = "proof: the lake holds no solution"
            raise ProofError(message)
        ice = {
            (x, y) for y, row in enumerate(self.rows) for x, cell in enumerate(row) if cell != "o"
        }
        here = self.start
        for count, move in enumerate(self.solution, 1):
            if move not in STEPS:
                message = f"proof: move {count} is {move!r}, expected u, d, l or r"
                raise ProofError(message)
            right, down = STEPS[move]
            path = [here]
            while (ahead := (path[-1][0] + right, path[-1][1] + down)) in ice and (
                path[-1] != self.exit or len(path) == 1
            ):
                path.append(ahead)
            if len(path) == 1:
                message = f"proof: move {count} ({move}) goes nowhere"
                raise ProofError(message)
            here = path[-1]
        if here != self.exit:
            message = (
                f"proof: after {len(self.solution)} moves the player is at {here[0]},{here[1]} "
                "and not at the exit"
            )
            raise ProofError(message)
