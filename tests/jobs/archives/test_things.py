"""Archives and targets of levels with things."""

import levolve

THINGS = {"things": {"key": 2, "door": 2}}


def test_levels_with_things_are_illuminated_by_spheres_and_backtracking() -> None:
    archive = levolve.illuminate(
        "castle", size=(15, 15), evaluations=120, seed=1, settings={"furnish": THINGS}
    )
    assert archive.recipe.strategy["axes"] == ["spheres", "backtracking"]
    assert all(level.prove().safe for level in archive.levels[:3])


def test_measures_of_things_are_targets() -> None:
    run = levolve.evolve(
        "castle",
        size=(15, 15),
        seed=1,
        generations=4,
        settings={"furnish": THINGS},
        target={"required_doors": (1, 2), "losing_moves": 0},
    )
    measured = levolve.measure(run.levels[0])
    assert (measured["required_doors"][0], measured["losing_moves"][0]) in {(1, 0), (2, 0)}
