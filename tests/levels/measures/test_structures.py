"""Measures of structure, on levels that were counted on paper."""

from math import log2
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from kernels.inputs import Scene, any_tilesets, scenes
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.level import Level
from levolve.levels.measures import MEASURES
from levolve.levels.measures.measuring import measure
from levolve.levels.measures.structure import symmetry
from levolve.levels.tileset import RAINBOW
from oracles.structure import symmetry as symmetry_by_hand


def of(text: str) -> dict[str, Any]:
    return measure(Level.from_text(text.strip())).of_level()


def test_a_corridor_is_one_corridor_with_one_dead_end() -> None:
    found = of("S.E\n.##\n.##")
    assert {
        name: found[name]
        for name in (
            "pockets",
            "plazas",
            "blocks",
            "dead_ends",
            "loops",
            "junctions",
            "corridors",
            "rooms",
        )
    } == {
        "pockets": 0,
        "plazas": 0,
        "blocks": 1,
        "dead_ends": 1,
        "loops": 0,
        "junctions": 0,
        "corridors": 1,
        "rooms": 0,
    }
    assert (found["turns"], found["straight"], found["choke_points"], found["linearity"]) == (
        0,
        2,
        1,
        3 / 5,
    )


def test_a_cross_of_corridors_has_a_junction() -> None:
    found = of("#.#\nS.E\n#.#")
    assert (found["junctions"], found["corridors"], found["dead_ends"]) == (1, 4, 2)
    assert (found["specks"], found["diagonals"], found["symmetry"]) == (4, 0, 1.0)


def test_a_ring_is_one_loop_without_choke_points() -> None:
    found = of("S..\n.#.\n..E")
    assert (
        found["loops"],
        found["specks"],
        found["choke_points"],
        found["turns"],
        found["openness"],
    ) == (1, 1, 0, 1, 0)


def test_rooms_are_joined_by_a_doorway() -> None:
    found = of("S..#...\n...#...\n......E\n...#...")
    assert (found["rooms"], found["corridors"], found["plazas"], found["choke_points"]) == (
        2,
        1,
        12,
        3,
    )
    assert found["room_share"] == found["openness"] == 24 / 25


def test_pockets_are_regions_that_hold_no_stop() -> None:
    assert of("S#.\n.#.\nE#.")["pockets"] == 1
    assert of("S#.\n##.\n.#E")["pockets"] == 1
    assert of(".#.\n##.\n.#.")["pockets"] == 2
    assert of("##\n##")["pockets"] == 0


def test_walls_that_touch_by_a_corner_only_are_diagonals() -> None:
    assert of("S#\n#.\n..")["diagonals"] == 1
    assert of("S#\n##\n..")["diagonals"] == 0
    assert of("S.#\n.#.\n#..")["diagonals"] == 2


def test_entropy_is_zero_for_one_pattern_and_two_bits_for_four_equal_ones() -> None:
    assert of("..\n..")["entropy"] == 0
    assert of(".#.\n...\n.#.")["entropy"] == pytest.approx(2.0)


def test_a_level_without_a_way_has_no_turns() -> None:
    found = of("S#.\n##.\n..E")
    assert (found["turns"], found["straight"], found["choke_points"], found["linearity"]) == (
        -1,
        -1,
        -1,
        0.0,
    )


def test_colours_are_linked_by_their_rule() -> None:
    # R and Y are no neighbours on the rainbow: two regions of 2x1 cells, no plaza, and no wall
    # anywhere.
    found = of("RY\nRY\nentrance: 0,0\nexit: 0,1")
    assert (
        found["pockets"],
        found["plazas"],
        found["blocks"],
        found["specks"],
        found["loops"],
        found["corridors"],
    ) == (1, 0, 0, 0, 0, 2)


@given(scenes(tilesets=any_tilesets))
def test_symmetry_is_that_of_the_best_image(scene: Scene) -> None:
    _, height, width = scene.tiles.shape
    found = symmetry(Batch(Frame(width, height, {}), tiles=scene.tiles, tileset=scene.tileset))
    assert found.tolist() == pytest.approx([symmetry_by_hand(level) for level in scene.levels])


def test_a_quarter_turn_counts_only_in_square_levels() -> None:
    windmill = np.array([[0, 1, 1], [0, 0, 0], [1, 1, 0]], np.uint8)
    turned = np.array([[1, 0, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, 0, 0, 1]], np.uint8)
    for tiles in (windmill, turned):
        assert symmetry(Batch(Frame(tiles.shape[1], tiles.shape[0], {}), tiles=tiles[np.newaxis]))[
            0
        ] == symmetry_by_hand(tiles.tolist())


@pytest.mark.parametrize("name", ["blocks", "diagonals", "specks"])
def test_levels_without_walls_cannot_have_structures_of_walls(name: str) -> None:
    assert MEASURES[name].bounds(Frame(9, 9, {}), RAINBOW) == (0, 0)


@pytest.mark.parametrize("copies", [1, 200])
def test_patterns_of_many_kinds_of_tiles_are_told_apart_in_one_level_and_in_many(
    copies: int,
) -> None:
    # The codes of the first and the last of the three patterns differ by 256: in bytes they would
    # be equal.
    level = Level.from_text("RROO\nRRRB")
    found = measure([level] * copies)["entropy"]
    assert found == pytest.approx([log2(3)] * copies)
