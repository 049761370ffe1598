"""`Moment`: a session between two actions. `Moments`: those of a session that are kept.

`Automatic`: scores for generations of a session that nobody sees, from the objective and from what
was picked before.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from levolve.core.errors import InputError, shown
from levolve.jobs.breeding.actions import (
    LIKE,
    LOVE,
    NEVER,
    NONE,
    Action,
    Adjust,
    Advance,
    Cross,
    Lock,
    MoreLike,
    PaintCells,
    Pick,
    Unlock,
)
from levolve.jobs.breeding.session_data import TreeNode, differs, first_data
from levolve.jobs.breeding.sheet import (
    NOT_SHOWN,
    PICK_SCORES,
    PROPOSALS,
    Setup,
    Sheet,
    first_starts,
    painted_individual,
    painted_tiles,
    ranks,
)
from levolve.levels.batch import Batch
from levolve.levels.level import Level, Origin
from levolve.levels.measures.structure_features import unwinnable
from levolve.levels.places import Place
from levolve.levels.style import rows_of, style_of, tiles_of
from levolve.search.objectives.likeness import Likeness
from levolve.search.problem import Evaluation
from levolve.version import ENGINE, VERSION

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.jobs.breeding.breeder import Breeder
    from levolve.levels.frame import Examples
    from levolve.search.genotypes.gene_space import Genes
    from levolve.search.level_problem import LevelProblem

# Moments that are kept at most; others are bred again when they are visited. Of large levels, fewer
# are kept.
MOST_MOMENTS, LEAST_MOMENTS, MOST_CELLS = 512, 4, 1 << 30
# The data of the session after the action, for the origins of the levels that it makes.
OriginData = Callable[[], Mapping[str, Any]]


@dataclass(frozen=True)
class Moment:
    """A session between two actions."""

    sheet: Sheet
    picks: Mapping[int, str]
    locks: Mapping[Place, str]
    wildness: float
    blend: float

    @property
    def setup(self) -> Setup:
        """How the next sheet is proposed."""
        return Setup(tuple(sorted(self.locks.items())), self.wildness)

    def check_place(self, argument: str, place: object) -> None:
        """Raise `InputError` for what is no place of the sheet."""
        most = len(self.sheet.levels) - 1
        if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place <= most:
            raise InputError(
                f"{argument}: expected a place of the sheet, from 0 to {most}, got {shown(place)}"
            )


def after(breeder: Breeder, now: Moment, action: Action, data: OriginData) -> Moment:
    """The moment after an action; raises `InputError` if the action is not possible."""
    if action.generations:
        return replace(now, sheet=_bred(breeder, now, action, data()), picks={})
    match action:
        case Pick(picks):
            return replace(now, picks=_picked(now, picks))
        case Lock(cells, place):
            return replace(now, locks=_locked(breeder, now, cells, place))
        case Unlock(cells):
            return replace(now, locks=_unlocked(now, cells))
        case Adjust(setting, value):
            return (
                replace(now, wildness=value) if setting == "wildness" else replace(now, blend=value)
            )
        case PaintCells():
            return _painted(breeder, now, action, data)
    raise InputError(f"action: expected one of a session, got {action.kind}")


def _bred(breeder: Breeder, now: Moment, action: Action, data: Mapping[str, Any]) -> Sheet:
    """The next sheet."""
    sheet, picks, setup = now.sheet, now.picks, now.setup
    match action:
        case Cross(places):
            for place in places:
                now.check_place("places", place)
            if places[0] == places[1]:
                raise InputError(
                    f"places: expected two different places of the sheet, got {places[0]} twice"
                )
            return breeder.crossing(sheet, places, now.blend, replace(setup, mates=True), data)
        case Advance(generations):
            return breeder.evolving(
                sheet, picks, _examples(now), generations, now.blend, setup, data
            )
        case MoreLike(place):
            now.check_place("place", place)
            level = sheet.levels[place]
            like = (rows_of(level),)
            tiles_of(like[0], level.tileset)
            # Everything but "never" is a parent, and the example returns for comparison.
            parents = {**dict.fromkeys(range(len(sheet.levels)), LIKE), **picks, place: LOVE}
            return breeder.evolving(
                sheet,
                parents,
                like,
                action.generations,
                now.blend,
                breeder.style_setup(setup, like),
                data,
            )
    return breeder.following(sheet, picks, now.blend, setup, data)


def _examples(now: Moment) -> Examples:
    """The levels that are loved or liked, as far as they have a style: levels smaller than a
    pattern have none.
    """
    picked = [now.sheet.levels[place] for place, word in now.picks.items() if word != NEVER]
    return tuple(rows_of(level) for level in picked if _has_style(level))


def _has_style(level: Level) -> bool:
    try:
        tiles_of(rows_of(level), level.tileset)
    except InputError:
        return False
    return True


def _picked(now: Moment, picks: tuple[tuple[int, str], ...]) -> dict[int, str]:
    for place, _ in picks:
        now.check_place("picks", place)
    merged = {**now.picks, **dict(picks)}
    return {place: word for place, word in sorted(merged.items()) if word != NONE}


def _unlocked(now: Moment, cells: tuple[Place, ...]) -> dict[Place, str]:
    for x, y in cells:
        if (x, y) not in now.locks:
            raise InputError(f"unlock: expected a locked cell, got {x},{y}, which is not locked")
    taken = set(cells)
    return {cell: sign for cell, sign in now.locks.items() if cell not in taken}


def _locked(
    breeder: Breeder, now: Moment, cells: tuple[Place, ...], place: int
) -> dict[Place, str]:
    """The locks with some more; those that no level could satisfy are refused."""
    now.check_place("place", place)
    level = now.sheet.levels[place]
    for x, y in cells:
        if not (0 <= x < level.width and 0 <= y < level.height):
            raise InputError(
                f"lock: expected cells inside the {level.width}x{level.height} level, got {x},{y}"
            )
    locks = {**now.locks, **{(x, y): level.tileset.characters[level.tiles[y, x]] for x, y in cells}}
    # A frame checks what it is to keep.
    _ = breeder.recipe_for(replace(now, locks=locks).setup).frame
    return locks


def _painted(breeder: Breeder, now: Moment, action: PaintCells, data: OriginData) -> Moment:
    """The sheet with a level changed by hand. It becomes a parent that returns, unless it has a
    pick.
    """
    place = action.place
    now.check_place("place", place)
    level = painted_tiles(now.sheet.levels[place], action, now.locks)
    locks = {
        **now.locks,
        **({cell: sign for sign, cells in action.tiles for cell in cells} if action.lock else {}),
    }
    recipe = breeder.recipe_for(replace(now, locks=locks).setup)
    genes, proven = painted_individual(level, recipe)
    twin = next(
        (
            number
            for number, other in enumerate(now.sheet.levels)
            if other == proven and number != place
        ),
        None,
    )
    if twin is not None:
        raise InputError(
            "paint: expected a level that differs from all others of the sheet, got one equal "
            f"to that at place {twin}"
        )
    old = now.sheet.levels[place].origin
    plugins = dict(old.plugins) if old else {}
    made = {"name": breeder.recipe.name, "session": data()}
    origin = Origin.of(made, breeder.seed, place, VERSION, plugins, ENGINE)
    levels = list(now.sheet.levels)
    levels[place] = proven.with_origin(origin)
    sheet = replace(now.sheet, levels=tuple(levels), painted={**now.sheet.painted, place: genes})
    return replace(
        now, sheet=sheet, locks=locks, picks=dict(sorted({place: LOVE, **now.picks}.items()))
    )


# The share of winnable individuals that become parents.
PARENTS = 0.25
# The share of cells in which a level differs from every example, if it is no copy.
ORIGINALITY = 0.1


class Moments:
    """The moments of a session by the nodes of its tree: those that were visited last are kept."""

    def __init__(self, breeder: Breeder, wildness: float, blend: float) -> None:
        """Start empty; `wildness` and `blend` are those of the first sheet."""
        self._breeder, self._wildness, self._blend = breeder, wildness, blend
        self._kept: OrderedDict[TreeNode, Moment] = OrderedDict()
        width, height = breeder.recipe.size
        cells = PROPOSALS * breeder.size * width * height
        self._room = max(LEAST_MOMENTS, min(MOST_MOMENTS, MOST_CELLS // cells))

    def __len__(self) -> int:
        """Return the number of moments that are kept."""
        return len(self._kept)

    def clear(self) -> None:
        """Keep none."""
        self._kept.clear()

    @property
    def first_data(self) -> dict[str, Any]:
        """The session before its first action, as data."""
        return first_data(self._breeder, self._wildness, self._blend)

    def data(self, node: TreeNode | None, action: Action) -> dict[str, Any]:
        """The session as far as the levels of a sheet depend on it: the actions that led to a node,
        and one more.
        """
        path = [] if node is None else node.path
        actions = [one.action.to_data() for one in path if one.action is not None]
        return self.first_data | {"actions": [*actions, action.to_data()]}

    def at(self, node: TreeNode) -> Moment:
        """The moment at a node: the one that is kept, or bred again from the last kept one before
        it.
        """
        missing = []
        above: TreeNode | None = node
        while above is not None and above not in self._kept:
            missing.append(above)
            above = above.parent
        moment = None if above is None else self._kept[above]
        for one in reversed(missing):
            moment = self.keep(one, self._again(one, moment))
        found = moment if moment is not None else self._kept[node]
        self._kept.move_to_end(node)
        return found

    def _again(self, node: TreeNode, before: Moment | None) -> Moment:
        """The moment at a node, from the one before it."""
        action = node.action
        if before is not None and action is not None:
            return after(self._breeder, before, action, lambda: self.data(node.parent, action))
        data = self.first_data | {"actions": []}
        sheet = self._breeder.first(Setup((), self._wildness), self._blend, data)
        return Moment(sheet, {}, {}, self._wildness, self._blend)

    def keep(self, node: TreeNode, moment: Moment) -> Moment:
        """Keep a moment, and drop the one that was visited least recently; check the digest of a
        sheet that was bred again.
        """
        if node.sheet is not None:
            if node.digest not in {None, moment.sheet.digest}:
                raise InputError(differs(str(node.digest), moment.sheet.digest))
            node.digest = moment.sheet.digest
        self._kept[node] = moment
        if len(self._kept) > self._room:
            self._kept.popitem(last=False)
        return moment


@dataclass(frozen=True, eq=False)
class Automatic:
    """Scores individuals by (1 - blend) * rank of the likeness to examples + blend * rank by the
    objective; by the objective alone without examples.

    Parameters
    ----------
    problem
        The problem of the sheet, with its objective.
    examples
        What was picked, as rows of tiles.
    blend
        From 0 to 1.
    elites
        How many of the best individuals stay as they are.
    loved
        `(k, ...)` genes of individuals that stay in any case.
    """

    problem: LevelProblem
    examples: Examples
    blend: float
    elites: int
    loved: Genes

    def rate(self, genes: Genes) -> Evaluation:
        """Mixed ranks from 0 to 1, less than 0 for levels that cannot be won, `(n,)`."""
        by_likeness, by_objective = (
            bool(self.examples) and self.blend < 1,
            self.blend > 0 or not self.examples,
        )
        evaluation = (
            self.problem.evaluate(genes)
            if by_objective or self.problem.features
            else Evaluation(np.zeros(len(genes)))
        )
        mixed, batch = np.zeros(len(genes)), first_starts(self.problem).batch(genes)
        if by_likeness:
            mixed += (1 - self.blend) * ranks(self._likeness(batch))
        if by_objective:
            mixed += (self.blend if by_likeness else 1.0) * ranks(evaluation.scores)
        mixed[unwinnable(batch) > 0] = NOT_SHOWN
        return Evaluation(mixed, evaluation.features)

    def _likeness(self, batch: Batch) -> NDArray[np.float64]:
        """The likeness of levels to the examples; the levels are as they were decoded, without
        examples.
        """
        styled = Batch(
            replace(batch.frame, like=self.examples),
            batch.tiles,
            None,
            batch.tileset,
            batch.marks,
            best_marks=batch.best_marks,
        )
        styled.ends = batch.ends
        # A fixed share: a person picked the examples, so that near levels are welcome, not copies.
        share = ORIGINALITY / max(style_of(self.examples, batch.tileset).variety, ORIGINALITY)
        return Likeness(originality=share, way=0.0).value(styled)

    def evaluate(self, genes: Genes) -> Evaluation:
        """Scores of picks: the best quarter of the winnable are parents, the elites among them and
        the loved ones stay.
        """
        rated = self.rate(genes)
        scores = rated.scores
        won = scores >= 0
        places = ranks(scores[won])
        found = np.full(len(scores), NOT_SHOWN)
        found[won] = np.maximum(places - (1 - PARENTS), 0.0) / PARENTS
        for position in self._elites(genes, scores):
            found[position] = PICK_SCORES[LOVE]
        for one in self.loved:
            equal = (genes == one).all(axis=tuple(range(1, genes.ndim)))
            found[np.flatnonzero(equal)[:1]] = PICK_SCORES[LOVE] + 1
        return Evaluation(found, rated.features)

    def _elites(self, genes: Genes, scores: NDArray[np.float64]) -> list[int]:
        """The positions of the best winnable individuals, no two equal."""
        known: dict[bytes, int] = {}
        for position in np.argsort(-scores, kind="stable").tolist():
            if len(known) == self.elites or scores[position] < 0:
                break
            known.setdefault(genes[position].tobytes(), position)
        return list(known.values())
