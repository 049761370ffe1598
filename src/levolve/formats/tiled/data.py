"""Decoder for the numbers of a tile layer: a list, or base64 with optional compression."""

import base64
import binascii

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError
from levolve.formats.reading.inflate import inflate

# The four highest bits of a tile's number encode how it is flipped and rotated.
FLIPS = np.uint32(0xF0000000)
# The bit that exchanges rows and columns of a tile, as a quarter turn does.
DIAGONAL = 0x20000000
_BLANKS = dict.fromkeys(map(ord, " \t\r\n"))


def tile_numbers(data: list[int] | str, compression: str, cells: int) -> NDArray[np.uint32]:
    """Return the `(cells,)` numbers of tiles, with the flags for flipping."""
    numbers = _listed(data) if isinstance(data, list) else _packed(data, compression, cells)
    if len(numbers) != cells:
        message = f"layer data: expected {cells} tiles, got {len(numbers)}"
        raise InputError(message)
    return numbers


def _listed(data: list[int]) -> NDArray[np.uint32]:
    wrong = next((number for number in data if not 0 <= number < 1 << 32), None)
    if wrong is not None:
        message = f"layer data: expected numbers of tiles, 0 or more, got {str(wrong)[:20]}"
        raise InputError(message)
    return np.array(data, np.uint32)


def _packed(data: str, compression: str, cells: int) -> NDArray[np.uint32]:
    try:
        content = base64.b64decode(data.translate(_BLANKS), validate=True)
    except (binascii.Error, ValueError) as problem:
        message = f"layer data: expected base64: {problem}"
        raise InputError(message) from problem
    if compression in {"zlib", "gzip"}:
        content = inflate(content, 4 * cells, "layer data")
    elif compression:
        message = (
            f"layer data: {compression[:20]} compression is not supported; in Tiled (Map > Map Properties) choose 'Base64 (zlib compressed)' "
            "or 'CSV' as the tile layer format, and save again"
        )
        raise InputError(message)
    if len(content) % 4:
        message = f"layer data: expected four bytes per tile, got {len(content)} bytes"
        raise InputError(message)
    return np.frombuffer(content, "<u4").astype(np.uint32)
