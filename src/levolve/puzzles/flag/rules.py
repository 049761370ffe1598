"""The rules of Reach the Flag, and the independent checker.

The player walks over tiles that fall: a tile bears a number of visits, from 1 to 9, or never falls.
Standing on the start counts as its first visit. The flag never falls and may be entered again. A
round is won when every visit that tiles bear has been used up and the player stands on the flag;
this is tested after every move.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from levolve.core.errors import InputError, ProofError, shown
from levolve.kernels.puzzles.flag_field import NEVER, Field
from levolve.levels.grid import Grid, check_moves, frozen_tiles, read_tiles
from levolve.puzzles.position import Position, UnsolvableError

STEPS = {"u": (0, -1), "d": (0, 1), "l": (-1, 0), "r": (1, 0)}
GAP = 0
MOST_VISITS = 9
MOST_SIDE = 64

Place = tuple[int, int]
Tiles = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Round(Grid, Position):
    r"""One round, immutable. `tiles` are `[row, column]`, top first: 0 a gap, 1 to 9 the visits a
    tile bears, `NEVER` one that does not fall.

    >>> round = Round.from_text("S12\n.1F")
    >>> round.start, round.flag, round.visits
    ((0, 0), (2, 1), 5)
    >>> round.after("rrldr").won
    False
    """

    tiles: Tiles
    start: Place
    flag: Place
    solution: str | None = None
    facts: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check every part, and make the tiles unchangeable."""
        object.__setattr__(self, "tiles", _checked_tiles(self.tiles))
        for name, place in (("start", self.start), ("flag", self.flag)):
            _check_place(name, place, self.width, self.height)
        x, y = self.flag
        if self.tiles[y, x] != NEVER:
            tiles = self.tiles.copy()
            tiles[y, x] = NEVER
            object.__setattr__(self, "tiles", frozen_tiles(tiles))
        x, y = self.start
        if self.tiles[y, x] == GAP:
            raise InputError(
                f"start: expected a tile, got a gap at {x},{y}; put the start on a tile"
            )
        check_moves(self.solution)

    @classmethod
    def from_text(cls, source: str) -> "Round":
        """Read the text form, top row first. See `to_text`."""
        from levolve.puzzles.flag.files import parse

        return parse(source)

    def to_text(self) -> str:
        """One character per cell, top row first: `.` gap, `1`-`9` visits, `*` never falls, `F`
        flag, `S` the start on a tile that bears one visit.
        """
        from levolve.puzzles.flag.files import draw

        return draw(self)

    def to_data(self) -> dict[str, Any]:
        """The round as plain data, rows bottom first."""
        from levolve.puzzles.flag.files import round_to_data

        return round_to_data(self)

    def __repr__(self) -> str:
        """Size, visits and digest."""
        return f"<Round {self.width}x{self.height}, {self.visits} visits, {self.digest[:12]}>"

    @property
    def visits(self) -> int:
        """How many visits have to be used up, that of the start included."""
        return int(self.tiles[self.tiles != NEVER].sum())

    @cached_property
    def field(self) -> Field:
        """The round as kernels take it."""
        width = self.width + 2
        padded = np.zeros((self.height + 2, width), np.uint8)
        padded[1:-1, 1:-1] = self.tiles
        rows, columns = np.indices(padded.shape)
        (start_x, start_y), (flag_x, flag_y) = self.start, self.flag
        return Field(
            padded.ravel(),
            np.array([-width, width, -1, 1], np.int64),
            (start_y + 1) * width + start_x + 1,
            (flag_y + 1) * width + flag_x + 1,
            self.visits,
            ((rows + columns) % 2).astype(np.int8).ravel(),
            width,
        )

    def after(self, moves: str) -> "Play":
        """The state of play after some moves; void moves do nothing."""
        play = Play(self)
        for move in moves:
            play.step(move)
        return play

    def unreachable(self) -> list[Place]:
        """Tiles that cannot be reached from the start at all, each (x, y): with one of them the
        round cannot be won.
        """
        seen = {self.start}
        queue = [self.start]
        for x, y in queue:
            for change_x, change_y in STEPS.values():
                near = (x + change_x, y + change_y)
                if (
                    0 <= near[0] < self.width
                    and 0 <= near[1] < self.height
                    and near not in seen
                    and self.tiles[near[1], near[0]] != GAP
                ):
                    seen.add(near)
                    queue.append(near)
        return [
            (x, y)
            for y in range(self.height)
            for x in range(self.width)
            if (x, y) not in seen and (0 < self.tiles[y, x] <= MOST_VISITS or (x, y) == self.flag)
        ]

    def check_solvable(self) -> None:
        """Raise `UnsolvableError` and say which, if there are tiles that cannot be reached."""
        missed = self.unreachable()
        if missed:
            listed = ", ".join(f"{x},{y}" for x, y in missed[:8]) + (
                ", …" if len(missed) > len(missed[:8]) else ""
            )
            raise UnsolvableError(
                f"the round cannot be won: {len(missed)} of its tiles cannot be reached from the "
                f"start: {listed}"
            )

    def turned(self) -> list["Round"]:
        """The eight rotations and reflections, this one first; solutions are left behind."""
        found = []
        tiles, start, flag = self.tiles, self.start, self.flag
        for _ in range(2):
            for _ in range(4):
                found.append(Round(tiles, start, flag))
                tall = tiles.shape[0]
                tiles = np.rot90(tiles, -1)
                start, flag = ((tall - 1 - y, x) for x, y in (start, flag))
            tiles = tiles[:, ::-1]
            wide = tiles.shape[1]
            start, flag = ((wide - 1 - x, y) for x, y in (start, flag))
        return found

    def likeness(self) -> str:
        """The least text of all rotations and reflections: rounds that are the same but for those
        have the same.
        """
        return min(turned.to_text() for turned in self.turned())

    def check(self) -> None:
        """Replay the solution move by move; raise `ProofError` unless it wins the round."""
        check(self.tiles.tolist(), self.start, self.flag, self.solution)


