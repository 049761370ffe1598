import numpy as np
from hypothesis import given

from kernels.inputs import COMPILED, Scene, Tiles, scenes, snake
from levolve.kernels.walking.dead_ends import count_regions
from levolve.levels.tileset import RAINBOW, WALLS, Tileset
from oracles.regions import regions

SIZE = 1024 if COMPILED else 64


def counted(tiles: Tiles, tileset: Tileset) -> list[tuple[int, int]]:
    """How many regions each level has, and how many cells the largest holds."""
    found, largest = np.full((2, len(tiles)), -99, np.int32)
    count_regions(tiles, tileset.table, found, largest)
    return list(zip(found.tolist(), largest.tolist(), strict=True))


@given(scenes())
def test_the_regions_are_those_that_come_of_merging(scene: Scene) -> None:
    expected = [regions(level, scene.tileset.steps) for level in scene.levels]
    assert counted(scene.tiles, scene.tileset) == [
        (len(found), max(map(len, found), default=0)) for found in expected
    ]


def test_a_level_of_walls_has_no_region() -> None:
    assert counted(np.ones((1, 3, 4), np.uint8), WALLS) == [(0, 0)]


def test_the_ends_of_the_rainbow_do_not_meet() -> None:
    assert counted(np.array([[[0, 5]], [[2, 3]]], np.uint8), RAINBOW) == [(2, 1), (1, 2)]


def test_regions_of_any_size_and_number_are_counted() -> None:
    empty = np.zeros((SIZE, SIZE), np.uint8)
    chequered = np.indices((SIZE, SIZE)).sum(axis=0).astype(np.uint8) % 2
    stripes = np.zeros((SIZE, SIZE), np.uint8)
    stripes[1::2] = 1
    level = snake(SIZE, SIZE)
    assert counted(np.stack([empty, chequered, stripes, level.tiles]), WALLS) == [
        (1, SIZE * SIZE),
        (SIZE * SIZE // 2, 1),
        (SIZE // 2, SIZE),
        (1, level.length + 1),
    ]
