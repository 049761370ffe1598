"""The targets of a pack of levels in the style of examples: how like them, how far from a copy, and without more pockets than they have."""

from collections.abc import Container
from dataclasses import replace

import numpy as np

from levolve.events import Watch
from levolve.evolution.fused import begin_search
from levolve.evolution.loop import GenerationScored, advance
from levolve.genotypes.genes import NumberGenes
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.style import style_of
from levolve.levels.tileset import Tileset
from levolve.measures import MEASURES
from levolve.objectives.likeness import Likeness
from levolve.packs.events import ProbeAdvanced
from levolve.packs.targets import Same
from levolve.recipes.recipe import Recipe
from levolve.runs.executors import stop_requested

# Levels may diverge from the examples this many times as much as the best level of a short search, and at least this share of what shuffled tiles do.
SLACK = 1.3
SHUFFLED = 0.08
SHUFFLED_LEVELS = 8
SHORTER = 2
DIGITS = 1000


def style_targets(recipe: Recipe, given: Container[str], watch: Watch | None = None) -> dict[str, Same]:
    """Return the targets of levels like the examples of a recipe, except those that are given.

    The lowest likeness follows from a search with a fixed seed, so that it depends on the recipe alone. `watch` receives a `ProbeAdvanced` event per
    generation of this search.
    """
    targets: dict[str, Same] = {}
    if "pockets" not in given:
        targets["pockets"] = Same((0.0, float(_most_pockets(recipe))))
    if "originality" not in given:
        targets["originality"] = Same((Likeness().originality, 1.0))
    if "likeness" not in given:
        targets["likeness"] = Same((_lowest_likeness(recipe, watch), 1.0))
    return targets


def _most_pockets(recipe: Recipe) -> int:
    """Return the largest number of pockets of an example; any region but one is a pocket."""
    found = []
    for tiles in style_of(recipe.like, recipe.tileset).examples:
        batch = Batch(Frame(tiles.shape[1], tiles.shape[0], {}), tiles=tiles[np.newaxis], tileset=recipe.tileset)
        found.append(int(MEASURES["pockets"].count(batch)[0]))
    return max(found)


def _lowest_likeness(recipe: Recipe, watch: Watch | None) -> float:
    """Return the likeness of a level that diverges somewhat more than the best one of a short search, rounded down."""
    problem = replace(recipe.problem, objective=Likeness(feasible_first=True))
    generations = -(-recipe.generations // SHORTER)
    search = begin_search(problem, recipe.parts[2], 0, generations)
    for event in advance(search, problem.evaluate, replace(recipe.limits, generations=generations, goal=None), stop_requested):
        if watch is not None and isinstance(event, GenerationScored):
            watch(ProbeAdvanced(recipe.name, event.generation, generations))
    assert search.best_genes is not None  # noqa: S101 the start is always evaluated
    divergence = max(
        SLACK * _divergence(problem.batch(search.best_genes[np.newaxis])), SHUFFLED * _divergence(_shuffled(problem.frame, recipe.tileset))
    )
    return int(DIGITS / (1 + divergence)) / DIGITS


def _divergence(batch: Batch) -> float:
    return float(MEASURES["divergence"].count(batch).mean())


def _shuffled(frame: Frame, tileset: Tileset) -> Batch:
    """Return levels of random tiles with the shares that they have in the examples."""
    pool = np.concatenate([tiles.ravel() for tiles in style_of(frame.like, tileset).examples])
    space = NumberGenes(np.full(SHUFFLED_LEVELS * frame.width * frame.height, len(pool)))
    drawn = space.draw(0, 0, 1).reshape(SHUFFLED_LEVELS, frame.height, frame.width)
    return Batch(frame, tiles=pool[drawn], tileset=tileset)
