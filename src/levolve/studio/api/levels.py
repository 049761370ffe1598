"""The best level of a run as a file in any format."""

import io
import zipfile
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from levolve.formats import FORMATS
from levolve.formats.files import encode_all
from levolve.formats.look import DEFAULT_THEME, Look
from levolve.formats.themes import THEMES
from levolve.levels.level import Level
from levolve.studio.api.parts import RESPONSES, RunNumber, Runs
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
    return level_file(level, f"levolve-{run}", format, Look(THEMES[theme], tile))


def level_file(level: Level, name: str, suffix: str, look: Look) -> Response:
    """Return a level as a file to download; as a zip archive, if the format needs several files."""
    files = encode_all(level, Path(f"{name}.{suffix}"), look)
    if len(files) == 1:
        content = next(iter(files.values()))
    else:
        content, suffix = _zipped({path.name: content for path, content in files.items()}), "zip"
    return Response(content, media_type="application/octet-stream", headers={"content-disposition": f'attachment; filename="{name}.{suffix}"'})


def _zipped(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            # A fixed time: the same level gives the same bytes.
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content)
    return buffer.getvalue()
