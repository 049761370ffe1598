import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.inputs import COMPILED, Scene, Tiles, scenes, snake, two_way_tilesets
from levolve.kernels.bits import packed_flood
from levolve.kernels.walking import shortest_paths
from levolve.levels.tileset import RAINBOW, WALLS, Tileset
from oracles.boards import links, pack_row, unpack_row
from oracles.walking import Cell, distances, exit_distance

BATCHES = [0, 1, 3, 4, 5, 13, 50]
WIDE = [13, 15, 16, 20, 21, 22, 30, 31, 32, 33, 40, 62, 63, 64]
UNTOUCHED = -99
RIGHT, DOWN = (1, 0), (0, 1)

walls = st.just(WALLS)
rainbow = st.just(RAINBOW)
batches = st.sampled_from(BATCHES)


def wide_scenes(tilesets: st.SearchStrategy[Tileset]) -> st.SearchStrategy[Scene]:
    return scenes(
        tilesets=tilesets,
        counts=st.sampled_from([1, 3, 5, 13]),
        widths=st.sampled_from(WIDE),
        heights=st.integers(2, 6),
    )


def packed(tiles: Tiles) -> packed_flood.Rows:
    rows = np.empty(tiles.shape[:2], np.uint64)
    packed_flood.pack_rows(tiles, rows)
    return rows


def linked(tiles: Tiles, tileset: Tileset) -> tuple[packed_flood.Rows, packed_flood.Rows]:
    right, down = np.full((2, *tiles.shape[:2]), 99, np.uint64)
    packed_flood.link_rows(tiles, tileset.table, right, down)
    return right, down


def exit_steps(tiles: Tiles, start: Cell, goal: Cell) -> list[int]:
    steps = np.full(len(tiles), UNTOUCHED, np.int32)
    packed_flood.exit_steps(packed(tiles), None, tiles.shape[2], *start, *goal, steps, None)
    listed: list[int] = steps.tolist()
    return listed


def linked_exit_steps(tiles: Tiles, tileset: Tileset, start: Cell, goal: Cell) -> list[int]:
    steps = np.full(len(tiles), UNTOUCHED, np.int32)
    packed_flood.exit_steps(*linked(tiles, tileset), tiles.shape[2], *start, *goal, steps, None)
    listed: list[int] = steps.tolist()
    return listed


def exit_steps_and_reached(scene: Scene, *, by_links: bool) -> list[tuple[int, int]]:
    steps, reached = np.full((2, len(scene.tiles)), UNTOUCHED, np.int32)
    rows, down = linked(scene.tiles, scene.tileset) if by_links else (packed(scene.tiles), None)
    packed_flood.exit_steps(
        rows, down, scene.tiles.shape[2], *scene.start, *scene.goal, steps, reached
    )
    return list(zip(steps.tolist(), reached.tolist(), strict=True))


def searched(scene: Scene) -> list[int]:
    return [
        exit_distance(level, scene.tileset.steps, scene.start, scene.goal) for level in scene.levels
    ]


def searched_and_counted(scene: Scene) -> list[tuple[int, int]]:
    """|e|, and how many cells can be reached; the count is asked for only where the exit cannot be
    reached.
    """
    found = [distances(level, scene.tileset.steps, scene.start) for level in scene.levels]
    return [
        (distance[scene.goal], UNTOUCHED) if scene.goal in distance else (-1, len(distance))
        for distance in found
    ]


def with_open_start(scene: Scene) -> Scene:
    tiles = scene.tiles.copy()
    tiles[:, scene.start[1], scene.start[0]] = 0
    return Scene(scene.tileset, tiles, scene.start, scene.goal)


def winding(height: int, random: np.random.Generator, *, closed: bool) -> Tiles:
    """Two columns: every second row has one wall, left or right, and a closed one has a row of two
    walls somewhere.
    """
    tiles = np.zeros((height, 2), np.uint8)
    for y in range(1, height - 1, 2):
        tiles[y, random.integers(2)] = 1
    if closed:
        tiles[random.integers(1, height - 1)] = 1
    return tiles


