"""Measures by name."""

import pytest

from levolve.core.errors import InputError, UnknownNameError
from levolve.levels.level import Level
from levolve.levels.measures.measuring import measure

# Worked out by hand: the exit is 4 steps away; from 0,2 to 2,2 it is 6; the cell 2,0 is a region of
# its own.
SMALL = Level.from_text("S#.\n..#\n..E")
OPEN = Level.from_text("S..\n...\n..E")


def test_hand_made_levels_measure_as_worked_out_on_paper() -> None:
    measured = measure([SMALL, OPEN])
    assert measured["exit_path"].tolist() == [4, 4]
    assert measured["longest_path"].tolist() == [4, 4]
    assert measured["regions"].tolist() == [2, 1]
    assert measured["walls"].tolist() == [2, 0]
    assert measured["reachable"].tolist() == [6, 9]


def test_an_exit_out_of_reach_measures_minus_one() -> None:
    assert measure(Level.from_text("S#.\n##.\n..E"))["exit_path"].tolist() == [-1]


def test_levels_of_different_sizes_places_and_tilesets_are_measured_together_in_their_order() -> (
    None
):
    rainbow = Level.from_text("RRV\nOYG\nentrance: 0,0\nexit: 2,1")
    moved = Level.from_text("..S\n...\nE..")
    wide = Level.from_text(f"S{'.' * 98}E\n{'#' * 100}")
    measured = measure([SMALL, rainbow, wide, moved])
    assert measured["exit_path"].tolist() == [4, 3, 99, 4]
    assert measured["regions"].tolist() == [2, 2, 1, 1]
    assert measured["walls"].tolist() == [2, 0, 100, 0]


def test_difficulty_grows_with_each_of_its_parts() -> None:
    # Steps, twice the detour, wrong turns, twice the wrong branches, and the steps to the far end
    # of each.
    straight = Level.from_text("S...E\n#####\n#####")
    branch = Level.from_text("S...E\n##.##\n#####")
    deeper = Level.from_text("S...E\n##.##\n##.##")
    two = Level.from_text("S...E\n#.#.#\n#####")
    detour = Level.from_text("S.#.E\n#...#\n#####")
    measured = measure([straight, branch, deeper, two, detour])
    assert measured["difficulty"].tolist() == [
        4,
        4 + 1 + 2 + 1,
        4 + 1 + 2 + 2,
        4 + 2 + 4 + 2,
        6 + 2 * 2,
    ]
    assert measured["wrong_turns"].tolist() == [0, 1, 1, 2, 0]
    assert measured["lost_steps"].tolist() == [0, 1, 2, 2, 0]
    assert measure(Level.from_text("S#\n#E"))["difficulty"].tolist() == [-1]
    # Two legs of two steps; on each a turn the wrong way round the wall, into a branch whose far
    # end lies four steps off.
    assert measure(Level.from_text("A.B\n.#.\n..C"))["difficulty"].tolist() == [2 * (2 + 1 + 2 + 4)]


def test_only_measures_that_the_levels_have_places_for_are_listed() -> None:
    bare = Level.from_text("..\n.#")
    structure = {
        "pockets",
        "specks",
        "plazas",
        "blocks",
        "diagonals",
        "dead_ends",
        "loops",
        "ways_round",
        "junctions",
        "corridors",
        "rooms",
        "room_share",
    }
    assert set(measure(bare)) == {
        "longest_path",
        "sweep_path",
        "regions",
        "largest_region",
        "walls",
        "openness",
        "symmetry",
        "entropy",
        *structure,
    }
    assert {"exit_path", "reachable"} <= set(measure(SMALL))
    with pytest.raises(InputError, match="expected levels with entrance and exit"):
        measure(bare)["exit_path"]
    with pytest.raises(
        InputError,
        match=(
            "expected levels with entrance and exit, the stops of their goal 'exit', got one "
            "with no places"
        ),
    ):
        measure(bare)["difficulty"]


def test_an_unknown_measure_gets_a_suggestion() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'longest_path'"):
        measure(SMALL)["longest_paths"]


def test_something_that_is_no_level_is_refused() -> None:
    with pytest.raises(InputError, match="got str at position 1"):
        measure([SMALL, "S.E"])  # type: ignore[list-item]
