"""What a recipe says may vary, checked when it is read."""

from typing import Any

import pytest

from levolve.core.errors import InputError
from levolve.recipes.recipe import Recipe, find_recipe
from levolve.recipes.schemes import RaceScheme, SourceScheme
from levolve.recipes.search_space import Choice, Span

PLAIN = find_recipe("dungeon")
ROUNDS = {
    "strategy.kill": {"low": 10, "high": 90},
    "strategy.mutate": {"low": 1, "high": "strategy.kill"},
}


def test_a_recipe_without_variables_is_written_as_before() -> None:
    assert {"vary", "meta"}.isdisjoint(PLAIN.to_data())
    assert PLAIN.variables == ()


def test_the_source_scheme_is_shipped() -> None:
    recipe = find_recipe("dungeon-meta")
    assert recipe.meta == SourceScheme()
    assert [variable.path.rpartition(".")[2] for variable in recipe.variables] == [
        "floor",
        "height",
        "width",
        "kill",
        "rate",
        "couple",
        "mutate",
    ]


def test_a_scheme_is_named_by_its_kind_and_survives_writing_and_reading() -> None:
    recipe = find_recipe("dungeon-race")
    assert recipe.meta == RaceScheme()
    assert recipe.changed({"vary": recipe.vary, "meta": "source"}).meta == SourceScheme()
    changed = find_recipe("dungeon-meta").changed({"meta": {"kind": "race", "runs": 7}})
    assert changed.meta == RaceScheme(runs=7)
    assert Recipe.from_text(changed.to_toml()) == changed
    assert changed.to_data()["meta"]["kind"] == "race"
    assert "kind" not in find_recipe("dungeon-meta").to_data()["meta"], "written as before"
    assert {**recipe.to_data(), "name": "", "summary": "", "meta": None} == {
        **find_recipe("dungeon-meta").to_data(),
        "name": "",
        "summary": "",
        "meta": None,
    }


@pytest.mark.parametrize("form", ["toml", "json"])
def test_variables_survive_writing_and_reading(form: str) -> None:
    recipe = PLAIN.changed(
        {
            "vary": {**ROUNDS, "genotype.floor": "0.2..1", "strategy.crossover": "chunk,uniform"},
            "meta": {"seeds": 3},
        }
    )
    again = Recipe.from_text(recipe.to_toml() if form == "toml" else recipe.to_json(), form)
    assert again == recipe
    assert again.variables == (
        Span("genotype.floor", 0.2, 1.0, whole=False),
        Choice("strategy.crossover", ("chunk", "uniform")),
        Span("strategy.kill", 10, 90, whole=True),
        Span("strategy.mutate", 1, "strategy.kill", whole=True),
    ), "in an order that does not depend on the file's"
    assert again.meta == SourceScheme(seeds=3)


