"""Maps as pictures: PNG, and a GIF of all updates.

Maps in the terminal: half blocks, two cells per character, scaled down by majority where a map is
larger than the room for it.

Maps as levels: what is open becomes floor, and the two farthest points that are joined become
entrance and exit.
"""

import io
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from PIL import Image, ImageDraw, PngImagePlugin

from levolve.core.errors import InputError, LevolveError
from levolve.formats.pictures.colours import INK, MOST_PIXELS, PAPER
from levolve.formats.pictures.marks import font
from levolve.formats.pictures.png import picture_bytes
from levolve.kernels.fashion import pictures
from levolve.kernels.fashion.pictures import most_common
from levolve.kernels.walking.shortest_paths import trace
from levolve.levels.batch import Batch
from levolve.levels.frame import ENTRANCE, EXIT, Frame, Place
from levolve.levels.grid import MOVES
from levolve.levels.level import Level
from levolve.levels.measures.structure_features import distances
from levolve.levels.tileset import WALLS
from levolve.worlds.legend import Legend, Palette
from levolve.worlds.rule import Map

MILLISECONDS = 100


def check_picture(width: int, height: int, pixels: int) -> None:
    """Refuse a picture of a map that is too large for one file."""
    if width * height * pixels * pixels > MOST_PIXELS:
        raise InputError(
            f"a picture of {width * pixels}x{height * pixels} pixels is too large for one file; "
            "take fewer pixels per cell or a window, or write the map in tiles"
        )


def _image(tiles: Map, palette: Palette, pixels: int) -> Image.Image:
    check_picture(tiles.shape[1], tiles.shape[0], pixels)
    image = Image.fromarray(
        np.ascontiguousarray(tiles.repeat(pixels, axis=0).repeat(pixels, axis=1)), mode=None
    ).convert("P")
    image.putpalette([part for colour in palette for part in colour])
    return image


def encode_picture(
    tiles: Map,
    palette: Palette,
    pixels: int = 1,
    notes: Mapping[str, str] | None = None,
    *,
    effort: int = 6,
) -> bytes:
    """A map as PNG with `pixels` pixels per cell, in as many colours as there are states. `notes`
    are written into it as text.

    `effort` is how well it is compressed, from 0, not at all, to 9.
    """
    information = PngImagePlugin.PngInfo()
    for key, text in (notes or {}).items():
        information.add_text(key, text)
    buffer = io.BytesIO()
    _image(tiles, palette, pixels).save(
        buffer, "PNG", pnginfo=information, optimize=False, compress_level=effort
    )
    return buffer.getvalue()


