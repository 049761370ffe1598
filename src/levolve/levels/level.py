"""`Level`: an immutable level with its solution and its origin.

The border of a level: whether it is closed, and a closed one added.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from levolve.core.display import DRAWERS, Displayed
from levolve.core.errors import InputError, PlaceError
from levolve.levels import checker, text_form
from levolve.levels.areas import Area, check_areas
from levolve.levels.floors import check_floors, floor_of
from levolve.levels.frame import Frame, check_size
from levolve.levels.goal import Goal, default_goal
from levolve.levels.grid import MOVES, USE, Grid, check_moves, frozen_tiles, read_tiles
from levolve.levels.places import (
    ENTRANCE,
    EXIT,
    TOUR,
    Place,
    check_places,
    is_checkpoint,
    ordered_places,
)
from levolve.levels.things import checking
from levolve.levels.things.certificate import Certificate
from levolve.levels.things.kinds import Kind
from levolve.levels.things.thing import Thing, check_things, checked_kinds, checked_things, kinds_of
from levolve.levels.tileset import WALLS, Tileset

if TYPE_CHECKING:
    from levolve.levels.things.proof import Proof


@dataclass(frozen=True)
class Origin:
    """How a level was generated: the complete recipe as JSON, the seed, the level's index in the
    run (0 is the best), and the version of levolve.

    `engine` identifies the sources that determined the result (`levolve.version`); files of version
    0.1.0 have none, and it is empty. `plugins` are the names and versions of the plug-ins that the
    recipe uses; for most levels it is empty.
    """

    recipe_text: str
    seed: int
    index: int
    version: str
    plugins: tuple[tuple[str, str], ...] = ()
    engine: str = ""

    @classmethod
    def of(
        cls,
        recipe: Mapping[str, Any],
        seed: int,
        index: int,
        version: str,
        plugins: Mapping[str, str] | None = None,
        engine: str = "",
    ) -> "Origin":
        """Create an origin from a recipe as plain data."""
        text = json.dumps(recipe, sort_keys=True)
        return cls(text, seed, index, version, tuple(sorted((plugins or {}).items())), engine)

    @property
    def recipe(self) -> dict[str, Any]:
        """The recipe as plain data."""
        data: dict[str, Any] = json.loads(self.recipe_text)
        return data


@dataclass(frozen=True, eq=False)
class Level(Displayed, Grid):
    r"""One level. Two levels are equal if their tiles, tileset, places, goal, things and kinds are
    equal; nothing else counts.

    Parameters
    ----------
    tiles
        `(height, width)` kinds of the tileset, integers from 0.
    places
        Cells (x, y) by name: entrance, exit, A, B, C, or "checkpoint N".
    tileset
        The kinds of tiles, and the legal steps between them.
    solution
        Moves u, d, l, r, and x to use a thing; None if no solution is known.
    origin
        How the level was generated; None if unknown.
    goal
        How the level is won. By default it follows from the places: from the entrance to the exit,
        or from A via B to C.
    areas
        Rooms, corridors and doorways, if the level is made of rooms; see `levels.areas`.
    puzzle
        If the tiles are a position of a puzzle: its name and what tiles and places cannot show, as
        JSON. Empty for levels.
    things
        Keys, doors, levers, monsters and other things in the level.
    kinds
        Kinds of things of the level's own, by name; registered kinds need no entry.
    certificate
        Why the level cannot be lost; None if no certificate is known.
    floors
        The number of floors: equal bands of rows, each separated from the next by a row of wall;
        see `levels.floors`.

    >>> level = Level.from_text("S.#\n..1\n#.E")
    >>> level.entrance, level.exit, level.checkpoints
    ((0, 0), (2, 2), ((2, 1),))
    >>> level.with_solution("rdrd").check()
    """

    tiles: NDArray[np.uint8]
    places: Mapping[str, Place] = field(default_factory=dict)
    tileset: Tileset = WALLS
    solution: str | None = None
    origin: Origin | None = None
    goal: Goal = None  # type: ignore[assignment] # replaced by the goal that follows from the places
    areas: tuple[Area, ...] = ()
    puzzle: str = ""
    things: tuple[Thing, ...] = ()
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    certificate: Certificate | None = None
    floors: int = 1

    def __post_init__(self) -> None:
        """Check all arguments, and make the tiles read-only."""
        object.__setattr__(self, "tiles", _checked_tiles(self.tiles, self.tileset))
        object.__setattr__(self, "places", ordered_places(self.places))
        check_places(self.places, self.width, self.height)
        if self.goal is None:
            object.__setattr__(self, "goal", default_goal(self.places))
        for name in dict.fromkeys((ENTRANCE, EXIT, *TOUR, *self.goal.stops_in(self.places))):
            if name in self.places:
                x, y = self.places[name]
                kind = int(self.tiles[y, x])
                if not self.tileset.may_stand(kind):
                    raise PlaceError(
                        f"{name}: expected a walkable tile, got {self.tileset.names[kind]} at "
                        f"{x},{y}; move the {name} or open that tile"
                    )
        check_areas(self.areas, self.width, self.height)
        self._check_things()
        if self.floors != 1:
            check_floors(self.floors, self.walkable)
        check_moves(self.solution, MOVES + USE if self.things else MOVES)

    def _check_things(self) -> None:
        object.__setattr__(self, "things", checked_things(self.things))
        object.__setattr__(self, "kinds", checked_kinds(self.kinds, self.things))
        if self.things:
            check_things(
                self.things,
                self.kinds,
                (self.height, self.width),
                self.walkable.tolist(),
                self.goal.route(self.places) or (),
            )

    def __reduce__(self) -> tuple[Any, ...]:
        """Support copying and pickling."""
        return Level, (
            self.tiles,
            dict(self.places),
            self.tileset,
            self.solution,
            self.origin,
            self.goal,
            self.areas,
            self.puzzle,
            self.things,
            dict(self.kinds),
            self.certificate,
            self.floors,
        )

    @classmethod
    def from_text(cls, source: str) -> "Level":
        """Parse the text form: one character per cell, then `key: value` lines for everything else.
        See `to_text`.
        """
        return cls.from_parsed(text_form.parse(source))

    @classmethod
    def from_parsed(
        cls, parsed: text_form.Parsed, certificate: Certificate | None = None
    ) -> "Level":
        """Create a level from a parsed text."""
        return cls(
            parsed.tiles,
            parsed.places,
            parsed.tileset,
            parsed.solution,
            goal=parsed.goal,
            things=parsed.things,
            kinds=parsed.kinds,
            certificate=certificate,
            floors=parsed.floors,
        )

    def to_text(self) -> str:
        """Return the text form: one character per cell, then `key: x,y` lines for places that
        cannot be drawn, and `thing: KIND x,y` lines for things. It is lossless.
        """
        return text_form.draw(
            self.tiles, self.places, self.tileset, self.goal, self.things, self.kinds, self.floors
        )

    def __repr__(self) -> str:
        """Return size, tileset and digest."""
        return f"<Level {self.width}x{self.height} {self.tileset.name} {self.digest[:12]}>"

    def _picture(self) -> bytes:
        return DRAWERS["level"](self)

    @property
    def frame(self) -> Frame:
        """The size, the places and the goal."""
        return Frame(
            self.width, self.height, self.places, goal=self.goal, things=self.has_mechanics
        )

    @property
    def entrance(self) -> Place | None:
        """The start of the path, (x, y); None if there is none."""
        return self.places.get(ENTRANCE)

    @property
    def exit(self) -> Place | None:
        """The end of the path, (x, y); None if there is none."""
        return self.places.get(EXIT)

    @property
    def checkpoints(self) -> tuple[Place, ...]:
        """The checkpoints in order of number, each (x, y)."""
        return tuple(place for name, place in self.places.items() if is_checkpoint(name))

    @property
    def walkable(self) -> NDArray[np.bool_]:
        """`(height, width)` whether a player may stand on each cell."""
        kinds = range(len(self.tileset.characters))
        return np.array([self.tileset.may_stand(kind) for kind in kinds])[self.tiles]

    @property
    def has_mechanics(self) -> bool:
        """Whether things change what a player can do, so that a path alone is no proof."""
        return any(kind.acts for kind in kinds_of(self.things, self.kinds).values())

    def with_solution(
        self, solution: str | None, certificate: Certificate | None = None
    ) -> "Level":
        """Return the same level with this solution and certificate."""
        check_moves(solution, MOVES + USE if self.things else MOVES)
        return self._with({"solution": solution, "certificate": certificate})

    def with_things(
        self, things: Iterable[Thing], kinds: Mapping[str, Kind] | None = None
    ) -> "Level":
        """Return the same tiles and places with other things; without solution and origin."""
        return Level(
            self.tiles,
            self.places,
            self.tileset,
            goal=self.goal,
            areas=self.areas,
            things=tuple(things),
            kinds=self.kinds if kinds is None else kinds,
            floors=self.floors,
        )

    def with_origin(self, origin: Origin | None) -> "Level":
        """Return the same level with this origin."""
        return self._with({"origin": origin})

    def _with(self, changes: Mapping[str, object]) -> "Level":
        """Return the same level with other values of some attributes. The others have been
        checked.
        """
        copy = object.__new__(type(self))
        for each in fields(self):
            value = changes.get(each.name, getattr(self, each.name))
            object.__setattr__(copy, each.name, value)
        return copy

    def prove(self, states: int | None = None) -> "Proof":
        """Decide whether the level can be won, and whether it can be lost; by default with at most
        2**24 states, which may take minutes. Levels that are read are proven with 2**18.
        """
        from levolve.levels.things import proof

        return proof.prove(self, proof.PROVEN if states is None else states)

    def check(self, *, loss: bool = False) -> None:
        """Replay the solution move by move; raise `ProofError` unless it wins the level and, if
        things act in the level, its certificate proves that the level cannot be lost.

        With `loss`, the level may be one that can be lost: only the solution is replayed.
        """
        if self.has_mechanics and self.goal.stops:
            checking.check(self, loss=loss)
            return
        checker.check(
            self.tiles.tolist(),
            self.tileset.steps,
            dict(self.places),
            self.goal.stops,
            self.solution,
        )


def _checked_tiles(tiles: ArrayLike, tileset: Tileset) -> NDArray[np.uint8]:
    array = read_tiles(tiles)
    height, width = array.shape
    check_size(width, height, "tiles")
    if array.min() < 0 or array.max() >= len(tileset.characters):
        raise InputError(
            f"tiles: expected numbers from 0 to {len(tileset.characters) - 1} for the tileset "
            f"{tileset.name!r}, got {array.min()} to {array.max()}"
        )
    return frozen_tiles(array)


def has_closed_border(level: Level) -> bool:
    """Whether no cell at the edge of the level is walkable."""
    walkable = level.walkable
    return not (
        walkable[0].any() or walkable[-1].any() or walkable[:, 0].any() or walkable[:, -1].any()
    )


def with_border(level: Level) -> Level:
    """Return the level with one wall more on each side and the same solution; a level whose border
    is closed is returned unchanged.

    The new level has no origin, because its recipe gives the level without the border.
    """
    if has_closed_border(level):
        return level
    if level.tileset.wall is None:
        raise InputError(
            f"frame: expected a level with walls, got one of the tileset {level.tileset.name!r}, "
            "in which every tile is walkable"
        )
    band = (level.height + 1) // level.floors

    def moved(cell: Place) -> Place:
        return cell[0] + 1, cell[1] + 1 + 2 * floor_of(level, cell)

    rows = [
        np.pad(level.tiles[top : top + band - 1], 1, constant_values=level.tileset.wall)
        for top in range(0, level.height, band)
    ]
    between = np.full((1, level.width + 2), level.tileset.wall, np.uint8)
    parts = [part for tiles in rows for part in (tiles, between)]
    return Level(
        np.concatenate(parts[:-1]),
        {name: moved(cell) for name, cell in level.places.items()},
        level.tileset,
        level.solution,
        None,
        level.goal,
        tuple(area.moved(1, moved((area.x, area.y))[1] - area.y) for area in level.areas),
        things=tuple(
            thing.moved(1, moved(thing.cell)[1] - thing.cell[1]) for thing in level.things
        ),
        kinds=level.kinds,
        floors=level.floors,
    )
