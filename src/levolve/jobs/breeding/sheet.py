"""The sheet: levels that a search proposes, as far as they can be won, each once; and the scores
that picks give them.

Fresh winnable individuals, for the first sheet of a session. Painting: a level of the sheet that
was changed by hand, and the genes that write it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from levolve.core.errors import InputError, LevolveError
from levolve.jobs.breeding.actions import LIKE, LOVE, NEVER, NONE, PaintCells
from levolve.levels.frame import Examples
from levolve.levels.level import Level
from levolve.levels.measures.measuring import level_at
from levolve.levels.places import TOUR, Place
from levolve.levels.solver import explain_unwinnable, proven
from levolve.recipes.from_levels import recipe_that_encodes
from levolve.search.loop import GenerationScored, Limits, advance
from levolve.search.problem import Evaluation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from levolve.recipes.recipe import Recipe
    from levolve.search.genotypes.gene_space import Genes
    from levolve.search.level_problem import LevelProblem
    from levolve.search.search import State


Fixes = tuple[tuple[tuple[Place, str], ...], Examples]

# The scores of picks. What cannot be won, or has no place on the sheet, scores less than any pick.
PICK_SCORES = {LOVE: 2.0, LIKE: 1.0, NONE: 0.0, NEVER: -1.0}
# Proposals for each place of the sheet: children that cannot be won are replaced by later ones.
PROPOSALS = 16
NOT_SHOWN = -2.0


@dataclass(frozen=True)
class Setup:
    """How a sheet is proposed: the cells that are locked, (x, y) with the character of the tile,
    and how wild the children are.

    With `mates`, every child has two parents; `like` are example levels whose style the children
    have.
    """

    locks: tuple[tuple[Place, str], ...]
    wildness: float
    mates: bool = False
    like: Examples = ()

    @property
    def fixes(self) -> Fixes:
        """What decides which genes may vary: locked cells, and the borders that examples have in
        common.
        """
        return self.locks, self.like


@dataclass(frozen=True, eq=False)
class Sheet:
    """What is shown, and the state of the search that proposed it.

    `shown` holds the positions of the levels among the proposed individuals, in the order of the
    places; `painted` the genes of levels that were painted by hand, by place.
    """

    setup: Setup
    state: State
    shown: tuple[int, ...]
    levels: tuple[Level, ...]
    painted: Mapping[int, Genes] = field(default_factory=dict)

    @cached_property
    def digest(self) -> str:
        """Sha256 over the levels, in their order."""
        return hashlib.sha256("".join(level.digest for level in self.levels).encode()).hexdigest()

    def genes_of(self, proposed: Genes, places: Sequence[int]) -> Genes:
        """The genes of the levels at some places, from those that were proposed and painted, `(n,
        ...)`.
        """
        genes = proposed[[self.shown[place] for place in places]]
        for row, place in enumerate(places):
            if place in self.painted:
                genes[row] = self.painted[place]
        return genes


def first_starts(problem: LevelProblem) -> LevelProblem:
    """The problem without what is not shown: a genotype that tries each individual on several
    starts shows its level on the first.
    """
    genotype = problem.genotype
    if is_dataclass(genotype) and any(setting.name == "starts" for setting in fields(genotype)):
        return replace(problem, genotype=replace(genotype, starts=1))
    return problem


def winnable(problem: LevelProblem, genes: Genes) -> Iterator[tuple[int, Level]]:
    """The winnable levels among those of `(n, ...)` genes, each with its position and a solution
    that the independent checker has replayed.
    """
    batch = problem.batch(genes)
    for position in range(len(genes)):
        level = proven(level_at(batch, position))
        if level is not None:
            yield position, level


def choose(
    problem: LevelProblem,
    genes: Genes,
    order: Sequence[int],
    size: int,
    before: Sequence[Level],
    returning: int,
) -> dict[int, Level]:
    """The levels to show, by their positions among the genes: the first `size` of `order` that can
    be won and that no other one equals.

    Levels of the sheet `before` come only where nothing new is left, apart from the first
    `returning` positions, which are meant to return.
    """
    known, found, spare = set(before), dict[Level, int](), dict[Level, int]()
    for first in range(0, len(order), size):
        positions = np.array(order[first : first + size])
        for index, level in winnable(problem, genes[positions]):
            position = int(positions[index])
            (spare if level in known and position >= returning else found).setdefault(
                level, position
            )
            if len(found) == size:
                return _by_position(found)
    for level, position in spare.items():
        if len(found) < size:
            found.setdefault(level, position)
    return _by_position(found)


def _by_position(found: Mapping[Level, int]) -> dict[int, Level]:
    return dict(sorted((position, level) for level, position in found.items()))


def pick_scores(
    shown: Sequence[int], picks: Mapping[int, str], blend: float, objective: Evaluation
) -> Evaluation:
    """The picks of a sheet as an evaluation of all n individuals that were proposed for it.

    With a `blend` above 0, an objective is mixed in: a level that is liked or has no pick scores
    (1 - blend) * pick + blend * rank, where rank is the share of the other levels of the sheet that
    the objective rates lower. The rank only adds to the score of a loved level, and "never" stays
    never.

    Parameters
    ----------
    shown
        The positions of the levels of the sheet among the individuals, in the order of the places.
    picks
        Words by place, from 0.
    blend
        From 0 to 1.
    objective
        The evaluation of the n individuals by the objective; its features are passed on.
    """
    positions = np.array(shown, np.int64)
    levels = np.array([PICK_SCORES[picks.get(place, NONE)] for place in range(len(shown))])
    shares = ranks(objective.scores[positions])
    mixed = np.where(
        levels == PICK_SCORES[LOVE], levels + blend * shares, (1 - blend) * levels + blend * shares
    )
    scores = np.full(len(objective), NOT_SHOWN)
    scores[positions] = np.where(levels < 0, levels, mixed)
    return Evaluation(scores, objective.features)


def ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The share of the other values that are smaller, `(n,)`."""
    return np.asarray(
        (values[:, np.newaxis] > values).sum(axis=1) / max(len(values) - 1, 1), np.float64
    )


