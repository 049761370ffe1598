"""The objective of packs as a kernel for packed rows, so that the search for a level of a pack computes many generations per call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from levolve.evolution.fused.calls import GRADE, Call
from levolve.evolution.fused.scores import GRADES, fused_grade
from levolve.evolution.fused.values import fused_targets
from levolve.kernels.boards import WIDEST
from levolve.kernels.fused.grades import grade_distinct, grade_nothing
from levolve.levels.goal import EXIT_GOAL
from levolve.objectives.objective import Objective
from levolve.packs.objective import PackObjective

if TYPE_CHECKING:
    from levolve.levels.frame import Frame


def pack_grade(objective: PackObjective, frame: Frame) -> Call | None:
    """Return the kernel and its settings; None if a target or the value to maximise has no kernel."""
    words = objective.distinctness.words
    targets = fused_targets(objective.targets, frame)
    if words is None or targets is None or frame.width > WIDEST or frame.goal != EXIT_GOAL:
        return None
    grade: Call | None = Call(grade_nothing, (0,), GRADE)
    if objective.value is not None:
        # The value to maximise is the score of an objective; other functions have no kernel.
        whole = getattr(objective.value, "__self__", None)
        is_score = isinstance(whole, Objective) and objective.value == whole.score
        grade = fused_grade(whole, frame) if is_score else None
    if grade is None:
        return None
    size = frame.width, frame.width * frame.height
    choice = objective.value is not None, float(objective.missed)
    return Call(grade_distinct(len(targets)), (size, (*words, objective.distinctness.least), choice, targets, grade), GRADE)


GRADES[PackObjective] = pack_grade
