"""What the tests of kernels draw: keys of streams, tilesets, levels, and levels whose paths are
known.
"""

import os
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from levolve.levels.tileset import RAINBOW, WALLS, Tileset
from oracles.walking import Cell

# Plain Python is some hundred times slower: tests of size then take a smaller one.
COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"

Tiles = NDArray[np.uint8]

words = st.integers(0, 2**64 - 1)
purposes = st.integers(0, 4)
generations = st.integers(0, 2**40)
few = st.integers(0, 3)
small = st.integers(2, 12)


@dataclass(frozen=True)
class Key:
    """What all streams of one call of a kernel have in common."""

    seed: int
    purpose: int
    generation: int

    @property
    def arguments(self) -> tuple[np.uint64, int, int]:
        """As kernels take it."""
        return np.uint64(self.seed), self.purpose, self.generation


keys = st.builds(Key, words, purposes, generations)


@st.composite
def one_way_tilesets(draw: st.DrawFn) -> Tileset:
    """Three kinds of tiles and any steps between those that can be stood on, also steps that cannot
    be taken back.
    """
    stand = [draw(st.integers(0, 3)) > 0 for _ in range(3)]
    # A tileset has a kind that can be stood on.
    stand[draw(st.integers(0, 2))] = True
    steps = tuple(
        tuple(stand[a] and stand[b] and (a == b or draw(st.booleans())) for b in range(3))
        for a in range(3)
    )
    return Tileset("one-way", "abc", ("a", "b", "c"), steps)


two_way_tilesets = st.sampled_from([WALLS, RAINBOW])
any_tilesets = two_way_tilesets | one_way_tilesets()


@dataclass(frozen=True)
class Scene:
    """Some levels of one size, with a start and another cell."""

    tileset: Tileset
    tiles: Tiles
    start: Cell
    goal: Cell

    @property
    def levels(self) -> list[list[list[int]]]:
        """As the twins take them."""
        listed: list[list[list[int]]] = self.tiles.tolist()
        return listed


@st.composite
def scenes(
    draw: st.DrawFn,
    tilesets: st.SearchStrategy[Tileset] = two_way_tilesets,
    counts: st.SearchStrategy[int] = few,
    widths: st.SearchStrategy[int] = small,
    heights: st.SearchStrategy[int] = small,
) -> Scene:
    """Every level has one kind of tile that is common, more or less, among tiles of any kind."""
    tileset = draw(tilesets)
    count, height, width = draw(counts), draw(heights), draw(widths)
    kinds = len(tileset.characters)
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    tiles = random.integers(0, kinds, (count, height, width), np.uint8)
    share = random.choice([0.0, 0.2, 0.5, 0.8, 1.0], (count, 1, 1))
    # The first kind is floor where there are walls: it is the common one more often, else few
    # levels could be walked at all.
    common = random.integers(-2, kinds, (count, 1, 1)).clip(0)
    tiles = np.where(random.random(tiles.shape) < share, common, tiles).astype(np.uint8)
    start, goal = draw(
        st.lists(st.integers(0, width * height - 1), min_size=2, max_size=2, unique=True)
    )
    return Scene(tileset, tiles, (start % width, start // width), (goal % width, goal // width))


@dataclass(frozen=True)
class Snake:
    """A level that is one long corridor: every second row open, joined at the right and at the left
    by turns.
    """

    tiles: Tiles
    goal: Cell
    length: int


def snake(width: int, height: int) -> Snake:
    """The corridor begins at (0, 0) and ends at the goal after `length` steps."""
    tiles = np.zeros((height, width), np.uint8)
    tiles[1::2] = 1
    corridors = (height + 1) // 2
    for turn in range(corridors - 1):
        tiles[2 * turn + 1, (width - 1) * (turn % 2 == 0)] = 0
    return Snake(
        tiles,
        ((width - 1) * (corridors % 2), 2 * corridors - 2),
        corridors * (width - 1) + 2 * (corridors - 1),
    )


def chi_square_fits(counts: list[int], total: int) -> bool:
    """Whether counts of equally likely outcomes lie as near to each other as chance has it, six
    deviations granted.
    """
    expected = total / len(counts)
    freedom = len(counts) - 1
    distance = sum((count - expected) ** 2 / expected for count in counts)
    return sum(counts) == total and distance < freedom + 6 * (2 * freedom) ** 0.5
