"""Truncation of small dungeons for the longest tour, many generations at a time: the same search as `TruncationSearch`, the same bytes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from levolve.evolution.problem import Evaluation
from levolve.evolution.truncation import Truncation, TruncationSearch
from levolve.evolution.variation.chunk import ChunkCrossover
from levolve.evolution.variation.uniform import RARE, UniformMutation
from levolve.genotypes.dungeon import MARK_BITS, Dungeon
from levolve.kernels import small_tours
from levolve.kernels.masks import gap_table
from levolve.kernels.streams import threshold_of
from levolve.kernels.tour_truncation import truncate_tours
from levolve.objectives.tour import Tour

if TYPE_CHECKING:
    from levolve.evolution.level_problem import LevelProblem
    from levolve.evolution.search import Evaluator, Search, Strategy
    from levolve.genotypes.genes import Genes

# Generations per call: enough to make Python's overhead small, few enough for frequent progress reports.
AHEAD = 25


def tour_truncation(problem: LevelProblem, strategy: Strategy, seed: int, generations: int) -> Search | None:
    """Return the search for small dungeons by truncation with chunk crossover and uniform mutation; None for other settings."""
    genotype, frame = problem.genotype, problem.frame
    if not isinstance(genotype, Dungeon) or genotype.b != "gene" or not small_tours.fits(frame.width, frame.height):
        return None
    if type(problem.objective) is not Tour or problem.features:
        return None
    if not isinstance(strategy, Truncation) or type(strategy.crossover) is not ChunkCrossover or type(strategy.mutation) is not UniformMutation:
        return None
    return TourTruncationSearch(problem, genotype, strategy, seed, generations)


class TourTruncationSearch(TruncationSearch):
    """A running search that computes several generations in advance: each step returns the next of them."""

    def __init__(self, problem: LevelProblem, genotype: Dungeon, settings: Truncation, seed: int, generations: int) -> None:
        """Start with nothing scored."""
        super().__init__(settings, problem.space, problem.start, seed)
        self._genotype = genotype
        self._frame = problem.frame
        self._last = generations
        self._begun = self._ready = 0
        # Buffers for the generations ahead are reused: allocating them each time would cost a tenth of the run time.
        self._populations = np.empty((AHEAD, settings.population, self.space.words), np.uint64)
        self._all_scores = np.empty((AHEAD, settings.population))
        self._found = np.empty(AHEAD, np.int64)

    def step(self, evaluate: Evaluator, at_most: int | None = None) -> None:
        """Advance to the next generation, if it was computed in advance; the first generation is evaluated as usual."""
        if self.generation == 0 or self._asked is not None:
            super().step(evaluate, at_most)
            return
        turn = self.generation - self._begun
        if turn >= self._ready:
            self._compute_ahead()
            turn = 0
        genes, scores = self._populations[turn].copy(), self._all_scores[turn].copy()
        found = int(self._found[turn])
        new = slice(self._survivors, self._survivors + (found if at_most is None else min(found, at_most)))
        self._record(genes[new], scores[new])
        if len(genes[new]) == found:
            self.genes, self.scores = genes, scores
        else:
            self._cut(genes[new], Evaluation(scores[new]))
        self.generation += 1

    def _tell(self, evaluation: Evaluation) -> None:
        """Record scores from the caller. They may differ from the computed ones, so the generations ahead are discarded."""
        super()._tell(evaluation)
        self._ready = 0

    def _cut(self, genes: Genes, evaluation: Evaluation) -> None:
        """Record a part of a generation, and discard the generations ahead."""
        super()._cut(genes, evaluation)
        self._ready = 0

    def _restore(self, state: Mapping[str, Any]) -> None:
        """Continue from a state, and discard the generations ahead."""
        super()._restore(state)
        self._ready = 0

    def _compute_ahead(self) -> None:
        """Breed and score the next generations."""
        settings, space = self.settings, self.space
        count = max(1, min(AHEAD, self._last - self.generation + 1))
        rate = settings.mutation.rate  # type: ignore[attr-defined]
        truncate_tours(
            np.uint64(self.seed),
            self.generation,
            self.genes,
            self.scores,
            settings.couple,
            settings.mutate,
            self._first,
            self._second,
            settings.crossover.masks(space, settings.couple, self.seed, self.generation),
            rate < RARE,
            threshold_of(rate),
            *gap_table(min(rate, RARE)),
            space.free_word,
            space.free_bit,
            space.columns,
            space.free,
            threshold_of(1.0 - self._genotype.floor),
            self._genotype.walls(self._frame),
            MARK_BITS,
            self._frame.width,
            self._populations[:count],
            self._all_scores[:count],
            self._found[:count],
        )
        self._begun, self._ready = self.generation, count
