"""New rounds of Reach the Flag to order: solvable by construction, certified by exact search.

A round is the trace of a walk: a tile bears as many visits as the walk pays it, and the flag stands where the walk ends. So every round that is
made has a solution. Evolution changes the walk (cut it somewhere, walk on differently) towards what was asked for: one solution only, or
a number of wrong turns. A symmetric round is half a walk followed by its image backwards: tiles and visits come out symmetric,
the flag opposite the start.
"""

import statistics
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from levolve.errors import InputError, LevolveError
from levolve.evolution.seeds import choose_seed
from levolve.kernels.flag.field import NEVER
from levolve.levels.grid import MOVES
from levolve.puzzles.draws import Draws
from levolve.puzzles.flag import exact, genetic
from levolve.puzzles.flag.rules import MOST_VISITS, STEPS, Place, Round
from levolve.puzzles.puzzle import Attempt, check_making, check_range
from levolve.puzzles.telling import Trying
from levolve.registry import did_you_mean
from levolve.version import VERSION

MOST_SOLUTIONS = 200
PATIENCE = 40
Walk = list[Place]
Watch = Callable[[Attempt], None] | None


class Symmetry(NamedTuple):
    """A way to be symmetric, for a size of width and height: a cell's image, the part that is walked first, and whether a cell is its own image."""

    image: Callable[[Place, int, int], Place]
    half: Callable[[int, int], Place]
    meets: Callable[[int, int], bool]


