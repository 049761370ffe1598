"""Fused searches on several threads: each executes the same kernel and does its part of every generation, with the same bytes."""

from __future__ import annotations

import time
from abc import abstractmethod
from threading import Barrier, BrokenBarrierError
from typing import TYPE_CHECKING

from levolve.evolution.evaluation import ParallelEvaluator
from levolve.evolution.fused.ahead import AheadSearch
from levolve.kernels.teams import RELEASED, TOGETHER, gate

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    import numpy as np
    from numpy.typing import NDArray

    from levolve.evolution.search import Evaluator
    from levolve.genotypes.genes import Genes
    from levolve.kernels.teams import Gate

# Generations that take less, in seconds, are computed by one thread.
WORTH_SHARING = 0.0001
# How long to wait for the other threads to begin, in seconds: they may have other work.
PATIENCE = 0.005
# A team must be faster than one thread by this factor, as measured once in so many calls: the machine may have other work.
GAIN = 1.1
CALLS = 64
FIRST_MEASURED = 2


class TeamSearch(AheadSearch):
    """A fused search whose kernel several threads execute together."""

    _call = 0
    _is_team = False
    # The seconds of a generation in the calls that are measured.
    _measured: tuple[float, ...] = ()

    def _advance(self, genes: Genes, scores: NDArray[np.float64], room: int, evaluate: Evaluator) -> None:
        """Write the next generations to the buffers, together with the threads of `evaluate`, if that is faster."""
        members = evaluate.threads if TOGETHER and isinstance(evaluate, ParallelEvaluator) else 1
        # Of every `CALLS` calls, one is measured with a team, and those before and after it alone: generations take longer as paths grow.
        # The first calls do not count, because they load the kernel and fill new memory.
        turn = self._call % CALLS - FIRST_MEASURED
        self._call += 1
        is_team = members > 1 and (self._is_team if turn not in {0, 1, 2} else turn == 1 and self._measured[0] > WORTH_SHARING)
        at = gate()
        began = time.perf_counter()
        if is_team:
            work_together(evaluate.executor, members, at, lambda member, members: self._advance_part(member, members, at, genes, scores, room))  # type: ignore[attr-defined]
        else:
            self._advance_part(0, 1, at, genes, scores, room)
        if turn in {0, 1, 2}:
            self._measured = (*self._measured[:turn], (time.perf_counter() - began) / room)
        if turn == 2:  # noqa: PLR2004 the last of the three
            before, team, after = self._measured
            self._is_team = before > WORTH_SHARING and team * GAIN < (before + after) / 2

    @abstractmethod
    def _advance_part(self, member: int, members: int, at: Gate, genes: Genes, scores: NDArray[np.float64], room: int) -> None:  # noqa: PLR0913, PLR0917
        """Write a member's part of the next `room` generations to the buffers."""


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
