"""Recipes named after a paper: its settings and nothing else."""

from typing import Any

import pytest

from levolve.recipes.recipe import find_recipe

ASHLOCK: dict[str, Any] = {
    "size": (30, 30),
    "objective": "exit_path",
    "strategy": "steady_state",
    "crossover": {"kind": "uniform", "exchange": 0.05, "rate": 1.0},
    "mutation": {"kind": "uniform", "rate": 0.05},
}
PUBLISHED: dict[str, tuple[str, int, dict[str, Any]]] = {
    "ashlock-direct": ("Ashlock, Lee, McGuinness 2011", 120, {"kind": "direct", "fill": 0.05}),
    "ashlock-chromatic": (
        "Ashlock, Lee, McGuinness 2011",
        120,
        {"kind": "chromatic", "start_colours": [2, 3]},
    ),
    "ashlock-positive": (
        "Ashlock, Lee, McGuinness 2011",
        120,
        {"kind": "barriers", "pairs": 40, "limit": 0.5, "start_length": 3},
    ),
    "ashlock-negative": (
        "Ashlock, Lee, McGuinness 2011",
        1000,
        {"kind": "tunnels", "pairs": 40, "room": 4},
    ),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_maze_recipes_have_the_settings_of_the_paper(name: str) -> None:
    recipe = find_recipe(name)
    paper, population, genotype = PUBLISHED[name]
    assert paper in recipe.summary
    assert recipe.genotype == genotype
    assert (recipe.size, recipe.objective["kind"], recipe.strategy["kind"]) == (
        ASHLOCK["size"],
        ASHLOCK["objective"],
        ASHLOCK["strategy"],
    )
    assert (recipe.strategy["population"], recipe.strategy["group"]) == (population, 4)
    assert (recipe.strategy["crossover"], recipe.strategy["mutation"]) == (
        ASHLOCK["crossover"],
        ASHLOCK["mutation"],
    )
    assert (recipe.objective["feasible_first"], recipe.objective["exit_members"]) == (False, 0)
    # As many generations as make 500,000 mating events, each of which takes a group out of the
    # population.
    events = population // 4
    assert recipe.generations == -(-500_000 // events)


def test_the_automaton_recipe_has_the_settings_of_the_paper() -> None:
    recipe = find_recipe("adams-automaton")
    assert "Adams, Parekh, Louis 2017" in recipe.summary
    assert recipe.problem.space.length == 418
    assert recipe.genotype["last_nine"] == "blank"
    assert (recipe.strategy["kind"], recipe.strategy["elites"], recipe.strategy["selection"]) == (
        "generational",
        0,
        {"kind": "proportional"},
    )
    assert (recipe.strategy["crossover"]["kind"], recipe.strategy["mutation"]["kind"]) == (
        "two_point",
        "point",
    )
