import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from levolve.kernels.building.rooms import place_rooms
from oracles import rooms as oracle


@given(
    st.integers(3, 9) | st.just(70),
    st.integers(3, 9),
    st.lists(st.integers(0, 4), min_size=1, max_size=5),
    st.sampled_from([1, 3, 255]),
    st.sampled_from([0, 60, 256]),
    st.integers(0, 2**32),
)
def test_rooms_are_placed_in_order_if_they_overlap_none_before(
    columns: int, rows: int, shapes: list[int], most: int, share: int, seed: int
) -> None:
    random = np.random.default_rng(seed)
    genes = random.integers(0, 256, (random.integers(0, 4), 5 * random.integers(0, 20))).astype(
        np.uint8
    )
    sizes = [
        1 + int(random.integers(0, 2)),
        int(random.integers(2, columns + 1)),
        1,
        int(random.integers(1, rows + 1)),
    ]
    alive = random.random(columns * rows) < 0.9
    labels = np.full((len(genes), columns * rows), 99, np.uint8)
    place_rooms(genes, columns, rows, np.array(sizes), np.array(shapes), most, share, alive, labels)
    arguments = (columns, rows, sizes, shapes, most, share, alive.tolist())
    assert labels.tolist() == [oracle.place_rooms(row, *arguments) for row in genes.tolist()]
