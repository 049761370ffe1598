"""`LevelGame`: a level that is played move by move, with undo, hints and warnings of losing
moves.

What can be won from a moment of play is decided by the proof of the level that remains: it starts
on the cell of the player, without what was taken or opened.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.levels.things.lowering import DONE, NO_STATE, Mechanics
from levolve.levels.things.playing import IllegalMoveError, PlayRules, PlayState
from levolve.levels.things.proof import Proof, prove_rest

if TYPE_CHECKING:
    from levolve.levels.level import Level


class LevelGame:
    r"""One play of a level.

    Attributes
    ----------
    rules
        The rules of play of the level.
    moves
        The legal moves so far.

    >>> from levolve.levels.level import Level
    >>> game = LevelGame(Level.from_text("S..E\n####\nthing: key 1,0\nthing: door 2,0"))
    >>> game.move("r")
    >>> game.holds, game.way, game.won
    ({'red key': 1}, 'rr', False)
    """

    def __init__(self, level: "Level") -> None:
        """Begin; `InputError` for a level that has nowhere to go."""
        missing = level.goal.missing(level.places)
        if missing or not level.goal.stops:
            message = (
                f"level: expected places to walk to, got none for {' and '.join(missing)}"
                if missing
                else "level: expected a goal with places to walk to, such as the exit, got the "
                f"goal {level.goal.name!r}"
            )
            raise InputError(message)
        self.level = level
        self.rules = PlayRules(level)
        self.moves = ""
        self._moments = [self.rules.start]
        self._proofs: dict[PlayState, Proof] = {}

    @property
    def moment(self) -> PlayState:
        """What is now."""
        return self._moments[-1]

    @property
    def won(self) -> bool:
        """Whether the level has ended."""
        return self.rules.won(self.moment)

    @property
    def holds(self) -> dict[str, int]:
        """What the player has, by resource."""
        return self.rules.has(self.moment)

    def move(self, move: str) -> None:
        """Make a move; `IllegalMoveError` with the reason if it is not legal."""
        self._moments.append(self.rules.after(self.moment, move))
        self.moves += move

    def play(self, moves: str) -> None:
        """Make moves; `IllegalMoveError` with the number of the first one that is not legal."""
        for number, move in enumerate(moves, len(self.moves) + 1):
            try:
                self.move(move)
            except IllegalMoveError as problem:
                message = f"move {number} ({move}): {problem}"
                raise IllegalMoveError(message) from problem

    def undo(self) -> bool:
        """Take the last move back; whether there was one."""
        if not self.moves:
            return False
        self.moves = self.moves[:-1]
        self._moments.pop()
        return True

    def restart(self) -> None:
        """Begin again."""
        self.moves = ""
        del self._moments[1:]

    @property
    def way(self) -> str | None:
        """The moves of a shortest way to win from here; None if there is none, or none is known.
        While play keeps to the solution of the level, the rest of that.
        """
        solution = self.level.solution
        if solution is not None and solution.startswith(self.moves):
            return solution[len(self.moves) :]
        return self._proof(self.moment).solution

    @property
    def lost(self) -> bool:
        """Whether the level cannot be won any more; false if that is undecided."""
        return self._is_lost(self.moment)

    @property
    def losing_moves(self) -> str:
        """The legal moves after which the level cannot be won any more, while it still can."""
        if self.won or self.lost:
            return ""
        ways = self.rules.ways(self.moment)
        return "".join(move for move, after in ways.items() if self._is_lost(after))

    @property
    def fewest(self) -> int | None:
        """The number of moves of a shortest play from the start; None if it is not known."""
        return self._proof(self.rules.start).steps

    def _is_lost(self, moment: PlayState) -> bool:
        proof = self._proof(moment)
        return not proof.winnable and not proof.undecided

    def _proof(self, moment: PlayState) -> Proof:
        if self.rules.won(moment):
            return Proof(winnable=True, safe=True, steps=0, solution="")
        if moment not in self._proofs:
            self._proofs[moment] = prove_rest(rest_of(self.rules, moment))
        return self._proofs[moment]

    def to_data(self) -> dict[str, Any]:
        """The play as plain data."""
        return {
            "won": self.won,
            "lost": self.lost,
            "moves": self.moves,
            "length": len(self.moves),
            "fewest": self.fewest,
            "cell": list(self.moment.cell),
            "holds": self.holds,
            "left": self.rules.left(self.moment),
        }


def rest_of(rules: PlayRules, moment: PlayState) -> Mechanics:
    """Return what the things of a level do from a moment of play on, as though it began there."""
    found = rules.mechanics
    done = np.array(sorted(moment.done), np.int64)
    spent = done[(found.spends[done] > 0).any(axis=1)]
    starts_on = np.zeros(len(found.cells), np.bool_)
    starts_on[sorted(moment.on)] = True
    states = found.states.copy()
    states[done[states[done] == DONE]] = NO_STATE
    has = rules.has(moment)
    width = rules.level.width
    x, y = moment.cell
    stops = [y * width + x, *found.stops[moment.visited :].tolist()]
    return replace(
        found,
        stops=np.array(stops, np.int32),
        initial=np.array([has.get(name, 0) for name in found.resources], np.int32),
        gives=_without(found.gives, done),
        # What was paid for stays open.
        needs=_without(found.needs, spent),
        spends=_without(found.spends, done),
        states=states,
        starts_on=starts_on,
        counts=_without(found.counts, done),
    )


def _without(values: NDArray[Any], rows: NDArray[np.int64]) -> NDArray[Any]:
    changed = values.copy()
    changed[rows] = 0
    return changed
