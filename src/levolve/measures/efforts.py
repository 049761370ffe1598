"""Difficulty: our estimate of the effort to find the path, and its parts."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.efforts import BRANCHES, LOST, STEPS, STRAIGHT, WRONG_TURNS
from levolve.levels.batch import Batch
from levolve.measures.features import efforts
from levolve.measures.measure import Measure

# Weights in steps: a step of detour leads away from the goal, and at the end of a branch the player has to turn round.
A_STEP_OF_DETOUR = 2
A_BRANCH = 2


def difficulty(batch: Batch) -> NDArray[np.int64]:
    """Add the steps of the path, twice its detour, its wrong turns, twice the wrong branches, and the steps lost in them; -1 without a path.

    The detour is the number of steps beyond the straight distance. The difficulty increases with each of its parts.
    """
    parts = efforts(batch)
    detour = parts[:, STEPS] - parts[:, STRAIGHT]
    effort = parts[:, STEPS] + A_STEP_OF_DETOUR * detour + parts[:, WRONG_TURNS] + A_BRANCH * parts[:, BRANCHES] + parts[:, LOST]
    return np.where(parts[:, STEPS] < 0, -1, effort)


def wrong_turns(batch: Batch) -> NDArray[np.int64]:
    """Count the steps from a shortest path into a branch that is on no shortest path; -1 without a path."""
    return efforts(batch)[:, WRONG_TURNS]


def lost_steps(batch: Batch) -> NDArray[np.int64]:
    """Add the steps to the far end of every branch that wrong turns lead into; -1 without a path."""
    return efforts(batch)[:, LOST]


DIFFICULTY = Measure(
    "estimated effort to find the path: its steps, detour, wrong turns, wrong branches and the steps lost in them", difficulty, of_goal=True
)
TURNS = Measure("turns along a shortest path that lead into a branch which is on no shortest path", wrong_turns, of_goal=True)
LOST_STEPS = Measure("total steps to the far ends of the branches that wrong turns lead into", lost_steps, of_goal=True)
