"""`FlagGame`: rounds of Reach the Flag.

`SlidingGame`: boards of the sliding puzzle.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from levolve.bridges.gymnasium.game import Game, MoveResults, Observations
from levolve.core.errors import InputError
from levolve.kernels.play import step_boards, step_rounds
from levolve.kernels.puzzles.flag_field import NEVER
from levolve.levels.tileset import NEVER_FALLS
from levolve.puzzles.flag.rules import Round
from levolve.puzzles.sliding.rules import Board


class FlagGame(Game):
    """Use up every tile, and end on the flag: a reward of 1. A player without a legal move has
    lost, which ends the episode.

    An observation has the entries `tiles` `(height, width)`, the visits that each tile still bears,
    0 for a gap and 10 for a tile that never falls; `player` and `flag`, their cells (x, y). Smaller
    rounds are filled up with gaps, to the right and below.
    """

    kind = Round

    def set_up(self) -> None:
        """Define the observations."""
        width, height = self.source.size
        cell = np.array([width, height])
        self.space = spaces.Dict(
            {
                "tiles": spaces.Box(0, NEVER_FALLS, (height, width), np.uint8),
                "player": spaces.MultiDiscrete(cell),
                "flag": spaces.MultiDiscrete(cell),
            }
        )
        self.fields = {
            "tiles": ((height, width), np.uint8),
            "player": ((2,), np.int64),
            "flag": ((2,), np.int64),
            "rest": ((), np.int64),
        }

    def prepare(self, item: Round) -> Mapping[str, Any]:
        """Return the start of a round: the player stands on the start, which counts as its first
        visit.
        """
        play = item.after("")
        width, height = self.source.size
        tiles = np.zeros((height, width), np.uint8)
        left = np.array(play.left)
        tiles[: item.height, : item.width] = np.where(left == NEVER, NEVER_FALLS, left)
        return {"tiles": tiles, "player": play.place, "flag": item.flag, "rest": play.remaining}

    def move(
        self,
        actions: NDArray[np.int64],
        begins: NDArray[np.bool_],
        steps: NDArray[np.int64],
        most: int,
        cost: float,
    ) -> MoveResults:
        """Move all players."""
        state, results = self.state, MoveResults.empty(self.players)
        stuck = np.empty(self.players, np.bool_)
        step_rounds(
            actions,
            begins,
            state["tiles"],
            NEVER_FALLS,
            state["flag"],
            state["player"],
            state["rest"],
            steps,
            most,
            cost,
            results.rewards,
            results.won,
            stuck,
            results.truncated,
            results.moved,
            results.masks,
        )
        return MoveResults(
            results.rewards,
            results.won,
            results.won | stuck,
            results.truncated,
            results.moved,
            results.masks,
        )

    def observe(self) -> Observations:
        """Return the visits left, the player and the flag."""
        return {name: self.state[name].copy() for name in ("tiles", "player", "flag")}


class SlidingGame(Game):
    """Slide the tiles into the order of the goal: a reward of 1. A move is named after the way the
    tile goes.

    An observation has the entries `tiles` and `goal`, `(height, width)` each: the numbers of the
    tiles, 0 for the blank.
    """

    kind = Board

    def set_up(self) -> None:
        """Define the observations; all boards must have the same size."""
        width, height = self.source.size
        other = next(
            (
                item
                for item in self.source.samples()
                if isinstance(item, Board) and (item.width, item.height) != (width, height)
            ),
            None,
        )
        if other is not None:
            message = (
                f"levels: expected boards of one size, got {width}x{height} and "
                f"{other.width}x{other.height}"
            )
            raise InputError(message)
        board = spaces.Box(0, width * height - 1, (height, width), np.uint8)
        self.space = spaces.Dict({"tiles": board, "goal": board})
        self.fields = {
            "tiles": ((height, width), np.uint8),
            "goal": ((height, width), np.uint8),
            "blank": ((2,), np.int64),
        }

    @classmethod
    def usual_steps(cls, width: int, height: int) -> int:
        """Return twice the square of the number of cells: 162 on a board of 3x3, where the longest
        solution has 31 moves.
        """
        return 2 * (width * height) ** 2

    def prepare(self, item: Board) -> Mapping[str, Any]:
        """Return the start of a board."""
        shape = (item.height, item.width)
        y, x = divmod(item.blank, item.width)
        return {
            "tiles": np.reshape(item.tiles, shape),
            "goal": np.reshape(item.goal, shape),
            "blank": (x, y),
        }

    def move(
        self,
        actions: NDArray[np.int64],
        begins: NDArray[np.bool_],
        steps: NDArray[np.int64],
        most: int,
        cost: float,
    ) -> MoveResults:
        """Move all players."""
        state, results = self.state, MoveResults.empty(self.players)
        step_boards(
            actions,
            begins,
            state["tiles"],
            state["goal"],
            state["blank"],
            steps,
            most,
            cost,
            results.rewards,
            results.won,
            results.truncated,
            results.moved,
            results.masks,
        )
        return results

    def observe(self) -> Observations:
        """Return the board and its goal."""
        return {name: self.state[name].copy() for name in ("tiles", "goal")}
