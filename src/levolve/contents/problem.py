"""`ContentProblem`: contents of one kind as a problem for searches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from levolve.contents.content import Content
from levolve.core.errors import InputError
from levolve.search.problem import FEASIBLE, Evaluation

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.contents.spaces import Space
    from levolve.search.genotypes.gene_space import Genes, NumberGenes


@dataclass(frozen=True, eq=False)
class ContentProblem:
    """Contents of one kind, encoded as whole numbers. A problem can be pickled if its content can.

    Parameters
    ----------
    content
        The space of the contents, and how they are scored.
    features
        Names of the features of the content that every evaluation contains in addition to the
        scores.
    """

    content: Content
    features: tuple[str, ...] = ()

    @cached_property
    def _encoding(self) -> tuple[Space, NumberGenes]:
        return self.content.content_space(), self.content.gene_space()

    @property
    def space(self) -> NumberGenes:
        """The gene space."""
        return self._encoding[1]

    @property
    def parts(self) -> tuple[object, ...]:
        """The content."""
        return (self.content,)

    def __getstate__(self) -> dict[str, Any]:
        """Return what to pickle: the spaces are built again."""
        return {"content": self.content, "features": self.features}

    def start(self, seed: int, generation: int, count: int) -> Genes:
        """Draw the genes of `count` individuals."""
        return self.content.start(self.space, seed, generation, count)

    def result(self, genes: Genes) -> Iterator[Any]:
        """Decode `(n, length)` genes into contents, without those whose genes occurred before."""
        unique = {row.tobytes(): row for row in genes}
        return (self.decode(row[np.newaxis])[0] for row in unique.values())

    def decode(self, genes: Genes) -> Sequence[Any] | NDArray[np.int64]:
        """Decode `(n, length)` genes into n contents; see `Space.decode_all`."""
        return self._encoding[0].decode_all(genes)

    def evaluate(self, genes: Genes) -> Evaluation:
        """Return the scores and features of n individuals. An individual's evaluation does not
        depend on the others.
        """
        returned = self.content.assess(self.decode(genes))
        named = [name for name in self.features if name != FEASIBLE]
        for one in returned:
            missing = [] if one.failed else [name for name in named if name not in one.features]
            if missing:
                known = ", ".join(one.features) or "none"
                message = (
                    f"feature {missing[0]!r}: expected a feature that the objective returns for "
                    f"every content, one of {known}"
                )
                raise InputError(message)
        values = np.array(
            [[one.features.get(name, np.nan) for name in named] for one in returned], np.float64
        )
        values = values.reshape(len(returned), len(named))
        # A content that failed has no features, and one may have a feature without a value (NaN):
        # these count as 0, and the content is not feasible.
        lacking = np.isnan(values)
        features: dict[str, NDArray[Any]] = dict(
            zip(named, np.where(lacking, 0.0, values).T, strict=True)
        )
        if FEASIBLE in self.features:
            met = np.array(
                [not one.failed and bool(one.features.get(FEASIBLE, True)) for one in returned],
                bool,
            )
            features[FEASIBLE] = met & ~lacking.any(axis=1)
        return Evaluation(np.array([one.score for one in returned], np.float64), features)

    def axis(self, name: str) -> tuple[float, float, float] | None:
        """Return None: the usual range of a feature is unknown."""
        return None

    @property
    def least(self) -> float:
        """The score that counts as none, 0."""
        return 0.0

    def keys(self, genes: Genes) -> Sequence[bytes]:
        """Return the genes of each individual as bytes: equal genes are equal contents."""
        return [row.tobytes() for row in np.ascontiguousarray(genes)]
