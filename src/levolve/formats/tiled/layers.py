"""The layers of a map with what their groups add to them, and those that hold the level.

Tiled adds the offsets of a layer and of its groups, multiplies their opacity and parallax, and
hides a layer in a hidden group.

Decoder for the numbers of a tile layer: a list, or base64 with optional compression.
"""

import base64
import binascii
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError, shown
from levolve.formats.reading.files import inflate
from levolve.formats.tiled.model import (
    AREAS,
    KEEP,
    PLACES,
    SOLUTION,
    THINGS,
    TILE_LAYERS,
    Layer,
    Map,
)

# The four highest bits of a tile's number encode how it is flipped and rotated.
FLIPS = np.uint32(0xF0000000)
# The bit that exchanges rows and columns of a tile, as a quarter turn does.
DIAGONAL = 0x20000000
_BLANKS = dict.fromkeys(map(ord, " \t\r\n"))


def tile_numbers(data: list[int] | str, compression: str, cells: int) -> NDArray[np.uint32]:
    """Return the `(cells,)` numbers of tiles, with the flags for flipping."""
    numbers = _listed(data) if isinstance(data, list) else _packed(data, compression, cells)
    if len(numbers) != cells:
        raise InputError(f"layer data: expected {cells} tiles, got {len(numbers)}")
    return numbers


def _listed(data: list[int]) -> NDArray[np.uint32]:
    wrong = next((number for number in data if not 0 <= number < 1 << 32), None)
    if wrong is not None:
        raise InputError(f"layer data: expected numbers of tiles, 0 or more, got {str(wrong)[:20]}")
    return np.array(data, np.uint32)


def _packed(data: str, compression: str, cells: int) -> NDArray[np.uint32]:
    try:
        content = base64.b64decode(data.translate(_BLANKS), validate=True)
    except (binascii.Error, ValueError) as problem:
        raise InputError(f"layer data: expected base64: {problem}") from problem
    if compression in {"zlib", "gzip"}:
        content = inflate(content, 4 * cells, "layer data")
    elif compression:
        raise InputError(
            f"layer data: {compression[:20]} compression is not supported; in Tiled (Map > "
            "Map Properties) choose 'Base64 (zlib compressed)' "
            "or 'CSV' as the tile layer format, and save again"
        )
    if len(content) % 4:
        raise InputError(f"layer data: expected four bytes per tile, got {len(content)} bytes")
    return np.frombuffer(content, "<u4").astype(np.uint32)


# What is less opaque counts as hidden, as in all formats.
FAINTEST = 0.5
# The length of a colour that begins with its opacity: #AARRGGBB.
_WITH_OPACITY = 9


@dataclass(frozen=True)
class PlacedLayer:
    """A layer and where it is: its indices from the outermost group, and the pixels by which its
    groups and itself are moved.
    """

    layer: Layer
    path: tuple[int, ...] = ()
    outer: tuple[float, float] = (0, 0)
    parallax: tuple[float, float] = (1, 1)
    opacity: float = 1
    visible: bool = True

    @property
    def name(self) -> str:
        """The name of the layer."""
        return self.layer.name

    @property
    def offset(self) -> tuple[float, float]:
        """The pixels by which the layer is moved in the map."""
        return self.outer[0] + self.layer.offsetx, self.outer[1] + self.layer.offsety

    def inside(self, layer: Layer, index: int) -> "PlacedLayer":
        """Return a layer of this group."""
        x, y = self.parallax
        return PlacedLayer(
            layer,
            (*self.path, index),
            self.offset,
            (x * layer.parallaxx, y * layer.parallaxy),
            self.opacity * layer.opacity * _tint_opacity(layer.tintcolor),
            self.visible and layer.visible,
        )

    def check_shown(self) -> None:
        """Raise `InputError` for a layer that is not seen, or not seen where its cells are."""
        what = f"layer {shown(self.name)}"
        if not self.visible or self.opacity < FAINTEST:
            raise InputError(
                f"{what}: expected a visible layer, got one that is hidden or has little or no "
                "opacity; show it in Tiled (Layer > Show/Hide Layer)"
            )
        if self.parallax != (1, 1):
            raise InputError(
                f"{what}: expected a parallax factor of 1, got {self.parallax[0]:g}, "
                f"{self.parallax[1]:g}; set it to 1 in Tiled (layer properties)"
            )
        if (self.layer.x, self.layer.y) != (0, 0):
            raise InputError(
                f"{what}: expected x and y of 0, got {self.layer.x}, {self.layer.y}; use the "
                "offset of the layer instead"
            )


def _tint_opacity(colour: str) -> float:
    return 0 if len(colour) == _WITH_OPACITY and colour[1:3] == "00" else 1