SYMMETRIES = {
    "left-right": Symmetry(
        lambda cell, width, _: (width - 1 - cell[0], cell[1]), lambda width, height: ((width + 1) // 2, height), lambda width, _: width % 2 == 1
    ),
    "up-down": Symmetry(
        lambda cell, _, height: (cell[0], height - 1 - cell[1]), lambda width, height: (width, (height + 1) // 2), lambda _, height: height % 2 == 1
    ),
    "half-turn": Symmetry(
        lambda cell, width, height: (width - 1 - cell[0], height - 1 - cell[1]),
        lambda width, height: (width, (height + 1) // 2) if height % 2 == 0 else ((width + 1) // 2, height),
        lambda width, height: width % 2 == height % 2 == 1,
    ),
}


@dataclass(frozen=True)
class Wish:
    """What a round should be like: size, length of its solution, visits that tiles may bear, and more on wish.

    `tiles` may hold 1 to 9 and `NEVER`; with `NEVER`, a tile that the walk visits more often than any other may bear never falls.
    """

    size: tuple[int, int] = (7, 7)
    length: tuple[int, int] = (15, 25)
    tiles: tuple[int, ...] = (1, 2)
    unique: bool = False
    symmetry: str | None = None
    wrong_turns: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        """Check every wish."""
        width, height = self.size
        check_range("size, width", width, 1, 20)
        check_range("size, height", height, 1, 20)
        low, high = self.length
        check_range("length, least", low, 2, 400)
        check_range("length, most", high, low, 400)
        if not self.tiles or not set(self.tiles) <= {*range(1, MOST_VISITS + 1), NEVER} or not set(self.tiles) - {NEVER}:
            message = f"tiles: expected some of 1 to {MOST_VISITS}, and 'never' beside them, got {self.tiles!r}"
            raise InputError(message)
        if self.symmetry is not None and self.symmetry not in SYMMETRIES:
            message = f"unknown symmetry {self.symmetry!r}: {did_you_mean(str(self.symmetry), list(SYMMETRIES))}"
            raise InputError(message)
        if self.symmetry == "half-turn" and not (width % 2 or height % 2):
            message = f"size: expected an odd width or height for a round that is the same after a half-turn, got {width}x{height}"
            raise InputError(message)
        if self.wrong_turns is not None:
            check_range("wrong_turns, least", self.wrong_turns[0], 0, 1200)
            check_range("wrong_turns, most", self.wrong_turns[1], self.wrong_turns[0], 1200)
        room = width * height * max(tile for tile in self.tiles if tile != NEVER)
        if low + 1 > room and NEVER not in self.tiles:
            message = f"length: expected at most {room - 1} moves, the visits that {width}x{height} tiles can bear, got {low}; choose a larger size"
            raise InputError(message)


def make(count: int = 1, wish: Wish | None = None, *, seed: int | None = None, tries: int = 4000, watch: Watch = None) -> Iterator[Round]:
    """Rounds to order, one after the other, none the same as another but for rotation and reflection; each holds its solution and its facts.

    `watch` hears from time to time how far the making is. Raises `LevolveError` where `tries` walks did not bring out a round that is as wished.
    """
    wish = wish or Wish()
    check_making(count, tries)
    seed = choose_seed(seed)
    known: set[str] = set()
    for number in range(count):
        made = _evolve(wish, Draws(seed, number), Trying(number, tries, watch), known)
        known.add(made.likeness())
        facts = {**difficulty(made), "made_by": f"levolve {VERSION}", "seed": seed, "number": number}
        yield made.with_facts(facts)


def _evolve(wish: Wish, draws: Draws, trying: Trying, known: set[str]) -> Round:
    """Walk, change, keep what is not worse; start anew after a while without gain."""
    best: tuple[float, Walk] | None = None
    since = 0
    for _ in trying:
        walk = _walk(wish, draws, best[1] if best is not None and since < PATIENCE else [])
        if best is not None and since >= PATIENCE:
            best, since = None, 0
        trying.saw(tuple(walk))
        made = _express(wish, walk)
        if made is None:
            since += best is not None
            continue
        score = _miss(wish, made)
        if score == 0 and made.likeness() not in known:
            made.check()
            return made
        if best is None or score < best[0]:
            best, since = (score, walk), 0
        else:
            since += 1
            if score == best[0]:
                best = score, walk
        trying.tell(best[0], partial(_express, wish, best[1]))
    message = f"no round as wished came out of {trying.tries:,} walks; allow more tries, a wider range of length or wrong turns, or a larger size"
    raise LevolveError(message)


def _walk(wish: Wish, draws: Draws, before: Walk) -> Walk:
    """A walk of the wished length, or half of it where it will be mirrored: the beginning of an earlier one, then at random, on cells that bear one
    more visit.
    """  # noqa: D205 one sentence
    bear = max(tile for tile in wish.tiles if tile != NEVER) if NEVER not in wish.tiles else MOST_VISITS
    wanted = wish.length[0] + draws.below(wish.length[1] - wish.length[0] + 1)
    width, height = wish.size
    if wish.symmetry is not None:
        symmetry = SYMMETRIES[wish.symmetry]
        wanted = (wanted - symmetry.meets(width, height) + 1) // 2
        width, height = symmetry.half(width, height)
    walk = before[: draws.below(len(before)) + 1] if before else [(draws.below(width), draws.below(height))]
    used = Counter(walk)
    while len(walk) <= wanted:
        x, y = walk[-1]
        open_cells = [
            (x + right, y + down)
            for right, down in STEPS.values()
            if 0 <= x + right < width and 0 <= y + down < height and used[(x + right, y + down)] < bear
        ]
        # Fresh cells are liked better: walks that tread on the spot make dull rounds.
        fresh = [cell for cell in open_cells if not used[cell]]
        if not open_cells:
            break
        cell = draws.choice(fresh if fresh and draws.below(4) else open_cells)
        used[cell] += 1
        walk.append(cell)
    return walk


def _express(wish: Wish, walk: Walk) -> Round | None:
    """The round that a walk is a solution of; None where it would not be as wished."""
    width, height = wish.size
    if wish.symmetry is not None:
        (x, y), *image = [SYMMETRIES[wish.symmetry].image(cell, width, height) for cell in reversed(walk)]
        apart = abs(walk[-1][0] - x) + abs(walk[-1][1] - y)
        if apart > 1:
            return None
        walk = [*walk, *([(x, y)] if apart else []), *image]
    if not wish.length[0] <= len(walk) - 1 <= wish.length[1]:
        return None
    start, flag = walk[0], walk[-1]
    if flag in walk[:-1]:
        return None
    used = Counter(walk)
    tiles = np.zeros((height, width), np.uint8)
    for (x, y), visits in used.items():
        if visits not in wish.tiles and (NEVER not in wish.tiles or (x, y) == start) and (x, y) != flag:
            return None
        tiles[y, x] = visits if visits in wish.tiles else NEVER
    moves = "".join(next(move for move, step in STEPS.items() if (a[0] + step[0], a[1] + step[1]) == b) for a, b in pairwise(walk))
    return _cropped(Round(tiles, start, flag, moves))


def _cropped(made: Round) -> Round:
    """The round without empty rows and columns around it."""
    rows, columns = np.nonzero(made.tiles)
    top, left = int(rows.min()), int(columns.min())
    tiles = made.tiles[top : int(rows.max()) + 1, left : int(columns.max()) + 1]
    return Round(tiles, (made.start[0] - left, made.start[1] - top), (made.flag[0] - left, made.flag[1] - top), made.solution)


def _miss(wish: Wish, made: Round) -> float:
    """How far a round is from what was wished; 0 if it is as wished."""
    miss = 0.0
    if wish.unique:
        try:
            miss += exact.count_solutions(made, MOST_SOLUTIONS, budget=400_000) - 1
        except LevolveError:
            miss += MOST_SOLUTIONS
    if wish.wrong_turns is not None and miss == 0:
        turns = wrong_turns(made)
        miss += max(wish.wrong_turns[0] - turns, 0, turns - wish.wrong_turns[1]) / 1000
    return miss


def wrong_turns(made: Round) -> int:
    """How many moves along the solution could have been made instead and would have lost the game."""
    play = made.after("")
    lost = 0
    for move in made.solution or "":
        for other in MOVES:
            if other != move and play.may(other):
                turned = made.after(play.moves)
                turned.step(other)
                lost += not exact.can_be_won(turned)
        play.step(move)
    return lost


def difficulty(made: Round, *, seeds: int = 5, most_states: int = 100_000) -> dict[str, object]:
    """What makes a round hard: length, number of solutions, wrong turns, how many states can still win, generations that evolution needs."""
    locks = exact.soft_locks(made, most_states)
    runs = [genetic.solve(made, seed=seed, generations=2000) for seed in range(seeds)]
    return {
        "length": len(made.solution or ""),
        "solutions": exact.count_solutions(made, MOST_SOLUTIONS),
        "solutions_counted_to": MOST_SOLUTIONS,
        "wrong_turns": wrong_turns(made),
        "states": locks.states,
        "states_sampled": locks.sampled,
        "winnable_share": round(locks.winnable / locks.states, 6),
        "generations": statistics.median(run.generations for run in runs),
    }
