"""Compare illumination with pyribs: the same mazes, measures, grid and variation; processor time,
alternating in one process.

Run it with `python benchmarks/illumination.py [--seeds 11,12,13] [--evaluations 200000]
[--minute]`.
"""

import argparse
import statistics
import time

import numpy as np
from numpy.typing import NDArray
from ribs.archives import GridArchive
from ribs.emitters import EmitterBase
from ribs.schedulers import Scheduler

from levolve.bridges.ribs import (
    VariationEmitter,
    add_levels,
    empty_archive,
    evaluated,
    from_ribs,
    strategy_of,
)
from levolve.jobs.archives.illuminate import Illumination, illumination_recipe
from levolve.recipes.recipe import Recipe
from levolve.search.genotypes.gene_space import Genes, GeneSpace

Figures = tuple[float, float, float]
MINUTE = 60


def ours(recipe: Recipe, seed: int) -> Figures:
    """Return the coverage, the QD score and the processor time of an illumination."""
    began = time.process_time()
    archive = Illumination(recipe, seed).finish()
    return archive.coverage, archive.qd_score, time.process_time() - began


def theirs(recipe: Recipe, seed: int) -> Figures:
    """Return the same of pyribs: its archive, and its choice of parents, with our variation and
    evaluation in batches of the same size.
    """
    began = time.process_time()
    archive = empty_archive(recipe, seed=seed)
    emitter = VariationEmitter(archive, recipe, seed=seed)
    left = recipe.evaluations or 0
    while left > 0:
        genes = emitter.ask()[:left]
        add_levels(archive, recipe, genes)
        emitter.tell()
        left -= len(genes)
    seconds = time.process_time() - began
    found = from_ribs(archive, recipe)
    return found.coverage, found.qd_score, seconds


class TilesEmitter(EmitterBase):  # type: ignore[misc] # pyribs has no types that mypy reads
    """Our variation for solutions of one float per cell, the default type of pyribs."""

    def __init__(self, archive: GridArchive, recipe: Recipe, batch: int, seed: int) -> None:
        """Prepare."""
        self.packed = VariationEmitter(
            empty_archive(recipe, seed=seed), recipe, batch_size=batch, seed=seed
        )
        super().__init__(
            archive,
            solution_dim=archive.solution_dim,
            bounds=None,
            lower_bounds=None,
            upper_bounds=None,
        )

    def ask(self) -> NDArray[np.float64]:
        """Return children of random elites."""
        packed, space = self.packed, self.packed.space
        if self.archive.empty:
            genes = packed.problem.start(packed.seed, packed.generation, packed.batch_size)
        else:
            parents = genes_of(space, self.archive.sample_elites(packed.batch_size)["solution"])
            genes = np.empty_like(parents)
            masks = packed.strategy.crossover.masks(
                space, len(parents) // 2, packed.seed, packed.generation
            )
            space.cross(parents, np.arange(len(parents)), masks, genes)
            packed.strategy.mutation.apply(space, genes, packed.seed, packed.generation)
        return space.cells(genes).reshape(len(genes), -1).astype(np.float64)

    def tell(self, *_: object, **__: object) -> None:
        """Go on to the next generation."""
        self.packed.generation += 1


def genes_of(space: GeneSpace, cells: NDArray[np.float64]) -> Genes:
    """Pack `(n, cells)` numbers into genes."""
    genes = np.zeros((len(cells), space.words), np.uint64)
    space.set_cells(
        genes, cells.astype(np.uint8).reshape(len(cells), *(space.grid or (1, space.length)))
    )
    return genes


def as_documented(recipe: Recipe, seed: int) -> Figures:
    """Return the figures of pyribs as its tutorials use it: a scheduler, five emitters with batches
    of 36, and solutions of floats.

    Levels that are not feasible or outside the ranges get the score -1, and are not counted in the
    end.
    """
    began = time.process_time()
    grid = strategy_of(recipe).cells
    space = recipe.problem.space
    archive = GridArchive(
        solution_dim=space.length,
        dims=grid.shape,
        ranges=[(axis.low, axis.high) for axis in grid.axes],
        seed=seed,
    )
    scheduler = Scheduler(
        archive, [TilesEmitter(archive, recipe, 36, seed * 5 + number) for number in range(5)]
    )
    left = recipe.evaluations or 0
    while left > 0:
        genes = genes_of(space, scheduler.ask())
        scores, measures, usable = evaluated(recipe, genes)
        scheduler.tell(np.where(usable, scores, -1.0), measures)
        left -= len(genes)
    seconds = time.process_time() - began
    found = empty_archive(recipe)
    genes = genes_of(space, archive.data("solution"))
    add_levels(found, recipe, genes)
    counted = from_ribs(found, recipe)
    return counted.coverage, counted.qd_score, seconds


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", default="11,12,13,14,15")
    parser.add_argument("--evaluations", type=int, default=200_000)
    parser.add_argument(
        "--minute", action="store_true", help="also fill an archive for a minute of processor time"
    )
    options = parser.parse_args()
    rivals = {
        "levolve": ours,
        "pyribs, packed genes, one large batch": theirs,
        "pyribs as documented": as_documented,
    }
    warm, recipe = (
        illumination_recipe("maze", axes="walls,exit_path", grid="50x50", evaluations=count)
        for count in (2_000, options.evaluations)
    )
    for run in rivals.values():
        run(warm, 0)
    rows: dict[str, list[Figures]] = {name: [] for name in rivals}
    for seed in map(int, options.seeds.split(",")):
        for name, run in rivals.items():
            rows[name].append(run(recipe, seed))
            coverage, score, seconds = rows[name][-1]
            print(
                (
                    f"seed {seed}, {name}: coverage {coverage:.1%}, QD score {score:,.0f}, "
                    f"{seconds:.2f} s"
                ),
                flush=True,
            )
    print(f"medians over the seeds {options.seeds}, {options.evaluations:,} evaluations:")
    base = statistics.median(row[2] for row in rows["levolve"])
    for name, found in rows.items():
        coverage, score, seconds = (
            statistics.median(row[place] for row in found) for place in range(3)
        )
        print(
            f"{name}: coverage {coverage:.1%}, QD score {score:,.0f}, {seconds:.2f} s of "
            f"processor time, {seconds / base:.1f} times ours"
        )
    if options.minute:
        job, began = (
            Illumination(
                illumination_recipe(
                    "maze", axes="walls,exit_path", grid="50x50", evaluations=10**9
                ),
                21,
            ),
            time.process_time(),
        )
        for _ in job.events():
            if time.process_time() - began > MINUTE:
                break
        print(
            f"after a minute of processor time, seed 21: {job.headline}, "
            f"{job.run.evaluations:,} evaluations"
        )


if __name__ == "__main__":
    main()
