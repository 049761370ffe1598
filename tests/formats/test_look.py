"""Looks: a theme and a tile size, from the name or the file that a user gives."""

from pathlib import Path

import pytest

from levolve.core.errors import InputError, UnknownNameError
from levolve.formats import FORMATS
from levolve.formats.file_kinds import save
from levolve.formats.look import DEFAULT_THEME, Look, look_for, look_of
from levolve.formats.themes import THEMES
from levolve.formats.themes.theme import MOST_TILE
from levolve.levels.level import Level

LEVEL = Level.from_text("S.#\n..#\n#.E")


def test_a_look_is_found_by_the_name_of_its_theme() -> None:
    assert look_of("paper", 24) == Look(THEMES["paper"], 24)
    assert look_of() == Look(THEMES[DEFAULT_THEME])


def test_an_unknown_theme_is_answered_with_a_similar_name() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'paper'"):
        look_of("papr")


@pytest.mark.parametrize("tile", [0, -3, MOST_TILE + 1, 10_000])
def test_a_tile_size_that_no_theme_has_is_refused(tile: int) -> None:
    with pytest.raises(InputError, match=f"tile: expected .* got {tile}"):
        look_of("paper", tile)


def test_a_stored_look_is_the_same_look() -> None:
    assert Look.from_data(look_of("paper", 9).to_data()) == look_of("paper", 9)
    assert Look.from_data(None) == Look()


def test_a_theme_for_files_that_show_no_tiles_is_refused() -> None:
    look_for(["a.json", "a.png"], "paper", None)
    look_for(["a.json"], None, None)
    with pytest.raises(
        InputError,
        match=r"--theme and --tile: expected a file that shows tiles .* got a\.json, rule\.toml",
    ):
        look_for(["a.json", "rule.toml"], "paper", 8)
    assert not FORMATS["csv"].shows_tiles
    assert FORMATS["tmx"].shows_tiles


def test_save_draws_in_the_tile_size_given(tmp_path: Path) -> None:
    small, large = (
        save(LEVEL, tmp_path / f"{tile}.png", theme="paper", tile=tile).read_bytes()
        for tile in (8, 32)
    )
    assert small != large
    assert small == FORMATS["png"].write(LEVEL, look_of("paper", 8))
