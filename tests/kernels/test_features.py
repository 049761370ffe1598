import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kernels.inputs import Scene, any_tilesets, scenes
from levolve.kernels.walking import dead_ends, shortest_paths
from levolve.levels.tileset import RAINBOW, WALLS
from oracles import features as twin
from oracles.walking import Cell


@st.composite
def scenes_with_checkpoints(draw: st.DrawFn) -> tuple[Scene, list[Cell]]:
    """Two checkpoints may stand on one cell, and one on the start."""
    scene = draw(scenes(counts=st.integers(1, 3)))
    _, height, width = scene.tiles.shape
    count = draw(st.sampled_from([2, 3, 5, 9, 64, 1, 0]))
    places = st.tuples(st.integers(0, width - 1), st.integers(0, height - 1))
    return scene, draw(st.lists(places, min_size=count, max_size=count))


def counted_ends(scene: Scene) -> list[tuple[int, int, int]]:
    """Culs-de-sac, the sum of their distances, and junctions of each level."""
    distance = np.empty(scene.tiles.shape, np.int32)
    shortest_paths.distances(scene.tiles, scene.tileset.table, *scene.start, distance)
    ends, lengths, junctions = np.full((3, len(scene.tiles)), -99, np.int64)
    dead_ends.count_ends(scene.tiles, scene.tileset.table, distance, ends, lengths, junctions)
    return list(zip(ends.tolist(), lengths.tolist(), junctions.tolist(), strict=True))


def summed_reconvergences(scene: Scene, checkpoints: list[Cell]) -> list[tuple[int, int]]:
    distance = np.empty(scene.tiles.shape, np.int32)
    members = np.empty(scene.tiles.shape, np.uint64)
    places = np.array(checkpoints, np.int64).reshape(-1, 2)
    shortest_paths.members(
        scene.tiles, scene.tileset.table, *scene.start, places, distance, members
    )
    sums, isolated = np.full((2, len(scene.tiles)), -99, np.int64)
    dead_ends.sum_reconvergences(distance, members, len(checkpoints), sums, isolated)
    return list(zip(sums.tolist(), isolated.tolist(), strict=True))


@given(scenes(tilesets=any_tilesets))
def test_culs_de_sac_and_junctions_are_those_of_the_definition(scene: Scene) -> None:
    expected = []
    for level in scene.levels:
        ends = twin.culs_de_sac(level, scene.tileset.steps, scene.start)
        expected.append(
            (len(ends), sum(ends), len(twin.junctions(level, scene.tileset.steps, scene.start)))
        )
    assert counted_ends(scene) == expected


@given(scenes_with_checkpoints())
def test_the_sums_of_reconvergences_are_those_of_the_definition(
    drawn: tuple[Scene, list[Cell]],
) -> None:
    scene, checkpoints = drawn
    expected = [
        twin.reconvergence_sums(level, scene.tileset.steps, scene.start, checkpoints)
        for level in scene.levels
    ]
    assert summed_reconvergences(scene, checkpoints) == expected


def test_a_neighbour_that_no_step_leads_to_may_lie_farther_than_a_cul_de_sac() -> None:
    # R O Y   |x| 0 1 2   The lower red lies at 1 beside a blue at 4, but no step leads from red to blue: it is a cul-de-sac.
    # R B G       1 4 3   The blue is the other. Nobody has three ways: the orange lies above the blue, but may not step there.
    scene = Scene(RAINBOW, np.array([[[0, 1, 2], [0, 4, 3]]], np.uint8), (0, 0), (2, 1))
    assert counted_ends(scene) == [(2, 1 + 4, 0)]


def test_a_blocked_start_reaches_no_ends() -> None:
    tiles = np.zeros((1, 2, 2), np.uint8)
    tiles[0, 0, 0] = 1
    assert counted_ends(Scene(WALLS, tiles, (0, 0), (1, 1))) == [(0, 0, 0)]


def test_of_two_neighbours_equally_far_both_are_culs_de_sac() -> None:
    # No walk on a grid makes such distances, for a step changes |x| by exactly one; but the
    # definition says "at least as far", not "farther".
    tiles = np.array([[[0, 0], [1, 1]]], np.uint8)
    ends, lengths, junctions = np.full((3, 1), -99, np.int64)
    dead_ends.count_ends(
        tiles, WALLS.table, np.array([[[5, 5], [-1, -1]]], np.int32), ends, lengths, junctions
    )
    assert (ends.tolist(), lengths.tolist(), junctions.tolist()) == ([2], [10], [0])
