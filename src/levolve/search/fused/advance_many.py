"""Searches that compute several generations in advance: each step returns the next of them."""

from __future__ import annotations

import time
from abc import abstractmethod
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from levolve.kernels.compiler import compiling_only
from levolve.search.search import Generations, Search

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from levolve.search.genotypes.gene_space import Genes
    from levolve.search.problem import Evaluation
    from levolve.search.search import Evaluator

# The most generations per call: enough to make Python's overhead small.
MOST_AHEAD = 128
# The longest time of a call, in seconds: a progress report or an interrupt waits no longer.
LONGEST = 0.02
# The most memory for populations ahead, in bytes.
MOST_BYTES = 1 << 24


def _no_evaluation(genes: Genes) -> Evaluation:
    raise AssertionError(
        f"{len(genes)} individuals: nothing is evaluated where kernels are only compiled"
    )


class ManyGenerations(Search):
    """The part of a fused search that does not depend on the strategy. It precedes the strategy's
    own search among the base classes.

    The first generation, cut generations, and generations whose scores come from a caller of `tell`
    are computed by the strategy's own search.
    """

    def __init__(
        self, *arguments: Any, last: int, population: int, goal: float | None = None
    ) -> None:
        """Start with nothing computed.

        Parameters
        ----------
        arguments
            The arguments of the strategy's own search.
        last
            The planned last generation; no call goes beyond it, but later generations can be asked
            for.
        population
            The number of individuals in the population.
        goal
            The score at which the search probably ends; None if it is unknown. A call ends with the
            generation that reaches it.
        """
        super().__init__(*arguments)
        self._last = last
        self._goal = np.inf if goal is None else goal
        words = self.space.words
        room = max(1, min(MOST_AHEAD, MOST_BYTES // max(1, 8 * population * words)))
        # Buffers are reused: allocating them for every call would cost a tenth of the run time.
        self._populations = np.empty((room, population, words), np.uint64)
        self._all_scores = np.empty((room, population))
        self._found = np.zeros(room, np.int64)
        self._winners = np.zeros(room, np.int64)
        # The seconds of a generation. The first call computes one generation and loads or compiles
        # the kernel; the second one is measured.
        self._seconds = LONGEST
        self._loaded = False
        self._discard()

    def _discard(self) -> None:
        """Discard the generations ahead."""
        self._turn = self._ready = 0
        self._mean: float | None = None

    @property
    def mean_score(self) -> float:
        """The mean score of the population."""
        return super().mean_score if self._mean is None else self._mean

    def step(self, evaluate: Evaluator, at_most: int | None = None) -> None:
        """Advance to the next generation, which is computed together with those after it."""
        if self._prepare(evaluate):
            found = self._counts[self._turn]
            if at_most is None or found <= at_most:
                self._take(1)
                return
            self._leave()
        super().step(evaluate, at_most)

    def advance_many(
        self, evaluate: Evaluator, most: int, at_most: int | None = None
    ) -> Generations:
        """Advance over the generations that are computed together, one by one if `at_most` is
        given.
        """
        if at_most is None and self._prepare(evaluate):
            return self._take(most)
        return super().advance_many(evaluate, most, at_most)

    def _prepare(self, evaluate: Evaluator) -> bool:
        """Compute generations in advance if there are none left; return whether the next one can
        be.
        """
        if not self.generation or self._asked is not None or self.lineage is not None:
            return False
        if self._turn == self._ready:
            self._compute_ahead(evaluate)
        return True

    def _take(self, most: int) -> Generations:
        """Go on to a generation that is computed: `most` further, or the last one."""
        first = self._turn
        last = min(first + most, self._ready)
        bests, improvements = [], []
        best = self.best_score
        for turn in range(first, last):
            if self._counts[turn] and self._tops[turn] > best:
                best = self._tops[turn]
                self.best_genes = self._best_genes(turn).copy()
                improvements.append((self.generation + turn - first, best, self.best_genes))
            bests.append(best)
        evaluations = list(accumulate(self._counts[first:last], initial=self.evaluations))[1:]
        for found in self._counts[first:last]:
            self.idle = 0 if found else self.idle + 1
        self.best_score, self.evaluations = best, evaluations[-1]
        self.genes, self.scores, self._mean = (
            self._populations[last - 1],
            self._all_scores[last - 1],
            self._means[last - 1],
        )
        self.generation += last - first
        self._turn = last
        return Generations(bests, self._means[first:last], evaluations, improvements)

    def compile(self) -> None:
        """Compile what computes generations, without what it calls by address. The search cannot be
        used afterwards.
        """
        with compiling_only():
            self._load()
            self._advance(
                np.zeros(self._populations.shape[1:], np.uint64),
                np.zeros(self._populations.shape[1]),
                1,
                _no_evaluation,
            )

    def _ask(self) -> Genes:
        """Propose individuals as the strategy's own search does."""
        self._leave()
        return super()._ask()  # type: ignore[safe-super] # the strategy's own search follows among the base classes

    def _insert(self, genes: Genes, evaluation: Evaluation) -> None:
        """Let evaluated individuals replace others."""
        self._leave()
        super()._insert(genes, evaluation)

    def _restore(self, state: Mapping[str, Any]) -> None:
        """Continue from a state."""
        super()._restore(state)
        self._discard()

    def _leave(self) -> None:
        """Go on from the current population without the generations ahead."""
        if self._ready:
            self.genes, self.scores = self.genes.copy(), self.scores.copy()
        self._discard()

    def _compute_ahead(self, evaluate: Evaluator) -> None:
        """Compute the next generations, as many as `_longest` allows by the time of the previous
        ones.
        """
        room = min(
            len(self._found),
            max(1, int(self._longest(evaluate) / self._seconds)),
            max(1, self._last - self.generation + 1),
        )
        if self._goal < np.inf:
            # A search that may end soon should not have computed much more.
            room = min(room, 2 * max(self._ready, 1))
        if not self._loaded:
            self._load()
        began = time.perf_counter()
        self._complete(self._populations.shape[1])
        # A copy, because the population may be in a buffer that is written.
        self.genes, self.scores = self.genes.copy(), self.scores.copy()
        self._advance(self.genes, self.scores, room, evaluate)
        if self._loaded:
            self._seconds = max((time.perf_counter() - began) / room, 1e-6)
        self._loaded = True
        self._tops: list[float] = self._top_scores(room).tolist()
        self._counts: list[int] = self._found[:room].tolist()
        if self._goal < np.inf:
            # The last generation is the first one that reaches the goal; what follows in the
            # buffers is older.
            reached = (
                turn
                for turn in range(room)
                if self._counts[turn] and self._tops[turn] >= self._goal
            )
            room = next(reached, room - 1) + 1
        self._turn, self._ready = 0, room
        self._means: list[float] = (
            self._all_scores[:room].sum(axis=1) / self._all_scores.shape[1]
        ).tolist()

    def _longest(self, evaluate: Evaluator) -> float:
        """Return how long the next call may take, in seconds."""
        return LONGEST

    def _top_scores(self, room: int) -> NDArray[np.float64]:
        """Return the highest score of the new individuals of each computed generation; any number
        if there are none.
        """
        return self._all_scores[np.arange(room), self._winners[:room]]

    def _best_genes(self, turn: int) -> Genes:
        """Return the genes of the best new individual of a computed generation."""
        genes: Genes = self._populations[turn, self._winners[turn]]
        return genes

    def _load(self) -> None:
        """Compile or load what `_advance` needs: called once, before it."""

    @abstractmethod
    def _advance(
        self, genes: Genes, scores: NDArray[np.float64], room: int, evaluate: Evaluator
    ) -> None:
        """Write the next `room` generations to the buffers, at least to the first that reaches the
        goal. `evaluate` may have threads that help.
        """
