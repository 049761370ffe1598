"""An agent that edits a level, one action after the other, on plain lists."""

from collections.abc import Callable

Tiles = list[list[int]]
MOVES = ((0, -1), (0, 1), (-1, 0), (1, 0))


class Designer:
    """One episode: `jump(step)` gives the random cell of a step, `score(tiles)` what the level is
    worth.
    """

    def __init__(
        self,
        representation: str,
        tiles: Tiles,
        free: list[list[bool]],
        kinds: int,
        jump: Callable[[int], int],
        score: Callable[[Tiles], float],
    ) -> None:
        self.representation, self.tiles, self.free, self.kinds = representation, tiles, free, kinds
        self.jump, self.score = jump, score
        self.height, self.width = len(tiles), len(tiles[0])
        self.open_cells = [
            (x, y) for y in range(self.height) for x in range(self.width) if free[y][x]
        ]
        self.changed = [[0] * self.width for _ in tiles]
        self.steps = 0
        self.worth = score(tiles)
        self.cursor = self.open_cells[jump(0)]

    def act(self, action: int) -> float:
        """Carry out an action, and return the reward."""
        before = self.worth
        self.steps += 1
        if self.representation == "wide":
            cell, kind = divmod(action, self.kinds)
            self.change((cell % self.width, cell // self.width), kind)
        elif self.representation == "narrow":
            if action:
                self.change(self.cursor, action - 1)
            self.cursor = self.open_cells[self.jump(self.steps)]
        elif action < len(MOVES):
            if self.may_move(action):
                self.cursor = (self.cursor[0] + MOVES[action][0], self.cursor[1] + MOVES[action][1])
        else:
            self.change(self.cursor, action - len(MOVES))
        return self.worth - before

    def change(self, cell: tuple[int, int], kind: int) -> None:
        """Change a tile, if it may change."""
        if self.may_change(cell, kind):
            x, y = cell
            self.tiles[y][x] = kind
            self.changed[y][x] = min(self.changed[y][x] + 1, 255)
            self.worth = self.score(self.tiles)

    def may_change(self, cell: tuple[int, int], kind: int) -> bool:
        x, y = cell
        return self.free[y][x] and self.tiles[y][x] != kind

    def may_move(self, move: int) -> bool:
        x, y = self.cursor[0] + MOVES[move][0], self.cursor[1] + MOVES[move][1]
        return 0 <= x < self.width and 0 <= y < self.height

    def legal(self) -> list[int]:
        """Whether each action is legal: 0 or 1."""
        here = [self.may_change(self.cursor, kind) for kind in range(self.kinds)]
        if self.representation == "narrow":
            return [1, *map(int, here)]
        if self.representation == "turtle":
            return [*(int(self.may_move(move)) for move in range(4)), *map(int, here)]
        return [
            int(self.may_change((x, y), kind))
            for y in range(self.height)
            for x in range(self.width)
            for kind in range(self.kinds)
        ]
