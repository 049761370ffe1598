from dataclasses import dataclass

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from levolve.genotypes.lattice import Lattice, lattice_of
from levolve.kernels import boards, lattice_drawing, lattices
from levolve.levels.frame import Frame
from oracles import lattices as oracle


@dataclass(frozen=True)
class Scenery:
    """Genes of some levels on one lattice."""

    lattice: Lattice
    genes: np.ndarray
    limits: list[int]
    labels: np.ndarray

    def parts(self, level: int) -> list[list[int]]:
        """The genes of one level for weights, loops, braids and holes."""
        edges, cells = self.lattice.edges, self.lattice.cells
        return [part.tolist() for part in np.split(self.genes[level], np.cumsum([edges, edges, cells]))]


@st.composite
def sceneries(draw: st.DrawFn) -> Scenery:
    corridor, wall = draw(st.integers(1, 3)), draw(st.integers(1, 2))
    # Room for two cells at least.
    width, height = draw(st.integers(2 * corridor + 3 * wall, 16)), draw(st.integers(corridor + 2 * wall, 12))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    kept = tuple("".join(random.choice(["?", "#"], width, p=[0.98, 0.02])) for _ in range(height))
    if all("#" not in row for row in kept) or draw(st.booleans()):
        kept = ()
    frame = Frame(width, height, {}, kept) if kept else Frame(width, height, {"entrance": (0, 0), "exit": (width - 1, height - 1)})
    try:
        lattice = lattice_of(frame, corridor, wall)
    except ValueError:
        lattice = lattice_of(Frame(width, height, {}), corridor, wall)
    count = draw(st.integers(0, 3))
    # Few values, so that there are ties.
    genes = random.integers(0, draw(st.sampled_from([3, 256])), (count, 2 * lattice.edges + 2 * lattice.cells)).astype(np.uint8)
    labels = np.zeros((count, lattice.cells), np.uint8)
    if draw(st.booleans()):
        grid = labels.reshape(count, lattice.rows, lattice.columns)
        for level in range(count):
            for label in (1, 2):
                x, y = random.integers(0, lattice.columns), random.integers(0, lattice.rows)
                grid[level, y : y + random.integers(1, 4), x : x + random.integers(1, 4)] = label
        labels[:, ~lattice.alive] = 0
    limits = [draw(st.sampled_from([0, 1, 100, 256])) for _ in range(4)]
    return Scenery(lattice, genes, limits, labels)


def woven(scenery: Scenery) -> np.ndarray:
    lattice = scenery.lattice
    opened = np.full((len(scenery.genes), lattice.edges), 9, np.uint8)
    parts = np.array([0, lattice.edges, 2 * lattice.edges, 2 * lattice.edges + lattice.cells])
    around, order = lattice.around, lattice.order
    arrays = (lattice.protected, lattice.ends, around, order, lattice.leaders, lattice.posts)
    lattices.weave(scenery.genes, parts, np.array(scenery.limits), scenery.labels, *arrays, opened)
    return opened


@given(sceneries())
def test_the_open_edges_are_the_lightest_tree_with_loops_and_without_holes(scenery: Scenery) -> None:
    for level, opened in enumerate(woven(scenery).tolist()):
        expected = oracle.weave(scenery.lattice, scenery.parts(level), scenery.limits, scenery.labels[level].tolist())
        assert opened == [expected.get(edge, 0) for edge in range(scenery.lattice.edges)]


@given(sceneries())
def test_open_edges_are_drawn_as_their_rectangles(scenery: Scenery) -> None:
    lattice, opened = scenery.lattice, woven(scenery)
    height, width = lattice.base.shape
    tiles = np.full((len(opened), height, width), 9, np.uint8)
    rows, packed = np.full((2, len(opened), height), 9, np.uint64)
    outlines = (lattice.ends, lattice.doors, lattice.spans, lattice.rectangles, lattice.squares, lattice.corners)
    lattice_drawing.draw_lattice(scenery.genes, 0, scenery.labels, opened, *outlines, lattice.base, tiles)
    lattice_drawing.draw_rows(scenery.genes, 0, scenery.labels, opened, *outlines, lattice.base_rows, rows)
    boards.pack_rows(tiles, packed)
    assert np.array_equal(rows, packed)
    for level in range(len(opened)):
        edges = {edge: kind for edge, kind in enumerate(opened[level].tolist()) if kind}
        weights, labels = scenery.parts(level)[0], scenery.labels[level].tolist()
        assert tiles[level].tolist() == oracle.draw(lattice, weights, labels, edges)


@given(st.integers(2, 40), st.integers(0, 80), st.integers(0, 2**32), st.sampled_from([0, 2]))
def test_few_cells_and_many_are_joined_by_the_same_edges(cells: int, edges: int, seed: int, before: int) -> None:
    random = np.random.default_rng(seed)
    ends = random.integers(0, cells, (edges, 2)).astype(np.uint32)
    order = random.permutation(edges).astype(np.uint32)
    few, many = np.full((2, edges + 1), before, np.uint8)
    padded = np.arange(64, dtype=np.uint16)
    joins = lattices.join_few(order, edges // 2, ends, cells, padded, 0, few)
    parents = np.arange(cells, dtype=np.int32)
    assert lattices.join_many(order, edges // 2, ends, parents, 0, many) == joins
    lattices.join_few(order, edges, ends, cells, padded, joins, few)
    lattices.join_many(order, edges, ends, parents, joins, many)
    home = {cell: {cell} for cell in range(cells)}
    expected = [before] * edges
    for edge in [*order[: edges // 2], *order]:
        first, second = (home[int(cell)] for cell in ends[edge])
        if first is not second:
            expected[edge] = max(expected[edge], 1)
            first |= second
            home |= dict.fromkeys(second, first)
    assert few[:edges].tolist() == many[:edges].tolist() == expected
