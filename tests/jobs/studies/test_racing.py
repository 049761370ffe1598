"""Meta-evolution by races: who is run how often on which seeds, what a final is, and that luck is
not rewarded.
"""

import json
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from typing import Any

import numpy as np
import pytest

from levolve.core.errors import InputError, LevolveError
from levolve.core.events import Event
from levolve.jobs.runs.run import Run
from levolve.jobs.studies.racing import RacingStudy
from levolve.jobs.studies.rank_tests import rank_pairs
from levolve.jobs.studies.study import ScoredTrial, Study, Trial, TrialEvaluator, TrialOutcome
from levolve.jobs.studies.tune import TrialFinished, begin_study, tune
from levolve.jobs.studies.tuning import Tuning
from levolve.recipes.recipe import find_recipe
from levolve.recipes.schemes import RaceScheme, Scheme, SourceScheme
from levolve.recipes.search_space import Settings
from levolve.search.loop import Limits, advance

RECIPE = find_recipe("dungeon-race")
SMALL = {
    "meta.start": 12,
    "meta.final_runs": 12,
    "meta.elites": 4,
    "meta.finalists": 3,
    "generations": 6,
}
QUICK: dict[str, Any] = {
    "population": 8,
    "generations": 3,
    "size": "6x6",
    "settings": SMALL,
    "seed": 3,
}
SCHEME = RaceScheme(
    population=16,
    generations=4,
    start=32,
    fresh=2,
    elites=4,
    finalists=3,
    runs=4,
    growth=1.5,
    final_runs=30,
)
NOISE, COST = 6.0, 100


def height_of(settings: Settings) -> float:
    """A smooth hill of settings: what a set is truly worth."""
    return (
        100
        - 150 * abs(float(settings["genotype.floor"]) - 0.7)
        - 100 * abs(float(settings["strategy.mutation.rate"]) - 0.1)
    )


class Hill:
    """Evaluates trials on the hill, with noise that depends on the seed and the set alone, and
    records the seeds of every set.
    """

    def __init__(self, study: Study, noise: float = NOISE) -> None:
        self.study, self.noise = study, noise
        self.seeds: dict[str, list[int]] = {}

    def __call__(self, trials: Sequence[Trial]) -> list[ScoredTrial]:
        return [ScoredTrial(trial, self.outcome(trial)) for trial in trials]

    def outcome(self, trial: Trial) -> TrialOutcome:
        seeds = self.study.seeds_of(trial)
        self.seeds.setdefault(name_of(trial), []).extend(seeds)
        scores = tuple(self.score(trial, seed) for seed in seeds)
        return TrialOutcome(scores, COST * len(scores), np.zeros(1, np.uint64))

    def score(self, trial: Trial, seed: int) -> float:
        dice = np.random.default_rng([seed, int(trial.settings["genotype.floor"] * 2**50)])
        return height_of(trial.settings) + self.noise * float(dice.normal())


def without_events(evaluate: Callable[[Sequence[Trial]], list[ScoredTrial]]) -> TrialEvaluator:
    def evaluator(trials: Sequence[Trial]) -> Generator[Event, None, list[ScoredTrial]]:
        yield from ()
        return evaluate(trials)

    return evaluator


def name_of(trial: Trial) -> str:
    return json.dumps(trial.settings, sort_keys=True)


def climb(
    scheme: Scheme, seed: int, evaluations: float | None = None, evaluator: type[Hill] = Hill
) -> tuple[Study, Hill]:
    """A complete study on the hill."""
    study = begin_study(RECIPE, scheme, seed)
    hill = evaluator(study)
    for _ in advance(
        study,
        without_events(hill),
        Limits(study.rounds - 1, evaluations),
        lambda: study.is_complete,
    ):
        pass
    return study, hill


@pytest.fixture(scope="module")
def found() -> Tuning:
    return tune("dungeon-race", executor=1, **QUICK)


def test_two_threads_find_what_one_finds(found: Tuning) -> None:
    again = tune("dungeon-race", executor=2, **QUICK)
    assert again.to_data() | {"seconds": 0} == found.to_data() | {"seconds": 0}
    assert tune("dungeon-race", executor=1, **QUICK | {"seed": 4}).digest != found.digest


