"""Shortcuts: a genotype, an objective and a strategy that have kernels of their own together. The result is that of the long way, byte for byte."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from levolve.registry import Registry

if TYPE_CHECKING:
    from levolve.evolution.search import Search, Starter, Strategy
    from levolve.genotypes.genotype import Genotype
    from levolve.levels.frame import Frame
    from levolve.runs.recipe import Recipe

# By the kinds of the three parts; what an entry gives is None where their settings are not for it.
SHORTCUTS: "Registry[Callable[[Genotype, Strategy, Frame, Starter, int, int], Search | None]]" = Registry(
    "shortcut", {"dungeon tour truncation": "levolve.evolution.tour_truncation:tour_truncation"}
)


def search_of(recipe: "Recipe", start: "Starter", seed: int, generations: int) -> "Search":
    """Begin the search of a recipe, by a shortcut if there is one."""
    genotype, _, strategy = recipe.parts
    kinds = " ".join(str(part["kind"]) for part in (recipe.genotype, recipe.objective, recipe.strategy))
    if kinds in SHORTCUTS:
        search = SHORTCUTS[kinds](genotype, strategy, recipe.frame, start, seed, generations)
        if search is not None:
            return search
    return strategy.search(genotype.space(recipe.frame), start, seed, generations)
