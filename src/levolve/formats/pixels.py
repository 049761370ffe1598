"""Pixels: a picture with one pixel a tile, as people paint levels. The colours are those of drawn levels; places have colours of their own.

The level travels inside the picture too. Where the pixels are still those of that level, it is the level; where somebody painted, the
pixels count, and only places that no pixel can show are taken from inside.
"""

import warnings

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from levolve.errors import InputError
from levolve.formats.drawing import PLACE_COLOURS, TILE_COLOURS, Colour
from levolve.formats.format import Format
from levolve.formats.png import DAMAGED, picture_bytes, read_picture, travelling
from levolve.levels.frame import ENTRANCE, EXIT, check_size
from levolve.levels.level import Level
from levolve.levels.text import SIGNS
from levolve.levels.tileset import RAINBOW, WALLS

# Each sign of the text form has a colour: checkpoints from dark to light blue, tour places from pink to violet.
SIGN_COLOURS: dict[str, Colour] = {
    **dict(zip(WALLS.characters, TILE_COLOURS["walls"], strict=True)),
    SIGNS[ENTRANCE]: PLACE_COLOURS[ENTRANCE],
    SIGNS[EXIT]: PLACE_COLOURS[EXIT],
    **{str(number): (62, 92 + 12 * number, 180 + 4 * number) for number in range(1, 10)},
    "A": (222, 110, 160),
    "B": (178, 84, 168),
    "C": (124, 62, 150),
}
RAINBOW_COLOURS: dict[str, Colour] = dict(zip(RAINBOW.characters, TILE_COLOURS["rainbow"], strict=True))
OPAQUE = 255


def encode(level: Level) -> bytes:
    """A pixel a tile, and the level inside."""
    table = np.zeros((128, 3), np.uint8)
    for sign, colour in (SIGN_COLOURS if level.tileset == WALLS else RAINBOW_COLOURS).items():
        table[ord(sign)] = colour
    signs = np.frombuffer("".join(_picture(level)).encode(), np.uint8)
    return picture_bytes(Image.fromarray(table[signs].reshape(level.height, level.width, 3)), travelling(level))


def decode(content: bytes) -> Level:
    """The level that was painted."""
    image, inside = read_picture(content)
    check_size(*image.size, "picture")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            pixels = np.asarray(image.convert("RGBA"))
    except DAMAGED as problem:
        message = f"PNG: the picture is damaged: {problem}"
        raise InputError(message) from problem
    rows = _signs(pixels)
    kept: list[str] = []
    if inside is not None and (inside.height, inside.width) == pixels.shape[:2]:
        if rows == _picture(inside):
            return inside
        kept = inside.to_text().splitlines()[inside.height :]
    painted = Level.from_text("\n".join(rows))
    hidden = Level.from_text("\n".join([WALLS.characters[0] * pixels.shape[1]] * len(rows) + kept)).places
    return Level(painted.tiles, {**hidden, **painted.places}, painted.tileset)


def _picture(level: Level) -> list[str]:
    return level.to_text().splitlines()[: level.height]


def _signs(pixels: NDArray[np.uint8]) -> list[str]:
    """The text form's rows that the pixels stand for."""
    packed = pixels.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1, 0], np.uint32)
    found, cells = np.unique(packed, return_inverse=True)
    colours = [(int(colour) >> 16, int(colour) >> 8 & 255, int(colour) & 255) for colour in found]
    known = RAINBOW_COLOURS if set(colours) <= set(RAINBOW_COLOURS.values()) else SIGN_COLOURS
    signs = {colour: sign for sign, colour in known.items()}
    for colour, packed_colour in zip(colours, found, strict=True):
        if colour not in signs:
            message = (
                f"{_first(packed == packed_colour)}: expected one of levolve's colours, of which {_nearest(colour)} is nearest, got {_hex(colour)}"
            )
            raise InputError(message)
    faint = pixels[..., 3] != OPAQUE
    if faint.any():
        message = f"{_first(faint)}: expected a colour that nothing shines through, got one of opacity {pixels[faint][0, 3]}"
        raise InputError(message)
    letters = np.array([signs[colour] for colour in colours])
    return ["".join(row) for row in letters[cells].reshape(packed.shape)]


def _first(wrong: NDArray[np.bool_]) -> str:
    y, x = np.argwhere(wrong)[0]
    return f"pixel {x},{y}"


def _nearest(colour: Colour) -> str:
    """The known colour that is most like this one, in words."""
    names = {sign: name for name, sign in SIGNS.items()} | dict(zip(WALLS.characters, WALLS.names, strict=True))
    known = {names[sign]: value for sign, value in SIGN_COLOURS.items()} | dict(zip(RAINBOW.names, RAINBOW_COLOURS.values(), strict=True))
    name = min(known, key=lambda name: sum((one - other) ** 2 for one, other in zip(known[name], colour, strict=True)))
    return f"the {name} {_hex(known[name])}"


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


PIXELS = Format("a picture with one pixel a tile, to paint in", encode, decode, edited=True)
