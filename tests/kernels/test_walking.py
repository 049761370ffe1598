import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from kernels.inputs import COMPILED, Scene, Tiles, any_tilesets, scenes, snake
from levolve.kernels.walking import shortest_paths
from levolve.levels.tileset import RAINBOW, WALLS, Tileset
from oracles import walking as twin
from oracles.walking import Cell

SIZE = 1024 if COMPILED else 64  # even; the answers below are formulas in it


def distances(scene: Scene) -> NDArray[np.int32]:
    out = np.full(scene.tiles.shape, -99, np.int32)
    shortest_paths.distances(scene.tiles, scene.tileset.table, *scene.start, out)
    return out


def exit_distances(scene: Scene) -> list[int]:
    out = np.full(len(scene.tiles), -99, np.int32)
    shortest_paths.exit_distances(
        scene.tiles, scene.tileset.table, *scene.start, *scene.goal, out, None
    )
    listed: list[int] = out.tolist()
    return listed


def members(scene: Scene, checkpoints: list[Cell]) -> tuple[NDArray[np.int32], NDArray[np.uint64]]:
    out = np.full(scene.tiles.shape, -99, np.int32)
    found = np.full(scene.tiles.shape, 99, np.uint64)
    places = np.array(checkpoints, np.int64).reshape(-1, 2)
    shortest_paths.members(scene.tiles, scene.tileset.table, *scene.start, places, out, found)
    return out, found


def longest_paths(scene: Scene) -> list[int]:
    out = np.full(len(scene.tiles), -99, np.int32)
    shortest_paths.longest_paths(scene.tiles, scene.tileset.table, out)
    listed: list[int] = out.tolist()
    return listed


def moves_to_goal(scene: Scene, level: int) -> list[int]:
    walk = shortest_paths.trace(
        scene.tiles[level], scene.tileset.table, distances(scene)[level], *scene.goal
    )
    listed: list[int] = walk.tolist()
    return listed


def as_grid(level: twin.Level, distance: dict[Cell, int]) -> list[list[int]]:
    return [[distance.get((x, y), -1) for x in range(len(level[0]))] for y in range(len(level))]


@st.composite
def scenes_with_checkpoints(draw: st.DrawFn) -> tuple[Scene, list[Cell]]:
    scene = draw(scenes(tilesets=any_tilesets, counts=st.integers(1, 3)))
    _, height, width = scene.tiles.shape
    count = draw(st.sampled_from([64, 20, 5, 1, 0]))
    # Two checkpoints may stand on one cell, and one on the start.
    places = st.tuples(st.integers(0, width - 1), st.integers(0, height - 1))
    return scene, draw(st.lists(places, min_size=count, max_size=count))


@given(scenes(), st.integers(0, 255))
def test_a_margin_surrounds_the_level_and_nothing_else_changes(scene: Scene, margin: int) -> None:
    assume(len(scene.tiles) > 0)
    height, width = scene.tiles.shape[1:]
    padded = np.empty((height + 2) * (width + 2), np.uint8)
    shortest_paths.lay_margin(scene.tiles[0], margin, padded)
    closed = [margin] * (width + 2)
    rows = [closed, *([margin, *row, margin] for row in scene.levels[0]), closed]
    assert padded.tolist() == [tile for row in rows for tile in row]


@given(scenes(tilesets=any_tilesets))
def test_the_distances_are_those_of_a_plain_search(scene: Scene) -> None:
    expected = [
        as_grid(level, twin.distances(level, scene.tileset.steps, scene.start))
        for level in scene.levels
    ]
    assert distances(scene).tolist() == expected


