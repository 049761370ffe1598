"""Genotypes whose genes are the packed rows of their levels, and objectives with a kernel for such rows: one function and one line here for each."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from levolve.evolution.fused.operators import layout_of
from levolve.evolution.level_problem import LevelProblem
from levolve.genotypes.direct import Direct, walls_to_keep
from levolve.genotypes.dungeon import Dungeon
from levolve.genotypes.genes import BitGenes
from levolve.kernels.boards import WIDEST
from levolve.kernels.fused import operators, scores
from levolve.kernels.small_tours import fits
from levolve.kernels.streams import threshold_of
from levolve.objectives.culs_de_sac import CulDeSacLength, CulsDeSac
from levolve.objectives.exit_path import ExitPath
from levolve.objectives.tour import Tour

if TYPE_CHECKING:
    from levolve.evolution.fused.operators import Fused
    from levolve.evolution.problem import Problem
    from levolve.kernels.fused.operators import Layout
    from levolve.levels.frame import Frame


@dataclass(frozen=True, eq=False)
class RowProblem:
    """A problem in terms of kernels: the layout of the genes, how new individuals are drawn, and how levels are scored."""

    space: BitGenes
    layout: Layout
    start: Fused
    score: Fused


def row_problem(problem: Problem, features: Collection[str] = ()) -> RowProblem | None:
    """Return a problem in terms of kernels; None if its genotype or objective has none for packed rows, or if it has other features than these."""
    if not isinstance(problem, LevelProblem) or not set(features).issuperset(problem.features):
        return None
    genotype, objective, space = STARTS.get(type(problem.genotype)), SCORES.get(type(problem.objective)), problem.space
    if genotype is None or objective is None or not isinstance(space, BitGenes):
        return None
    start, score = genotype(problem.genotype, problem.frame), objective(problem.objective, problem.frame)
    return None if start is None or score is None else RowProblem(space, layout_of(space), start, score)


def _direct(genotype: Direct, frame: Frame) -> Fused | None:
    if genotype.space(frame).style is not None:
        return None
    return operators.start_with_coins, (threshold_of(genotype.fill), walls_to_keep(frame))


def _dungeon(genotype: Dungeon, frame: Frame) -> Fused | None:
    # The gene of B would be drawn from a stream of its own.
    return None if genotype.b == "gene" else (operators.start_with_coins, (threshold_of(1.0 - genotype.floor), genotype.walls(frame)))


def _exit_path(objective: ExitPath, frame: Frame) -> Fused | None:
    kernel = scores.score_exit_paths if frame.width <= WIDEST else scores.score_wide_exit_paths
    return None if objective.conditional or frame.tours else (kernel, (frame.width, *frame.entrance, *frame.exit))


def _culs_de_sac(objective: CulsDeSac | CulDeSacLength, frame: Frame) -> Fused | None:
    if objective.conditional or frame.width > WIDEST or frame.tours:
        return None
    return scores.score_culs_de_sac, (isinstance(objective, CulDeSacLength), frame.width, *frame.entrance, *frame.exit)


def _tour(objective: Tour, frame: Frame) -> Fused | None:  # noqa: ARG001 it has no settings
    # Only levels with an A, B and C of their own, which follow from their tiles.
    return (scores.score_best_tours, (frame.width,)) if frame.tours and fits(frame.width, frame.height) else None


STARTS: dict[type, Callable[[Any, Frame], Fused | None]] = {Direct: _direct, Dungeon: _dungeon}
SCORES: dict[type, Callable[[Any, Frame], Fused | None]] = {
    ExitPath: _exit_path,
    CulsDeSac: _culs_de_sac,
    CulDeSacLength: _culs_de_sac,
    Tour: _tour,
}
