"""The contract of strategies."""

import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.levels.batch import Batch
from levolve.levels.frame import ENTRANCE, EXIT, FREE, Frame
from levolve.search.genotypes.direct import Chromatic, Direct
from levolve.search.genotypes.gene_space import Genes, GeneSpace
from levolve.search.level_problem import LevelProblem
from levolve.search.loop import Limits, advance
from levolve.search.problem import Evaluation
from levolve.search.search import Search, Strategy
from levolve.testing.genotypes import accepts, need


@dataclass(frozen=True)
class _Sum:
    """A score to test strategies with: the sum of the kinds of tiles, or its negative. Columns have
    different weights, so that it is no measure.
    """

    sign: float = 1.0
    goal: float | None = None

    def score(self, batch: Batch) -> NDArray[np.float64]:
        columns = np.arange(1, batch.frame.width + 1)
        return np.asarray(self.sign * (batch.tiles * columns).sum(axis=(1, 2)), np.float64)


GENERATIONS = 8
SIZE = (9, 8)
Evaluator = Callable[[Genes], Evaluation]


def check_strategy(strategy: Strategy) -> None:
    """Check that a search depends only on its seed and the scores, proposes valid genes, resumes
    exactly, and uses its budget exactly.

    The strategy is tested with bit genes and with number genes.
    """
    need(
        "a strategy can be sent to other processes",
        holds=pickle.loads(pickle.dumps(strategy)) == strategy,
    )
    width, height = SIZE
    for genotype, kept in ((Direct(fill=0.3), "#"), (Chromatic(), "G")):
        rows = (kept * 2 + FREE * (width - 2), *[FREE * width] * (height - 1))
        frame = Frame(width, height, {ENTRANCE: (4, 4), EXIT: (width - 1, height - 1)}, rows)
        problem = LevelProblem(genotype, _Sum(), frame, strategy.features)
        proposals = _check_proposals(strategy, problem)
        _check_seed(strategy, problem, proposals)
        _check_scores(strategy, problem, proposals)
        _check_neighbours(strategy, problem, proposals)
        _check_resuming(strategy, problem)
        _check_budget(strategy, problem)


def _begin(strategy: Strategy, problem: LevelProblem, seed: int = 3) -> Search:
    return strategy.fitted(problem).search(problem.space, problem.start, seed, GENERATIONS)


def _proposals(search: Search, evaluate: Evaluator, generations: int = GENERATIONS) -> list[bytes]:
    """Return the proposals of a search, one per generation."""
    found = []
    for _ in range(generations):
        found.append(search.ask().tobytes())
        search.tell(evaluate(search.ask()))
    return found


def _check_proposals(strategy: Strategy, problem: LevelProblem) -> list[bytes]:
    """Check each proposal, and how the search records it. Return the proposals."""
    search, space = _begin(strategy, problem), problem.space
    fixed = np.setdiff1d(np.arange(space.length), space.free_genes)
    found, scores = [], [-np.inf]
    evaluated = 0
    for generation in range(GENERATIONS):
        genes = search.ask()
        need("proposed genes are in the range of their space", holds=accepts(space, genes))
        need(
            "genes that are not free do not change",
            holds=len(fixed) == 0 or _same_fixed(space, genes, problem.start(3, 0, 1)),
        )
        before = genes.copy()
        need(
            "ask returns the same genes until tell is called",
            holds=np.array_equal(search.ask(), before),
        )
        evaluation = problem.evaluate(genes)
        search.tell(evaluation)
        evaluated += len(genes)
        scores += evaluation.scores.tolist()
        found.append(before.tobytes())
        need("a search counts its generations", holds=search.generation == generation + 1)
        need("a search counts its evaluations", holds=search.evaluations == evaluated)
        need(
            "the best score is the highest score passed to tell",
            holds=search.best_score == max(scores),
        )
        best = search.best_genes
        need(
            "the best genes have the best score",
            holds=best is not None
            and problem.evaluate(best[np.newaxis]).scores[0] == search.best_score,
        )
        population = problem.evaluate(search.genes).scores
        need(
            "the population has the scores of its genes",
            holds=np.array_equal(population, search.scores),
        )
    return found


def _same_fixed(space: GeneSpace, genes: Genes, start: Genes) -> bool:
    """Whether the genes that are not free equal those of a start: packed genes by words, numbers
    one by one.
    """
    if genes.dtype == np.uint64 and genes.shape[1] == space.words:
        return not np.any((genes ^ start) & ~space.free)
    return np.array_equal(
        np.delete(genes, space.free_genes, axis=1),
        np.tile(np.delete(start, space.free_genes, axis=1), (len(genes), 1)),
    )


def _check_seed(strategy: Strategy, problem: LevelProblem, proposals: list[bytes]) -> None:
    again = _proposals(_begin(strategy, problem), problem.evaluate)
    need("the same seed gives the same proposals", holds=again == proposals)
    need(
        "the first proposals depend on the seed",
        holds=_begin(strategy, problem, 4).ask().tobytes() != proposals[0],
    )

    def alike(_: int, generation: int, count: int) -> Genes:
        return problem.start(3, generation, count)

    other = _proposals(
        strategy.fitted(problem).search(problem.space, alike, 4, GENERATIONS), problem.evaluate
    )
    need("offspring of the first generation depend on the seed", holds=other[1:] != proposals[1:])


