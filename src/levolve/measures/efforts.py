"""How hard it is to find the way: our own estimate, and what it is made of."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.efforts import BRANCHES, LOST, STEPS, STRAIGHT, WRONG_TURNS
from levolve.levels.batch import Batch
from levolve.levels.frame import ENTRANCE, EXIT, TOUR
from levolve.measures.measure import Measure

# What one of each costs, in steps: a step of detour leads away from where one wants to be, and at the end of a branch one turns round.
A_STEP_OF_DETOUR = 2
A_BRANCH = 2


def difficulty(batch: Batch) -> NDArray[np.int64]:
    """Steps of the way, its detour over the straight line twice, wrong turns, twice the wrong branches, and the steps lost in them; -1 without a way.

    So it grows with each of its parts: the length of the way against the straight distance, the branching along it, the blind ends passed, and
    how far the wrong turns lead.
    """
    parts = batch.efforts
    detour = parts[:, STEPS] - parts[:, STRAIGHT]
    effort = parts[:, STEPS] + A_STEP_OF_DETOUR * detour + parts[:, WRONG_TURNS] + A_BRANCH * parts[:, BRANCHES] + parts[:, LOST]
    return np.where(parts[:, STEPS] < 0, -1, effort)


def wrong_turns(batch: Batch) -> NDArray[np.int64]:
    """Steps that lead off the shortest walk into a branch that is not on the way, -1 without a way."""
    return batch.efforts[:, WRONG_TURNS]


def lost_steps(batch: Batch) -> NDArray[np.int64]:
    """Steps to the far end of every branch that those wrong turns lead into, added up, -1 without a way."""
    return batch.efforts[:, LOST]


WAY = (ENTRANCE, EXIT)
DIFFICULTY = Measure(
    "estimated effort to find the way: its steps, detour, wrong turns, blind branches and the steps lost in them", difficulty, WAY, TOUR
)
TURNS = Measure("turns along the shortest way that lead into a branch which is not on the way", wrong_turns, WAY, TOUR)
LOST_STEPS = Measure("steps to the far end of each branch that wrong turns lead into, added up", lost_steps, WAY, TOUR)
