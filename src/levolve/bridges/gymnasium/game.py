"""Games: what players of a kind of level see, and the kernel that moves all of them. One file per
kernel in `levolve.kernels.play`.

`Game`: the base class of games.

`WalkGame`: levels of any tileset and goal. The legal steps are those of the tileset; the goal says
which places to visit, in which order.

`Deck`: levels that were played before, as rows of arrays, so that an episode begins by copying a
row.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from levolve.bridges.gymnasium.sources import LevelSource
from levolve.core.errors import InputError
from levolve.kernels.play import step_walks
from levolve.levels.grid import MOVES
from levolve.levels.level import Level
from levolve.levels.places import Place

# The shape and dtype of each array of a state, without the first axis, which counts players or
# levels.
Fields = Mapping[str, tuple[tuple[int, ...], type[Any]]]
FIRST_ROOM = 64


class Deck:
    """The states at the start of levels, by number. A level is prepared when it is first drawn."""

    def __init__(self, fields: Fields, prepare: Callable[[int], Mapping[str, Any]]) -> None:
        """Start empty. `prepare` returns the state at the start of the level of a number, a value
        for each field.
        """
        self._prepare = prepare
        self._fields = fields
        self._slots: dict[int, int] = {}
        self.rows = {
            name: np.zeros((FIRST_ROOM, *shape), dtype) for name, (shape, dtype) in fields.items()
        }

    def slots(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the rows of `(k,)` numbers, all prepared."""
        return np.array(
            [
                self._slots[number] if number in self._slots else self._add(number)
                for number in numbers.tolist()
            ],
            np.int64,
        )

    def _add(self, number: int) -> int:
        slot = len(self._slots)
        state = self._prepare(number)
        if slot == len(self.rows[next(iter(self._fields))]):
            self.rows = {
                name: np.concatenate((rows, np.zeros_like(rows)))
                for name, rows in self.rows.items()
            }
        for name, rows in self.rows.items():
            rows[slot] = state[name]
        self._slots[number] = slot
        return slot


Observations = dict[str, NDArray[Any]]


@dataclass(frozen=True, eq=False)
class MoveResults:
    """The results of one move of n players, arrays of their own for every move.

    `rewards` `(n,)` float64; `won`, `terminated`, `truncated` and `moved`, whether the move was
    legal, `(n,)` bool; `masks` `(n, moves)` int8, 1 for each move that is legal now.
    """

    rewards: NDArray[np.float64]
    won: NDArray[np.bool_]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    moved: NDArray[np.bool_]
    masks: NDArray[np.int8]

    @classmethod
    def empty(cls, players: int, moves: int = len(MOVES)) -> "MoveResults":
        """Return arrays for a kernel to fill; `terminated` and `won` are one array."""
        won, truncated, moved = (np.zeros(players, np.bool_) for _ in range(3))
        masks = np.zeros((players, moves), np.int8)
        return cls(np.zeros(players), won, won, truncated, moved, masks)