def encode_with_legend(tiles: Map, palette: Palette, legend: Legend, pixels: int = 1) -> bytes:
    """A map as PNG with a strip below it that says what the states in it mean."""
    picture = _image(tiles, palette, pixels).convert("RGB")
    swatch, gap, line = 16, 12, 26
    pen = ImageDraw.Draw(picture)
    present = [state for state in range(len(legend.names)) if (tiles == state).any()]
    needed = {
        state: swatch + 6 + int(pen.textlength(legend.names[state], font=font(13))) + gap
        for state in present
    }
    width = max(picture.width, gap + max(needed.values()))
    places: list[tuple[int, int, int]] = []
    left, row = gap, 0
    for state in present:
        if left + needed[state] > width and left > gap:
            left, row = gap, row + 1
        places.append((state, left, row))
        left += needed[state]
    sheet = Image.new("RGB", (width, picture.height + gap + line * (row + 1)), PAPER)
    sheet.paste(picture, ((width - picture.width) // 2, 0))
    pen = ImageDraw.Draw(sheet)
    for state, left, row in places:
        top = picture.height + gap // 2 + 4 + row * line
        pen.rectangle(
            (left, top, left + swatch - 1, top + swatch - 1), fill=palette[state], outline=INK
        )
        pen.text(
            (left + swatch + 6, top + swatch / 2),
            legend.names[state],
            fill=INK,
            font=font(13),
            anchor="lm",
        )
    return picture_bytes(sheet)


def encode_animation(
    frames: Iterable[Map], palette: Palette, pixels: int = 1, notes: str = ""
) -> bytes:
    """Maps as a looping GIF that shows each for a tenth of a second."""
    pictures: Sequence[Image.Image] = [_image(tiles, palette, pixels) for tiles in frames]
    if not pictures:
        raise InputError("GIF: expected at least one map to show, got none")
    buffer = io.BytesIO()
    # Equal maps in a row become one picture that is shown as long as all of them.
    pictures[0].save(
        buffer,
        "GIF",
        save_all=True,
        append_images=pictures[1:],
        duration=MILLISECONDS,
        loop=0,
        disposal=1,
        comment=notes.encode(),
        optimize=False,
    )
    return buffer.getvalue()


UPPER, LOWER, FULL = "▀", "▄", "█"
# Without colour: two states as blocks, more as one character per two cells of a column.
SHADES = " #.:+*o%@&=-~x$?"


def scaled_down(tiles: Map, columns: int, rows: int) -> Map:
    """The map in at most `columns` x `rows` cells, each the most common state of a square of cells,
    the lowest of several.
    """
    if columns < 1 or rows < 1:
        raise InputError(f"columns and rows: expected at least 1 each, got {columns} and {rows}")
    height, width = tiles.shape
    scale = max(-(-width // columns), -(-height // rows))
    if scale == 1:
        return tiles
    padded = np.pad(tiles, [(0, -height % scale), (0, -width % scale)], mode="edge")
    out = np.empty((padded.shape[0] // scale, padded.shape[1] // scale), np.uint8)
    most_common(padded, int(tiles.max()) + 1, scale, out)
    return out


def terminal_picture(
    tiles: Map, palette: Palette, columns: int = 80, rows: int = 20, *, colour: bool = True
) -> str:
    """A `(height, width)` map as at most `rows` lines of at most `columns` characters.

    With colour every character is two cells in the palette's colours. Without it, two states are
    blank and block; of more states each line shows one character per cell, and every second row of
    cells is left out.
    """
    small = scaled_down(tiles, columns, 2 * rows)
    if small.shape[0] % 2:
        small = np.vstack([small, small[-1:]])
    pairs = [
        list(zip(upper, lower, strict=True))
        for upper, lower in zip(small[::2].tolist(), small[1::2].tolist(), strict=True)
    ]
    if colour:
        return "\n".join(
            "".join(_cell(palette, *pair) for pair in line) + "\x1b[0m" for line in pairs
        )
    if small.max() <= 1:
        blocks = {(0, 0): " ", (1, 0): UPPER, (0, 1): LOWER, (1, 1): FULL}
        return "\n".join("".join(blocks[pair] for pair in line) for line in pairs)
    return "\n".join("".join(SHADES[upper % len(SHADES)] for upper, _ in line) for line in pairs)


def _cell(palette: Palette, upper: int, lower: int) -> str:
    # More states than colours: the colours are used again.
    above, below = palette[upper % len(palette)], palette[lower % len(palette)]
    return (
        f"\x1b[38;2;{above[0]};{above[1]};{above[2]}m\x1b[48;2;{below[0]};{below[1]};{below[2]}m"
        f"{UPPER}"
    )


def pour(tiles: Map, x: int, y: int, state: int) -> Map:
    """The map with the region of equal cells around (x, y) in another state, as a paint bucket
    pours it. The map given is left as it is.
    """
    height, width = tiles.shape
    if not (0 <= x < width and 0 <= y < height):
        raise InputError(f"pour: expected a cell inside the {width}x{height} map, got {x},{y}")
    if not 0 <= state < 256:  # a byte
        raise InputError(f"pour: expected a state from 0 to 255, got {state!r}")
    poured = np.array(tiles, np.uint8)
    pictures.pour(poured, x, y, state)
    return poured


def open_cells(tiles: Map, legend: Legend) -> Map:
    """The map as floor and wall: 0 where its state can be walked on, 1 elsewhere."""
    solid = np.array([not legend.is_open(state) for state in range(len(legend.names))], np.uint8)
    return solid[tiles]


def level_of(tiles: Map, legend: Legend) -> Level:
    """A level that can be won: walls by the legend, entrance and exit far apart in the largest open
    region, and a shortest way between them.
    """
    walls = open_cells(tiles, legend)
    if min(walls.shape) < 2:  # no level is smaller
        raise InputError(
            "map: expected at least 2x2 cells to make a level of, got "
            f"{walls.shape[1]}x{walls.shape[0]}"
        )
    start = _largest_region(walls)
    # Twice to the farthest: from anywhere to one end, and from there to the other.
    entrance, _ = _farthest(walls, start)
    exit_, distances = _farthest(walls, entrance)
    if entrance == exit_:
        raise LevolveError(
            "map: expected at least two open cells side by side, got none; say which states are "
            "open in the legend"
        )
    moves = trace(walls, WALLS.table, distances, *exit_)
    level = Level(
        walls, {ENTRANCE: entrance, EXIT: exit_}, WALLS, "".join(MOVES[move] for move in moves)
    )
    level.check()
    return level


def _largest_region(walls: Map) -> Place:
    """A cell of the largest open region."""
    left = walls.copy()
    best, most = (0, 0), 0
    for y, x in np.argwhere(walls == 0).tolist():
        if left[y, x] == 0:
            size = pictures.pour(left, x, y, 1)
            if size > most:
                best, most = (x, y), size
    return best


def _farthest(walls: Map, start: Place) -> tuple[Place, np.ndarray]:
    height, width = walls.shape
    steps = distances(Batch(Frame(width, height, {ENTRANCE: start}), tiles=walls[np.newaxis]))[0]
    y, x = np.unravel_index(int(steps.argmax()), steps.shape)
    return (int(x), int(y)), steps
