"""The signs of things in one picture: all levels of a theme share it, and every thing has its
sign there.
"""

import numpy as np
import pytest

from levolve.formats.look import Look, look_of
from levolve.formats.themes import THEMES
from levolve.formats.themes.thing_atlas import known_thing_atlas, usual_signs
from levolve.formats.themes.things import looks_of
from levolve.levels.level import Level
from levolve.levels.things.kinds import KINDS, Kind

USUAL = Level.from_text(
    "S....\n.....\n....E\nthing: key 1,0 color=blue\nthing: door 2,0 color=blue\n"
    "thing: lever 3,0 id=a\nthing: gate 4,0 lever=a\nthing: monster 1,1 damage=3"
)
OWN = USUAL.with_things(
    [
        *Level.from_text(
            "S..\n..E\nthing: ogre 1,1\nthing: key 1,0 color=#123456\nthing: key 0,1 color=#d63a3a"
        ).things
    ],
    {"ogre": Kind("ogre", needs={"health": 2}, spends={"health": 2}, tags=("enemy",))},
)


def test_every_built_in_kind_has_a_sign_and_no_two_are_equal() -> None:
    assert {kind for kind, _ in usual_signs()} == set(KINDS)
    pixels = Look().thing_atlas(USUAL).pixels
    assert len(np.unique(pixels.reshape(len(pixels), -1), axis=0)) == len(pixels)


@pytest.mark.parametrize("level", [USUAL, OWN])
@pytest.mark.parametrize("theme", THEMES)
def test_every_thing_has_the_sign_with_which_it_is_drawn(level: Level, theme: str) -> None:
    look = look_of(theme, 12)
    atlas = look.thing_atlas(level)
    for first in looks_of(level.things, level.kinds):
        for shown in (first, first.used()):
            if not shown.is_gone:
                drawn = atlas.pixels[atlas.number(shown)]
                assert np.array_equal(drawn, look.theme.thing(shown, 12))
    side = atlas.tile
    row, column = divmod(len(atlas.signs) - 1, 8)
    last = np.asarray(atlas.picture)[row * side :, column * side : (column + 1) * side]
    assert np.array_equal(last, atlas.pixels[-1])


def test_levels_share_a_picture_unless_they_have_signs_of_their_own() -> None:
    usual, own = Look().thing_atlas(USUAL), Look().thing_atlas(OWN)
    assert usual.name == "levolve-things-stone-16"
    assert usual is Look().thing_atlas(USUAL.with_things(USUAL.things[:1]))
    assert own.name.startswith("levolve-things-stone-16-")
    assert [kind for kind, _ in own.extras] == ["key", "key", "ogre"]
    for name in (f"{own.name}.png", usual.name):
        assert known_thing_atlas(name) is usual
    for name in ("levolve-things-stone-999.png", "levolve-things-no-16", "levolve-walls-stone-16"):
        assert known_thing_atlas(name) is None
