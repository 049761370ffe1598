"""The sliding puzzle solved by evolution, after the *Enhanced 8-Puzzle GA*.

A chromosome is a path: boards from the start on, each one move from the last, none twice. It grows by the best move or by a random one, has its last
board replaced, or is cut. The best paths (elites) are joined to the others at a board both hold. Fitness is that of a path's last board:
1 - 0.01 * Manhattan - 0.2 * TopLeft, where TopLeft counts a wrong top row and a wrong left column. The enhanced version shakes up those paths that
crowd on one board.

Mended: elites are not mutated, a joined path is freed of cycles. Added: a path grows by up to `stride` moves at a time and is cut by at most `reach`
(the source's are 1 and 0, any length), elites end on different boards, and a population that stands still starts anew after `patience`
generations.

After solving, the boards of all paths of the population are one graph: the shortest way through it from the start to the goal is the solution. It is
shortened again over its own boards and those around them, until that gains nothing.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from levolve.evolution.seeds import choose_seed
from levolve.kernels.sliding.evolution import Rules, evolve_paths
from levolve.kernels.sliding.paths import Paths, start_paths
from levolve.kernels.sliding.shortening import shorten
from levolve.levels.grid import MOVES
from levolve.puzzles.puzzle import Progress, Solution, check_range
from levolve.puzzles.search import Search, changed_settings, check_switch
from levolve.puzzles.sliding import exact
from levolve.puzzles.sliding.frames import frame_of
from levolve.puzzles.sliding.rules import NINE, Board

SMALL_STRIDE, LARGE_STRIDE, LARGE_REACH = 4, 16, 16
SIXTEEN = 16
SMALL_ROOM, LARGE_ROOM = 8_000, 200_000


@dataclass(frozen=True)
class Settings:
    """The source's values; `None` is chosen by the size of the board."""

    population: int = 500
    generations: int | None = None
    elites: int = 20
    mutation: float = 1.0
    crossing: float = 0.1
    start_length: int = 30
    diversity: bool = True
    crowd: float = 0.1
    shaken: int = 10
    stride: int | None = None
    reach: int | None = None
    patience: int = 50
    longest: int | None = None
    shorten: bool = True

    def __post_init__(self) -> None:
        """Check every setting."""
        check_range("population", self.population, 2, 100_000)
        check_range("elites", self.elites, 0, self.population - 1)
        for name in ("mutation", "crossing", "crowd"):
            check_range(name, getattr(self, name), 0, 1, whole=False)
        check_range("start_length", self.start_length, 0, 10_000)
        check_range("shaken", self.shaken, 0, 10_000)
        check_range("patience", self.patience, 1, 1 << 40)
        for name, low, high in (("generations", 1, 1 << 40), ("stride", 1, 1000), ("reach", 0, 10_000), ("longest", 8, 10_000)):
            if getattr(self, name) is not None:
                check_range(name, getattr(self, name), low, high)
        check_switch("diversity", self.diversity)
        check_switch("shorten", self.shorten)


class SlidingSearch(Search):
    """A population of paths; one that reaches the goal ends it."""

    def __init__(self, board: Board, settings: Settings, seed: int) -> None:
        """Grow the first paths."""
        small = board.cells <= NINE
        super().__init__(settings.population, settings.generations or (200 if small else 2000 if board.cells <= SIXTEEN else 10_000))
        self.board = board
        self.seed = np.uint64(seed)
        self.frame = frame_of(board)
        self.rules = Rules(
            settings.elites,
            float(settings.mutation),
            float(settings.crossing),
            max(1, int(settings.crowd * settings.population)) if settings.diversity else 0,
            settings.shaken,
            settings.stride or (SMALL_STRIDE if small else LARGE_STRIDE),
            settings.reach if settings.reach is not None else (0 if small else LARGE_REACH),
            settings.patience,
            settings.start_length,
        )
        size, longest = settings.population, settings.longest or (128 if small else 64 * board.cells)
        self.paths = Paths(
            np.zeros((size, longest), np.int8),
            np.zeros((size, longest + 1), np.uint64),
            np.zeros((size, board.cells), np.uint8),
            np.zeros(size, np.int64),
            np.zeros(size, np.int64),
        )
        self.scores: NDArray[np.float64] = np.zeros(size)
        self._books = np.array([-np.inf, 0.0])
        start_paths(self.seed, 0, board.normal, self.frame, settings.start_length, self.paths)

    def advance(self, count: int) -> None:
        """Breed up to `count` generations, fewer where one of them solves the board."""
        done, self.winner = evolve_paths(
            self.seed, self.generation, count, self.board.normal, self.frame, self.paths, self.scores, self._books, self.rules
        )
        self.generation += done

    def moves_of(self, individual: int) -> str:
        """The moves of a path."""
        return "".join(MOVES[move] for move in self.paths.moves[individual, : self.paths.lengths[individual]])

    def shortest(self) -> str:
        """The shortest way to the goal over boards of the population's paths; then, as long as that helps, over those and the boards around."""
        way = np.zeros(self.paths.moves.shape[1], np.int8)
        length = shorten(self.board.normal, self.frame, self.paths.moves, self.paths.lengths, 0, way)
        room = SMALL_ROOM if self.board.cells <= NINE else LARGE_ROOM
        while True:
            path = way[np.newaxis, :length].copy()
            shorter = shorten(self.board.normal, self.frame, path, np.array([length]), room, way)
            if shorter >= length:
                return "".join(MOVES[move] for move in path[0])
            length = shorter

    @property
    def diversity(self) -> float:
        """The share of paths that end on different boards."""
        ends = self.paths.prints[np.arange(len(self.scores)), self.paths.lengths]
        return len(np.unique(ends)) / len(ends)

    def progress(self) -> Progress:
        """How far it is."""
        best = int(np.argmax(self.scores)) if self.winner < 0 else self.winner
        return Progress(self.generation, self.generations, float(self.scores[best]), self.diversity, self.moves_of(best))


def solve(board: Board, *, seed: int | None = None, watch: Callable[[Progress], None] | None = None, **settings: object) -> Solution:
    """Solve a board by evolution. `watch` hears from time to time how far it is. A board of the wrong parity is refused at once."""
    chosen = changed_settings(Settings, settings, "the sliding puzzle's genetic method")
    board.check_solvable()
    seed = choose_seed(seed)
    began = time.perf_counter()
    search = SlidingSearch(board, chosen, seed)
    search.finish(watch)
    moves, grown = None, None
    if search.winner >= 0:
        moves = search.moves_of(search.winner)
        grown = len(moves)
        if chosen.shorten:
            moves = search.shortest()
        board.check(moves)
    seconds = time.perf_counter() - began
    optimal = exact.optimal_length(board)
    return Solution("sliding", "genetic", moves, search.generation, search.evaluations, seed, seconds, optimal, facts={"grown": grown})
