"""Recipes and their settings, from which the page makes its forms.

Tilesets and their atlases, with which the page draws levels as they look in files.
"""

from functools import cache
from importlib import resources
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response

from levolve.formats.look import DEFAULT_THEME
from levolve.formats.pictures.png import picture_bytes
from levolve.formats.text_file import TEXT
from levolve.formats.themes import THEMES
from levolve.formats.themes.atlas import COLUMNS, PLACES, atlas_of
from levolve.formats.themes.thing_atlas import thing_atlas
from levolve.levels.tileset import TILESETS
from levolve.recipes.catalogue import form_of
from levolve.recipes.finding import adapt
from levolve.recipes.recipe import RECIPES, find_recipe, shipped, summary_of
from levolve.studio.api.shared import RESPONSES, Settings
from levolve.studio.views import shown_level

router = APIRouter(tags=["recipes"], responses=RESPONSES)


@router.get("/recipes")
def list_recipes() -> list[dict[str, Any]]:
    """List all recipes, with a level of each one that comes with levolve."""
    broken = RECIPES.broken()
    return [
        {"name": name, "summary": summary_of(RECIPES[name]), "sample": sample_of(name)}
        for name in RECIPES
        if name not in broken
    ]


@cache
def sample_of(name: str) -> dict[str, Any] | None:
    """Return a level of a shipped recipe; None for other recipes."""
    file = resources.files("levolve.studio.samples") / f"{name}.txt"
    return (
        shown_level(TEXT.decode(file.read_bytes()))
        if name in shipped() and file.is_file()
        else None
    )


@router.get("/recipes/{name}")
def recipe(name: str) -> dict[str, Any]:
    """Return a recipe and the form of its settings."""
    RECIPES[name]
    found = find_recipe(name)
    return {"recipe": found.to_data(), "form": form_of(found)}


@router.post("/recipes/{name}/form")
def changed_form(name: str, settings: Settings) -> dict[str, Any]:
    """Return the form of a recipe with changed settings; another kind of a part has other
    fields.
    """
    RECIPES[name]
    found = adapt(
        name, settings={path: value for path, value in settings.items() if value is not None}
    )
    return {"recipe": found.to_data(), "form": form_of(found)}


tilesets_router = APIRouter(tags=["tilesets"], responses=RESPONSES)
TILE = 32
Theme = Annotated[str, Query(max_length=60, description="The name of a theme.")]


@tilesets_router.get("/themes")
def list_themes() -> list[dict[str, str]]:
    """List all themes; the default one first."""
    names = sorted(THEMES, key=lambda name: name != DEFAULT_THEME)
    return [{"name": name, "meaning": THEMES[name].meaning} for name in names]


@tilesets_router.get("/tilesets/{name}")
def tileset(name: str, theme: Theme = DEFAULT_THEME) -> dict[str, Any]:
    """Return the kinds of tiles of a tileset, its legal steps, and the layout of its atlas in a
    theme.
    """
    found, atlas = TILESETS[name], atlas_of(THEMES[theme], TILESETS[name], TILE)
    return {
        "name": found.name,
        "characters": found.characters,
        "names": found.names,
        "steps": [[int(step) for step in row] for row in found.steps],
        "colours": [
            "#" + bytes(atlas.theme.colour(found, kind)).hex() for kind in range(len(found.names))
        ],
        "open": found.open_kind,
        "wall": found.wall,
        "atlas": {
            "picture": f"/api/tilesets/{found.name}/atlas.png?theme={atlas.theme.name}",
            "tile": TILE,
            "columns": COLUMNS,
            "first": atlas.first,
            "variants": atlas.theme.variants,
            "places": {place: atlas.place_tile(place) for place in PLACES},
        },
        "signs": {
            "picture": f"/api/themes/{atlas.theme.name}/things.png",
            "tile": TILE,
            "columns": COLUMNS,
        },
    }


@tilesets_router.get(
    "/tilesets/{name}/atlas.png",
    response_class=Response,
    responses={200: {"content": {"image/png": {}}}},
)
def atlas_picture(name: str, theme: Theme = DEFAULT_THEME) -> Response:
    """Return the picture of all tiles of a tileset in a theme."""
    picture = picture_bytes(atlas_of(THEMES[theme], TILESETS[name], TILE).picture)
    return Response(picture, media_type="image/png", headers={"cache-control": "max-age=3600"})


@tilesets_router.get(
    "/themes/{theme}/things.png",
    response_class=Response,
    responses={200: {"content": {"image/png": {}}}},
)
def things_picture(theme: str) -> Response:
    """Return the picture of the usual signs of things in a theme."""
    picture = picture_bytes(thing_atlas(THEMES[theme], TILE, (), {}).picture)
    return Response(picture, media_type="image/png", headers={"cache-control": "max-age=3600"})