def test_the_best_set_scores_what_its_runs_in_the_final_score(found: Tuning) -> None:
    assert found.recipe.name == "dungeon-tuned"
    assert found.best.outcome is not None
    assert found.judged_by == len(found.best.outcome.scores) == 12
    study = RacingStudy(found.source, SCHEME, found.seed)
    study.final = [found.best]
    study._seeds = {found.best.trial: range(found.judged_by)}
    assert found.best.outcome.scores == tuple(
        Run(found.recipe, seed).finish().best_score for seed in study.seeds_of(found.best.trial)
    )
    assert found.fresh.shape == found.untuned.shape == (RaceScheme.fresh_runs,)


def test_the_result_has_the_finalists_and_a_rank_test_for_each(found: Tuning) -> None:
    data = json.loads(json.dumps(found.to_data()))
    assert (data["scheme"], data["judged_by"]) == ("race", 12)
    assert data["finalists"][0]["settings"] == data["settings"]
    assert [{pair["first"], pair["second"]} for pair in data["final_tests"]] == [
        {"1", str(place)} for place in range(2, len(found.finalists) + 1)
    ]
    assert {data["test"]["first"], data["test"]["second"]} == {"tuned", "original"}
    low, high = (data["fresh_mean"] + sign * data["fresh_half_width"] for sign in (-1, 1))
    assert found.fresh.min() < low < data["fresh_mean"] < high < found.fresh.max()


def test_survivors_are_run_again_on_new_seeds_and_judged_by_all_their_runs() -> None:
    study = RacingStudy(RECIPE, SCHEME, 1)
    hill = Hill(study)
    for _ in range(SCHEME.rounds_in(0) + SCHEME.rounds_in(1)):
        study.tell(hill(study.propose()))
    assert study.race == 2
    for elite in study.elites:
        assert elite.outcome is not None
        seeds = hill.seeds[name_of(elite.trial)]
        assert len(set(seeds)) == len(seeds) == len(elite.outcome.scores) == SCHEME.runs_in(1)
        assert elite.score == pytest.approx(
            sum(hill.score(elite.trial, seed) for seed in seeds) / len(seeds)
        )
    longest = max(hill.seeds.values(), key=len)
    assert all(seeds == longest[: len(seeds)] for seeds in hill.seeds.values()), (
        "all sets are compared on the same seeds"
    )


def test_weak_sets_stop_early() -> None:
    study = RacingStudy(RECIPE, SCHEME, 1)
    hill = Hill(study, noise=0)
    for _ in range(SCHEME.rounds_in(0)):
        study.tell(hill(study.propose()))
    assert Counter(len(seeds) for seeds in hill.seeds.values()) == {1: 16, 2: 8, 4: 8}
    heights = {name: height_of(json.loads(name)) for name in hill.seeds}
    assert max(heights[name] for name, seeds in hill.seeds.items() if len(seeds) == 1) < min(
        heights[name] for name, seeds in hill.seeds.items() if len(seeds) > 1
    )


def test_no_set_is_proposed_twice_even_where_there_are_few() -> None:
    few = find_recipe("dungeon").changed(
        {"vary": {"strategy.kill": [80, 82, 84], "strategy.mutation.rate": [0.01, 0.02]}}
    )
    study = RacingStudy(few, SCHEME, 1)
    proposed: list[str] = []

    def score(trials: Sequence[Trial]) -> list[ScoredTrial]:
        proposed.extend(
            name_of(trial)
            for trial in trials
            if not study.final and len(study.seeds_of(trial)) == 1
        )
        return [
            ScoredTrial(
                trial, TrialOutcome((1.0,) * len(study.seeds_of(trial)), 1, np.zeros(1, np.uint64))
            )
            for trial in trials
        ]

    for _ in advance(
        study, without_events(score), Limits(study.rounds - 1), lambda: study.is_complete
    ):
        pass
    first_round = proposed[:6]
    assert len(set(first_round)) == 6
    assert set(proposed) == set(first_round), "six sets are all there are"
    assert study.is_complete


