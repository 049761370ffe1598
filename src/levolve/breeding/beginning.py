"""Fresh winnable individuals, for the first sheet of a session."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from levolve.breeding.sheet import first_starts, winnable
from levolve.errors import LevolveError
from levolve.evolution.loop import GenerationScored, Limits, advance

if TYPE_CHECKING:
    from levolve.genotypes.genes import Genes
    from levolve.levels.level import Level
    from levolve.recipes.recipe import Recipe

# How often fresh individuals are drawn before winnable ones are evolved, and for how many generations.
DRAWS = 16
GENERATIONS = 200
_DRAW = 1 << 32
_ODD, _SEEDS = 0x9E3779B97F4A7C15, 1 << 64


@dataclass(frozen=True, eq=False)
class WinnableStart:
    """Gives fresh individuals of which the first `needed` are winnable: drawn again and again, or where that is in vain, evolved by the recipe.

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
                genes = problem.genotype.start(problem.frame, seed, generation + draw * _DRAW, count)
            for position, level in winnable(problem, genes):
                won += 1
                found.setdefault(level, genes[position])
                if len(found) == needed:
                    return _in_front(list(found.values()), first)
        # Where many could be won, and they are still few, there are no more of them.
        if won < needed:
            evolved = self._evolved(seed, generation, count)
            found |= {level: evolved[position] for position, level in winnable(problem, evolved) if level not in found}
        if not found:
            message = (
                f"breed: no winnable level of recipe {self.own.name!r} was found in {DRAWS * count} fresh ones and {GENERATIONS} generations of "
                "evolution; unlock cells, check that the cells to keep leave a path, or choose another size"
            )
            raise LevolveError(message)
        return _in_front(list(found.values())[:needed], first)

    def _evolved(self, seed: int, generation: int, count: int) -> Genes:
        """The best of a run that rewards what comes near to being winnable, as soon as enough of them are, or at its end."""
        changes = {"keep": self.recipe.keep} | ({"objective.feasible_first": True} if "feasible_first" in self.own.objective else {})
        recipe = self.own.changed(changes)
        problem = recipe.problem
        search = recipe.parts[2].fitted(problem).search(problem.space, problem.start, (seed + (generation + 1) * _ODD) % _SEEDS, GENERATIONS)
        best = problem.start(0, 0, 0)
        for event in advance(search, problem.evaluate, Limits(GENERATIONS)):
            if isinstance(event, GenerationScored) and (event.improved or event.generation == GENERATIONS):
                order = np.argsort(-search.scores, kind="stable")[: 2 * count]
                best = search.genes[order]
                levels = {level for _, level in winnable(problem, best)}
                if len(levels) >= self.needed:
                    break
        return best


def _in_front(found: list[Genes], others: Genes) -> Genes:
    """The individuals found, then others, as many as there are of those."""
    return np.concatenate((np.array(found, others.dtype).reshape(-1, *others.shape[1:]), others))[: len(others)]
