"""Recipes: data in, a checked recipe out."""

from pathlib import Path

import pytest

from levolve.core.errors import InputError
from levolve.recipes.finding import adapt
from levolve.recipes.recipe import Recipe, find_recipe

MAZE = find_recipe("maze")


def test_every_setting_is_written_out() -> None:
    small = Recipe.from_text(
        'name = "mine"\ngenotype = "direct"\nobjective = "exit_path"\nstrategy = "generational"\n'
    )
    data = small.to_data()
    assert data["genotype"] == {"kind": "direct", "fill": 0.05}
    assert data["strategy"]["selection"] == {"kind": "tournament", "size": 3}
    assert data["size"] == "20x20"


def test_a_setting_is_changed_by_its_path() -> None:
    changed = MAZE.changed(
        {"strategy.mutation.points": 7, "size": "7x9", "genotype.fill": 0.5, "generations": 3}
    )
    assert changed.strategy["mutation"] == {"kind": "point", "points": 7}
    assert (changed.size, changed.genotype["fill"], changed.generations) == ((7, 9), 0.5, 3)
    assert MAZE.strategy["mutation"]["points"] != 7


def test_a_new_kind_comes_with_its_own_settings() -> None:
    changed = MAZE.changed({"strategy.mutation.rate": 0.25, "strategy.mutation.kind": "uniform"})
    assert changed.strategy["mutation"] == {"kind": "uniform", "rate": 0.25}
    both = MAZE.changed(
        {
            "strategy.mutation.rate": 0.25,
            "strategy.mutation.kind": "uniform",
            "strategy.kind": "generational",
            "strategy.elites": 5,
        }
    )
    assert (both.strategy["kind"], both.strategy["elites"], both.strategy["mutation"]) == (
        "generational",
        5,
        {"kind": "uniform", "rate": 0.25},
    )
    short = MAZE.changed({"strategy.mutation": "uniform", "strategy.mutation.rate": 0.25})
    assert short.strategy["mutation"] == {"kind": "uniform", "rate": 0.25}


def test_a_recipe_is_found_by_name_by_path_or_as_it_is(tmp_path: Path) -> None:
    for suffix, content in (("toml", MAZE.to_toml()), ("json", MAZE.to_json())):
        path = tmp_path / f"mine.{suffix}"
        path.write_text(content)
        assert find_recipe(path) == find_recipe(str(path)) == MAZE
    assert find_recipe(MAZE) is MAZE