# How often fresh individuals are drawn before winnable ones are evolved, and for how many
# generations.
DRAWS = 16
GENERATIONS = 200
_DRAW = 1 << 32
_ODD, _SEEDS = 0x9E3779B97F4A7C15, 1 << 64


@dataclass(frozen=True, eq=False)
class WinnableStart:
    """Gives fresh individuals of which the first `needed` are winnable: drawn again and again, or
    where that is in vain, evolved by the recipe.

    Parameters
    ----------
    recipe
        The recipe of the sheet, with locked cells.
    own
        The recipe as it was given, whose strategy evolves winnable levels where none can be drawn.
    needed
        How many winnable individuals, with levels that differ, are enough.
    """

    recipe: Recipe
    own: Recipe
    needed: int
    _known: dict[tuple[int, int, int], Genes] = field(default_factory=dict, init=False)

    def __call__(self, seed: int, generation: int, count: int) -> Genes:
        """`count` fresh individuals, the winnable ones first."""
        key = (seed, generation, count)
        if key not in self._known:
            self._known[key] = self._find(seed, generation, count)
        return self._known[key].copy()

    def _find(self, seed: int, generation: int, count: int) -> Genes:
        problem, needed = first_starts(self.recipe.problem), min(self.needed, count)
        first = genes = problem.start(seed, generation, count)
        found: dict[Level, Genes] = {}
        won = 0
        for draw in range(DRAWS):
            if draw:
                genes = problem.genotype.start(
                    problem.frame, seed, generation + draw * _DRAW, count
                )
            for position, level in winnable(problem, genes):
                won += 1
                found.setdefault(level, genes[position])
                if len(found) == needed:
                    return _in_front(list(found.values()), first)
        # Where many could be won, and they are still few, there are no more of them.
        if won < needed:
            evolved = self._evolved(seed, generation, count)
            found |= {
                level: evolved[position]
                for position, level in winnable(problem, evolved)
                if level not in found
            }
        if not found:
            raise LevolveError(
                f"breed: no winnable level of recipe {self.own.name!r} was found in "
                f"{DRAWS * count} fresh ones and {GENERATIONS} generations of "
                "evolution; unlock cells, check that the cells to keep leave a path, or "
                "choose another size"
            )
        return _in_front(list(found.values())[:needed], first)

    def _evolved(self, seed: int, generation: int, count: int) -> Genes:
        """The best of a run that rewards what comes near to being winnable, as soon as enough of
        them are, or at its end.
        """
        changes = {"keep": self.recipe.keep} | (
            {"objective.feasible_first": True} if "feasible_first" in self.own.objective else {}
        )
        recipe = self.own.changed(changes)
        problem = recipe.problem
        search = (
            recipe.parts[2]
            .fitted(problem)
            .search(
                problem.space, problem.start, (seed + (generation + 1) * _ODD) % _SEEDS, GENERATIONS
            )
        )
        best = problem.start(0, 0, 0)
        for event in advance(search, problem.evaluate, Limits(GENERATIONS)):
            if isinstance(event, GenerationScored) and (
                event.improved or event.generation == GENERATIONS
            ):
                order = np.argsort(-search.scores, kind="stable")[: 2 * count]
                best = search.genes[order]
                levels = {level for _, level in winnable(problem, best)}
                if len(levels) >= self.needed:
                    break
        return best


