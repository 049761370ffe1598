"""Exact search for Reach the Flag: finds a solution or proves that there is none, counts solutions,
and examines every state of play.

Depth-first with pruning by connectivity, dead ends and parity (`kernels/flag`). Failed positions
are stored whole, so a proof rests on no hash.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import LevolveError
from levolve.core.stopping import run_in_pieces
from levolve.kernels.bits.random_streams import Draws
from levolve.kernels.puzzles.flag_exact import (
    FAILED,
    GAVE_UP,
    LENGTH,
    NODES,
    OUTCOME,
    PAUSED,
    SOLVED,
    WAYS,
    Descent,
    new_descent,
    search,
)
from levolve.kernels.puzzles.flag_field import NEVER
from levolve.kernels.puzzles.flag_positions import Packing, Words, explore
from levolve.levels.grid import MOVES
from levolve.puzzles.flag.rules import Play, Round
from levolve.puzzles.position import Solution
from levolve.puzzles.settings import ExactSettings, check_range
from levolve.puzzles.solvers import ExactSearch

BUDGET = ExactSettings().budget
MOST_STATES = 400_000
SAMPLED_PLAYS = 100
# A quick look first, with a small table; what that does not decide gets a larger one.
STAGES = ((20_000, 1 << 12), (100_000, 1 << 15), (4_000_000, 1 << 20), (1 << 62, 1 << 22))


def _packing(played: Round) -> Packing:
    left = played.field.left
    word, shift = np.zeros(left.size, np.int64), np.zeros(left.size, np.int64)
    at = used = 0
    for cell, visits in enumerate(left.tolist()):
        if 0 < visits < NEVER:
            bits = visits.bit_length()
            if used + bits > 64:  # a machine word is full
                at, used = at + 1, 0
            word[cell], shift[cell] = at, used
            used += bits
    return Packing(word, shift, at + 1)


class FlagDescent(ExactSearch[Round]):
    """Depth-first search from a state of play for up to `limit` ways to win."""

    first_piece = 50_000

    def __init__(self, play: Play, limit: int, budget: int) -> None:
        """Start with nothing examined."""
        played = play.round
        super().__init__(played, budget)
        self.limit = limit
        field, self._packing = played.field, _packing(played)
        left = field.left.copy()
        left.reshape(-1, field.width)[1:-1, 1:-1] = play.left
        x, y = play.place
        here = (y + 1) * field.width + x + 1
        remaining = play.remaining
        if left[here] != NEVER:
            # The kernel takes off the visit that standing here has used.
            left[here] += 1
            remaining += 1
        self._field = field._replace(left=left, start=here, remaining=remaining)
        unfalling = int((played.tiles == NEVER).sum())
        self._deepest = (remaining + 1) * (unfalling + 1) + 1
        self._run = self._stage(0, 0)

    def _stage(self, stage: int, spent: int) -> tuple[NDArray[np.int64], Words, Descent]:
        """A new search with the table of a stage, after `spent` positions: the numbers of both, the
        table and the search.
        """
        table = np.zeros((STAGES[stage][1], self._packing.place + 2), np.uint64)
        return (
            np.array([stage, spent]),
            table,
            new_descent(self._field, self._packing, self._deepest),
        )

    @property
    def outcome(self) -> int:
        """How the search ended: `SOLVED`, `FAILED` or `GAVE_UP`."""
        return int(self._run[2].numbers[OUTCOME])

    @property
    def found(self) -> int:
        """How many ways to win were found, up to the limit."""
        return int(self._run[2].numbers[WAYS])

    @property
    def moves(self) -> str:
        """The first way that was found."""
        descent = self._run[2]
        return "".join([MOVES[move] for move in descent.moves[: descent.numbers[LENGTH]].tolist()])

    @property
    def evaluations(self) -> int:
        """The positions examined so far, in all stages."""
        return int(self._run[0][1] + self._run[2].numbers[NODES])

    def advance(self, positions: int) -> bool:
        """Examine about so many more positions; return whether the search goes on."""
        (stage, spent), table, descent = self._run
        budget = min(STAGES[stage][0], self.budget - int(spent))
        search(
            self._field,
            self._packing,
            table,
            self.limit,
            budget,
            int(descent.numbers[NODES]) + positions,
            descent,
        )
        if self.outcome == GAVE_UP and self.evaluations < self.budget:
            self._run = self._stage(int(stage) + 1, self.evaluations)
        return self.outcome == PAUSED

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The stage, the search as the kernel holds it, and the rows of the table that are in
        use.
        """
        stage, table, descent = self._run
        rows = np.flatnonzero(table[:, -1])
        return {"stage": stage, "rows": rows, "positions": table[rows], **descent._asdict()}

    def set_arrays(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take over stage, search and table."""
        stage, rows, positions, *_ = arrays.values()
        _, table, _ = self._stage(int(stage[0]), 0)
        table[rows] = positions
        self._run = (
            stage,
            table,
            Descent(**{name: array for name, array in arrays.items() if name in Descent._fields}),
        )

    def solution(self) -> Solution:
        """A solution, or the proof that there is none, or neither."""
        solved = self.outcome == SOLVED
        moves = self.moves if solved else None
        if moves is not None:
            self.position.with_solution(moves).check()
        least = least_length(self.position) if solved else None
        failed = self.outcome == FAILED
        return Solution(
            "flag",
            "exact",
            moves,
            0,
            self.evaluations,
            None,
            self.seconds,
            optimal=least,
            unsolvable=failed,
        )


def _search(play: Play, limit: int, budget: int) -> FlagDescent:
    """The search from a state of play for up to `limit` ways to win, at its end."""
    descent = FlagDescent(play, limit, budget)
    run_in_pieces(descent.proceed, descent.first_piece)
    return descent


def solve(played: Round, *, budget: int = BUDGET) -> Solution:
    """A solution, or `unsolvable`, proven; neither where `budget` positions did not decide it."""
    check_range("budget", budget, 1, 1 << 60)
    played.check_solvable()
    return FlagDescent(Play(played), 1, budget).solve()


def least_length(played: Round) -> int | None:
    """How many moves every solution has, where parity settles it: steps change the colour of a
    chequered floor, so with no unfalling tile off the flag's colour the visits of the others say
    how often that colour is entered. None where an unfalling tile leaves it open.
    """
    rows, columns = np.indices(played.tiles.shape)
    other = (rows + columns + sum(played.flag)) % 2 == 1
    if (played.tiles[other] == NEVER).any():
        return None
    falling = np.where(played.tiles == NEVER, 0, played.tiles).astype(int)
    x, y = played.start
    # The walk, its start included, ends on the flag's colour: it stands on that colour as often as
    # on the other, once more if it began there.
    return 2 * int(falling[other].sum()) - bool(other[y, x])


def count_solutions(played: Round, limit: int = 1000, *, budget: int = BUDGET) -> int:
    """How many ways there are to win, counted up to `limit`. Ways that come back to the same
    position on the way are not counted.
    """
    check_range("limit", limit, 1, 1 << 60)
    descent = _search(Play(played), 1, budget)
    if descent.outcome == SOLVED and limit > 1:
        descent = _search(Play(played), limit, budget)
    if descent.outcome == GAVE_UP:
        raise LevolveError(
            f"count: {descent.evaluations:,} positions did not decide how many solutions there "
            "are; allow more with budget, or lower the limit"
        )
    return descent.found


def can_be_won(play: Play, *, budget: int = BUDGET) -> bool:
    """Whether a state of play can still be won."""
    descent = _search(play, 1, budget)
    if descent.outcome == GAVE_UP:
        raise LevolveError(
            f"budget: {descent.evaluations:,} positions did not decide whether the round can "
            "still be won; allow more"
        )
    return descent.outcome == SOLVED


@dataclass(frozen=True)
class SoftLocks:
    """States that play can come to. A state from which the round can no longer be won, though play
    goes on, is a soft lock.

    All states are examined where there are not too many; otherwise (`sampled`) those that random
    play comes to.
    """

    states: int
    winnable: int
    losing_first_moves: str
    winning_first_moves: str
    sampled: bool = False

    @property
    def lost(self) -> int:
        """How many states can no longer be won."""
        return self.states - self.winnable

    @property
    def lost_share(self) -> float:
        """The share of states that can no longer be won."""
        return self.lost / self.states


def soft_locks(played: Round, most: int = MOST_STATES) -> SoftLocks:
    """Examine every state that play can come to; where there are more than `most`, those of random
    play.
    """
    check_range("most", most, 1, 50_000_000)
    firsts = [(move, can_be_won(played.after(move))) for move in MOVES if Play(played).may(move)]
    losing = "".join(move for move, can in firsts if not can)
    winning = "".join(move for move, can in firsts if can)
    packing = _packing(played)
    room = min(1 << 12, most)
    while True:
        table = np.zeros((2 * room + 8, packing.place + 2), np.uint64)
        states, winnable = explore(played.field, packing, table, room)
        if states:
            return SoftLocks(states, winnable, losing, winning)
        if room >= most:
            return SoftLocks(*_sampled(played), losing, winning, sampled=True)
        room = min(8 * room, most)


def _sampled(played: Round) -> tuple[int, int]:
    """How many different states random play comes to, and how many of them can be won. Once lost is
    lost: each play is searched by halves.
    """
    seen: dict[tuple[object, ...], bool] = {}
    for number in range(SAMPLED_PLAYS):
        draws = Draws(0, number)
        play = played.after("")
        ways: list[str] = []
        while (
            not play.won
            and (open_moves := [move for move in MOVES if play.may(move)])
            and len(play.moves) < 4 * played.visits
        ):
            play.step(draws.choice(open_moves))
            ways.append(play.moves)
        low, high = 0, len(ways)
        while low < high:
            middle = (low + high) // 2
            if can_be_won(played.after(ways[middle])):
                low = middle + 1
            else:
                high = middle
        for index, way in enumerate(ways):
            state = played.after(way)
            seen[(state.place, *(tuple(row) for row in state.left))] = index < low
    return len(seen), sum(seen.values())
