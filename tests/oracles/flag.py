"""Reach the Flag in plain Python: dictionaries of cells, recursion, no pruning."""

from oracles.streams import draw, draw_below, draw_float, open_stream

Cell = tuple[int, int]
NEVER = 255
STEPS = {"u": (0, -1), "d": (0, 1), "l": (-1, 0), "r": (1, 0)}
START, SELECT, CROSS, MUTATE = 0, 1, 2, 3


class Game:
    """A round: visits by cell, where the player stands, and the flag. The start's visit is taken
    off.
    """

    def __init__(self, rows: list[list[int]], start: Cell, flag: Cell) -> None:
        self.left = {
            (x, y): visits for y, row in enumerate(rows) for x, visits in enumerate(row) if visits
        }
        self.place, self.flag = start, flag
        self.visit(start)

    def visit(self, cell: Cell) -> None:
        if self.left[cell] != NEVER:
            self.left[cell] -= 1

    def near(self, move: str) -> Cell:
        return self.place[0] + STEPS[move][0], self.place[1] + STEPS[move][1]

    def may(self, move: str) -> bool:
        return self.left.get(self.near(move), 0) > 0

    def moved(self, move: str) -> "Game":
        after = Game.__new__(Game)
        after.left, after.place, after.flag = dict(self.left), self.near(move), self.flag
        after.visit(after.place)
        return after

    def remaining(self) -> int:
        return sum(visits for visits in self.left.values() if visits != NEVER)

    def won(self) -> bool:
        return self.place == self.flag and self.remaining() == 0

    def key(self) -> tuple[object, ...]:
        return self.place, tuple(sorted(self.left.items()))


def states(game: Game) -> tuple[int, int]:
    """How many states play can come to, and how many of them can be won: all of them, then back
    from the wins.
    """
    found = {game.key(): game}
    after: dict[tuple[object, ...], list[tuple[object, ...]]] = {}
    queue = [game]
    for state in queue:
        after[state.key()] = []
        for move in STEPS:
            if not state.won() and state.may(move):
                following = state.moved(move)
                after[state.key()].append(following.key())
                if following.key() not in found:
                    found[following.key()] = following
                    queue.append(following)
    can = {key for key, state in found.items() if state.won()}
    while True:
        more = {key for key, next_keys in after.items() if key not in can and can & set(next_keys)}
        if not more:
            return len(found), len(can)
        can |= more


def solutions(game: Game, before: frozenset[object] = frozenset()) -> int:
    """How many ways there are to win that come to no position twice."""
    if game.won():
        return 1
    if game.key() in before:
        return 0
    return sum(
        solutions(game.moved(move), before | {game.key()}) for move in STEPS if game.may(move)
    )


def walk_plainly(genes: list[int], game: Game) -> tuple[int, int, int, int]:
    voids = 0
    if game.won():
        return 0, 0, 0, 0
    for index, gene in enumerate(genes):
        if not game.may("udlr"[gene]):
            voids += 1
            continue
        game = game.moved("udlr"[gene])
        if game.won():
            return 0, 0, voids, index + 1
    (x, y), (to_x, to_y) = game.place, game.flag
    return game.remaining(), abs(x - to_x) + abs(y - to_y), voids, -1


def walk_to_the_end(genes: list[int], game: Game) -> tuple[int, int, int]:
    """Visits left over, steps to the flag and void genes after all genes."""
    voids = 0
    for gene in genes:
        if game.may("udlr"[gene]):
            game = game.moved("udlr"[gene])
        else:
            voids += 1
    (x, y), (to_x, to_y) = game.place, game.flag
    return game.remaining(), abs(x - to_x) + abs(y - to_y), voids


def start_genes(
    seed: int, generation: int, population: int, length: int, below: int
) -> list[list[int]]:
    return [
        [
            draw_below(open_stream(seed, START, generation, i), index, below)
            for index in range(length)
        ]
        for i in range(population)
    ]


def breed_as_source(
    seed: int,
    generation: int,
    ranked: list[list[int]],
    parents: int,
    elites: int,
    rate: float,
    *,
    swap: bool,
    spare: bool,
) -> list[list[int]]:
    """The next generation of the source's algorithm, from chromosomes sorted by score."""
    length = len(ranked[0])
    bred = []
    for individual in range(len(ranked)):
        change = open_stream(seed, MUTATE, generation, individual)
        if individual < elites:
            child = list(ranked[individual])
            if spare:
                bred.append(child)
                continue
        else:
            one, other = (
                ranked[draw_below(change, 3, parents)],
                ranked[draw_below(change, 4, parents)],
            )
            low, high = sorted((draw_below(change, 5, length), draw_below(change, 6, length)))
            child = one[:low] + other[low : high + 1] + one[high + 1 :]
        at = draw_below(change, 1, length)
        if draw_float(change, 0) <= rate:
            child[at] = draw_below(change, 2, 4)
        elif swap:
            to = draw_below(change, 2, length)
            child[at], child[to] = child[to], child[at]
        bred.append(child)
    return bred


