"""Illumination: the measures that can be axes, the map of elites of a run, the level of a cell, and files of all."""

from math import inf
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from levolve.archives.archive import Archive
from levolve.archives.heat_map import small_map
from levolve.archives.illuminating import default_axes
from levolve.evolution.feature_grid import MOST_CELLS
from levolve.formats.look import DEFAULT_THEME, Look
from levolve.formats.themes import THEMES
from levolve.measures import MEASURES
from levolve.packs.archive_folder import FILES, archive_file
from levolve.recipes.recipe import RECIPES, find_recipe
from levolve.studio.api.levels import zipped
from levolve.studio.api.parts import RESPONSES, RunNumber, Runs, attachment
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


@router.get("/runs/{run}/archive.png", response_class=Response, responses={200: {"content": {"image/png": {}}}})
def show_small_map(run: RunNumber, runs: Runs) -> Response:
    """Return a small picture of the map of elites of an illumination."""
    return Response(small_map(_archive(runs, run)), media_type="image/png", headers={"cache-control": "no-store"})


@router.get("/runs/{run}/archive/file", response_class=Response, responses={200: {"content": {"application/octet-stream": {}}}})
def download_archive(
    run: RunNumber,
    runs: Runs,
    format: Literal["zip", "html", "png", "npz", "json", "csv"] = "zip",  # noqa: A002 the word that users know
    theme: Annotated[str, Query(max_length=60)] = DEFAULT_THEME,
) -> Response:
    """Return an archive as a file: a page to play all levels, the heat map, arrays, their meaning, a table of its growth, or all in a zip archive."""
    archive, look = _archive(runs, run), Look(THEMES[theme])
    if format == "zip":
        content = zipped({name: archive_file(archive, name, look) for name in FILES})
    else:
        content = archive_file(archive, next(name for name in FILES if name.endswith(f".{format}")), look)
    return attachment(content, f"levolve-map-{run}.{format}")


def _archive(runs: Runs, run: int) -> Archive:
    """Return the archive of a run: the last one that was sent to watchers, or that of the last checkpoint."""
    live = runs.find(run)
    if live is not None and live.archive is not None:
        return live.archive
    return runs.reading(lambda store: stored_archive(store, store.find(run)))
