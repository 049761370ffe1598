"""A curve of best and mean scores on the terminal, drawn with braille characters: two by four dots per character."""

from collections.abc import Sequence

from levolve.levels.tileset import Colour

BLANK = 0x2800
# The bit of each dot of a braille character, by column and row.
DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
BEST: Colour = (120, 170, 245)
MEAN: Colour = (235, 160, 100)
LABEL = 9

Point = tuple[int, float, float]


def terminal_curve(points: Sequence[Point], width: int, height: int) -> str:
    """Return a picture of `height` lines: the best and the mean score of each generation, with the scale at the left.

    Parameters
    ----------
    points
        Generation, best and mean score; at least one, in the order of the generations.
    width, height
        In characters; at least 12 and 3.
    """
    rows, columns = height - 1, width - LABEL - 1
    finite = [score for _, best, mean in points for score in (best, mean) if abs(score) < float("inf")]
    least, most = min(finite, default=0.0), max(finite, default=1.0)
    span = most - least or 1.0
    last = max(points[-1][0], 1)
    bits: dict[tuple[int, int], list[int]] = {}
    for which in (2, 1):
        before: tuple[int, int] | None = None
        for x, score in _columns(points, which, last, 2 * columns):
            here = x, round((most - score) / span * (4 * rows - 1))
            for dot_x, dot_y in _between(before or here, here):
                cell = bits.setdefault((dot_x // 2, dot_y // 4), [0, 0])
                cell[which - 1] |= DOTS[dot_x % 2][dot_y % 4]
            before = here
    lines = []
    for row in range(rows):
        label = f"{most:>{LABEL}.6g}" if row == 0 else f"{least:>{LABEL}.6g}" if row == rows - 1 else " " * LABEL
        lines.append(label[-LABEL:] + " " + "".join(_character(bits.get((column, row))) for column in range(columns)))
    axis = f"generation {points[-1][0]}"
    legend = f"{_coloured('best', BEST)} {_coloured('mean', MEAN)}"
    return "\n".join([*lines, " " * (LABEL + 1) + legend + " " * max(columns - 9 - len(axis), 1) + axis])


def _columns(points: Sequence[Point], which: int, last: int, count: int) -> list[tuple[int, float]]:
    """Return the mean score of the generations in each of `count` columns of dots; columns without a generation are left out."""
    sums: dict[int, tuple[float, int]] = {}
    for point in points:
        if abs(point[which]) < float("inf"):
            column = round(point[0] / last * (count - 1))
            total, number = sums.get(column, (0.0, 0))
            sums[column] = total + point[which], number + 1
    return [(column, total / number) for column, (total, number) in sums.items()]


def _between(start: tuple[int, int], end: tuple[int, int]) -> list[tuple[int, int]]:
    """Return the dots of a line from start to end."""
    steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1)
    return [(start[0] + (end[0] - start[0]) * step // steps, start[1] + (end[1] - start[1]) * step // steps) for step in range(steps + 1)]


def _character(bits: list[int] | None) -> str:
    """Return the character of a cell, in the colour of the best score where both curves pass."""
    if bits is None:
        return " "
    best, mean = bits
    return _coloured(chr(BLANK | best | mean), BEST if best else MEAN)


def _coloured(text: str, colour: Colour) -> str:
    return f"\x1b[38;2;{colour[0]};{colour[1]};{colour[2]}m{text}\x1b[0m"