def all_layers(found: Map) -> list[PlacedLayer]:
    """Return all layers of a map that are not groups, in order."""
    placed: list[PlacedLayer] = []

    def collect(group: PlacedLayer, layers: Iterable[Layer]) -> None:
        for index, layer in enumerate(layers):
            inner = group.inside(layer, index)
            if layer.type == "group":
                collect(inner, layer.layers)
            else:
                placed.append(inner)

    collect(PlacedLayer(Layer(type="group")), found.layers)
    return placed


def level_layers(found: Map) -> list[PlacedLayer]:
    """Return the tile layers of the level: those with our names, or the only one."""
    layers = [
        layer
        for layer in all_layers(found)
        if layer.layer.type == "tilelayer" and layer.name != KEEP
    ]
    named = [layer for layer in layers if layer.name in TILE_LAYERS]
    if len({layer.name for layer in named}) < len(named) or (not named and len(layers) > 1):
        given = ", ".join(shown(layer.name) for layer in (named or layers)[:4])
        raise InputError(
            "map: expected one tile layer, or tile layers called "
            f"{', '.join(map(repr, TILE_LAYERS))}, each once, got {given}"
        )
    if not layers:
        raise InputError("map: expected a tile layer, got none")
    return named or layers


def places_layer(found: Map) -> PlacedLayer | None:
    """Return the object layer of the places: the one called `places`, or the only one; None if
    there is none.
    """
    layers = [
        layer
        for layer in all_layers(found)
        if layer.layer.type == "objectgroup" and layer.name not in {SOLUTION, KEEP, THINGS, AREAS}
    ]
    chosen = [layer for layer in layers if layer.name == PLACES] or layers
    if len(chosen) > 1:
        given = ", ".join(shown(layer.name) for layer in chosen[:4])
        raise InputError(
            f"map: expected one object layer, or one of them called {PLACES!r}, got {given}"
        )
    return chosen[0] if chosen else None


def object_layer(found: Map, name: str) -> PlacedLayer | None:
    """Return the object layer with a name of ours; None if there is none."""
    layers = [
        layer
        for layer in all_layers(found)
        if layer.layer.type == "objectgroup" and layer.name == name
    ]
    if len(layers) > 1:
        raise InputError(f"map: expected one object layer {name!r}, got {len(layers)}; join them")
    return layers[0] if layers else None


def check_layer_size(found: Map, placed: PlacedLayer) -> None:
    """Raise `InputError` for a layer of another size than the map."""
    layer = placed.layer
    if (layer.width, layer.height) != (found.width, found.height):
        raise InputError(
            f"layer {shown(placed.name)}: expected {found.width}x{found.height} tiles like the "
            f"map, got {layer.width}x{layer.height}"
        )


def raw_numbers(placed: PlacedLayer) -> NDArray[np.uint32]:
    """Return the numbers of a layer's tiles, row by row, with their flags for flipping."""
    layer = placed.layer
    if layer.chunks:
        raise InputError(
            f"layer {shown(placed.name)}: expected one block of tiles, got chunks, which only "
            "infinite maps have; save the map in Tiled"
        )
    return tile_numbers(layer.data, layer.compression, layer.width * layer.height)


def numbers_in_place(found: Map, placed: PlacedLayer) -> NDArray[np.uint32]:
    """Return the `(height, width)` numbers of tiles where the map shows them: moved by the layer's
    offset.
    """
    what = f"layer {shown(placed.name)}"
    check_layer_size(found, placed)
    numbers = raw_numbers(placed).reshape(found.height, found.width)
    if found.tilewidth != found.tileheight and (numbers & np.uint32(DIAGONAL)).any():
        raise InputError(
            f"{what}: expected tiles that are not turned, because they are not square; turn them "
            "back in Tiled"
        )
    numbers &= ~FLIPS
    offset = placed.offset
    across, down = offset[0] / found.tilewidth, offset[1] / found.tileheight
    if across % 1 or down % 1:
        raise InputError(
            f"{what}: expected an offset of whole tiles of "
            f"{found.tilewidth}x{found.tileheight} pixels, got {offset[0]:g},{offset[1]:g}; "
            "set the offset of the layer and of its groups to 0 in Tiled"
        )
    if not across and not down:
        return numbers
    return _moved(numbers, int(across), int(down), what)


def _moved(numbers: NDArray[np.uint32], across: int, down: int, what: str) -> NDArray[np.uint32]:
    height, width = numbers.shape
    moved = np.zeros_like(numbers)
    if abs(across) < width and abs(down) < height:
        rows, columns = (
            slice(max(shift, 0), size + min(shift, 0))
            for shift, size in ((down, height), (across, width))
        )
        before = (
            slice(max(-down, 0), height - max(down, 0)),
            slice(max(-across, 0), width - max(across, 0)),
        )
        moved[rows, columns] = numbers[before]
    if np.count_nonzero(moved) != np.count_nonzero(numbers):
        raise InputError(
            f"{what}: expected all tiles inside the map, got tiles that its offset of "
            f"{across},{down} tiles moves outside"
        )
    return moved
