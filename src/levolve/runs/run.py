"""`Run`: carries out a recipe with a seed, generation by generation, and keeps what came of it."""

from __future__ import annotations

import os
import time
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from levolve.errors import LevolveError
from levolve.evolution.seeds import choose_seed
from levolve.levels.batch import Batch
from levolve.levels.level import Level, Origin
from levolve.levels.solving import shortest_solution
from levolve.runs.executors import Here, slices, stop_if_told, worker_count
from levolve.runs.shortcuts import search_of
from levolve.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from levolve.genotypes.genes import Genes
    from levolve.levels.tileset import Tileset
    from levolve.runs.recipe import Recipe

# What a run needs, at most, for each cell of each individual: tiles, distances, packed genes of two generations and masks.
BYTES_A_CELL = 8
BYTES_A_CELL_ONCE = 64

# A batch of fewer cells is scored faster by one thread than it is handed out to several.
CELLS_WORTH_A_THREAD = 1 << 18


class Generation(NamedTuple):
    """An event: a generation has been scored."""

    number: int
    best: float
    mean: float
    evaluations: int
    improved: bool


@dataclass
class History:
    """How a run went: one entry a generation in each list. `best` is the best score so far, `mean` the population's."""

    best: list[float] = field(default_factory=list)
    mean: list[float] = field(default_factory=list)
    evaluations: list[int] = field(default_factory=list)


