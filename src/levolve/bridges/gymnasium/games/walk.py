"""`WalkGame`: levels of any tileset and goal. The legal steps are those of the tileset; the goal says which places to visit, in which order."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from levolve.bridges.gymnasium.games.game import Game, MoveResults, Observations
from levolve.errors import InputError
from levolve.kernels.play.walks import step_walks
from levolve.levels.level import Level
from levolve.levels.places import Place


class WalkGame(Game):
    """Walk from the first stop of the level's goal to the last, by legal steps of its tileset.

    Each stop that is reached gives an equal share of a reward of 1. An observation has the entries `tiles` `(height, width)`, kinds of the tileset;
    `player` and `target`, the cell (x, y) of the player and of the next stop; and `visited`, the number of stops visited. If levels differ in size,
    the smaller ones are filled up, to the right and below, with a kind of tile of their own that has the number of kinds as its number.
    """

    kind = Level

    def set_up(self) -> None:
        """Take the tileset from the levels; all must have the same."""
        levels = [level for level in self.source.samples() if isinstance(level, Level)]
        tilesets = {level.tileset.name: level.tileset for level in levels}
        if len(tilesets) > 1:
            message = f"levels: expected one tileset, because it defines the observations, got {' and '.join(sorted(tilesets))}"
            raise InputError(message)
        (self._tileset,) = tilesets.values()
        self._kinds = len(self._tileset.characters)
        width, height = self.source.size
        filled = any((level.width, level.height) != (width, height) for level in levels)
        most = max(len(route_of(level)) for level in levels)
        cell = np.array([width, height])
        self.space = spaces.Dict(
            {
                "tiles": spaces.Box(0, max(self._kinds - 1 + filled, 1), (height, width), np.uint8),
                "player": spaces.MultiDiscrete(cell),
                "target": spaces.MultiDiscrete(cell),
                "visited": spaces.Discrete(most + 1),
            }
        )
        self.fields = {
            "tiles": ((height, width), np.uint8),
            "stops": ((most, 2), np.int64),
            "length": ((), np.int64),
            "share": ((), np.float64),
            "player": ((2,), np.int64),
            "reached": ((), np.int64),
        }
        self._targets = np.zeros((self.players, 2), np.int64)

    def prepare(self, item: Level) -> Mapping[str, Any]:
        """Return the start of a level. Stops on the cell of the first one count as visited."""
        width, height = self.source.size
        route = route_of(item)
        tiles = np.full((height, width), self._kinds, np.uint8)
        tiles[: item.height, : item.width] = item.tiles
        stops = np.zeros(self.fields["stops"][0], np.int64)
        stops[: len(route)] = route
        reached = next((number for number, place in enumerate(route) if place != route[0]), len(route))
        share = 1.0 / max(len(route) - reached, 1)
        return {"tiles": tiles, "stops": stops, "length": len(route), "share": share, "player": route[0], "reached": reached}

    def move(self, actions: NDArray[np.int64], begins: NDArray[np.bool_], steps: NDArray[np.int64], most: int, cost: float) -> MoveResults:
        """Move all players."""
        state, results = self.state, MoveResults.empty(self.players)
        self._targets = np.empty((self.players, 2), np.int64)
        step_walks(
            actions,
            begins,
            state["tiles"],
            self._tileset.table,
            state["stops"],
            state["length"],
            state["share"],
            state["player"],
            state["reached"],
            steps,
            most,
            cost,
            results.rewards,
            results.won,
            results.truncated,
            results.moved,
            self._targets,
            results.masks,
        )
        return results

    def observe(self) -> Observations:
        """Return the tiles, the player, the next stop, and the number of stops visited."""
        state = self.state
        return {"tiles": state["tiles"].copy(), "player": state["player"].copy(), "target": self._targets.copy(), "visited": state["reached"].copy()}


def route_of(level: Level) -> tuple[Place, ...]:
    """Return the cells of the stops in order; raise `InputError` for a level without any."""
    route = level.goal.route(level.places)
    if not route:
        message = f"level: expected a goal with stops to walk to, such as the exit, got the goal {level.goal.name!r}"
        raise InputError(message)
    return route
