"""Levels and frames can be copied and sent to other processes."""

import copy
import pickle

import levolve
from levolve.levels.frame import Frame


def test_a_level_and_its_frame_survive_pickle_and_deep_copy() -> None:
    level = levolve.evolve("maze", size=(6, 6), seed=1, generations=2).best
    for again in (pickle.loads(pickle.dumps(level)), copy.deepcopy(level)):
        assert again == level
        assert (again.solution, again.origin) == (level.solution, level.origin)
    frame = Frame(4, 3, {"entrance": (0, 0)}, ("????", "#.??", "????"))
    assert pickle.loads(pickle.dumps(frame)) == frame