@given(scenes(tilesets=any_tilesets))
def test_a_flood_lists_every_cell_it_reached_once_and_the_nearest_first(scene: Scene) -> None:
    assume(len(scene.tiles) > 0)
    height, width = scene.tiles.shape[1:]
    stride = width + 2
    padded = np.empty((height + 2) * stride, np.uint8)
    distance = np.full(padded.size, -1, np.int32)
    queue = np.full(padded.size + 1, -1, np.int32)
    shortest_paths.lay_margin(scene.tiles[0], len(scene.tileset.characters), padded)
    reached = shortest_paths.flood(
        padded,
        scene.tileset.table,
        stride,
        (scene.start[1] + 1) * stride + scene.start[0] + 1,
        distance,
        queue,
    )
    listed = [(cell % stride - 1, cell // stride - 1) for cell in queue[:reached].tolist()]
    expected = twin.distances(scene.levels[0], scene.tileset.steps, scene.start)
    assert len(listed) == len(set(listed))
    assert set(listed) == set(expected)
    assert [expected[cell] for cell in listed] == sorted(expected.values())


@given(scenes(tilesets=any_tilesets))
def test_the_exit_distance_is_that_of_a_plain_search(scene: Scene) -> None:
    expected = [
        twin.exit_distance(level, scene.tileset.steps, scene.start, scene.goal)
        for level in scene.levels
    ]
    assert exit_distances(scene) == expected


@given(scenes(tilesets=any_tilesets))
def test_where_the_exit_cannot_be_reached_the_cells_that_can_are_counted(scene: Scene) -> None:
    steps, reached = np.full((2, len(scene.tiles)), -99, np.int32)
    shortest_paths.exit_distances(
        scene.tiles, scene.tileset.table, *scene.start, *scene.goal, steps, reached
    )
    found = [twin.distances(level, scene.tileset.steps, scene.start) for level in scene.levels]
    expected = [
        (distance[scene.goal], -99) if scene.goal in distance else (-1, len(distance))
        for distance in found
    ]
    assert list(zip(steps.tolist(), reached.tolist(), strict=True)) == expected


@given(scenes_with_checkpoints())
def test_the_members_are_the_checkpoints_on_any_shortest_path(
    drawn: tuple[Scene, list[Cell]],
) -> None:
    scene, checkpoints = drawn
    distance, found = members(scene, checkpoints)
    assert distance.tolist() == distances(scene).tolist()
    for level, bits in zip(scene.levels, found.tolist(), strict=True):
        expected = twin.members(level, scene.tileset.steps, scene.start, checkpoints)
        for x, y in twin.cells(level):
            assert bits[y][x] == sum(2**number for number in expected.get((x, y), set()))


def test_a_nearer_cell_is_on_no_shortest_path_if_the_step_from_it_is_illegal() -> None:
    # The checkpoint lies one step from the start and beside the corner that lies two, but the step
    # from it to there is illegal.
    rainbow = Scene(RAINBOW, np.array([[[1, 2], [0, 2]]], np.uint8), (0, 0), (1, 1))
    one_way = Scene(
        Tileset("ledge", "hl", ("high", "low"), ((True, True), (False, True))),
        np.array([[[0, 0], [1, 0]]], np.uint8),
        (0, 0),
        (1, 1),
    )
    for scene in (rainbow, one_way):
        distance, found = members(scene, [(0, 1)])
        assert distance.tolist() == [[[0, 1], [1, 2]]]
        assert found.tolist() == [[[0, 0], [1, 0]]]


@given(scenes(tilesets=any_tilesets))
def test_a_traced_path_is_legal_and_shortest_and_ends_at_the_goal(scene: Scene) -> None:
    for number, level in enumerate(scene.levels):
        expected = twin.exit_distance(level, scene.tileset.steps, scene.start, scene.goal)
        if expected < 0:
            continue
        moves = moves_to_goal(scene, number)
        cell = scene.start
        for move in moves:
            before, cell = cell, (cell[0] + twin.MOVES[move][0], cell[1] + twin.MOVES[move][1])
            assert twin.may_walk(level, scene.tileset.steps, before, cell)
        assert cell == scene.goal
        assert len(moves) == expected


@given(scenes(tilesets=any_tilesets))
def test_of_several_shortest_paths_the_traced_one_is_that_of_the_twin(scene: Scene) -> None:
    for number, level in enumerate(scene.levels):
        if twin.exit_distance(level, scene.tileset.steps, scene.start, scene.goal) >= 0:
            assert moves_to_goal(scene, number) == twin.trace(
                level, scene.tileset.steps, scene.start, scene.goal
            )


def test_a_path_to_its_own_start_has_no_moves() -> None:
    assert moves_to_goal(Scene(WALLS, np.zeros((1, 3, 3), np.uint8), (1, 1), (1, 1)), 0) == []


@given(scenes())
def test_the_path_of_two_sweeps_is_that_of_plain_searches_and_never_longer_than_the_longest(
    scene: Scene,
) -> None:
    out = np.full(len(scene.tiles), -99, np.int32)
    shortest_paths.sweep_paths(scene.tiles, scene.tileset.table, out)
    assert out.tolist() == [twin.sweep_path(level, scene.tileset.steps) for level in scene.levels]
    if scene.tileset.reversible:
        assert np.all(out <= longest_paths(scene))


def test_two_sweeps_underestimate_a_level_with_loops() -> None:
    tiles = np.array(
        [[[character == "#" for character in row] for row in ("#...", "....", "....", "..##")]],
        np.uint8,
    )
    scene = Scene(WALLS, tiles, (1, 0), (3, 2))
    out = np.zeros(1, np.int32)
    shortest_paths.sweep_paths(tiles, WALLS.table, out)
    assert (out[0], longest_paths(scene)) == (4, [6])


@given(scenes())
def test_the_longest_path_is_that_of_a_search_from_every_cell(scene: Scene) -> None:
    assert longest_paths(scene) == [
        twin.longest_path(level, scene.tileset.steps) for level in scene.levels
    ]


@given(st.integers(2, 12), st.integers(2, 12), st.integers(0, 2**32))
def test_the_longest_path_of_a_corridor_with_rooms_is_that_of_a_search_from_every_cell(
    width: int, height: int, seed: int
) -> None:
    tiles = snake(width, height).tiles
    tiles[np.random.default_rng(seed).random(tiles.shape) < 0.1] = 0
    scene = Scene(WALLS, tiles[np.newaxis], (0, 0), (0, 1))
    assert longest_paths(scene) == [twin.longest_path(scene.levels[0], WALLS.steps)]


def in_one_corner(tiles: Tiles, goal: Cell) -> Scene:
    return Scene(WALLS, tiles[np.newaxis], (0, 0), goal)


def test_an_empty_arena_of_any_size_is_crossed_by_its_width_and_height() -> None:
    arena = in_one_corner(np.zeros((SIZE, SIZE), np.uint8), (SIZE - 1, SIZE - 1))
    x, y = np.arange(SIZE), np.arange(SIZE)[:, np.newaxis]
    assert np.array_equal(distances(arena)[0], x + y)
    assert exit_distances(arena) == [2 * SIZE - 2]
    assert longest_paths(arena) == [2 * SIZE - 2]
    assert len(moves_to_goal(arena, 0)) == 2 * SIZE - 2


def test_a_checkpoint_in_an_empty_arena_of_any_size_is_a_member_of_all_cells_behind_it() -> None:
    arena = in_one_corner(np.zeros((SIZE, SIZE), np.uint8), (SIZE - 1, SIZE - 1))
    checkpoint = (SIZE // 2, SIZE - 2)
    found = members(arena, [(0, 0), checkpoint])[1][0]
    behind = np.ones((SIZE, SIZE), np.uint64)
    behind[checkpoint[1] :, checkpoint[0] :] = 3
    assert np.array_equal(found, behind)


def test_a_snake_of_any_size_is_as_long_as_its_corridors() -> None:
    level = snake(SIZE, SIZE)
    scene = in_one_corner(level.tiles, level.goal)
    assert level.length == SIZE // 2 * (SIZE - 1) + SIZE - 2
    assert distances(scene).max() == level.length
    assert exit_distances(scene) == [level.length]
    assert longest_paths(scene) == [level.length]
    assert len(moves_to_goal(scene, 0)) == level.length


def test_a_comb_is_longest_between_its_outer_teeth() -> None:
    size = SIZE // 4
    tiles = np.zeros((size, size), np.uint8)
    tiles[1:, 1::2] = 1
    comb = in_one_corner(tiles, (size - 2, size - 1))
    assert exit_distances(comb) == [2 * size - 3]
    assert longest_paths(comb) == [3 * size - 4]
