"""Where objects are: their centres in pixels, and the cells below them.

What a map draws besides the level: other layers, objects that show tiles, and pictures.

Tiled draws them all. So a tile of one of the level's kinds in a cell of another kind is an error:
only what is shown is certified.
"""

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError, shown
from levolve.formats.reading.folder import Folder
from levolve.formats.themes.recognition import TilePicture, known_atlas
from levolve.formats.tiled.layers import (
    DIAGONAL,
    FLIPS,
    PlacedLayer,
    all_layers,
    check_layer_size,
    level_layers,
    raw_numbers,
)
from levolve.formats.tiled.model import KEEP, THINGS, Map, Object
from levolve.formats.tiled.tiles import Drawn, TileKinds
from levolve.levels.places import Place
from levolve.levels.tileset import Tileset

# Where the position of a tile object is in its rectangle, as shares of the width and the height, by
# the alignment of its tileset.
ALIGNMENTS: dict[str, tuple[float, float]] = {
    "unspecified": (0, 1),
    "topleft": (0, 0),
    "top": (0.5, 0),
    "topright": (1, 0),
    "left": (0, 0.5),
    "center": (0.5, 0.5),
    "right": (1, 0.5),
    "bottomleft": (0, 1),
    "bottom": (0.5, 1),
    "bottomright": (1, 1),
}


def box_of(entry: Object, alignment: str) -> tuple[float, float, float, float]:
    """Return the left, top, right and bottom edge of an object before its rotation, in pixels from
    its position.
    """
    if entry.polygon or entry.polyline:
        return _extent(entry)
    if alignment not in ALIGNMENTS:
        raise InputError(
            f"tileset: expected an object alignment such as bottomleft, got {shown(alignment)}"
        )
    across, down = ALIGNMENTS[alignment] if entry.gid else (0, 0)
    left, top = -across * entry.width, -down * entry.height
    return left, top, left + entry.width, top + entry.height


def points_of(entry: Object) -> list[tuple[float, float]]:
    """Return the points of a polygon or a line, in pixels from its position."""
    points = entry.polygon or entry.polyline
    try:
        found = (
            [pair.partition(",")[::2] for pair in points.split()]
            if isinstance(points, str)
            else [(point["x"], point["y"]) for point in points]
        )
        pairs = [(float(x), float(y)) for x, y in found]
    except (TypeError, ValueError, LookupError) as problem:
        raise InputError(
            f"object {shown(entry.name)}: expected points of two numbers each, got others"
        ) from problem
    if not pairs or not all(math.isfinite(part) for pair in pairs for part in pair):
        raise InputError(
            f"object {shown(entry.name)}: expected at least one point, and finite numbers"
        )
    return pairs


def _extent(entry: Object) -> tuple[float, float, float, float]:
    """Return the edges of a polygon or a line."""
    columns, rows = zip(*points_of(entry), strict=True)
    return min(columns), min(rows), max(columns), max(rows)


def centre_of(entry: Object, alignment: str) -> tuple[float, float]:
    """Return the centre of an object in pixels. Tiled turns an object clockwise around its
    position.
    """
    left, top, right, bottom = box_of(entry, alignment)
    x, y = (left + right) / 2, (top + bottom) / 2
    if entry.rotation:
        angle = math.radians(entry.rotation)
        x, y = x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)
        # Without the rounding, a quarter turn could end just beside the edge of a cell.
        return round(entry.x + x, 6), round(entry.y + y, 6)
    return entry.x + x, entry.y + y


def sized(entry: Object, drawn: Drawn, what: str) -> Object:
    """Return an object with its size: one that shows a tile and has no size is as large as the
    tile.
    """
    if entry.width and entry.height:
        return entry
    if not (drawn.width and drawn.height):
        raise InputError(
            f"{what}: expected an object with a size, or a tileset with the size of its tiles, "
            "got neither; set its size in Tiled"
        )
    return entry.model_copy(
        update={"width": entry.width or drawn.width, "height": entry.height or drawn.height}
    )


def turned(
    box: tuple[float, float, float, float], rotation: float
) -> tuple[float, float, float, float]:
    """Return the edges that hold a box after a clockwise turn around its position. A negative size
    is drawn mirrored.
    """
    angle = math.radians(rotation % 360)
    across, down = math.cos(angle), math.sin(angle)
    corners = [(x * across - y * down, x * down + y * across) for x in box[::2] for y in box[1::2]]
    columns, rows = zip(*corners, strict=True)
    return min(columns), min(rows), max(columns), max(rows)