def _check_scores(strategy: Strategy, problem: LevelProblem, proposals: list[bytes]) -> None:
    opposite = LevelProblem(problem.genotype, _Sum(-1.0), problem.frame, problem.features)
    search = _begin(strategy, opposite)
    depends = _proposals(search, opposite.evaluate)[1:] != proposals[1:]
    if not strategy.follows_scores:
        need(
            "proposals of a strategy that does not follow scores do not depend on them",
            holds=not depends,
        )
        return
    need("proposals depend on the scores", holds=depends)
    higher, lower = _begin(strategy, problem), _begin(strategy, opposite)
    _proposals(higher, problem.evaluate, 5 * GENERATIONS)
    _proposals(lower, opposite.evaluate, 5 * GENERATIONS)
    need(
        "higher scores are preferred",
        holds=bool(
            problem.evaluate(higher.genes).scores.mean()
            > problem.evaluate(lower.genes).scores.mean()
        ),
    )


def _check_neighbours(strategy: Strategy, problem: LevelProblem, proposals: list[bytes]) -> None:
    """Check that nothing depends on how a batch is evaluated or on other searches at the same
    time.
    """
    with ThreadPoolExecutor(2) as pool:

        def split(genes: Genes) -> Evaluation:
            parts = [genes[first : first + 7] for first in range(0, len(genes), 7)] or [genes]
            tasks = [pool.submit(problem.evaluate, part) for part in reversed(parts)]
            return Evaluation.joined([task.result() for task in reversed(tasks)])

        first, second, other = (
            _begin(strategy, problem),
            _begin(strategy, problem),
            _begin(strategy, problem, 4),
        )
        found: tuple[list[bytes], list[bytes]] = ([], [])
        for _ in range(GENERATIONS):
            for search, list_ in ((first, found[0]), (second, found[1])):
                list_.append(search.ask().tobytes())
                other.ask()
                search.step(split)
            other.step(problem.evaluate)
    need(
        "a search does not depend on how its batches are evaluated, nor on other searches",
        holds=found == (proposals, proposals),
    )


def _check_resuming(strategy: Strategy, problem: LevelProblem) -> None:
    """Check that a search restored from its state at any generation, also between ask and tell,
    continues exactly.
    """
    straight = _begin(strategy, problem)
    expected = _proposals(straight, problem.evaluate)
    for stop in range(GENERATIONS + 1):
        for asked in (False, True):
            stopped = _begin(strategy, problem)
            _proposals(stopped, problem.evaluate, stop)
            if asked:
                stopped.ask()
            state = stopped.state()
            need(
                "a state consists of plain numbers, strings, arrays, lists and tables",
                holds=_is_plain(state),
            )
            stored = pickle.dumps(state)
            _proposals(stopped, problem.evaluate, GENERATIONS - stop)
            need(
                "a state does not change while its search continues",
                holds=pickle.dumps(state) == stored,
            )
            resumed = _begin(strategy, problem)
            resumed.restore(pickle.loads(stored))
            need(
                "a restored search proposes the same",
                holds=_proposals(resumed, problem.evaluate, GENERATIONS - stop) == expected[stop:],
            )
            need(
                "a restored search ends in the same state",
                holds=_same(resumed.state(), straight.state()),
            )


def _is_plain(value: object) -> bool:
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_plain(part) for key, part in value.items())
    if isinstance(value, list | tuple):
        return all(_is_plain(part) for part in value)
    return (
        value is None
        or isinstance(value, bool | int | float | str | np.generic)
        or (isinstance(value, np.ndarray) and value.dtype.kind in "biuf")
    )


def _same(first: Any, second: Any) -> bool:
    if isinstance(first, dict):
        return (
            isinstance(second, dict)
            and first.keys() == second.keys()
            and all(_same(first[key], second[key]) for key in first)
        )
    if isinstance(first, list | tuple):
        return len(first) == len(second) and all(
            _same(*pair) for pair in zip(first, second, strict=True)
        )
    return bool(np.array_equal(first, second))


def _check_budget(strategy: Strategy, problem: LevelProblem) -> None:
    """Check that a search uses its budget of evaluations exactly, wherever that cuts a
    generation.
    """
    population = len(_begin(strategy, problem).ask())
    for budget in (
        1,
        population - 1,
        population,
        population + 1,
        2 * population + 1,
        3 * population + population // 2,
    ):
        evaluated = 0

        def counted(genes: Genes) -> Evaluation:
            nonlocal evaluated
            evaluated += len(genes)
            return problem.evaluate(genes)

        if budget < 1:
            continue
        search = _begin(strategy, problem)
        for _ in advance(search, counted, Limits(evaluations=budget, idle=1000)):
            pass
        need("a search never evaluates more than its budget", holds=evaluated <= budget)
        need("a search uses up its budget", holds=evaluated == budget)
        need("a search counts the evaluations of a budget", holds=search.evaluations == budget)
        need(
            "a cut generation leaves a population with its scores",
            holds=np.array_equal(problem.evaluate(search.genes).scores, search.scores),
        )
