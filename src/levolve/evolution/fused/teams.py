"""Fused searches on several threads, with the same bytes: each executes the same kernel, and scores its part of every generation.

Selection and breeding are repeated by every thread. They take less time than scores, and less than it would take to fetch from another core what it
has selected and bred: on many machines half a microsecond for every 64 bytes. So threads exchange nothing but scores.
"""

from __future__ import annotations

import time
from threading import Barrier, BrokenBarrierError
from typing import TYPE_CHECKING, Any

import numpy as np

from levolve.evolution.evaluation import ParallelEvaluator
from levolve.evolution.fused.ahead import AheadSearch
from levolve.kernels.teams import RELEASED, TOGETHER, gate

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    from numpy.typing import NDArray

    from levolve.evolution.search import Evaluator
    from levolve.genotypes.genes import Genes
    from levolve.kernels.teams import Gate

    Scores = NDArray[np.float64]
    # What a search writes: populations, scores, and for each generation the number of new individuals and the best of them.
    Buffers = tuple[Genes, Scores, NDArray[np.int64], NDArray[np.int64]]

# For a thread that works alone: nothing is exchanged.
_UNSHARED = np.empty((2, 1))
# Generations that take less, in seconds, are computed by one thread.
WORTH_SHARING = 0.0001
# How long to wait for the other threads to begin, in seconds: they may have other work.
PATIENCE = 0.005
# A team must be faster than one thread by this factor, as measured once in so many calls: the machine may have other work.
GAIN = 1.1
CALLS = 32
# The first of these calls load the kernel and fill new memory. The three after them are measured, and short, because some of them are the slower way.
FIRST_MEASURED = 2
MEASURED = 3
MEASURED_SECONDS = 0.003


class TeamSearch(AheadSearch):
    """A fused search whose kernel several threads execute together."""

    # The kernel and its settings, which a strategy defines.
    _kernel: Callable[..., None]
    _settings: tuple[Any, ...]
    _call = 0
    _is_team = False
    # The seconds of a generation in the calls that are measured.
    _measured: tuple[float, ...] = ()

    def __init__(self, *arguments: Any, **settings: Any) -> None:  # noqa: ANN401 those of `AheadSearch`
        """Start with nothing computed, and without other threads."""
        super().__init__(*arguments, **settings)
        self._copies: list[Buffers] = []

    def _longest(self, evaluate: Evaluator) -> float:
        """Return how long the next call may take, in seconds."""
        is_measured = _members(evaluate) > 1 and 0 <= self._call % CALLS - FIRST_MEASURED < MEASURED
        return MEASURED_SECONDS if is_measured else super()._longest(evaluate)

    def _advance(self, genes: Genes, scores: Scores, room: int, evaluate: Evaluator) -> None:
        """Write the next generations to the buffers, together with the threads of `evaluate`, if that is faster."""
        members = _members(evaluate)
        # One call is measured with a team, and those before and after it alone: generations take longer as paths grow.
        turn = self._call % CALLS - FIRST_MEASURED
        self._call += 1
        is_team = members > 1 and (self._is_team if turn not in range(MEASURED) else turn == 1 and self._measured[0] > WORTH_SHARING)
        began = time.perf_counter()
        if is_team:
            self._advance_together(evaluate.executor, members, genes, scores, room)  # type: ignore[attr-defined]
        else:
            self._run(1, gate(), _UNSHARED, room, genes, scores, self._buffers(room))
        if turn in range(MEASURED):
            self._measured = (*self._measured[:turn], (time.perf_counter() - began) / room)
        if turn == MEASURED - 1:
            before, team, after = self._measured
            self._is_team = before > WORTH_SHARING and team * GAIN < (before + after) / 2

    def _advance_together(self, executor: Executor, members: int, genes: Genes, scores: Scores, room: int) -> None:
        """Write the next generations to the buffers. The other threads write them to memory of their own, the last two at any time."""
        at, shared = gate(room), np.empty((2, len(scores)))
        if len(self._copies) < members - 1:
            new = range(members - 1 - len(self._copies))
            self._copies += [
                (np.empty((2, *genes.shape), np.uint64), np.empty((2, len(scores))), np.empty(2, np.int64), np.empty(2, np.int64)) for _ in new
            ]

        def work(member: int, members: int) -> None:
            self._run(members, at, shared, room, genes, scores, self._copies[member - 1] if member else self._buffers(room))

        work_together(executor, members, at, work)

    def _buffers(self, room: int) -> Buffers:
        return self._populations[:room], self._all_scores[:room], self._found, self._winners

    def _run(self, members: int, at: Gate, shared: Scores, room: int, genes: Genes, scores: Scores, out: Buffers) -> None:  # noqa: PLR0913, PLR0917
        """Execute the kernel as one of so many threads."""
        self._kernel(members, at, shared, np.uint64(self.seed), self.generation, room, *self._settings, genes, scores, *out)


def _members(evaluate: Evaluator) -> int:
    """Return how many threads can compute a generation together."""
    return evaluate.threads if TOGETHER and isinstance(evaluate, ParallelEvaluator) else 1


def work_together(executor: Executor, members: int, at: Gate, work: Callable[[int, int], None]) -> None:
    """Call `work(member, members)` for all members at once: in this thread, and in others of the executor.

    If the others do not begin soon, this thread does everything. `work` is a kernel whose parts wait for each other at the gate.
    """
    begin = Barrier(members)

    def join(member: int) -> None:
        try:
            begin.wait()
        except BrokenBarrierError:
            return
        work(member, members)

    tasks = [executor.submit(join, member) for member in range(1, members)]
    try:
        try:
            begin.wait(PATIENCE)
        except BrokenBarrierError:
            members = 1
        work(0, members)
    except BaseException:
        # An interrupt: nobody waits for this thread any more.
        begin.abort()
        at[:] = RELEASED
        raise
    for task in tasks:
        if not task.cancel():
            task.result()
