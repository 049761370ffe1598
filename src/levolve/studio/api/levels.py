"""Levels of runs and of the shelf: what they are like, their distances, and files in any format.

Pages on which levels and puzzles are played; the same page as in a pack.

Illumination: the measures that can be axes, the map of elites of a run, the level of a cell, and
files of all.
"""

import io
import zipfile
from collections.abc import Mapping
from math import inf
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi import Path as PathParameter
from starlette.responses import HTMLResponse, Response

from levolve.core.errors import InputError
from levolve.core.stopping import check_stop
from levolve.formats import FORMATS
from levolve.formats.level_files import encode_all
from levolve.formats.look import DEFAULT_THEME, Look
from levolve.formats.themes import THEMES
from levolve.jobs.archives.archive import Archive
from levolve.jobs.archives.illuminate import default_axes
from levolve.jobs.charts.heat_maps import small_map
from levolve.jobs.packs.members import Item, member_of
from levolve.jobs.packs.webpage import FILES, archive_file, page_script, page_style, tiles_module
from levolve.jobs.runs.run import Run
from levolve.levels.level import Level
from levolve.levels.measures import MEASURES
from levolve.levels.measures.field import field
from levolve.puzzles import PUZZLES
from levolve.recipes.finding import adapt
from levolve.recipes.recipe import RECIPES, find_recipe
from levolve.search.feature_grid import MOST_CELLS
from levolve.search.problem import choose_seed
from levolve.studio.api.shared import (
    RESPONSES,
    LevelReference,
    Library,
    RunNumber,
    Runs,
    Seed,
    attachment,
)
from levolve.studio.connections import Turns
from levolve.studio.library import best_level, play_page
from levolve.studio.views import shown_archive, shown_elite, shown_level, stored_archive

router = APIRouter(tags=["levels"], responses=RESPONSES)
DEFAULT = "json"
Named = Annotated[str, Query(max_length=60)]


@router.get(
    "/runs/{run}/level",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {}}}},
)
def download(
    run: RunNumber,
    runs: Runs,
    format: Named = "json",  # noqa: A002 the word that users know
    theme: Named = DEFAULT_THEME,
    tile: Annotated[int, Query(ge=4, le=128)] = 16,
) -> Response:
    """Return the best level of a run as a file; as a zip archive, if the format needs several
    files.
    """
    FORMATS[format]
    level = runs.reading(lambda store: best_level(store, store.find(run)))
    return level_file(level, f"levolve-{run}", format, Look(THEMES[theme], tile))


@router.get("/formats")
def list_formats() -> list[dict[str, str]]:
    """List the formats of levels."""
    broken = FORMATS.broken()
    return [
        {"name": name, "meaning": FORMATS[name].meaning}
        for name in sorted(FORMATS, key=lambda name: name != DEFAULT)
        if name not in broken
    ]


@router.get("/levels/{level}")
def show_level(level: LevelReference, library: Library) -> dict[str, Any]:
    """Return a level with its measures, and the steps from the entrance to each cell (-1 where
    there is no way).
    """
    found = library.level(level)
    distances = field(found).distances.tolist() if found.entrance is not None else None
    about = {"name": library.name(level), "recipe": member_of(found).kind}
    return {
        "id": level,
        **about,
        "level": shown_level(found),
        "measures": library.measured.of(found),
        "distances": distances,
    }


@router.get(
    "/levels/{level}/file",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {}}}},
)
def download_level(
    level: LevelReference,
    library: Library,
    format: Named = "json",  # noqa: A002 the word that users know
    theme: Named = DEFAULT_THEME,
    tile: Annotated[int, Query(ge=4, le=128)] = 16,
) -> Response:
    """Return a level or a puzzle as a file; as a zip archive, if the format needs several files."""
    FORMATS[format]
    item, name, look = library.item(level), f"levolve-{level}", Look(THEMES[theme], tile)
    if isinstance(item, Level):
        return level_file(item, name, format, look)
    # A puzzle without this format is a JSON file.
    return file_of(member_of(item).files(Path(name), [format], look), name)


def level_file(level: Level, name: str, suffix: str, look: Look) -> Response:
    """Return a level as a file to download; as a zip archive, if the format needs several files."""
    return file_of(
        {
            path.name: content
            for path, content in encode_all(level, Path(f"{name}.{suffix}"), look).items()
        },
        name,
    )


def file_of(files: Mapping[str, bytes], name: str) -> Response:
    """Return a file to download, or several as a zip archive."""
    if len(files) == 1:
        return attachment(next(iter(files.values())), next(iter(files)))
    return attachment(zipped(files), f"{name}.zip")


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return a zip archive with these files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            # A fixed time: the same level gives the same bytes.
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content)
    return buffer.getvalue()


play_router = APIRouter(tags=["play"], responses=RESPONSES)
MOST_PLAYED = 100
# More requests for games than this do not wait for their turn.
MOST_WAITING = 16
GAMES = Turns(MOST_WAITING)
PAGE: dict[int | str, dict[str, Any]] = {200: {"content": {"text/html": {}}}}
ThemeName = Annotated[str, Query(max_length=60)]


@play_router.get("/play", response_class=HTMLResponse, responses=PAGE)
def play(
    library: Library,
    levels: Annotated[str, Query(max_length=4000)],
    theme: ThemeName = DEFAULT_THEME,
) -> HTMLResponse:
    """Return a page that plays levels and puzzles of the store, given as run-5-0,kept-3."""
    references = [reference for reference in levels.split(",") if reference]
    if not 1 <= len(references) <= MOST_PLAYED:
        raise InputError(f"levels: expected 1 to {MOST_PLAYED} levels, got {len(references)}")
    items = [library.item(reference) for reference in references]
    return HTMLResponse(
        play_page(
            "levels" if len(items) > 1 else "level", items, Look(THEMES[theme]), STYLE, SCRIPT
        )
    )


