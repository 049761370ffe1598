import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from levolve.kernels.building.edits import GENES, apply_edits
from oracles import edits as twin

sides = st.integers(2, 9)


@given(data=st.data(), width=sides, height=sides, kinds=st.integers(2, 4), share=st.floats(0, 1))
def test_edits_are_those_of_the_twin(
    data: st.DataObject, width: int, height: int, kinds: int, share: float
) -> None:
    bounds = (8, width, height, 8, 8, kinds)
    edit = st.tuples(*(st.integers(0, bound - 1) for bound in bounds))
    individuals = data.draw(st.lists(st.lists(edit, min_size=6, max_size=6), max_size=4))
    cell = st.integers(0, kinds - 1)
    rows = data.draw(
        st.lists(st.lists(cell, min_size=width, max_size=width), min_size=height, max_size=height)
    )
    fixed = data.draw(
        st.sets(st.tuples(st.integers(0, width - 1), st.integers(0, height - 1)), max_size=9)
    )
    across, down, discs = (data.draw(st.booleans()) for _ in range(3))
    most = int(share * width * height)
    genes = np.array(individuals, np.int64).reshape(len(individuals), 6 * GENES)
    kept = np.zeros((height, width), np.uint8)
    for x, y in fixed:
        kept[y, x] = 1
    tiles = np.full((len(individuals), height, width), 77, np.uint8)
    apply_edits(genes, np.array(rows, np.uint8), kept, most, across, down, discs, tiles)
    for edits, found in zip(individuals, tiles.tolist(), strict=True):
        assert found == twin.edited(rows, edits, fixed, most, across=across, down=down, discs=discs)
        assert (np.array(found) != rows).sum() <= most
