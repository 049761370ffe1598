"""New rounds of Reach the Flag to order: solvable by construction, certified by exact search.

A round is the trace of a walk: a tile bears as many visits as the walk makes, and the flag is where
the walk ends. So every round that is made has a solution. Evolution changes the walk (cut it
somewhere, walk on differently) towards the request: one solution only, or a number of wrong turns.
A symmetric round is half a walk followed by its image backwards: tiles and visits come out
symmetric, the flag opposite the start.
"""

import statistics
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from levolve.core.errors import InputError, LevolveError
from levolve.core.events import Watch
from levolve.core.registry import did_you_mean
from levolve.kernels.bits.random_streams import Draws
from levolve.kernels.puzzles.flag_field import NEVER
from levolve.levels.grid import MOVES
from levolve.puzzles.flag import exact
from levolve.puzzles.flag.genetic import GuidedSearch
from levolve.puzzles.flag.rules import MOST_VISITS, STEPS, Place, Round
from levolve.puzzles.flag.settings import GuidedSettings
from levolve.puzzles.progress import Attempts
from levolve.puzzles.settings import (
    check_making,
    check_pair,
    check_range,
    check_switch,
    read_range,
    read_size,
    setting,
)
from levolve.search.problem import choose_seed
from levolve.version import WRITTEN_BY

MOST_SOLUTIONS = 200
PATIENCE = 40
Walk = list[Place]


class Symmetry(NamedTuple):
    """A way to be symmetric, for a size of width and height: a cell's image, the part that is
    walked first, and whether a cell is its own image.
    """

    image: Callable[[Place, int, int], Place]
    half: Callable[[int, int], Place]
    meets: Callable[[int, int], bool]


