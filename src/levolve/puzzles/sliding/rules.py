"""The rules of the sliding puzzle, and the independent checker.

A frame of up to 5x5 cells holds numbered tiles and one blank; a tile beside the blank may slide
into it. A move is named after the way the tile goes as seen on the screen: u, d, l, r. Half of all
orders of the tiles can reach the goal; which half is a matter of parity, and is tested first.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError, ProofError, shown
from levolve.levels.grid import MOVES, check_moves
from levolve.puzzles.position import Position, UnsolvableError

BLANKS = "0_"
LEAST_SIDE, MOST_SIDE = 2, 5
NINE = 9
LONGEST_NUMBER = 9
Tiles = tuple[int, ...]


@dataclass(frozen=True, repr=False)
class Board(Position):
    """A board and its goal, immutable; tiles row by row, 0 is the blank.

    >>> board = Board.read("1234567_8")
    >>> board.solvable, board.after("l").solved
    (True, True)
    >>> Board.read("321456078").solvable
    False
    """

    tiles: Tiles
    width: int
    height: int
    goal: Tiles
    solution: str | None = field(default=None, compare=False)
    facts: Mapping[str, object] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        """Check the solution's form."""
        check_moves(self.solution)

    def __repr__(self) -> str:
        """Size, tiles and digest."""
        return (
            f"<Board {self.width}x{self.height} "
            f"{','.join(str(tile or '_') for tile in self.tiles)}, {self.digest[:12]}>"
        )

    @classmethod
    def read(
        cls, source: object, goal: object = None, size: tuple[int, int] | str | None = None
    ) -> "Board":
        """Read a board from a text, an integer or a list.

        `8672543_1`, `321456078`, numbers with commas, a list of numbers or of rows, and an integer
        of nine digits are boards; `0` and `_` are the blank. An integer loses a leading 0, so the
        eight digits 1 to 8 alone are a 3x3 board with the blank in its first cell. The size follows
        from the number of tiles if they fill a square. Otherwise give it as `3x4`, width first.

        >>> Board.read(13425786) == Board.read("_13425786")
        True
        """
        if isinstance(source, Board):
            return (
                source
                if goal is None
                else cls.read(list(source.tiles), goal, (source.width, source.height))
            )
        tiles = _with_leading_blank(read_tiles("board", source), size)
        width, height = _size_of(len(tiles), size)
        _check_tiles("board", tiles, width, height)
        if goal is None:
            wanted = (*range(1, len(tiles)), 0)
        else:
            wanted = _with_leading_blank(read_tiles("goal", goal), (width, height))
            _check_tiles("goal", wanted, width, height)
        return cls(tiles, width, height, wanted)

    @property
    def cells(self) -> int:
        """How many cells the frame has."""
        return self.width * self.height

    @property
    def blank(self) -> int:
        """The cell of the blank."""
        return self.tiles.index(0)

    @property
    def solved(self) -> bool:
        """Whether every tile is where the goal has it."""
        return self.tiles == self.goal

    @cached_property
    def solvable(self) -> bool:
        """Whether the goal can be reached: each move exchanges two tiles and carries the blank one
        cell, so the parities of both must agree.
        """
        order = [self.goal.index(tile) for tile in self.tiles]
        odd = False
        seen: set[int] = set()
        for first in range(self.cells):
            cell, length = first, 0
            while cell not in seen:
                seen.add(cell)
                cell = order[cell]
                length += 1
            odd ^= length > 0 and length % 2 == 0
        (y, x), (to_y, to_x) = (
            divmod(self.blank, self.width),
            divmod(self.goal.index(0), self.width),
        )
        return odd == bool((abs(x - to_x) + abs(y - to_y)) % 2)

    def check_solvable(self) -> None:
        """Raise `UnsolvableError` where parity forbids a solution."""
        if not self.solvable:
            raise UnsolvableError(
                f"the board {self} cannot be solved: by parity only half of all boards reach "
                f"the goal {show_tiles(self.goal)}, and this is of the "
                "other half; exchange any two tiles, or choose another goal"
            )

    def may(self, move: str) -> bool:
        """Whether a move slides a tile."""
        return move in MOVES and bool(
            neighbours(self.width, self.height)[self.blank, MOVES.index(move)] >= 0
        )

    def after(self, moves: str) -> "Board":
        """The board after some moves; a move that slides no tile is refused."""
        tiles = list(self.tiles)
        blank = self.blank
        near = neighbours(self.width, self.height)
        for count, move in enumerate(moves, 1):
            if move not in MOVES:
                raise InputError(f"moves: expected u, d, l, r, got {move!r} as move {count}")
            other = int(near[blank, MOVES.index(move)])
            if other < 0:
                raise InputError(
                    f"moves: move {count} ({move}) slides no tile: the blank is at the edge"
                )
            tiles[blank], tiles[other] = tiles[other], 0
            blank = other
        return replace(self, tiles=tuple(tiles), solution=None, facts={})

    @cached_property
    def normal(self) -> NDArray[np.uint8]:
        """The board as kernels take it: tiles renamed so that the goal has the tile of each cell
        named after it, counted from 1.
        """
        names = {tile: cell + 1 for cell, tile in enumerate(self.goal)}
        names[0] = 0
        return np.array([names[tile] for tile in self.tiles], np.uint8)

    def check(self) -> None:
        """Replay the solution move by move; raise `ProofError` unless it ends at the goal."""
        if self.solution is None:
            raise ProofError("proof: the board holds no solution")
        check(self.tiles, self.goal, self.width, self.solution)

    @property
    def plain_goal(self) -> bool:
        """Whether the goal is 1, 2, 3 … and the blank last."""
        return self.goal == (*range(1, self.cells), 0)

    def to_text(self) -> str:
        """The tiles on one line; below it `size:` where the board is no square, and `goal:` where
        it is not the usual one.
        """
        size = [] if self.width == self.height else [f"size: {self.width}x{self.height}"]
        goal = [] if self.plain_goal else [f"goal: {show_tiles(self.goal)}"]
        return "\n".join([str(self), *size, *goal])

    def to_data(self) -> dict[str, Any]:
        """The board as plain data."""
        from levolve.puzzles.sliding.files import board_to_data

        return board_to_data(self)

    def likeness(self) -> str:
        """The lesser of a board and its reflection in the diagonal, tiles renamed, where the goal
        is its own reflection.
        """
        normal = tuple(int(tile) for tile in self.normal)
        blank, width = self.goal.index(0), self.width
        if width != self.height or blank % width != blank // width:
            return str(normal)

        def mirrored(cell: int) -> int:
            return cell % width * width + cell // width

        reflected = tuple(
            mirrored(normal[mirrored(cell)] - 1) + 1 if normal[mirrored(cell)] else 0
            for cell in range(self.cells)
        )
        return str(min(normal, reflected))

    def rows(self) -> list[list[int]]:
        """The tiles, row by row."""
        return [
            list(self.tiles[row * self.width : (row + 1) * self.width])
            for row in range(self.height)
        ]

    def __str__(self) -> str:
        """As it is read: nine characters, or numbers with commas."""
        return show_tiles(self.tiles)

    def __int__(self) -> int:
        """Return the tiles of a 3x3 board as one integer, as the source's program encodes it.

        >>> int(Board.read("_13425786"))
        13425786
        """
        if (self.width, self.height) != (3, 3):
            raise InputError(f"board: expected 3x3 for an integer, got {self.width}x{self.height}")
        return int("".join(map(str, self.tiles)))


