"""`Level`: one level, immutable, with everything that belongs to it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from levolve.errors import InputError, PlaceError
from levolve.levels import checker, text
from levolve.levels.frame import ENTRANCE, EXIT, TOUR, Frame, Place, check_places, check_size, ordered_places
from levolve.levels.grid import Grid, check_moves, frozen_tiles, read_tiles
from levolve.levels.tileset import TILESETS, Tileset


@dataclass(frozen=True)
class Origin:
    """How a level was grown: the whole recipe as JSON, the seed, which of the run's levels it is (0: the best), and the version that grew it."""

    recipe_text: str
    seed: int
    index: int
    version: str

    @classmethod
    def of(cls, recipe: Mapping[str, Any], seed: int, index: int, version: str) -> "Origin":
        """An origin from a recipe as plain data."""
        return cls(json.dumps(recipe, sort_keys=True), seed, index, version)

    @property
    def recipe(self) -> dict[str, Any]:
        """The recipe as plain data."""
        data: dict[str, Any] = json.loads(self.recipe_text)
        return data


@dataclass(frozen=True, eq=False)
class Level(Grid):
    r"""One level. Two levels are equal when tiles, tileset and places are; the solution and the origin are *about* the level.

    >>> level = Level.from_text("S.#\n..1\n#.E")
    >>> level.entrance, level.exit, level.checkpoints
    ((0, 0), (2, 2), ((2, 1),))
    >>> level.with_solution("rdrd").check()
    """

    tiles: NDArray[np.uint8]
    places: Mapping[str, Place] = field(default_factory=dict)
    tileset: Tileset = TILESETS["walls"]
    solution: str | None = None
    origin: Origin | None = None

    def __post_init__(self) -> None:
        """Check every part, and make the tiles unchangeable."""
        object.__setattr__(self, "tiles", _checked_tiles(self.tiles, self.tileset))
        object.__setattr__(self, "places", ordered_places(self.places))
        check_places(self.places, self.width, self.height)
        for name in (ENTRANCE, EXIT, *TOUR):
            if name in self.places:
                x, y = self.places[name]
                kind = int(self.tiles[y, x])
                if not self.tileset.may_stand(kind):
                    message = (
                        f"{name}: expected a tile that can be stood on, got {self.tileset.names[kind]} at {x},{y}; move the {name} or open that tile"
                    )
                    raise PlaceError(message)
        check_moves(self.solution)

    def __reduce__(self) -> tuple[Any, ...]:
        """A level can be copied and sent to other processes."""
        return Level, (self.tiles, dict(self.places), self.tileset, self.solution, self.origin)

    @classmethod
    def from_text(cls, source: str) -> "Level":
        """Read the text form: one character a cell, then `key: value` lines for what cannot be drawn. See `to_text`."""
        parsed = text.parse(source)
        return cls(parsed.tiles, parsed.places, parsed.tileset, parsed.solution)

    def to_text(self) -> str:
        """One character a cell; places that cannot be drawn into the picture follow as `key: x,y` lines. Nothing of the level is lost."""
        return text.draw(self.tiles, self.places, self.tileset)

    def __repr__(self) -> str:
        """Size, tileset and digest."""
        return f"<Level {self.width}x{self.height} {self.tileset.name} {self.digest[:12]}>"

    @property
    def frame(self) -> Frame:
        """The size and the places."""
        return Frame(self.width, self.height, self.places)

    @property
    def entrance(self) -> Place | None:
        """Where a walk begins, (x, y)."""
        return self.places.get(ENTRANCE)

    @property
    def exit(self) -> Place | None:
        """Where a walk ends, (x, y)."""
        return self.places.get(EXIT)

    @property
    def checkpoints(self) -> tuple[Place, ...]:
        """The checkpoints by number, each (x, y)."""
        return self.frame.checkpoints

    def with_solution(self, solution: str | None) -> "Level":
        """The same level with this solution."""
        return replace(self, solution=solution)

    def with_origin(self, origin: Origin | None) -> "Level":
        """The same level with this origin."""
        return replace(self, origin=origin)

    def check(self) -> None:
        """Replay the solution move by move; raise `ProofError` unless it wins the level."""
        checker.check(self.tiles.tolist(), self.tileset.steps, dict(self.places), self.solution)


def _checked_tiles(tiles: ArrayLike, tileset: Tileset) -> NDArray[np.uint8]:
    array = read_tiles(tiles)
    height, width = array.shape
    check_size(width, height, "tiles")
    if array.min() < 0 or array.max() >= len(tileset.characters):
        message = (
            f"tiles: expected numbers from 0 to {len(tileset.characters) - 1} for the tileset {tileset.name!r}, got {array.min()} to {array.max()}"
        )
        raise InputError(message)
    return frozen_tiles(array)
