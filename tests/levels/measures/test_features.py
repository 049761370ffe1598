"""Features of batches: computed once, alone, and without waiting for each other."""

import pickle
import threading

import numpy as np

from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.level import Level
from levolve.levels.measures import structure_features
from levolve.levels.measures.measuring import batch_of, level_at
from levolve.levels.measures.structure_features import exit_steps, feature
from levolve.levels.tileset import RAINBOW

FRAME = Frame(3, 3, {"entrance": (0, 0), "exit": (2, 2)})


def test_a_feature_is_computed_once_per_batch() -> None:
    counted = []

    @feature
    def walls(batch: Batch) -> int:
        counted.append(batch)
        return int(batch.tiles.sum())

    one, other = (
        Batch(FRAME, tiles=np.zeros((1, 3, 3), np.uint8)),
        Batch(FRAME, tiles=np.ones((1, 3, 3), np.uint8)),
    )
    assert [walls(one), walls(one), walls(other), walls(other)] == [0, 0, 9, 9]
    assert counted == [one, other]
    assert walls.is_known(one)


def test_two_threads_compute_the_same_feature_of_different_batches_at_the_same_time() -> None:
    # Each waits inside the feature until the other is inside too: with a lock around it, neither
    # could go on.
    meeting = threading.Barrier(2, timeout=60)

    @feature
    def met(batch: Batch) -> bool:
        meeting.wait()
        return len(batch) == 1

    found: list[bool] = []
    threads = [
        threading.Thread(
            target=lambda: found.append(met(Batch(FRAME, tiles=np.zeros((1, 3, 3), np.uint8))))
        )
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True, True]


def test_a_feature_is_sent_to_other_processes_by_its_name() -> None:
    for name in structure_features.__all__:
        entry = getattr(structure_features, name)
        assert pickle.loads(pickle.dumps(entry)) is entry


def test_packed_and_unpacked_levels_are_each_made_from_the_other() -> None:
    tiles = np.random.default_rng(1).integers(0, 2, (5, 3, 3)).astype(np.uint8)
    packed = Batch(FRAME, rows=Batch(FRAME, tiles=tiles).rows)
    assert np.array_equal(packed.tiles, tiles)
    assert (len(packed), len(Batch(FRAME))) == (5, 0)


def test_a_level_comes_out_of_a_batch_as_it_went_in() -> None:
    for text in (
        "S.#\n..1\n#.E",
        "ROY\nVBG\nentrance: 0,0\nexit: 2,1",
        "A.B\n#..\n##C",
        "..\n##\ngoal: none",
    ):
        level = Level.from_text(text)
        assert level_at(batch_of(level)) == level
    assert batch_of(Level.from_text("RO\nYG")).tileset is RAINBOW


def test_the_path_to_the_exit_does_not_depend_on_what_was_computed_before() -> None:
    tiles = np.random.default_rng(2).integers(0, 2, (40, 3, 3)).astype(
        np.uint8
    ) * np.random.default_rng(3).integers(0, 2, (40, 3, 3)).astype(np.uint8)
    tiles[:, 0, 0] = tiles[:, 2, 2] = 0
    expected = exit_steps(Batch(FRAME, tiles=tiles)).tolist()
    for first in (
        structure_features.distances,
        structure_features.members,
        structure_features.stranded,
        structure_features.unwinnable,
    ):
        batch = Batch(FRAME, tiles=tiles)
        first(batch)
        assert exit_steps(batch).tolist() == expected
