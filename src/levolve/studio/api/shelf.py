"""The shelf: every level, puzzle, pack, archive and run of the store, searched, kept, put into
packs, and downloaded.
"""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from levolve.formats.look import DEFAULT_THEME, Look
from levolve.formats.themes import THEMES
from levolve.studio.api.levels import zipped
from levolve.studio.api.shared import MOST_NUMBER, RESPONSES, Library, RunNumber, Runs, attachment
from levolve.studio.library import Filter, pack_of
from levolve.studio.views import Shelf, stored_pack

router = APIRouter(tags=["shelf"], responses=RESPONSES)
PER_PAGE = 48
MOST_PACKED = 500
Word = Annotated[str, Query(max_length=100)]
Name = Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[\w][\w .-]*$")]


class KeptLevel(BaseModel):
    """A level to keep."""

    model_config = ConfigDict(extra="forbid")

    level: str = Field(max_length=40, description="A level, such as run-5-0.")
    name: Name


class NewPack(BaseModel):
    """Levels to put into a pack."""

    model_config = ConfigDict(extra="forbid")

    name: Name
    levels: list[Annotated[str, Field(max_length=40)]] = Field(min_length=1, max_length=MOST_PACKED)
    formats: list[Annotated[str, Field(max_length=20)]] = Field(
        default=["json", "png"], min_length=1, max_length=12
    )
    theme: str = Field(default=DEFAULT_THEME, max_length=60)


def _filter(
    search: Word = "",
    recipe: Word = "",
    measure: Word = "",
    least: Annotated[float | None, Query(allow_inf_nan=False)] = None,
    most: Annotated[float | None, Query(allow_inf_nan=False)] = None,
) -> Filter:
    return Filter(search, recipe, measure, least, most)


Wanted = Annotated[Filter, Depends(_filter)]
PageNumber = Annotated[int, Query(ge=0, le=10_000)]


@router.get("/shelf")
def list_levels(
    library: Library,
    wanted: Wanted,
    run: Annotated[
        int | None,
        Query(ge=1, le=MOST_NUMBER, description="Only the levels of this run, pack or archive."),
    ] = None,
    page: PageNumber = 0,
) -> dict[str, Any]:
    """List levels and puzzles, the newest first: those whose name or recipe contains a word, of a
    recipe, or with a measure in a range.

    Levels of archives are listed where `run` is that of one, the best first.
    """
    everything = library.listed(run)
    found = library.matching(everything, wanted)
    shown = found[page * PER_PAGE : (page + 1) * PER_PAGE]
    return {
        "total": len(found),
        "per_page": PER_PAGE,
        "recipes": sorted({entry.recipe for entry in everything if entry.recipe}),
        "levels": [entry.to_data(library.measured.of(entry.item)) for entry in shown],
    }


@router.get("/shelf/{shelf}")
def list_runs(
    shelf: Shelf, library: Library, wanted: Wanted, page: PageNumber = 0
) -> dict[str, Any]:
    """List the packs, the maps of elites or all other runs of the store, the newest first; of a
    measure, those with a level in the range.
    """
    found = library.shelved(shelf, wanted)
    shown = found[page * PER_PAGE : (page + 1) * PER_PAGE]
    return {
        "total": len(found),
        "per_page": PER_PAGE,
        "recipes": library.recipes(shelf),
        "entries": [entry.to_data() for entry in shown],
    }


@router.post("/shelf", status_code=201)
def keep_level(kept: KeptLevel, library: Library) -> dict[str, Any]:
    """Keep a level of a run, also if the run is deleted."""
    return {"id": library.keep(kept.level, kept.name)}


@router.delete("/shelf/{number}")
def remove_level(
    number: Annotated[int, Path(ge=1, le=MOST_NUMBER)], library: Library
) -> dict[str, Any]:
    """Take a level off the shelf."""
    library.remove(number)
    return {"id": number}


@router.post(
    "/packs", response_class=Response, responses={200: {"content": {"application/zip": {}}}}
)
def make_pack(new: NewPack, library: Library) -> Response:
    """Return a zip archive of a pack: the levels in each format, from easy to hard, with a page, a
    contact sheet and a manifest.
    """
    pack = pack_of(new.name, [library.item(reference) for reference in new.levels])
    files = pack.files(new.formats, look=Look(THEMES[new.theme]))
    return attachment(zipped(files), f"{new.name}.zip")


@router.get(
    "/runs/{run}/pack",
    response_class=Response,
    responses={200: {"content": {"application/zip": {}}}},
)
def download_pack(
    run: RunNumber,
    runs: Runs,
    formats: Annotated[
        str, Query(max_length=100, description="Formats, such as json,png,tmx.")
    ] = "json,png",
    theme: Annotated[str, Query(max_length=60)] = DEFAULT_THEME,
) -> Response:
    """Return a zip archive of a pack of the store: the files that `levolve pack` writes."""
    pack = runs.reading(lambda store: stored_pack(store, store.find(run)))
    return attachment(
        zipped(pack.files(formats, look=Look(THEMES[theme]))), f"levolve-pack-{run}.zip"
    )
