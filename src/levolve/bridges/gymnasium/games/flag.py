"""`FlagGame`: rounds of Reach the Flag."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from levolve.bridges.gymnasium.games.game import Game, MoveResults, Observations
from levolve.kernels.flag.field import NEVER
from levolve.kernels.play.rounds import step_rounds
from levolve.levels.puzzle_tiles import NEVER_FALLS
from levolve.puzzles.flag.rules import Round


class FlagGame(Game):
    """Use up every tile, and end on the flag: a reward of 1. A player without a legal move has lost, which ends the episode.

    An observation has the entries `tiles` `(height, width)`, the visits that each tile still bears, 0 for a gap and 10 for a tile that never
    falls; `player` and `flag`, their cells (x, y). Smaller rounds are filled up with gaps, to the right and below.
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
        """Return the start of a round: the player stands on the start, which counts as its first visit."""
        play = item.after("")
        width, height = self.source.size
        tiles = np.zeros((height, width), np.uint8)
        left = np.array(play.left)
        tiles[: item.height, : item.width] = np.where(left == NEVER, NEVER_FALLS, left)
        return {"tiles": tiles, "player": play.place, "flag": item.flag, "rest": play.remaining}

    def move(self, actions: NDArray[np.int64], begins: NDArray[np.bool_], steps: NDArray[np.int64], most: int, cost: float) -> MoveResults:
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
        return MoveResults(results.rewards, results.won, results.won | stuck, results.truncated, results.moved, results.masks)

    def observe(self) -> Observations:
        """Return the visits left, the player and the flag."""
        return {name: self.state[name].copy() for name in ("tiles", "player", "flag")}
