from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levolve.kernels.bits import packed_flood
from levolve.kernels.building import lattice_drawing, lattices, spanning_trees
from levolve.kernels.building.spanning_trees import LANES
from levolve.levels.frame import Frame
from levolve.search.genotypes.lattice import Lattice, lattice_of
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
        return [
            part.tolist() for part in np.split(self.genes[level], np.cumsum([edges, edges, cells]))
        ]


@st.composite
def sceneries(draw: st.DrawFn) -> Scenery:
    corridor, wall = draw(st.integers(1, 3)), draw(st.integers(1, 2))
    # Room for two cells at least.
    width, height = (
        draw(st.integers(2 * corridor + 3 * wall, 16)),
        draw(st.integers(corridor + 2 * wall, 12)),
    )
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    kept = tuple("".join(random.choice(["?", "#"], width, p=[0.98, 0.02])) for _ in range(height))
    if all("#" not in row for row in kept) or draw(st.booleans()):
        kept = ()
    frame = (
        Frame(width, height, {}, kept)
        if kept
        else Frame(width, height, {"entrance": (0, 0), "exit": (width - 1, height - 1)})
    )
    try:
        lattice = lattice_of(frame, corridor, wall)
    except ValueError:
        lattice = lattice_of(Frame(width, height, {}), corridor, wall)
    count = draw(st.integers(0, 3))
    # Few values, so that there are ties.
    genes = random.integers(
        0, draw(st.sampled_from([3, 256])), (count, 2 * lattice.edges + 2 * lattice.cells)
    ).astype(np.uint8)
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
    opened = np.full((len(scenery.genes), 2 * lattice.cells), 9, np.uint8)
    parts = np.array([0, lattice.edges, 2 * lattice.edges, 2 * lattice.edges + lattice.cells])
    lattices.weave(
        scenery.genes,
        parts,
        np.array(scenery.limits),
        scenery.labels,
        lattice.columns,
        lattice.protected,
        *lattice.weaving,
        opened,
    )
    return opened


def check_woven(scenery: Scenery) -> None:
    lattice = scenery.lattice
    for level, opened in enumerate(woven(scenery)):
        parts = scenery.parts(level)
        kinds = oracle.weave(lattice, parts, scenery.limits, scenery.labels[level].tolist())
        # Passages have one of two doors; 3 stands for an edge inside a room.
        expected = {
            edge: 3 if kind == 2 else 1 + parts[0][edge] % 2 for edge, kind in kinds.items()
        }
        assert opened[lattice.slots].tolist() == [
            expected.get(edge, 0) for edge in range(lattice.edges)
        ]
        assert np.count_nonzero(opened) == len(expected)


@given(sceneries())
def test_the_open_edges_are_the_lightest_tree_with_loops_and_without_holes(
    scenery: Scenery,
) -> None:
    check_woven(scenery)


@pytest.mark.parametrize("side", [31, 35, 69])
@pytest.mark.parametrize("rooms", [0, 12])
def test_trees_of_larger_lattices_are_the_lightest_too(side: int, rooms: int) -> None:
    # Few cells are joined in another way than more, and many in a third.
    lattice, random = lattice_of(Frame(side, side, {}), 1, 1), np.random.default_rng(side)
    genes = random.integers(0, 256, (5, 2 * lattice.edges + 2 * lattice.cells)).astype(np.uint8)
    labels = np.zeros((5, lattice.cells), np.uint8)
    grid = labels.reshape(5, lattice.rows, lattice.columns)
    for level in range(5):
        for label in range(1, rooms + 1):
            x, y = random.integers(0, lattice.columns), random.integers(0, lattice.rows)
            grid[level, y : y + random.integers(1, 5), x : x + random.integers(1, 5)] = label
    check_woven(Scenery(lattice, genes, [100, 0, 0, 0], labels))


@given(sceneries())
def test_open_edges_are_drawn_as_their_rectangles(scenery: Scenery) -> None:
    lattice, opened = scenery.lattice, woven(scenery)
    height, width = lattice.base.shape
    tiles = np.full((len(opened), height, width), 9, np.uint8)
    rows, packed = np.full((2, len(opened), height), 9, np.uint64)
    outlines = (
        lattice.slots,
        lattice.ends,
        lattice.doors,
        lattice.spans,
        lattice.rectangles,
        lattice.squares,
        lattice.corners,
    )
    lattice_drawing.draw_lattice(scenery.labels, opened, *outlines, lattice.base, tiles)
    lattice_drawing.draw_rows(
        scenery.labels,
        opened,
        lattice.columns,
        *lattice.floor_of_rooms,
        *lattice.rock,
        lattice.base_rows,
        rows,
    )
    packed_flood.pack_rows(tiles, packed)
    assert np.array_equal(rows, packed)
    if not scenery.labels.any():
        without = scenery.labels[:, :0]
        lattice_drawing.draw_rows(
            without, opened, lattice.columns, *lattice.floor, *lattice.rock, lattice.base_rows, rows
        )
        assert np.array_equal(rows, packed)
    for level in range(len(opened)):
        forms, labels = opened[level, lattice.slots].tolist(), scenery.labels[level].tolist()
        edges = {edge: 2 if form == 3 else 1 for edge, form in enumerate(forms) if form}
        assert tiles[level].tolist() == oracle.draw(lattice, scenery.parts(level)[0], labels, edges)


@given(st.integers(2, 40), st.integers(0, 80), st.integers(0, 2**32))
def test_few_cells_and_many_are_joined_by_the_same_edges(cells: int, edges: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    # Edge 0 stands for none.
    ends = random.integers(0, cells, (edges + 1, 2)).astype(np.uint32)
    ends[0] = 0
    orders = 1 + np.array([random.permutation(edges) for _ in range(LANES)]).astype(
        np.uint32
    ).reshape(LANES, edges)
    counts = random.integers(0, edges + 1, LANES)
    side_by_side = np.zeros((LANES, edges + 1), np.uint8)
    spanning_trees.join_lanes(
        orders, counts, ends, np.tile(np.arange(64, dtype=np.uint8), (LANES, 1)), side_by_side
    )
    for lane in range(LANES):
        few, many = np.zeros((2, edges + 1), np.uint8)
        padded, parents = np.arange(64, dtype=np.uint16), np.arange(cells, dtype=np.int32)
        spanning_trees.join_few(orders[lane], counts[lane], ends, cells - 1, padded, 0, few)
        half = counts[lane] // 2
        joins = spanning_trees.join_many(orders[lane], 0, half, ends, cells - 1, parents, 0, many)
        spanning_trees.join_many(
            orders[lane], half, counts[lane], ends, cells - 1, parents, joins, many
        )
        home = {cell: {cell} for cell in range(cells)}
        expected = [0] * (edges + 1)
        for edge in orders[lane, : counts[lane]].tolist():
            first, second = (home[int(cell)] for cell in ends[edge])
            if first is not second:
                expected[edge] = 1
                first |= second
                home |= dict.fromkeys(second, first)
        assert side_by_side[lane].tolist() == few.tolist() == many.tolist() == expected
