"""`Breeder`: makes the first sheet of a session, and the next one from a sheet and its picks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from levolve.breeding.actions import LOVE
from levolve.breeding.beginning import WinnableStart
from levolve.breeding.sheet import NOT_SHOWN, PICK_SCORES, Setup, Sheet, choose, first_starts, pick_scores
from levolve.errors import LevolveError
from levolve.evolution.problem import Evaluation
from levolve.evolution.variation.uniform import UniformMutation
from levolve.levels.frame import FREE
from levolve.levels.level import Origin
from levolve.levels.places import Place
from levolve.recipes.plugins import plugins_of
from levolve.version import VERSION

if TYPE_CHECKING:
    from levolve.evolution.problem import Problem
    from levolve.evolution.search import Search, State
    from levolve.genotypes.genes import Genes, GeneSpace
    from levolve.recipes.recipe import Recipe

PICKS = "picks"
# Proposals for each place of the sheet: children that cannot be won are replaced by later ones.
PROPOSALS = 16
# The share of genes that change in the wildest children.
WILDEST = 0.3
# How many generations in a row may propose nothing winnable.
MOST_EMPTY = 20


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
    _starts: dict[tuple[tuple[Place, str], ...], WinnableStart] = field(default_factory=dict, init=False)

    @cached_property
    def _bred(self) -> Recipe:
        """The recipe with the strategy of the session."""
        own = self.recipe.strategy
        if self.strategy != PICKS:
            return self.recipe if self.strategy == own["kind"] else self.recipe.changed({"strategy": {"kind": self.strategy}})
        table: dict[str, Any] = {"kind": PICKS, "population": PROPOSALS * self.size, "rounds": PROPOSALS, "neutral": 0.0, "keep": PICK_SCORES[LOVE]}
        return self.recipe.changed({"strategy": table | {name: own[name] for name in ("crossover",) if name in own}})

    def recipe_for(self, setup: Setup) -> Recipe:
        """The recipe of a sheet: with the strategy of the session, and the locked cells among those to keep."""
        if not setup.locks:
            return self._bred
        width, height = self.recipe.size
        rows = [list(row) for row in self.recipe.keep or (FREE * width,) * height]
        for (x, y), character in setup.locks:
            rows[y][x] = character
        return self._bred.changed({"keep": ["".join(row) for row in rows]})

    def first(self, setup: Setup, blend: float, data: Mapping[str, Any]) -> Sheet:
        """The first sheet. `data` is the session so far, for the origins of the levels."""
        recipe = self.recipe_for(setup)
        return self._fill(setup, recipe, self._search(recipe, setup), blend, None, data)

    def following(self, sheet: Sheet, picks: Mapping[int, str], blend: float, setup: Setup, data: Mapping[str, Any]) -> Sheet:
        """The sheet after one that got these picks."""
        problem = self.recipe_for(sheet.setup).problem
        before = self._search(self.recipe_for(sheet.setup), sheet.setup)
        before.restore(sheet.state)
        genes = before.ask()
        objective = problem.evaluate(genes) if blend > 0 or problem.features else Evaluation(np.zeros(len(genes)))
        before.tell(pick_scores(sheet.shown, picks, blend, objective))
        recipe = self.recipe_for(setup)
        search = self._search(recipe, setup)
        search.restore(settled(before.state(), search.space, recipe.problem) if setup.locks != sheet.setup.locks else before.state())
        return self._fill(setup, recipe, search, blend, (sheet, picks), data)

    def _search(self, recipe: Recipe, setup: Setup) -> Search:
        strategy, space = recipe.parts[2], recipe.problem.space
        if any(setting.name == "mutation" for setting in fields(strategy)):  # type: ignore[arg-type]  # every strategy is a dataclass
            strategy = replace(
                strategy, mutation=UniformMutation(mutation_rate(setup.wildness, round(recipe.parts[0].sensitivity * len(space.free_genes))))
            )  # type: ignore[type-var]
        start = self._starts.setdefault(setup.locks, WinnableStart(recipe, self.recipe, self.size))
        return strategy.search(space, start, self.seed, recipe.planned_generations)

    def _fill(  # noqa: PLR0913, PLR0917 what proposes, what to blend in, and what was before
        self,
        setup: Setup,
        recipe: Recipe,
        search: Search,
        blend: float,
        last: tuple[Sheet, Mapping[int, str]] | None,
        data: Mapping[str, Any],
    ) -> Sheet:
        """The winnable levels among what a search proposes next."""
        problem = recipe.problem
        loved = 0 if last is None else sum(word == LOVE for word in last[1].values())
        for _ in range(MOST_EMPTY):
            genes, state = search.ask(), search.state()
            objective = problem.evaluate(genes) if blend > 0 or problem.features else Evaluation(np.zeros(len(genes)))
            best = np.argsort(-objective.scores, kind="stable")[: round(blend * self.size)].tolist()
            order = list(dict.fromkeys([*range(loved), *best, *range(len(genes))]))
            found = choose(first_starts(problem), genes, order, self.size, () if last is None else last[0].levels, loved)
            if found:
                plugins = plugins_of(recipe.to_data(), next(iter(found.values())))
                origin = Origin.of({"name": self.recipe.name, "session": data}, self.seed, 0, VERSION, plugins)
                levels = tuple(level.with_origin(replace(origin, index=place)) for place, level in enumerate(found.values()))
                return Sheet(setup, state, tuple(found), levels)
            search.tell(Evaluation(np.full(len(genes), NOT_SHOWN), objective.features))
        message = (
            f"breed: strategy {self.strategy} proposed no winnable level in {MOST_EMPTY} generations of recipe {self.recipe.name!r}; "
            "make it less wild, unlock cells, or use another strategy"
        )
        raise LevolveError(message)

    def to_data(self) -> dict[str, Any]:
        """The constant part of a session's data."""
        return {"recipe": self.recipe.to_data(), "seed": self.seed, "sheet": self.size, "strategy": self.strategy}


def mutation_rate(wildness: float, genes: int) -> float:
    """The share of genes that change in a child: one gene at wildness 0, `WILDEST` of them at 1, and slowly more in between."""
    least = min(1 / max(genes, 1), WILDEST)
    return least + (WILDEST - least) * wildness * wildness


def settled(state: State, space: GeneSpace, problem: Problem) -> State:
    """The state of a search whose population takes on the genes that may not vary: those that every fresh individual has."""
    fresh = problem.genotype.start(problem.frame, 0, 0, 1)
    fixed = {name: _settle(np.atleast_2d(state[name]), space, fresh) for name in ("genes", "best_genes") if state[name] is not None}
    return state | {name: genes.reshape(state[name].shape) for name, genes in fixed.items()}


def _settle(genes: Genes, space: GeneSpace, fresh: Genes) -> Genes:
    """Individuals with the genes that are not free taken from a fresh one: each is crossed with it, and only the first of two results is used."""
    both = np.concatenate((genes, fresh))
    pairs = np.column_stack((np.arange(len(genes)), np.full(len(genes), len(genes)))).ravel()
    results = np.empty((len(pairs), *genes.shape[1:]), genes.dtype)
    space.cross(both, pairs, np.tile(~space.free, (len(genes), 1)), results)
    return results[0::2]