@play_router.get("/play/new/{name}", response_class=HTMLResponse, responses=PAGE)
async def play_new(
    name: str,
    runs: Runs,
    request: Request,
    seed: Seed | None = None,
    theme: ThemeName = DEFAULT_THEME,
) -> Response:
    """Return a page that plays a new puzzle, or a new level of a recipe; the same seed gives the
    same one.

    It counts as a run while it is made. Requests wait for their turn; one whose client leaves is
    given up.
    """
    look = Look(THEMES[theme])
    if name not in PUZZLES:
        RECIPES[name]

    def page() -> bytes:
        with runs.making():
            return play_page(name, [_made(name, choose_seed(seed))], look, STYLE, SCRIPT)

    made = await GAMES.work(page, gone=request.is_disconnected)
    return Response(status_code=204) if made is None else HTMLResponse(made)


def _made(name: str, seed: int) -> Item:
    """Return a new puzzle, or a new level of a recipe."""
    if name in PUZZLES:
        puzzle = PUZZLES[name]
        item: Item = next(iter(puzzle.make(1, puzzle.request(), seed=seed)))
        return item
    run = Run(adapt(name), seed).finish()
    check_stop()
    return run.best


# Files of pages, which browsers load without the token; they are the same for everybody.
files_router = APIRouter(prefix="/static/play", include_in_schema=False)
STYLE, SCRIPT = (f"{files_router.prefix}/{name}" for name in ("style.css", "script.js"))


@files_router.get("/style.css")
def play_style() -> Response:
    """Return the style of the pages."""
    return Response(page_style(), media_type="text/css")


@files_router.get("/script.js")
def play_script(puzzles: Annotated[str, Query(max_length=400)] = "") -> Response:
    """Return the script of the pages, with the rules of puzzles, given as flag,sliding."""
    names = [name for name in puzzles.split(",") if name]
    return Response(
        page_script([PUZZLES[name].page_script() for name in names]), media_type="text/javascript"
    )


@files_router.get("/tiles.js")
def tiles_script() -> Response:
    """Return the module that says which tile of an atlas each cell shows."""
    return Response(tiles_module(), media_type="text/javascript")


@play_router.get("/puzzles")
def list_puzzles() -> list[dict[str, Any]]:
    """List the puzzles that can be played and solved, with the genetic algorithms of each, the
    default first.
    """
    broken = PUZZLES.broken()
    return [
        {"name": name, "meaning": PUZZLES[name].meaning, "schemes": list(PUZZLES[name].schemes)}
        for name in PUZZLES
        if name not in broken
    ]


archives_router = APIRouter(tags=["archives"], responses=RESPONSES)


@archives_router.get("/recipes/{name}/axes")
def list_axes(name: str) -> dict[str, Any]:
    """List the measures that levels of a recipe can be illuminated by, and the two that are used by
    default.
    """
    RECIPES[name]
    recipe = find_recipe(name)
    spans = {
        measure: recipe.problem.axis(measure)
        for measure in MEASURES
        if MEASURES[measure].suits(recipe.frame)
    }
    # A measure without a greatest value needs a range, which the command line and the library take.
    suited = [
        measure for measure, span in spans.items() if span is not None and span[0] < span[1] < inf
    ]
    axes = [{"name": measure, "meaning": MEASURES[measure].meaning} for measure in suited]
    return {"axes": axes, "default": list(default_axes(recipe))}


@archives_router.get("/runs/{run}/archive")
def show_archive(run: RunNumber, runs: Runs) -> dict[str, Any]:
    """Return the map of elites of an illumination."""
    return shown_archive(_archive(runs, run))


@archives_router.get("/runs/{run}/elites/{cell}")
def show_elite(
    run: RunNumber, cell: Annotated[int, PathParameter(ge=0, lt=MOST_CELLS)], runs: Runs
) -> dict[str, Any]:
    """Return the level of a cell of an illumination, with its score and its values on the axes."""
    return shown_elite(_archive(runs, run), cell)


@archives_router.get(
    "/runs/{run}/archive.png",
    response_class=Response,
    responses={200: {"content": {"image/png": {}}}},
)
def show_small_map(run: RunNumber, runs: Runs) -> Response:
    """Return a small picture of the map of elites of an illumination."""
    return Response(
        small_map(_archive(runs, run)),
        media_type="image/png",
        headers={"cache-control": "no-store"},
    )


@archives_router.get(
    "/runs/{run}/archive/file",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {}}}},
)
def download_archive(
    run: RunNumber,
    runs: Runs,
    format: Literal["zip", "html", "png", "npz", "json", "csv"] = "zip",  # noqa: A002 the word that users know
    theme: Annotated[str, Query(max_length=60)] = DEFAULT_THEME,
) -> Response:
    """Return an archive as a file: a page to play all levels, the heat map, arrays, their meaning,
    a table of its growth, or all in a zip archive.
    """
    archive, look = _archive(runs, run), Look(THEMES[theme])
    if format == "zip":
        content = zipped({name: archive_file(archive, name, look) for name in FILES})
    else:
        content = archive_file(
            archive, next(name for name in FILES if name.endswith(f".{format}")), look
        )
    return attachment(content, f"levolve-map-{run}.{format}")


def _archive(runs: Runs, run: int) -> Archive:
    """Return the archive of a run: the last one that was sent to watchers, or that of the last
    checkpoint.
    """
    live = runs.find(run)
    if live is not None and live.archive is not None:
        return live.archive
    return runs.reading(lambda store: stored_archive(store, store.find(run)))
