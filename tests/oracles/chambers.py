"""Chambers by recursion, on sets of cells; walls between two chambers are found by comparing all
pairs.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from oracles.walking import Cell


@dataclass(frozen=True)
class Settings:
    smallest: int
    largest: int
    wall: int
    divide: int
    loops: int
    door: int


Box = tuple[int, int, int, int]


def cut(
    genes: Sequence[int], cuts: int, settings: Settings, number: int, box: Box
) -> dict[int, Box]:
    """The chambers of a part of the level by number, as left, top, width, height."""
    left, top, width, height = box
    place, axis, whether = genes[3 * (number % cuts) : 3 * (number % cuts) + 3]
    least = 2 * settings.smallest + settings.wall
    sides = {"x": width, "y": height}
    possible = {name for name, side in sides.items() if side >= least}
    long = {name for name in possible if sides[name] > settings.largest}
    must = max(sides.values()) > settings.largest
    if must and long:
        possible = long
    deepest = number >= 2**30
    if deepest or not possible or not (must or whether < settings.divide):
        return {number: box}
    chosen = (
        ("x" if axis * (width + height) < 256 * width else "y")
        if len(possible) == 2
        else possible.pop()
    )
    first = settings.smallest + place * (sides[chosen] - least + 1) // 256
    second = sides[chosen] - first - settings.wall
    skipped = first + settings.wall
    parts: list[Box] = (
        [(left, top, first, height), (left + skipped, top, second, height)]
        if chosen == "x"
        else [(left, top, width, first), (left, top + skipped, width, second)]
    )
    found: dict[int, Box] = {}
    for index, part in enumerate(parts):
        found |= cut(genes, cuts, settings, 2 * number + index, part)
    return found


def shared(one: Box, other: Box, wall: int) -> tuple[int, list[Cell]] | None:
    """The axis and the first wall cells between two chambers, side by side; None if they are not
    neighbours in this order.
    """
    for axis in (0, 1):
        if one[axis] + one[axis + 2] + wall != other[axis]:
            continue
        across = 1 - axis
        low = max(one[across], other[across])
        high = min(one[across] + one[across + 2], other[across] + other[across + 2])
        line = one[axis] + one[axis + 2]
        cells = [(line, k) if axis == 0 else (k, line) for k in range(low, high)]
        if cells:
            return axis, cells
    return None


def chambers(
    genes: Sequence[int], cuts: int, doors: int, settings: Settings, width: int, height: int
) -> list[list[int]]:
    """The tiles of one level without places."""
    if width < 3 or height < 3:
        return [[0] * width for _ in range(height)]
    boxes = cut(genes, cuts, settings, 1, (1, 1, width - 2, height - 2))
    floor = {
        (x, y)
        for left, top, across, down in boxes.values()
        for x in range(left, left + across)
        for y in range(top, top + down)
    }
    walls = []
    for one, box in boxes.items():
        for other, beyond in boxes.items():
            found = shared(box, beyond, settings.wall)
            if found is not None:
                axis, cells = found
                at = 3 * cuts + 3 * ((one * 31 + other) % doors)
                x, y = cells[0]
                # Pairs are met in reading order of the cell before the wall; to the right first.
                met = (y, x - 1, axis) if axis == 0 else (y - 1, x, axis)
                walls.append((genes[at], met, one, other, axis, cells, genes[at + 1 : at + 3]))
    group = {number: {number} for number in boxes}
    for _, _, one, other, axis, cells, (place, extra) in sorted(walls, key=lambda wall: wall[:2]):
        if other in group[one] and extra >= settings.loops:
            continue
        if other not in group[one]:
            joined = group[one] | group[other]
            for member in joined:
                group[member] = joined
        opening = min(settings.door, len(cells))
        shift = place * (len(cells) - opening + 1) // 256
        for x, y in cells[shift : shift + opening]:
            floor |= {
                (x + depth, y) if axis == 0 else (x, y + depth) for depth in range(settings.wall)
            }
    return [[int((x, y) not in floor) for x in range(width)] for y in range(height)]
