"""Truncation of small dungeons for the longest tour, many generations at a time: the same search as `TruncationSearch`, the same bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from levolve.evolution.truncation import Truncation, TruncationSearch
from levolve.evolution.variation.chunk import ChunkCrossover
from levolve.evolution.variation.uniform import RARE, UniformMutation
from levolve.genotypes.dungeon import MARK_BITS, Dungeon
from levolve.kernels import small_tours
from levolve.kernels.masks import gap_table
from levolve.kernels.streams import threshold_of
from levolve.kernels.tour_truncation import truncate_tours

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.evolution.search import Scorer, Search, Starter, Strategy
    from levolve.genotypes.genotype import Genotype
    from levolve.levels.frame import Frame

# Generations in one call: enough for Python to matter little, few enough to be seen going on.
AHEAD = 25


def tour_truncation(  # noqa: PLR0913, PLR0917 as much as a run consists of
    genotype: Genotype, strategy: Strategy, frame: Frame, start: Starter, seed: int, generations: int
) -> Search | None:
    """The search of small dungeons by truncation with chunks and uniform mutation; None if these are others."""
    if not isinstance(genotype, Dungeon) or genotype.b != "gene" or not small_tours.fits(frame.width, frame.height):
        return None
    if not isinstance(strategy, Truncation) or type(strategy.crossover) is not ChunkCrossover or type(strategy.mutation) is not UniformMutation:
        return None
    return TourTruncationSearch(genotype, strategy, frame, start, seed, generations)


class TourTruncationSearch(TruncationSearch):
    """A running search that goes ahead of what it is asked for: a step gives the next of the generations that one call has bred and scored."""

    def __init__(self, genotype: Dungeon, settings: Truncation, frame: Frame, start: Starter, seed: int, generations: int) -> None:  # noqa: PLR0913, PLR0917 as much as a run consists of
        """Begin with nothing scored."""
        super().__init__(settings, genotype.space(frame), start, seed)
        self._genotype = genotype
        self._frame = frame
        self._last = generations
        self._begun = self._ready = 0
        # Room for the generations ahead, used again and again: memory of this size, taken anew each time, costs a tenth of the whole run.
        self._populations = np.empty((AHEAD, settings.population, self.space.words), np.uint64)
        self._all_scores = np.empty((AHEAD, settings.population))
        self._found = np.empty(AHEAD, np.int64)

    def step(self, score: Scorer) -> None:
        """The next generation, if it is one of those ahead; the first of all is scored as usual."""
        if self.generation == 0 or self._asked is not None:
            super().step(score)
            return
        turn = self.generation - self._begun
        if turn >= self._ready:
            self._go_ahead()
            turn = 0
        self.genes, self.scores = self._populations[turn].copy(), self._all_scores[turn].copy()
        new = slice(self._survivors, self._survivors + int(self._found[turn]))
        self._note(self.genes[new], self.scores[new])
        self.generation += 1

    def _tell(self, scores: NDArray[np.float64]) -> None:
        """What somebody else has scored is not what was expected: the generations ahead are void."""
        super()._tell(scores)
        self._ready = 0

    def _go_ahead(self) -> None:
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
