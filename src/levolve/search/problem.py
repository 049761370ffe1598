"""`Problem`: what a search optimises. It draws genes, evaluates them, and returns their scores and
features.

Seeds of runs, solvers and makers.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from levolve.core.errors import InputError, shown

# The feature that says whether an individual meets the constraints of the objective, boolean.
FEASIBLE = "feasible"

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.search.genotypes.gene_space import Genes, GeneSpace

# The feature that says whether an individual meets the constraints of the objective, boolean.
FEASIBLE = "feasible"


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The scores of n individuals, `(n,)` float64, and their features by name, `(n,)` each. Higher
    scores are better.
    """

    scores: NDArray[np.float64]
    features: Mapping[str, NDArray[np.generic]] = field(default_factory=dict)

    def __len__(self) -> int:
        """Return the number of evaluated individuals."""
        return len(self.scores)

    def take(self, places: NDArray[np.integer[Any]]) -> Evaluation:
        """Return the evaluation of the individuals at some places."""
        return Evaluation(
            self.scores[places], {name: values[places] for name, values in self.features.items()}
        )

    @classmethod
    def joined(cls, parts: Sequence[Evaluation]) -> Evaluation:
        """Join several evaluations in order."""
        names = parts[0].features
        return cls(
            np.concatenate([part.scores for part in parts]),
            {name: np.concatenate([part.features[name] for part in parts]) for name in names},
        )


class Problem(Protocol):
    """The interface of a problem for searches and runs. Problems of levels and of other contents
    implement it; they can be pickled.
    """

    @property
    def space(self) -> GeneSpace:
        """The gene space."""

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the features that every evaluation contains in addition to the scores."""

    @property
    def parts(self) -> tuple[object, ...]:
        """The parts that define the problem, such as a genotype and an objective."""

    def start(self, seed: int, generation: int, count: int) -> Genes:
        """Draw the genes of `count` individuals."""

    def evaluate(self, genes: Genes) -> Evaluation:
        """Return the scores and features of n individuals. An individual's evaluation does not
        depend on the others.
        """

    def axis(self, name: str) -> tuple[float, float, float] | None:
        """Return the usual range of a feature, and the distance between its values, 0 for
        fractions; None if they are unknown.
        """

    @property
    def least(self) -> float:
        """The lowest score of a feasible individual as far as it is known, otherwise 0."""

    def keys(self, genes: Genes) -> Sequence[bytes] | None:
        """Return the content of each individual as bytes, by which its evaluation is remembered;
        None if evaluations are not remembered.
        """


def choose_seed(seed: int | None) -> int:
    """Check the given seed, or draw a random one."""
    if seed is None:
        return secrets.randbits(32)
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < 1 << 64:
        raise InputError(f"seed: expected a whole number from 0 to 2**64 - 1, got {shown(seed)}")
    return int(seed)
