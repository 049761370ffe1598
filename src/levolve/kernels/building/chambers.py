"""Chambers: a level divided by straight walls, again and again, and doorways between neighbours.

A chamber is an open rectangle. Chambers have numbers, those of a binary tree: the level is 1, and
the parts of chamber c are 2c and 2c + 1. Genes belong to these numbers, so that a change of one cut
leaves the others as they are.
"""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.bits.new_arrays import empty
from levolve.kernels.compiler import kernel

# Genes of a cut: position, axis, whether there is one. Genes of a wall: weight, place of the
# doorway, whether it has one that is not needed.
CUT, DOOR = 3, 3
VALUES = 256
DEEPEST = 30

Tiles = NDArray[np.uint8]


@kernel
def _cut_level(
    genes: NDArray[np.uint8],
    cuts: int,
    settings: NDArray[np.int64],
    numbers: NDArray[np.int64],
    stack: NDArray[np.int64],
) -> None:
    """Write the number of its chamber to every cell of `(height, width)` numbers, 0 for walls."""
    height, width = numbers.shape
    smallest, largest, wall, divide = settings[0], settings[1], settings[2], settings[3]
    numbers[:] = 0
    stack[0, 0], stack[0, 1], stack[0, 2] = 1, 1, 1
    stack[0, 3], stack[0, 4] = width - 2, height - 2
    waiting = 1
    while waiting:
        waiting -= 1
        number, left, top = stack[waiting, 0], stack[waiting, 1], stack[waiting, 2]
        right, bottom = stack[waiting, 3], stack[waiting, 4]
        across, down = right - left + 1, bottom - top + 1
        first = CUT * (number % cuts)
        least = 2 * smallest + wall
        must = across > largest or down > largest
        may_cross, may_down = across >= least, down >= least
        if must:
            # A side that is not too long is cut only if the other one cannot be.
            may_cross, may_down = (
                may_cross and (across > largest or down < least),
                may_down and (down > largest or across < least),
            )
        if (
            number >= 1 << DEEPEST
            or not (may_cross or may_down)
            or not (must or genes[first + 2] < divide)
        ):
            for y in range(top, bottom + 1):
                for x in range(left, right + 1):
                    numbers[y, x] = number
            continue
        cross = may_cross and (
            not may_down or np.int64(genes[first + 1]) * (across + down) < VALUES * across
        )
        for part in range(2):
            stack[waiting, 0] = 2 * number + part
            stack[waiting, 1], stack[waiting, 2] = left, top
            stack[waiting, 3], stack[waiting, 4] = right, bottom
            side = across if cross else down
            cut = smallest + np.int64(genes[first]) * (side - least + 1) // VALUES
            axis = 0 if cross else 1
            low = left if cross else top
            if part == 0:
                stack[waiting, 3 + axis] = low + cut - 1
            else:
                stack[waiting, 1 + axis] = low + cut + wall
            waiting += 1


@kernel
def _root(parents: NDArray[np.int64], item: int) -> int:
    while parents[item] != item:
        parents[item] = parents[parents[item]]
        item = parents[item]
    return item


