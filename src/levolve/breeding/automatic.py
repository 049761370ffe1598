"""`Automatic`: scores for generations of a session that nobody sees, from the objective and from what was picked before."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from levolve.breeding.arguments import LOVE
from levolve.breeding.sheet import NOT_SHOWN, PICK_SCORES, first_starts, ranks
from levolve.evolution.problem import Evaluation
from levolve.levels.batch import Batch
from levolve.measures.features import unwinnable
from levolve.objectives.likeness import Likeness

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.evolution.level_problem import LevelProblem
    from levolve.genotypes.genes import Genes
    from levolve.levels.frame import Examples

# The share of winnable individuals that become parents.
PARENTS = 0.25
# The share of cells in which a level differs from every example, if it is no copy.
ORIGINALITY = 0.1


@dataclass(frozen=True, eq=False)
class Automatic:
    """Scores individuals by (1 - blend) * rank of the likeness to examples + blend * rank by the objective; by the objective alone without examples.

    Parameters
    ----------
    problem
        The problem of the sheet, with its objective.
    examples
        What was picked, as rows of tiles.
    blend
        From 0 to 1.
    elites
        How many of the best individuals stay as they are.
    loved
        `(k, ...)` genes of individuals that stay in any case.
    """

    problem: LevelProblem
    examples: Examples
    blend: float
    elites: int
    loved: Genes

    def rate(self, genes: Genes) -> Evaluation:
        """Mixed ranks from 0 to 1, less than 0 for levels that cannot be won, `(n,)`."""
        by_likeness, by_objective = bool(self.examples) and self.blend < 1, self.blend > 0 or not self.examples
        evaluation = self.problem.evaluate(genes) if by_objective or self.problem.features else Evaluation(np.zeros(len(genes)))
        mixed, batch = np.zeros(len(genes)), first_starts(self.problem).batch(genes)
        if by_likeness:
            mixed += (1 - self.blend) * ranks(self._likeness(batch))
        if by_objective:
            mixed += (self.blend if by_likeness else 1.0) * ranks(evaluation.scores)
        mixed[unwinnable(batch) > 0] = NOT_SHOWN
        return Evaluation(mixed, evaluation.features)

    def _likeness(self, batch: Batch) -> NDArray[np.float64]:
        """The likeness of levels to the examples; the levels are as they were decoded, without examples."""
        styled = Batch(replace(batch.frame, like=self.examples), batch.tiles, None, batch.tileset, batch.marks, best_marks=batch.best_marks)
        styled.ends = batch.ends
        return Likeness(originality=ORIGINALITY).value(styled)

    def evaluate(self, genes: Genes) -> Evaluation:
        """Scores of picks: the best quarter of the winnable are parents, the elites among them and the loved ones stay."""
        rated = self.rate(genes)
        scores = rated.scores
        won = scores >= 0
        places = ranks(scores[won])
        found = np.full(len(scores), NOT_SHOWN)
        found[won] = np.maximum(places - (1 - PARENTS), 0.0) / PARENTS
        for position in self._elites(genes, scores):
            found[position] = PICK_SCORES[LOVE]
        for one in self.loved:
            equal = (genes == one).all(axis=tuple(range(1, genes.ndim)))
            found[np.flatnonzero(equal)[:1]] = PICK_SCORES[LOVE] + 1
        return Evaluation(found, rated.features)

    def _elites(self, genes: Genes, scores: NDArray[np.float64]) -> list[int]:
        """The positions of the best winnable individuals, no two equal."""
        known: dict[bytes, int] = {}
        for position in np.argsort(-scores, kind="stable").tolist():
            if len(known) == self.elites or scores[position] < 0:
                break
            known.setdefault(genes[position].tobytes(), position)
        return list(known.values())
