from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.inputs import COMPILED, Scene, Tiles, scenes, snake
from kernels.test_boards import UNTOUCHED, searched_and_counted
from levolve.kernels.bits import wide_flood
from levolve.kernels.walking import shortest_paths
from levolve.levels.batch import pack_wide, unpack_wide
from levolve.levels.tileset import WALLS

# Of two words to five. Where the last word of a row is full, an empty one follows.
WIDTHS = [65, 66, 96, 127, 128, 129, 191, 192, 193, 200, 256, 300]

wide_scenes = scenes(
    tilesets=st.just(WALLS),
    counts=st.sampled_from([1, 3, 6]),
    widths=st.sampled_from(WIDTHS),
    heights=st.integers(1, 7),
)


def exit_steps(scene: Scene) -> list[tuple[int, int]]:
    steps, reached = np.full((2, len(scene.tiles)), UNTOUCHED, np.int32)
    wide_flood.exit_steps_wide(
        pack_wide(scene.tiles), scene.tiles.shape[2], *scene.start, *scene.goal, steps, reached
    )
    uncounted = np.full(len(scene.tiles), UNTOUCHED, np.int32)
    wide_flood.exit_steps_wide(
        pack_wide(scene.tiles), scene.tiles.shape[2], *scene.start, *scene.goal, uncounted, None
    )
    assert np.array_equal(steps, uncounted)
    return list(zip(steps.tolist(), reached.tolist(), strict=True))


def turned(scene: Scene, *, mirrored: bool, upside_down: bool) -> Scene:
    """The same levels seen from another side: the goal is then left of the start instead of right
    of it, or above instead of below.
    """
    (_, height, width), tiles = (
        scene.tiles.shape,
        scene.tiles[:, :: -1 if upside_down else 1, :: -1 if mirrored else 1],
    )
    start, goal = (
        (width - 1 - x if mirrored else x, height - 1 - y if upside_down else y)
        for x, y in (scene.start, scene.goal)
    )
    return replace(scene, tiles=np.ascontiguousarray(tiles), start=start, goal=goal)


@settings(max_examples=60)
@given(wide_scenes)
def test_the_exit_distance_is_that_of_a_plain_search(scene: Scene) -> None:
    assert exit_steps(scene) == searched_and_counted(scene)


@given(wide_scenes)
def test_a_start_at_the_exit_needs_no_step_unless_it_is_a_wall(scene: Scene) -> None:
    scene = replace(scene, goal=scene.start)
    assert exit_steps(scene) == searched_and_counted(scene)


@pytest.mark.parametrize("upside_down", [False, True])
@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("width", [65, 128] if COMPILED else [65])
@pytest.mark.parametrize("height", [3, 31])
def test_a_corridor_that_crosses_all_words_many_times_is_measured(
    width: int, height: int, *, mirrored: bool, upside_down: bool
) -> None:
    level = snake(width, height)
    closed = level.tiles.copy()
    closed[:, 0] |= np.arange(height) > 0
    scene = turned(
        Scene(WALLS, np.stack([level.tiles, closed, level.tiles]), (0, 0), level.goal),
        mirrored=mirrored,
        upside_down=upside_down,
    )
    assert exit_steps(scene) == searched_and_counted(scene)
    assert exit_steps(scene)[0][0] == level.length


@pytest.mark.parametrize("upside_down", [False, True])
@pytest.mark.parametrize("mirrored", [False, True])
def test_a_corridor_of_upright_parts_is_measured(*, mirrored: bool, upside_down: bool) -> None:
    level = snake(21, 69)
    scene = Scene(WALLS, np.ascontiguousarray(level.tiles.T)[np.newaxis], (0, 0), level.goal[::-1])
    scene = turned(scene, mirrored=mirrored, upside_down=upside_down)
    assert exit_steps(scene) == searched_and_counted(scene) == [(level.length, UNTOUCHED)]


