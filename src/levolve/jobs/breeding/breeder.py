"""`Breeder`: makes the first sheet of a session, and the next one from a sheet and its picks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from levolve.core.errors import InputError, LevolveError
from levolve.jobs.breeding.actions import LIKE, LOVE, NEVER
from levolve.jobs.breeding.moments import Automatic
from levolve.jobs.breeding.sheet import (
    NOT_SHOWN,
    PICK_SCORES,
    PROPOSALS,
    Fixes,
    Setup,
    Sheet,
    WinnableStart,
    choose,
    first_starts,
    pick_scores,
)
from levolve.levels.frame import FREE
from levolve.levels.level import Level, Origin
from levolve.recipes.from_levels import TILE_GENOTYPES
from levolve.recipes.part_tables import plugins_of
from levolve.search.problem import Evaluation
from levolve.search.strategies.picks import Picks
from levolve.search.variation.crossovers import UniformMutation
from levolve.search.variation.mutations import WindowMutation
from levolve.version import ENGINE, VERSION

if TYPE_CHECKING:
    from levolve.levels.frame import Examples
    from levolve.recipes.recipe import Recipe
    from levolve.search.genotypes.gene_space import Genes, GeneSpace
    from levolve.search.level_problem import LevelProblem
    from levolve.search.search import Search, State
    from levolve.search.variation.operators import Mutation

PICKS = "picks"
# The share of genes that change in the wildest children.
WILDEST = 0.3
# The side of the windows that are laid into levels in the style of an example: the least, and how
# much larger the wildest are.
LEAST_WINDOW, WILD_WINDOW = 2, 4
# Of the population of automatic evolution, one in ELITE_SHARE places of the sheet stays; the best
# get at least BEST_SHOWN of the places.
ELITE_SHARE, BEST_SHOWN = 4, 0.75
# Recipes with locked cells or examples that are kept, because checking one takes milliseconds.
MOST_RECIPES = 16
# How many generations in a row may propose nothing winnable.
MOST_EMPTY = 20


@dataclass(frozen=True)
class Shown:
    """Which of the proposed levels are shown: a `share` of the places for the best by `rate`, and
    new ones before those of the sheet `before`.

    The first `returning` individuals are shown again.
    """

    rate: Callable[[Genes], Evaluation]
    share: float
    before: tuple[Level, ...] = ()
    returning: int = 0


@dataclass(frozen=True, eq=False)
class Breeder:
    """The constant part of a session.

    Parameters
    ----------
    recipe
        What the levels are like; its objective is what can be blended with the picks.
    seed
        From 0 to 2**64 - 1.
    size
        Levels per sheet.
    strategy
        The name of the strategy that takes the picks; the recipe's own keeps its settings.
    """

    recipe: Recipe
    seed: int
    size: int
    strategy: str
    _starts: dict[Fixes, WinnableStart] = field(default_factory=dict, init=False)
    _recipes: dict[Fixes, Recipe] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        """Raise `InputError` for a strategy that ignores scores: picks are scores."""
        if not self._bred.parts[2].follows_scores:
            raise InputError(
                f"strategy: expected one that follows scores, such as {PICKS!r}, because picks "
                f"are scores, got {self.strategy!r}"
            )

    @cached_property
    def _bred(self) -> Recipe:
        """The recipe with the strategy of the session."""
        own = self.recipe.strategy
        if self.strategy != PICKS:
            return (
                self.recipe
                if self.strategy == own["kind"]
                else self.recipe.changed({"strategy": {"kind": self.strategy}})
            )
        table: dict[str, Any] = {
            "kind": PICKS,
            "population": PROPOSALS * self.size,
            "rounds": PROPOSALS,
            "neutral": 0.0,
            "keep": PICK_SCORES[LOVE],
        }
        return self.recipe.changed(
            {"strategy": table | {name: own[name] for name in ("crossover",) if name in own}}
        )

    def recipe_for(self, setup: Setup) -> Recipe:
        """The recipe of a sheet: with the strategy of the session, the locked cells among those to
        keep, and the example whose style is wanted.
        """
        if not setup.locks and not setup.like:
            return self._bred
        key = setup.fixes
        if key not in self._recipes:
            if len(self._recipes) == MOST_RECIPES:
                self._recipes.pop(next(iter(self._recipes)))
            changes: dict[str, Any] = (
                {"like": [list(rows) for rows in setup.like]} if setup.like else {}
            )
            self._recipes[key] = self._bred.changed(
                changes | ({"keep": self._kept(setup)} if setup.locks else {})
            )
        return self._recipes[key]

    def _kept(self, setup: Setup) -> list[str]:
        width, height = self.recipe.size
        rows = [list(row) for row in self.recipe.keep or (FREE * width,) * height]
        for (x, y), character in setup.locks:
            rows[y][x] = character
        return ["".join(row) for row in rows]

    def style_setup(self, setup: Setup, like: Examples) -> Setup:
        """How a sheet in the style of examples is proposed: where genes are the tiles of the level,
        by windows of the examples.
        """
        direct = self.recipe.genotype["kind"] in TILE_GENOTYPES and not self.recipe.finish
        return replace(setup, like=like) if direct else setup

    def first(self, setup: Setup, blend: float, data: Mapping[str, Any]) -> Sheet:
        """The first sheet. `data` is the session so far, for the origins of the levels."""
        recipe = self.recipe_for(setup)
        return self._fill(
            setup,
            recipe,
            self._search(recipe, setup),
            Shown(_objective(recipe.problem, blend), blend),
            data,
        )

    def following(
        self,
        sheet: Sheet,
        picks: Mapping[int, str],
        blend: float,
        setup: Setup,
        data: Mapping[str, Any],
    ) -> Sheet:
        """The sheet after one that got these picks."""
        search, recipe = self._search_after(sheet, picks, blend, setup), self.recipe_for(setup)
        return self._fill(
            setup,
            recipe,
            search,
            Shown(_objective(recipe.problem, blend), blend, sheet.levels, _loved(picks)),
            data,
        )

    def crossing(
        self,
        sheet: Sheet,
        places: tuple[int, int],
        blend: float,
        setup: Setup,
        data: Mapping[str, Any],
    ) -> Sheet:
        """The sheet of children of two levels, each a child of both."""
        if self.strategy != PICKS:
            raise InputError(
                f"cross: expected a session with the strategy {PICKS!r}, which can breed two "
                f"chosen levels, got {self.strategy!r}"
            )
        picks = dict.fromkeys(range(len(sheet.levels)), NEVER) | dict.fromkeys(places, LIKE)
        # Without a blend: both are parents, whatever the objective says.
        search, recipe = self._search_after(sheet, picks, 0.0, setup), self.recipe_for(setup)
        return self._fill(
            setup,
            recipe,
            search,
            Shown(_objective(recipe.problem, blend), blend, sheet.levels),
            data,
        )

    def evolving(
        self,
        sheet: Sheet,
        picks: Mapping[int, str],
        examples: Examples,
        generations: int,
        blend: float,
        setup: Setup,
        data: Mapping[str, Any],
    ) -> Sheet:
        """The sheet after some generations that nobody sees: scored by the likeness to examples
        and, with a weight of `blend`, by the objective.
        """
        search, recipe = self._search_after(sheet, picks, blend, setup), self.recipe_for(setup)
        loved = sheet.genes_of(
            self._proposed(sheet), [place for place, word in picks.items() if word == LOVE]
        )
        if setup.fixes != sheet.setup.fixes and len(loved):
            loved = settle(loved, search.space, recipe.problem)
        automatic = Automatic(
            recipe.problem, examples, blend, max(self.size // ELITE_SHARE, 1), loved
        )
        for _ in range(generations - 1):
            search.tell(automatic.evaluate(search.ask()))
        return self._fill(
            setup,
            recipe,
            search,
            Shown(automatic.rate, max(blend, BEST_SHOWN), sheet.levels, _loved(picks)),
            data,
        )

    def _proposed(self, sheet: Sheet) -> Genes:
        """The individuals that were proposed for a sheet."""
        search = self._search(self.recipe_for(sheet.setup), sheet.setup)
        search.restore(sheet.state)
        return search.ask()

    def _search_after(
        self, sheet: Sheet, picks: Mapping[int, str], blend: float, setup: Setup
    ) -> Search:
        """A search for the next sheet, which has received the picks of this one."""
        problem = self.recipe_for(sheet.setup).problem
        before = self._search(self.recipe_for(sheet.setup), sheet.setup)
        before.restore(sheet.state)
        rated = _objective(problem, blend)(before.ask())
        places = sorted(sheet.painted)
        positions, painted = (
            [sheet.shown[place] for place in places],
            np.array([sheet.painted[place] for place in places]),
        )
        if places:
            # Painted levels have the places of others, which are no longer shown.
            repainted = _objective(problem, blend)(painted)
            rated.scores[positions] = repainted.scores
        evaluation = pick_scores(sheet.shown, picks, blend, rated)
        scores = evaluation.scores[positions].copy()
        evaluation.scores[positions] = NOT_SHOWN
        before.tell(evaluation)
        if places:
            before.insert(painted, Evaluation(scores, repainted.features))
        recipe = self.recipe_for(setup)
        search = self._search(recipe, setup)
        search.restore(
            settled(before.state(), search.space, recipe.problem)
            if setup.fixes != sheet.setup.fixes
            else before.state()
        )
        return search

    def _search(self, recipe: Recipe, setup: Setup) -> Search:
        strategy, space = recipe.parts[2], recipe.problem.space
        if any(setting.name == "mutation" for setting in fields(strategy)):  # type: ignore[arg-type]  # every strategy is a dataclass
            strategy = replace(strategy, mutation=_mutation(recipe, setup))  # type: ignore[type-var]
        if setup.mates and isinstance(strategy, Picks):
            strategy = replace(strategy, mates=True)
        start = self._starts.setdefault(setup.fixes, WinnableStart(recipe, self.recipe, self.size))
        return strategy.fitted(recipe.problem).search(
            space, start, self.seed, recipe.planned_generations
        )

    def _fill(
        self, setup: Setup, recipe: Recipe, search: Search, shown: Shown, data: Mapping[str, Any]
    ) -> Sheet:
        """The winnable levels among what a search proposes next."""
        problem = recipe.problem
        for _ in range(MOST_EMPTY):
            genes, state = search.ask(), search.state()
            rated = shown.rate(genes)
            best = np.argsort(-rated.scores, kind="stable")[
                : round(shown.share * self.size)
            ].tolist()
            order = list(dict.fromkeys([*range(shown.returning), *best, *range(len(genes))]))
            found = choose(
                first_starts(problem), genes, order, self.size, shown.before, shown.returning
            )
            if found:
                plugins = plugins_of(recipe.to_data(), next(iter(found.values())))
                origin = Origin.of(
                    {"name": self.recipe.name, "session": data},
                    self.seed,
                    0,
                    VERSION,
                    plugins,
                    ENGINE,
                )
                levels = tuple(
                    level.with_origin(replace(origin, index=place))
                    for place, level in enumerate(found.values())
                )
                return Sheet(setup, state, tuple(found), levels)
            search.tell(Evaluation(np.full(len(genes), NOT_SHOWN), rated.features))
        raise LevolveError(
            f"breed: strategy {self.strategy} proposed no winnable level in {MOST_EMPTY} "
            f"generations of recipe {self.recipe.name!r}; "
            "make it less wild, unlock cells, or use another strategy"
        )

    def to_data(self) -> dict[str, Any]:
        """The constant part of a session's data."""
        return {
            "recipe": self.recipe.to_data(),
            "seed": self.seed,
            "sheet": self.size,
            "strategy": self.strategy,
        }


