import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kernels.inputs import Scene, scenes
from levolve.kernels.building import folding
from levolve.levels.tileset import WALLS
from oracles import folding as oracle

walled = scenes(st.just(WALLS))


@given(walled, st.integers(0, 2**32), st.integers(1, 9), st.integers(1, 9))
def test_every_cell_is_a_copy_of_its_source(
    scene: Scene, seed: int, height: int, width: int
) -> None:
    sources = (
        np.random.default_rng(seed)
        .integers(0, scene.tiles[0].size if len(scene.tiles) else 1, (height, width))
        .astype(np.int32)
    )
    tiles = np.full((len(scene.tiles), height, width), 9, np.uint8)
    folding.unfold(scene.tiles, sources, tiles)
    assert tiles.tolist() == [oracle.unfold(level, sources.tolist()) for level in scene.levels]


@given(walled, st.integers(0, 2**32))
def test_a_gate_is_the_shortest_way_in_from_where_its_gene_says(scene: Scene, seed: int) -> None:
    random = np.random.default_rng(seed)
    count, height, width = scene.tiles.shape
    lines = random.integers(0, height * width, (6, 5)).astype(np.int32)
    for line in lines:
        line[random.integers(1, 6) :] = -1
    partners = random.permutation(6).astype(np.int32)
    ranges = np.array([(0, 4), (4, 6), (0, 6)], np.int32)
    genes = random.integers(0, 6, (count, 3))
    fixed = (random.random((height, width)) < 0.1).astype(np.uint8)
    held = set(np.flatnonzero(fixed).tolist())
    arguments = (lines.tolist(), partners.tolist(), ranges.tolist(), {1}, held, 0)
    expected = [
        oracle.open_gates(level, chosen, *arguments)
        for level, chosen in zip(scene.levels, genes.tolist(), strict=True)
    ]
    folding.open_gates(
        scene.tiles, genes, lines, partners, ranges, np.array([1, 0], np.uint8), fixed, 0
    )
    assert scene.tiles.tolist() == expected
