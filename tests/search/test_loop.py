"""The one loop: limits, exact budgets, reasons to end, and events as data."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from levolve.core.errors import InputError
from levolve.recipes.recipe import Recipe, find_recipe
from levolve.search.fused import begin_search
from levolve.search.genotypes.gene_space import Genes
from levolve.search.loop import GenerationScored, Limits, SearchEnded, advance
from levolve.search.problem import Evaluation
from levolve.search.search import Generations, Search
from levolve.search.strategies import STRATEGIES

MAZE = find_recipe("maze").changed({"size": "9x8"})


def recipe_with(strategy: str) -> Recipe:
    population = (
        {"strategy.strategy.population": 15, "strategy.islands": 2}
        if strategy == "islands"
        else {"strategy.population": 30}
    )
    settings: dict[str, Any] = {"strategy.kind": strategy, **population}
    if strategy == "truncation":
        settings |= {"strategy.kill": 15, "strategy.mutate": 6, "strategy.couple": 6}
    return MAZE.changed(settings)


def begin(strategy: str, seed: int = 1) -> Search:
    recipe = recipe_with(strategy)
    return begin_search(recipe.problem, recipe.parts[2], seed, 100)


def begin_plainly(strategy: str) -> Search:
    """Start the strategy's own search: a fused one evaluates most individuals itself."""
    recipe = recipe_with(strategy)
    return (
        recipe.parts[2]
        .fitted(recipe.problem)
        .search(recipe.problem.space, recipe.problem.start, 1, 100)
    )


class Counting:
    """Evaluates, and counts what it was asked for."""

    def __init__(self, strategy: str) -> None:
        self.problem = recipe_with(strategy).problem
        self.count = 0

    def __call__(self, genes: Genes) -> Evaluation:
        self.count += len(genes)
        return self.problem.evaluate(genes)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    "limits",
    [Limits(80), Limits(0), Limits(80, evaluations=700), Limits(80, goal=24.0), Limits(80, idle=1)],
    ids=str,
)
def test_a_search_finished_at_once_records_what_the_events_say(
    strategy: str, limits: Limits
) -> None:
    evaluate = recipe_with(strategy).problem.evaluate
    watched, finished = begin(strategy), begin(strategy)
    *events, last = advance(watched, evaluate, limits)
    *several, ended = advance(finished, evaluate, limits, events=False)
    assert ended == last
    done = [generations for generations in several if isinstance(generations, Generations)]
    assert len(done) == len(several)
    rows = [row for one in done for row in zip(one.best, one.mean, one.evaluations, strict=True)]
    assert rows == [
        (event.best, event.mean, event.evaluations)
        for event in events
        if isinstance(event, GenerationScored)
    ]
    improved = [
        (event.generation, event.best)
        for event in events
        if isinstance(event, GenerationScored) and event.improved
    ]
    improvements = [improvement for one in done for improvement in one.improvements]
    assert [(generation, score) for generation, score, _ in improvements] == improved
    assert [evaluate(genes[np.newaxis]).scores[0] for _, _, genes in improvements] == [
        score for _, score in improved
    ]
    assert finished.idle == watched.idle
    assert np.array_equal(finished.genes, watched.genes)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("budget", [1, 29, 30, 31, 190, 1900])
def test_a_budget_is_used_exactly_and_nothing_more_is_evaluated(strategy: str, budget: int) -> None:
    search, evaluate = begin_plainly(strategy), Counting(strategy)
    *_, ended = advance(search, evaluate, Limits(evaluations=budget))
    assert search.evaluations == evaluate.count == budget
    fused = begin(strategy)
    list(advance(fused, evaluate, Limits(evaluations=budget)))
    assert fused.evaluations == budget
    assert ended == SearchEnded("evaluations", search.best_score, budget)
    # An archive has as many individuals as cells with one.
    assert len(search.genes) == len(search.scores)
    assert strategy == "map_elites" or len(search.genes) == min(budget, 30)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("cut", [1, 7, 29])
