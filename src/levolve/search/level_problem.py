"""`LevelProblem`: levels of one frame, encoded by a genotype and scored by an objective."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from levolve.core.errors import InputError
from levolve.levels.measures import MEASURES
from levolve.search.problem import FEASIBLE, Evaluation

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.levels.batch import Batch
    from levolve.levels.frame import Frame
    from levolve.levels.level import Level
    from levolve.search.genotypes.gene_space import Genes, GeneSpace
    from levolve.search.genotypes.genotype import Genotype


class ScoreFunction(Protocol):
    """The interface of an objective for a problem."""

    @property
    def goal(self) -> float | None:
        """The highest possible score, at which a search ends; None if it is unknown."""

    def score(self, batch: Batch) -> NDArray[np.float64]:
        """Return the `(n,)` scores of a batch of n levels. Higher is better."""


@dataclass(frozen=True, eq=False)
class LevelProblem:
    """Levels of one frame, encoded by a genotype and scored by an objective. A problem is plain
    data that can be pickled.

    Parameters
    ----------
    genotype
        Decodes genes into levels.
    objective
        Scores a batch of levels.
    frame
        The size, the places and the cells to keep of every level.
    features
        Names of measures, or of features that the objective returns, that every evaluation contains
        in addition to the scores.
    first
        `(k, ...)` genes of the first individuals of generation 0; the genotype draws the others.
    """

    genotype: Genotype
    objective: ScoreFunction
    frame: Frame
    features: tuple[str, ...] = ()
    first: Genes | None = None

    def __post_init__(self) -> None:
        """Raise `InputError` for a measure among the features that these levels do not have."""
        for name in self.features:
            if name != FEASIBLE and name in MEASURES and not MEASURES[name].suits(self.frame):
                raise InputError(f"feature {name!r}: {MEASURES[name].refusal(self.frame)}")

    @property
    def space(self) -> GeneSpace:
        """The gene space."""
        return self.genotype.space(self.frame)

    @property
    def parts(self) -> tuple[object, ...]:
        """The genotype and the objective."""
        return self.genotype, self.objective

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

    def result(self, genes: Genes) -> Iterator[Level]:
        """Decode `(n, ...)` genes one by one, and yield the winnable levels, each with a checked
        solution. Levels that can be lost are repaired or left out, unless that is allowed.
        """
        from levolve.levels.measures.measuring import level_at

        for index in range(len(genes)):
            level = self.genotype.result(level_at(self.batch(genes[index : index + 1])))
            if level is not None:
                yield level

    def evaluate(self, genes: Genes) -> Evaluation:
        """Return the scores and features of n individuals. An individual's evaluation does not
        depend on the others.
        """
        batch = self.genotype.batch(genes, self.frame)
        scores = self.objective.score(batch)
        return Evaluation(
            scores,
            {name: self._feature(batch, name) for name in self.features} if self.features else {},
        )

    def axis(self, name: str) -> tuple[float, float, float] | None:
        """Return the usual range of a measure, and the distance between its values, 0 for
        fractions; None for features of the objective.

        Raises `InputError` for a measure that does not suit the levels.
        """
        if name not in MEASURES:
            return None
        measure = MEASURES[name]
        if not measure.suits(self.frame):
            raise InputError(f"measure {name!r}: {measure.refusal(self.frame)}")
        tileset = self.batch(self.genotype.start(self.frame, 0, 0, 1)).tileset
        return *measure.usual(self.frame, tileset), float(measure.stride if measure.whole else 0)

    @property
    def least(self) -> float:
        """The lowest score of a winnable level as far as it is known, otherwise 0."""
        least = getattr(self.objective, "least_value", lambda: None)()
        return 0.0 if least is None else float(least)

    def keys(self, genes: Genes) -> Sequence[bytes] | None:
        """Return each level as bytes if the objective is worth remembering
        (`Objective.remembered`): tiles, and places and things of its own.
        """
        if not getattr(self.objective, "remembered", False):
            return None
        batch = self.genotype.batch(genes, self.frame)
        # Genotypes with several start maps, or with terrain, decode more than the tiles; their
        # genes are the content.
        if batch.variants or batch.terrain is not None:
            return [row.tobytes() for row in genes]
        things = None if batch.things is None else batch.things.cells
        known = (batch.ends, batch.checkpoints, batch.marks, things)
        own = [places for places in known if places is not None]
        return [
            b"".join((batch.tiles[index].tobytes(), *(places[index].tobytes() for places in own)))
            for index in range(len(genes))
        ]

    def _feature(self, batch: Batch, name: str) -> NDArray[np.generic]:
        """Return a feature of each level: what the objective has stored for it in the batch,
        otherwise a measure.

        A level that is not feasible may have neither: its value is 0, and strategies do not use it.
        Each level is looked at by itself, so that the result does not depend on the batch.
        """
        from levolve.levels.measures.measure import named_features

        if name == FEASIBLE:
            return self._feasible(batch)
        returned = named_features(batch)
        if name not in returned and name in MEASURES:
            return MEASURES[name].count(batch)
        values = np.array(returned.get(name, np.full(len(batch), np.nan)), np.float64)
        absent = np.isnan(values)
        if name in MEASURES:
            return np.where(absent, MEASURES[name].count(batch), values)
        lacking = np.flatnonzero(absent & self._feasible(batch))
        if len(lacking) or not self.returns_features:
            given = [
                known
                for known, column in returned.items()
                if len(lacking) and known != FEASIBLE and not np.isnan(column[lacking[0]])
            ]
            known = (
                (
                    "; for a level that can be won, the objective returned "
                    f"{', '.join(given) or 'none'}"
                )
                if self.returns_features
                else ""
            )
            raise InputError(
                f"feature {name!r}: expected a measure, or a feature that the objective "
                f"returns{known}: {MEASURES.hint(name)}"
            )
        return np.where(absent, 0.0, values)

    @property
    def returns_features(self) -> bool:
        """Whether the objective returns features, whose names are not known before it has scored a
        level.
        """
        return bool(getattr(self.objective, "returns_features", False))

    def _feasible(self, batch: Batch) -> NDArray[np.bool_]:
        """Return whether each level can be won and meets the constraints of the objective,
        `(n,)`.
        """
        from levolve.levels.measures.measure import named_features
        from levolve.levels.measures.structure_features import winnable

        feasible = winnable(batch)
        own = getattr(self.objective, FEASIBLE, None)
        if own is not None:
            feasible = feasible & np.asarray(own(batch), bool)
        # NaN, for levels about which the objective says nothing, is not 0.
        stored = named_features(batch).get(FEASIBLE)
        return feasible if stored is None else feasible & (np.asarray(stored, np.float64) != 0)
