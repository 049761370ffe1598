"""Windows of examples by their definition: all choices are drawn from the same streams as in the
kernels.
"""

from collections.abc import Iterator, Sequence

from oracles.patterns import padded
from oracles.streams import draw_below, open_stream
from oracles.walking import Cell, Level

Stream = tuple[int, int]


def source(stream: Stream, index: int, at: int, size: int, extent: int, example_extent: int) -> int:
    """The same border of the example, or anywhere inside."""
    if at == 0:
        return 0
    if at == extent - size:
        return example_extent - size
    return 1 + draw_below(stream, index, example_extent - size - 1)


def candidates(
    stream: Stream,
    first: int,
    at: Cell,
    size: int,
    extent: Cell,
    rings: Sequence[Level],
    tries: int,
) -> Iterator[tuple[Level, Cell]]:
    """The examples, and where a window is taken from each."""
    for attempt in range(tries):
        index = first + 3 * attempt
        ring = rings[draw_below(stream, index, len(rings))]
        y = source(stream, index + 1, at[1], size, extent[1], len(ring))
        x = source(stream, index + 2, at[0], size, extent[0], len(ring[0]))
        yield ring, (x, y)


def around(size: int) -> list[Cell]:
    """The cells around a window, from its upper left one."""
    return [
        (x, y)
        for y in range(-1, size + 1)
        for x in range(-1, size + 1)
        if not (0 <= x < size and 0 <= y < size)
    ]


def inside(ring: Level, cell: Cell) -> bool:
    return 0 <= cell[1] < len(ring) and 0 <= cell[0] < len(ring[0])


def lay(
    stream: Stream,
    level: Level,
    examples: Sequence[Level],
    outside: int,
    least: int,
    most: int,
    tries: int,
) -> list[list[int]]:
    """One window is laid where its surroundings fit best."""
    ring, rings = padded(level, outside), [padded(example, outside) for example in examples]
    size = least + draw_below(stream, 0, most - least + 1)
    at_y, at_x = (
        draw_below(stream, 1, len(ring) + 1 - size),
        draw_below(stream, 2, len(ring[0]) + 1 - size),
    )
    chosen = list(
        candidates(
            stream,
            4,
            (at_x, at_y),
            size,
            (len(ring[0]), len(ring)),
            rings,
            1 + draw_below(stream, 3, tries),
        )
    )

    def misfit(candidate: tuple[Level, Cell]) -> int:
        example, (x, y) = candidate
        pairs = [((at_x + dx, at_y + dy), (x + dx, y + dy)) for dx, dy in around(size)]
        return sum(
            ring[a[1]][a[0]] != example[b[1]][b[0]]
            for a, b in pairs
            if inside(ring, a) and inside(example, b)
        )

    example, (x, y) = min(chosen, key=misfit)
    for dy in range(size):
        for dx in range(size):
            if (
                0 < at_y + dy < len(ring) - 1
                and 0 < at_x + dx < len(ring[0]) - 1
                and example[y + dy][x + dx] != outside
            ):
                ring[at_y + dy][at_x + dx] = example[y + dy][x + dx]
    return [row[1:-1] for row in ring[1:-1]]


def quilt(
    stream: Stream,
    width: int,
    height: int,
    examples: Sequence[Level],
    outside: int,
    size: int,
    tries: int,
) -> list[list[int]]:
    """Windows row by row; each differs least from the cells laid before."""
    rings = [padded(example, outside) for example in examples]
    laid: dict[Cell, int] = {}
    step = max(size - 2, 1)

    def starts(extent: int) -> list[int]:
        return [
            min(number * step, extent - size) for number in range(-(-(extent - size) // step) + 1)
        ]

    index = 0
    for at_y in starts(height + 2):
        for at_x in starts(width + 2):
            chosen = list(
                candidates(stream, index, (at_x, at_y), size, (width + 2, height + 2), rings, tries)
            )
            index += 3 * tries

            windows = [
                {
                    (at_x + dx, at_y + dy): example[y + dy][x + dx]
                    for dy in range(size)
                    for dx in range(size)
                }
                for example, (x, y) in chosen
            ]
            misfits = [
                sum(laid.get(cell, tile) != tile for cell, tile in window.items())
                for window in windows
            ]
            laid.update(windows[misfits.index(min(misfits))])
    return [[laid[x + 1, y + 1] for x in range(width)] for y in range(height)]


def streams(seed: int, purpose: int, generation: int, count: int) -> list[Stream]:
    return [open_stream(seed, purpose, generation, individual) for individual in range(count)]
