"""`Game`: the base class of games."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from levolve.bridges.gymnasium.deck import Deck, Fields
from levolve.bridges.gymnasium.sources import LevelSource
from levolve.levels.grid import MOVES

Observations = dict[str, NDArray[Any]]


@dataclass(frozen=True, eq=False)
class MoveResults:
    """The results of one move of n players, arrays of their own for every move.

    `rewards` `(n,)` float64; `won`, `terminated`, `truncated` and `moved`, whether the move was legal, `(n,)` bool; `masks` `(n, 4)` int8, 1 for each
    move that is legal now.
    """

    rewards: NDArray[np.float64]
    won: NDArray[np.bool_]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    moved: NDArray[np.bool_]
    masks: NDArray[np.int8]

    @classmethod
    def empty(cls, players: int) -> "MoveResults":
        """Return arrays for a kernel to fill; `terminated` and `won` are one array."""
        won, truncated, moved = (np.zeros(players, np.bool_) for _ in range(3))
        return cls(np.zeros(players), won, won, truncated, moved, np.zeros((players, len(MOVES)), np.int8))


class Game(ABC):
    """The states of n players as arrays, `state`, and how they change.

    A subclass sets `kind`, the class of its levels; `fields` and `prepare` define the state at the start of a level; `move` calls a kernel;
    `observe` returns what players see, which `space` describes for one player.
    """

    kind: ClassVar[type[Any]]
    space: spaces.Dict
    fields: Fields

    def __init__(self, source: LevelSource, players: int) -> None:
        """Create the states; every player has to begin an episode before it is used."""
        self.source = source
        self.players = players
        self.set_up()
        self._deck = Deck(self.fields, lambda number: self.prepare(source.item(number)))
        self.state: dict[str, NDArray[Any]] = {name: np.zeros((players, *shape), dtype) for name, (shape, dtype) in self.fields.items()}

    def begin(self, which: NDArray[np.int64], numbers: NDArray[np.int64]) -> None:
        """Put players at the start of the levels of these numbers."""
        slots = self._deck.slots(numbers)
        for name, values in self.state.items():
            values[which] = self._deck.rows[name][slots]

    @property
    def default_steps(self) -> int:
        """The steps after which an episode is truncated by default: enough for long detours, and for twice every known solution."""
        return max(self.usual_steps(*self.source.size), *(2 * len(item.solution or "") for item in self.source.samples()))

    @classmethod
    def usual_steps(cls, width: int, height: int) -> int:
        """Return the default limit of steps for levels of this size."""
        return 4 * width * height

    @abstractmethod
    def set_up(self) -> None:
        """Set `space` and `fields`, given the source; raise `InputError` for levels that cannot be played together."""

    @abstractmethod
    def prepare(self, item: Any) -> Mapping[str, Any]:  # noqa: ANN401 a level of `kind`
        """Return the state at the start of a level, a value for each field."""

    @abstractmethod
    def move(self, actions: NDArray[np.int64], begins: NDArray[np.bool_], steps: NDArray[np.int64], most: int, cost: float) -> MoveResults:
        """Move all players but those that begin an episode, and return the results. See `levolve.kernels.play`."""

    @abstractmethod
    def observe(self) -> Observations:
        """Return the observations of all players, each an array of its own with players on the first axis."""
