"""Passages: a maze by construction, at any size and with any genes."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levolve.core.errors import InputError
from levolve.levels.frame import Frame
from levolve.levels.level import Level
from levolve.levels.measures.measuring import level_at
from levolve.search.genotypes.passages import Passages
from oracles.regions import regions

WALKS = ((True, False), (False, False))
SETTINGS: list[dict[str, Any]] = [
    {},
    {"loops": 0.3},
    {"braid": 1.0},
    {"holes": 0.7},
    {"straight": 0.9, "loops": 0.1, "braid": 0.5, "holes": 0.5},
]


def framed(width: int, height: int) -> Frame:
    return Frame(width, height, {"entrance": (1, 1), "exit": (width - 2, height - 2)})


def specks(tiles: np.ndarray) -> int:
    outside = np.pad(tiles, 1)
    return int(
        (
            (tiles == 1)
            & (outside[:-2, 1:-1] + outside[2:, 1:-1] + outside[1:-1, :-2] + outside[1:-1, 2:] == 0)
        ).sum()
    )


@given(st.integers(5, 30), st.integers(3, 30), st.sampled_from(SETTINGS), st.integers(0, 2**32))
def test_every_maze_is_one_region_in_a_closed_border_without_specks(
    width: int, height: int, settings: dict[str, Any], seed: int
) -> None:
    frame = framed(width, height)
    for tiles in Passages(**settings).express(Passages(**settings).start(frame, seed, 0, 3), frame):
        assert len(regions(tiles.tolist(), WALKS)) == 1
        assert tiles[[0, -1]].all()
        assert tiles[:, [0, -1]].all()
        assert specks(tiles) == 0
        assert tiles[1, 1] == tiles[height - 2, width - 2] == 0
        plazas = (tiles[:-1, :-1] | tiles[1:, :-1] | tiles[:-1, 1:] | tiles[1:, 1:]) == 0
        assert plazas.sum() <= (width % 2 == height % 2 == 0), (
            "corridors are one tile wide; where both sides are even, one cell is 2x2"
        )
        if "holes" not in settings:
            assert not (tiles[:-1, :-1] & tiles[1:, :-1] & tiles[:-1, 1:] & tiles[1:, 1:]).any(), (
                "walls are one tile thick"
            )


def dead_ends(tiles: np.ndarray) -> int:
    around = np.pad(tiles, ((0, 0), (1, 1), (1, 1)), constant_values=1)
    ways = 4 - (
        around[:, :-2, 1:-1] + around[:, 2:, 1:-1] + around[:, 1:-1, :-2] + around[:, 1:-1, 2:]
    )
    return int(((tiles == 0) & (ways == 1)).sum())


def test_without_loops_there_is_exactly_one_way_and_braids_open_dead_ends() -> None:
    frame = framed(21, 21)
    plain = Passages().express(Passages().start(frame, 1, 0, 20), frame)
    for tiles in plain:
        links = ((tiles[1:] | tiles[:-1]) == 0).sum() + ((tiles[:, 1:] | tiles[:, :-1]) == 0).sum()
        assert links == (tiles == 0).sum() - 1, "a tree"
    braided = Passages(braid=1.0)
    # A few stay, where an open wall would leave a post alone.
    assert dead_ends(braided.express(braided.start(frame, 1, 0, 20), frame)) < 0.1 * dead_ends(
        plain
    )


def test_one_gene_changes_the_maze_in_few_places() -> None:
    frame = framed(41, 41)
    genotype = Passages(loops=0.1, braid=0.2)
    genes = genotype.start(frame, 3, 0, 200)
    before = genotype.express(genes, frame)
    places = np.random.default_rng(1).integers(0, genes.shape[1], 200)
    genes[np.arange(200), places] ^= 255
    changed = (genotype.express(genes, frame) != before).sum(axis=(1, 2))
    assert changed.max() <= 6


def test_straight_corridors_have_fewer_turns() -> None:
    frame = framed(41, 41)
    turns = []
    for straight in (0.0, 0.8):
        genotype = Passages(straight=straight)
        tiles = np.pad(
            genotype.express(genotype.start(frame, 3, 0, 20), frame),
            ((0, 0), (1, 1), (1, 1)),
            constant_values=1,
        )
        up, down, left, right = (
            tiles[:, :-2, 1:-1],
            tiles[:, 2:, 1:-1],
            tiles[:, 1:-1, :-2],
            tiles[:, 1:-1, 2:],
        )
        turns.append(
            int(((tiles[:, 1:-1, 1:-1] == 0) & (up + down == 1) & (left + right == 1)).sum())
        )
    assert turns[1] < 0.8 * turns[0]


def test_a_mask_gives_the_maze_its_shape() -> None:
    frame = framed(31, 31)
    genotype = Passages(mask=("...", ".#.", "..."))
    tiles = genotype.express(genotype.start(frame, 1, 0, 10), frame)
    assert tiles[:, 11:20, 11:20].all(), "the middle is taken out"
    assert not tiles[:, 1::2, 1].any()
    for shape in ("ellipse", "diamond", "ring", "cross"):
        level = Passages(shape=shape)
        place = Frame(31, 31, {"entrance": (15, 1), "exit": (15, 29)})
        for maze in level.express(level.start(place, 1, 0, 3), place):
            assert len(regions(maze.tolist(), WALKS)) == 1


@pytest.mark.parametrize(
    ("settings", "size", "words"),
    [
        (
            {"corridor": 9},
            (10, 30),
            (
                "corridor: expected a level with a width of at least 11 for corridors 9 and "
                "walls 1 wide, got 10"
            ),
        ),
        ({"wall": 7}, (30, 14), "corridor: expected a level with a height of at least 15"),
        ({}, (3, 4), "size: expected room for at least two cells of a lattice, got 1 in 3x4"),
        (
            {"mask": (".#.",)},
            (21, 21),
            (
                "mask: expected connected cells on the lattice of 10x10 cells of a level of "
                "21x21, got 2 parts"
            ),
        ),
        ({"mask": ("..", ".")}, (21, 21), "mask: expected rows of equal length"),
        (
            {"mask": ("##", "##")},
            (21, 21),
            "mask: expected rows of equal length of '.' for cells of the level",
        ),
        (
            {"mask": (".",), "shape": "ring"},
            (21, 21),
            "mask: expected no mask together with the shape 'ring'",
        ),
    ],
)
def test_what_does_not_fit_is_refused_by_name(
    settings: dict[str, Any], size: tuple[int, int], words: str
) -> None:
    with pytest.raises(InputError) as caught:
        Passages(**settings).space(framed(*size))
    assert str(caught.value).startswith(words)


def test_kept_walls_and_floors_are_part_of_the_maze() -> None:
    rows = tuple("#" * 15 if y == 8 else "?" * 15 for y in range(15))
    crossing = (*rows[:8], "#" * 7 + "?" + "#" * 7, *rows[9:])
    frame = Frame(15, 15, {"entrance": (1, 1), "exit": (13, 13)}, crossing)
    tiles = Passages(loops=0.5).express(Passages(loops=0.5).start(frame, 1, 0, 30), frame)
    assert tiles[:, 8, [*range(7), *range(8, 15)]].all()
    assert not tiles[:, 8, 7].any(), "the only gap in the kept wall is always used"
    assert all(len(regions(level.tolist(), WALKS)) == 1 for level in tiles)


@pytest.mark.parametrize(
    "settings", [{}, {"loops": 0.2}, {"corridor": 2, "wall": 2}, {"holes": 0.5}]
)
def test_a_maze_on_the_lattice_can_be_encoded(settings: dict[str, Any]) -> None:
    frame, genotype = framed(20, 17), Passages(**settings)
    level = level_at(genotype.batch(genotype.start(frame, 5, 0, 1), frame))
    assert level_at(genotype.batch(genotype.write(level, frame)[np.newaxis], frame)) == level
    with pytest.raises(InputError, match="expected a maze on a lattice"):
        genotype.write(Level(np.zeros((17, 20), np.uint8), frame.places), frame)


def test_a_lattice_fills_a_level_of_any_size() -> None:
    for size in range(3, 40):
        lattice = Passages().lattice(framed(max(size, 5), size))
        assert lattice.rectangles[-1, 3] == size - 1
        assert lattice.rows == (size - 1) // 2
