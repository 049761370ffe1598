"""Tilesets and their atlases, with which the page draws levels as they look in files."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response

from levolve.formats.look import DEFAULT_THEME
from levolve.formats.png import picture_bytes
from levolve.formats.themes import THEMES
from levolve.formats.themes.atlas import COLUMNS, PLACES, atlas_of
from levolve.levels.tileset import TILESETS
from levolve.studio.api.parts import RESPONSES

router = APIRouter(tags=["tilesets"], responses=RESPONSES)
TILE = 32
Theme = Annotated[str, Query(max_length=60, description="The name of a theme.")]


@router.get("/themes")
def list_themes() -> list[dict[str, str]]:
    """List all themes; the default one first."""
    names = sorted(THEMES, key=lambda name: name != DEFAULT_THEME)
    return [{"name": name, "meaning": THEMES[name].meaning} for name in names]


@router.get("/tilesets/{name}")
def tileset(name: str, theme: Theme = DEFAULT_THEME) -> dict[str, Any]:
    """Return the kinds of tiles of a tileset, its legal steps, and the layout of its atlas in a theme."""
    found, atlas = TILESETS[name], atlas_of(THEMES[theme], TILESETS[name], TILE)
    return {
        "name": found.name,
        "characters": found.characters,
        "names": found.names,
        "steps": [[int(step) for step in row] for row in found.steps],
        "colours": ["#" + bytes(atlas.theme.colour(found, kind)).hex() for kind in range(len(found.names))],
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
    }


@router.get("/tilesets/{name}/atlas.png", response_class=Response, responses={200: {"content": {"image/png": {}}}})
def atlas_picture(name: str, theme: Theme = DEFAULT_THEME) -> Response:
    """Return the picture of all tiles of a tileset in a theme."""
    picture = picture_bytes(atlas_of(THEMES[theme], TILESETS[name], TILE).picture)
    return Response(picture, media_type="image/png", headers={"cache-control": "max-age=3600"})