def hopeless(game: Game) -> bool:
    """The three reasons in the order they are told, each on its own."""
    if game.won():
        return False
    seen = {game.place}
    queue = [game.place]
    for x, y in queue:
        for right, down in STEPS.values():
            cell = (x + right, y + down)
            if cell not in seen and game.left.get(cell, 0) > 0:
                seen.add(cell)
                queue.append(cell)
    falling = {cell: visits for cell, visits in game.left.items() if 0 < visits < NEVER}
    if not set(falling) <= seen or game.flag not in seen:
        return True
    for (x, y), visits in falling.items():
        around = [(x + right, y + down) for right, down in STEPS.values()]
        if sum(game.left.get(cell, 0) for cell in around) + (game.place in around) < visits + 1:
            return True
    colour = sum(game.flag) % 2
    if any(
        visits == NEVER and sum(cell) % 2 != colour
        for cell, visits in game.left.items()
        if cell in seen
    ):
        return False
    other = sum(visits for cell, visits in falling.items() if sum(cell) % 2 != colour)
    same = sum(visits for cell, visits in falling.items() if sum(cell) % 2 == colour)
    return other + (sum(game.place) % 2 != colour) - same < 1


def walk_guided(genes: list[int], game: Game) -> tuple[int, str, bool]:
    """Visits used, moves made, and whether they win. The start's visit counts as used."""
    whole = game.remaining() + (game.left[game.place] != NEVER)
    moves = ""
    been = {game.key()}
    for gene in genes:
        if game.won():
            return whole, moves, True
        turn = 1 if gene & 4 else 3
        for attempt in range(4):
            move = "udlr"[(gene + attempt * turn) % 4]
            if not game.may(move):
                continue
            following = game.moved(move)
            if following.key() in been or hopeless(following):
                continue
            game = following
            been.add(game.key())
            moves += move
            break
        else:
            return whole - game.remaining(), moves, False
    return whole - game.remaining(), moves, game.won()


def breed_guided(
    seed: int,
    generation: int,
    ranked: list[tuple[list[int], int]],
    elites: int,
    contest: int,
    crossing: float,
) -> list[list[int]]:
    """The next generation of our own algorithm, from chromosomes sorted by score, each with how
    many moves it made.
    """
    population, length = len(ranked), len(ranked[0][0])
    bred = [list(genes) for genes, _ in ranked[:elites]]
    for individual in range(elites, population):
        choice, cut = (
            open_stream(seed, SELECT, generation, individual),
            open_stream(seed, CROSS, generation, individual),
        )
        one = min(draw_below(choice, 2 * number, population) for number in range(contest))
        other = min(draw_below(choice, 2 * number + 1, population) for number in range(contest))
        child = list(ranked[one][0])
        if draw_float(cut, 0) < crossing:
            at = draw_below(cut, 1, length)
            child = child[:at] + ranked[other][0][at:]
        change = open_stream(seed, MUTATE, generation, individual)
        reach = ranked[one][1] + 1
        at = min(max(draw_below(change, 0, reach), draw_below(change, 1, reach)), length - 1)
        child[at] = draw_below(change, 2, 8)
        if draw(change, 3) % 4:
            child[at + 1 :] = [draw_below(change, index + 4, 8) for index in range(at + 1, length)]
        bred.append(child)
    return bred


BACK = {"u": "d", "d": "u", "l": "r", "r": "l"}


def _play(game: Game, moves: str) -> Game:
    for move in moves:
        game = game.moved(move)
    return game


def _cells(game: Game, moves: str) -> list[Cell]:
    return [_play(game, moves[:count]).place for count in range(len(moves) + 1)]


def extend_walk(game: Game, moves: str, longest: int, stream: tuple[int, int], drawn: int) -> str:
    """A walk that goes on at random until it wins, is stuck or is full."""
    game, idle = _play(game, moves), 0
    while len(moves) < longest and not game.won():
        turn = draw_below(stream, drawn, 4)
        drawn += 1
        order = [("udlr" * 2)[turn + attempt] for attempt in range(4)]
        open_moves = [
            move
            for move in order
            if game.may(move) and (game.left[game.near(move)] != NEVER or idle < 4)
        ]
        if not open_moves:
            break
        idle = idle + 1 if game.left[game.near(open_moves[0])] == NEVER else 0
        game, moves = game.moved(open_moves[0]), moves + open_moves[0]
    return moves