def test_a_search_goes_on_after_a_start_that_was_cut(strategy: str, cut: int) -> None:
    first, evaluate = begin(strategy), Counting(strategy)
    list(advance(first, evaluate, Limits(evaluations=cut)))
    search = begin(strategy)
    search.restore(first.state())
    list(advance(search, evaluate, Limits(generations=20)))
    assert strategy == "map_elites" or len(search.genes) == 30
    np.testing.assert_array_equal(evaluate.problem.evaluate(search.genes).scores, search.scores)
    assert search.best_score >= first.best_score


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_no_part_of_a_cut_generation_is_lost(strategy: str) -> None:
    budget = 95
    search, seen, problem = begin(strategy, 2), [-np.inf], recipe_with(strategy).problem

    def evaluate(genes: Genes) -> Evaluation:
        evaluation = problem.evaluate(genes)
        # The very last individual of the budget is the best of all.
        if search.evaluations + len(genes) == budget:
            evaluation = replace(evaluation, scores=np.append(evaluation.scores[:-1], 1000.0))
        seen.extend(evaluation.scores)
        return evaluation

    list(advance(search, evaluate, Limits(evaluations=budget)))
    assert search.best_score == max(seen) == 1000
    best = int(search.scores.argmax())
    assert search.scores[best] == 1000
    assert np.array_equal(search.genes[best], search.best_genes)  # type: ignore[arg-type]


def test_a_cut_population_holds_the_best_of_parents_and_evaluated_children() -> None:
    search = begin("generational")
    search.ask()
    search.tell(np.arange(30.0))
    parents, children = search.genes.copy(), search.ask()[:4].copy()
    search.tell([100.0, -5.0, 15.5, 29.0])
    assert search.scores.tolist() == [100, 29, 29, *range(28, 15, -1), 15.5, *range(15, 2, -1)]
    assert np.array_equal(search.genes[0], children[0])
    assert np.array_equal(search.genes[1], parents[29]), "of equals the older comes first"
    assert np.array_equal(search.genes[2], children[3])


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_limits_end_a_search_with_their_reason(strategy: str) -> None:
    def reason(limits: Limits, stop: Callable[[], bool] = lambda: False) -> tuple[str, int]:
        search = begin(strategy)
        *events, ended = advance(search, recipe_with(strategy).problem.evaluate, limits, stop)
        assert isinstance(ended, SearchEnded)
        return ended.reason, len(events)

    assert reason(Limits(generations=7)) == ("generations", 8)
    assert reason(Limits(generations=0)) == ("generations", 1)
    assert reason(Limits(generations=50, goal=0.0)) == ("goal", 1)
    answers = iter([False, False, True])
    assert reason(Limits(generations=50), lambda: next(answers)) == ("stopped", 2)


@pytest.mark.parametrize("limits", [Limits(5), Limits(evaluations=53), Limits(9, goal=8.0)])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_search_without_events_ends_like_one_with_events(strategy: str, limits: Limits) -> None:
    one, other = begin(strategy), begin(strategy)
    problem = recipe_with(strategy).problem
    *_, ended = advance(one, problem.evaluate, limits)
    *_, without_events = advance(other, problem.evaluate, limits, events=False)
    assert without_events == ended
    assert other.generation == one.generation
    assert np.array_equal(other.genes, one.genes)


def test_a_search_that_proposes_nothing_new_is_idle() -> None:
    still = MAZE.changed(
        {"strategy.crossover.rate": 0.0, "strategy.mutation": {"kind": "uniform", "rate": 0.0}}
    )
    search = still.parts[2].search(still.problem.space, still.problem.start, 1, 10)
    *events, ended = advance(search, still.problem.evaluate, Limits(evaluations=10_000, idle=25))
    assert isinstance(ended, SearchEnded)
    assert (ended.reason, ended.evaluations) == ("idle", 120)
    assert len(events) == 26


def test_events_are_plain_data() -> None:
    events = list(advance(begin("steady_state"), MAZE.problem.evaluate, Limits(generations=1)))
    assert isinstance(events[0], GenerationScored)
    assert [json.loads(json.dumps(event.to_data()))["event"] for event in events] == [
        "generation",
        "generation",
        "ended",
    ]
    assert events[0].to_data() == {
        "event": "generation",
        "generation": 0,
        "best": events[0].best,
        "mean": events[0].mean,
        "evaluations": 30,
        "improved": True,
    }


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        (np.zeros(31), "expected one for each of the 30 individuals"),
        (np.zeros((2, 15)), "got shape"),
        ([], "got shape"),
        ([1.0, np.nan], "got NaN for individual 1"),
    ],
)
def test_scores_that_do_not_fit_are_refused(scores: Any, words: str) -> None:
    search = begin("generational")
    search.ask()
    with pytest.raises(InputError, match=words):
        search.tell(scores)


def test_a_state_that_lacks_something_is_refused() -> None:
    search = begin("generational")
    state = search.state()
    del state["idle"]
    with pytest.raises(InputError, match="state: expected idle in it"):
        search.restore(state)
