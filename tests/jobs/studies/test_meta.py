"""Meta-evolution: the scheme, its counts, and its results."""

import io
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from PIL import Image

import levolve
from levolve.core.errors import InputError, LevolveError
from levolve.core.events import Event
from levolve.jobs.runs.run import Run
from levolve.jobs.studies.setting_sets import SourceStudy
from levolve.jobs.studies.study import (
    REFUSED,
    ScoredTrial,
    Trial,
    TrialOutcome,
    run_trial,
)
from levolve.jobs.studies.tune import TrialFinished, tune
from levolve.jobs.studies.tuning import Tuning
from levolve.recipes.recipe import Recipe, find_recipe
from levolve.recipes.schemes import SourceScheme
from levolve.version import VERSION

QUICK: dict[str, Any] = {
    "population": 10,
    "generations": 3,
    "size": "6x6",
    "settings": {"generations": 8},
    "seed": 3,
}
SCHEME = SourceScheme(population=20, drop=10, mutants=4, children=4, fresh=2)


@pytest.fixture(scope="module")
def found() -> Tuning:
    return tune("dungeon-meta", executor=1, **QUICK)


def scored(trial: Trial, score: float) -> ScoredTrial:
    return ScoredTrial(trial, TrialOutcome((score,), 100, np.zeros(1, np.uint64)))


def test_two_threads_find_what_one_finds(found: Tuning) -> None:
    again = tune("dungeon-meta", executor=2, **QUICK)
    assert again.digest == found.digest
    assert again.to_data() | {"seconds": 0} == found.to_data() | {"seconds": 0}
    assert tune("dungeon-meta", executor=2, **QUICK | {"seed": 4}).digest != found.digest


def test_the_tuned_recipe_is_ready_to_evolve(found: Tuning) -> None:
    recipe = Recipe.from_text(found.recipe.to_toml())
    assert recipe.name == "dungeon-tuned"
    assert (recipe.vary, recipe.meta) == (None, None)
    assert recipe.strategy["kill"] == found.settings["strategy.kill"]
    levolve.evolve(recipe, seed=1).best.check()


def test_the_best_set_scores_what_its_run_scores(found: Tuning) -> None:
    assert isinstance(found.scheme, SourceScheme)
    study = SourceStudy(found.source, found.scheme, found.seed)
    (seed,) = study.seeds_of(found.best.trial)
    run = Run(found.recipe, seed).finish()
    assert (
        run.best_score
        == found.best_score
        == max(one.score for generation in found.history for one in generation)
    )
    assert found.level == run.best


def test_the_verdict_is_of_seeds_that_no_set_was_judged_by(found: Tuning) -> None:
    assert found.fresh.shape == found.untuned.shape == (SourceScheme.fresh_runs,)
    assert found.fresh.std() > 0
    assert found.to_data()["fresh_mean"] == found.fresh.mean()


def test_the_worst_and_the_negative_go_and_survivors_keep_their_score() -> None:
    study = SourceStudy(find_recipe("dungeon-meta"), SCHEME, 1)
    trials = study.ask()
    assert len(trials) == 20
    study.tell([scored(trial, float(place - 14)) for place, trial in enumerate(trials)])
    newcomers = study.ask()
    assert len(newcomers) == 14, "six have 0 or more"
    survivors = [trial.settings for trial in trials[14:]]
    study.tell([scored(trial, 100.0) for trial in newcomers])
    assert len(study.population) == 20
    assert [scored_trial.settings for scored_trial in study.population[14:]] == survivors[::-1]
    assert [scored_trial.score for scored_trial in study.population[14:]] == [5, 4, 3, 2, 1, 0]
    assert len(study.ask()) == 10, "all are good: only the ten worst go"


def test_newcomers_are_mutants_children_and_fresh() -> None:
    study = SourceStudy(find_recipe("dungeon-meta"), SCHEME.model_copy(update={"spread": 1e-9}), 1)
    trials = study.ask()
    study.tell([scored(trial, float(place)) for place, trial in enumerate(trials)])
    floors = {scored_trial.settings["genotype.floor"] for scored_trial in study.population[:10]}
    means = {(one + other) / 2 for one in floors for other in floors if one != other}
    new = [trial.settings["genotype.floor"] for trial in study.ask()]
    assert all(min(abs(floor - one) for one in floors) < 1e-8 for floor in new[:4])
    assert all(floor in means for floor in new[4:8])
    assert not any(floor in means | floors for floor in new[8:])
    assert [trial.individual for trial in study.ask()] == list(range(10))


def test_sets_that_no_recipe_can_be_made_of_are_not_run() -> None:
    found = tune("dungeon-meta", executor=1, **QUICK | {"generations": 0, "population": 40})
    first = found.history[0]
    refused = [scored_trial for scored_trial in first if scored_trial.outcome is None]
    assert refused
    assert {scored_trial.score for scored_trial in refused} == {REFUSED}
    assert found.runs == 40 - len(refused)
    for scored_trial in refused:
        with pytest.raises(InputError):
            Run(found.source.changed({"vary": None, "meta": None, **scored_trial.settings}), 0)


def test_a_set_may_be_judged_by_the_mean_of_several_runs() -> None:
    found = tune("dungeon-meta", executor=1, **QUICK | {"generations": 0, "size": "10x10"}, seeds=3)
    assert found.best.outcome is not None
    assert len(set(found.best.outcome.scores)) > 1
    assert found.best_score == sum(found.best.outcome.scores) / 3
    assert found.runs % 3 == 0


