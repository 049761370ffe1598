"""Truncation of small dungeons for the longest tour, many generations at a time: the same search as `TruncationSearch`, the same bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from levolve.evolution.fused.ahead import AheadSearch
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
    from numpy.typing import NDArray

    from levolve.evolution.level_problem import LevelProblem
    from levolve.evolution.search import Evaluator, Search, Strategy
    from levolve.genotypes.genes import Genes


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


class TourTruncationSearch(AheadSearch, TruncationSearch):
    """A running search."""

    def __init__(self, problem: LevelProblem, genotype: Dungeon, settings: Truncation, seed: int, generations: int) -> None:
        """Start with nothing computed."""
        super().__init__(settings, problem.space, problem.start, seed, last=generations, population=settings.population)
        self._genotype = genotype
        self._frame = problem.frame

    def _advance(self, genes: Genes, scores: NDArray[np.float64], room: int, evaluate: Evaluator) -> None:  # noqa: ARG002 works in this thread
        """Write the next generations to the buffers."""
        settings, space = self.settings, self.space
        rate = settings.mutation.rate  # type: ignore[attr-defined]
        truncate_tours(
            np.uint64(self.seed),
            self.generation,
            genes,
            scores,
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
            self._populations[:room],
            self._all_scores[:room],
            self._found,
            self._winners,
        )