@kernel
def _slot(keys: NDArray[np.int64], key: np.int64) -> int:
    """Return the place of a key in a table of keys above 0, or the free one where it belongs."""
    place = int((np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(40)) % len(keys)
    while keys[place] != 0 and keys[place] != key:
        place = place + 1 if place + 1 < len(keys) else 0
    return place


@kernel
def _reach(tiles: Tiles, x: int, y: int) -> None:
    """Open a cell, and a way from it to the nearest open cell in a straight line, from the border
    inwards first.
    """
    height, width = tiles.shape
    tiles[y, x] = 0
    inner_x, inner_y = min(max(x, 1), width - 2), min(max(y, 1), height - 2)
    tiles[y, inner_x] = 0
    joined = tiles[inner_y, inner_x] == 0 and (inner_y != y)
    tiles[inner_y, inner_x] = 0
    if joined:
        return
    for distance in range(1, max(width, height)):
        for side in range(4):
            step_x, step_y = (1, 0, -1, 0)[side], (0, 1, 0, -1)[side]
            to_x, to_y = inner_x + step_x * distance, inner_y + step_y * distance
            if 0 < to_x < width - 1 and 0 < to_y < height - 1 and tiles[to_y, to_x] == 0:
                for step in range(1, distance):
                    tiles[inner_y + step_y * step, inner_x + step_x * step] = 0
                return


@kernel
def build_chambers(
    genes: NDArray[np.uint8],
    cuts: int,
    doors: int,
    settings: NDArray[np.int64],
    places: NDArray[np.int64],
    tiles: Tiles,
) -> None:
    """Write n levels of chambers into `(n, height, width)` tiles.

    Parameters
    ----------
    genes
        `(n, CUT * cuts + DOOR * doors)` bytes.
    settings
        The least and the greatest side of a chamber, the width of walls, the share of chambers that
        are divided though they need not be and of doorways that are not needed, in 256ths, and the
        width of doorways.
    places
        `(k, 2)` cells x, y that are opened and joined to the chambers.
    """
    count, height, width = tiles.shape
    wall, loops, door = settings[2], settings[4], settings[5]
    cells = max(width * height, 1)
    numbers = empty((height, width), np.int64)
    stack = empty((cells + 2, 5), np.int64)
    room = 16
    while room < 2 * cells:
        room *= 2
    names, keys = empty(room, np.int64), empty(room, np.int64)
    # Of each chamber its parent among joined ones, of each pair: the chambers, the first wall cell,
    # the number of cells side by side.
    parents, index_of = empty(room, np.int64), empty(room, np.int64)
    pairs = empty((room, 6), np.int64)
    heads, links = empty(VALUES, np.int64), empty(room, np.int64)
    for level in range(count):
        out = tiles[level]
        if width < 3 or height < 3:
            out[:] = 0
            continue
        _cut_level(genes[level], cuts, settings, numbers, stack)
        names[:] = 0
        keys[:] = 0
        known = found = 0
        for y in range(height):
            for x in range(width):
                out[y, x] = 1 if numbers[y, x] == 0 else 0
        for y in range(1, height - 1):
            for x in range(1, width - 1):
                here = numbers[y, x]
                if here == 0:
                    continue
                for axis in range(2):
                    to_x, to_y = x + (wall + 1) * (1 - axis), y + (wall + 1) * axis
                    if to_x >= width - 1 or to_y >= height - 1:
                        continue
                    there = numbers[to_y, to_x]
                    between = numbers[y + axis, x + 1 - axis]
                    if there in (0, here) or between != 0:
                        continue
                    ends = (here, there)
                    at = empty(2, np.int64)
                    for end in range(2):
                        slot = _slot(names, ends[end])
                        if names[slot] == 0:
                            names[slot] = ends[end]
                            index_of[slot] = known
                            parents[known] = known
                            known += 1
                        at[end] = index_of[slot]
                    slot = _slot(keys, at[0] * cells + at[1] + 1)
                    if keys[slot] == 0:
                        keys[slot] = at[0] * cells + at[1] + 1
                        index_of_pair = found
                        links[slot] = found
                        gene = (here * 31 + there) % doors
                        pairs[found, 0], pairs[found, 1], pairs[found, 2] = at[0], at[1], axis
                        pairs[found, 3], pairs[found, 4] = (y + axis) * width + x + 1 - axis, 0
                        pairs[found, 5] = gene
                        found += 1
                    index_of_pair = links[slot]
                    pairs[index_of_pair, 4] += 1
        # Pairs in the order of their weights, those of one weight in the order of their places.
        heads[:] = -1
        first = CUT * cuts
        for pair in range(found - 1, -1, -1):
            weight = genes[level, first + DOOR * pairs[pair, 5]]
            links[pair] = heads[weight]
            heads[weight] = pair
        for weight in range(VALUES):
            pair = heads[weight]
            while pair >= 0:
                gene = first + DOOR * pairs[pair, 5]
                one, other = _root(parents, pairs[pair, 0]), _root(parents, pairs[pair, 1])
                if one != other or genes[level, gene + 2] < loops:
                    parents[one] = other
                    axis, length = pairs[pair, 2], pairs[pair, 4]
                    opening = min(door, length)
                    shift = np.int64(genes[level, gene + 1]) * (length - opening + 1) // VALUES
                    y, x = pairs[pair, 3] // width, pairs[pair, 3] % width
                    for along in range(shift, shift + opening):
                        for depth in range(wall):
                            if axis == 0:
                                out[y + along, x + depth] = 0
                            else:
                                out[y + depth, x + along] = 0
                pair = links[pair]
        for place in range(len(places)):
            if out[places[place, 1], places[place, 0]] != 0:
                _reach(out, places[place, 0], places[place, 1])