def _objective(problem: LevelProblem, blend: float) -> Callable[[Genes], Evaluation]:
    """Rates individuals by the objective, if that is needed."""
    return (
        problem.evaluate
        if blend > 0 or problem.features
        else lambda genes: Evaluation(np.zeros(len(genes)))
    )


def _loved(picks: Mapping[int, str]) -> int:
    return sum(word == LOVE for word in picks.values())


def _mutation(recipe: Recipe, setup: Setup) -> Mutation:
    """How children differ: as wild as ordered; in the style of an example, where cells are genes,
    by windows of it.
    """
    space = recipe.problem.space
    if setup.like and space.style is not None and space.grid is not None:
        return WindowMutation(most=LEAST_WINDOW + round(WILD_WINDOW * setup.wildness))
    return UniformMutation(
        mutation_rate(setup.wildness, round(recipe.parts[0].sensitivity * len(space.free_genes)))
    )


def mutation_rate(wildness: float, genes: int) -> float:
    """The share of genes that change in a child: one gene at wildness 0, `WILDEST` of them at 1,
    and slowly more in between.
    """
    least = min(1 / max(genes, 1), WILDEST)
    return least + (WILDEST - least) * wildness * wildness


def settled(state: State, space: GeneSpace, problem: LevelProblem) -> State:
    """The state of a search whose population takes on the genes that may not vary: those that every
    fresh individual has.
    """
    fixed = {
        name: settle(np.atleast_2d(state[name]), space, problem)
        for name in ("genes", "best_genes")
        if state[name] is not None
    }
    return state | {name: genes.reshape(state[name].shape) for name, genes in fixed.items()}


def settle(genes: Genes, space: GeneSpace, problem: LevelProblem) -> Genes:
    """Individuals with the genes that are not free taken from a fresh one: each is crossed with it,
    and only the first of two results is used.
    """
    both = np.concatenate((genes, problem.genotype.start(problem.frame, 0, 0, 1)))
    pairs = np.column_stack((np.arange(len(genes)), np.full(len(genes), len(genes)))).ravel()
    results = np.empty((len(pairs), *genes.shape[1:]), genes.dtype)
    space.cross(both, pairs, np.tile(~space.free, (len(genes), 1)), results)
    return results[0::2]