def show_tiles(tiles: Tiles) -> str:
    """Tiles as `Board.read` takes them."""
    if len(tiles) <= NINE:
        return "".join(str(tile) if tile else "_" for tile in tiles)
    return ",".join(str(tile) if tile else "_" for tile in tiles)


@lru_cache(maxsize=32)
def neighbours(width: int, height: int) -> NDArray[np.int64]:
    """For a blank at each cell, the cell whose tile slides into it by u, d, l and r; -1 where there
    is none.
    """
    near = np.full((width * height, 4), -1, np.int64)
    for cell in range(width * height):
        y, x = divmod(cell, width)
        for move, (other_x, other_y) in enumerate(((x, y + 1), (x, y - 1), (x + 1, y), (x - 1, y))):
            if 0 <= other_x < width and 0 <= other_y < height:
                near[cell, move] = other_y * width + other_x
    near.setflags(write=False)
    return near


def check(tiles: Tiles, goal: Tiles, width: int, moves: str) -> None:
    """Raise `ProofError` unless the moves lead to the goal: rows of numbers, one tile at a time,
    nothing shared with solvers.
    """
    rows = [list(tiles[first : first + width]) for first in range(0, len(tiles), width)]
    check_moves(moves)
    ways = {"u": (0, -1), "d": (0, 1), "l": (-1, 0), "r": (1, 0)}
    for count, move in enumerate(moves, 1):
        blank_x, blank_y = next((row.index(0), y) for y, row in enumerate(rows) if 0 in row)
        x, y = blank_x - ways[move][0], blank_y - ways[move][1]
        if not (0 <= y < len(rows) and 0 <= x < width):
            raise ProofError(f"proof: move {count} ({move}) slides no tile")
        rows[blank_y][blank_x] = rows[y][x]
        rows[y][x] = 0
    if [tile for row in rows for tile in row] != list(goal):
        raise ProofError(
            f"proof: after {len(moves)} moves the board is "
            f"{show_tiles(tuple(tile for row in rows for tile in row))} and not the goal"
        )


