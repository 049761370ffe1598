"""`Memory`: evaluations by content, so that a slow function is not asked twice about the same content."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from levolve.errors import EvaluationError
from levolve.evolution.problem import Evaluation

if TYPE_CHECKING:
    from levolve.genotypes.genes import Genes

# About 200 bytes each.
MOST = 200_000


class Memory:
    """The evaluations of the contents evaluated last, at most `most` of them.

    It does not change any result, because an individual's evaluation depends on its content only. It is not part of a run's state: a resumed run
    begins with an empty memory.
    """

    def __init__(self, most: int = MOST) -> None:
        """Start with nothing remembered."""
        self.most = most
        # How many individuals were evaluated, and how many were remembered instead.
        self.asked = 0
        self.remembered = 0
        self._known: OrderedDict[bytes, tuple[Any, ...]] = OrderedDict()

    def evaluate(self, genes: Genes, keys: Sequence[bytes], features: Sequence[str], evaluate: Callable[[Genes], Evaluation]) -> Evaluation:
        """Return the evaluation of n individuals, of which only those with unknown contents are given to `evaluate`, each content once.

        Parameters
        ----------
        genes
            `(n, ...)`.
        keys
            The content of each individual as bytes.
        features
            The names of the features that an evaluation contains.
        evaluate
            Evaluates the genes of some of the individuals.
        """
        digests = [blake2b(key, digest_size=16).digest() for key in keys]
        missing: dict[bytes, int] = {}
        for position, digest in enumerate(digests):
            if digest not in self._known:
                missing.setdefault(digest, position)
        found: dict[bytes, tuple[Any, ...]] = {}
        positions = list(missing.values())
        if positions:
            try:
                new = evaluate(genes[positions])
            except EvaluationError as problem:
                raise problem.at(lambda position: positions[position]) from problem
            columns = [new.scores, *(new.features[name] for name in features)]
            found = dict(zip(missing, zip(*columns, strict=True), strict=True))
        self.asked += len(positions)
        self.remembered += len(keys) - len(positions)
        rows = [found[digest] if digest in found else self._known[digest] for digest in digests]
        for digest, row in zip(digests, rows, strict=True):
            self._known[digest] = row
            self._known.move_to_end(digest)
        while len(self._known) > self.most:
            self._known.popitem(last=False)
        scores, *others = zip(*rows, strict=True)
        return Evaluation(np.array(scores, np.float64), {name: np.array(column) for name, column in zip(features, others, strict=True)})