@given(scenes(tilesets=walls, widths=st.integers(1, 64)))
def test_rows_are_packed_as_by_the_twin(scene: Scene) -> None:
    assert packed(scene.tiles).tolist() == [
        [pack_row(row) for row in level] for level in scene.levels
    ]


@given(st.integers(1, 64), st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=8))
def test_rows_are_unpacked_as_by_the_twin(width: int, rows: list[int]) -> None:
    tiles = np.full((1, len(rows), width), 7, np.uint8)
    packed_flood.unpack_rows(np.array([rows], np.uint64), tiles)
    assert tiles.tolist() == [[unpack_row(word, width) for word in rows]]


@given(scenes(tilesets=walls, widths=st.integers(1, 64)))
def test_packing_and_unpacking_gives_the_same_tiles(scene: Scene) -> None:
    tiles = np.full_like(scene.tiles, 7)
    packed_flood.unpack_rows(packed(scene.tiles), tiles)
    assert np.array_equal(tiles, scene.tiles)


@given(scenes(tilesets=walls, counts=batches))
def test_the_exit_distance_is_that_of_a_plain_search(scene: Scene) -> None:
    assert exit_steps(scene.tiles, scene.start, scene.goal) == searched(scene)


@given(wide_scenes(walls))
def test_the_exit_distance_in_a_wide_level_is_that_of_a_plain_search(scene: Scene) -> None:
    assert exit_steps(scene.tiles, scene.start, scene.goal) == searched(scene)


@given(scenes(widths=st.integers(1, 64)))
def test_links_are_the_legal_steps_to_the_right_and_down(scene: Scene) -> None:
    right, down = linked(scene.tiles, scene.tileset)
    assert right.tolist() == [links(level, scene.tileset.steps, RIGHT) for level in scene.levels]
    assert down.tolist() == [links(level, scene.tileset.steps, DOWN) for level in scene.levels]


@given(scenes(tilesets=rainbow, counts=batches))
def test_the_exit_distance_between_colours_is_that_of_a_plain_search(scene: Scene) -> None:
    assert linked_exit_steps(scene.tiles, RAINBOW, scene.start, scene.goal) == searched(scene)


@given(wide_scenes(rainbow))
def test_the_exit_distance_between_colours_in_a_wide_level_is_that_of_a_plain_search(
    scene: Scene,
) -> None:
    assert linked_exit_steps(scene.tiles, RAINBOW, scene.start, scene.goal) == searched(scene)


@given(scenes(tilesets=walls, counts=batches) | wide_scenes(walls))
def test_links_between_walls_give_the_exit_distance_that_the_walls_give(scene: Scene) -> None:
    scene = with_open_start(scene)
    expected = exit_steps(scene.tiles, scene.start, scene.goal)
    assert (
        linked_exit_steps(scene.tiles, WALLS, scene.start, scene.goal)
        == expected
        == searched(scene)
    )


@given(scenes(tilesets=walls, counts=batches) | wide_scenes(walls))
def test_where_the_exit_cannot_be_reached_the_cells_that_can_are_counted(scene: Scene) -> None:
    assert exit_steps_and_reached(scene, by_links=False) == searched_and_counted(scene)


@given(scenes(counts=batches) | wide_scenes(two_way_tilesets))
def test_where_links_do_not_lead_to_the_exit_the_cells_they_lead_to_are_counted(
    scene: Scene,
) -> None:
    scene = with_open_start(scene)
    assert exit_steps_and_reached(scene, by_links=True) == searched_and_counted(scene)


@pytest.mark.parametrize("width", [2, 3, 5, 20, 31, 32, 33, 63, 64])
@pytest.mark.parametrize("by_links", [False, True])
def test_floods_of_any_length_are_counted_beside_each_other(width: int, *, by_links: bool) -> None:
    # Of a snake with a closed turn the corridors before it can be reached, `width` cells each, and
    # the cells that join them, one a turn.
    long = snake(width, 13)
    tiles = np.stack([long.tiles] * 40)
    expected = [(long.length, UNTOUCHED)] * 40
    for level in range(0, 40, 3):
        corridors = 1 + level % 6
        tiles[level, 2 * corridors - 1] = 1
        expected[level] = -1, corridors * width + corridors - 1
    assert (
        exit_steps_and_reached(Scene(WALLS, tiles, (0, 0), long.goal), by_links=by_links)
        == expected
    )