def parse_size(size: tuple[int, int] | str) -> tuple[int, int]:
    """A size as `3x4`, width first, or as a pair."""
    if isinstance(size, str):
        match = re.fullmatch(r"(\d{1,3})x(\d{1,3})", size)
        if match is None:
            raise InputError(f"size: expected WIDTHxHEIGHT such as 3x3, got {shown(size)}")
        size = int(match[1]), int(match[2])
    width, height = size
    if not (LEAST_SIDE <= width <= MOST_SIDE and LEAST_SIDE <= height <= MOST_SIDE):
        raise InputError(
            f"size: expected from {LEAST_SIDE}x{LEAST_SIDE} to {MOST_SIDE}x{MOST_SIDE}, got "
            f"{width}x{height}"
        )
    return width, height


def _size_of(cells: int, size: tuple[int, int] | str | None) -> tuple[int, int]:
    if size is not None:
        return parse_size(size)
    side = round(cells**0.5)
    if side * side != cells or not LEAST_SIDE <= side <= MOST_SIDE:
        raise InputError(
            f"board: expected 4, 9, 16 or 25 tiles, or a size such as 3x4 to go with {cells}"
        )
    return side, side


def _with_leading_blank(tiles: Tiles, size: tuple[int, int] | str | None) -> Tiles:
    """Restore the leading 0 that a 3x3 board loses as an integer."""
    three = size is None or parse_size(size) == (3, 3)
    return (0, *tiles) if three and sorted(tiles) == list(range(1, NINE)) else tiles


def read_tiles(name: str, source: object) -> Tiles:
    """Read tiles from `8672543_1`, an integer, numbers with commas, or a list.

    `name` is the argument's name, for messages.
    """
    if isinstance(source, int | np.integer) and not isinstance(source, bool):
        # An integer with a minus sign or too many digits is refused below, digit by digit.
        source = str(source) if 0 <= source < 10**NINE else f"{source:.3e}"
    if isinstance(source, str):
        parts = (
            [part.strip() for part in source.strip().split(",")]
            if "," in source
            else list("".join(source.split()))
        )
    elif isinstance(source, list | tuple | np.ndarray):
        parts = [
            str(part)
            for row in source
            for part in (row if isinstance(row, list | tuple | np.ndarray) else [row])
        ]
    else:
        raise InputError(
            f"{name}: expected a text such as 8672543_1, or numbers, got {type(source).__name__}"
        )
    if len(parts) > MOST_SIDE**2:
        raise InputError(f"{name}: expected at most {MOST_SIDE**2} tiles, got {len(parts)}")
    tiles = []
    for place, part in enumerate(parts, 1):
        if part in BLANKS and part:
            tiles.append(0)
        elif part.isascii() and part.isdecimal() and len(part) <= LONGEST_NUMBER:
            tiles.append(int(part))
        else:
            raise InputError(
                f"{name}: expected a number, or 0 or _ for the blank, got {shown(part)} in place "
                f"{place}"
            )
    return tuple(tiles)


def _check_tiles(name: str, tiles: Tiles, width: int, height: int) -> None:
    cells = width * height
    if len(tiles) != cells:
        raise InputError(f"{name}: expected {cells} tiles for {width}x{height}, got {len(tiles)}")
    repeated = sorted({tile for tile in tiles if tiles.count(tile) > 1})
    missing = sorted(set(range(cells)) - set(tiles))
    if repeated or missing:
        parts = [
            f"{', '.join(str(tile) for tile in numbers)} {what}"
            for numbers, what in ((repeated, "more than once"), (missing, "not at all"))
            if numbers
        ]
        raise InputError(
            f"{name}: expected each number from 0 (the blank) to {cells - 1} once, got "
            f"{' and '.join(parts)}"
        )
