"""The best level of a run as a file in any format."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from levolve.formats import FORMATS
from levolve.formats.look import DEFAULT_THEME, Look
from levolve.formats.themes import THEMES
from levolve.studio.api.parts import RESPONSES, RunNumber, Runs
from levolve.studio.archives import level_attachment
from levolve.studio.stored import best_level

router = APIRouter(tags=["levels"], responses=RESPONSES)
Named = Annotated[str, Query(max_length=60)]


@router.get("/runs/{run}/level", response_class=Response, responses={200: {"content": {"application/octet-stream": {}}}})
def download(
    run: RunNumber,
    runs: Runs,
    format: Named = "json",  # noqa: A002 the word that users know
    theme: Named = DEFAULT_THEME,
    tile: Annotated[int, Query(ge=4, le=128)] = 16,
) -> Response:
    """Return the best level of a run as a file; as a zip archive, if the format needs several files."""
    FORMATS[format]
    level = runs.reading(lambda store: best_level(store, store.find(run)))
    return level_attachment(level, f"levolve-{run}", format, Look(THEMES[theme], tile))
