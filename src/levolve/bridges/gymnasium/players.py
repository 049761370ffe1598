"""`Players`: n players and their episodes. One environment has one player, a vector environment
thousands.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.bridges.gymnasium.game import Game, MoveResults
from levolve.core.errors import InputError
from levolve.kernels.play import draw_numbers

ACTIONS = ("up", "down", "left", "right", "use")


class Players:
    """The seeds, episodes and levels of n players of a game, and the steps of each episode.

    Parameters
    ----------
    game
        The game, with room for n players.
    max_steps
        The steps after which an episode is truncated; None for the game's default.
    step_cost
        What every step costs; None for 1 / max_steps, so that the return of a won episode is above
        0, and that of a lost one at least -1.
    recording
        Whether the legal moves of each episode are recorded, for rendering.
    """

    def __init__(
        self,
        game: Game,
        max_steps: int | None = None,
        step_cost: float | None = None,
        *,
        recording: bool = False,
    ) -> None:
        """Check the settings. Every player has to begin an episode before the first step."""
        if max_steps is not None and (
            isinstance(max_steps, bool)
            or not isinstance(max_steps, int | np.integer)
            or max_steps < 1
        ):
            message = f"max_steps: expected a whole number from 1, got {max_steps!r}"
            raise InputError(message)
        self.game = game
        self.most = game.default_steps if max_steps is None else int(max_steps)
        self.cost = 1.0 / self.most if step_cost is None else float(step_cost)
        if not np.isfinite(self.cost):
            message = f"step_cost: expected a finite number, got {step_cost!r}"
            raise InputError(message)
        count = game.players
        self.numbers = np.zeros(count, np.int64)
        self.steps = np.zeros(count, np.int64)
        self.moves: list[str] | None = [""] * count if recording else None
        self._seeds = np.zeros(count, np.uint64)
        self._episodes = np.full(count, -1, np.int64)

    def seed(self, which: NDArray[np.int64], seeds: NDArray[np.uint64]) -> None:
        """Set the seeds of some players; their next episode is the first one of that seed."""
        self._seeds[which] = seeds
        self._episodes[which] = -1

    def begin(self, which: NDArray[np.int64], numbers: NDArray[np.int64] | None = None) -> None:
        """Begin the next episode of some players, on the levels of these numbers, or on those that
        their seeds draw.
        """
        source = self.game.source
        self._episodes[which] += 1
        if numbers is None:
            numbers = np.empty(len(which), np.int64)
            draw_numbers(self._seeds[which], self._episodes[which], source.count, numbers)
            numbers += source.first
        self.numbers[which] = numbers
        self.steps[which] = 0
        self.game.begin(which, numbers)
        if self.moves is not None:
            for player in which.tolist():
                self.moves[player] = ""

    def look(self) -> MoveResults:
        """Return the results of no move at all: which moves are legal."""
        everyone = np.ones(self.game.players, np.bool_)
        return self.game.move(
            np.zeros(self.game.players, np.int64), everyone, self.steps, self.most, self.cost
        )

    def step(self, chosen: NDArray[np.int64], begins: NDArray[np.bool_]) -> MoveResults:
        """Move all players but those that have just begun an episode; see `read_actions`."""
        results = self.game.move(chosen, begins, self.steps, self.most, self.cost)
        if self.moves is not None:
            for player in np.flatnonzero(results.moved).tolist():
                self.moves[player] += self.game.moves[chosen[player]]
        return results

    def read_levels(self, levels: object, which: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the numbers of levels given as one number or as one per player."""
        source = self.game.source
        numbers = np.asarray(levels)
        last = source.first + source.count - 1
        if (
            numbers.dtype.kind not in "iu"
            or numbers.shape not in {(), (self.game.players,)}
            or numbers.min() < source.first
            or numbers.max() > last
        ):
            message = (
                f"options: level: expected a number from {source.first} to {last}, or one per "
                f"player, got {levels!r}"
            )
            raise InputError(message)
        return np.broadcast_to(numbers, (self.game.players,))[which].astype(np.int64)

    def read_actions(self, actions: object) -> NDArray[np.int64]:
        """Check the actions of all players, whatever an agent returned."""
        players, chosen = self.game.players, np.asarray(actions)
        if chosen.shape != (players,) or chosen.dtype.kind not in "iu":
            message = (
                f"actions: expected whole numbers of shape ({players},), one per player, got "
                f"shape {chosen.shape} of {chosen.dtype}"
            )
            raise InputError(message)
        count = len(self.game.moves)
        if chosen.min() < 0 or chosen.max() >= count:
            expected = ", ".join(f"{n} {name}" for n, name in enumerate(ACTIONS[:count]))
            message = (
                f"actions: expected {expected}, got "
                f"{int(chosen[(chosen < 0) | (chosen >= count)][0])}"
            )
            raise InputError(message)
        return np.ascontiguousarray(chosen, np.int64)