class Run:
    """One run of a recipe. `generations()` yields an event for each; `finish()` goes through to the end."""

    def __init__(self, recipe: Recipe, seed: int | None = None, executor: Executor | None = None) -> None:
        """Make ready; nothing is computed yet."""
        self.recipe = recipe
        self.seed = choose_seed(seed)
        self.executor = executor or Here()
        self.history = History()
        self.seconds = 0.0
        check_memory(recipe)
        self._frame = recipe.frame
        self._first = recipe.first_genes
        self._genotype, self._objective, _ = recipe.parts
        self._search = search_of(recipe, self._start, self.seed, _planned_generations(recipe))
        self._improvements: list[tuple[int, float, Genes]] = []

    def _start(self, seed: int, generation: int, count: int) -> Genes:
        genes = self._genotype.start(self._frame, seed, generation, count)
        if generation == 0 and self._first is not None:
            genes[0] = self._first
        return genes

    def generations(self) -> Iterator[Generation]:
        """Go on to the end, one event a generation; the start counts as generation 0."""
        search, history = self._search, self.history
        while self._goes_on():
            began = time.perf_counter()
            stop_if_told()
            number, before = search.generation, search.best_score
            search.step(self._score)
            improved = search.best_score > before
            for stale in ("best", "levels", "frames"):
                self.__dict__.pop(stale, None)
            if improved and search.best_genes is not None:
                self._improvements.append((number, search.best_score, search.best_genes))
            mean = float(search.scores.sum()) / len(search.scores)
            history.best.append(search.best_score)
            history.mean.append(mean)
            history.evaluations.append(search.evaluations)
            self.seconds += time.perf_counter() - began
            yield Generation(number, search.best_score, mean, search.evaluations, improved)

    def _goes_on(self) -> bool:
        search, goal = self._search, self._objective.goal
        budget = self.recipe.evaluations
        return (
            search.generation <= self.recipe.generations
            and (budget is None or search.evaluations < budget)
            and (goal is None or search.best_score < goal)
        )

    def finish(self) -> Run:
        """Go on to the end."""
        for _ in self.generations():
            pass
        return self

    def _score(self, genes: Genes) -> NDArray[np.float64]:
        cells = len(genes) * self._frame.width * self._frame.height
        parts = min(worker_count(self.executor), cells // CELLS_WORTH_A_THREAD)
        if parts <= 1:
            return self._score_slice(genes)
        return np.concatenate(list(self.executor.map(self._score_slice, [genes[part] for part in slices(len(genes), parts)])))

    def _score_slice(self, genes: Genes) -> NDArray[np.float64]:
        return self._objective.score(self._genotype.batch(genes, self._frame))

    @property
    def tileset(self) -> Tileset:
        """The kinds of tiles that the levels of this run have."""
        return self._genotype.batch(self._start(self.seed, 0, 1), self._frame).tileset

    @property
    def best_score(self) -> float:
        """The highest score found."""
        return self._search.best_score

    @property
    def evaluations(self) -> int:
        """How many individuals were scored."""
        return self._search.evaluations

    @property
    def best_genes(self) -> Genes:
        """The genes of the best individual."""
        if self._search.best_genes is None:
            message = "run: nothing has been scored yet; call finish() first"
            raise LevolveError(message)
        return self._search.best_genes

    @cached_property
    def best(self) -> Level:
        """The best level, with its solution."""
        if self._search.best_genes is None:
            message = "run: nothing has been scored yet; call finish() first"
            raise LevolveError(message)
        for level in self.grow(self._search.best_genes[np.newaxis]):
            return self._with_origin(level, 0)
        return self.levels[0]

    @property
    def digest(self) -> str:
        """Sha256 over the best level's bytes."""
        return self.best.digest

    @property
    def unmet(self) -> list[str]:
        """What the best level was wished to be and is not, a sentence each; nothing where there was no such wish."""
        level = self.best
        return self._objective.unmet(Batch(self._frame, tiles=level.tiles[np.newaxis], tileset=level.tileset))

    @cached_property
    def levels(self) -> list[Level]:
        """The best level ever found, then the rest of the last population, best first, none twice; all can be won and hold a solution."""
        if self._search.best_genes is None:
            return [self.best]
        order = np.argsort(-self._search.scores, kind="stable")
        found: dict[Level, Level] = {}
        for level in self.grow(np.concatenate((self._search.best_genes[np.newaxis], self._search.genes[order]))):
            found.setdefault(level, level)
        if not found:
            message = (
                f"run: no level that can be won was found in {self.evaluations} evaluations of recipe {self.recipe.name!r}; "
                "use more generations, reward what comes near (objective.feasible_first=true), or check that the cells to keep leave a way"
            )
            raise LevolveError(message)
        return [self._with_origin(level, index) for index, level in enumerate(found)]

    def _with_origin(self, level: Level, index: int) -> Level:
        return level.with_origin(Origin.of(self.recipe.to_data(), self.seed, index, VERSION))

    @cached_property
    def frames(self) -> list[tuple[str, Level]]:
        """The best level each time a better one was found, with a caption."""
        shown: list[tuple[str, Level]] = []
        for number, score, genes in self._improvements:
            shown.extend((f"generation {number}, score {score:g}", level) for level in self.grow(genes[np.newaxis]))
        if not shown:
            return [(f"score {self.best_score:g}", self.best)]
        return [*shown[:-1], (shown[-1][0], self.best)]

    def grow(self, genes: Genes) -> Iterator[Level]:
        """The levels of some genes that can be won, each with a shortest solution, replayed by the independent checker."""
        for index in range(len(genes)):
            batch = self._genotype.batch(genes[index : index + 1], self._frame)
            level = Level(batch.tiles[0], batch.places_of(0), batch.tileset)
            solution = shortest_solution(level)
            if solution is not None:
                proven = level.with_solution(solution)
                proven.check()
                yield proven


def _planned_generations(recipe: Recipe) -> int:
    """How many generations a run will have: as many as the recipe says, or as its evaluations are enough for."""
    if recipe.evaluations is None:
        return recipe.generations
    return min(recipe.generations, recipe.evaluations // int(recipe.strategy.get("population", 1)))


def check_memory(recipe: Recipe) -> None:
    """Refuse a run that this machine's memory cannot hold."""
    width, height = recipe.size
    population = int(recipe.strategy.get("population", 1))
    needed = width * height * (population * BYTES_A_CELL + BYTES_A_CELL_ONCE)
    present = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else needed
    if needed > present:
        message = (
            f"size: {width}x{height} with a population of {population} needs about {needed / 1e9:,.0f} GB of memory, this machine has "
            f"{present / 1e9:,.0f} GB; choose a smaller size or population"
        )
        # No fault of the recipe: another machine may hold it.
        raise LevolveError(message)
