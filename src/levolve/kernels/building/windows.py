"""Windows of example levels, laid into other levels where they fit.

All levels and examples are surrounded by one ring of tiles of the kind `outside`, so that the
borders of a level are laid with borders of an example: a window that covers the ring on some side
is taken from the same side of the example. Examples are padded maps one after the other in a flat
array; row e of `layout` is (first, height, width) of example e.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty, full
from levolve.kernels.bits.random_streams import Index, Stream, draw_below, open_stream
from levolve.kernels.compiler import kernel

Tiles = NDArray[np.uint8]


@kernel
def _source(
    stream: Stream, index: int, at: Index, size: Index, extent: int, example_extent: int
) -> np.int64:
    """Draw where a window is taken along one axis, given where it is laid: at the same border, or
    anywhere inside.
    """
    if at == 0:
        return np.int64(0)
    if at == extent - size:
        return np.int64(example_extent - size)
    return np.int64(1) + draw_below(stream, index, max(example_extent - size - 1, 1))


@kernel
def lay_windows(
    seed: np.uint64,
    purpose: int,
    generation: int,
    examples: Tiles,
    layout: NDArray[np.int64],
    outside: int,
    least: int,
    most: int,
    tries: int,
    tiles: Tiles,
) -> None:
    """Lay one window of an example into each of `(n, height, width)` levels, in place.

    Its side is drawn from `least` to `most`, its place uniformly. Of up to `tries` windows of the
    examples, the one is laid whose surrounding cells differ least from those of the place. The
    sides must fit into the levels and the examples.
    """
    count, height, width = tiles.shape
    padded = full((height + 2, width + 2), outside, np.uint8)
    for individual in range(count):
        stream = open_stream(seed, purpose, generation, individual)
        for y in range(height):
            for x in range(width):
                padded[y + 1, x + 1] = tiles[individual, y, x]
        size = least + int(draw_below(stream, 0, most - least + 1))
        at_y = int(draw_below(stream, 1, height + 3 - size))
        at_x = int(draw_below(stream, 2, width + 3 - size))
        rounds = 1 + int(draw_below(stream, 3, tries))
        fewest = np.int64(1 << 60)
        best_first = best_width = np.int64(0)
        for attempt in range(rounds):
            number = draw_below(stream, 4 + 3 * attempt, layout.shape[0])
            first, example_height, example_width = (
                layout[number, 0],
                layout[number, 1],
                layout[number, 2],
            )
            from_y = int(_source(stream, 5 + 3 * attempt, at_y, size, height + 2, example_height))
            from_x = int(_source(stream, 6 + 3 * attempt, at_x, size, width + 2, example_width))
            differing = np.int64(0)
            for row in range(-1, size + 1):
                y, example_y = at_y + row, from_y + row
                if y < 0 or example_y < 0 or y >= height + 2 or example_y >= example_height:
                    continue
                for column in range(-1, size + 1):
                    x, example_x = at_x + column, from_x + column
                    around = min(row, column) < 0 or max(row, column) >= size
                    if (
                        not around
                        or x < 0
                        or example_x < 0
                        or x >= width + 2
                        or example_x >= example_width
                    ):
                        continue
                    differing += (
                        padded[y, x] != examples[first + example_y * example_width + example_x]
                    )
            if differing < fewest:
                fewest = differing
                best_first, best_width = first + from_y * example_width + from_x, example_width
        for row in range(size):
            for column in range(size):
                y, x = at_y + row - 1, at_x + column - 1
                if 0 <= y < height and 0 <= x < width:
                    tile = examples[best_first + row * best_width + column]
                    if tile != outside:
                        tiles[individual, y, x] = tile


@kernel
def quilt_levels(
    seed: np.uint64,
    purpose: int,
    generation: int,
    examples: Tiles,
    layout: NDArray[np.int64],
    outside: int,
    size: int,
    tries: int,
    tiles: Tiles,
) -> None:
    """Fill `(n, height, width)` levels with windows of the examples, row by row, each overlapping
    the windows before it by one cell or more.

    Of `tries` windows, the one is laid that differs least from the cells laid before. The size must
    fit into the levels and the examples.
    """
    count, height, width = tiles.shape
    laid = empty((height + 2, width + 2), np.uint8)
    padded = empty((height + 2, width + 2), np.uint8)
    step = max(size - 2, 1)
    down, across = (
        (height + 2 - size + step - 1) // step + 1,
        (width + 2 - size + step - 1) // step + 1,
    )
    for individual in range(count):
        stream = open_stream(seed, purpose, generation, individual)
        laid[:, :] = 0
        padded[:, :] = outside
        index = 0
        for block in range(down * across):
            at_y = min(block // across * step, height + 2 - size)
            at_x = min(block % across * step, width + 2 - size)
            fewest = np.int64(1 << 60)
            best_first = best_width = np.int64(0)
            for _ in range(tries):
                number = draw_below(stream, index, layout.shape[0])
                first, example_height, example_width = (
                    layout[number, 0],
                    layout[number, 1],
                    layout[number, 2],
                )
                from_y = _source(stream, index + 1, at_y, size, height + 2, example_height)
                from_x = _source(stream, index + 2, at_x, size, width + 2, example_width)
                index += 3
                differing = np.int64(0)
                for row in range(size):
                    for column in range(size):
                        tile = examples[first + (from_y + row) * example_width + from_x + column]
                        differing += (
                            laid[at_y + row, at_x + column] != 0
                            and padded[at_y + row, at_x + column] != tile
                        )
                if differing < fewest:
                    fewest = differing
                    best_first, best_width = first + from_y * example_width + from_x, example_width
            for row in range(size):
                for column in range(size):
                    laid[at_y + row, at_x + column] = 1
                    padded[at_y + row, at_x + column] = examples[
                        best_first + row * best_width + column
                    ]
        for y in range(height):
            for x in range(width):
                tiles[individual, y, x] = padded[y + 1, x + 1]