def turn_walk(game: Game, moves: str, first: int) -> str:
    """The walk to a cell beside its end, from there to the end, and back over what was between."""
    cells = _cells(game, moves)
    for attempt in range(len(moves) - 1):
        joint = (first + attempt) % (len(moves) - 1)
        for move in "udlr":
            x, y = cells[joint]
            if (x + STEPS[move][0], y + STEPS[move][1]) == cells[-1]:
                return (
                    moves[:joint]
                    + move
                    + "".join(BACK[passed] for passed in reversed(moves[joint + 1 :]))
                )
    return moves


def detour_walk(game: Game, moves: str, longest: int, first: int, aside: str) -> str:
    """The walk with two more moves around one of its steps, or there and back."""
    left, cells = _play(game, moves).left, _cells(game, moves)
    if len(moves) + 2 > longest:
        return moves
    for attempt in range(len(moves)):
        at = (first + attempt) % len(moves)
        (x, y), move = cells[at], moves[at]
        beside = (x + STEPS[aside][0], y + STEPS[aside][1])
        across = move not in {aside, BACK[aside]}
        other = (beside[0] + STEPS[move][0], beside[1] + STEPS[move][1]) if across else (x, y)
        if left.get(beside, 0) > 0 and left.get(other, 0) > 0:
            return (
                moves[:at]
                + (aside + move + BACK[aside] if across else aside + BACK[aside] + move)
                + moves[at + 1 :]
            )
    return moves


def join_walk(game: Game, moves: str, mate: str, longest: int, first: int) -> str:
    """The walk, and then the mate's from the first time on, at `first` or later, that the mate
    comes through the walk's end.
    """
    cells = _cells(game, mate)
    game = _play(game, moves)
    joints = [index for index in range(first, len(mate)) if cells[index] == game.place]
    for move in mate[joints[0] :] if joints else "":
        if game.won() or len(moves) == longest or not game.may(move):
            break
        game, moves = game.moved(move), moves + move
    return moves


def score_walk(game: Game, moves: str, visits: int, cells: int) -> float:
    """Visits used up, and less than one off for the way from the end to the flag."""
    end = _play(game, moves)
    away = abs(end.place[0] - game.flag[0]) + abs(end.place[1] - game.flag[1])
    return visits - end.remaining() - away / (cells + 1)


def breed_walks(
    game: Game,
    seed: int,
    generation: int,
    ranked: list[str],
    longest: int,
    elites: int,
    contest: int,
    crossing: float,
    changes: int,
) -> list[str]:
    """The next generation of walks, from walks sorted by score."""
    bred, size = ranked[:elites], len(ranked)
    for who in range(elites, size):
        choice, cross, change = (
            open_stream(seed, kind, generation, who) for kind in (SELECT, CROSS, MUTATE)
        )
        place = min(draw_below(choice, 2 * number, size) for number in range(contest))
        mate = ranked[min(draw_below(choice, 2 * number + 1, size) for number in range(contest))]
        moves = ranked[place]
        if draw_float(cross, 0) < crossing:
            cut, first = draw_below(cross, 1, len(moves) + 1), draw_below(cross, 2, len(mate) + 1)
            moves = join_walk(game, moves[:cut], mate, longest, first)
        drawn = 1
        for _ in range(1 + draw_below(change, 0, changes)):
            kind = draw_below(change, drawn, 10)
            if len(moves) > 1 and kind < 6:
                moves = turn_walk(game, moves, draw_below(change, drawn + 1, len(moves) - 1))
            elif len(moves) > 1 and kind < 8:
                moves = detour_walk(
                    game,
                    moves,
                    longest,
                    draw_below(change, drawn + 1, len(moves)),
                    "udlr"[draw_below(change, drawn + 2, 4)],
                )
            else:
                moves = moves[
                    : max(draw_below(change, drawn + index, len(moves) + 1) for index in (1, 2))
                ]
            drawn += 3
        bred.append(extend_walk(game, moves, longest, change, drawn))
    return bred


def start_walks(game: Game, seed: int, generation: int, population: int, longest: int) -> list[str]:
    return [
        extend_walk(game, "", longest, open_stream(seed, START, generation, who), 0)
        for who in range(population)
    ]


def wins(game: Game, moves: str) -> bool:
    return _play(game, moves).won()
