"""Rooms by their definition: sets of cells, placed one after the other."""

from collections.abc import Sequence

from oracles.streams import mix

Cell = tuple[int, int]


def shape_cells(shape: int, spin: int, width: int, height: int, salt: int) -> set[Cell]:
    """The cells (column, row) of a room in its rectangle."""
    every = {(column, row) for column in range(width) for row in range(height)}
    if shape == 1 and min(width, height) > 2:
        return {
            (column, row)
            for column, row in every
            if column * 3 // width == 1 or row * 3 // height == 1
        }
    if shape == 2 and min(width, height) > 1:
        missing = {(column, row) for column in range(width // 2) for row in range(height // 2)}
        right, low = not spin % 2, spin < 2
        turned = {
            (width - 1 - column if right else column, height - 1 - row if low else row)
            for column, row in missing
        }
        return every - turned
    if shape == 3:
        return {
            (column, row)
            for column, row in every
            if 100
            * (((2 * column + 1 - width) * height) ** 2 + ((2 * row + 1 - height) * width) ** 2)
            <= 85 * (width * height) ** 2
        }
    if shape == 4 and min(width, height) > 1:
        inner = {(column, row) for column in range(1, width - 1) for row in range(1, height - 1)}
        return {
            (column, row)
            for column, row in every
            if (column, row) in inner or mix(salt * 4099 + row * 64 + column) // 2**40 % 8 > 2
        }
    return every


def place_rooms(
    genes: Sequence[int],
    columns: int,
    rows: int,
    sizes: Sequence[int],
    shapes: Sequence[int],
    most: int,
    share: int,
    alive: Sequence[bool],
) -> list[int]:
    labels = [0] * (columns * rows)
    placed = 0
    for first in range(0, len(genes) - 4, 5):
        if placed == most or 256 * sum(label > 0 for label in labels) >= share * columns * rows:
            break
        x, y, wide, high, kind = genes[first : first + 5]
        width = sizes[0] + wide * (sizes[1] - sizes[0] + 1) // 256
        height = sizes[2] + high * (sizes[3] - sizes[2] + 1) // 256
        left, top = x * (columns - width + 1) // 256, y * (rows - height + 1) // 256
        if any(
            labels[row * columns + column]
            for row in range(top, top + height)
            for column in range(left, left + width)
        ):
            continue
        placed += 1
        salt = x * 65536 + y * 256 + kind
        for column, row in shape_cells(
            shapes[kind // 4 % len(shapes)], kind % 4, width, height, salt
        ):
            cell = (top + row) * columns + left + column
            if alive[cell]:
                labels[cell] = placed
    return labels
