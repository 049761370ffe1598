"""The contract of objectives."""

import pickle

import numpy as np

from levolve.errors import InputError
from levolve.genotypes.genotype import Genotype
from levolve.levels.frame import Frame
from levolve.objectives.objective import Objective
from levolve.testing.genotypes import frames
from levolve.testing.laws import need


def check_objective(objective: Objective, genotype: Genotype) -> None:
    """Check that scores are finite, one per level, and that a level's score depends only on this level."""
    need("an objective can be sent to other processes", holds=pickle.loads(pickle.dumps(objective)) == objective)  # noqa: S301 our own bytes
    for frame in frames(genotype):
        objective.check(frame)
        genes = genotype.start(frame, 3, 0, 7)
        batch = genotype.batch(genes, frame)
        before = batch.tiles.copy()
        scores = np.array(objective.score(batch))
        need("there is one score per level, a 64-bit float", holds=scores.shape == (7,) and scores.dtype == np.float64)
        need("scores are finite", holds=bool(np.isfinite(scores).all()))
        need("scoring does not change the levels", holds=np.array_equal(batch.tiles, before))
        need("no score is above the goal", holds=objective.goal is None or bool((scores <= objective.goal).all()))
        need("the same levels have the same scores each time", holds=np.array_equal(scores, objective.score(genotype.batch(genes, frame))))
        need("scores follow the order of the levels", holds=np.array_equal(scores[::-1], objective.score(genotype.batch(genes[::-1].copy(), frame))))
        for index in range(len(genes)):
            alone = objective.score(genotype.batch(genes[index : index + 1], frame))
            need("a level's score does not depend on the other levels of its batch", holds=alone[0] == scores[index])
    if objective.needs:
        need("a frame that lacks a place is rejected", holds=_rejects(objective, Frame(6, 6, {})))


def _rejects(objective: Objective, frame: Frame) -> bool:
    try:
        objective.check(frame)
    except InputError:
        return True
    return False
