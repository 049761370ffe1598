"""Illumination: the measures that can be axes, the map of elites of a run, and the level of a cell."""

from math import inf
from typing import Annotated, Any

from fastapi import APIRouter, Path

from levolve.archives.archive import Archive
from levolve.archives.illuminating import default_axes
from levolve.evolution.feature_grid import MOST_CELLS
from levolve.measures import MEASURES
from levolve.recipes.recipe import RECIPES, find_recipe
from levolve.studio.api.parts import RESPONSES, RunNumber, Runs
from levolve.studio.archives import shown_archive, shown_elite, stored_archive

router = APIRouter(tags=["archives"], responses=RESPONSES)


@router.get("/recipes/{name}/axes")
def list_axes(name: str) -> dict[str, Any]:
    """List the measures that levels of a recipe can be illuminated by, and the two that are used by default."""
    RECIPES[name]
    recipe = find_recipe(name)
    spans = {measure: recipe.problem.axis(measure) for measure in MEASURES if MEASURES[measure].suits(recipe.frame)}
    # A measure without a greatest value needs a range, which the command line and the library take.
    suited = [measure for measure, span in spans.items() if span is not None and span[0] < span[1] < inf]
    axes = [{"name": measure, "meaning": MEASURES[measure].meaning} for measure in suited]
    return {"axes": axes, "default": list(default_axes(recipe))}


@router.get("/runs/{run}/archive")
def show_archive(run: RunNumber, runs: Runs) -> dict[str, Any]:
    """Return the map of elites of an illumination."""
    return shown_archive(_archive(runs, run))


@router.get("/runs/{run}/elites/{cell}")
def show_elite(run: RunNumber, cell: Annotated[int, Path(ge=0, lt=MOST_CELLS)], runs: Runs) -> dict[str, Any]:
    """Return the level of a cell of an illumination, with its score and its values on the axes."""
    return shown_elite(_archive(runs, run), cell)


def _archive(runs: Runs, run: int) -> Archive:
    """Return the archive of a run: the last one that was sent to watchers, or that of the last checkpoint."""
    live = runs.find(run)
    if live is not None and live.archive is not None:
        return live.archive
    return runs.reading(lambda store: stored_archive(store, store.find(run)))
