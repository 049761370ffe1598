"""Difficulty: our estimate of the effort to find the path and to open what bars it; its parts."""

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.proofs import plays
from levolve.kernels.walking.path_shape import BRANCHES, EFFORT_STRAIGHT, LOST, STEPS, WRONG_TURNS
from levolve.levels.batch import Batch
from levolve.levels.measures.contents import least_damage
from levolve.levels.measures.measure import Measure
from levolve.levels.measures.structure_features import efforts, proofs
from levolve.levels.measures.thing_features import solutions

# Weights in steps: a step of detour leads away from the goal, and at the end of a branch the player
# has to turn round.
A_STEP_OF_DETOUR = 2
A_BRANCH = 2
# Weights of levels with things: a sphere is a search for what opens the next doors.
A_SPHERE = 4
A_POINT_OF_DAMAGE = 4


def difficulty(batch: Batch) -> NDArray[np.int64]:
    """Add the steps of the path, twice its detour, its wrong turns, twice the wrong branches, and
    the steps lost in them; -1 without a path.

    The detour is the number of steps beyond the straight distance. The difficulty increases with
    each of its parts. Where things act, it is -1 without a solution, and further parts are added:
    the moves of the solution beyond the path, four times the spheres beyond the first, four times
    the least damage, and the moves of the solution times the share of states that are lost.
    """
    effort = _effort(batch)
    if not batch.has_mechanics:
        return effort
    steps = solutions(batch)[:, plays.MOVES].astype(np.int64)
    proof = proofs(batch)
    lost = steps * proof.lost // np.maximum(proof.states, 1)
    more = (
        np.maximum(steps - np.maximum(efforts(batch)[:, STEPS], 0), 0)
        + A_SPHERE * np.maximum(proof.spheres - 1, 0)
        + A_POINT_OF_DAMAGE * least_damage(batch)
        + lost
    )
    return np.where(steps < 0, -1, np.maximum(effort, 0) + more)


def _effort(batch: Batch) -> NDArray[np.int64]:
    """Return the difficulty without things."""
    parts = efforts(batch)
    detour = parts[:, STEPS] - parts[:, EFFORT_STRAIGHT]
    effort = (
        parts[:, STEPS]
        + A_STEP_OF_DETOUR * detour
        + parts[:, WRONG_TURNS]
        + A_BRANCH * parts[:, BRANCHES]
        + parts[:, LOST]
    )
    return np.where(parts[:, STEPS] < 0, -1, effort)


def wrong_turns(batch: Batch) -> NDArray[np.int64]:
    """Count the steps from a shortest path into a branch that is on no shortest path; -1 without a
    path.
    """
    return efforts(batch)[:, WRONG_TURNS]


def lost_steps(batch: Batch) -> NDArray[np.int64]:
    """Add the steps to the far end of every branch that wrong turns lead into; -1 without a
    path.
    """
    return efforts(batch)[:, LOST]


DIFFICULTY = Measure(
    (
        "estimated effort to find the path: its steps, detour, wrong turns, wrong branches and "
        "the steps lost in them; also locks, damage and lost states"
    ),
    difficulty,
    of_goal=True,
)
TURNS = Measure(
    "turns along a shortest path that lead into a branch which is on no shortest path",
    wrong_turns,
    of_goal=True,
)
LOST_STEPS = Measure(
    "total steps to the far ends of the branches that wrong turns lead into",
    lost_steps,
    of_goal=True,
)
