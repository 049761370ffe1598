"""Pixels: a picture with one pixel per tile, for paint programs. The colours are those of drawn
levels; each place has its own colour.

The file also contains the level. If the pixels are unchanged, that level is returned. If they were
edited, the pixels are decoded, and only the goal, the things and the places that no pixel can show
are taken from the stored level.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from levolve.core.errors import InputError
from levolve.formats.format import Format
from levolve.formats.pictures.colours import PLACE_COLOURS
from levolve.formats.pictures.png import level_in, picture_bytes, travelling
from levolve.formats.reading.budgets import check_cells
from levolve.formats.reading.pictures import png_chunks, png_pixels, png_size
from levolve.levels.goal import default_goal
from levolve.levels.level import Level
from levolve.levels.places import ENTRANCE, EXIT
from levolve.levels.text_form import RECOGNISED, picture, rows_of
from levolve.levels.tileset import SIGNS, TILESETS, Colour, Tileset

# The colour of each place: checkpoints from dark to light blue, tour places from pink to violet.
SIGN_COLOURS: dict[str, Colour] = {
    SIGNS[ENTRANCE]: PLACE_COLOURS[ENTRANCE],
    SIGNS[EXIT]: PLACE_COLOURS[EXIT],
    **{str(number): (62, 92 + 12 * number, 180 + 4 * number) for number in range(1, 10)},
    "A": (222, 110, 160),
    "B": (178, 84, 168),
    "C": (124, 62, 150),
}
OPAQUE = 255


def encode(level: Level) -> bytes:
    """Encode a level with one pixel per tile, and the level itself."""
    table = np.zeros((128, 3), np.uint8)
    for sign, colour in _colours(level.tileset).items():
        table[ord(sign)] = colour
    signs = np.frombuffer("".join(_rows(level)).encode(), np.uint8)
    return picture_bytes(
        Image.fromarray(table[signs].reshape(level.height, level.width, 3)), travelling(level)
    )


def decode(content: bytes) -> Level:
    """Decode the level from its pixels."""
    chunks = png_chunks(content)
    check_cells(*png_size(chunks), "picture")
    pixels = np.asarray(png_pixels(chunks, "RGBA"))
    inside = level_in(chunks)
    same_size = inside is not None and (inside.height, inside.width) == pixels.shape[:2]
    rows, tileset = _signs(pixels, inside.tileset if inside is not None else None)
    painted = Level.from_text("\n".join([*rows, f"tileset: {tileset.name}"]))
    if inside is None or not same_size:
        return painted
    if tileset == inside.tileset and rows == _rows(inside):
        return inside
    hidden = picture(inside.tiles, inside.places, inside.tileset)[1]
    places = {**hidden, **painted.places}
    goal = default_goal(places) if inside.goal == default_goal(inside.places) else inside.goal
    return Level(
        painted.tiles, places, tileset, goal=goal, things=inside.things, kinds=inside.kinds
    )


def _rows(level: Level) -> list[str]:
    return picture(level.tiles, level.places, level.tileset)[0]


def _colours(tileset: Tileset) -> dict[str, Colour]:
    """Return the colour of each character of the text form; raise `InputError` if two characters
    have the same colour.
    """
    tiles = dict(zip(tileset.characters, tileset.colours, strict=True))
    colours = tiles | SIGN_COLOURS if tileset.signs else tiles
    if len(set(colours.values())) != len(colours):
        shared = next(colour for colour in tiles.values() if colour in SIGN_COLOURS.values())
        raise InputError(
            f"tiles.png: expected a tileset without the colours of places, got {_hex(shared)} in "
            f"{tileset.name!r}; choose another format"
        )
    return colours


def _signs(pixels: NDArray[np.uint8], expected: Tileset | None) -> tuple[list[str], Tileset]:
    """Return the text rows of the pixels, and the tileset with their colours: the expected one, if
    it has them.
    """
    packed = pixels.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1, 0], np.uint32)
    found, cells = np.unique(packed, return_inverse=True)
    colours = [(int(colour) >> 16, int(colour) >> 8 & 255, int(colour) & 255) for colour in found]
    tilesets = list(
        dict.fromkeys(
            [
                *([expected] if expected is not None else []),
                *RECOGNISED,
                *(TILESETS[name] for name in TILESETS),
            ]
        )
    )
    fitting = [tileset for tileset in tilesets if set(colours) <= set(_known(tileset).values())]
    faint = pixels[..., 3] != OPAQUE
    if not fitting:
        _refuse(packed, found.tolist(), colours, expected or RECOGNISED[-1], tilesets)
    if faint.any():
        raise InputError(
            f"{_first(faint)}: expected an opaque colour, got one with opacity "
            f"{pixels[faint][0, 3]}"
        )
    signs = {colour: sign for sign, colour in _known(fitting[0]).items()}
    letters = np.array([signs[colour] for colour in colours])
    return rows_of(letters[cells].reshape(packed.shape)), fitting[0]


def _known(tileset: Tileset) -> Mapping[str, Colour]:
    """Return the colours of a tileset; empty if they cannot be distinguished from those of
    places.
    """
    try:
        return _colours(tileset)
    except InputError:
        return {}


def _refuse(
    packed: NDArray[np.uint32],
    found: list[int],
    colours: list[Colour],
    expected: Tileset,
    tilesets: list[Tileset],
) -> None:
    """Raise `InputError` with the first pixel whose colour is unknown, or that belongs to another
    tileset than the others.
    """
    everything = {colour for tileset in tilesets for colour in _known(tileset).values()}
    own = set(_known(expected).values())
    wrong = next((n for n, colour in enumerate(colours) if colour not in everything), None)
    wrong = (
        next(n for n, colour in enumerate(colours) if colour not in own) if wrong is None else wrong
    )
    nearest = _nearest(colours[wrong], [expected, *RECOGNISED])
    raise InputError(
        f"{_first(packed == found[wrong])}: expected one of levolve's colours, of which "
        f"{nearest} is nearest, got {_hex(colours[wrong])}"
    )


def _first(wrong: NDArray[np.bool_]) -> str:
    y, x = np.argwhere(wrong)[0]
    return f"pixel {x},{y}"


def _nearest(colour: Colour, tilesets: list[Tileset]) -> str:
    """Return the name of the most similar known colour."""
    known = {name: SIGN_COLOURS[sign] for name, sign in SIGNS.items()}
    for tileset in tilesets:
        known |= {
            name: value
            for name, value in zip(tileset.names, tileset.colours, strict=True)
            if name not in known
        }
    name = min(
        known,
        key=lambda name: sum(
            (one - other) ** 2 for one, other in zip(known[name], colour, strict=True)
        ),
    )
    return f"the {name} {_hex(known[name])}"


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


PIXELS = Format(
    "a picture with one pixel per tile, for paint programs",
    encode,
    decode,
    edited=True,
    blind="paint programs",
)
