"""The sliding puzzle in plain Python: boards are tuples, paths are lists of them."""

from collections import deque

from oracles.streams import draw_below, draw_float, open_stream

Board = tuple[int, ...]
STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0))
START, CROSS, MUTATE = 0, 2, 3


def slide(board: Board, width: int, move: int) -> Board | None:
    """The board after a tile slid by move u, d, l or r; the blank goes where that tile was."""
    blank = board.index(0)
    y, x = divmod(blank, width)
    right, down = STEPS[move]
    if not (0 <= x + right < width and 0 <= y + down < len(board) // width):
        return None
    other = (y + down) * width + x + right
    after = list(board)
    after[blank], after[other] = after[other], 0
    return tuple(after)


def distances(goal: Board, width: int) -> dict[Board, int]:
    known = {goal: 0}
    queue = deque([goal])
    while queue:
        board = queue.popleft()
        for move in range(4):
            after = slide(board, width, move)
            if after is not None and after not in known:
                known[after] = known[board] + 1
                queue.append(after)
    return known


def pattern_distances(
    places: list[int], blank: int, cells: int, width: int
) -> dict[tuple[int, ...], int]:
    """Least moves of a few tiles, by where they stand: a walk over (their cells, the blank) where
    moves of others cost nothing.
    """
    start = (tuple(places), blank)
    cost = {start: 0}
    queue = deque([start])
    while queue:
        stands, empty = queue.popleft()
        y, x = divmod(empty, width)
        for right, down in STEPS:
            if not (0 <= x + right < width and 0 <= y + down < cells // width):
                continue
            other = (y + down) * width + x + right
            moved = tuple(empty if cell == other else cell for cell in stands)
            price = cost[stands, empty] + (moved != stands)
            if price < cost.get((moved, other), 1 << 30):
                cost[moved, other] = price
                if moved == stands:
                    queue.appendleft((moved, other))
                else:
                    queue.append((moved, other))
    best: dict[tuple[int, ...], int] = {}
    for (stands, _), price in cost.items():
        best[stands] = min(best.get(stands, price), price)
    return best


def rate(board: Board, goal: Board, width: int, rings: int) -> float:
    height = len(board) // width
    manhattan = 0
    for cell, tile in enumerate(board):
        if tile:
            (y, x), (to_y, to_x) = divmod(cell, width), divmod(goal.index(tile), width)
            manhattan += abs(y - to_y) + abs(x - to_x)
    wrong = 0
    for ring in range(rings):
        row = [ring * width + column for column in range(ring, width)]
        column = [line * width + ring for line in range(ring, height)]
        wrong += any(board[cell] != goal[cell] for cell in row) + any(
            board[cell] != goal[cell] for cell in column
        )
    return 1.0 - 0.01 * manhattan - 0.2 * wrong


class Paths:
    """A population of paths: lists of boards, the start first."""

    def __init__(self, start: Board, goal: Board, width: int, longest: int, rings: int) -> None:
        self.start, self.goal, self.width, self.longest, self.rings = (
            start,
            goal,
            width,
            longest,
            rings,
        )
        self.paths: list[list[Board]] = []

    def grown(
        self, path: list[Board], turn: int, *, best: bool, barred: Board | None = None
    ) -> list[Board]:
        if len(path) > self.longest:
            return path
        fresh = [
            after
            for attempt in range(4)
            if (after := slide(path[-1], self.width, (turn + attempt) % 4)) is not None
        ]
        fresh = [after for after in fresh if after not in path and after != barred]
        if not fresh:
            return path
        if best:
            return [
                *path,
                max(fresh, key=lambda board: rate(board, self.goal, self.width, self.rings)),
            ]
        return [*path, fresh[0]]

    def begin(self, seed: int, generation: int, count: int, steps: int) -> None:
        self.paths = []
        for individual in range(count):
            stream = open_stream(seed, START, generation, individual)
            path = [self.start]
            for step in range(steps):
                path = self.grown(path, draw_below(stream, step, 4), best=False)
            self.paths.append(path)

    def joined(self, path: list[Board], elite: list[Board]) -> list[Board]:
        joint = max(index for index, board in enumerate(elite) if board in path)
        path = path[: path.index(elite[joint]) + 1]
        for board in elite[joint + 1 :]:
            if board in path:
                path = path[: path.index(board) + 1]
            elif len(path) > self.longest:
                break
            else:
                path = [*path, board]
        return path

    def mutated(self, path: list[Board], kind: int, turn: int, cut: int) -> list[Board]:
        if kind == 3:
            return path[: cut + 1]
        if kind == 2:
            if len(path) == 1:
                return path
            other = self.grown(path[:-1], turn, best=False, barred=path[-1])
            return other if len(other) == len(path) else path
        return self.grown(path, turn, best=kind == 0)

    def generation(  # noqa: C901 the kernel's settings and cases in one place
        self,
        seed: int,
        number: int,
        elites: int,
        mutation: float,
        crossing: float,
        crowd: int,
        shaken: int,
        stride: int,
        reach: int,
        *,
        regrow: bool,
    ) -> None:
        """Breed once. Elites are the best, the first of equals.

        Where paths in excess regrow, no two elites have the same last board.
        """
        scores = [rate(path[-1], self.goal, self.width, self.rings) for path in self.paths]
        chosen: list[int] = []
        for individual in sorted(range(len(self.paths)), key=lambda one: -scores[one]):
            if len(chosen) < elites and not (
                crowd
                and regrow
                and any(self.paths[elite][-1] == self.paths[individual][-1] for elite in chosen)
            ):
                chosen.append(individual)
        held: dict[Board, int] = {}
        for individual, path in enumerate(self.paths):
            held[path[-1]] = held.get(path[-1], 0) + 1
            if individual in chosen:
                continue
            change, cross = (
                open_stream(seed, MUTATE, number, individual),
                open_stream(seed, CROSS, number, individual),
            )
            if crowd and held[path[-1]] > crowd and not regrow:
                for time in range(shaken):
                    kind = draw_below(change, 3 * time, 4)
                    path = self.mutated(  # noqa: PLW2901 the path after its mutation
                        path,
                        kind,
                        draw_below(change, 3 * time + 1, 4),
                        draw_below(change, 3 * time + 2, len(path)),
                    )
                self.paths[individual] = path
                continue
            if crowd and held[path[-1]] > crowd:
                shorter = path[: draw_below(change, 4, len(path)) + 1]
                for step in range(shaken):
                    shorter = self.grown(shorter, draw_below(change, 5 + step, 4), best=False)
                self.paths[individual] = shorter
                continue
            changed = path
            if chosen and draw_float(cross, 0) < crossing:
                changed = self.joined(
                    changed, self.paths[chosen[draw_below(cross, 1, len(chosen))]]
                )
            if draw_float(change, 0) < mutation:
                kind = draw_below(change, 1, 4)
                again = draw_below(change, 4, stride) if kind < 2 else 0
                length = len(changed) - 1
                cut = length - draw_below(
                    change, 3, min(length, reach) + 1 if reach else length + 1
                )
                for step in range(again + 1):
                    changed = self.mutated(
                        changed, kind, draw_below(change, 2 if step == 0 else 5 + step, 4), cut
                    )
            self.paths[individual] = changed
