import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.inputs import COMPILED, Scene, Tiles, scenes, snake
from levolve.kernels import boards, walking
from levolve.levels.tileset import WALLS
from oracles.boards import pack_row, unpack_row
from oracles.walking import Cell, exit_distance

BATCHES = [0, 1, 3, 4, 5, 13, 50]
WIDE = [13, 15, 16, 20, 21, 22, 30, 31, 32, 33, 40, 62, 63, 64]

walls = st.just(WALLS)
batches = st.sampled_from(BATCHES)


def packed(tiles: Tiles) -> boards.Rows:
    rows = np.empty(tiles.shape[:2], np.uint64)
    boards.pack_rows(tiles, rows)
    return rows


def exit_steps(tiles: Tiles, start: Cell, goal: Cell) -> list[int]:
    steps = np.full(len(tiles), -99, np.int32)
    boards.exit_steps(packed(tiles), tiles.shape[2], *start, *goal, steps)
    listed: list[int] = steps.tolist()
    return listed


def searched(scene: Scene) -> list[int]:
    return [exit_distance(level, WALLS.may_step, scene.start, scene.goal) for level in scene.levels]


def winding(height: int, random: np.random.Generator, *, closed: bool) -> Tiles:
    """Two columns: every second row has one wall, left or right, and a closed one has a row of two walls somewhere."""
    tiles = np.zeros((height, 2), np.uint8)
    for y in range(1, height - 1, 2):
        tiles[y, random.integers(2)] = 1
    if closed:
        tiles[random.integers(1, height - 1)] = 1
    return tiles


@given(scenes(tilesets=walls, widths=st.integers(1, 64)))
def test_rows_are_packed_as_by_the_twin(scene: Scene) -> None:
    assert packed(scene.tiles).tolist() == [[pack_row(row) for row in level] for level in scene.levels]


@given(st.integers(1, 64), st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=8))
def test_rows_are_unpacked_as_by_the_twin(width: int, rows: list[int]) -> None:
    tiles = np.full((1, len(rows), width), 7, np.uint8)
    boards.unpack_rows(np.array([rows], np.uint64), tiles)
    assert tiles.tolist() == [[unpack_row(word, width) for word in rows]]


@given(scenes(tilesets=walls, widths=st.integers(1, 64)))
def test_packing_and_unpacking_gives_the_same_tiles(scene: Scene) -> None:
    tiles = np.full_like(scene.tiles, 7)
    boards.unpack_rows(packed(scene.tiles), tiles)
    assert np.array_equal(tiles, scene.tiles)


@given(scenes(tilesets=walls, counts=batches))
def test_the_exit_distance_is_that_of_a_plain_search(scene: Scene) -> None:
    assert exit_steps(scene.tiles, scene.start, scene.goal) == searched(scene)


@given(scenes(tilesets=walls, counts=st.sampled_from([1, 3, 5, 13]), widths=st.sampled_from(WIDE), heights=st.integers(2, 6)))
def test_the_exit_distance_in_a_wide_level_is_that_of_a_plain_search(scene: Scene) -> None:
    assert exit_steps(scene.tiles, scene.start, scene.goal) == searched(scene)


@given(st.integers(0, 2**32), batches, st.integers(3, 300 if COMPILED else 40))
def test_the_exit_distance_in_a_long_and_narrow_level_is_that_of_a_plain_search(seed: int, count: int, height: int) -> None:
    random = np.random.default_rng(seed)
    tiles = np.zeros((count, height, 2), np.uint8)
    for level in range(count):
        tiles[level] = winding(height, random, closed=bool(random.random() < 0.3))
    scene = Scene(WALLS, tiles, (0, 0), (1, height - 1))
    assert exit_steps(scene.tiles, scene.start, scene.goal) == searched(scene)


@pytest.mark.parametrize("width", [2, 3, 4, 5, 7, 9, 10, 15, 16, 20, 31, 32, 33, 63, 64])
@pytest.mark.parametrize("height", [3, 6, 20, 33, 65] if COMPILED else [3, 6])
def test_long_paths_do_not_disturb_short_ones_in_the_same_word(width: int, height: int) -> None:
    long = snake(width, height)
    closed = long.tiles.copy()
    closed[long.goal[1] - 1] = 1
    kinds = {long.length: long.tiles, sum(long.goal): np.zeros_like(long.tiles), -1: closed}
    for turn in range(3):
        expected = [list(kinds)[(turn + level * level // 2) % 3] for level in range(50)]
        assert exit_steps(np.stack([kinds[steps] for steps in expected]), (0, 0), long.goal) == expected


@pytest.mark.parametrize("width", [2, 3, 5, 20, 31])
def test_levels_that_come_and_go_do_not_disturb_one_that_has_no_path(width: int) -> None:
    long = snake(width, 5)
    closed = long.tiles.copy()
    closed[1] = 1
    tiles = np.stack([long.tiles] * (1000 if COMPILED else 100))
    tiles[::97] = closed
    expected = [-1 if level % 97 == 0 else long.length for level in range(len(tiles))]
    assert exit_steps(tiles, (0, 0), long.goal) == expected


@pytest.mark.parametrize("width", [2, 5, 31, 32, 33, 63, 64])
@pytest.mark.parametrize("count", BATCHES)
def test_a_path_may_run_either_way(width: int, count: int) -> None:
    level = snake(width, 9)
    tiles = np.stack([level.tiles] * max(count, 1))[:count]
    assert exit_steps(tiles, (0, 0), level.goal) == exit_steps(tiles, level.goal, (0, 0)) == [level.length] * count


@pytest.mark.parametrize("width", [2, 12, 31, 32, 64])
def test_a_blocked_start_or_exit_has_no_path(width: int) -> None:
    tiles = np.zeros((5, 4, width), np.uint8)
    tiles[1, 0, 0] = 1
    tiles[3, 3, width - 1] = 1
    tiles[4, 0, 0] = tiles[4, 3, width - 1] = 1
    assert exit_steps(tiles, (0, 0), (width - 1, 3)) == [width + 2, -1, width + 2, -1, -1]


@given(scenes(tilesets=walls, counts=st.sampled_from([1, 5, 13]), widths=st.integers(2, 64), heights=st.integers(2, 5)))
def test_packed_and_unpacked_levels_have_the_same_exit_distance(scene: Scene) -> None:
    steps = np.empty(len(scene.tiles), np.int32)
    walking.exit_distances(scene.tiles, WALLS.table, *scene.start, *scene.goal, steps)
    assert exit_steps(scene.tiles, scene.start, scene.goal) == steps.tolist()


def test_the_height_of_packed_levels_has_no_limit() -> None:
    height = 1024 if COMPILED else 32
    wide, narrow = snake(64, height), snake(2, height)
    assert exit_steps(wide.tiles[np.newaxis], (0, 0), wide.goal) == [wide.length]
    assert exit_steps(np.stack([narrow.tiles] * 13), (0, 0), narrow.goal) == [narrow.length] * 13


def test_an_exit_at_the_start_is_no_step_away() -> None:
    assert exit_steps(np.zeros((1, 3, 3), np.uint8), (1, 1), (1, 1)) == [0]
