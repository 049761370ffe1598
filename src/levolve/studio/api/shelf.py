"""The shelf: every level and puzzle of the store, searched, kept, and put into packs."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from levolve.formats.look import DEFAULT_THEME, Look
from levolve.formats.themes import THEMES
from levolve.studio.api.levels import zipped
from levolve.studio.api.parts import MOST_NUMBER, RESPONSES, Library
from levolve.studio.library import pack_of

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
    formats: list[Annotated[str, Field(max_length=20)]] = Field(default=["json", "png"], min_length=1, max_length=12)
    theme: str = Field(default=DEFAULT_THEME, max_length=60)


@router.get("/shelf")
def list_levels(  # noqa: PLR0913, PLR0917 one parameter per filter
    library: Library,
    search: Word = "",
    recipe: Word = "",
    measure: Word = "",
    least: Annotated[float | None, Query(allow_inf_nan=False)] = None,
    most: Annotated[float | None, Query(allow_inf_nan=False)] = None,
    page: Annotated[int, Query(ge=0, le=10_000)] = 0,
) -> dict[str, Any]:
    """List levels and puzzles, the newest first: those whose name or recipe contains a word, of a recipe, or with a measure in a range."""
    everything = library.listed()
    found = library.matching(everything, search, recipe, measure, (least, most))
    shown = found[page * PER_PAGE : (page + 1) * PER_PAGE]
    return {
        "total": len(found),
        "per_page": PER_PAGE,
        "recipes": sorted({entry.recipe for entry in everything if entry.recipe}),
        "levels": [entry.to_data(library.measured.of(entry.item)) for entry in shown],
    }


@router.post("/shelf", status_code=201)
def keep_level(kept: KeptLevel, library: Library) -> dict[str, Any]:
    """Keep a level of a run, also if the run is deleted."""
    return {"id": library.keep(kept.level, kept.name)}


@router.delete("/shelf/{number}")
def remove_level(number: Annotated[int, Path(ge=1, le=MOST_NUMBER)], library: Library) -> dict[str, Any]:
    """Take a level off the shelf."""
    library.remove(number)
    return {"id": number}


@router.post("/packs", response_class=Response, responses={200: {"content": {"application/zip": {}}}})
def make_pack(new: NewPack, library: Library) -> Response:
    """Return a zip archive of a pack: the levels in each format, from easy to hard, with a page, a contact sheet and a manifest."""
    pack = pack_of(new.name, [library.item(reference) for reference in new.levels])
    files = pack.files(new.formats, look=Look(THEMES[new.theme]))
    return Response(zipped(files), media_type="application/zip", headers={"content-disposition": f'attachment; filename="{new.name}.zip"'})