def test_the_final_is_run_on_seeds_of_its_own_and_halves_to_two() -> None:
    study, hill = climb(SCHEME, 5)
    assert isinstance(study, RacingStudy)
    assert [0 if one.outcome is None else len(one.outcome.scores) for one in study.finalists] == [
        30,
        30,
        15,
    ]
    finalists = {name_of(one.trial) for one in study.finalists}
    raced = {seed for name, seeds in hill.seeds.items() if name not in finalists for seed in seeds}
    raced |= {seed for name in finalists for seed in hill.seeds[name][:1]}
    for one in study.finalists:
        assert one.outcome is not None
        last = hill.seeds[name_of(one.trial)][-len(one.outcome.scores) :]
        assert raced.isdisjoint(last)
        assert one.outcome.scores == tuple(hill.score(one.trial, seed) for seed in last)
    assert study.best is study.finalists[0]
    assert study.finalists[0].score >= study.finalists[1].score


@pytest.fixture(scope="module")
def whole() -> Study:
    """A race from its start to its end."""
    return climb(SCHEME, 7)[0]


@pytest.mark.parametrize("stop", range(1, SCHEME.rounds))
def test_a_restored_race_ends_with_the_same_result(whole: Study, stop: int) -> None:
    stopped, resumed = RacingStudy(RECIPE, SCHEME, 7), RacingStudy(RECIPE, SCHEME, 7)
    for _ in range(stop):
        stopped.tell(Hill(stopped)(stopped.propose()))
    resumed.restore(stopped.state())
    for _ in advance(
        resumed,
        without_events(Hill(resumed)),
        Limits(resumed.rounds - 1),
        lambda: resumed.is_complete,
    ):
        pass
    assert json.dumps(plain(resumed.state())) == json.dumps(plain(whole.state()))


def plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [plain(part) for part in value]
    return value.tolist() if isinstance(value, np.ndarray) else value


@pytest.mark.parametrize("budget", [10_000, 30_000, 100_000])
def test_a_budget_of_evaluations_includes_the_final(budget: int) -> None:
    study, _ = climb(SCHEME.adjusted(generations=1000), 2, budget)
    assert study.is_complete
    assert 0.75 * budget < study.evaluations <= budget


def test_a_state_of_another_kind_is_refused() -> None:
    with pytest.raises(InputError, match="state: expected contenders, elites, final"):
        RacingStudy(RECIPE, SCHEME, 1).restore(begin_study(RECIPE, SourceScheme(), 1).state())


class Gamble(Hill):
    """Sets with few floor tiles are wild: worse on average, but now and then higher than any
    other.
    """

    def score(self, trial: Trial, seed: int) -> float:
        dice = np.random.default_rng([seed, int(trial.settings["genotype.floor"] * 2**50)])
        return (
            80 + 15 * float(dice.normal()) if is_wild(trial.settings) else 90 + float(dice.normal())
        )


def is_wild(settings: Settings) -> bool:
    return bool(settings["genotype.floor"] < 0.5)


@pytest.mark.parametrize("seed", range(4))
def test_a_lucky_set_does_not_win_a_race_but_does_win_by_the_source_scheme(seed: int) -> None:
    race, source = (
        climb(SCHEME, seed, evaluator=Gamble)[0].best,
        climb(SourceScheme(generations=4), seed, evaluator=Gamble)[0].best,
    )
    assert race is not None
    assert source is not None
    assert not is_wild(race.settings)
    assert is_wild(source.settings)


def test_races_near_the_best_climb_higher_than_random_races() -> None:
    race = SCHEME.adjusted(generations=1000)

    def mean_height(scheme: Scheme) -> float:
        best = [climb(scheme, seed, 40_000)[0].best for seed in range(6)]
        return float(np.mean([height_of(one.settings) for one in best if one is not None]))

    assert mean_height(race) > mean_height(race.at_random()) + 1


