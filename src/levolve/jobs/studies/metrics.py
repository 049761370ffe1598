"""`Metric`: what a comparison measures of each run: the score of its best level, or the archive
that it fills.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import LevolveError
from levolve.jobs.archives.illuminate import Illumination
from levolve.jobs.runs.run import Run
from levolve.jobs.studies.comparison import COVERAGE, QD_SCORE, SCORE, EntrantRun
from levolve.jobs.studies.distributions import Numbers
from levolve.levels.batch import Batch
from levolve.recipes.recipe import Recipe
from levolve.search.loop import STOPPED
from levolve.search.objectives.reward import Reward

GRID_POINTS = 200


@dataclass(frozen=True)
class Metric:
    """What is measured of each run.

    `run` carries out a run; it is a function of a module, so that other processes find it.
    `panels` has the field of `EntrantRun` for each figure that is compared, the main one first.
    """

    run: Callable[[str, int, Recipe, NDArray[np.int64]], EntrantRun]
    panels: Mapping[str, str]


def evaluation_grid(evaluations: int) -> NDArray[np.int64]:
    """Numbers of evaluations, evenly spaced up to the budget."""
    points = min(GRID_POINTS, evaluations)
    return np.arange(1, points + 1, dtype=np.int64) * evaluations // points


def best_so_far(used: Sequence[int], best: Sequence[float], grid: NDArray[np.int64]) -> Numbers:
    """The best score at each point of a grid, from the total evaluations and the best score after
    each generation; NaN before the first.
    """
    last = np.searchsorted(used, grid, side="right") - 1
    return np.where(last < 0, np.nan, np.asarray(best)[last])


def run_entrant(name: str, seed: int, recipe: Recipe, grid: NDArray[np.int64]) -> EntrantRun:
    """A unit of work: one run of one recipe, in any thread, process or machine."""
    run = Run(recipe, seed).finish()
    if run.ended is not None and run.ended.reason == STOPPED:
        raise CancelledError
    history, goal = run.history, recipe.limits.goal
    reached = (
        None
        if goal is None
        else next(
            (
                used
                for used, best in zip(history.evaluations, history.best, strict=True)
                if best >= goal
            ),
            None,
        )
    )
    curve = best_so_far(history.evaluations, history.best, grid)
    # Feasible levels score 0 or more and others 0 or less, so only a score of 0 has to be looked
    # at.
    feasible = bool(curve[-1] > 0) or (bool(curve[-1] == 0) and _ends_feasible(run))
    return EntrantRun(name, seed, curve, feasible, run.evaluations, reached, run.seconds)


def _ends_feasible(run: Run) -> bool:
    """Whether a run has found a feasible level, judged by its last population."""
    try:
        levels = run.levels
    except LevolveError:
        return False
    objective = run.recipe.parts[1]
    if not isinstance(objective, Reward):
        return True
    batch = Batch(
        run.problem.frame, np.stack([level.tiles for level in levels]), tileset=levels[0].tileset
    )
    return bool(objective.feasible(batch).any())


def run_illumination(name: str, seed: int, recipe: Recipe, grid: NDArray[np.int64]) -> EntrantRun:
    """A unit of work: one illumination by one recipe, in any thread, process or machine."""
    job = Illumination(recipe, seed)
    archive = job.finish()
    if job.is_stopped:
        raise CancelledError
    filling = archive.progress
    curve, coverage = (
        best_so_far(filling.evaluations, values, grid)
        for values in (filling.qd_score, filling.coverage)
    )
    return EntrantRun(
        name, seed, curve, bool(len(archive)), archive.evaluations, None, job.run.seconds, coverage
    )


SCORES = Metric(run_entrant, {SCORE: "curve"})
ARCHIVES = Metric(run_illumination, {QD_SCORE: "curve", COVERAGE: "coverage"})