class Game(ABC):
    """The states of n players as arrays, `state`, and how they change.

    A subclass sets `kind`, the class of its levels, and `moves`, one character per action; `fields`
    and `prepare` define the state at the start of a level; `move` calls a kernel; `observe` returns
    what players see, which `space` describes for one player.
    """

    kind: ClassVar[type[Any]]
    moves: ClassVar[str] = MOVES
    space: spaces.Dict
    fields: Fields

    def __init__(self, source: LevelSource, players: int) -> None:
        """Create the states; every player has to begin an episode before it is used."""
        self.source = source
        self.players = players
        self.set_up()
        self._deck = Deck(self.fields, lambda number: self.prepare(source.item(number)))
        self.state: dict[str, NDArray[Any]] = {
            name: np.zeros((players, *shape), dtype) for name, (shape, dtype) in self.fields.items()
        }

    def begin(self, which: NDArray[np.int64], numbers: NDArray[np.int64]) -> None:
        """Put players at the start of the levels of these numbers."""
        slots = self._deck.slots(numbers)
        for name, values in self.state.items():
            values[which] = self._deck.rows[name][slots]

    @property
    def default_steps(self) -> int:
        """The steps after which an episode is truncated by default: enough for long detours, and
        for twice every known solution.
        """
        return max(
            self.usual_steps(*self.source.size),
            *(2 * len(item.solution or "") for item in self.source.samples()),
        )

    @classmethod
    def usual_steps(cls, width: int, height: int) -> int:
        """Return the default limit of steps for levels of this size."""
        return 4 * width * height

    @abstractmethod
    def set_up(self) -> None:
        """Set `space` and `fields`, given the source; raise `InputError` for levels that cannot be
        played together.
        """

    @abstractmethod
    def prepare(self, item: Any) -> Mapping[str, Any]:
        """Return the state at the start of a level, a value for each field."""

    @abstractmethod
    def move(
        self,
        actions: NDArray[np.int64],
        begins: NDArray[np.bool_],
        steps: NDArray[np.int64],
        most: int,
        cost: float,
    ) -> MoveResults:
        """Move all players but those that begin an episode, and return the results. See
        `levolve.kernels.play`.
        """

    @abstractmethod
    def observe(self) -> Observations:
        """Return the observations of all players, each an array of its own with players on the
        first axis.
        """


class WalkGame(Game):
    """Walk from the first stop of the level's goal to the last, by legal steps of its tileset.

    Each stop that is reached gives an equal share of a reward of 1. An observation has the entries
    `tiles` `(height, width)`, kinds of the tileset; `player` and `target`, the cell (x, y) of the
    player and of the next stop; and `visited`, the number of stops visited. If levels differ in
    size, the smaller ones are filled up, to the right and below, with a kind of tile of their own
    that has the number of kinds as its number.
    """

    kind = Level

    def set_up(self) -> None:
        """Take the tileset from the levels; all must have the same."""
        levels = [level for level in self.source.samples() if isinstance(level, Level)]
        tilesets = {level.tileset.name: level.tileset for level in levels}
        if len(tilesets) > 1:
            message = (
                "levels: expected one tileset, because it defines the observations, got "
                f"{' and '.join(sorted(tilesets))}"
            )
            raise InputError(message)
        (self.tileset,) = tilesets.values()
        self._kinds = len(self.tileset.characters)
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
        self.targets = np.zeros((self.players, 2), np.int64)

    def prepare(self, item: Level) -> Mapping[str, Any]:
        """Return the start of a level. Stops on the cell of the first one count as visited."""
        width, height = self.source.size
        route = route_of(item)
        tiles = np.full((height, width), self._kinds, np.uint8)
        tiles[: item.height, : item.width] = item.tiles
        stops = np.zeros(self.fields["stops"][0], np.int64)
        stops[: len(route)] = route
        reached = next(
            (number for number, place in enumerate(route) if place != route[0]), len(route)
        )
        share = 1.0 / max(len(route) - reached, 1)
        return {
            "tiles": tiles,
            "stops": stops,
            "length": len(route),
            "share": share,
            "player": route[0],
            "reached": reached,
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
        self.targets = np.empty((self.players, 2), np.int64)
        step_walks(
            actions,
            begins,
            state["tiles"],
            self.tileset.table,
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
            self.targets,
            results.masks,
        )
        return results

    def observe(self) -> Observations:
        """Return the tiles, the player, the next stop, and the number of stops visited."""
        state = self.state
        return {
            "tiles": state["tiles"].copy(),
            "player": state["player"].copy(),
            "target": self.targets.copy(),
            "visited": state["reached"].copy(),
        }


def route_of(level: Level) -> tuple[Place, ...]:
    """Return the cells of the stops in order; raise `InputError` for a level without any."""
    route = level.goal.route(level.places)
    if not route:
        message = (
            "level: expected a goal with stops to walk to, such as the exit, got the goal "
            f"{level.goal.name!r}"
        )
        raise InputError(message)
    return route
