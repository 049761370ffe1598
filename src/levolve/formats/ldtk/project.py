"""LDtk: a project with one or more levels. An IntGrid layer contains the tiles, an entity layer the
places, and level fields the metadata.
"""

from collections.abc import Iterable, Mapping

from levolve.formats.format import Format
from levolve.formats.ldtk.definitions import identifier_of
from levolve.formats.ldtk.merging import merge
from levolve.formats.ldtk.ownership import foreign, grid, kept
from levolve.formats.ldtk.reading import ProjectLevels, decode
from levolve.formats.ldtk.text import project_bytes
from levolve.formats.ldtk.thing_entities import signs_of
from levolve.formats.ldtk.writing import MOST_DRAWN, project_of
from levolve.formats.look import Look
from levolve.formats.pictures.png import picture_bytes
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
    return {f"{atlas.name}.png": picture_bytes(atlas.picture), **_signs([level], look)}


def _signs(levels: Iterable[Level], look: Look) -> dict[str, bytes]:
    """Return the picture of the signs of the things in a project."""
    signs = signs_of(levels, look)
    return {} if signs is None else {f"{signs.name}.png": picture_bytes(signs.picture)}


def bundle(name: str, levels: Mapping[str, Level], look: Look) -> dict[str, bytes]:
    """Return a project with all levels of a pack, laid out in its world, and the pictures of their
    tiles; several projects if they are too large.
    """
    parts: list[dict[str, Level]] = [{}]
    cells = 0
    for called, level in levels.items():
        if parts[-1] and cells + level.tiles.size > MOST_DRAWN:
            parts.append({})
            cells = 0
        identifier = f"Level_{identifier_of(called)}"
        while identifier in parts[-1]:
            identifier += "_"
        parts[-1][identifier] = level
        cells += level.tiles.size
    names = (
        [f"{name}.ldtk"]
        if len(parts) == 1
        else [f"{name}-{number}.ldtk" for number in range(1, len(parts) + 1)]
    )
    files = {
        file: project_bytes(project_of(part, look))
        for file, part in zip(names, parts, strict=True)
        if part
    }
    for part in parts:
        if sum(level.tiles.size for level in part.values()) <= MOST_DRAWN:
            files |= _signs(part.values(), look)
    one_of_each = {
        level.tileset.name: level
        for level in sorted(levels.values(), key=lambda level: -level.tiles.size)
    }
    return files | {
        picture: content
        for level in one_of_each.values()
        for picture, content in beside(level.with_things(()), look).items()
    }


LDTK = Format(
    "a project of the LDtk editor",
    encode,
    decode,
    edited=True,
    decode_in=decode,
    draw=draw,
    beside=beside,
    bundle=bundle,
    single=False,
    levels=ProjectLevels,
    foreign=foreign,
    merge=merge,
    kept=kept,
    grid=grid,
)
