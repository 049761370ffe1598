"""Levels of runs and of the shelf: what they are like, their distances, and files in any format."""

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response

from levolve.formats import FORMATS
from levolve.formats.files import encode_all
from levolve.formats.look import DEFAULT_THEME, Look
from levolve.formats.themes import THEMES
from levolve.levels.level import Level
from levolve.measures.field import field
from levolve.packs.members import member_of
from levolve.studio.api.parts import RESPONSES, LevelReference, Library, RunNumber, Runs, attachment
from levolve.studio.shown import shown_level
from levolve.studio.stored import best_level

router = APIRouter(tags=["levels"], responses=RESPONSES)
DEFAULT = "json"
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


@router.get("/formats")
def list_formats() -> list[dict[str, str]]:
    """List the formats of levels."""
    broken = FORMATS.broken()
    return [{"name": name, "meaning": FORMATS[name].meaning} for name in sorted(FORMATS, key=lambda name: name != DEFAULT) if name not in broken]


@router.get("/levels/{level}")
def show_level(level: LevelReference, library: Library) -> dict[str, Any]:
    """Return a level with its measures, and the steps from the entrance to each cell (-1 where there is no way)."""
    found = library.level(level)
    distances = field(found).distances.tolist() if found.entrance is not None else None
    about = {"name": library.name(level), "recipe": member_of(found).kind}
    return {"id": level, **about, "level": shown_level(found), "measures": library.measured.of(found), "distances": distances}


@router.get("/levels/{level}/file", response_class=Response, responses={200: {"content": {"application/octet-stream": {}}}})
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
    return file_of({path.name: content for path, content in encode_all(level, Path(f"{name}.{suffix}"), look).items()}, name)


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
