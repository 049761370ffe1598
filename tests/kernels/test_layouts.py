"""Layouts of packed levels against the twins of the measures that they contain."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kernels.inputs import Scene, scenes
from levolve.kernels.bits.packed_flood import pack_rows
from levolve.kernels.walking.packed_layout import PARTS, describe_layouts, weigh_layouts
from levolve.kernels.walking.path_shape import TURNS, WAY_CELLS
from levolve.kernels.walking.structure import BLOCKS, DEAD_ENDS, DIAGONALS, PLAZAS, SPECKS
from levolve.levels.tileset import WALLS
from oracles import structure as twin
from oracles.ways import way


def described(scene: Scene, stops: np.ndarray) -> list[list[int]]:
    rows = np.empty(scene.tiles.shape[:2], np.uint64)
    pack_rows(scene.tiles, rows)
    parts = np.full((len(scene.tiles), PARTS), -99, np.int64)
    describe_layouts(rows, scene.tiles.shape[2], stops, parts)
    return parts.tolist()


@given(
    scenes(tilesets=st.just(WALLS)),
    st.sampled_from([(0, 1), (1, 0), (0, 0), (0, None), (None, 1), (None, None)]),
)
def test_layouts_are_those_of_their_definitions(
    scene: Scene, chosen: tuple[int | None, int | None]
) -> None:
    stops = [[scene.start, scene.goal][index] for index in chosen if index is not None]
    cells = [
        -1 if index is None else x + scene.tiles.shape[2] * y
        for index in chosen
        for x, y in [[scene.start, scene.goal][index or 0]]
    ]
    expected = []
    for level in scene.levels:
        shapes = twin.shapes(level, WALLS.steps, stops)
        path = way(level, WALLS.steps, stops) if None not in chosen else [-1] * 4
        counts = [shapes[part] for part in (SPECKS, PLAZAS, BLOCKS, DIAGONALS, DEAD_ENDS)]
        expected.append(
            [twin.pockets(level, WALLS.steps, stops), *counts, path[WAY_CELLS], path[TURNS]]
        )
    assert described(scene, np.array([cells])) == expected
    assert described(scene, np.tile(cells, (len(scene.tiles), 1))) == expected


def test_the_widest_levels_are_described() -> None:
    tiles = np.zeros((1, 3, 64), np.uint8)
    tiles[0, 1, 1:] = 1
    scene = Scene(WALLS, tiles, (0, 0), (63, 2))
    assert described(scene, np.array([[63, 191]])) == [[0, 0, 0, 0, 0, 0, 129, 2]]


@given(
    st.lists(st.integers(0, 30), min_size=PARTS, max_size=PARTS),
    st.lists(st.sampled_from([0.0, 0.1, 1.5, 3.0]), min_size=PARTS, max_size=PARTS),
)
def test_a_design_is_the_weighted_sum_of_its_parts(parts: list[int], weights: list[float]) -> None:
    values = np.empty(2)
    # The second level has no way.
    weigh_layouts(np.array([parts, [*parts[:6], -1, -1]]), 40, np.array(weights), 7, values)
    flaws = [*parts[:5], abs(parts[5] - 7)]
    penalties = sum(weight * (40 - flaw) for weight, flaw in zip(weights[:6], flaws, strict=True))
    rewards = weights[6] * parts[6] + weights[7] * parts[7]
    assert values.tolist() == [(penalties + rewards) / 40, penalties / 40]
