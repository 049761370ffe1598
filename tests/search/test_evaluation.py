"""Evaluation on any executor: the same result, and the work really goes there."""

from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest

import levolve
from levolve.jobs.executors import SerialExecutor, thread_pool
from levolve.recipes.recipe import find_recipe
from levolve.search.evaluation import ParallelEvaluator, core_count, worker_count
from levolve.search.genotypes.gene_space import Genes
from levolve.search.level_problem import LevelProblem
from levolve.search.problem import Evaluation
from oracles.objectives import SlowWalls

MAZE = find_recipe("maze").changed({"size": "8x8"})


class Recorder(Executor):
    """An executor of nobody's making, which follows `concurrent.futures.Executor` and knows no
    more.
    """

    def __init__(self) -> None:
        self.submitted: list[int] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.submitted.append(len(args[1]))
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def slow_problem() -> LevelProblem:
    return replace(MAZE.problem, objective=SlowWalls(), features=("walls",))


@pytest.mark.parametrize(
    "make",
    [lambda: ThreadPoolExecutor(3), lambda: ProcessPoolExecutor(2, get_context("spawn"))],
    ids=["threads", "processes"],
)
def test_standard_pools_get_the_work_and_give_the_same_result(make: Callable[[], Executor]) -> None:
    problem = slow_problem()
    genes = problem.start(1, 0, 40)
    with make() as executor:
        sent: list[int] = []
        submit = executor.submit

        def counted(work: Callable[..., Any], problem: LevelProblem, genes: Genes) -> Future[Any]:
            sent.append(len(genes))
            return submit(work, problem, genes)

        executor.submit = counted  # type: ignore[method-assign, assignment]
        evaluate = ParallelEvaluator(problem, executor)
        parallel = [evaluate(genes), evaluate(genes)]
    here = problem.evaluate(genes)
    for evaluation in parallel:
        assert np.array_equal(evaluation.scores, here.scores)
        assert np.array_equal(evaluation.features["walls"], here.scores.astype(int))
    assert sum(sent) == 39 + 40, "all but the first, by which the cost is measured"


def test_an_executor_of_unknown_size_gets_one_task_per_core() -> None:
    problem, executor = slow_problem(), Recorder()
    evaluate = ParallelEvaluator(problem, executor)
    evaluate(problem.start(1, 0, 61))
    if core_count() > 1:
        assert sum(executor.submitted) == 60
        assert len(executor.submitted) == min(core_count(), 12)


def test_cheap_batches_are_not_sent_anywhere() -> None:
    executor = Recorder()
    evaluate = ParallelEvaluator(MAZE.problem, executor)
    genes = MAZE.problem.start(1, 0, 30)
    MAZE.problem.evaluate(genes)  # kernels are loaded
    assert np.array_equal(evaluate(genes).scores, MAZE.problem.evaluate(genes).scores)
    executor.submitted.clear()
    for _ in range(3):
        evaluate(genes)
    assert executor.submitted == []


def test_workers_are_counted() -> None:
    with ThreadPoolExecutor(3) as pool, thread_pool(2) as ours:
        assert [
            worker_count(executor) for executor in (None, SerialExecutor(), pool, ours, Recorder())
        ] == [1, 1, 3, 2, core_count()]


def test_evaluations_join_in_order() -> None:
    parts = [
        Evaluation(np.array([1.0]), {"walls": np.array([4])}),
        Evaluation(np.array([3.0, 2.0]), {"walls": np.array([6, 5])}),
    ]
    whole = Evaluation.joined(parts)
    assert whole.scores.tolist() == [1, 3, 2]
    assert whole.features["walls"].tolist() == [4, 6, 5]


def test_evolve_pack_compare_and_tune_run_in_processes() -> None:
    tuning: dict[str, Any] = {
        "recipe": "dungeon-meta",
        "population": 4,
        "generations": 1,
        "size": "5x5",
        "settings": {"generations": 3},
        "seed": 1,
    }
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        evolved = levolve.evolve("maze", size=(8, 8), seed=3, generations=4, executor=pool)
        packed = levolve.pack(
            "maze",
            size=(8, 8),
            count=3,
            seed=3,
            curve="easy..hard",
            settings={"generations": 20},
            executor=pool,
        )
        compared = levolve.compare(
            ["maze", "maze-barriers"], runs=2, evaluations=300, size="8x8", executor=pool
        )
        tuned = levolve.tune(**tuning, executor=pool)
    assert (
        evolved.digest
        == levolve.evolve("maze", size=(8, 8), seed=3, generations=4, executor=1).digest
    )
    assert (
        packed.digest
        == levolve.pack(
            "maze",
            size=(8, 8),
            count=3,
            seed=3,
            curve="easy..hard",
            settings={"generations": 20},
            executor=1,
        ).digest
    )
    again = levolve.compare(
        ["maze", "maze-barriers"], runs=2, evaluations=300, size="8x8", executor=1
    )
    assert [entrant.scores.tolist() for entrant in compared.entrants] == [
        entrant.scores.tolist() for entrant in again.entrants
    ]
    assert tuned.digest == levolve.tune(**tuning, executor=1).digest
