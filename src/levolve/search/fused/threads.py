"""Fused searches on several threads, with the same bytes: each executes the same kernel, and scores
its part of every generation.

Every thread repeats selection and breeding. This takes less time than scoring, and less than
fetching from another core what it has bred; see docs/performance.md. So threads exchange nothing
but scores.
"""

from __future__ import annotations

import time
from concurrent.futures import wait
from threading import Barrier, BrokenBarrierError
from typing import TYPE_CHECKING, Any

import numpy as np

from levolve.kernels.bits.thread_barrier import RELEASED, TOGETHER, gate
from levolve.search.evaluation import ParallelEvaluator
from levolve.search.fused.advance_many import ManyGenerations

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor, Future

    from numpy.typing import NDArray

    from levolve.kernels.bits.thread_barrier import Gate
    from levolve.search.genotypes.gene_space import Genes
    from levolve.search.search import Evaluator

    Scores = NDArray[np.float64]
    # What a search writes: populations, scores, and for each generation the number of new
    # individuals and the best of them.
    Buffers = tuple[Genes, Scores, NDArray[np.int64], NDArray[np.int64]]

# For a thread that works alone: nothing is exchanged.
_UNSHARED = np.empty((2, 1))
# Generations that take less, in seconds, are computed by one thread.
WORTH_SHARING = 0.0001
# How long to wait for the other threads to begin, in seconds: they may have other work.
PATIENCE = 0.005
# A team must be faster than one thread by this factor. The first calls load the kernel and fill new
# memory. The three after them are measured, and are short, because some of them are the slower way.
# It is measured again after some calls, because the machine may have other work at times.
GAIN = 1.1
FIRST_CALLS, CALLS_ALONE, CALLS_TOGETHER = 2, 8, 32
MEASURED = 3
MEASURED_SECONDS = 0.003


class TeamSearch(ManyGenerations):
    """A fused search whose kernel several threads execute together."""

    # The kernel and its settings, which a strategy defines.
    _kernel: Callable[..., None]
    _settings: tuple[Any, ...]
    _is_team = False
    # The calls before the next measurement.
    _waiting = FIRST_CALLS

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        """Start with nothing computed, and without other threads."""
        super().__init__(*arguments, **settings)
        self._copies: list[Buffers] = []
        # The seconds of a generation: alone, in a team, and alone again, because generations take
        # longer as paths grow.
        self._measured: list[float] = []

    def _longest(self, evaluate: Evaluator) -> float:
        """Return how long the next call may take, in seconds."""
        return (
            MEASURED_SECONDS
            if _members(evaluate) > 1 and not self._waiting
            else super()._longest(evaluate)
        )

    def _advance(self, genes: Genes, scores: Scores, room: int, evaluate: Evaluator) -> None:
        """Write the next generations to the buffers, together with the threads of `evaluate`, if
        that is faster.
        """
        members = _members(evaluate)
        if members > 1 and not self._waiting:
            self._measure(genes, scores, room, evaluate)
            return
        self._waiting = max(self._waiting - 1, 0)
        if members > 1 and self._is_team:
            self._advance_together(evaluate.executor, members, genes, scores, room)  # type: ignore[attr-defined]
        else:
            self._advance_alone(genes, scores, room)

    def _measure(self, genes: Genes, scores: Scores, room: int, evaluate: Evaluator) -> None:
        """Advance like `_advance`, and measure: in three calls, alone, together and alone. Then
        decide what the next calls do.
        """
        measured = self._measured
        if len(measured) == 1 and measured[0] > WORTH_SHARING:
            seconds = self._advance_together(
                evaluate.executor,  # type: ignore[attr-defined]
                _members(evaluate),
                genes,
                scores,
                room,
            )
        else:
            seconds = self._advance_alone(genes, scores, room)
        measured.append(seconds / room)
        if len(measured) == MEASURED:
            before, team, after = measured
            self._is_team = before > WORTH_SHARING and team * GAIN < (before + after) / 2
            self._waiting = CALLS_TOGETHER if self._is_team else CALLS_ALONE
            measured.clear()

    def _advance_alone(self, genes: Genes, scores: Scores, room: int) -> float:
        """Write the next generations to the buffers, and return the seconds it takes."""
        began = time.perf_counter()
        self._run(1, gate(), _UNSHARED, room, genes, scores, self._buffers(room))
        return time.perf_counter() - began

    def _advance_together(
        self, executor: Executor, members: int, genes: Genes, scores: Scores, room: int
    ) -> float:
        """Write the next generations to the buffers, and return the seconds it takes from when all
        threads have begun; infinity if they have not.

        The other threads write them to memory of their own, the last two at any time.
        """
        at, shared = gate(room), np.zeros((2, len(scores)))
        if len(self._copies) < members - 1:
            new = range(members - 1 - len(self._copies))
            self._copies += [
                (
                    np.empty((2, *genes.shape), np.uint64),
                    np.empty((2, len(scores))),
                    np.empty(2, np.int64),
                    np.empty(2, np.int64),
                )
                for _ in new
            ]

        began, together = 0.0, False

        def work(member: int, members: int) -> None:
            nonlocal began, together
            if member == 0:
                began, together = time.perf_counter(), members > 1
            self._run(
                members,
                at,
                shared,
                room,
                genes,
                scores,
                self._copies[member - 1] if member else self._buffers(room),
            )

        work_together(executor, members, at, work)
        return time.perf_counter() - began if together else np.inf

    def _buffers(self, room: int) -> Buffers:
        return self._populations[:room], self._all_scores[:room], self._found, self._winners

    def _run(
        self,
        members: int,
        at: Gate,
        shared: Scores,
        room: int,
        genes: Genes,
        scores: Scores,
        out: Buffers,
    ) -> None:
        """Execute the kernel as one of so many threads."""
        self._kernel(
            members,
            at,
            shared,
            np.uint64(self.seed),
            self.generation,
            room,
            *self._settings,
            genes,
            scores,
            *out,
        )


def _members(evaluate: Evaluator) -> int:
    """Return how many threads can compute a generation together."""
    return evaluate.threads if TOGETHER and isinstance(evaluate, ParallelEvaluator) else 1


def work_together(
    executor: Executor, members: int, at: Gate, work: Callable[[int, int], None]
) -> None:
    """Call `work(member, members)` for all members at once: in this thread, and in others of the
    executor.

    If the others do not begin soon, this thread does everything. `work` is a kernel whose parts
    wait for each other at the gate.
    """
    begin = Barrier(members)

    def join(member: int) -> None:
        try:
            begin.wait()
        except BrokenBarrierError:
            return
        try:
            work(member, members)
        except BaseException:
            at[:] = RELEASED
            raise

    tasks: list[Future[None]] = []
    try:
        for member in range(1, members):
            tasks.append(executor.submit(join, member))  # noqa: PERF401 an interrupt must not lose those that were submitted
        try:
            begin.wait(PATIENCE)
        except BrokenBarrierError:
            members = 1
        work(0, members)
    except BaseException:
        # An interrupt: the others wait no longer for this thread, and end.
        begin.abort()
        at[:] = RELEASED
        wait([task for task in tasks if not task.cancel()])
        raise
    for task in tasks:
        if not task.cancel():
            task.result()