@pytest.mark.parametrize(
    ("vary", "words"),
    [
        (
            {"strategy.kil": "1..5"},
            r"strategy.kil: not a setting that may vary: did you mean 'strategy.kill'\?",
        ),
        ({"objective": "tour,cavern"}, "objective: not a setting that may vary"),
        ({"size": ["8x8", "9x9"]}, "size: not a setting that may vary"),
        ({"strategy.kill": "9..5"}, "expected low to be at most high, got 9..5"),
        ({"strategy.kill": "0..5"}, "strategy.kill: expected greater than or equal to 1, got 0"),
        (
            {"strategy.kill": "0.5..5"},
            "kill.low: expected a whole number like the setting, got 0.5",
        ),
        ({"strategy.kill": {"low": True, "high": 5}}, "kill.low: expected a whole number"),
        ({"genotype.floor": "0..1.5"}, "genotype.floor: expected less than or equal to 1, got 1.5"),
        ({"genotype.floor": "0..inf"}, "floor.high: expected a number"),
        ({"genotype.floor": "0..nan"}, "floor.high: expected a number"),
        (
            {"genotype.b": "1..2"},
            "expected a list of choices, because the setting is not a number but 'gene'",
        ),
        (
            {"genotype.b": ["gene", "bset"]},
            "genotype.b: expected 'gene', 'uniform', 'best' or 'inherited', got 'bset'",
        ),
        (
            {"strategy.crossover": "chunk,unifrm"},
            r"unknown crossover 'unifrm': did you mean 'uniform'\?",
        ),
        (
            {"strategy.crossover": "chunk,uniform", "strategy.crossover.width": "1..2"},
            "a part that itself varies",
        ),
        ({"generations": "-1..5"}, "generations: expected greater than or equal to 0, got -1"),
        (
            {"strategy.mutate": {"low": 1, "high": "strategy.kill"}},
            "the path of another setting with a range, got 'strategy.kill'",
        ),
        (
            {**ROUNDS, "strategy.couple": {"low": 1, "high": "strategy.mutate"}},
            "couple.high: expected a number, or the path of another setting",
        ),
        (
            {"genotype.floor": "0..1", "strategy.kill": {"low": 1, "high": "genotype.floor"}},
            "kill.high: expected a whole number",
        ),
        (
            {"strategy.kill": "1..9", "strategy.mutate": {"low": 5, "high": "strategy.kill"}},
            "expected low to be at most high, got 5..strategy.kill",
        ),
        ({"strategy.kill": {"low": 1}}, "expected 'low' and 'high' and nothing else, got low"),
        ({"strategy.kill": []}, "expected one or more different choices"),
        ({"strategy.kill": [3, 3]}, "expected one or more different choices"),
        ({"strategy.kill": ","}, "or choices separated by commas"),
        ({"strategy.kill": 7}, "expected a table {low = …, high = …} or a list of choices, got 7"),
        ({}, "vary: expected a table of settings"),
        (7, "vary: expected a table of settings"),
    ],
)
def test_what_cannot_vary_like_that_is_refused(vary: object, words: str) -> None:
    with pytest.raises(InputError, match=words):
        PLAIN.changed({"vary": vary})


@pytest.mark.parametrize(
    ("meta", "words"),
    [
        ({"population": 1}, "meta.population: expected greater than or equal to 2, got 1"),
        ({"drop": 100}, "drop: expected fewer than the population of 100, got 100"),
        ({"drop": 40}, r"as many as mutants \+ children \+ fresh, 20 \+ 20 \+ 10, got 40"),
        ({"spread": 0}, "meta.spread: expected greater than 0, got 0"),
        ({"seds": 1}, r"unknown setting 'seds' of scheme source: did you mean 'seeds'\?"),
        (7, "meta: expected"),
        ("rice", r"meta: unknown scheme 'rice': did you mean 'race'\?"),
        ({"kind": "race", "drop": 3}, "meta: unknown setting 'drop' of scheme race"),
        (
            {"kind": "race", "fresh": 99},
            "meta.fresh: expected at most the population of 24, got 99",
        ),
        (
            {"kind": "race", "finalists": 9},
            "meta.finalists: expected at most as many as elites, 8, got 9",
        ),
        (
            {"kind": "race", "growth": 0.5},
            "meta.growth: expected greater than or equal to 1, got 0.5",
        ),
        ({"kind": "race", "reserve": 1}, "meta.reserve: expected less than 1, got 1"),
    ],
)
def test_a_scheme_that_cannot_be_is_refused(meta: object, words: str) -> None:
    with pytest.raises(InputError, match=words):
        PLAIN.changed({"meta": meta})


@pytest.mark.parametrize("population", [2, 3, 7, 10, 99, 1000])
def test_another_population_keeps_the_proportions(population: int) -> None:
    scheme = SourceScheme().adjusted(population=population)
    assert scheme.mutants + scheme.children + scheme.fresh == scheme.drop == max(1, population // 2)
    assert scheme.total == population + 100 * scheme.drop


@pytest.mark.parametrize("population", [2, 3, 7, 24, 1000])
def test_a_race_of_another_size_keeps_the_proportions(population: int) -> None:
    scheme = RaceScheme().adjusted(population=population)
    assert (scheme.start, scheme.fresh) == (max(2, 60 * population // 24), 2 * population // 24)
    assert 2 <= scheme.finalists <= scheme.elites
    assert (
        scheme.rounds == RaceScheme().rounds
        if scheme.finalists in (5, 6, 7, 8)
        else scheme.rounds > scheme.generations
    )


@pytest.mark.parametrize("wrong", [{"population": 1}, {"generations": -1}, {"seeds": 0}])
def test_a_wrong_change_of_the_scheme_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(
        InputError, match=f"meta: {next(iter(wrong))}: expected greater than or equal to"
    ):
        SourceScheme().adjusted(**wrong)