def test_the_score_of_the_winner_is_not_inflated() -> None:
    def gap(scheme: Scheme) -> float:
        studies = [climb(scheme, seed, 20_000)[0] for seed in range(8)]
        return float(
            np.mean(
                [
                    study.best_score - height_of(study.best.settings)
                    for study in studies
                    if study.best is not None
                ]
            )
        )

    assert abs(gap(SCHEME)) < 2
    assert gap(SourceScheme(generations=1000)) > 5


def test_events_count_the_trials_and_name_the_leader() -> None:
    events: list[Event] = []
    found = tune("dungeon-race", executor=1, watch=events.append, **QUICK)
    finished = [event for event in events if isinstance(event, TrialFinished)]
    assert [event.trials for event in finished] == list(range(1, found.trials + 1))
    assert finished[-1].runs == found.runs
    assert finished[-1].evaluations == found.evaluations
    assert all(event.total >= event.trials for event in finished)
    assert all(event.best is not None for event in finished)


def test_the_time_ends_a_race_in_the_middle() -> None:
    long = SMALL | {"meta.start": 400, "generations": 400}
    short = tune(
        "dungeon-race", executor=2, budget="0.3s", **QUICK | {"generations": 1000, "settings": long}
    )
    assert short.trials < 400
    assert short.judged_by >= 1
    assert short.finalists == ()


def test_a_random_race_learns_nothing() -> None:
    scheme = SCHEME.at_random()
    study = RacingStudy(RECIPE, scheme, 1)
    hill = Hill(study, noise=0)
    for _ in range(scheme.rounds_in(0)):
        study.tell(hill(study.propose()))
    floors = sorted(
        trial.settings["genotype.floor"] for trial in study.ask() if trial.generation == 1
    )
    assert len(floors) == scheme.population
    assert floors[-1] - floors[0] > 0.7


def test_of_the_sets_near_the_elites_the_most_promising_are_run() -> None:
    def newcomers(screen: int) -> tuple[float, RacingStudy]:
        study = RacingStudy(RECIPE, SCHEME.model_copy(update={"screen": screen, "fresh": 0}), 1)
        hill = Hill(study, noise=0)
        for _ in range(SCHEME.rounds_in(0)):
            study.tell(hill(study.propose()))
        return float(
            np.mean([height_of(trial.settings) for trial in study.ask() if trial.generation == 1])
        ), study

    (screened, study), (plainly, _) = newcomers(5), newcomers(1)
    assert screened > plainly + 1
    proposed = [
        name
        for name in study.known
        if not isinstance(study.recipe_of(Trial(json.loads(name), 0, 0)), str)
    ]
    assert len(proposed) == SCHEME.start + SCHEME.population, (
        "a set that was not selected may be drawn again"
    )


def test_seeds_are_the_runs_of_the_first_round() -> None:
    scheme = SCHEME.adjusted(seeds=3)
    study = RacingStudy(RECIPE, scheme, 1)
    assert {len(study.seeds_of(trial)) for trial in study.ask()} == {3}
    assert scheme.runs_in(0) == 4


def test_settings_that_cannot_be_run_are_said_to_be_so() -> None:
    with pytest.raises(
        LevolveError,
        match=(
            r"none of the \d+ sets .* could be run; one was refused: strategy.kill: expected "
            r"fewer"
        ),
    ):
        tune(
            "dungeon",
            vary={"strategy.kill": "100..120"},
            settings={"meta": "race"},
            generations=0,
            executor=1,
        )


def test_the_plot_has_the_rounds(found: Tuning) -> None:
    assert (found._repr_png_() or b"").startswith(b"\x89PNG")


def test_rank_tests_against_one_sample_are_corrected_for_their_own_number() -> None:
    samples = {name: np.arange(8.0) + shift for name, shift in (("a", 9), ("b", 0), ("c", 3))}
    pairs = list(rank_pairs(samples, "a"))
    assert [(pair.first, pair.second) for pair in pairs] == [("a", "b"), ("a", "c")]
    everything = {(pair.first, pair.second): pair for pair in rank_pairs(samples)}
    assert all(everything[pair.first, pair.second].p == pair.p for pair in pairs)
    assert pairs[0].p_corrected == 2 * pairs[0].p < everything["a", "b"].p_corrected