SYMMETRIES = {
    "left-right": Symmetry(
        lambda cell, width, _: (width - 1 - cell[0], cell[1]),
        lambda width, height: ((width + 1) // 2, height),
        lambda width, _: width % 2 == 1,
    ),
    "up-down": Symmetry(
        lambda cell, _, height: (cell[0], height - 1 - cell[1]),
        lambda width, height: (width, (height + 1) // 2),
        lambda _, height: height % 2 == 1,
    ),
    "half-turn": Symmetry(
        lambda cell, width, height: (width - 1 - cell[0], height - 1 - cell[1]),
        lambda width, height: (
            (width, (height + 1) // 2) if height % 2 == 0 else ((width + 1) // 2, height)
        ),
        lambda width, height: width % 2 == height % 2 == 1,
    ),
}


def read_tiles(name: str, text: str) -> tuple[int, ...]:
    """`1,2,never` as visits."""
    tiles = []
    for part in text.split(","):
        visits = part.strip()
        if visits != "never" and not visits.isdecimal():
            raise InputError(
                f"{name}: expected numbers from 1 to {MOST_VISITS} and 'never', with commas "
                f"between, got {part!r}"
            )
        tiles.append(NEVER if visits == "never" else int(visits))
    return tuple(tiles)


@dataclass(frozen=True)
class FlagRequest:
    """The properties that a new round must have.

    `tiles` may hold 1 to 9 and `NEVER`; with `NEVER`, a tile that the walk visits more often than
    any other may bear never falls.
    """

    size: tuple[int, int] = setting((7, 7), "The largest width and height, such as 7x7.", read_size)
    length: tuple[int, int] = setting(
        (15, 25),
        "The least and the largest number of moves of the solution, such as 15..25.",
        read_range,
    )
    tiles: tuple[int, ...] = setting(
        (1, 2), "The visits that tiles may bear, such as 1,2,3,never.", read_tiles
    )
    unique: bool = setting(default=False, meaning="Whether there must be one solution only.")
    symmetry: str | None = setting(
        None, "The symmetry of the tiles: left-right, up-down or half-turn."
    )
    wrong_turns: tuple[int, int] | None = setting(
        None,
        "The least and the largest number of moves along the solution that lose, such as 6..12.",
        read_range,
    )

    def __post_init__(self) -> None:
        """Check every field."""
        check_pair_of_sides(self.size)
        width, height = self.size
        low, _ = check_pair("length", self.length, 2, 400)
        check_switch("unique", self.unique)
        if (
            not isinstance(self.tiles, tuple)
            or not self.tiles
            or not set(self.tiles) <= {*range(1, MOST_VISITS + 1), NEVER}
            or not set(self.tiles) - {NEVER}
        ):
            raise InputError(
                f"tiles: expected numbers from 1 to {MOST_VISITS} and optionally 'never', got "
                f"{self.tiles!r}"
            )
        if self.symmetry is not None and self.symmetry not in SYMMETRIES:
            raise InputError(
                f"unknown symmetry {self.symmetry!r}: "
                f"{did_you_mean(str(self.symmetry), list(SYMMETRIES))}"
            )
        if self.symmetry == "half-turn" and not (width % 2 or height % 2):
            raise InputError(
                "size: expected an odd width or height for a round that is the same after a "
                f"half-turn, got {width}x{height}"
            )
        if self.wrong_turns is not None:
            check_pair("wrong_turns", self.wrong_turns, 0, 1200)
        room = width * height * max(tile for tile in self.tiles if tile != NEVER)
        if low + 1 > room and NEVER not in self.tiles:
            raise InputError(
                f"length: expected at most {room - 1} moves, the visits that {width}x{height} "
                f"tiles can bear, got {low}; choose a larger size"
            )


def check_pair_of_sides(size: object) -> None:
    """Refuse a size that is not a width and a height from 1 to 20."""
    if not isinstance(size, tuple) or len(size) != 2:  # width and height
        raise InputError(f"size: expected a width and a height, got {size!r}")
    check_range("size, width", size[0], 1, 20)
    check_range("size, height", size[1], 1, 20)


def make(
    count: int = 1,
    request: FlagRequest | None = None,
    *,
    seed: int | None = None,
    tries: int = 4000,
    watch: Watch | None = None,
    rated: bool = True,
) -> Iterator[Round]:
    """New rounds, no two the same but for rotation and reflection; each with its solution and its
    facts.

    `watch` receives `MakerProgress` events. Without `rated`, the facts do not include the
    difficulty, which takes most of the time. Raises `LevolveError` where `tries` walks did not give
    a round that meets the request.
    """
    request = request or FlagRequest()
    check_making(count, tries)
    return _rounds(count, request, choose_seed(seed), tries, watch, rated=rated)


def _rounds(
    count: int, request: FlagRequest, seed: int, tries: int, watch: Watch | None, *, rated: bool
) -> Iterator[Round]:
    known: set[str] = set()
    for number in range(count):
        made = _evolve(request, Draws(seed, number), Attempts(number, tries, watch), known)
        known.add(made.likeness())
        facts = {
            **(difficulty(made) if rated else {}),
            "made_by": WRITTEN_BY,
            "seed": seed,
            "number": number,
        }
        yield made.with_facts(facts)


def _evolve(request: FlagRequest, draws: Draws, attempts: Attempts, known: set[str]) -> Round:
    """Walk, change, keep what is not worse; start anew after a while without progress."""
    best: tuple[float, Walk] | None = None
    since = 0
    for _ in attempts:
        walk = _walk(request, draws, best[1] if best is not None and since < PATIENCE else [])
        if best is not None and since >= PATIENCE:
            best, since = None, 0
        attempts.count(tuple(walk))
        made = _express(request, walk)
        if made is None:
            since += best is not None
            continue
        score = _miss(request, made)
        if score == 0 and made.likeness() not in known:
            made.check()
            return made
        if best is None or score < best[0]:
            best, since = (score, walk), 0
        else:
            since += 1
            if score == best[0]:
                best = score, walk
        attempts.report(best[0], partial(_certain, request, best[1]))
    raise LevolveError(
        f"no round that meets the request came out of {attempts.tries:,} walks; allow more "
        "tries, a wider range of length or wrong turns, "
        "or a larger size"
    )


def _walk(request: FlagRequest, draws: Draws, before: Walk) -> Walk:
    """A walk of a requested length, or half of it where it will be mirrored.

    It is the beginning of an earlier walk, then goes on at random, on cells that bear one more
    visit.
    """
    bear = (
        max(tile for tile in request.tiles if tile != NEVER)
        if NEVER not in request.tiles
        else MOST_VISITS
    )
    wanted = request.length[0] + draws.below(request.length[1] - request.length[0] + 1)
    width, height = request.size
    if request.symmetry is not None:
        symmetry = SYMMETRIES[request.symmetry]
        wanted = (wanted - symmetry.meets(width, height) + 1) // 2
        width, height = symmetry.half(width, height)
    walk = (
        before[: draws.below(len(before)) + 1]
        if before
        else [(draws.below(width), draws.below(height))]
    )
    used = Counter(walk)
    while len(walk) <= wanted:
        x, y = walk[-1]
        open_cells = [
            (x + right, y + down)
            for right, down in STEPS.values()
            if 0 <= x + right < width
            and 0 <= y + down < height
            and used[(x + right, y + down)] < bear
        ]
        # Fresh cells are preferred: walks that stay in one place make dull rounds.
        fresh = [cell for cell in open_cells if not used[cell]]
        if not open_cells:
            break
        cell = draws.choice(fresh if fresh and draws.below(4) else open_cells)
        used[cell] += 1
        walk.append(cell)
    return walk


def _express(request: FlagRequest, walk: Walk) -> Round | None:
    """The round that a walk is a solution of; None where it would not meet the request."""
    width, height = request.size
    if request.symmetry is not None:
        (x, y), *image = [
            SYMMETRIES[request.symmetry].image(cell, width, height) for cell in reversed(walk)
        ]
        apart = abs(walk[-1][0] - x) + abs(walk[-1][1] - y)
        if apart > 1:
            return None
        walk = [*walk, *([(x, y)] if apart else []), *image]
    if not request.length[0] <= len(walk) - 1 <= request.length[1]:
        return None
    start, flag = walk[0], walk[-1]
    if flag in walk[:-1]:
        return None
    used = Counter(walk)
    tiles = np.zeros((height, width), np.uint8)
    for (x, y), visits in used.items():
        if (
            visits not in request.tiles
            and (NEVER not in request.tiles or (x, y) == start)
            and (x, y) != flag
        ):
            return None
        tiles[y, x] = visits if visits in request.tiles else NEVER
    moves = "".join(
        next(move for move, step in STEPS.items() if (a[0] + step[0], a[1] + step[1]) == b)
        for a, b in pairwise(walk)
    )
    return _cropped(Round(tiles, start, flag, moves))


def _certain(request: FlagRequest, walk: Walk) -> Round:
    """The round of a walk that is known to give one."""
    made = _express(request, walk)
    if made is None:
        raise LevolveError("the best walk gives no round")
    return made


def _cropped(made: Round) -> Round:
    """The round without empty rows and columns around it."""
    rows, columns = np.nonzero(made.tiles)
    top, left = int(rows.min()), int(columns.min())
    tiles = made.tiles[top : int(rows.max()) + 1, left : int(columns.max()) + 1]
    return Round(
        tiles,
        (made.start[0] - left, made.start[1] - top),
        (made.flag[0] - left, made.flag[1] - top),
        made.solution,
    )


def _miss(request: FlagRequest, made: Round) -> float:
    """How far a round is from the request; 0 if it meets it."""
    miss = 0.0
    if request.unique:
        try:
            miss += exact.count_solutions(made, MOST_SOLUTIONS, budget=400_000) - 1
        except LevolveError:
            miss += MOST_SOLUTIONS
    if request.wrong_turns is not None and miss == 0:
        turns = wrong_turns(made)
        miss += max(request.wrong_turns[0] - turns, 0, turns - request.wrong_turns[1]) / 1000
    return miss


def wrong_turns(made: Round) -> int:
    """How many moves along the solution could have been made instead and would have lost the
    game.
    """
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
    """What makes a round hard: length, number of solutions, wrong turns, how many states can still
    win, generations that evolution needs.
    """
    locks = exact.soft_locks(made, most_states)
    searches = [GuidedSearch(made, GuidedSettings(generations=2000), seed) for seed in range(seeds)]
    for search in searches:
        search.finish()
    return {
        "length": len(made.solution or ""),
        "solutions": exact.count_solutions(made, MOST_SOLUTIONS),
        "solutions_counted_to": MOST_SOLUTIONS,
        "wrong_turns": wrong_turns(made),
        "states": locks.states,
        "states_sampled": locks.sampled,
        "winnable_share": round(locks.winnable / locks.states, 6),
        "generations": statistics.median(search.generation for search in searches),
    }
