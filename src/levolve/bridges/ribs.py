"""pyribs: our genotypes and variation as an emitter, our measures as measures, and archives in both
directions (extra `qd`).

A `problem` here is that of an illumination recipe,
`levolve.jobs.archives.illuminate.illumination_recipe`. A solution is a row of genes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from levolve.core.errors import InputError, MissingExtraError
from levolve.jobs.archives.archive import Archive
from levolve.search.feature_grid import Elites
from levolve.search.problem import FEASIBLE
from levolve.search.strategies.map_elites import MapElites

try:
    from ribs.archives import GridArchive
    from ribs.emitters import EmitterBase
except ImportError as problem:
    raise MissingExtraError(what="levolve.bridges.ribs", modules=("ribs",), extra="qd") from problem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.recipes.recipe import Recipe
    from levolve.search.feature_grid import FeatureGrid
    from levolve.search.genotypes.gene_space import Genes


def strategy_of(recipe: Recipe) -> MapElites:
    """Return the strategy of an illumination recipe with its axes; raise `InputError` for another
    recipe.
    """
    strategy = recipe.parts[2]
    if not isinstance(strategy, MapElites):
        raise InputError(
            "recipe: expected one with the strategy map_elites, as illumination_recipe gives "
            f"it, got {recipe.strategy['kind']}"
        )
    return strategy.fitted(recipe.problem)


def empty_archive(recipe: Recipe, **settings: Any) -> GridArchive:
    """Return an empty archive of pyribs with the grid of an illumination recipe. Solutions are rows
    of genes of the genotype's own type.
    """
    strategy, start = strategy_of(recipe), recipe.problem.start(0, 0, 1)
    grid = strategy.cells
    return GridArchive(
        solution_dim=start.shape[1],
        dims=grid.shape,
        ranges=[(axis.low, axis.high) for axis in grid.axes],
        solution_dtype=start.dtype,
        objective_dtype=np.float64,
        measures_dtype=np.float64,
        qd_score_offset=strategy.floor or 0.0,
        **settings,
    )


class VariationEmitter(EmitterBase):  # type: ignore[misc] # pyribs has no types that mypy reads
    """An emitter of pyribs: children of random elites by the crossover and the mutation of an
    illumination recipe; random levels at first.
    """

    def __init__(
        self, archive: GridArchive, recipe: Recipe, *, batch_size: int | None = None, seed: int = 0
    ) -> None:
        """Prepare for an archive with solutions of the recipe's genes; see `empty_archive`."""
        self.strategy, self.problem, self.seed = strategy_of(recipe), recipe.problem, seed
        self.space = self.problem.space
        self.batch_size = batch_size or self.strategy.population
        self.generation = 0
        lowest, highest = (
            np.zeros(archive.solution_dim),
            np.full(archive.solution_dim, np.iinfo(archive.dtypes["solution"]).max, np.uint64),
        )
        super().__init__(
            archive,
            solution_dim=archive.solution_dim,
            bounds=None,
            lower_bounds=lowest,
            upper_bounds=highest,
        )

    def ask(self) -> Genes:
        """Return `(batch_size, ...)` genes."""
        if self.archive.empty:
            return self.problem.start(self.seed, self.generation, self.batch_size)
        pairs = (self.batch_size + 1) // 2
        with np.errstate(invalid="ignore"):  # see `add_levels`
            genes = np.ascontiguousarray(self.archive.sample_elites(2 * pairs)["solution"])
        children = np.empty((self.batch_size, *genes.shape[1:]), genes.dtype)
        masks = self.strategy.crossover.masks(self.space, pairs, self.seed, self.generation)
        self.space.cross(genes, np.arange(2 * pairs), masks, children)
        self.strategy.mutation.apply(self.space, children, self.seed, self.generation)
        return children

    def tell(self, *_: object, **__: object) -> None:
        """Go on to the next generation."""
        self.generation += 1


def evaluated(
    recipe: Recipe, genes: Genes
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]:
    """Return the `(n,)` scores and the `(n, axes)` measures of genes, and which levels are feasible
    and inside the ranges.
    """
    grid = strategy_of(recipe).cells
    evaluation = recipe.problem.evaluate(genes)
    values = grid.values(evaluation.features)
    return (
        evaluation.scores,
        values.T,
        (grid.cells(values) >= 0) & np.asarray(evaluation.features[FEASIBLE], bool),
    )


def add_levels(found: GridArchive, recipe: Recipe, genes: Genes) -> None:
    """Evaluate genes, and add the feasible levels inside the ranges to an archive of pyribs."""
    scores, values, usable = evaluated(recipe, genes)
    if usable.any():
        # pyribs fills empty cells with NaN, which genes of whole numbers cannot hold.
        with np.errstate(invalid="ignore"):
            found.add(genes[usable], scores[usable], values[usable])


def to_ribs(archive: Archive) -> GridArchive:
    """Return an archive of pyribs with the same elites."""
    found = empty_archive(archive.recipe)
    add_levels(found, archive.recipe, archive.genes)
    return found


def from_ribs(
    found: GridArchive, recipe: Recipe, *, seed: int = 0, evaluations: int = 0
) -> Archive:
    """Return our archive with the solutions of an archive of pyribs, each evaluated again.
    Infeasible levels and those outside are left out.

    `seed` and `evaluations` are those of the emitter; the levels cannot be regrown from them.
    """
    strategy = strategy_of(recipe)
    grid: FeatureGrid = strategy.cells
    genes = np.ascontiguousarray(found.data("solution"))
    scores, values, usable = evaluated(recipe, genes)
    elites = Elites(grid.count, len(grid.axes))
    elites.insert(
        genes[usable],
        scores[usable],
        grid.cells(np.ascontiguousarray(values.T))[usable],
        values[usable],
    )
    state = elites.state()
    return Archive(
        recipe,
        seed,
        evaluations,
        grid,
        state["cells"],
        state["genes"],
        state["scores"],
        state["values"],
        strategy.floor or 0.0,
    )
