"""Play in plain Python, one player at a time, with nested lists. A step returns the reward, whether
play is over, and whether the player moved.
"""

from dataclasses import dataclass, field

from levolve.levels.level import Level
from oracles.things import Rules

Cell = tuple[int, int]
Rows = list[list[int]]
STEPS = ((0, -1), (0, 1), (-1, 0), (1, 0))


def inside(rows: Rows, cell: Cell) -> bool:
    return 0 <= cell[0] < len(rows[0]) and 0 <= cell[1] < len(rows)


@dataclass
class Walk:
    """A walk over stops in order; the first stops on the cell of the start are visited already."""

    tiles: Rows
    steps: tuple[tuple[bool, ...], ...]
    stops: list[Cell]
    cost: float
    cell: Cell = (0, 0)
    ahead: list[Cell] = field(default_factory=list)
    share: float = 0.0

    def __post_init__(self) -> None:
        self.cell = self.stops[0]
        self.ahead = list(self.stops)
        self.drop()
        self.share = 1.0 / max(len(self.ahead), 1)

    def drop(self) -> int:
        dropped = 0
        while self.ahead and self.ahead[0] == self.cell:
            del self.ahead[0]
            dropped += 1
        return dropped

    def may(self, move: int) -> bool:
        x, y = self.cell
        to = (x + STEPS[move][0], y + STEPS[move][1])
        return inside(self.tiles, to) and self.steps[self.tiles[y][x]][self.tiles[to[1]][to[0]]]

    @property
    def won(self) -> bool:
        return not self.ahead

    @property
    def lost(self) -> bool:
        return False

    def step(self, move: int) -> tuple[float, bool]:
        moved = self.may(move)
        if moved:
            self.cell = (self.cell[0] + STEPS[move][0], self.cell[1] + STEPS[move][1])
        return self.drop() * self.share - self.cost, moved


class Crawl:
    """A level with things, by the plain rules of `oracles.things`."""

    lost = False

    def __init__(self, level: Level, cost: float) -> None:
        self.rules, self.cost = Rules(level), cost
        self.state = self.rules.start()
        counting = frozenset(
            number
            for number in self.rules.on_cell.values()
            if self.rules.known(number).counts and level.goal.collects
        )
        self.goals = len(self.rules.stops) - 1 - self.state.stage + len(counting)
        self.counting = counting

    @property
    def won(self) -> bool:
        return self.rules.won(self.state)

    def reached(self) -> int:
        return self.state.stage + len(self.counting & self.state.done) + self.won

    def may(self, move: int) -> bool:
        return "udlrx"[move] in dict(self.rules.moves(self.state))

    def step(self, move: int) -> tuple[float, bool]:
        before, ways = self.reached(), dict(self.rules.moves(self.state))
        moved = "udlrx"[move] in ways
        if moved:
            self.state = ways["udlrx"[move]]
        return (self.reached() - before) / max(self.goals, 1) - self.cost, moved


@dataclass
class Round:
    """A round of Reach the Flag; `never` marks tiles that do not fall. The visit of the start
    counts.
    """

    left: Rows
    cell: Cell
    flag: Cell
    never: int
    cost: float

    def __post_init__(self) -> None:
        self.visit()

    def visit(self) -> None:
        x, y = self.cell
        if self.left[y][x] != self.never:
            self.left[y][x] -= 1

    def may(self, move: int) -> bool:
        to = (self.cell[0] + STEPS[move][0], self.cell[1] + STEPS[move][1])
        return inside(self.left, to) and self.left[to[1]][to[0]] > 0

    @property
    def won(self) -> bool:
        return self.cell == self.flag and all(
            visits in {0, self.never} for row in self.left for visits in row
        )

    @property
    def lost(self) -> bool:
        return not self.won and not any(self.may(move) for move in range(4))

    def step(self, move: int) -> tuple[float, bool]:
        moved = self.may(move)
        if moved:
            self.cell = (self.cell[0] + STEPS[move][0], self.cell[1] + STEPS[move][1])
            self.visit()
        return (1.0 if self.won else 0.0) - self.cost, moved


@dataclass
class Board:
    """A board of the sliding puzzle: the tile on the other side of the blank moves."""

    tiles: Rows
    goal: Rows
    cost: float

    @property
    def cell(self) -> Cell:
        return next(
            (x, y) for y, row in enumerate(self.tiles) for x, tile in enumerate(row) if tile == 0
        )

    def may(self, move: int) -> bool:
        return inside(self.tiles, (self.cell[0] - STEPS[move][0], self.cell[1] - STEPS[move][1]))

    @property
    def won(self) -> bool:
        return self.tiles == self.goal

    @property
    def lost(self) -> bool:
        return False

    def step(self, move: int) -> tuple[float, bool]:
        moved = self.may(move)
        if moved:
            x, y = self.cell
            from_x, from_y = x - STEPS[move][0], y - STEPS[move][1]
            self.tiles[y][x], self.tiles[from_y][from_x] = self.tiles[from_y][from_x], 0
        return (1.0 if self.won else 0.0) - self.cost, moved
