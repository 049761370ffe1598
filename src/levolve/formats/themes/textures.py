"""Textures that repeat from tile to tile: noise, cells and bricks on the unit square.

All functions take the coordinates of pixels and return one number per pixel. They use hashed
lattices and only operations whose results are exact by the standard of floating point numbers
(sums, products, quotients, roots), so a tile has the same pixels on every machine.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Field = NDArray[np.float64]

# The least number of samples along a side: small tiles are painted larger, and averaged.
LEAST_SAMPLES = 48
_MOST_FACTOR = 8


@dataclass(frozen=True)
class Canvas:
    """Sample points of a tile of `tile` pixels: `factor` x `factor` per pixel. `x` and `y` are from
    0 to 1, as columns and rows.
    """

    tile: int
    factor: int

    @property
    def x(self) -> Field:
        """The horizontal coordinate of every sample."""
        return _coordinates(self.tile * self.factor)[1]

    @property
    def y(self) -> Field:
        """The vertical coordinate of every sample, downwards."""
        return _coordinates(self.tile * self.factor)[0]

    @property
    def pixel(self) -> float:
        """The side of a pixel."""
        return 1 / self.tile

    def average(self, colours: Field, opacity: Field) -> NDArray[np.uint8]:
        """Return `(tile, tile, 4)` pixels of `(samples, samples, 3)` colours from 0 to 255 and
        opacities from 0 to 1.
        """
        weights = np.floor(opacity * 255 + 0.5).astype(np.int64)
        weighted = np.floor(np.clip(colours, 0, 255) + 0.5).astype(np.int64) * weights[..., None]
        total, sums = self._blocks(weights[..., None]), self._blocks(weighted)
        count = self.factor * self.factor
        mean = (sums + total // 2) // np.maximum(total, 1)
        return np.concatenate([mean, (total + count // 2) // count], axis=2).astype(np.uint8)

    def _blocks(self, samples: NDArray[np.int64]) -> NDArray[np.int64]:
        side, factor = self.tile, self.factor
        blocks: NDArray[np.int64] = samples.reshape(side, factor, side, factor, -1).sum(axis=(1, 3))
        return blocks


def canvas_of(tile: int) -> Canvas:
    """Return the canvas of a tile size."""
    return Canvas(tile, min(_MOST_FACTOR, max(1, -(-LEAST_SAMPLES // tile))))


@lru_cache(maxsize=8)
def _coordinates(samples: int) -> tuple[Field, Field]:
    line = (np.arange(samples) + 0.5) / samples
    y, x = np.meshgrid(line, line, indexing="ij")
    return y, x


def hashed(column: NDArray[np.int64], row: NDArray[np.int64], salt: int) -> Field:
    """Return numbers from 0 to 1 that depend only on the arguments."""
    mixed = column.astype(np.uint32) * np.uint32(2654435761) ^ row.astype(np.uint32) * np.uint32(
        2246822519
    )
    mixed ^= np.uint32(salt * 3266489917 % (1 << 32))
    for shift, factor in ((15, 2246822519), (13, 3266489917)):
        mixed = (mixed ^ (mixed >> np.uint32(shift))) * np.uint32(factor)
    mixed ^= mixed >> np.uint32(16)
    shares: Field = mixed.astype(np.float64) / float(1 << 32)
    return shares


def eased(share: Field) -> Field:
    """Return a share from 0 to 1 with soft ends."""
    held: Field = np.clip(share, 0.0, 1.0)
    return held * held * (3 - 2 * held)


def noise(x: Field, y: Field, period: int, salt: int, rows: int | None = None) -> Field:
    """Return smooth noise from -1 to 1 with `period` lattice points per tile, and `rows` of them
    vertically.
    """
    rows = rows or period
    column, row = np.floor(x * period).astype(np.int64), np.floor(y * rows).astype(np.int64)
    across, down = eased(x * period - column), eased(y * rows - row)

    def at(right: int, below: int) -> Field:
        return hashed((column + right) % period, (row + below) % rows, salt)

    upper = at(0, 0) + (at(1, 0) - at(0, 0)) * across
    lower = at(0, 1) + (at(1, 1) - at(0, 1)) * across
    return (upper + (lower - upper) * down) * 2 - 1


def layered(x: Field, y: Field, period: int, salt: int) -> Field:
    """Return noise with finer noise on it."""
    return (
        noise(x, y, period, salt) * 4
        + noise(x, y, period * 2, salt + 1) * 2
        + noise(x, y, period * 4, salt + 2)
    ) / 7


def cells(
    x: Field, y: Field, period: int, salt: int, rows: int | None = None
) -> tuple[Field, Field]:
    """Return an irregular mosaic: a number from 0 to 1 per stone, and the distance from its edge, 0
    at the edge and about 1 in its middle.
    """
    rows = rows or period
    column, row = np.floor(x * period).astype(np.int64), np.floor(y * rows).astype(np.int64)
    nearest = np.full(x.shape, 9.0)
    second = np.full(x.shape, 9.0)
    number = np.zeros(x.shape)
    for right in (-1, 0, 1):
        for below in (-1, 0, 1):
            there = ((column + right) % period, (row + below) % rows)
            gone_x = column + right + 0.2 + 0.6 * hashed(*there, salt) - x * period
            gone_y = row + below + 0.2 + 0.6 * hashed(*there, salt + 1) - y * rows
            distance = np.sqrt(gone_x * gone_x + gone_y * gone_y)
            closer = distance < nearest
            second = np.where(closer, nearest, np.minimum(second, distance))
            number = np.where(closer, hashed(*there, salt + 2), number)
            nearest = np.where(closer, distance, nearest)
    return number, second - nearest


def bricks(x: Field, y: Field, across: int, rows: int, salt: int) -> tuple[Field, Field]:
    """Return courses of bricks, every second one shifted by half: a number from 0 to 1 per brick,
    and the distance from its edge in tiles.
    """
    row = np.floor(y * rows).astype(np.int64)
    shifted = x * across + 0.5 * (row % 2)
    column = np.floor(shifted).astype(np.int64)
    inside_x, inside_y = shifted - column, y * rows - row
    edge = np.minimum(
        np.minimum(inside_x, 1 - inside_x) / across, np.minimum(inside_y, 1 - inside_y) / rows
    )
    return hashed(column % across, row % max(rows, 1), salt), edge
