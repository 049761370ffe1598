"""Maps in the terminal, and the list of rules."""

import re

import numpy as np
import pytest

from levolve.core.errors import InputError
from levolve.worlds.legend import PALETTES
from levolve.worlds.maps import make_map
from levolve.worlds.pictures import scaled_down, terminal_picture
from levolve.worlds.rule import Rule
from levolve.worlds.shipped import list_rules
from levolve.worlds.starts import random_start
from oracles import fashion as twin

COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def test_two_cells_are_one_character() -> None:
    tiles = np.array([[0, 1, 0, 1], [0, 0, 1, 1]], np.uint8)
    assert terminal_picture(tiles, PALETTES["source"], colour=False) == " ▀▄█"
    coloured = terminal_picture(tiles, PALETTES["source"])
    assert coloured.startswith(
        "\x1b[38;2;255;255;255m\x1b[48;2;255;255;255m▀\x1b[38;2;0;0;0m\x1b[48;2;255;255;255m▀"
    )
    assert COLOURS.sub("", coloured) == "▀▀▀▀"


@pytest.mark.parametrize("size", [(1, 1), (80, 40), (100, 100), (300, 20), (7, 999)])
@pytest.mark.parametrize("states", [2, 6])
def test_a_picture_fits_the_room_there_is(size: tuple[int, int], states: int) -> None:
    tiles = random_start(states, size, 1)
    for colour in (False, True):
        lines = COLOURS.sub(
            "", terminal_picture(tiles, PALETTES["source"], 80, 20, colour=colour)
        ).split("\n")
        assert len(lines) <= 20
        assert {len(line) for line in lines} == {len(lines[0])}
        assert len(lines[0]) <= 80
        assert max(len(lines) / 20, len(lines[0]) / 80) > 0.5 or max(size) < 80, "and uses it"


def test_a_large_map_is_scaled_down_by_majority() -> None:
    tiles = random_start(3, (40, 20), 4)
    assert scaled_down(tiles, 20, 10).tolist() == twin.most_common(tiles.tolist(), 2)
    assert scaled_down(tiles, 40, 20) is tiles
    assert scaled_down(tiles, 13, 99).shape == (5, 10)
    with pytest.raises(InputError, match="at least 1"):
        scaled_down(tiles, 0, 5)


def test_a_map_draws_itself() -> None:
    made = make_map("lagoon", size=(30, 20), seed=1, updates=3)
    assert made.terminal_picture(30, 10) == terminal_picture(made.tiles, PALETTES["cave"], 30, 10)


def test_a_map_with_more_states_than_colours_is_still_shown() -> None:
    made = make_map(Rule(np.eye(30, dtype=int).tolist()), size=(12, 8), seed=1, updates=1)
    assert len(made.terminal_picture(12, 4).split("\n")) == 4


def test_every_rule_has_a_thumbnail_line_of_its_own() -> None:
    found = list_rules()
    assert {"caverns", "lagoon", "source", "spirals"} <= {rule.name for rule in found}
    lines = [rule.thumbnail(20, colour=False) for rule in found]
    assert all(len(line) == 20 and "\n" not in line for line in lines)
    assert len(set(lines)) == len(lines), "each shows its own"
    data = {rule.name: rule.to_data() for rule in found}
    assert data["lagoon"]["states"] == 6
    assert data["source"]["arithmetic"] == "float"
    assert [len(row) for row in data["lagoon"]["thumbnail"]] == [24, 24]
