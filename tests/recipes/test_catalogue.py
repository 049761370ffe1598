"""The catalogue lists everything that has a name, and every setting in it has a sentence."""

import re

import pytest
from typer.testing import CliRunner

from levolve.cli.app import app
from levolve.core.errors import UnknownNameError
from levolve.core.registry import MOST_LISTED
from levolve.levels.tileset import TILESETS
from levolve.puzzles import PUZZLES
from levolve.recipes.catalogue import NOUNS, REGISTRIES, catalogue
from levolve.worlds.legend import PALETTES
from levolve.worlds.maps import make_map
from levolve.worlds.shipped import shipped_rules

LISTED = [
    (noun, name, about)
    for noun, entries in catalogue().items()
    for name, about in entries.items()
    if about["source"] == "built-in"
]


@pytest.mark.parametrize(
    ("noun", "name", "about"), LISTED, ids=[f"{noun} {name}" for noun, name, _ in LISTED]
)
def test_an_entry_and_each_of_its_settings_has_a_sentence(
    noun: str, name: str, about: dict[str, dict[str, dict[str, str]]]
) -> None:
    assert about["meaning"]
    for setting, details in about["settings"].items():
        assert re.fullmatch(r".{8,}\.", details.get("meaning", "")), (
            f"{noun} {name}: {setting}: {details}"
        )


def test_fashion_rules_palettes_tilesets_and_puzzles_are_listed() -> None:
    listed = catalogue()
    assert set(listed["rules"]) == set(shipped_rules())
    assert set(listed["palettes"]) == set(PALETTES)
    assert set(listed["tilesets"]) >= set(TILESETS)
    assert all(
        f"{scheme}.population" in listed["puzzles"][name]["settings"]
        for name in ("sliding", "flag")
        for scheme in PUZZLES[name].schemes
    )


def test_settings_of_a_rule_are_what_a_map_of_it_is_made_with() -> None:
    for name, about in catalogue("rules")["rules"].items():
        defaults = {setting: details["default"] for setting, details in about["settings"].items()}
        assert (
            make_map(name, size=(12, 12), seed=1, **defaults).digest
            == make_map(name, size=(12, 12), seed=1).digest
        )


def test_a_noun_that_does_not_exist_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'palettes'"):
        catalogue("palete")
    assert list(catalogue("palettes")) == ["palettes"]
    assert set(NOUNS) - set(catalogue()) == {"plugins"}, "they are listed only if asked for"


def test_the_help_of_solve_names_every_scheme_and_settings_that_exist() -> None:
    words = " ".join(CliRunner().invoke(app, ["solve", "--help"]).output.replace("│", " ").split())
    for name in ("sliding", "flag"):
        puzzle = PUZZLES[name]
        assert f"{name}: {', '.join(puzzle.schemes)}" in words
        assert all(
            puzzle.settings("genetic", scheme, {"population": 60}) for scheme in puzzle.schemes
        )
    assert "population=60" in words
    assert "strategy" not in words


@pytest.mark.parametrize("noun", REGISTRIES)
def test_the_message_about_an_unknown_name_is_short_and_names_the_command_that_lists_all(
    noun: str,
) -> None:
    registry = REGISTRIES[noun]
    names = ", ".join(registry)
    with pytest.raises(UnknownNameError) as problem:
        registry["qqqqqqqq"]
    message = str(problem.value)
    if len(names) <= MOST_LISTED:
        assert message == f"unknown {registry.noun} 'qqqqqqqq': Known: {names}"
    else:
        assert len(message) <= 160
        assert message.endswith(f"…; 'levolve parts {noun}' lists all {len(registry)}")
        assert CliRunner().invoke(app, ["parts", noun]).exit_code == 0


def test_a_similar_name_is_named_before_the_command() -> None:
    with pytest.raises(
        UnknownNameError,
        match=(
            r"unknown measure 'exit_pth': did you mean 'exit_path'\? 'levolve parts measures' "
            r"lists all \d+$"
        ),
    ):
        REGISTRIES["measures"]["exit_pth"]
