import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kernels.inputs import generations, words
from levolve.kernels.bits.random_streams import SELECT
from levolve.kernels.variation import elites
from oracles import elites as twin
from oracles.streams import draw_below, open_stream

# Quarters: the intervals of an axis end exactly there, and so do values.
quarters = st.integers(-40, 40).map(lambda number: number / 4)
axes = st.lists(
    st.tuples(quarters, st.sampled_from([0.0, 0.5, 2.0, 8.0]), st.sampled_from([1, 2, 4, 8])),
    min_size=1,
    max_size=3,
)


@given(axes, st.integers(0, 2**32), st.booleans())
def test_a_cell_is_where_the_twin_finds_it(
    grid: list[tuple[float, float, int]], seed: int, nearest: bool
) -> None:
    random = np.random.default_rng(seed)
    low, high = np.array([axis[0] for axis in grid]), np.array([axis[0] + axis[1] for axis in grid])
    sizes = [axis[2] for axis in grid]
    values = low[:, np.newaxis] + random.integers(-4, 40, (len(grid), 12)) / 4
    values[0, 0], values[0, 1], values[0, 2] = np.nan, np.inf, -np.inf
    found = np.empty(12, np.int64)
    elites.grid_cells(values, low, high, np.array(sizes), nearest, found)
    for cell, point in zip(found.tolist(), values.T.tolist(), strict=True):
        places = twin.cell_of(
            [0.0 if abs(value) == np.inf else value for value in point],
            low.tolist(),
            high.tolist(),
            sizes,
            nearest=nearest,
        )
        if np.inf in np.abs(point):
            assert (cell >= 0) is nearest
        else:
            assert cell == (-1 if places is None else np.ravel_multi_index(places, sizes))


@given(st.integers(0, 2**32), st.integers(1, 6), st.integers(1, 12))
def test_insertion_leaves_the_elites_of_the_twin(seed: int, cells: int, batches: int) -> None:
    random = np.random.default_rng(seed)
    slots, genes, scores = (
        np.full(cells, -1, np.int32),
        np.zeros((cells, 2), np.uint8),
        np.zeros(cells),
    )
    taken, archive, count = np.zeros(cells, np.int64), twin.Archive(), 0
    for _ in range(batches):
        new, new_scores, where = (
            random.integers(0, 256, (5, 2), np.uint8),
            random.integers(-2, 3, 5).astype(float),
            random.integers(-1, cells, 5),
        )
        placed = np.empty(5, np.int64)
        count = elites.insert_elites(
            new, new_scores, where, slots, count, genes, scores, taken, placed
        )
        entered = [
            archive.add(*each)
            for each in zip(
                new.tolist(),
                new_scores.tolist(),
                [None if c < 0 else c for c in where.tolist()],
                strict=True,
            )
        ]
        assert (placed >= 0).tolist() == entered
        assert [slots[cell] for cell in where[placed >= 0]] == placed[placed >= 0].tolist()
    assert taken[:count].tolist() == list(archive.elites)
    assert genes[:count].tolist() == [elite.genes for elite in archive.elites.values()]
    assert scores[:count].tolist() == [elite.score for elite in archive.elites.values()]


@given(words, generations, st.integers(1, 2**32))
def test_parents_are_drawn_alike(seed: int, generation: int, count: int) -> None:
    out = np.empty(5, np.int64)
    elites.uniform_parents(np.uint64(seed), generation, count, out)
    assert out.tolist() == [
        draw_below(open_stream(seed, SELECT, generation, place), 0, count) for place in range(5)
    ]


@given(st.integers(0, 2**32), st.integers(1, 9))
def test_only_children_unlike_their_parents_stay(seed: int, count: int) -> None:
    random = np.random.default_rng(seed)
    genes, children = (
        random.integers(0, 2, (4, 2), np.uint8),
        random.integers(0, 2, (count, 2), np.uint8),
    )
    parents = random.integers(0, 4, count + count % 2)
    family = [
        (genes[parents[child]].tolist(), genes[parents[child ^ 1]].tolist())
        for child in range(count)
    ]
    expected = [
        (child, parents[i]) for i, child in enumerate(children.tolist()) if child not in family[i]
    ]
    origins = np.empty(count, np.int64)
    new = elites.drop_copies(genes, parents, children, origins)
    assert list(zip(children[:new].tolist(), origins[:new].tolist(), strict=True)) == expected


def test_curiosity_rises_with_success_and_has_a_least_value() -> None:
    curiosity = np.array([1.0, 1.0, 0.1])
    elites.update_curiosity(
        np.array([0, 0, 1, 2]), np.array([True, False, True, False]), 1.0, 0.5, 0.05, curiosity
    )
    assert curiosity.tolist() == [1.5, 2.0, 0.05]
