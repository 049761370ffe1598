"""The sliding puzzle solved by evolution, after the *Enhanced 8-Puzzle GA*.

A chromosome is a path: boards from the start on, each one move from the last, none twice. It grows
by the best move or by a random one, has its last board replaced, or is cut. The best paths (elites)
are joined to the others at a board both hold. Fitness is that of a path's last board: 1 - 0.01 *
Manhattan - 0.2 * TopLeft, where TopLeft counts a wrong top row and a wrong left column. The
author's enhanced version applies the mutation operator 100 times to paths in excess of a tenth of
the population on one board (scheme `source` with `diversity`). Scheme `enhanced` cuts such a path
to a random length and grows it by ten random moves instead.

Mended: elites are not mutated, a joined path is freed of cycles. Added: a path grows by up to
`stride` moves at a time and is cut by at most `reach` (the source's are 1 and 0, any length),
elites end on different boards, and a population without progress starts anew after `patience`
generations.

After solving, the boards of all paths of the population are one graph: the shortest way through it
from the start to the goal is the solution. It is shortened again over its own boards and those
around them, until that gains nothing.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.core.events import Watch
from levolve.kernels.puzzles.sliding_evolution import PathRules, Paths, evolve_paths
from levolve.kernels.puzzles.sliding_shortening import shorten
from levolve.levels.grid import MOVES
from levolve.puzzles.position import Solution
from levolve.puzzles.settings import changed_settings
from levolve.puzzles.sliding import exact
from levolve.puzzles.sliding.exact import frame_of
from levolve.puzzles.sliding.rules import NINE, Board
from levolve.puzzles.sliding.settings import EnhancedSettings
from levolve.puzzles.solvers import PuzzleSearch

SMALL_STRIDE, LARGE_STRIDE, LARGE_REACH = 4, 16, 16
SIXTEEN = 16
SMALL_ROOM, LARGE_ROOM = 8_000, 200_000


class SlidingSearch(PuzzleSearch[Board]):
    """A population of paths; one that reaches the goal ends it."""

    def __init__(self, board: Board, settings: EnhancedSettings, seed: int | None) -> None:
        """Grow the first paths."""
        small = board.cells <= NINE
        generations = settings.generations or (
            200 if small else 2000 if board.cells <= SIXTEEN else 10_000
        )
        super().__init__("sliding", board, settings.population, generations, seed)
        self.settings = settings
        self.frame = frame_of(board)
        self.rules = PathRules(
            settings.kept,
            float(settings.mutation),
            float(settings.crossing),
            max(1, int(settings.crowd * settings.population)) if settings.diversity else 0,
            settings.shaken,
            settings.stride or (SMALL_STRIDE if small else LARGE_STRIDE),
            settings.reach if settings.reach is not None else (0 if small else LARGE_REACH),
            settings.patience,
            settings.start_length,
            settings.excess == "regrow",
            settings.diversity and settings.excess == "regrow",
        )
        size, longest = (
            settings.population,
            settings.longest or (128 if small else 64 * board.cells),
        )
        self.paths = Paths(
            np.zeros((size, longest), np.int8),
            np.zeros((size, longest + 1), np.uint64),
            np.zeros((size, board.cells), np.uint8),
            np.zeros(size, np.int64),
            np.zeros(size, np.int64),
        )
        self.scores = np.zeros(size)
        self._record = np.array([-np.inf, 0.0])
        self._breed(0)

    def advance(self, count: int) -> None:
        """Breed up to `count` generations, fewer where one of them solves the board."""
        done, self.winner = self._breed(count)
        self.generation += done

    def _breed(self, count: int) -> tuple[int, int]:
        return evolve_paths(
            self.seed,
            self.generation,
            count,
            self.position.normal,
            self.frame,
            self.paths,
            self.scores,
            self._record,
            self.rules,
        )

    def moves_of(self, individual: int) -> str:
        """The moves of a path."""
        return "".join(
            MOVES[move] for move in self.paths.moves[individual, : self.paths.lengths[individual]]
        )

    def shortest(self) -> str:
        """The shortest way to the goal over boards of the population's paths; then, as long as that
        helps, over those and the boards around.
        """
        way = np.zeros(self.paths.moves.shape[1], np.int8)
        length = shorten(
            self.position.normal, self.frame, self.paths.moves, self.paths.lengths, 0, way
        )
        room = SMALL_ROOM if self.position.cells <= NINE else LARGE_ROOM
        while True:
            path = way[np.newaxis, :length].copy()
            shorter = shorten(self.position.normal, self.frame, path, np.array([length]), room, way)
            if shorter >= length:
                return "".join(MOVES[move] for move in path[0])
            length = shorter

    @property
    def diversity(self) -> float:
        """The share of paths that end on different boards."""
        ends = self.paths.prints[np.arange(len(self.scores)), self.paths.lengths]
        return len(np.unique(ends)) / len(ends)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The paths, their scores, and the best score of this start and its generation."""
        return {**self.paths._asdict(), "scores": self.scores, "record": self._record}

    def solution_moves(self) -> str:
        """The winner's path, shortened unless the settings leave it as it grew."""
        return self.shortest() if self.settings.shorten else self.moves_of(self.winner)

    def least_moves(self) -> int | None:
        """The least number of moves, where a table knows it."""
        return exact.optimal_length(self.position)

    def facts(self) -> dict[str, Any]:
        """The number of moves of the winner's path before it was shortened."""
        return {"grown": int(self.paths.lengths[self.winner]) if self.winner >= 0 else None}


def solve(
    board: Board, *, seed: int | None = None, watch: Watch | None = None, **settings: object
) -> Solution:
    """Solve a board by the enhanced scheme. `watch` receives `SolverProgress` events."""
    return SlidingSearch(
        board,
        changed_settings(EnhancedSettings, settings, "the scheme 'enhanced' of sliding"),
        seed,
    ).solve(watch)
