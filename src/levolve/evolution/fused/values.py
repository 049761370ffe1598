"""The objectives and measures with a kernel for packed rows (`kernels.fused.values`), by the class of an objective or the name of a measure.

A new one is one function and one line here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from levolve.evolution.fused.calls import VALUE, Call
from levolve.kernels import layouts
from levolve.kernels.boards import WIDEST
from levolve.kernels.fused import values
from levolve.levels.goal import EXIT_GOAL
from levolve.measures.paths import SHORT_PATHS
from levolve.objectives.culs_de_sac import CulDeSacLength, CulsDeSac
from levolve.objectives.design import LevelDesign
from levolve.objectives.exit_path import ExitPath
from levolve.objectives.target import Target
from levolve.objectives.weighted import Weighted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from levolve.levels.frame import Frame

Range = tuple[float, float]


def fused_value(objective: object, frame: Frame) -> Call | None:
    """Return the kernel of an objective's value, and its settings; None if there is none."""
    fuse = VALUES.get(type(objective))
    return None if fuse is None else fuse(objective, frame)


def fused_measure(name: str, frame: Frame, within: Range) -> Call | None:
    """Return the kernel of a measure, and its settings; None if there is none. Within the range it may return any number of the range."""
    fuse = MEASURES.get(name)
    return None if fuse is None else fuse(frame, within)


def fused_targets(targets: Mapping[str, Range], frame: Frame) -> tuple[tuple[float, float, Call], ...] | None:
    """Return the targets of measures, each with the kernel of its measure; None if one has no kernel."""
    found = [(float(low), float(high), fused_measure(name, frame, (low, high))) for name, (low, high) in targets.items()]
    known = tuple((low, high, value) for low, high, value in found if value is not None)
    return known if len(known) == len(found) else None


def _exit_path(objective: object, frame: Frame) -> Call:  # noqa: ARG001 no settings
    return Call(values.value_exit_path, (0,), VALUE)


def _walls(frame: Frame, within: Range) -> Call:  # noqa: ARG001 the same
    return Call(values.value_walls, (0,), VALUE)


def _ends(which: int, frame: Frame) -> Call | None:
    return None if frame.width > WIDEST else Call(values.value_ends, (which, frame.width, *frame.entrance), VALUE)


def _layout(part: int, frame: Frame) -> Call | None:
    return Call(values.value_layout, (part, frame.width, _stops(frame)), VALUE) if _has_layout(frame) else None


def _longest_path(frame: Frame, within: Range) -> Call | None:
    kernel = values.value_short_longest_path if within[0] <= SHORT_PATHS * frame.width else values.value_longest_path
    return None if frame.width > WIDEST else Call(kernel, (frame.width, float(within[0]), float(within[1])), VALUE)


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
    return None if targets is None else Call(values.mean(values.near, len(targets)), (len(targets), targets), VALUE)


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
    "pockets": lambda frame, _: _layout(layouts.POCKETS, frame),
    "specks": lambda frame, _: _layout(layouts.SPECKS, frame),
    "plazas": lambda frame, _: _layout(layouts.PLAZAS, frame),
    "blocks": lambda frame, _: _layout(layouts.BLOCKS, frame),
    "diagonals": lambda frame, _: _layout(layouts.DIAGONALS, frame),
    "dead_ends": lambda frame, _: _layout(layouts.DEAD_ENDS, frame),
    "turns": lambda frame, _: _layout(layouts.TURNS, frame),
}
