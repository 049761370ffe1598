"""Drawing of levels, shared by PNG, GIF and contact sheets."""

from collections.abc import Sequence
from functools import cached_property
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from levolve.formats.look import theme_of
from levolve.formats.pictures.colours import (
    INK,
    OTHER_PLACE,
    PAPER,
    PLACE_COLOURS,
    WAY_BACK,
    check_pixels,
)
from levolve.formats.pictures.marks import (
    SWATCH,
    disc_entry,
    draw_disc,
    font,
    line_entry,
    picture_entry,
    with_legend,
)
from levolve.formats.pictures.walk_lines import Walk, joined_lines, walk_of
from levolve.formats.themes.atlas import atlas_of
from levolve.formats.themes.theme import DEFAULT_TILE, LEAST_TILE, Theme
from levolve.formats.themes.things import ThingLook, looks_during, looks_of
from levolve.levels.level import Level
from levolve.levels.places import ENTRANCE, EXIT, Place, checkpoint
from levolve.levels.things.playing import IllegalMoveError, PlayRules, PlayState, hidden_cells
from levolve.levels.things.thing import Thing
from levolve.levels.tileset import WALLS, Colour, Tileset

PATH = WALLS.path

END: Colour = (120, 88, 160)


def fitting_tile(level: Level, most: int = 2048, largest: int = DEFAULT_TILE) -> int:
    """Return the tile size `largest`, or a smaller one if a side of the picture would have more
    than `most` pixels.
    """
    return max(1, min(largest, most // max(level.width, level.height)))


def draw_level(
    level: Level,
    tile: int | None = None,
    *,
    path: bool = True,
    ends: bool = False,
    legend: bool = False,
    steps: int | None = None,
    theme: Theme | None = None,
    played: "PlayedThings | None" = None,
) -> Image.Image:
    """Draw a level: tiles, places and things, optionally the solution, the culs-de-sac, a legend.

    Parameters
    ----------
    level
        The level to draw.
    tile
        Pixels per tile, from 1. Default: those of the theme, usually 16, and fewer for large
        levels.
    path
        Whether the solution is drawn and, for a goal whose measured tour returns, the way back.
    ends, legend
        Whether culs-de-sac are marked, and whether a legend is added below.
    steps
        How many steps of the walk are drawn. Default: all.
    theme
        Draws the tiles and the places; tiles of less than 4 pixels have one colour. Default: the
        default theme.
    played
        The things of the level, for those who draw many of its steps.
    """
    theme = theme_of(theme)
    tile = fitting_tile(level, largest=theme.own_tile) if tile is None else tile
    check_pixels(level.width, level.height, tile)
    tileset = level.tileset
    image = _draw_tiles(level, tile, theme)
    pen = ImageDraw.Draw(image)
    walk = walk_of(level) if path and level.solution else Walk()
    walk = walk if steps is None else walk.first(steps)
    colour, edge = path_colours(tileset, theme)
    inner = max(1, tile // 4)
    outer = inner if edge is None else inner + max(2, tile // 8)
    if len(walk.back) > 1:
        pen.line(
            _centres(walk.back, tile),
            fill=WAY_BACK,
            width=max(outer + inner, tile // 2),
            joint="curve",
        )
    lines = [_centres(line, tile) for line in joined_lines(walk.there) if len(line) > 1]
    for fill, width in ((edge, outer), (colour, inner)):
        for points in lines if fill is not None else ():
            pen.line(points, fill=fill, width=width, joint="curve")
    if ends:
        for cell in end_cells(level):
            draw_disc(image, cell, tile, END, share=0.45)
    for name, (x, y) in level.places.items():
        if tile < LEAST_TILE:
            draw_disc(image, (x, y), tile, PLACE_COLOURS.get(name, OTHER_PLACE))
        else:
            mark = Image.fromarray(theme.place(name, tile))
            image.paste(mark, (x * tile, y * tile), mark)
    draw_things(image, level, tile, theme, (played or PlayedThings(level)).looks(steps or 0))
    return _with_legend(image, level, walk, theme, ends=ends) if legend else image


class PlayedThings:
    """How the things of a level look after each move of its solution."""

    def __init__(self, level: Level) -> None:
        """Draw as at the start."""
        self._level = level
        self._first = looks_of(level.things, level.kinds)

    @cached_property
    def _play(self) -> tuple[PlayRules, list[PlayState]]:
        """The rules, and the moments of the solution; none of one with an illegal move."""
        play = PlayRules(self._level)
        try:
            return play, play.played(self._level.solution or "")
        except IllegalMoveError:
            return play, []

    def looks(self, steps: int) -> Sequence[ThingLook]:
        """Return the looks after some moves, in the order of the level."""
        if not self._first or not steps or self._level.solution is None:
            return self._first
        play, moments = self._play
        moment = moments[min(steps, len(moments) - 1)] if moments else None
        return self._first if moment is None else looks_during(play, moment, self._first)


def draw_things(
    image: Image.Image, level: Level, tile: int, theme: Theme, looks: Sequence[ThingLook]
) -> None:
    """Draw the things of a level, given how they look."""
    marks: dict[ThingLook, Image.Image] = {}
    for thing, look in zip(level.things, looks, strict=True):
        x, y = thing.cell
        if look.is_gone:
            continue
        if tile < LEAST_TILE:
            image.paste(look.colour, (x * tile, y * tile, (x + 1) * tile, (y + 1) * tile))
            continue
        if look not in marks:
            marks[look] = Image.fromarray(theme.thing(look, tile))
        image.paste(marks[look], (x * tile, y * tile), marks[look])


def shown_tiles(level: Level) -> NDArray[np.uint8]:
    """Return the tiles as players see them: a secret door is a wall."""
    hidden = hidden_cells(level)
    if not hidden or level.tileset.wall is None:
        return level.tiles
    tiles = level.tiles.copy()
    for x, y in hidden:
        tiles[y, x] = level.tileset.wall
    return tiles


def _draw_tiles(level: Level, tile: int, theme: Theme) -> Image.Image:
    shown = shown_tiles(level)
    if tile >= LEAST_TILE:
        return atlas_of(theme, level.tileset, tile).draw(shown)
    colours = np.array(
        [theme.colour(level.tileset, kind) for kind in range(len(level.tileset.names))], np.uint8
    )
    pixels: NDArray[np.uint8] = colours[shown].repeat(tile, axis=0).repeat(tile, axis=1)
    return Image.fromarray(pixels)


def path_colours(tileset: Tileset, theme: Theme) -> tuple[Colour, Colour | None]:
    """Return the colours of a solution and of its outline, which may have none."""
    if theme.path is None or tileset.wall is None:
        return tileset.path, tileset.path_edge
    return theme.path, theme.path_edge


def _centres(cells: Sequence[Place], tile: int) -> list[tuple[float, float]]:
    return [((x + 0.5) * tile, (y + 0.5) * tile) for x, y in cells]


def end_cells(level: Level) -> list[Place]:
    """Return the culs-de-sac: reachable cells from which no step leads farther from the
    entrance.
    """
    from levolve.levels.measures.field import cells_of, field

    return [] if level.entrance is None else list(cells_of(field(level).culs_de_sac))


def _with_legend(
    picture: Image.Image, level: Level, walk: Walk, theme: Theme, *, ends: bool
) -> Image.Image:
    """Add a legend below the picture."""
    tileset = level.tileset
    atlas = atlas_of(theme, tileset, SWATCH)
    ground = Image.fromarray(atlas.pixels[atlas.first[tileset.open_kind]])
    entries = [
        picture_entry(ground, Image.fromarray(atlas.pixels[first]), name)
        for first, name in zip(atlas.first, tileset.names, strict=True)
    ]
    marks = [(name, name) for name in (ENTRANCE, EXIT) if name in level.places] + [
        (checkpoint(1), "checkpoint")
    ] * bool(level.checkpoints)
    entries += [
        picture_entry(ground, Image.fromarray(theme.place(name, SWATCH)), text)
        for name, text in marks
    ]
    things = dict(zip(map(_label, level.things), looks_of(level.things, level.kinds), strict=True))
    entries += [
        picture_entry(ground, Image.fromarray(theme.thing(look, SWATCH)), label)
        for label, look in sorted(things.items())
    ]
    entries += [line_entry(*path_colours(tileset, theme), "shortest path")] * (len(walk.there) > 1)
    entries += [line_entry(WAY_BACK, None, "way back", 8)] * (len(walk.back) > 1)
    return with_legend(picture, entries + [disc_entry(END, "cul-de-sac", share=0.45)] * ends)


def _label(thing: Thing) -> str:
    """Return the words for a thing in a legend, such as "red key"."""
    colour = thing.fields.get("color", "")
    return f"{colour} {thing.kind.replace('_', ' ')}".strip()


def contact_sheet(
    levels: Sequence[Level | Image.Image],
    captions: Sequence[str],
    columns: int | None = None,
    *,
    theme: Theme | None = None,
) -> Image.Image:
    """Draw all levels in one picture, each with a caption below; a column is as wide as its widest
    member. Pictures are shown as they are.
    """
    if columns is None:
        # Wider than high, with the last row as full as possible.
        least = ceil(sqrt(len(levels)))
        columns = min(range(least, least + 4), key=lambda count: -len(levels) % count)
    rows = ceil(len(levels) / columns)
    sides = [max(level.width, level.height) for level in levels if isinstance(level, Level)]
    tile = max(1, min(DEFAULT_TILE, 240 // max(sides, default=1)))
    pictures = [
        draw_level(level, tile, theme=theme) if isinstance(level, Level) else level
        for level in levels
    ]
    letters = font(14)
    width = max(
        *(picture.width for picture in pictures),
        *(ceil(letters.getlength(caption)) for caption in captions),
    )
    height = max(picture.height for picture in pictures)
    gap, line = 24, 26
    sheet = Image.new(
        "RGB", (gap + columns * (width + gap), gap + rows * (height + line + gap)), PAPER
    )
    pen = ImageDraw.Draw(sheet)
    for index, (picture, caption) in enumerate(zip(pictures, captions, strict=True)):
        left = gap + index % columns * (width + gap)
        top = gap + index // columns * (height + line + gap)
        sheet.paste(picture, (left, top))
        pen.text((left, top + picture.height + 6), caption, fill=INK, font=letters)
    return sheet
