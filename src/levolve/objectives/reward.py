"""Rewards: a value to make large, and the conditions under which it counts."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt, Interval

from levolve.errors import InputError
from levolve.levels.batch import Batch
from levolve.levels.frame import CHECKPOINTS, ENTRANCE, EXIT, Frame
from levolve.measures.cells import walls as count_walls
from levolve.objectives.objective import Objective, Scores

Share = Annotated[float, Interval(ge=0, le=1)]
ANY_WALLS = (0.0, 1.0)
SMALLEST_MISS = 1e-9


@dataclass(frozen=True, kw_only=True)
class Reward(Objective):
    """An objective for levels with an entrance and an exit: a value to make large, and the conditions under which it counts.

    A level counts (is feasible) if the exit can be reached, if at least `exit_members` checkpoints are members of the exit (the mandatory
    exit membership k), and if its share of walls is within `walls`. A feasible level scores its value, never below 0. One that is not
    scores 0; or, with `feasible_first`, from -1 to just below 0, by how near it is: the mean of the share of cells within
    reach, the share of the members that are wanted, and how little the walls miss their bounds.
    `weight` is how much the value counts in a weighted objective.
    """

    exit_members: Annotated[int, Ge(0)] = 0
    walls: tuple[Share, Share] = ANY_WALLS
    feasible_first: bool = False
    weight: Annotated[float, Gt(0)] = 1.0

    def __post_init__(self) -> None:
        """Refuse bounds that contradict each other."""
        low, high = self.walls
        if low > high:
            message = f"walls: expected a lower share and a higher one, got {low} and {high}"
            raise InputError(message)

    @abstractmethod
    def value(self, batch: Batch) -> Scores:
        """`(n,)` values of at least 0. A level's value must not depend on the levels beside it; that of an infeasible one is not looked at."""

    @property
    def needs(self) -> tuple[str, ...]:
        """The places that levels must have."""
        return (ENTRANCE, EXIT, CHECKPOINTS) if self.exit_members else (ENTRANCE, EXIT)

    def check(self, frame: Frame) -> None:
        """Refuse a frame that lacks a place, or that has too few checkpoints for `exit_members`."""
        super().check(frame)
        if self.exit_members > len(frame.checkpoints):
            message = f"objective.exit_members: expected at most the {len(frame.checkpoints)} checkpoints there are, got {self.exit_members}"
            raise InputError(message)

    @property
    def conditional(self) -> bool:
        """Whether there is a condition besides a way to the exit, or a reward for coming near."""
        return self.feasible_first or self.exit_members > 0 or self.walls != ANY_WALLS

    def score(self, batch: Batch) -> Scores:
        """`(n,)` scores."""
        if not self.conditional:
            return np.where(batch.exit_steps >= 0, self.value(batch), 0.0)
        stranded = batch.stranded if self.feasible_first else None
        nearness: list[Scores] = []
        feasible = batch.exit_steps >= 0
        if stranded is not None:
            nearness.append(np.where(feasible, 1.0, stranded / (batch.frame.width * batch.frame.height)))
        if self.exit_members:
            members = batch.exit_members
            feasible = feasible & (members >= self.exit_members)
            nearness.append(np.minimum(members / self.exit_members, 1.0))
        if self.walls != ANY_WALLS:
            share = count_walls(batch) / (batch.frame.width * batch.frame.height)
            outside = np.maximum(np.maximum(self.walls[0] - share, share - self.walls[1]), 0.0)
            feasible = feasible & (outside == 0)
            nearness.append(1.0 - outside)
        if self.feasible_first:
            # The mean of parts of which one at least is below 1, moved below 0, and kept there where it is a hair that is missing.
            return np.where(feasible, self.value(batch), np.minimum(sum(nearness) / len(nearness) - 1.0, -SMALLEST_MISS))
        return np.where(feasible, self.value(batch), 0.0)

    def unmet(self, batch: Batch) -> list[str]:
        """The conditions that the only level of a batch does not meet."""
        sentences = []
        if batch.exit_steps[0] < 0:
            sentences.append("exit: cannot be reached")
        if self.exit_members and batch.exit_members[0] < self.exit_members:
            sentences.append(f"exit_members: wanted {self.exit_members}, the nearest found is {batch.exit_members[0]}")
        share = count_walls(batch)[0] / (batch.frame.width * batch.frame.height)
        low, high = self.walls
        if not low <= share <= high:
            sentences.append(f"walls: wanted a share of {low:g} to {high:g}, the nearest found is {share:.3g}")
        return sentences
