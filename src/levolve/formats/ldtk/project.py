"""LDtk: a project with one or more levels. An IntGrid layer contains the tiles, an entity layer the places, and level fields the metadata."""

from collections.abc import Mapping

from levolve.formats.format import Format
from levolve.formats.ldtk.reading import ProjectLevels, decode
from levolve.formats.ldtk.text import project_bytes
from levolve.formats.ldtk.tilesets import identifier_of
from levolve.formats.ldtk.writing import MOST_DRAWN, project_of
from levolve.formats.look import Look
from levolve.formats.png import picture_bytes
from levolve.levels.level import Level


def draw(level: Level, look: Look) -> bytes:
    """Encode a level as a project that is drawn in a look."""
    return project_bytes(project_of({"Level_0": level}, look))


def encode(level: Level) -> bytes:
    """Encode a level as a project in the default look."""
    return draw(level, Look())


def beside(level: Level, look: Look) -> dict[str, bytes]:
    """Return the picture of the tiles."""
    if level.tiles.size > MOST_DRAWN:
        return {}
    atlas = look.atlas(level.tileset)
    return {f"{atlas.name}.png": picture_bytes(atlas.picture)}


LDTK = Format("a project of the LDtk editor", encode, decode, edited=True, draw=draw, beside=beside)
