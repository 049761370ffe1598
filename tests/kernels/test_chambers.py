import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from levolve.kernels.building.chambers import CUT, DOOR, build_chambers
from oracles import chambers as twin
from oracles.regions import regions

WALKING = [[True, False], [False, False]]
sides = st.integers(2, 24) | st.sampled_from([40, 66])


@given(
    data=st.data(),
    width=sides,
    height=sides,
    smallest=st.integers(1, 5),
    more=st.integers(0, 8),
    wall=st.integers(1, 3),
    door=st.integers(1, 3),
    shares=st.tuples(st.integers(0, 256), st.integers(0, 256)),
    seed=st.integers(0, 2**32 - 1),
)
def test_chambers_are_those_of_the_twin(
    data: st.DataObject,
    width: int,
    height: int,
    smallest: int,
    more: int,
    wall: int,
    door: int,
    shares: tuple[int, int],
    seed: int,
) -> None:
    cuts, doors = data.draw(st.integers(1, 40)), data.draw(st.integers(1, 90))
    genes = np.random.default_rng(seed).integers(0, 256, (3, CUT * cuts + DOOR * doors), np.uint8)
    settings = np.array([smallest, smallest + more, wall, *shares, door])
    tiles = np.full((3, height, width), 77, np.uint8)
    build_chambers(genes, cuts, doors, settings, np.empty((0, 2), np.int64), tiles)
    known = twin.Settings(smallest, smallest + more, wall, *shares, door)
    for individual, found in zip(genes.tolist(), tiles.tolist(), strict=True):
        assert found == twin.chambers(individual, cuts, doors, known, width, height)


@given(
    width=sides,
    height=sides,
    wall=st.integers(1, 3),
    cells=st.lists(st.tuples(st.integers(0, 65), st.integers(0, 65)), min_size=2, max_size=4),
    seed=st.integers(0, 2**32 - 1),
)
def test_places_are_joined_to_the_chambers(
    width: int, height: int, wall: int, cells: list[tuple[int, int]], seed: int
) -> None:
    genes = np.random.default_rng(seed).integers(0, 256, (3, CUT * 8 + DOOR * 17), np.uint8)
    places = np.array([(x % width, y % height) for x, y in cells])
    tiles = np.full((3, height, width), 77, np.uint8)
    build_chambers(genes, 8, 17, np.array([2, 6, wall, 128, 20, 1]), places, tiles)
    for level in tiles:
        assert not level[places[:, 1], places[:, 0]].any()
        assert len(regions(level.tolist(), WALKING)) == 1
