"""Which levels a sheet shows; picks as scores, and how the objective is mixed in."""

import numpy as np
import pytest

from levolve.jobs.breeding.sheet import NOT_SHOWN, choose, pick_scores
from levolve.levels.level import Level
from levolve.recipes.recipe import find_recipe
from levolve.search.problem import Evaluation

SHOWN = (1, 3, 4, 6)
PICKS = {0: "love", 1: "like", 3: "never"}
OBJECTIVE = Evaluation(np.array([9.0, 5.0, 9.0, 7.0, 1.0, 9.0, 8.0]), {"walls": np.arange(7)})


def test_without_a_blend_scores_are_the_picks_and_what_is_not_shown_scores_less_than_never() -> (
    None
):
    evaluation = pick_scores(SHOWN, PICKS, 0.0, OBJECTIVE)
    assert evaluation.scores.tolist() == [NOT_SHOWN, 2, NOT_SHOWN, 1, 0, NOT_SHOWN, -1]
    assert NOT_SHOWN < -1
    assert evaluation.features is OBJECTIVE.features


@pytest.mark.parametrize("blend", [0.25, 0.5, 1.0])
def test_a_blend_adds_the_rank_on_the_sheet_but_love_stays_love_and_never_never(
    blend: float,
) -> None:
    loved, liked, left, never = pick_scores(SHOWN, PICKS, blend, OBJECTIVE).scores[list(SHOWN)]
    assert np.isclose(loved, 2 + blend / 3)
    assert np.isclose(liked, 1 - blend + blend * 2 / 3)
    assert left == 0
    assert never == -1


def test_levels_of_equal_scores_have_equal_ranks() -> None:
    scores = pick_scores((0, 2, 5, 1), {}, 1.0, OBJECTIVE).scores
    assert scores[[0, 2, 5, 1]].tolist() == [1 / 3, 1 / 3, 1 / 3, 0]


def test_a_sheet_shows_winnable_levels_once_and_earlier_ones_only_if_nothing_new_is_left() -> None:
    problem = find_recipe("maze").changed({"size": "3x3"}).problem
    texts = {
        "old": "S.#\n...\n..E",
        "closed": "S#.\n##.\n..E",
        "new": "S..\n#..\n..E",
        "newer": "S..\n...\n#.E",
    }
    levels = {name: Level.from_text(text) for name, text in texts.items()}
    order = ["old", "closed", "old", "new", "closed", "new", "newer"]
    genes = np.array([problem.genotype.write(levels[name], problem.frame) for name in order])

    def shown(size: int, before: list[Level], returning: int = 0) -> list[int]:
        found = choose(problem, genes, range(len(order)), size, before, returning)
        assert all(level == levels[order[position]] for position, level in found.items())
        for level in found.values():
            level.check()
        return list(found)

    old = [levels["old"]]
    assert shown(2, []) == [0, 3]
    assert shown(2, old) == [3, 6]
    assert shown(3, old) == [0, 3, 6]
    assert shown(2, old, returning=1) == [0, 3]
    assert shown(9, []) == [0, 3, 6]