def cell_of(entry: Object, placed: PlacedLayer, found: Map, alignment: str) -> Place:
    """Return the cell under the centre of an object."""
    what = f"object {shown(entry.name)}"
    if entry.template:
        raise InputError(
            f"{what}: expected an object without a template; in Tiled choose Detach in its "
            "context menu"
        )
    if not entry.visible:
        raise InputError(f"{what}: expected a visible object, got a hidden one; show it in Tiled")
    centre, offset = centre_of(entry, alignment), placed.offset
    across, down = centre[0] + offset[0], centre[1] + offset[1]
    x, y = across / found.tilewidth, down / found.tileheight
    if not (0 <= x < found.width and 0 <= y < found.height):
        raise InputError(
            f"{what}: expected its centre in the map of {found.width}x{found.height} cells, got "
            f"{across:g},{down:g} pixels"
        )
    return int(x), int(y)


# Left, top, right and bottom edge in pixels.
Box = tuple[float, float, float, float]
# The cells that one tile covers, at most.
MOST_COVERED = 4096
# Pixels by which a turned tile may reach into the next cell.
ROUNDING = 1e-3
_PNG = (".png",)


class Others:
    """Checks all that is drawn over a level whose cells are known."""

    def __init__(
        self,
        found: Map,
        kinds: TileKinds,
        files: Folder,
        tiles: NDArray[np.uint8],
        tileset: Tileset,
    ) -> None:
        """Prepare the checks of a map with the `(height, width)` tiles of its level."""
        self._found, self._kinds, self._files, self._tiles, self._tileset = (
            found,
            kinds,
            files,
            tiles,
            tileset,
        )
        self._names = {name: kind for kind, name in enumerate(tileset.names)}

    def check(self) -> None:
        """Raise `InputError` that names the layer or the object which draws a tile of the level's
        kinds over another kind.
        """
        own = {placed.path for placed in level_layers(self._found)}
        for placed in all_layers(self._found):
            if placed.path in own or not placed.visible or placed.opacity <= 0:
                continue
            if placed.layer.type == "tilelayer":
                self._check_tiles(placed)
            for entry in placed.layer.objects:
                self._check_object(entry, placed)
            if placed.layer.image:
                self._check_image(placed)

    def _check_tiles(self, placed: PlacedLayer) -> None:
        if placed.name == KEEP:
            check_layer_size(self._found, placed)
        numbers, layer = raw_numbers(placed), placed.layer
        flips = np.uint32(DIAGONAL)
        for number in np.unique(numbers & (~FLIPS | flips)).tolist():
            drawn = self._kinds.drawn(number & ~int(FLIPS)) if number & ~int(FLIPS) else None
            self._check_signs(drawn, placed, f"layer {shown(placed.name)}")
            shows = [] if drawn is None else self._shown(drawn, placed)
            if drawn is None or not shows:
                continue
            what = f"layer {shown(placed.name)}"
            self._check_still(placed, what)
            rows, columns = np.divmod(
                np.flatnonzero(numbers & (~FLIPS | flips) == number), layer.width
            )
            for across, down in self._covered(
                self._tile_box(drawn, placed, swapped=bool(number & DIAGONAL)), what
            ):
                self._compare(columns + across, rows + down, shows, what)

    def _tile_box(self, drawn: Drawn, placed: PlacedLayer, *, swapped: bool) -> Box:
        """Return where the tile in cell 0,0 of a layer is drawn: on the lower edge of its cell."""
        wide, high = self._found.tilewidth, self._found.tileheight
        sizes = [(drawn.width or wide, drawn.height or high)]
        # A tile that is turned or scaled is drawn in one of two ways; both count.
        sizes += [(height, width) for width, height in sizes if swapped]
        sizes += [(wide, high)] if drawn.filled else []
        left, top = placed.offset[0] + drawn.left, placed.offset[1] + drawn.top
        return (
            left,
            top + high - max(height for _, height in sizes),
            left + max(width for width, _ in sizes),
            top + high,
        )

    def _check_object(self, entry: Object, placed: PlacedLayer) -> None:
        if not entry.visible:
            return
        what = f"object {shown(entry.name or str(entry.id))} on layer {shown(placed.name)}"
        if entry.template:
            raise InputError(
                f"{what}: expected an object without a template, which may show any tile; in "
                "Tiled choose Detach in its context menu"
            )
        number = entry.gid & ~int(FLIPS)
        if not number:
            return
        drawn = self._kinds.drawn(number)
        self._check_signs(drawn, placed, what)
        shows = self._shown(drawn, placed)
        if not shows:
            return
        self._check_still(placed, what)
        alignment = self._kinds.alignment_of(entry.gid)
        left, top, right, bottom = turned(
            box_of(sized(entry, drawn, what), alignment), entry.rotation
        )
        x, y = entry.x + placed.offset[0] + drawn.left, entry.y + placed.offset[1] + drawn.top
        for column, row in self._covered((x + left, y + top, x + right, y + bottom), what):
            self._compare(np.array([column]), np.array([row]), shows, what)

    def _check_image(self, placed: PlacedLayer) -> None:
        layer, what = placed.layer, f"image layer {shown(placed.name)}"
        name = layer.image.replace("\\", "/").rpartition("/")[2]
        path = self._files.find(layer.image, _PNG)
        if known_atlas(name) is None and path is not None:
            try:
                picture = self._files.read(
                    path,
                    "picture",
                    lambda content: TilePicture(content, path.name, self._files.budget),
                )
            except InputError:
                raise InputError(
                    f"{what}: expected {shown(name)} to be a PNG picture, got another, too large "
                    "or damaged file"
                ) from None
            side = self._found.tilewidth
            seen = picture.anywhere(side) if side == self._found.tileheight else frozenset()
            shows = [self._names[name] for name in seen if name in self._names]
            if not shows:
                return
        elif known_atlas(name) is None:
            return
        raise InputError(
            f"{what}: expected a picture without the level's tiles, got {shown(name)}; draw "
            "tiles on the layers of the level"
        )

    @staticmethod
    def _check_signs(drawn: Drawn | None, placed: PlacedLayer, what: str) -> None:
        """Raise `InputError` for a tile that shows a thing where it is none."""
        if drawn is not None and drawn.signs and placed.name not in {THINGS, KEEP}:
            raise InputError(
                f"{what}: expected things as objects on the layer {THINGS!r}, got the tile of a "
                f"{min(drawn.signs)}; move it there, or erase it"
            )

    def _shown(self, drawn: Drawn, placed: PlacedLayer) -> list[int]:
        """Return the kinds of the level that a tile shows. Marks of cells to keep may be tiles that
        can be entered.
        """
        kinds = sorted(self._names[name] for name in drawn.names if name in self._names)
        return [kind for kind in kinds if placed.name != KEEP or not self._tileset.may_stand(kind)]

    @staticmethod
    def _check_still(placed: PlacedLayer, what: str) -> None:
        """Raise `InputError` for a layer whose tiles are not always in the same cells."""
        if placed.parallax != (1, 1) or (placed.layer.x, placed.layer.y) != (0, 0):
            raise InputError(
                f"{what}: expected the level's tiles on layers with a parallax factor of 1, and "
                "x and y of 0; set them in Tiled (layer properties)"
            )

    def _covered(self, box: Box, what: str) -> Iterator[tuple[int, int]]:
        """Return the cells that a box covers, with a column and a row each."""
        wide, high = self._found.tilewidth, self._found.tileheight
        if not all(abs(edge) < 1 << 40 for edge in box):
            raise InputError(
                f"{what}: expected a position near the map, got {box[0]:g},{box[1]:g} pixels"
            )
        first = math.floor((box[0] + ROUNDING) / wide), math.floor((box[1] + ROUNDING) / high)
        last = math.ceil((box[2] - ROUNDING) / wide), math.ceil((box[3] - ROUNDING) / high)
        if (last[0] - first[0]) * (last[1] - first[1]) > MOST_COVERED:
            raise InputError(
                f"{what}: expected the level's tiles about as large as cells, got one of "
                f"{box[2] - box[0]:g}x{box[3] - box[1]:g} pixels"
            )
        for row in range(first[1], last[1]):
            for column in range(first[0], last[0]):
                yield column, row

    def _compare(
        self, columns: NDArray[np.int64], rows: NDArray[np.int64], shows: list[int], what: str
    ) -> None:
        height, width = self._tiles.shape
        inside = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
        columns, rows = columns[inside], rows[inside]
        real = self._tiles[rows, columns]
        for kind in shows:
            wrong = real != kind
            if wrong.any():
                x, y = columns[wrong][0], rows[wrong][0]
                names = self._tileset.names
                raise InputError(
                    f"{what}: expected the tiles of the level on its own layers only, got "
                    f"{names[kind]} drawn at {x},{y}, where the level has "
                    f"{names[real[wrong][0]]}; erase it, or draw it there"
                )
