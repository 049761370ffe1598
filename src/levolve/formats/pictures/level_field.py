"""Pictures of a level's field: a heat map of the distances, or the members of every cell in the
colours of the checkpoints.
"""

import colorsys
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from levolve.core.errors import InputError
from levolve.core.registry import did_you_mean
from levolve.formats.pictures.colours import INK, OTHER_PLACE, PLACE_COLOURS, check_pixels, sign_of
from levolve.formats.pictures.drawing import END, fitting_tile
from levolve.formats.pictures.marks import (
    LegendEntry,
    diamond_entry,
    disc_entry,
    draw_diamond,
    draw_disc,
    ramp_entry,
    tile_entry,
    with_legend,
)
from levolve.formats.pictures.terminal import half_blocks
from levolve.levels.level import Level
from levolve.levels.measures.field import LevelField, cells_of, field
from levolve.levels.places import ENTRANCE, EXIT, is_checkpoint
from levolve.levels.tileset import LIGHT, Colour

FIELDS = ("distances", "members")

# From near to far, each darker than the one before.
HEAT: tuple[Colour, ...] = ((253, 243, 190), (248, 176, 96), (224, 92, 80), (124, 32, 112))
UNREACHED: Colour = (208, 205, 200)
# Unlike the colours of the entrance and the exit, which are green and red.
MEMBER_COLOURS: tuple[Colour, ...] = (
    (66, 120, 196),
    (228, 128, 46),
    (134, 96, 184),
    (60, 166, 176),
    (190, 174, 50),
    (222, 116, 176),
    (150, 106, 70),
    (110, 125, 150),
    (146, 196, 96),
)
RAMP_PIXELS = 64
LETTERS = "abcdefghijklmnopqrstuvwxyzFGHIJKLMNOPQRTUVWXYZ"
Pixels = NDArray[np.uint8]


def draw_field(
    level: Level,
    kind: str = "distances",
    tile: int | None = None,
    *,
    ends: bool = False,
    legend: bool = True,
) -> Image.Image:
    """A picture of a level's field.

    Parameters
    ----------
    level
        A level with an entrance; for its members it must have checkpoints.
    kind
        "distances": every cell in the colour of its distance from the entrance. "members": every
        cell in the colours of the checkpoints that are its members, side by side, with a diamond on
        the witnesses: filled where no third checkpoint is a member of such a witness.
    tile
        Pixels per tile, from 1. Default: 16, fewer for large levels.
    ends, legend
        Whether culs-de-sac are marked, and whether a strip below says what is what.
    """
    found = _found(level, kind)
    tile = fitting_tile(level) if tile is None else tile
    check_pixels(level.width, level.height, tile)
    cells = (
        _heat(level, found)[:, :, None, None]
        if kind == "distances"
        else _member_blocks(level, found, tile)
    )
    blocks = np.broadcast_to(cells, (level.height, level.width, tile, tile, 3))
    image = Image.fromarray(
        np.ascontiguousarray(
            blocks.transpose(0, 2, 1, 3, 4).reshape(level.height * tile, level.width * tile, 3)
        )
    )
    _draw_barriers(image, level, tile)
    if ends:
        for cell in cells_of(found.culs_de_sac):
            draw_disc(image, cell, tile, END, share=0.45)
    colours = _checkpoint_colours(level, found, kind)
    for name, cell in level.places.items():
        draw_disc(image, cell, tile, colours.get(name, OTHER_PLACE), sign=sign_of(name))
    if kind == "members":
        taken = set(level.places.values())
        for (x, y), isolated in found.witnesses.items():
            # Beside the sign of a place, where there is one.
            corner = tile // 2 if (x, y) in taken else 0
            draw_diamond(image, (x * tile + corner, y * tile), tile - corner, filled=isolated)
    return with_legend(image, _legend(level, found, kind, ends=ends)) if legend else image


def terminal_field(level: Level, kind: str = "distances", *, colour: bool = True) -> str:
    """The field of a level in the terminal, with a legend below: in colour two rows per line,
    otherwise one character per cell.
    """
    found = _found(level, kind)
    sets = _sets(found) if kind == "members" else []
    if not colour:
        rows = (
            _plain_distances(level, found)
            if kind == "distances"
            else _plain_members(level, found, sets)
        )
        return "\n".join(rows)
    cells = (
        _heat(level, found) if kind == "distances" else _member_blocks(level, found, 1)[:, :, 0, 0]
    ).tolist()
    for name, (x, y) in level.places.items():
        if not is_checkpoint(name) or kind == "distances":
            cells[y][x] = PLACE_COLOURS.get(name, OTHER_PLACE)
    if kind == "distances":
        ramp = "".join(_paint(shade) for shade in heat_ramp(16))
        return (
            f"{half_blocks(cells)}\n{ramp} 0 to {found.farthest} steps from the entrance, "
            f"{_paint(UNREACHED)} not reached"
        )
    keys = [f"{_paint(mixed(found, members))} {_names(members)}" for members in sets]
    return f"{half_blocks(cells)}\nmembers: {', '.join(keys)}\n{_witness_text(found)}"


