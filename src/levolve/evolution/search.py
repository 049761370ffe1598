"""What a strategy is, and the books that every search keeps."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from math import isnan
from typing import TYPE_CHECKING

import numpy as np

from levolve.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from levolve.genotypes.genes import Genes, GeneSpace

    Starter = Callable[[int, int, int], Genes]
    Scorer = Callable[[Genes], NDArray[np.float64]]


class Strategy(ABC):
    """The settings of a search. A subclass is a frozen dataclass: its fields are what a recipe may change."""

    @abstractmethod
    def search(self, space: GeneSpace, start: Starter, seed: int, generations: int) -> Search:
        """Begin a search of at most so many generations. `start(seed, generation, count)` gives fresh individuals."""


class Search(ABC):
    """A running search. `ask` gives the genes that need a score, `tell` hears their scores; both by turns.

    This base keeps the books: generation, evaluations, the best so far. A strategy writes `_ask` and `_tell`.
    """

    def __init__(self, space: GeneSpace, start: Starter, seed: int) -> None:
        """Begin with nothing scored."""
        self.space = space
        self.start = start
        self.seed = seed
        self.generation = 0
        self.evaluations = 0
        self.best_score = -np.inf
        self.best_genes: Genes | None = None
        self.genes: Genes
        self.scores: NDArray[np.float64]
        self._asked: Genes | None = None

    def ask(self) -> Genes:
        """The genes to be scored next; those whose score is known because they equal a parent are left out. The same until `tell` is called."""
        if self._asked is None:
            self._asked = self._ask()
        return self._asked

    def tell(self, scores: ArrayLike) -> None:
        """Hear the scores of the genes last asked for, in their order. Higher is better."""
        if self._asked is None:
            message = "tell: there is nothing to hear scores for; call ask first"
            raise InputError(message)
        heard = np.asarray(scores, np.float64)
        if heard.shape != (len(self._asked),):
            message = f"scores: expected one for each of the {len(self._asked)} individuals asked about, got shape {heard.shape}"
            raise InputError(message)
        self._note(self._asked, heard)
        self._asked = None
        self._tell(heard)
        self.generation += 1

    def step(self, score: Scorer) -> None:
        """One generation, asked and told in one go."""
        self.tell(score(self.ask()))

    def _note(self, genes: Genes, scores: NDArray[np.float64]) -> None:
        """Keep the books about individuals that have been scored."""
        if len(scores):
            winner = int(scores.argmax())  # the first NaN, if there is one
            if isnan(scores[winner]):
                message = f"scores: expected numbers, got NaN for individual {winner}"
                raise InputError(message)
            if scores[winner] > self.best_score:
                self.best_score = float(scores[winner])
                self.best_genes = genes[winner].copy()
        self.evaluations += len(scores)

    @abstractmethod
    def _ask(self) -> Genes:
        """Propose individuals that have no score yet."""

    @abstractmethod
    def _tell(self, scores: NDArray[np.float64]) -> None:
        """Take in their scores: afterwards `genes` and `scores` are the population."""
