"""How hard it is to find the way: our own estimate, and what it is made of."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.efforts import ENDS, LOST, STEPS, STRAIGHT, WRONG_TURNS
from levolve.levels.batch import Batch
from levolve.levels.frame import ENTRANCE, EXIT, TOUR
from levolve.measures.measure import Measure

# What one of each costs, in steps: a wrong turn is a decision, and an end in a wrong branch means to turn round.
A_WRONG_TURN = 2
AN_END = 3


def difficulty(batch: Batch) -> NDArray[np.int64]:
    """The steps of the way, again those by which it exceeds the straight line, the cells lost, and a price for turns and ends; -1 without a way.

    It grows with each of its parts: with the steps, the detour, the wrong turns, the culs-de-sac passed and the cells lost in wrong branches.
    """
    parts = batch.efforts
    effort = 2 * parts[:, STEPS] - parts[:, STRAIGHT] + parts[:, LOST] + A_WRONG_TURN * parts[:, WRONG_TURNS] + AN_END * parts[:, ENDS]
    return np.where(parts[:, STEPS] < 0, -1, effort)


def wrong_turns(batch: Batch) -> NDArray[np.int64]:
    """Steps that lead off the shortest walk into a branch that is not on the way, -1 without a way."""
    return batch.efforts[:, WRONG_TURNS]


def lost_cells(batch: Batch) -> NDArray[np.int64]:
    """Cells of the branches that those wrong turns lead into, -1 without a way."""
    return batch.efforts[:, LOST]


WAY = (ENTRANCE, EXIT)
DIFFICULTY = Measure(
    "estimated effort to find the way, in steps: length, detour, wrong turns, dead ends and cells lost in them", difficulty, WAY, TOUR
)
WRONG_TURNS_MEASURE = Measure("turns along the shortest way that lead into a branch which is not on the way", wrong_turns, WAY, TOUR)
LOST_CELLS = Measure("cells of the branches that wrong turns lead into", lost_cells, WAY, TOUR)