def _found(level: Level, kind: str) -> LevelField:
    if kind not in FIELDS:
        raise InputError(f"field: unknown field {kind!r}: {did_you_mean(kind, list(FIELDS))}")
    found = field(level)
    if kind == "members" and not found.checkpoints:
        raise InputError(
            "field: expected a level with checkpoints, whose members to show, got none; "
            "'distances' needs no checkpoints"
        )
    return found


def heat_ramp(count: int) -> list[Colour]:
    """Colours from near to far."""
    places = np.linspace(0, len(HEAT) - 1, count)
    channels = [
        np.interp(places, range(len(HEAT)), channel).round().astype(int).tolist()
        for channel in zip(*HEAT, strict=True)
    ]
    return list(zip(*channels, strict=True))


def _closed(level: Level) -> NDArray[np.bool_]:
    """Cells that nobody can stand on."""
    return np.array(
        [not level.tileset.may_stand(kind) for kind in range(len(level.tileset.characters))]
    )[level.tiles]


def _heat(level: Level, found: LevelField) -> Pixels:
    """The colour of each cell's distance, `(height, width, 3)`."""
    ramp = np.array(heat_ramp(found.farthest + 1) if found.farthest else HEAT[:1], np.uint8)
    pixels = np.where(
        (found.distances >= 0)[..., None],
        ramp[np.maximum(found.distances, 0)],
        np.array(UNREACHED, np.uint8),
    )
    walls = np.array(level.tileset.colours, np.uint8)[level.tiles]
    return np.asarray(np.where(_closed(level)[..., None], walls, pixels), np.uint8)


def _member_blocks(level: Level, found: LevelField, tile: int) -> Pixels:
    """The pixels of each cell, `(height, width, tile, tile, 3)`: a stripe for each of its members,
    or one mixed colour where stripes do not fit.
    """
    sets, which = np.unique(found.members, return_inverse=True)
    blocks = np.empty((len(sets), tile, tile, 3), np.uint8)
    for block, bits in zip(blocks, sets.tolist(), strict=True):
        members = [index for index in range(len(found.checkpoints)) if bits >> index & 1]
        if not members:
            block[:] = LIGHT
        elif tile < 2 * len(members):
            block[:] = mixed(found, tuple(found.checkpoints[index] for index in members))
        else:
            stripes = np.arange(tile) * len(members) // tile
            block[:] = np.array([member_colour(index) for index in members], np.uint8)[stripes]
    pixels = blocks[which.reshape(found.members.shape)]
    pixels[found.distances < 0] = UNREACHED
    closed = _closed(level)
    pixels[closed] = np.array(level.tileset.colours, np.uint8)[level.tiles[closed]][:, None, None]
    return pixels


def member_colour(index: int) -> Colour:
    """The colour of the checkpoint at a position, from 0, among those of its level."""
    if index < len(MEMBER_COLOURS):
        return MEMBER_COLOURS[index]
    red, green, blue = colorsys.hls_to_rgb(index * 0.381966 % 1, 0.45 + 0.1 * (index % 3), 0.6)
    return round(255 * red), round(255 * green), round(255 * blue)