class Play:
    """A round being played."""

    def __init__(self, played: Round) -> None:
        """Stand on the start, which counts as its first visit."""
        self.round = played
        self.left = [[int(visits) for visits in row] for row in played.tiles]
        self.place = played.start
        self.moves = ""
        self._visit()

    def _visit(self) -> None:
        x, y = self.place
        if self.left[y][x] != NEVER:
            self.left[y][x] -= 1

    @property
    def remaining(self) -> int:
        """How many visits are left to be used up."""
        return sum(visits for row in self.left for visits in row if visits != NEVER)

    @property
    def won(self) -> bool:
        """Whether nothing is left over and the player stands on the flag."""
        return self.place == self.round.flag and self.remaining == 0

    def may(self, move: str) -> bool:
        """Whether a move leads onto a tile."""
        x, y = self.place[0] + STEPS[move][0], self.place[1] + STEPS[move][1]
        return 0 <= x < self.round.width and 0 <= y < self.round.height and self.left[y][x] > 0

    def step(self, move: str) -> bool:
        """Make a move; False, and nothing happens, where it leads off the map or into a gap."""
        if move not in STEPS:
            raise InputError(f"move: expected one of u, d, l, r, got {move!r}")
        if not self.may(move):
            return False
        self.place = (self.place[0] + STEPS[move][0], self.place[1] + STEPS[move][1])
        self.moves += move
        self._visit()
        return True


def check(tiles: list[list[int]], start: Place, flag: Place, solution: str | None) -> None:
    """Raise `ProofError` unless the moves win: plain lists, plain loops, nothing shared with
    solvers or with `Play`.
    """
    if solution is None:
        raise ProofError("proof: the round holds no solution")
    worn = [[0 for _ in row] for row in tiles]
    x, y = start
    worn[y][x] = 1
    for count, move in enumerate(solution, 1):
        if move == "u":
            y -= 1
        elif move == "d":
            y += 1
        elif move == "l":
            x -= 1
        else:
            x += 1
        if y < 0 or x < 0 or y >= len(tiles) or x >= len(tiles[0]):
            raise ProofError(f"proof: move {count} ({move}) leaves the map")
        worn[y][x] += 1
        if tiles[y][x] != NEVER and worn[y][x] > tiles[y][x]:
            what = "a gap" if tiles[y][x] == GAP else "a tile that has fallen"
            raise ProofError(f"proof: move {count} ({move}) leads onto {what} at {x},{y}")
    over = [
        (column, row)
        for row, line in enumerate(tiles)
        for column, bears in enumerate(line)
        if bears != NEVER and worn[row][column] != bears
    ]
    if over:
        raise ProofError(
            f"proof: after {len(solution)} moves the tile at {over[0][0]},{over[0][1]} is not "
            f"used up, and {len(over) - 1} more"
        )
    if (x, y) != tuple(flag):
        raise ProofError(
            f"proof: the solution ends after {len(solution)} moves at {x},{y} and not on the "
            f"flag at {flag[0]},{flag[1]}"
        )


def _checked_tiles(tiles: ArrayLike) -> Tiles:
    array = read_tiles(tiles)
    check_side(array.shape[1], array.shape[0])
    wrong = array[(array != NEVER) & ((array < 0) | (array > MOST_VISITS))]
    if wrong.size:
        raise InputError(
            f"tiles: expected 0 for a gap, 1 to {MOST_VISITS} for visits or {NEVER} for a tile "
            f"that never falls, got {int(wrong[0])}"
        )
    return frozen_tiles(array)


def check_side(width: int, height: int) -> None:
    """Raise `InputError` for a size that no round has."""
    if not (1 <= height <= MOST_SIDE and 1 <= width <= MOST_SIDE):
        raise InputError(
            f"tiles: expected from 1 to {MOST_SIDE} rows and columns, got {width}x{height}"
        )


def _check_place(name: str, place: object, width: int, height: int) -> None:
    whole = (
        isinstance(place, tuple)
        and len(place) == 2  # x and y
        and all(isinstance(part, int) and not isinstance(part, bool) for part in place)
    )
    if (
        not whole
        or not isinstance(place, tuple)
        or not (0 <= place[0] < width and 0 <= place[1] < height)
    ):
        raise InputError(
            f"{name}: expected x,y inside the {width}x{height} round, got {shown(place)}"
        )