def test_negative_places_count_from_the_far_side() -> None:
    frame = MAZE.changed({"size": "7x9", "entrance": "-1,0", "exit": [0, -2]}).frame
    assert dict(frame.places) == {"entrance": (6, 0), "exit": (0, 7)}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"size": "0x5"}, "at least 2x2"),
        ({"size": "1x50"}, "at least 2x2"),
        ({"size": "-5x5"}, "at least 2x2"),
        ({"size": "big"}, "WIDTHxHEIGHT such as 20x20, got 'big'"),
        ({"size": 5}, "WIDTHxHEIGHT"),
        ({"size": (5.5, 5)}, "WIDTHxHEIGHT"),
        ({"size": "100000x100000"}, "more than"),
        ({"generations": -1}, "generations: expected greater than or equal to 0, got -1"),
        ({"generations": "many"}, "generations: expected"),
        ({"entrance": "20,0"}, "entrance: expected a cell inside the 20x20 level"),
        ({"exit": "0,0"}, "a cell other than the entrance"),
        ({"exit": "far"}, "exit: expected x,y"),
        ({"genotype.kind": "directt"}, "unknown genotype 'directt': did you mean 'direct'"),
        ({"objective.kind": "exitpath"}, "did you mean 'exit_path'"),
        ({"strategy.kind": "generation"}, "did you mean 'generational'"),
        (
            {"genotype.fil": 0.5},
            "genotype.fil: unknown setting of genotype 'direct': did you mean 'fill'",
        ),
        ({"objective.fill": 0.5}, "unknown setting of objective 'exit_path'"),
        ({"genotype.fill": 1.5}, "genotype.fill: expected less than or equal to 1, got 1.5"),
        ({"genotype.fill": "much"}, "genotype.fill: expected a valid number"),
        (
            {"strategy.mutation.points": 0},
            "strategy.mutation.points: expected greater than or equal to 1, got 0",
        ),
        (
            {"strategy.kind": "generational", "strategy.population": 2, "strategy.elites": 2},
            "strategy.elites: expected fewer than the population",
        ),
        (
            {"strategy.group": 200},
            "strategy.group: expected 1 of 200 to fit into the population of 120",
        ),
        ({"strategy.kind": "annealing", "strategy.cold": 2}, "strategy.cold: expected at most hot"),
        ({"checkpoints": "3,3 20,1"}, "checkpoint 2: expected a cell inside"),
        (
            {"checkpoints": ["3,3", "0,0"]},
            "number 2 on a free cell, got 0,0, which is the entrance",
        ),
        ({"checkpoints": 5}, "checkpoints: expected a list of places"),
        ({"objective.exit_members": 6}, "at most the 5 checkpoints"),
        ({"checkpoints": "3,3", "objective.exit_members": 2}, "at most the 1 checkpoints"),
        ({"objective.walls": [0.5, 0.2]}, "walls: expected a lower share and a higher one"),
        (
            {"keep": ["..", ".."]},
            "keep: expected 20 rows of 20 characters like the level, got 2 rows of 2",
        ),
        ({"keep": ["?" * 20] * 19 + ["?" * 19 + "x"]}, "row 20, column 20: expected"),
        ({"keep": ["#" * 20] * 20}, "keep: expected the entrance at 0,0 to be kept open, got wall"),
        (
            {"objective": "target", "objective.targets": {"exit": 5}},
            "unknown measure 'exit': did you mean 'exit_path'",
        ),
        (
            {"objective": "target", "objective.targets": {"exit_path": "9..5"}},
            "a lower value and a higher one",
        ),
        ({"strategy.mutation": 5}, "strategy.mutation: expected a table with a 'kind'"),
        ({"strategie.population": 5}, "did you mean 'strategy'"),
        ({"seeds": 5}, "unknown key 'seeds'"),
    ],
)
def test_a_wrong_setting_is_refused_and_named(changes: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        _ = MAZE.changed(changes).frame


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.toml", "name = ", "a.toml: expected valid TOML"),
        ("a.json", "{", "a.json: expected valid JSON"),
        ("a.json", "[]", "expected a table of settings"),
        ("a.toml", 'name = "x"', "expected a table 'genotype' with a 'kind', one of direct"),
        (
            "a.toml",
            'name = ""\ngenotype="direct"\nobjective="exit_path"\nstrategy="generational"',
            "a.toml: name: expected a name",
        ),
    ],
)
def test_a_wrong_file_is_refused_and_named(
    name: str, content: str, words: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(InputError, match=words):
        find_recipe(path)


def test_a_missing_file_and_an_unknown_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a file that can be read"):
        find_recipe(tmp_path / "none.toml")
    with pytest.raises(InputError, match="unknown recipe 'maz': did you mean 'maze'"):
        find_recipe("maz")


def test_the_usual_changes_have_names() -> None:
    adapted = adapt(
        "maze",
        size=(5, 6),
        generations=7,
        objective="exit_path",
        settings={"strategy.population": 8},
    )
    assert (adapted.size, adapted.generations, adapted.strategy["population"]) == ((5, 6), 7, 8)


def test_the_conditions_of_an_objective_survive_a_change_of_its_kind() -> None:
    strict = MAZE.changed(
        {
            "objective.walls": [0.1, 0.5],
            "objective.exit_members": 2,
            "objective.feasible_first": True,
        }
    )
    for changed in (
        strict.changed({"objective.kind": "culs_de_sac"}),
        strict.changed({"objective": "target"}),
    ):
        assert (
            changed.objective["walls"],
            changed.objective["exit_members"],
            changed.objective["feasible_first"],
        ) == ([0.1, 0.5], 2, True)
    assert strict.changed({"objective": {"kind": "culs_de_sac"}}).objective["exit_members"] == 0, (
        "a whole table says all"
    )