def test_the_ends_of_the_rainbow_are_no_step_apart() -> None:
    # Red beside violet; then all colours in their order.
    tiles = np.array([[[0, 5, 5, 5, 5, 5]], [[0, 1, 2, 3, 4, 5]]], np.uint8)
    assert exit_steps_and_reached(Scene(RAINBOW, tiles, (0, 0), (5, 0)), by_links=True) == [
        (-1, 1),
        (5, UNTOUCHED),
    ]


@given(st.integers(0, 2**32), batches, st.integers(3, 300 if COMPILED else 40))
def test_the_exit_distance_in_a_long_and_narrow_level_is_that_of_a_plain_search(
    seed: int, count: int, height: int
) -> None:
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
        tiles = np.stack([kinds[steps] for steps in expected])
        assert (
            exit_steps(tiles, (0, 0), long.goal)
            == linked_exit_steps(tiles, WALLS, (0, 0), long.goal)
            == expected
        )


@pytest.mark.parametrize("width", [2, 3, 5, 20, 31])
def test_levels_that_come_and_go_do_not_disturb_one_that_has_no_path(width: int) -> None:
    long = snake(width, 5)
    closed = long.tiles.copy()
    closed[1] = 1
    tiles = np.stack([long.tiles] * (1000 if COMPILED else 100))
    tiles[::97] = closed
    expected = [-1 if level % 97 == 0 else long.length for level in range(len(tiles))]
    assert (
        exit_steps(tiles, (0, 0), long.goal)
        == linked_exit_steps(tiles, WALLS, (0, 0), long.goal)
        == expected
    )


@pytest.mark.parametrize("width", [2, 5, 31, 32, 33, 63, 64])
@pytest.mark.parametrize("count", BATCHES)
def test_a_path_may_run_either_way(width: int, count: int) -> None:
    level = snake(width, 9)
    tiles = np.stack([level.tiles] * max(count, 1))[:count]
    assert (
        exit_steps(tiles, (0, 0), level.goal)
        == exit_steps(tiles, level.goal, (0, 0))
        == [level.length] * count
    )


@pytest.mark.parametrize("width", [2, 12, 31, 32, 64])
def test_a_blocked_start_or_exit_has_no_path(width: int) -> None:
    tiles = np.zeros((5, 4, width), np.uint8)
    tiles[1, 0, 0] = 1
    tiles[3, 3, width - 1] = 1
    tiles[4, 0, 0] = tiles[4, 3, width - 1] = 1
    assert exit_steps(tiles, (0, 0), (width - 1, 3)) == [width + 2, -1, width + 2, -1, -1]


@given(
    scenes(
        tilesets=walls,
        counts=st.sampled_from([1, 5, 13]),
        widths=st.integers(2, 64),
        heights=st.integers(2, 5),
    )
)
def test_packed_and_unpacked_levels_have_the_same_exit_distance(scene: Scene) -> None:
    steps, reached = np.full((2, len(scene.tiles)), UNTOUCHED, np.int32)
    shortest_paths.exit_distances(
        scene.tiles, WALLS.table, *scene.start, *scene.goal, steps, reached
    )
    assert exit_steps_and_reached(scene, by_links=False) == list(
        zip(steps.tolist(), reached.tolist(), strict=True)
    )


def test_the_height_of_packed_levels_has_no_limit() -> None:
    height = 1024 if COMPILED else 32
    wide, narrow = snake(64, height), snake(2, height)
    assert exit_steps(wide.tiles[np.newaxis], (0, 0), wide.goal) == [wide.length]
    assert exit_steps(np.stack([narrow.tiles] * 13), (0, 0), narrow.goal) == [narrow.length] * 13


def test_an_exit_at_the_start_is_no_step_away_unless_it_is_a_wall() -> None:
    tiles = np.zeros((2, 3, 3), np.uint8)
    tiles[1, 1, 1] = 1
    assert exit_steps(tiles, (1, 1), (1, 1)) == [0, -1]
    assert linked_exit_steps(tiles, RAINBOW, (1, 1), (1, 1)) == [0, 0]
