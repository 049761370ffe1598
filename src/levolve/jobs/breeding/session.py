"""`Session`: interactive evolution. A sheet of levels, picks, the next sheet; nothing is lost by
undo, and a saved session replays exactly.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from levolve.core.errors import InputError, shown
from levolve.formats.reading.data import parse_json
from levolve.formats.reading.files import read_text
from levolve.formats.writing import write_file
from levolve.jobs.breeding.actions import (
    NONE,
    Action,
    Adjust,
    Advance,
    Cross,
    Lock,
    MoreLike,
    Next,
    PaintCells,
    Pick,
    Unlock,
    parse_cells,
    parse_generations,
    parse_picks,
    parse_share,
    parse_tiles,
)
from levolve.jobs.breeding.breeder import Breeder
from levolve.jobs.breeding.moments import Moment, Moments, after
from levolve.jobs.breeding.session_data import (
    SESSION_VERSION,
    Tree,
    TreeNode,
    TreeSheet,
    check_room,
    differs,
    read_data,
    tree_data,
    tree_from,
)
from levolve.jobs.breeding.sheet import PICK_SCORES
from levolve.jobs.memory import check_memory
from levolve.levels.level import Level
from levolve.levels.places import Place
from levolve.recipes.recipe import Recipe
from levolve.search.problem import choose_seed
from levolve.search.strategies import STRATEGIES

__all__ = ["SESSION_VERSION", "Session", "TreeSheet"]

FEWEST, MOST = 2, 48
WILDNESS = 0.3


class Session:
    """A breeding session. `levels` is the sheet; `pick` says what is good about it, `next` breeds
    the next one.

    Parameters
    ----------
    recipe
        What the levels are like.
    seed
        From 0 to 2**64 - 1; by default a random one. The same seed and actions give the same
        levels.
    sheet
        Levels per sheet, from 2 to 48. A sheet has fewer where no more winnable ones were found.
    wildness
        How much children differ from their parents, from 0 to 1.
    blend
        How much the objective of the recipe counts beside the picks, from 0 to 1.
    strategy
        The strategy that takes the picks, by its name; the recipe's own keeps its settings.
    """

    def __init__(
        self,
        recipe: Recipe,
        seed: int | None = None,
        *,
        sheet: int = 12,
        wildness: float = WILDNESS,
        blend: float = 0.0,
        strategy: str = "picks",
    ) -> None:
        """Begin with the first sheet."""
        if isinstance(sheet, bool) or not isinstance(sheet, int) or not FEWEST <= sheet <= MOST:
            raise InputError(
                f"sheet: expected a whole number of levels from {FEWEST} to {MOST}, got "
                f"{shown(sheet)}"
            )
        STRATEGIES[strategy]
        check_memory(recipe)
        # What `levolve meta` may vary would refer to settings of another strategy.
        recipe = (
            recipe.changed({"vary": None, "meta": None}) if recipe.vary or recipe.meta else recipe
        )
        self._breeder = Breeder(recipe, choose_seed(seed), sheet, strategy)
        self._tree = Tree()
        self._moments = Moments(
            self._breeder, parse_share("wildness", wildness), parse_share("blend", blend)
        )
        self._moments.at(self._tree.at)

    @property
    def recipe(self) -> Recipe:
        """What the levels are like."""
        return self._breeder.recipe

    @property
    def seed(self) -> int:
        """The seed of everything random."""
        return self._breeder.seed

    @property
    def levels(self) -> list[Level]:
        """The sheet: winnable levels, no two equal, each with its solution and origin."""
        return list(self._now.sheet.levels)

    @property
    def picks(self) -> Mapping[int, str]:
        """The picks on this sheet, by place."""
        return MappingProxyType(dict(self._now.picks))

    @property
    def locked(self) -> Mapping[Place, str]:
        """The locked cells, (x, y), each with the character of its tile."""
        return MappingProxyType(dict(self._now.locks))

    @property
    def generation(self) -> int:
        """The generations of evolution that led to this sheet; 0 for the first."""
        return self._tree.at.generation

    @property
    def number(self) -> int:
        """The number of this sheet in the tree; the first is 0."""
        return self._tree.sheet_of(self._tree.at).sheet or 0

    @property
    def tree(self) -> list[TreeSheet]:
        """All sheets of the session, in the order in which they were bred. Each knows the one it
        was bred from.
        """
        found = []
        for node in self._tree.sheets:
            above = None if node.parent is None else self._tree.sheet_of(node.parent).sheet
            found.append(TreeSheet(node, above, self._moments))
        return found

    @property
    def digest(self) -> str:
        """Sha256 over the levels of the sheet, in their order."""
        return self._now.sheet.digest

    @property
    def wildness(self) -> float:
        """How much the children on the next sheet differ from their parents, from 0 (one gene) to 1
        (three genes in ten).
        """
        return self._now.wildness

    @wildness.setter
    def wildness(self, value: float) -> None:
        self.act(Adjust("wildness", parse_share("wildness", value)))

    @property
    def blend(self) -> float:
        """How much the objective of the recipe counts beside the picks, from 0 (not at all) to 1
        (alone, apart from "love" and "never").
        """
        return self._now.blend

    @blend.setter
    def blend(self, value: float) -> None:
        self.act(Adjust("blend", parse_share("blend", value)))

    def pick(self, picks: Mapping[int, str] | list[int]) -> None:
        """Say what is good about this sheet.

        Parameters
        ----------
        picks
            Words by place, the first of which is 0: "love" (a parent that also returns on the next
            sheet), "like" (a parent), "never" (no parent, even if nothing is picked), "none" (takes
            a pick back). A list of places means "like".
        """
        self.act(Pick(parse_picks(picks)))

    def next(self) -> list[Level]:
        """Breed the next sheet from this one and its picks. Without picks, all levels but those
        picked "never" are parents.
        """
        self.act(Next())
        return self.levels

    def cross(self, first: int, second: int) -> list[Level]:
        """Breed the next sheet from the levels at two places: every level is a child of both. Other
        picks do not count.
        """
        self.act(Cross((first, second)))
        return self.levels

    def more_like(self, place: int) -> list[Level]:
        """Evolve the next sheet towards the tile patterns of the level at a place, for a few
        generations. Copies of it are not wanted.
        """
        self.act(MoreLike(place))
        return self.levels

    def advance(self, generations: int) -> list[Level]:
        """Let evolution run for some generations, and show the sheet after them.

        Levels score by the objective of the recipe and by their likeness to the loved and liked
        levels of this sheet; `blend` is the weight of the objective. Without picks, the objective
        alone counts.

        Parameters
        ----------
        generations
            From 1 to 500.
        """
        self.act(Advance(parse_generations(generations)))
        return self.levels

    def paint(self, place: int, cells: object, tile: object = None, *, lock: bool = False) -> None:
        """Change tiles of a level of this sheet by hand; evolution continues from it. It is loved,
        unless it has a pick.

        Parameters
        ----------
        place
            The level of this sheet.
        cells
            A list of cells (x, y), a text such as "3,4 5,6" or "3,4..8,6", or a mapping of cells to
            tiles.
        tile
            The name or the character of the tile that the cells get.
        lock
            Whether the cells also stay as painted, on all later sheets.
        """
        self._now.check_place("place", place)
        self.act(
            PaintCells(
                place, parse_tiles(cells, tile, self._now.sheet.levels[place].tileset), bool(lock)
            )
        )

    def lock(self, cells: object, place: int | None = None) -> None:
        """Keep cells as they are, on all later sheets.

        Parameters
        ----------
        cells
            A list of cells (x, y), or a text such as "3,4 5,6" or "3,4..8,6", which is a rectangle.
        place
            The level of this sheet whose cells to keep; by default the one with the best pick, or
            else the first.
        """
        if place is None:
            place = max(
                range(len(self._now.sheet.levels)),
                key=lambda one: PICK_SCORES[self._now.picks.get(one, NONE)],
            )
        self.act(Lock(parse_cells(cells), place))

    def unlock(self, cells: object = None) -> None:
        """Let locked cells vary again; by default all of them."""
        if cells is None and not self._now.locks:
            raise InputError("unlock: expected locked cells, but none is locked")
        self.act(Unlock(tuple(self._now.locks) if cells is None else parse_cells(cells)))

    def undo(self) -> None:
        """Go back by one action."""
        before = self._tree.before
        if before is None:
            raise InputError("undo: expected an action before it, but there is nothing to undo")
        self._visit(before)

    def redo(self) -> None:
        """Go forward by one action on this branch."""
        following = self._tree.after
        if following is None:
            raise InputError(
                "redo: expected an action that was undone before it, but there is nothing to redo"
            )
        self._visit(following)

    def go(self, number: int) -> list[Level]:
        """Return to any sheet of the tree by its number, as it was when it was bred."""
        self._visit(self._tree.find(number))
        return self.levels

    @property
    def can_undo(self) -> bool:
        """Whether there is an action to undo."""
        return self._tree.before is not None

    @property
    def can_redo(self) -> bool:
        """Whether there is an action to redo."""
        return self._tree.after is not None

    def to_data(self) -> dict[str, Any]:
        """The session as plain data that JSON can hold, with all branches; `levolve.breed` replays
        it to the same levels.
        """
        return {
            **self._moments.first_data,
            **tree_data(self._tree),
            "digest": self.digest,
        }

    def save(self, path: str | Path) -> Path:
        """Write the session into a JSON file."""
        return write_file(path, (json.dumps(self.to_data(), indent=2) + "\n").encode())

    @classmethod
    def from_data(cls, data: Mapping[str, Any], source: str = "session") -> Session:
        """Replay a session from what `to_data` gave. Only the sheets that lead to the current one
        are bred; others are when they are visited.
        """
        given = read_data(data, source)
        try:
            session = cls(given.recipe, given.seed, **given.settings)
            first = session._now
            session._tree = tree_from(given)
            session._moments.clear()
            session._moments.keep(session._tree.nodes[0], first)
            session._moments.at(session._tree.at)
        except InputError as problem:
            raise InputError(f"{source}: {problem}") from problem
        if given.digest is not None and given.digest != session.digest:
            raise InputError(
                f"{source}: {differs(given.digest, session.digest, given.version, given.engine)}"
            )
        return session

    @classmethod
    def read(cls, path: str | Path) -> Session:
        """Replay a session from a JSON file."""
        data = parse_json(
            read_text(path), f"session {path}: expected a JSON file that 'save' of a session wrote"
        )
        if not isinstance(data, dict):
            raise InputError(
                f"session {path}: expected data of a session, got {type(data).__name__}"
            )
        return cls.from_data(data, f"session {path}")

    @property
    def _now(self) -> Moment:
        return self._moments.at(self._tree.at)

    def _visit(self, node: TreeNode) -> None:
        """Go to a node, if it can be bred again."""
        self._moments.at(node)
        self._tree.go(node)

    def act(self, action: Action) -> None:
        """Carry out an action, given as data; one that fails changes nothing. The methods above do
        so with their arguments.
        """
        check_room(self._tree, action)
        moment = after(
            self._breeder, self._now, action, lambda: self._moments.data(self._tree.at, action)
        )
        self._moments.keep(self._tree.act(action), moment)
