"""Genotypes with packed genes, which are the rows of their levels or become rows by a kernel: one
function and one line here for each.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from levolve.kernels.bits.packed_flood import WIDEST
from levolve.kernels.bits.random_streams import MARK, RULE, threshold_of
from levolve.kernels.fused import crossovers
from levolve.kernels.fused.breeding import grow, score_expressed
from levolve.search.fused.operators import EXPRESSION, SCORE, Call, layout_of
from levolve.search.fused.scores import fused_score
from levolve.search.genotypes.automaton import Automaton
from levolve.search.genotypes.direct import Direct, walls_to_keep
from levolve.search.genotypes.dungeon import Dungeon
from levolve.search.genotypes.fixed_cells import stamp_words
from levolve.search.genotypes.gene_space import BitGenes
from levolve.search.level_problem import LevelProblem

if TYPE_CHECKING:
    from levolve.kernels.fused.crossovers import Layout
    from levolve.levels.frame import Frame
    from levolve.search.fused.operators import Fused
    from levolve.search.problem import Problem


@dataclass(frozen=True, eq=False)
class RowProblem:
    """A problem in terms of kernels.

    Attributes
    ----------
    space, layout
        The genes, and their layout as kernels take it.
    start, score
        How new individuals are drawn, and how individuals are scored.
    goal
        The highest possible score; None if it is unknown.
    """

    space: BitGenes
    layout: Layout
    start: Fused
    score: Call
    goal: float | None


@dataclass(frozen=True)
class Encoding:
    """A genotype in terms of kernels.

    Attributes
    ----------
    start
        How new individuals are drawn.
    express
        How genes become rows; None if genes are rows.
    marked
        Whether a gene says where B is.
    """

    start: Fused
    express: Call | None = None
    marked: bool = False


def row_problem(problem: Problem, features: Collection[str] = ()) -> RowProblem | None:
    """Return a problem in terms of kernels; None if its genotype or objective has none for packed
    rows, or if it has other features than these.
    """
    if not isinstance(problem, LevelProblem) or not set(features).issuperset(problem.features):
        return None
    genotype, space, frame = ENCODINGS.get(type(problem.genotype)), problem.space, problem.frame
    encoding = None if genotype is None else genotype(problem.genotype, frame)
    if encoding is None or not isinstance(space, BitGenes):
        return None
    score = fused_score(problem.objective, frame, marked=encoding.marked)
    if score is not None and encoding.express is not None:
        score = Call(score_expressed, (frame.height, encoding.express, score), SCORE)
    return (
        None
        if score is None
        else RowProblem(space, layout_of(space), encoding.start, score, problem.objective.goal)
    )


def _direct(genotype: Direct, frame: Frame) -> Encoding | None:
    if genotype.space(frame).style is not None:
        return None
    return Encoding(
        (crossovers.start_with_coins, (threshold_of(genotype.fill), walls_to_keep(frame)))
    )


def _dungeon(genotype: Dungeon, frame: Frame) -> Encoding | None:
    coins = (threshold_of(1.0 - genotype.floor), genotype.walls(frame))
    if genotype.b == "best":
        return Encoding((crossovers.start_with_coins, coins))
    if genotype.b in {"inherited", "uniform"}:
        return None
    return Encoding(
        (crossovers.start_with_last_word, (*coins, MARK, threshold_of(0.5))), marked=True
    )


def _automaton(genotype: Automaton, frame: Frame) -> Encoding | None:
    if frame.width > WIDEST:
        return None
    no_walls = np.zeros(frame.height + 1, np.uint64)
    start = (threshold_of(genotype.fill), no_walls, RULE, threshold_of(genotype.rule_fill))
    settings = (
        frame.width,
        genotype.steps,
        genotype.last_nine == "survive",
        genotype.outside == "filled",
        *stamp_words(frame),
    )
    return Encoding((crossovers.start_with_last_word, start), Call(grow, settings, EXPRESSION))


ENCODINGS: dict[type, Callable[[Any, Frame], Encoding | None]] = {
    Direct: _direct,
    Dungeon: _dungeon,
    Automaton: _automaton,
}
