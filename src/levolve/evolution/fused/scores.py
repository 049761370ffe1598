"""Objectives as scores of packed rows: by the class of the objective, the kernel of a score or of a grade; see `kernels.fused.grades`.

Every reward whose value has a kernel (`values.py`) has one, too. Another objective is one function and one line here, or in `GRADES`, to which
other packages may add theirs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from levolve.evolution.fused.calls import GRADE, SCORE, WALK, Call, PlainCall
from levolve.evolution.fused.values import fused_value
from levolve.kernels.boards import WIDEST, exit_steps
from levolve.kernels.fused import grades, scores
from levolve.kernels.fused.calls import ROWS, STEPS
from levolve.kernels.small_tours import fits
from levolve.kernels.wide_boards import exit_steps_wide
from levolve.objectives.exit_path import ExitPath
from levolve.objectives.reward import ANY_WALLS, Reward
from levolve.objectives.tour import Tour

if TYPE_CHECKING:
    from levolve.levels.frame import Frame


def fused_score(objective: object, frame: Frame, *, marked: bool) -> Call | None:
    """Return the kernel of a score, and its settings; None if there is none. `marked` is whether a gene says where B is."""
    if isinstance(objective, Tour):
        return _tour(frame, marked=marked) if type(objective) is Tour else None
    if frame.tours or not (frame.has("entrance") and frame.has("exit")):
        return None
    is_wide = frame.width > WIDEST
    ends = (frame.width, *frame.entrance, *frame.exit)
    if type(objective) is ExitPath and not objective.conditional:
        kernel, flood = (scores.score_wide_exit_paths, WIDE_FLOOD) if is_wide else (scores.score_exit_paths, FLOOD)
        return Call(kernel, (flood, *ends), SCORE)
    grade = fused_grade(objective, frame)
    if grade is None:
        return None
    walk, flood = (grades.walk_and_count, COUNTING_FLOOD) if needs_reach(objective) else (grades.walk, FLOOD)
    if is_wide:
        walk, flood = grades.walk_wide, WIDE_COUNTING_FLOOD
    return Call(grades.score_walks, (Call(walk, (flood, *ends), WALK), grade), SCORE)


def fused_grade(objective: object, frame: Frame) -> Call | None:
    """Return the kernel of the grade of an objective, and its settings; None if there is none."""
    if type(objective) in GRADES:
        return GRADES[type(objective)](objective, frame)
    value = fused_value(objective, frame)
    if value is None or not isinstance(objective, Reward) or objective.exit_members:
        return None
    infeasible = objective.infeasible_score
    if not objective.conditional:
        return Call(grades.grade_winnable, (infeasible, value), GRADE)
    least = objective.least_value()
    low, high = objective.walls
    # A number above 0 stands for an unknown lowest value.
    limits = (low, high, objective.walls != ANY_WALLS, objective.feasible_first, frame.width * frame.height, infeasible)
    return Call(grades.grade_constrained, ((*limits, 1.0 if least is None else min(least, 0.0)), value), GRADE)


def needs_reach(objective: object) -> bool:
    """Whether the grade of an objective depends on how many cells are reachable if the exit is not."""
    return type(objective) in GRADES or bool(getattr(objective, "feasible_first", False))


def _tour(frame: Frame, *, marked: bool) -> Call | None:
    # Only levels with an A, B and C of their own, which follow from their tiles.
    if not frame.tours or not fits(frame.width, frame.height):
        return None
    return Call(scores.score_tours if marked else scores.score_best_tours, (frame.width,), SCORE)


_NUMBERS = (1, 0, 0, 0, 0)
FLOOD = PlainCall(exit_steps, (ROWS, None, *_NUMBERS, STEPS, None))
COUNTING_FLOOD = PlainCall(exit_steps, (ROWS, None, *_NUMBERS, STEPS, STEPS))
WIDE_FLOOD = PlainCall(exit_steps_wide, (ROWS, *_NUMBERS, STEPS, None))
WIDE_COUNTING_FLOOD = PlainCall(exit_steps_wide, (ROWS, *_NUMBERS, STEPS, STEPS))
GRADES: dict[type, Callable[[Any, Frame], Call | None]] = {}
