import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.inputs import Scene, scenes
from levolve.kernels.building.placing import place_checkpoints, place_ends
from levolve.kernels.walking.shortest_paths import distances, distances_from, end_distances
from levolve.levels.tileset import RAINBOW, WALLS
from levolve.search.genotypes.placed import RULES
from oracles import placing as oracle

numbers = st.tuples(st.integers(0, 65535), st.integers(0, 65535))


@pytest.mark.parametrize("rule", RULES)
@given(scene=scenes(st.sampled_from([WALLS, RAINBOW])), chosen=numbers)
def test_ends_are_where_the_rule_and_the_numbers_say(
    rule: str, scene: Scene, chosen: tuple[int, int]
) -> None:
    width, table = scene.tiles.shape[2], scene.tileset.table
    before = scene.tiles.copy()
    ends = np.full((len(before), 2), -9, np.int64)
    place_ends(
        scene.tiles, np.tile(np.array(chosen), (len(before), 1)), RULES.index(rule), table, 0, ends
    )
    for level, placed, after in zip(before, ends.tolist(), scene.tiles, strict=True):
        kinds = np.array(
            [scene.tileset.may_stand(kind) for kind in range(len(scene.tileset.characters))]
        )
        assert all(kinds[after.ravel()[cell]] for cell in placed)
        assert placed[0] != placed[1]
        if kinds[level].sum() >= 2:
            expected = oracle.place_ends(level.tolist(), scene.tileset.steps, chosen, rule)
            assert [(cell % width, cell // width) for cell in placed] == list(expected)
            assert np.array_equal(level, after)


@given(
    scene=scenes(),
    chosen=numbers,
    wished=st.lists(st.integers(0, 65535), min_size=1, max_size=4),
)
def test_checkpoints_are_the_nearest_cells_that_can_be_reached(
    scene: Scene, chosen: tuple[int, int], wished: list[int]
) -> None:
    count, height, width = scene.tiles.shape
    cells = height * width
    ends = np.tile(np.array([chosen[0] % cells, chosen[1] % cells]), (count, 1))
    wanted = np.array([number % cells for number in wished])
    found = np.full((count, len(wanted)), -9, np.int64)
    before = scene.tiles.copy()
    floor = scene.tileset.open_kind
    place_checkpoints(scene.tiles, scene.tileset.table, ends, wanted, floor, found)
    for level, placed in zip(before.tolist(), found.tolist(), strict=True):
        entrance, leave, *goals = (
            (int(cell) % width, int(cell) // width) for cell in (*ends[0], *wanted)
        )
        expected = oracle.place_checkpoints(level, scene.tileset.steps, entrance, leave, goals)
        assert [(cell % width, cell // width) for cell in placed] == expected
    kinds = np.take_along_axis(scene.tiles.reshape(count, cells), found, axis=1)
    assert all(scene.tileset.may_stand(int(kind)) for kind in kinds.ravel())


@given(scene=scenes(), chosen=numbers)
def test_distances_of_own_places_are_those_of_a_shared_place(
    scene: Scene, chosen: tuple[int, int]
) -> None:
    count, height, width = scene.tiles.shape
    ends = (np.array(chosen) + np.arange(count)[:, np.newaxis]) % (height * width)
    table = scene.tileset.table
    from_start, expected = np.empty((2, count, height, width), np.int32)
    steps, reached = np.zeros((2, count), np.int32)
    distances_from(scene.tiles, table, np.ascontiguousarray(ends[:, 0]), from_start)
    end_distances(scene.tiles, table, ends, steps, reached)
    for level, (first, second) in enumerate(ends.tolist()):
        one = slice(level, level + 1)
        distances(scene.tiles[one], table, first % width, first // width, expected[one])
        assert steps[level] == expected[level].ravel()[second]
        assert reached[level] == (0 if steps[level] >= 0 else (expected[level] >= 0).sum())
    assert np.array_equal(from_start, expected)


def test_a_checkpoint_in_a_level_without_room_is_opened() -> None:
    tiles = np.array([[[0, 0], [1, 1]]], np.uint8)
    found = np.empty((1, 1), np.int64)
    place_checkpoints(tiles, WALLS.table, np.array([[0, 1]]), np.array([3]), 0, found)
    assert found.tolist() == [[3]]
    assert tiles.tolist() == [[[0, 0], [1, 0]]]
