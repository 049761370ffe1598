"""Rewards: a value to maximise under constraints."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge, Gt, Interval
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.core.settings import setting
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.goal import EXIT_GOAL
from levolve.levels.measures.structure import walls as count_walls
from levolve.levels.measures.structure_features import (
    exit_members,
    proofs,
    reaches_exit,
    stranded,
    unwinnable,
    winnable,
)
from levolve.levels.places import CHECKPOINTS, ENTRANCE, EXIT
from levolve.search.objectives.objective import Objective, Scores

Share = Annotated[float, Interval(ge=0, le=1)]
ANY_WALLS = (0.0, 1.0)
SMALLEST_MISS = 1e-9
# Below the value of every feasible level, for rewards without a known lowest value.
FAR_BELOW = -1e300


def _has_way(batch: Batch) -> NDArray[np.bool_]:
    """Return whether the exit is reachable, and every other stop of the goal, `(n,)`."""
    reachable = reaches_exit(batch)
    return reachable if batch.frame.goal.stops == EXIT_GOAL.stops else reachable & winnable(batch)


@dataclass(frozen=True, kw_only=True)
class Reward(Objective):
    """An objective for levels with an entrance and an exit: a value to maximise under constraints.

    A level is feasible if the exit is reachable, at least `exit_members` checkpoints are members of
    the exit (the mandatory exit membership k), and its share of walls is within `walls`. The score
    of a feasible level is its value. An infeasible level never scores more than a feasible one: if
    values are at least 0, it scores 0. With `feasible_first` it scores from -1 to just below 0,
    depending on how close it is to being feasible: the mean of the share of reachable cells, the
    share of the required members, and the closeness of the walls to their bounds. `weight` is the
    weight of the value in a weighted objective.

    A subclass sets `least`, the lowest possible value of a feasible level. If it is below 0, the
    scores of infeasible levels are shifted down by the same amount. If it is None (unknown),
    infeasible levels score -1e300 or less. Then means and differences of scores are of little use,
    so set `least` if it is known.
    """

    least: ClassVar[float | None] = None

    exit_members: Annotated[int, Ge(0)] = setting(
        0, "How many checkpoints must be members of the exit: the mandatory exit membership k."
    )
    walls: tuple[Share, Share] = setting(
        ANY_WALLS, "The lowest and the highest share of wall tiles."
    )
    feasible_first: bool = setting(
        default=False,
        meaning="Whether an infeasible level scores by how near it is, below every feasible one.",
    )
    weight: Annotated[float, Gt(0)] = setting(
        1.0, "How much the value counts in a weighted objective."
    )

    def __post_init__(self) -> None:
        """Raise `InputError` if the lower bound is above the upper one."""
        low, high = self.walls
        if low > high:
            raise InputError(
                f"walls: expected a lower share and a higher one, got {low} and {high}"
            )

    @abstractmethod
    def value(self, batch: Batch) -> Scores:
        """Return `(n,)` values of at least `least`. A value must not depend on other levels; values
        of infeasible levels are not used.
        """

    def least_value(self) -> float | None:
        """Return the lowest possible value of a feasible level; None if it is unknown."""
        return self.least

    @property
    def needs(self) -> tuple[str, ...]:
        """The places that levels must have."""
        return (ENTRANCE, EXIT, CHECKPOINTS) if self.exit_members else (ENTRANCE, EXIT)

    def check(self, frame: Frame) -> None:
        """Raise `InputError` if the frame lacks a required place or has too few checkpoints for
        `exit_members`.
        """
        super().check(frame)
        if self.exit_members > len(frame.checkpoints):
            raise InputError(
                f"objective.exit_members: expected at most the {len(frame.checkpoints)} "
                f"checkpoints of the level, got {self.exit_members}"
            )

    @property
    def conditional(self) -> bool:
        """Whether there is a constraint other than a path to the exit, or infeasible levels are
        ranked.
        """
        return self.feasible_first or self.exit_members > 0 or self.walls != ANY_WALLS

    def score(self, batch: Batch) -> Scores:
        """Return `(n,)` scores."""
        if not self.conditional:
            return np.where(_has_way(batch), self.value(batch), self.infeasible_score)
        feasible, nearness = self._conditions(batch)
        if not self.feasible_first:
            return np.where(feasible, self.value(batch), self.infeasible_score)
        # The mean of parts, at least one of which is below 1, minus 1; rounding must not make it 0.
        missing = np.minimum(sum(nearness) / len(nearness) - 1.0, -SMALLEST_MISS)
        least = self.least_value()
        if least is None:
            return np.where(feasible, self.value(batch), FAR_BELOW * (1.0 - missing))
        return np.where(feasible, self.value(batch), missing + min(least, 0.0))

    def feasible(self, batch: Batch) -> NDArray[np.bool_]:
        """Whether each level is feasible, `(n,)`."""
        return self._conditions(batch)[0]

    @property
    def infeasible_score(self) -> float:
        """The score of every infeasible level without `feasible_first`."""
        least = self.least_value()
        return FAR_BELOW if least is None else 0.0 if least >= 0 else least - 1.0

    def _conditions(self, batch: Batch) -> tuple[NDArray[np.bool_], list[Scores]]:
        """Return whether each level is feasible, and its closeness to each constraint from 0 to 1,
        which is used only with `feasible_first`.
        """
        if self.feasible_first and not batch.has_mechanics:
            # Counts the reachable cells and, together with them, the steps to the exit.
            stranded(batch)
        nearness: list[Scores] = []
        feasible = reaches_exit(batch)
        if self.feasible_first and not batch.has_mechanics:
            cells = batch.frame.width * batch.frame.height
            nearness.append(np.where(feasible, 1.0, stranded(batch) / cells))
        if batch.frame.goal.stops != EXIT_GOAL.stops or batch.has_mechanics:
            feasible = feasible & winnable(batch)
            nearness.append(np.where(winnable(batch), 1.0, 2.0 - unwinnable(batch)))
        if self.exit_members:
            members = exit_members(batch)
            feasible = feasible & (members >= self.exit_members)
            nearness.append(np.minimum(members / self.exit_members, 1.0))
        if self.walls != ANY_WALLS:
            share = count_walls(batch) / (batch.frame.width * batch.frame.height)
            outside = np.maximum(np.maximum(self.walls[0] - share, share - self.walls[1]), 0.0)
            feasible = feasible & (outside == 0)
            nearness.append(1.0 - outside)
        return feasible, nearness

    def unmet(self, batch: Batch) -> list[str]:
        """Return the constraints that the only level of a batch does not meet."""
        sentences = []
        if not reaches_exit(batch)[0]:
            lost = batch.has_mechanics and proofs(batch).winnable[0]
            sentences.append("exit: the level can be lost" if lost else "exit: unreachable")
        if self.exit_members and exit_members(batch)[0] < self.exit_members:
            sentences.append(
                f"exit_members: wanted {self.exit_members}, the nearest found is "
                f"{exit_members(batch)[0]}"
            )
        share = count_walls(batch)[0] / (batch.frame.width * batch.frame.height)
        low, high = self.walls
        if not low <= share <= high:
            sentences.append(
                f"walls: wanted a share of {low:g} to {high:g}, the nearest found is {share:.3g}"
            )
        return sentences
