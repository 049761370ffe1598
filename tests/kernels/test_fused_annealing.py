"""The judgement of mutants by annealing: those that will be rejected are not scored."""

import numpy as np

from levolve.kernels.bits.packed_flood import pack_rows
from levolve.kernels.fused.annealing import score_best_tours_from, selective
from levolve.kernels.fused.scores import score_best_tours
from levolve.levels.level import Level


def test_where_a_mutant_is_the_best_so_far_all_are_scored_because_the_temperature_rises() -> None:
    levels = [Level.from_text(text) for text in ("A.#\n#..\n..C", "A..\n##.\nB.C", "A.#\n#B.\n##C")]
    rows = np.zeros((3, 4), np.uint64)
    pack_rows(np.stack([level.tiles for level in levels]), rows[:, :3])
    expected = np.empty(3)
    score_best_tours((3,), rows, expected)
    assert expected.tolist() == [10.0, 12.0, 8.0]
    for best, floored in ((11.0, expected), (12.0, [-1.0, 12.0, -1.0])):
        scores = np.empty(3)
        selective(score_best_tours_from)(
            np.uint64(1), 1, 1e-6, best, np.arange(3), np.full(3, 12.0), (3,), rows, scores
        )
        assert np.array_equal(scores, floored)