def _in_front(found: list[Genes], others: Genes) -> Genes:
    """The individuals found, then others, as many as there are of those."""
    return np.concatenate((np.array(found, others.dtype).reshape(-1, *others.shape[1:]), others))[
        : len(others)
    ]


def painted_tiles(level: Level, action: PaintCells, locks: Mapping[Place, str]) -> Level:
    """The level with other tiles, without a solution; raises `InputError` for cells outside, locked
    cells, unknown tiles, and if nothing changes.
    """
    tiles = level.tiles.copy()
    for character, cells in action.tiles:
        if character not in level.tileset.characters:
            raise InputError(
                f"paint: expected tiles of a {level.tileset.name} level "
                f"({' '.join(level.tileset.characters)}), got {character!r}"
            )
        for x, y in cells:
            if not (0 <= x < level.width and 0 <= y < level.height):
                raise InputError(
                    f"paint: expected cells inside the {level.width}x{level.height} level, got "
                    f"{x},{y}"
                )
            if not action.lock and locks.get((x, y), character) != character:
                raise InputError(
                    f"paint: expected cells that are not locked, got {x},{y}, which is locked as "
                    f"{locks[x, y]!r}; unlock it first"
                )
            tiles[y, x] = level.tileset.characters.index(character)
    if np.array_equal(tiles, level.tiles):
        raise InputError(
            "paint: expected at least one cell that changes, but all have these tiles already"
        )
    # Places that follow from the tiles, such as the ends of a tour, are found again.
    places = {
        name: place for name, place in level.places.items() if name not in {TOUR[0], TOUR[-1]}
    }
    return Level(tiles, places, level.tileset, goal=level.goal)


def painted_individual(level: Level, recipe: Recipe) -> tuple[Genes, Level]:
    """The genes of a painted level, and the level with its solution; raises `InputError` if the
    genotype cannot write it, or it cannot be won.
    """
    problem = first_starts(recipe.problem)
    try:
        genes = problem.genotype.write(level, problem.frame)
        again = problem.batch(genes[np.newaxis]).tiles[0]
    except InputError as problem_of_genotype:
        raise InputError(_explain(str(problem_of_genotype), level, recipe)) from problem_of_genotype
    different = np.argwhere(again != level.tiles)
    if len(different):
        y, x = different[0].tolist()
        raise InputError(
            _explain(
                f"{len(different)} cells would not stay as painted, such as {x},{y}", level, recipe
            )
        )
    return genes, _proven(problem, genes, level)


def _proven(problem: LevelProblem, genes: Genes, level: Level) -> Level:
    for _, winning in winnable(problem, genes[np.newaxis]):
        return winning
    raise InputError(
        f"paint: expected a level that can be won, but {explain_unwinnable(level)}; open a way "
        "first"
    )


def _explain(reason: str, level: Level, recipe: Recipe) -> str:
    name = recipe_that_encodes(level)
    other = (
        f"; begin a session with the recipe {name!r} and this level as its start"
        if name not in {None, recipe.name}
        else ""
    )
    return f"paint: recipe {recipe.name!r} cannot continue from this level: {reason}{other}"
