import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kernels.inputs import Scene, Tiles, one_way_tilesets, scenes
from levolve.kernels.building import finishing
from levolve.levels.tileset import WALLS
from oracles import finishing as oracle

walled = scenes(
    st.just(WALLS) | one_way_tilesets().filter(lambda tileset: tileset.wall is not None)
)


def fixed_in(scene: Scene, seed: int) -> tuple[Tiles, set[tuple[int, int]]]:
    """Some cells that must not change."""
    chosen = np.random.default_rng(seed).random(scene.tiles.shape[1:]) < 0.15
    return chosen.astype(np.uint8), {(int(x), int(y)) for y, x in np.argwhere(chosen)}


def kinds_of(scene: Scene) -> tuple[np.ndarray, set[int], int, int]:
    tileset = scene.tileset
    walkable = np.array(
        [tileset.may_stand(kind) for kind in range(len(tileset.characters))], np.uint8
    )
    assert tileset.floor is not None
    assert tileset.wall is not None
    return walkable, set(np.flatnonzero(walkable == 0).tolist()), tileset.floor, tileset.wall


@given(scene=walled, seed=st.integers(0, 99), stopped=st.booleans())
def test_pockets_are_the_regions_without_a_stop(scene: Scene, seed: int, *, stopped: bool) -> None:
    *_, wall = kinds_of(scene)
    fixed, held = fixed_in(scene, seed)
    table = scene.tileset.table | scene.tileset.table.T
    steps = [[bool(table[a, b]) for b in range(len(table) - 1)] for a in range(len(table) - 1)]
    stops = [scene.start, scene.goal] if stopped else []
    expected = [oracle.fill_pockets(level, steps, stops, held, wall) for level in scene.levels]
    cells = np.array([y * scene.tiles.shape[2] + x for x, y in stops], np.int64)
    finishing.fill_pockets(scene.tiles, table, cells, fixed, wall)
    assert scene.tiles.tolist() == expected


@given(scene=walled, seed=st.integers(0, 99), stopped=st.booleans())
def test_halls_that_are_cut_off_are_joined_by_the_shortest_ways_through_halls(
    scene: Scene, seed: int, *, stopped: bool
) -> None:
    *_, floor, _ = kinds_of(scene)
    table = scene.tileset.table | scene.tileset.table.T
    steps = [[bool(table[a, b]) for b in range(len(table) - 1)] for a in range(len(table) - 1)]
    stops = [scene.start, scene.goal] if stopped else []
    halls = (np.random.default_rng(seed).random(scene.tiles.shape[1:]) < 0.7).astype(np.uint8)
    inside = {(int(x), int(y)) for y, x in np.argwhere(halls)}
    expected = [oracle.join_halls(level, steps, stops, inside, floor) for level in scene.levels]
    cells = np.array([y * scene.tiles.shape[2] + x for x, y in stops], np.int64)
    finishing.join_halls(scene.tiles, table, cells, halls, floor)
    assert scene.tiles.tolist() == expected


@given(walled, st.integers(0, 99), st.integers(1, 4))
def test_specks_are_small_groups_of_adjacent_walls(scene: Scene, seed: int, largest: int) -> None:
    walkable, walls, floor, _ = kinds_of(scene)
    fixed, held = fixed_in(scene, seed)
    expected = [oracle.drop_specks(level, walls, held, largest, floor) for level in scene.levels]
    finishing.drop_specks(scene.tiles, walkable, fixed, largest, floor)
    assert scene.tiles.tolist() == expected


@given(walled, st.integers(0, 99))
def test_contacts_by_a_corner_are_removed_one_after_the_other(scene: Scene, seed: int) -> None:
    walkable, walls, floor, wall = kinds_of(scene)
    fixed, held = fixed_in(scene, seed)
    expected = [oracle.thicken(level, walls, held, floor, wall) for level in scene.levels]
    finishing.thicken(scene.tiles, walkable, fixed, floor, wall)
    assert scene.tiles.tolist() == expected


@given(
    walled,
    st.integers(0, 99),
    st.integers(1, 3),
    st.sampled_from([(0, {True, False}), (1, {True}), (2, {False})]),
)
def test_a_smooth_cell_is_what_most_cells_around_it_are(
    scene: Scene, seed: int, passes: int, only: tuple[int, set[bool]]
) -> None:
    walkable, walls, floor, wall = kinds_of(scene)
    fixed, held = fixed_in(scene, seed)
    expected = [
        oracle.smooth(level, walls, held, passes, (floor, wall), only[1]) for level in scene.levels
    ]
    finishing.smooth(scene.tiles, walkable, fixed, passes, only[0], floor, wall)
    assert scene.tiles.tolist() == expected
