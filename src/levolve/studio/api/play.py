"""Pages on which levels and puzzles are played; the same page as in a pack."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import HTMLResponse, Response

from levolve.errors import InputError
from levolve.evolution.seeds import choose_seed
from levolve.formats.look import DEFAULT_THEME, Look
from levolve.formats.themes import THEMES
from levolve.packs.webpage import page_script, page_style, tiles_module
from levolve.puzzles import PUZZLES
from levolve.recipes.adapt import adapt
from levolve.recipes.recipe import RECIPES
from levolve.runs.run import Run
from levolve.studio.api.parts import RESPONSES, Library, Seed
from levolve.studio.library import play_page

router = APIRouter(tags=["play"], responses=RESPONSES)
STYLE, SCRIPT = "/api/play/style.css", "/api/play/script.js"
MOST_PLAYED = 100
PAGE: dict[int | str, dict[str, Any]] = {200: {"content": {"text/html": {}}}}
ThemeName = Annotated[str, Query(max_length=60)]


@router.get("/play", response_class=HTMLResponse, responses=PAGE)
def play(library: Library, levels: Annotated[str, Query(max_length=4000)], theme: ThemeName = DEFAULT_THEME) -> HTMLResponse:
    """Return a page that plays levels and puzzles of the store, given as run-5-0,kept-3."""
    references = [reference for reference in levels.split(",") if reference]
    if not 1 <= len(references) <= MOST_PLAYED:
        message = f"levels: expected 1 to {MOST_PLAYED} levels, got {len(references)}"
        raise InputError(message)
    items = [library.item(reference) for reference in references]
    return HTMLResponse(play_page("levels" if len(items) > 1 else "level", items, Look(THEMES[theme]), STYLE, SCRIPT))


@router.get("/play/new/{name}", response_class=HTMLResponse, responses=PAGE)
def play_new(name: str, seed: Seed | None = None, theme: ThemeName = DEFAULT_THEME) -> HTMLResponse:
    """Return a page that plays a new puzzle, or a new level of a recipe; the same seed gives the same one."""
    chosen = choose_seed(seed)
    look = Look(THEMES[theme])
    if name in PUZZLES:
        puzzle = PUZZLES[name]
        item = next(iter(puzzle.make(1, puzzle.request(), seed=chosen)))
    else:
        RECIPES[name]
        item = Run(adapt(name), chosen).finish().best
    return HTMLResponse(play_page(name, [item], look, STYLE, SCRIPT))


@router.get("/play/style.css", response_class=Response, responses={200: {"content": {"text/css": {}}}})
def play_style() -> Response:
    """Return the style of the pages."""
    return Response(page_style(), media_type="text/css")


@router.get("/play/script.js", response_class=Response, responses={200: {"content": {"text/javascript": {}}}})
def play_script(puzzles: Annotated[str, Query(max_length=400)] = "") -> Response:
    """Return the script of the pages, with the rules of puzzles, given as flag,sliding."""
    names = [name for name in puzzles.split(",") if name]
    return Response(page_script([PUZZLES[name].page_script() for name in names]), media_type="text/javascript")


@router.get("/play/tiles.js", response_class=Response, responses={200: {"content": {"text/javascript": {}}}})
def tiles_script() -> Response:
    """Return the module that says which tile of an atlas each cell shows."""
    return Response(tiles_module(), media_type="text/javascript")


@router.get("/puzzles")
def list_puzzles() -> list[dict[str, Any]]:
    """List the puzzles that can be played and solved, with the genetic algorithms of each, the default first."""
    broken = PUZZLES.broken()
    return [{"name": name, "meaning": PUZZLES[name].meaning, "schemes": list(PUZZLES[name].schemes)} for name in PUZZLES if name not in broken]
