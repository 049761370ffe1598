from levolve.levels.measures.main_measures import main_measures
from levolve.recipes.finding import adapt
from levolve.recipes.recipe import find_recipe


def test_targets_come_first_and_measures_of_zero_are_left_out() -> None:
    measures = {"walls": 9, "exit_path": 30, "rooms": 0, "dead_ends": 2, "regions": 1, "loops": 4}
    assert main_measures(measures, ["loops", "rooms", "unknown"]) == {
        "loops": 4, "rooms": 0, "exit_path": 30, "dead_ends": 2, "walls": 9,
    }  # fmt: skip
    assert list(main_measures(measures)) == ["exit_path", "dead_ends", "walls", "regions"]
    assert len(main_measures(measures, measures)) == len(measures)


def test_a_recipe_names_the_measures_of_its_objective() -> None:
    assert find_recipe("maze").measured == ("exit_path",)
    targets = adapt("maze", target={"rooms": 3, "walls": (10, 90)})
    assert targets.measured == ("rooms", "walls")
    parts = [targets.objective, {"kind": "culs_de_sac"}, {"kind": "design"}]
    mixed = find_recipe("maze").changed({"objective": {"kind": "weighted", "parts": parts}})
    assert mixed.measured == ("rooms", "walls", "culs_de_sac")