def mixed(found: LevelField, members: Sequence[int]) -> Colour:
    """The mean colour of these checkpoints, given by number; the colour of a cell without members
    where there are none.
    """
    colours = [member_colour(found.checkpoints.index(number)) for number in members] or [LIGHT]
    red, green, blue = (sum(channel) // len(colours) for channel in zip(*colours, strict=True))
    return red, green, blue


def _draw_barriers(image: Image.Image, level: Level, tile: int) -> None:
    """A dark line between neighbours that can be stood on but have no legal step between them, as
    between colours that are far apart.
    """
    if tile < 4 or level.tileset.packs:  # a line would hide the tile
        return
    pen = ImageDraw.Draw(image)
    steps, kinds, closed = level.tileset.table, level.tiles, _closed(level)
    for y in range(level.height):
        for x in range(level.width):
            for right, down in ((1, 0), (0, 1)):
                if (
                    x + right >= level.width
                    or y + down >= level.height
                    or closed[y, x]
                    or closed[y + down, x + right]
                ):
                    continue
                here, there = kinds[y, x], kinds[y + down, x + right]
                if not (steps[here, there] or steps[there, here]):
                    corner = ((x + right) * tile, (y + down) * tile)
                    pen.line(
                        (*corner, (x + 1) * tile, (y + 1) * tile), fill=INK, width=max(1, tile // 8)
                    )


def _checkpoint_colours(level: Level, found: LevelField, kind: str) -> dict[str, Colour]:
    names = [name for name in level.places if is_checkpoint(name)]
    colours = (
        {name: member_colour(index) for index, name in enumerate(names)}
        if kind == "members"
        else {}
    )
    return {**PLACE_COLOURS, **colours} if found.checkpoints else dict(PLACE_COLOURS)


def _legend(level: Level, found: LevelField, kind: str, *, ends: bool) -> list[LegendEntry]:
    tileset = level.tileset
    entries = [
        disc_entry(PLACE_COLOURS[name], name, sign=sign_of(name))
        for name in (ENTRANCE, EXIT)
        if name in level.places
    ]
    if kind == "distances":
        entries.insert(
            0, ramp_entry(heat_ramp(RAMP_PIXELS), f"0 to {found.farthest} steps from the entrance")
        )
        entries += [disc_entry(OTHER_PLACE, "checkpoint", sign="1")] * bool(found.checkpoints)
    else:
        entries += [
            disc_entry(member_colour(index), f"checkpoint {number}", sign=str(number))
            for index, number in enumerate(found.checkpoints)
        ]
        entries += [tile_entry(LIGHT, "no members")] * bool(
            ((found.members == 0) & (found.distances >= 0)).any()
        )
        entries += [diamond_entry("isolated witness", filled=True)] * any(found.witnesses.values())
        entries += [diamond_entry("witness", filled=False)] * (not all(found.witnesses.values()))
    entries += [tile_entry(UNREACHED, "not reached")] * bool(
        ((found.distances < 0) & ~_closed(level)).any()
    )
    walls = sorted(
        {int(kind) for kind in np.unique(level.tiles) if not tileset.may_stand(int(kind))}
    )
    entries += [tile_entry(tileset.colours[kind], tileset.names[kind]) for kind in walls]
    return entries + [disc_entry(END, "cul-de-sac", share=0.45)] * ends


def _paint(shade: Colour) -> str:
    return f"\x1b[38;2;{shade[0]};{shade[1]};{shade[2]}m█\x1b[0m"


def _sets(found: LevelField) -> list[tuple[int, ...]]:
    """The different sets of members in the level, those of few members first, without the empty
    one.
    """
    height, width = found.members.shape
    sets = {found.members_at(x, y) for y in range(height) for x in range(width)} - {()}
    return sorted(sets, key=lambda members: (len(members), members))


def _names(members: Sequence[int]) -> str:
    return "+".join(map(str, members))


def _witness_text(found: LevelField) -> str:
    """The pairs and where they first meet, a line each."""
    lines = []
    for pair in found.pairs:
        at = ", ".join(f"{x},{y}" for x, y in pair.witnesses[:4]) + (
            " …" if len(pair.witnesses) > 4 else ""  # as many as fit
        )
        meet = (
            f"prc {pair.prc}, iprc {pair.iprc}, witnesses {at}" if pair.witnesses else "never meet"
        )
        lines.append(f"{pair.first} and {pair.second}: {meet}")
    return "\n".join(lines)


def _plain_distances(level: Level, found: LevelField) -> list[str]:
    """Each cell as a digit, its distance in tenths of the largest."""
    closed, distances = _closed(level).tolist(), found.distances.tolist()
    rows = []
    for y in range(level.height):
        cells = zip(closed[y], distances[y], strict=True)
        rows.append(
            "".join(
                "#" if wall else " " if far < 0 else str(far * 10 // (found.farthest + 1))
                for wall, far in cells
            )
        )
    legend = (
        f"0 to 9: tenths of the way from 0 to {found.farthest} steps from the entrance; blank: "
        "not reached; #: closed"
    )
    return [*_signed(rows, level), legend]


def _plain_members(level: Level, found: LevelField, sets: list[tuple[int, ...]]) -> list[str]:
    """Each cell as a letter that stands for its set of members; a legend below says which."""
    letters = {
        members: LETTERS[index] if index < len(LETTERS) else "*"
        for index, members in enumerate(sets)
    }
    closed = _closed(level)
    rows = [
        [
            "#" if closed[y, x] else letters.get(found.members_at(x, y), ".")
            for x in range(level.width)
        ]
        for y in range(level.height)
    ]
    for y, x in np.argwhere((found.distances < 0) & ~closed).tolist():
        rows[y][x] = " "
    key = [f"{letter} {_names(members)}" for members, letter in letters.items()]
    legend = f"members: {', '.join(key) or 'none'}; .: none; blank: not reached; #: closed"
    return [
        *_signed(["".join(row) for row in rows], level),
        legend,
        *_witness_text(found).splitlines(),
    ]


def _signed(rows: list[str], level: Level) -> list[str]:
    """The rows with the signs of the entrance and the exit in them."""
    for name in (ENTRANCE, EXIT):
        if name in level.places:
            x, y = level.places[name]
            rows[y] = rows[y][:x] + sign_of(name) + rows[y][x + 1 :]
    return rows
