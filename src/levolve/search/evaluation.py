"""Evaluation on any executor: a batch is split among the workers if its measured cost justifies it.

`Memory`: evaluations by content, so that a slow function is not asked twice about the same content.
"""

from __future__ import annotations

import os
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from hashlib import blake2b
from pickle import PicklingError
from typing import TYPE_CHECKING, Any

import numpy as np

from levolve.core.errors import EvaluationError
from levolve.search.problem import Evaluation, Problem

if TYPE_CHECKING:
    from levolve.search.genotypes.gene_space import Genes

# About 200 bytes each.
MOST = 200_000


class Memory:
    """The evaluations of the contents evaluated last, at most `most` of them.

    It does not change any result, because an individual's evaluation depends on its content only.
    It is not part of a run's state: a resumed run begins with an empty memory.
    """

    def __init__(self, most: int = MOST) -> None:
        """Start with nothing remembered."""
        self.most = most
        # How many individuals were evaluated, and how many were remembered instead.
        self.asked = 0
        self.remembered = 0
        self._known: OrderedDict[bytes, tuple[Any, ...]] = OrderedDict()

    def evaluate(
        self,
        genes: Genes,
        keys: Sequence[bytes],
        features: Sequence[str],
        evaluate: Callable[[Genes], Evaluation],
    ) -> Evaluation:
        """Return the evaluation of n individuals, of which only those with unknown contents are
        given to `evaluate`, each content once.

        Parameters
        ----------
        genes
            `(n, ...)`.
        keys
            The content of each individual as bytes.
        features
            The names of the features that an evaluation contains.
        evaluate
            Evaluates the genes of some of the individuals.
        """
        digests = [blake2b(key, digest_size=16).digest() for key in keys]
        missing: dict[bytes, int] = {}
        for position, digest in enumerate(digests):
            if digest not in self._known:
                missing.setdefault(digest, position)
        found: dict[bytes, tuple[Any, ...]] = {}
        positions = list(missing.values())
        if positions:
            try:
                new = evaluate(genes[positions])
            except EvaluationError as problem:
                raise problem.at(lambda position: positions[position]) from problem
            columns = [new.scores, *(new.features[name] for name in features)]
            found = dict(zip(missing, zip(*columns, strict=True), strict=True))
        self.asked += len(positions)
        self.remembered += len(keys) - len(positions)
        rows = [found[digest] if digest in found else self._known[digest] for digest in digests]
        for digest, row in zip(digests, rows, strict=True):
            self._known[digest] = row
            self._known.move_to_end(digest)
        while len(self._known) > self.most:
            self._known.popitem(last=False)
        scores, *others = zip(*rows, strict=True)
        return Evaluation(
            np.array(scores, np.float64),
            {name: np.array(column) for name, column in zip(features, others, strict=True)},
        )


# The minimum work, in seconds, for a task of a thread, and for a task of a worker that receives the
# genes by pickling.
THREAD_SECONDS = 0.0002
PROCESS_SECONDS = 0.005


def evaluate(problem: Problem, genes: Genes) -> Evaluation:
    """Evaluate some individuals of a problem: a unit of work for any thread, process or machine."""
    return problem.evaluate(genes)


class ParallelEvaluator:
    """Evaluates the individuals of a problem on the workers of an executor. The result does not
    depend on how they are split.

    The cost of an individual is measured with each batch; for the first batch, the first individual
    is measured.
    """

    def __init__(self, problem: Problem, executor: Executor) -> None:
        """Start without a measured cost, and with nothing remembered."""
        self.problem = problem
        self.executor = executor
        self._workers = worker_count(executor)
        self._worth = (
            THREAD_SECONDS if isinstance(executor, ThreadPoolExecutor) else PROCESS_SECONDS
        )
        self._seconds: float | None = None
        self.memory = Memory()

    def __call__(self, genes: Genes) -> Evaluation:
        """Evaluate `(n, ...)` genes. Problems whose evaluations are remembered are asked about each
        content once.
        """
        keys = self.problem.keys(genes)
        if keys is None or not len(genes):
            return self._spread(genes)
        return self.memory.evaluate(genes, keys, self.problem.features, self._spread)

    @property
    def threads(self) -> int:
        """The number of workers that are threads of this process; 1 if they are something else."""
        return self._workers if isinstance(self.executor, ThreadPoolExecutor) else 1

    def _spread(self, genes: Genes) -> Evaluation:
        if self._workers == 1 or len(genes) <= 1:
            return self.problem.evaluate(genes)
        if self._seconds is None:
            first = self._timed(genes[:1])
            try:
                return Evaluation.joined([first, self._spread(genes[1:])])
            except EvaluationError as problem:
                raise problem.at(lambda position: position + 1) from problem
        parts = min(self._workers, int(len(genes) * self._seconds / self._worth))
        if parts <= 1:
            return self._timed(genes)
        began = time.perf_counter()
        split = list(slices(len(genes), parts))
        tasks = [self.executor.submit(evaluate, self.problem, genes[part]) for part in split]
        evaluation = Evaluation.joined(
            [_result(task, part.start) for task, part in zip(tasks, split, strict=True)]
        )
        # An upper bound, which corrects a first measurement that included the loading of kernels.
        self._seconds = min(self._seconds, (time.perf_counter() - began) * parts / len(genes))
        return evaluation

    def _timed(self, genes: Genes) -> Evaluation:
        began = time.perf_counter()
        evaluation = self.problem.evaluate(genes)
        self._seconds = (time.perf_counter() - began) / len(genes)
        return evaluation


def _result(task: Future[Evaluation], first: int) -> Evaluation:
    """Return the result of a task that evaluates the individuals from `first` on."""
    try:
        return task.result()
    except EvaluationError as problem:
        raise problem.at(lambda position: first + position) from problem
    except (PicklingError, AttributeError) as problem:
        # Functions defined inside others, and lambdas, have no name by which another process could
        # find them.
        if "pickle" not in str(problem):
            raise
        raise EvaluationError(
            "objective: expected a function that other processes can import, defined at the top "
            f"of a module: {problem}; or use threads"
        ) from problem


def worker_count(executor: Executor | None) -> int:
    """Return the number of tasks that an executor runs at once: its attribute `workers`, the size
    of a standard pool, or one per core.
    """
    if executor is None:
        return 1
    for name in ("workers", "_max_workers"):
        count = getattr(executor, name, None)
        if isinstance(count, int) and count > 0:
            return count
    return core_count()


def core_count() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def slices(length: int, parts: int) -> Iterable[slice]:
    """Split `length` items into at most `parts` even slices."""
    parts = max(1, min(parts, length))
    return (slice(length * k // parts, length * (k + 1) // parts) for k in range(parts))
