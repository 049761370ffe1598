"""Pages on which levels and puzzles are played; the same page as in a pack."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import HTMLResponse, Response

from levolve.errors import InputError
from levolve.evolution.seeds import choose_seed
from levolve.formats.look import DEFAULT_THEME, Look
from levolve.formats.themes import THEMES
from levolve.packs.members import Item
from levolve.packs.webpage import page_script, page_style, tiles_module
from levolve.puzzles import PUZZLES
from levolve.recipes.adapt import adapt
from levolve.recipes.recipe import RECIPES
from levolve.runs.run import Run
from levolve.stopping import check_stop
from levolve.studio.api.parts import RESPONSES, Library, Runs, Seed
from levolve.studio.library import play_page
from levolve.studio.turns import Turns

router = APIRouter(tags=["play"], responses=RESPONSES)
STYLE, SCRIPT = "/api/play/style.css", "/api/play/script.js"
MOST_PLAYED = 100
# More requests for games than this do not wait for their turn.
MOST_WAITING = 16
GAMES = Turns(MOST_WAITING)
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
async def play_new(
    name: str,
    runs: Runs,
    request: Request,
    seed: Seed | None = None,
    theme: ThemeName = DEFAULT_THEME,
) -> Response:
    """Return a page that plays a new puzzle, or a new level of a recipe; the same seed gives the same one.

    It counts as a run while it is made. Requests wait for their turn; one whose client leaves is given up.
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
