import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from levolve.kernels.building.patchwork import lay_patchwork
from levolve.levels.tileset import WALLS
from oracles import patchwork as twin
from oracles.regions import regions

sizes = st.tuples(st.integers(5, 30), st.integers(5, 30))


def drawn_genes(
    seed: int, size: tuple[int, int], side: int, pieces: int, values: int
) -> np.ndarray:
    """Random genes of three individuals; few `values` make many edges equal."""
    sites = -(-((size[0] - 1) // 2) // side) * -(-((size[1] - 1) // 2) // side)
    generator = np.random.default_rng(seed)
    numbers = [
        (pieces * (4 * side * side + 5), values),
        (sites, pieces),
        (sites, 8),
        (6 * sites, values),
    ]
    return np.concatenate(
        [generator.integers(0, bound, (3, count)).astype(np.uint8) for count, bound in numbers],
        axis=1,
    )


def laid(
    genes: np.ndarray, size: tuple[int, int], side: int, pieces: int, shares: tuple[int, int, int]
) -> np.ndarray:
    tiles = np.full((len(genes), size[1], size[0]), 77, np.uint8)
    across, down = (np.array(twin.spans(length), np.int32) for length in size)
    lay_patchwork(genes, side, pieces, np.array(shares, np.int64), across, down, tiles)
    return tiles


@given(
    st.integers(0, 2**32),
    sizes,
    st.tuples(st.integers(2, 6), st.integers(1, 4)),
    st.sampled_from([2, 20, 256]),
    st.tuples(*[st.integers(0, 256)] * 3),
)
def test_a_patchwork_is_that_of_the_twin(
    seed: int,
    size: tuple[int, int],
    library: tuple[int, int],
    values: int,
    shares: tuple[int, int, int],
) -> None:
    side, pieces = library
    genes = drawn_genes(seed, size, side, pieces, values)
    expected = [
        twin.patchwork(individual, size, side, pieces, shares) for individual in genes.tolist()
    ]
    assert laid(genes, size, side, pieces, shares).tolist() == expected


@given(st.integers(0, 2**32), sizes, st.integers(2, 8), st.tuples(*[st.integers(0, 256)] * 3))
def test_a_patchwork_is_one_region_without_specks_inside_a_closed_border(
    seed: int, size: tuple[int, int], side: int, shares: tuple[int, int, int]
) -> None:
    for tiles in laid(drawn_genes(seed, size, side, 3, 256), size, side, 3, shares):
        assert tiles[0].all()
        assert tiles[-1].all()
        assert tiles[:, 0].all()
        assert tiles[:, -1].all()
        assert len(regions(tiles.tolist(), WALLS.steps)) == 1
        outside = np.pad(tiles, 1)
        beside = outside[:-2, 1:-1] + outside[2:, 1:-1] + outside[1:-1, :-2] + outside[1:-1, 2:]
        assert not ((tiles == 1) & (beside == 0)).any(), "no single wall stands alone"


@given(
    st.integers(0, 2**32),
    st.tuples(*[st.integers(2, 15).map(lambda half: 2 * half + 1)] * 2),
    st.integers(2, 8),
)
def test_without_loops_and_halls_a_patchwork_is_a_tree(
    seed: int, size: tuple[int, int], side: int
) -> None:
    for tiles in laid(drawn_genes(seed, size, side, 3, 256), size, side, 3, (0, 0, 0)):
        floor = tiles == 0
        neighbours = int((floor[1:] & floor[:-1]).sum() + (floor[:, 1:] & floor[:, :-1]).sum())
        assert neighbours == int(floor.sum()) - 1