def walked(scene: Scene) -> list[tuple[int, int]]:
    """By the kernel for any tileset, which is fast enough for large levels."""
    steps, reached = np.full((2, len(scene.tiles)), UNTOUCHED, np.int32)
    shortest_paths.exit_distances(
        scene.tiles, WALLS.table, *scene.start, *scene.goal, steps, reached
    )
    return list(zip(steps.tolist(), reached.tolist(), strict=True))


def blots(count: int, height: int, width: int, walls: float, random: np.random.Generator) -> Tiles:
    """Random walls, and some closed rectangles with a door or without one: large areas that are
    entered from any side.
    """
    tiles = (random.random((count, height, width)) < walls).astype(np.uint8)
    for level in tiles:
        for _ in range(6):
            top, left = int(random.integers(height - 5)), int(random.integers(width - 5))
            room = level[
                top : top + int(random.integers(5, height)),
                left : left + int(random.integers(5, width)),
            ]
            room[[0, -1]] = room[:, [0, -1]] = 1
            if random.random() < 0.9:  # most have a door
                room[random.choice([0, -1]), random.integers(room.shape[1])] = 0
                room[random.integers(room.shape[0]), random.choice([0, -1])] = 0
    return tiles


@pytest.mark.skipif(not COMPILED, reason="takes minutes in plain Python")
@settings(max_examples=60)
@given(
    st.integers(65, 330),
    st.integers(6, 200),
    st.sampled_from([0.0, 0.05, 0.25, 0.35, 0.4]),
    st.integers(0, 2**32),
)
def test_large_levels_with_rooms_agree_with_the_kernel_for_any_tileset(
    width: int, height: int, walls: float, seed: int
) -> None:
    random = np.random.default_rng(seed)
    start, goal = ((int(random.integers(width)), int(random.integers(height))) for _ in range(2))
    tiles = blots(8, height, width, walls, random)
    tiles[:4, start[1], start[0]] = tiles[:4, goal[1], goal[0]] = 0
    scene = Scene(WALLS, tiles, start, goal)
    assert exit_steps(scene) == walked(scene)


def detour(width: int, length: int, random: np.random.Generator, *, closed: bool) -> Tiles:
    """Few random walls, and a corridor to the exit with nearly `length` steps back, which is
    entered at its right end, or nowhere if it is closed.
    """
    tiles = (random.random((11, width)) < 0.03).astype(np.uint8)
    tiles[0, 0], tiles[-6:, -length - 1 :] = 0, 0
    tiles[-5:, -length - 1] = tiles[-5, -length:] = tiles[-3, -length + 1 :] = 1
    tiles[-5, -1] = closed
    return tiles


@pytest.mark.parametrize("upside_down", [False, True])
@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("width", [65, 128, 200])
def test_a_population_with_some_steps_back_is_flooded_side_by_side(
    width: int, *, mirrored: bool, upside_down: bool
) -> None:
    random = np.random.default_rng(width)
    # Some levels are closed, and some need far more rounds than the first one: the floods side by
    # side leave them to the other search.
    levels = [detour(width, 12, random, closed=False)]
    levels += [
        detour(width, int(random.integers(2, 60)), random, closed=random.random() < 0.2)
        for _ in range(40)
    ]
    scene = turned(
        Scene(WALLS, np.stack(levels), (0, 0), (width - 1, 10)),
        mirrored=mirrored,
        upside_down=upside_down,
    )
    assert exit_steps(scene) == searched_and_counted(scene)


@given(st.integers(65, 200), st.integers(1, 4), st.integers(0, 2**32))
def test_packing_and_unpacking_gives_the_same_tiles(width: int, height: int, seed: int) -> None:
    tiles = np.random.default_rng(seed).integers(0, 2, (2, height, width), np.uint8)
    packed = pack_wide(tiles)
    assert packed.shape == (2, height * -(-width // 64))
    assert np.array_equal(unpack_wide(packed, height, width), tiles)
