"""`Problem`: what a search optimises. It evaluates genes, and returns their scores and features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import numpy as np

from levolve.measures import MEASURES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.genotypes.genes import Genes, GeneSpace
    from levolve.genotypes.genotype import Genotype
    from levolve.levels.batch import Batch
    from levolve.levels.frame import Frame


class ScoreFunction(Protocol):
    """The interface of an objective for a problem."""

    @property
    def goal(self) -> float | None:
        """The highest possible score, at which a search ends; None if it is unknown."""

    def score(self, batch: Batch) -> NDArray[np.float64]:
        """Return the `(n,)` scores of a batch of n levels. Higher is better."""


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The scores of n individuals, `(n,)` float64, and their features by name, `(n,)` each. Higher scores are better."""

    scores: NDArray[np.float64]
    features: Mapping[str, NDArray[np.generic]] = field(default_factory=dict)

    def __len__(self) -> int:
        """Return the number of evaluated individuals."""
        return len(self.scores)

    @classmethod
    def joined(cls, parts: Sequence[Evaluation]) -> Evaluation:
        """Join several evaluations in order."""
        names = parts[0].features
        return cls(np.concatenate([part.scores for part in parts]), {name: np.concatenate([part.features[name] for part in parts]) for name in names})


@dataclass(frozen=True, eq=False)
class Problem:
    """Levels of one frame, encoded by a genotype and scored by an objective. A problem is plain data that can be pickled.

    Parameters
    ----------
    genotype
        Decodes genes into levels.
    objective
        Scores a batch of levels.
    frame
        The size, the places and the cells to keep of every level.
    features
        Names of measures that every evaluation contains in addition to the scores.
    first
        `(k, ...)` genes of the first individuals of generation 0; the genotype draws the others.
    """

    genotype: Genotype
    objective: ScoreFunction
    frame: Frame
    features: tuple[str, ...] = ()
    first: Genes | None = None

    @property
    def space(self) -> GeneSpace:
        """The gene space."""
        return self.genotype.space(self.frame)

    def start(self, seed: int, generation: int, count: int) -> Genes:
        """Draw the genes of `count` individuals; those of generation 0 begin with `first`."""
        if generation or self.first is None:
            return self.genotype.start(self.frame, seed, generation, count)
        first = self.first[:count]
        if len(first) == count:
            return first.copy()
        genes = self.genotype.start(self.frame, seed, generation, count)
        genes[: len(first)] = first
        return genes

    def batch(self, genes: Genes) -> Batch:
        """Decode genes into levels."""
        return self.genotype.batch(genes, self.frame)

    def evaluate(self, genes: Genes) -> Evaluation:
        """Return the scores and features of n individuals. An individual's evaluation does not depend on the others."""
        batch = self.genotype.batch(genes, self.frame)
        scores = self.objective.score(batch)
        return Evaluation(scores, {name: MEASURES[name].count(batch) for name in self.features} if self.features else {})
