"""Objectives as scores of packed rows: by the class of the objective, the kernel of a score or of a
grade; see `kernels.fused.grades`.

Every reward whose value has a kernel (`values.py`) has one, too. Another objective is one function
and one line here, or in `GRADES`, to which other packages may add theirs.

The objectives and measures with a kernel for packed rows (`kernels.fused.values`), by the class of
an objective or the name of a measure.

A new one is one function and one line here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from levolve.kernels.bits.packed_flood import WIDEST, exit_steps
from levolve.kernels.bits.wide_flood import exit_steps_wide
from levolve.kernels.fused import scores, values
from levolve.kernels.fused import scores as grades
from levolve.kernels.fused.address_calls import ROWS, STEPS
from levolve.kernels.walking import packed_layout
from levolve.kernels.walking.packed_tours import fits
from levolve.levels.goal import EXIT_GOAL
from levolve.search.fused.operators import GRADE, SCORE, VALUE, WALK, Call, PlainCall
from levolve.search.objectives.combined import Target, Weighted
from levolve.search.objectives.design import LevelDesign
from levolve.search.objectives.paths import CulDeSacLength, CulsDeSac, ExitPath, Tour
from levolve.search.objectives.reward import ANY_WALLS, Reward

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.levels.frame import Frame

Range = tuple[float, float]


def fused_value(objective: object, frame: Frame) -> Call | None:
    """Return the kernel of an objective's value, and its settings; None if there is none."""
    fuse = VALUES.get(type(objective))
    return None if fuse is None else fuse(objective, frame)


def fused_measure(name: str, frame: Frame, within: Range) -> Call | None:
    """Return the kernel of a measure, and its settings; None if there is none. Within the range it
    may return any number of the range.
    """
    fuse = MEASURES.get(name)
    return None if fuse is None else fuse(frame, within)


def fused_targets(
    targets: Mapping[str, Range], frame: Frame
) -> tuple[tuple[float, float, Call], ...] | None:
    """Return the targets of measures, each with the kernel of its measure; None if one has no
    kernel.
    """
    found = [
        (float(low), float(high), fused_measure(name, frame, (low, high)))
        for name, (low, high) in targets.items()
    ]
    known = tuple((low, high, value) for low, high, value in found if value is not None)
    return known if len(known) == len(found) else None


def _exit_path(objective: object, frame: Frame) -> Call:
    return Call(values.value_exit_path, (0,), VALUE)


def _walls(frame: Frame, within: Range) -> Call:
    return Call(values.value_walls, (0,), VALUE)


def _ends(which: int, frame: Frame) -> Call | None:
    return (
        None
        if frame.width > WIDEST
        else Call(values.value_ends, (which, frame.width, *frame.entrance), VALUE)
    )


def _layout(part: int, frame: Frame) -> Call | None:
    return (
        Call(values.value_layout, (part, frame.width, _stops(frame)), VALUE)
        if _has_layout(frame)
        else None
    )


def _longest_path(frame: Frame, within: Range) -> Call | None:
    settings = (frame.width, float(within[0]), float(within[1]))
    return None if frame.width > WIDEST else Call(values.value_longest_path, settings, VALUE)


def _design(objective: LevelDesign, frame: Frame) -> Call | None:
    if not _has_layout(frame):
        return None
    wanted = objective.wanted_dead_ends(frame.width * frame.height)
    return Call(values.value_design, (frame.width, _stops(frame), objective.weights, wanted), VALUE)


def _weighted(objective: Weighted, frame: Frame) -> Call | None:
    parts = [(float(part.weight), fused_value(part, frame)) for part in objective.parts]
    if any(value is None for _, value in parts):
        return None
    return Call(values.mean(values.weigh, len(parts)), (1, tuple(parts)), VALUE)


def _target(objective: Target, frame: Frame) -> Call | None:
    targets = fused_targets(objective.targets, frame)
    return (
        None
        if targets is None
        else Call(values.mean(values.near, len(targets)), (len(targets), targets), VALUE)
    )


def _has_layout(frame: Frame) -> bool:
    return frame.width <= WIDEST and frame.goal == EXIT_GOAL


def _stops(frame: Frame) -> NDArray[np.int64]:
    return np.array([[y * frame.width + x for x, y in (frame.entrance, frame.exit)]], np.int64)


# Levels have an entrance and an exit, the same in all.
VALUES: dict[type, Callable[[Any, Frame], Call | None]] = {
    ExitPath: _exit_path,
    CulsDeSac: lambda _, frame: _ends(0, frame),
    CulDeSacLength: lambda _, frame: _ends(1, frame),
    LevelDesign: _design,
    Target: _target,
    Weighted: _weighted,
}
MEASURES: dict[str, Callable[[Frame, Range], Call | None]] = {
    "exit_path": lambda frame, _: _exit_path(None, frame),
    "walls": _walls,
    "longest_path": _longest_path,
    "culs_de_sac": lambda frame, _: _ends(0, frame),
    "cul_de_sac_length": lambda frame, _: _ends(1, frame),
    "branching": lambda frame, _: _ends(2, frame),
    "pockets": lambda frame, _: _layout(packed_layout.POCKETS, frame),
    "specks": lambda frame, _: _layout(packed_layout.SPECKS, frame),
    "plazas": lambda frame, _: _layout(packed_layout.PLAZAS, frame),
    "blocks": lambda frame, _: _layout(packed_layout.BLOCKS, frame),
    "diagonals": lambda frame, _: _layout(packed_layout.DIAGONALS, frame),
    "dead_ends": lambda frame, _: _layout(packed_layout.DEAD_ENDS, frame),
    "turns": lambda frame, _: _layout(packed_layout.TURNS, frame),
}


def fused_score(objective: object, frame: Frame, *, marked: bool) -> Call | None:
    """Return the kernel of a score, and its settings; None if there is none. `marked` is whether a
    gene says where B is.
    """
    if isinstance(objective, Tour):
        return _tour(frame, marked=marked) if type(objective) is Tour else None
    ends = frame.has("entrance") and frame.has("exit")
    if frame.tours or not ends or frame.goal.stops != EXIT_GOAL.stops:
        return None
    is_wide = frame.width > WIDEST
    sizes = (frame.width, *frame.entrance, *frame.exit)
    if type(objective) is ExitPath and not objective.conditional:
        kernel, flood = (
            (scores.score_wide_exit_paths, WIDE_FLOOD)
            if is_wide
            else (scores.score_exit_paths, FLOOD)
        )
        return Call(kernel, (flood, *sizes), SCORE)
    grade = fused_grade(objective, frame)
    if grade is None:
        return None
    walk, flood = (
        (grades.walk_and_count, COUNTING_FLOOD) if needs_reach(objective) else (grades.walk, FLOOD)
    )
    if is_wide:
        walk, flood = grades.walk_wide, WIDE_COUNTING_FLOOD
    return Call(grades.score_walks, (Call(walk, (flood, *sizes), WALK), grade), SCORE)


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
    limits = (
        low,
        high,
        objective.walls != ANY_WALLS,
        objective.feasible_first,
        frame.width * frame.height,
        infeasible,
    )
    return Call(
        grades.grade_constrained,
        ((*limits, 1.0 if least is None else min(least, 0.0)), value),
        GRADE,
    )


def needs_reach(objective: object) -> bool:
    """Whether the grade of an objective depends on how many cells are reachable if the exit is
    not.
    """
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
