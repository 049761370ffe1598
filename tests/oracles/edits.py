"""Edits of a level, on a dictionary of cells: each edit makes a copy, which is kept if it does not
differ too much.
"""

from collections.abc import Sequence

from oracles.walking import Cell

Edit = tuple[int, int, int, int, int, int]


def shape(edit: Edit, *, discs: bool) -> set[Cell]:
    """The cells of one edit, also outside the level."""
    form, x, y, long, wide, _ = edit
    if form == 4:
        return {(x + k, y) for k in range(long + 1)}
    if form == 5 or (form == 7 and not discs):
        return {(x, y + k) for k in range(long + 1)}
    if form == 6:
        return {(x + k, y + m) for k in range(long % 3 + 1) for m in range(wide % 3 + 1)}
    # A plus of five cells, or a square of five by five without its corners.
    around = {(dx, dy) for dx in range(-2, 3) for dy in range(-2, 3)}
    disc = (
        {cell for cell in around if abs(cell[0]) + abs(cell[1]) < 4}
        if wide % 2
        else {cell for cell in around if abs(cell[0]) + abs(cell[1]) < 2}
    )
    return {(x + dx, y + dy) for dx, dy in disc}


def edited(
    rows: list[list[int]],
    edits: Sequence[Edit],
    fixed: set[Cell],
    most: int,
    *,
    across: bool,
    down: bool,
    discs: bool,
) -> list[list[int]]:
    """The level after all edits that fit."""
    height, width = len(rows), len(rows[0])
    given = {(x, y): rows[y][x] for y in range(height) for x in range(width)}
    level = dict(given)
    for edit in edits:
        if edit[0] < 4:
            continue
        cells = shape(edit, discs=discs)
        cells |= {(width - 1 - x, y) for x, y in cells} if across else set()
        cells |= {(x, height - 1 - y) for x, y in cells} if down else set()
        tried = level | dict.fromkeys((cells & given.keys()) - fixed, edit[5])
        if sum(tried[cell] != given[cell] for cell in given) <= most:
            level = tried
    return [[level[x, y] for x in range(width)] for y in range(height)]
