"""Pictures of fields: heat maps, members in colours, witnesses, legends; in files and in the
terminal.
"""

import numpy as np
import pytest
from PIL import Image

from levolve.core.errors import InputError
from levolve.formats.pictures.colours import INK
from levolve.formats.pictures.level_field import (
    HEAT,
    UNREACHED,
    draw_field,
    heat_ramp,
    member_colour,
    mixed,
    terminal_field,
)
from levolve.levels.level import Level
from levolve.levels.measures.field import field
from levolve.levels.tileset import LIGHT, WALLS

# |x|:  4 3 2 3 4   Witnesses: 0,2 (of 1 and 2 alone), 4,1 (of 1 and 3 alone) and 4,2 (of all three).
#       5 X 1 X 5   The lower right corner is cut off in SHUT.
TWO_WITNESSES = Level.from_text(".....\n.#1#3\nE#S#.\n.#2#.\n.....")
SHUT = Level.from_text("S..#.\n##.#1")
COLOURS = Level.from_text("ROY\nVBG\nentrance: 0,0\nexit: 2,1")
TILE = 20


def middle(image: Image.Image, x: int, y: int) -> tuple[int, ...]:
    """A pixel left of the middle of a tile, away from its edges."""
    found = image.getpixel((x * TILE + 3, y * TILE + 3))
    assert isinstance(found, tuple)
    return found


def test_every_cell_has_the_colour_of_its_distance() -> None:
    picture = draw_field(TWO_WITNESSES, "distances", TILE, legend=False)
    ramp = heat_ramp(7)
    assert ramp[0] == HEAT[0]
    assert ramp[-1] == HEAT[-1]
    assert len(set(ramp)) == 7
    assert middle(picture, 2, 0) == ramp[2]
    assert middle(picture, 0, 0) == ramp[4]
    assert middle(picture, 1, 1) == WALLS.colours[1]
    shut = draw_field(SHUT, "distances", TILE, legend=False)
    assert (middle(shut, 4, 0), middle(shut, 2, 1)) == (UNREACHED, HEAT[-1])


def test_every_cell_has_a_stripe_for_each_of_its_members() -> None:
    picture = draw_field(TWO_WITNESSES, "members", TILE, legend=False)
    assert middle(picture, 2, 0) == member_colour(0)
    assert middle(picture, 2, 4) == member_colour(1)
    large = draw_field(TWO_WITNESSES, "members", 60, legend=False)
    corner = [large.getpixel((4 * 60 + x, 2 * 60)) for x in (0, 24, 59)]
    assert corner == [member_colour(0), member_colour(1), member_colour(2)]
    small = draw_field(TWO_WITNESSES, "members", 1, legend=False)
    assert small.getpixel((3, 0)) == member_colour(0)
    assert middle(draw_field(SHUT, "members", TILE, legend=False), 4, 0) == UNREACHED
    open_field = Level.from_text("S..\n..1")
    assert middle(draw_field(open_field, "members", TILE, legend=False), 1, 0) == LIGHT


def test_witnesses_are_marked_and_isolated_ones_are_filled() -> None:
    picture = draw_field(TWO_WITNESSES, "members", TILE, legend=False)
    centre, quarter = TILE // 2, TILE // 4
    # The exit and checkpoint 3 are witnesses: the mark stands beside their signs.
    assert picture.getpixel((0 * TILE + 3 * quarter, 2 * TILE + quarter)) == INK
    assert picture.getpixel((4 * TILE + 3 * quarter, 1 * TILE + quarter)) == INK
    assert picture.getpixel((4 * TILE + centre, 2 * TILE + centre)) == LIGHT
    assert picture.getpixel((2 * TILE + 3 * quarter, 0 * TILE + quarter)) == member_colour(0)


@pytest.mark.parametrize("kind", ["distances", "members"])
def test_a_legend_stands_below_unless_it_is_left_out(kind: str) -> None:
    bare, explained = (
        draw_field(TWO_WITNESSES, kind, TILE, legend=False),
        draw_field(TWO_WITNESSES, kind, TILE),
    )
    assert bare.size == (100, 100)
    assert explained.height > 100
    assert (
        draw_field(TWO_WITNESSES, kind, TILE, ends=True, legend=False).tobytes() != bare.tobytes()
    )


def test_colours_without_a_legal_step_between_them_are_separated_by_a_line() -> None:
    # R and V, O and B have no step between them; Y and G have.
    picture = draw_field(COLOURS, "distances", TILE, legend=False)
    assert picture.getpixel((5, TILE)) == INK
    assert picture.getpixel((2 * TILE + 5, TILE)) != INK


def test_the_terminal_shows_the_field_with_a_legend() -> None:
    plain = terminal_field(TWO_WITNESSES, "distances", colour=False).splitlines()
    assert plain[:5] == ["54245", "7#1#7", "E#S#8", "7#1#7", "54245"]
    assert "0 to 6 steps" in plain[5]
    assert terminal_field(SHUT, "distances", colour=False).splitlines()[:2] == ["S25# ", "##7# "]
    members = terminal_field(TWO_WITNESSES, "members", colour=False).splitlines()
    assert members[:5] == ["aaaaa", "a#a#d", "E#S#e", "b#b#b", "bbbbb"]
    assert members[5].startswith("members: a 1, b 2, c 1+2, d 1+3, e 1+2+3;")
    assert members[6:] == [
        "1 and 2: prc 6, iprc 6, witnesses 0,2, 4,2",
        "1 and 3: prc 5, iprc 5, witnesses 4,1",
        "2 and 3: prc 6, iprc 0, witnesses 4,2",
    ]
    found = field(TWO_WITNESSES)
    coloured = terminal_field(TWO_WITNESSES, "members")
    for shown in ((1,), (1, 2, 3)):
        assert "{};{};{}m".format(*mixed(found, shown)) in coloured
    assert "{};{};{}m".format(*HEAT[-1]) in terminal_field(TWO_WITNESSES, "distances")


def test_a_field_that_cannot_be_shown_is_refused() -> None:
    with pytest.raises(InputError, match="unknown field 'distance': did you mean 'distances'"):
        draw_field(TWO_WITNESSES, "distance")
    with pytest.raises(
        InputError, match="expected a level with checkpoints, whose members to show, got none"
    ):
        terminal_field(Level.from_text("S.\n.E"), "members")
    with pytest.raises(InputError, match="too large to draw"):
        draw_field(Level(np.zeros((200, 200), np.uint8), {"entrance": (0, 0)}), tile=256)