def test_no_generation_is_begun_once_the_evaluations_are_used_up(found: Tuning) -> None:
    events: list[Event] = []
    short = tune(
        "dungeon-meta", executor=1, budget=found.evaluations // 2, watch=events.append, **QUICK
    )
    finished = [event for event in events if isinstance(event, TrialFinished)]
    assert 1 < len(short.history) < len(found.history)
    before_the_last = max(
        event.evaluations for event in finished if event.generation < len(short.history) - 1
    )
    assert before_the_last < found.evaluations // 2 <= short.evaluations
    assert [event.trials for event in finished] == list(range(1, short.trials + 1))


@pytest.mark.parametrize("threads", [1, 2])
def test_the_time_ends_a_generation_in_the_middle(threads: int) -> None:
    long = {"generations": 100_000, "population": 400, "settings": {"generations": 400}}
    short = tune("dungeon-meta", executor=threads, budget="0.2s", **QUICK | long)
    assert len(short.history) == 1
    assert short.trials < 400
    assert short.best_score >= 0


def test_a_random_search_learns_nothing() -> None:
    found = tune("dungeon-meta", executor=1, random=True, **QUICK)
    assert isinstance(found.scheme, SourceScheme)
    assert (found.scheme.mutants, found.scheme.children, found.scheme.fresh) == (0, 0, 5)


def test_any_recipe_can_be_tuned() -> None:
    vary = {
        "strategy.mutation.points": "1..9",
        "strategy.population": "10..30",
        "strategy.crossover": ["uniform", "one_point"],
    }
    found = tune(
        "maze",
        vary=vary,
        population=6,
        generations=2,
        size="8x8",
        settings={"generations": 5},
        seed=1,
        executor=1,
    )
    assert set(found.settings) == set(vary)
    assert found.recipe.name == "maze-tuned"
    assert found.recipe.strategy["crossover"]["kind"] == found.settings["strategy.crossover"]


def test_what_cannot_be_tuned_is_refused() -> None:
    with pytest.raises(InputError, match="recipe maze does not say which settings may vary"):
        tune("maze")
    with pytest.raises(
        InputError,
        match="budget: expected a number of evaluations such as 2e6, or a time such as 90s",
    ):
        tune("dungeon-meta", budget="soon")
    with pytest.raises(
        LevolveError,
        match=(
            r"none of the 2 sets .* could be run; one was refused: strategy.kill: expected fewer "
            r"than the population"
        ),
    ):
        tune("dungeon", vary={"strategy.kill": "100..120"}, population=2, generations=0, executor=1)


@pytest.mark.parametrize(
    "budget", ["0", "-5", "1e400", "5 parsecs", "", "min", "1_", "1__0", "1_000_.5"]
)
def test_a_budget_that_is_none_is_refused(budget: str) -> None:
    with pytest.raises(InputError, match="budget: expected"):
        tune("dungeon-meta", budget=budget)


def test_the_plot_has_a_panel_for_every_setting(found: Tuning) -> None:
    with Image.open(io.BytesIO(found._repr_png_() or b"")) as picture:
        assert picture.size[0] == 1500
        assert len(np.unique(np.asarray(picture.convert("RGB")).reshape(-1, 3), axis=0)) > 50
        assert '"seed": 3' in getattr(picture, "text", {})["levolve meta"]
    few: dict[str, Any] = {
        "population": 4,
        "generations": 1,
        "size": "6x6",
        "settings": {"generations": 5},
    }
    choices = tune(
        "maze", vary={"strategy.crossover": ["uniform", "one_point"]}, seed=1, executor=1, **few
    )
    with Image.open(io.BytesIO(choices._repr_png_() or b"")) as smaller:
        assert smaller.size[1] < picture.size[1]


def test_the_best_set_is_kept_where_all_scores_are_below_nothing() -> None:
    changes = {"generations": 3, "objective.feasible_first": True, "objective.walls": [0.8, 0.9]}
    vary = {"strategy.population": "4..30", "strategy.mutation.points": "1..9"}
    found = tune(
        "maze-long",
        vary=vary,
        population=6,
        generations=8,
        size="12x12",
        seed=1,
        executor=1,
        settings=changes,
    )
    assert found.best_score < 0
    assert found.best_score == max(
        scored_trial.score for population in found.history for scored_trial in population
    )


def test_a_set_that_ran_is_found_among_refused_ones_that_score_as_low() -> None:
    hopeless = {"generations": 1, "genotype.floor": 0.001, "strategy.mutation.rate": 0.0}
    found = tune(
        "dungeon",
        vary={"strategy.kill": "70..120"},
        population=8,
        generations=0,
        settings=hopeless,
        seed=1,
        executor=1,
    )
    assert found.best_score == -1
    assert found.best.outcome is not None


def test_a_worker_of_another_version_does_no_work() -> None:
    with pytest.raises(
        LevolveError, match=f"expected workers with levolve 0.0.1, got one with {VERSION}"
    ):
        run_trial(find_recipe("dungeon").to_data(), (1,), "0.0.1")


def test_a_restored_study_proposes_and_keeps_the_same_trials() -> None:
    recipe = find_recipe("dungeon-meta")
    whole, stopped, resumed = (SourceStudy(recipe, SCHEME, 7) for _ in range(3))

    def score(trials: Sequence[Trial]) -> list[ScoredTrial]:
        return [scored(trial, float(trial.individual * 7 % 5) - 1) for trial in trials]

    for _ in range(5):
        whole.tell(score(whole.propose()))
    for _ in range(2):
        stopped.tell(score(stopped.propose()))
    resumed.restore(stopped.state())
    for _ in range(3):
        resumed.tell(score(resumed.propose()))
    assert [one.to_data() for one in resumed.population] == [
        one.to_data() for one in whole.population
    ]
    assert (resumed.generation, resumed.evaluations) == (whole.generation, whole.evaluations)
    assert resumed.best is not None
    assert whole.best is not None
    assert resumed.best.to_data() == whole.best.to_data()
