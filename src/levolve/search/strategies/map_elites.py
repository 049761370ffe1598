"""MAP-Elites: an archive of the best individual in each cell of a grid over features (Mouret and
Clune 2015).

With `infeasible_share`, a second archive has the individuals that violate the constraints of the
objective, as in the feasible-infeasible two-population method (Kimbrough et al. 2008; Khalifa et
al. 2018).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import isfinite, prod
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from annotated_types import Ge, Interval, Len

from levolve.core.errors import InputError
from levolve.core.settings import setting
from levolve.kernels.variation.elites import OUTSIDE, drop_copies, uniform_parents, update_curiosity
from levolve.kernels.variation.selection import proportional
from levolve.search.feature_grid import Axis, Elites, FeatureGrid
from levolve.search.problem import FEASIBLE, Evaluation
from levolve.search.search import Search, Strategy
from levolve.search.variation import CROSSOVERS, MUTATIONS
from levolve.search.variation.crossovers import TwoPointCrossover
from levolve.search.variation.mutations import FillMutation, MutationMixture, PatchMutation
from levolve.search.variation.operators import Crossover, Mutation

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.search.genotypes.gene_space import Genes, GeneSpace
    from levolve.search.problem import Problem
    from levolve.search.search import Starter, State

# The streams of parents of infeasible children: those of a generation that no search reaches.
INFEASIBLE = 1 << 61
# The curiosity of a parent after a child that entered the archive, and after one that did not
# (Cully and Demiris 2018), and its least value.
GAIN, LOSS, LEAST = 3.0, 1.0, 0.02

# Large steps and small ones side by side.
STEPS = MutationMixture((FillMutation(20, 20), FillMutation(8, 8), PatchMutation(3, 3, 0.4)))


@dataclass(frozen=True)
class MapElites(Strategy):
    """Keep the best individual of each cell of a grid over `axes`, and breed children from random
    ones.

    Individuals outside the ranges, and infeasible ones, are not stored. With `infeasible_share`,
    infeasible individuals have an archive of their own, ranked by their scores, in which those
    outside the ranges belong to the nearest cell; this share of the children descends from it. The
    QD score is the sum of the scores of all elites, each minus `floor`.
    """

    population: Annotated[int, Ge(2)] = setting(512, "Children per generation: the batch size.")
    axes: Annotated[tuple[str, ...], Len(1)] = setting(
        ("walls", "turns"), "The features that the grid is over: measures of levels."
    )
    grid: Annotated[tuple[Annotated[int, Ge(1)], ...], Len(1)] = setting(
        (50, 50), "The number of cells on each axis, if there are as many values."
    )
    ranges: tuple[tuple[float, float], ...] | None = setting(
        None, "The least and the greatest value on each axis. Default: the usual ones."
    )
    steps: tuple[float, ...] | None = setting(
        None,
        (
            "The distance between the values on each axis, 0 for fractions. Default: those of "
            "the measures."
        ),
    )
    floor: float | None = setting(
        None,
        "The score that adds nothing to the QD score. Default: the lowest one of a feasible level.",
    )
    parents: Literal["uniform", "curiosity"] = setting(
        "curiosity",
        "How parents are chosen: all alike, or by how many of their children were stored.",
    )
    infeasible_share: Annotated[float, Interval(ge=0, lt=1)] = setting(
        0.0, "The share of children of infeasible parents; 0 for no infeasible archive."
    )
    crossover: Crossover = field(
        default_factory=lambda: TwoPointCrossover(rate=0.1),
        metadata={"meaning": "How two parents exchange genes.", "registry": CROSSOVERS},
    )
    mutation: Mutation = field(
        default_factory=lambda: STEPS,
        metadata={"meaning": "How genes change.", "registry": MUTATIONS},
    )

    def __post_init__(self) -> None:
        """Raise `InputError` unless each axis has a name of its own, a number of cells, and a
        range, if there are ranges.
        """
        if len(set(self.axes)) < len(self.axes):
            raise InputError(f"axes: expected different features, got {', '.join(self.axes)}")
        for name in ("grid", "ranges", "steps"):
            values = getattr(self, name)
            if values is not None and len(values) != len(self.axes):
                raise InputError(
                    f"{name}: expected one for each of the axes {', '.join(self.axes)}, got "
                    f"{len(values)}"
                )

    @property
    def features(self) -> tuple[str, ...]:
        """The features of the axes, and whether an individual is feasible."""
        return (*self.axes, FEASIBLE)

    @property
    def ends_at_goal(self) -> bool:
        """Never: the other cells have elites, too."""
        return False

    def fitted(self, problem: Problem) -> MapElites:
        """Return the strategy with the usual ranges of the features, and the lowest score of the
        problem.
        """
        usual = {name: problem.axis(name) for name in self.axes}
        for name, known in usual.items():
            if self.ranges is None and (known is None or not isfinite(known[1])):
                raise InputError(
                    f"ranges: expected a range for each axis, because {name} has no greatest "
                    "value of its own; got none"
                )
        ranges = self.ranges or tuple(known[:2] for known in usual.values() if known is not None)
        steps = self.steps or tuple(0.0 if known is None else known[2] for known in usual.values())
        return replace(
            self,
            ranges=ranges,
            steps=steps,
            floor=problem.least if self.floor is None else self.floor,
        )

    @property
    def elites_kept(self) -> int:
        """One per cell; an axis may have fewer cells than are asked for."""
        return prod(self.grid)

    @property
    def cells(self) -> FeatureGrid:
        """The grid; raises `InputError` if the ranges are not known."""
        if self.ranges is None:
            raise InputError(
                "ranges: expected a range for each axis, got none; fitted(problem) gives the "
                "usual ones"
            )
        steps = self.steps or (0.0,) * len(self.axes)
        return FeatureGrid(tuple(map(Axis.over, self.axes, self.ranges, self.grid, steps)))

    def search(
        self, space: GeneSpace, start: Starter, seed: int, generations: int
    ) -> MapElitesSearch:
        """Start a search."""
        return MapElitesSearch(self, space, start, seed)


class MapElitesSearch(Search):
    """A running search. Its population is the archive of feasible elites. Children that equal a
    parent are not evaluated again.
    """

    def __init__(self, settings: MapElites, space: GeneSpace, start: Starter, seed: int) -> None:
        """Start with empty archives."""
        super().__init__(space, start, seed)
        self.settings = settings
        self.grid = settings.cells
        self.archive = Elites(self.grid.count, len(self.grid.axes))
        self.infeasible = Elites(
            self.grid.count if settings.infeasible_share else 0, len(self.grid.axes)
        )
        self._proposed: Genes
        # For each proposed individual the slot of its first parent; None if there are no parents.
        # From `_split` on, parents are infeasible.
        self._origins: NDArray[np.int64] | None = None
        self._split = 0

    @property
    def coverage(self) -> float:
        """The share of the cells that have an elite."""
        return self.archive.count / self.grid.count

    @property
    def qd_score(self) -> float:
        """The sum of the scores of all elites, each minus the floor."""
        return float(self.archive.scores.sum()) - self.archive.count * (self.settings.floor or 0.0)

    @property
    def figures(self) -> Mapping[str, float]:
        """Coverage and QD score."""
        return {"coverage": self.coverage, "qd_score": self.qd_score}

    def _ask(self) -> Genes:
        count = self.settings.population
        if not self.archive.count and not self.infeasible.count:
            self._proposed, self._origins, self._split = (
                self.start(self.seed, self.generation, count),
                None,
                0,
            )
            if self.lineage is not None and self.generation:
                self.lineage.add(self._proposed)
            return self._proposed
        share = (
            0.0
            if not self.infeasible.count
            else self.settings.infeasible_share
            if self.archive.count
            else 1.0
        )
        others = round(count * share)
        families = (
            [self._offspring(self.archive, count - others, self.generation)]
            if count > others
            else []
        )
        self._split = len(families[0][0]) if families else 0
        families += (
            [self._offspring(self.infeasible, others, self.generation + INFEASIBLE)]
            if others
            else []
        )
        children, origins = zip(*families, strict=True)
        self._proposed, self._origins = (
            parts[0] if len(parts) == 1 else np.concatenate(parts) for parts in (children, origins)
        )
        return self._proposed

    def _offspring(
        self, elites: Elites, count: int, generation: int
    ) -> tuple[Genes, NDArray[np.int64]]:
        """Breed at most `count` children of elites that equal no parent. Return them, and the slot
        of each child's first parent.
        """
        settings, seed = self.settings, np.uint64(self.seed)
        parents = np.empty(count + count % 2, np.int64)
        if settings.parents == "uniform":
            uniform_parents(seed, generation, elites.count, parents)
        else:
            proportional(seed, generation, elites.curiosity, parents)
        children = np.empty((count, *elites.genes.shape[1:]), elites.genes.dtype)
        self.space.cross(
            elites.genes,
            parents,
            settings.crossover.masks(self.space, len(parents) // 2, self.seed, generation),
            children,
        )
        settings.mutation.apply(self.space, children, self.seed, generation)
        if self.lineage is not None:
            self.lineage.add_pairs(
                children,
                (settings.crossover, settings.mutation),
                elites.genes,
                elites.scores,
                parents,
            )
        origins = np.empty(count, np.int64)
        new = drop_copies(elites.genes, parents, children, origins)
        return children[:new], origins[:new]

    def _tell(self, evaluation: Evaluation) -> None:
        self._cut(self._proposed, evaluation)

    def _cut(self, genes: Genes, evaluation: Evaluation) -> None:
        """Record the first of the proposed individuals, or all."""
        placed, placed_infeasible = self._store(genes, evaluation)
        if self._origins is not None:
            split, end = min(self._split, len(genes)), len(genes)
            for elites, own, part in (
                (self.archive, placed, slice(0, split)),
                (self.infeasible, placed_infeasible, slice(split, end)),
            ):
                update_curiosity(
                    self._origins[part], own[part] >= 0, GAIN, LOSS, LEAST, elites.curiosity
                )

    def emigrants(self, count: int) -> tuple[Genes, Evaluation]:
        """Return the `count` best elites with their features, for `insert` of another search."""
        best = np.argsort(-self.archive.scores, kind="stable")[:count]
        features: dict[str, NDArray[Any]] = dict(
            zip(self.grid.names, self.archive.values[best].T, strict=True)
        )
        return self.archive.genes[best], Evaluation(
            self.archive.scores[best], features | {FEASIBLE: np.ones(len(best), bool)}
        )

    def _insert(self, genes: Genes, evaluation: Evaluation) -> None:
        """Add individuals from elsewhere to their cells."""
        self._store(genes, evaluation)

    def _store(
        self, genes: Genes, evaluation: Evaluation
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Insert individuals into the archives. Return the slots that they entered in each of them,
        -1 for those that did not.
        """
        missing = [name for name in self.grid.names if name not in evaluation.features]
        if missing:
            raise InputError(
                f"evaluation: expected the features {', '.join(self.grid.names)}, got no "
                f"{missing[0]}; the strategy's `features` names them"
            )
        values = self.grid.values(evaluation.features)
        cells = self.grid.cells(values)
        feasible = evaluation.features.get(FEASIBLE)
        placed = self.archive.insert(
            genes,
            evaluation.scores,
            cells if feasible is None else np.where(feasible, cells, OUTSIDE),
            values.T,
        )
        self.genes, self.scores = self.archive.genes, self.archive.scores
        infeasible = np.full(len(genes), OUTSIDE)
        if self.settings.infeasible_share and feasible is not None:
            nearest = np.where(feasible, OUTSIDE, self.grid.cells(values, nearest=True))
            infeasible = self.infeasible.insert(genes, evaluation.scores, nearest, values.T)
        return placed, infeasible

    def _living(self) -> list[tuple[Genes, NDArray[np.float64]]]:
        return [
            (elites.genes, elites.scores)
            for elites in (self.archive, self.infeasible)
            if elites.count
        ]

    def _state(self) -> State:
        # The genes and scores of the archive are those of the population.
        archive = {
            name: part
            for name, part in self.archive.state().items()
            if name not in {"genes", "scores"}
        }
        return {"archive": archive, "infeasible": self.infeasible.state()}

    def _restore(self, state: Mapping[str, Any]) -> None:
        self.archive = self.archive.restored(
            {"genes": state["genes"], "scores": state["scores"], **state["archive"]}
        )
        self.infeasible = self.infeasible.restored(state["infeasible"])
        if self.generation:
            self.genes, self.scores = self.archive.genes, self.archive.scores
