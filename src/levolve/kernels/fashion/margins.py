"""The margins of a fashion map that is laid out as one padded line: what surrounds the map, next to
its cells.
"""

from typing import Any

from numpy.typing import NDArray

from levolve.kernels.compiler import inlined, kernel

# A number of the type of the array that it is used with.
Scalar = Any

# What surrounds a map: itself, cells that do not exist, or more of an unbounded map, so that each
# update leaves fewer known cells.
TORUS, BOUNDED, OPEN = range(3)


@inlined
def close_sides(
    line: NDArray[Any], begin: int, rows: int, stride: int, side: int, around: int, outside: Scalar
) -> None:
    """Fill the margins at both ends of rows: with what lies on the other side, or with what stands
    for cells outside.
    """
    width = stride - 2 * side
    for row in range(rows):
        left = begin + row * stride
        right = left + side + width
        if around == TORUS:
            for column in range(side):
                line[left + column] = line[left + width + column]
                line[right + column] = line[left + side + column]
        else:
            for column in range(side):
                line[left + column] = outside
                line[right + column] = outside


@kernel
def lay_rows(
    tiles: NDArray[Any],
    up: int,
    side: int,
    outside: int,
    around: int,
    first: int,
    last: int,
    line: NDArray[Any],
) -> None:
    """The rows from `first` to before `last` of `lay_out`, with the margins at their ends, and
    those above the first row and below the last one.
    """
    height, width = tiles.shape
    stride = width + 2 * side
    if first == 0:
        for cell in range(2 * up * stride):
            line[cell] = outside
    if last == height:
        for cell in range((2 * up + height) * stride, line.size):
            line[cell] = outside
    for row in range(first, last):
        at = (row + 2 * up) * stride + side
        for column in range(width):
            line[at + column] = tiles[row, column]
    close_sides(line, (2 * up + first) * stride, last - first, stride, side, around, outside)


@kernel
def lay_out(
    tiles: NDArray[Any], up: int, side: int, outside: int, around: int, line: NDArray[Any]
) -> None:
    """A `(height, width)` map as a padded line of `height + 4 * up` rows of `width + 2 * side`
    cells.
    """
    height, width = tiles.shape
    lay_rows(tiles, up, side, outside, around, 0, height, line)
    if around == TORUS:
        close_rows(line, up, height, width + 2 * side)


@kernel
def close_rows(line: NDArray[Any], up: int, height: int, stride: int) -> None:
    """Fill the rows above and below a map on a torus."""
    margin = 2 * up * stride
    size = height * stride
    for cell in range(margin):
        line[cell] = line[size + cell]
        line[margin + size + cell] = line[margin + cell]
