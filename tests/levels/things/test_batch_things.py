"""Things of batches: one lowering for all levels, cells of their own."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import levolve
from levels.things.inputs import CLASSES, random_level
from levolve.core.errors import InputError
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.level import Level
from levolve.levels.measures.measuring import batch_of, level_at
from levolve.levels.measures.structure_features import (
    exit_steps,
    proofs,
    reaches_exit,
    solution_steps,
    unwinnable,
    winnable,
)
from levolve.levels.things.batch_things import BatchThings
from levolve.levels.things.thing import Thing

KEYS = (Thing("key", (0, 0)), Thing("door", (0, 0)))
ROOM = "S......E\n########\n........"


def things_of(*rows: list[int], prototypes: tuple[Thing, ...] = KEYS) -> BatchThings:
    return BatchThings(prototypes, np.array(rows, np.int64).reshape(len(rows), -1))


def batch_with(things: BatchThings, text: str = ROOM) -> Batch:
    level = Level.from_text(text)
    frame = replace(level.frame, things=True)
    batch = Batch(frame, tiles=np.repeat(level.tiles[np.newaxis], len(things), axis=0))
    batch.things = things
    return batch


@given(st.sampled_from(list(CLASSES)), st.integers(0, 2**32 - 1))
def test_a_batch_of_one_level_gives_the_level_back_and_says_what_its_proof_says(
    name: str, seed: int
) -> None:
    level = random_level(random.Random(seed), name, 8, 8)
    batch = batch_of(level)
    assert level_at(batch) == level
    proof, found = level.prove(), proofs(batch)
    assert (found.winnable[0], found.safe[0], found.undecided[0]) == (
        proof.winnable,
        proof.safe,
        proof.undecided,
    )
    assert (found.states[0], found.lost[0], found.spheres[0]) == (
        proof.states,
        proof.lost,
        proof.spheres,
    )
    assert solution_steps(batch)[0] == (proof.steps if proof.safe else -1)
    assert winnable(batch)[0] == proof.safe or not batch.has_mechanics
    assert (unwinnable(batch)[0] == 0) == winnable(batch)[0]


def test_levels_with_things_in_other_cells_are_proven_together() -> None:
    batch = batch_with(things_of([1, 3], [5, 3], [17, 3], [1, 2]))
    assert winnable(batch).tolist() == [True, False, False, True]
    assert exit_steps(batch).tolist() == [7, -1, -1, 7]
    assert reaches_exit(batch).tolist() == [True, False, False, True]


def test_an_absent_thing_is_no_thing() -> None:
    batch = batch_with(things_of([1, 3], [-1, 3], [-1, -1], [1, -1]))
    assert winnable(batch).tolist() == [True, False, True, True]
    assert [len(level_at(batch, index).things) for index in range(4)] == [2, 1, 0, 1]


def test_what_refers_to_an_absent_thing_is_absent_too() -> None:
    prototypes = (
        Thing("gate", (0, 0), fields={"lever": "a"}),
        Thing("lever", (0, 0), "a"),
        Thing("stairs", (0, 0), "b", {"to": "c"}),
        Thing("stairs", (0, 0), "c", {"to": "b"}),
        Thing("teleporter", (0, 0), fields={"to": "b"}),
    )
    things = things_of([3, -1, 1, -1, 5], [3, 1, 2, 16, 5], prototypes=prototypes)
    assert things.cells.tolist() == [[-1] * 5, [3, 1, 2, 16, 5]]
    batch = batch_with(things)
    assert winnable(batch).tolist() == [True, True]
    for index in range(2):
        level = level_at(batch, index)
        assert level.prove().safe
        assert len(level.things) == (0, 5)[index]


def test_what_cannot_be_things_of_a_batch_is_refused() -> None:
    with pytest.raises(InputError, match=r"shape \(levels, 2\)"):
        things_of([1, 2, 3])
    lever = Thing("lever", (0, 0), "a")
    with pytest.raises(InputError, match="each id once"):
        things_of([1, 2], prototypes=(lever, lever)).tables()
    with pytest.raises(InputError, match="another thing"):
        things_of([1], prototypes=(Thing("gate", (0, 0), fields={"lever": "a"}),)).tables()


def test_worse_levels_have_higher_numbers() -> None:
    text = "S......E\n........"
    # Shut in by a small door whose key is behind it; a door that takes the only small key; a way.
    pair = (Thing("small_key", (0, 0)), *(Thing("small_door", (0, 0)) for _ in range(3)))
    rows = [[5, 3, 11, -1], [1, 3, 11, 9], [1, 3, -1, -1]]
    found = unwinnable(batch_with(things_of(*rows, prototypes=pair), text))
    closed = unwinnable(batch_with(things_of([1, 3]), "S..#...E\n...#...."))
    assert 2 > closed[0] > 5 / 3 > found[0] >= 4 / 3 > found[1] > 1 > found[2] == 0  # fmt: skip


def test_measures_of_levels_do_not_depend_on_the_levels_beside_them() -> None:
    chance = random.Random(3)
    levels = [
        level
        for name in CLASSES
        for level in (random_level(chance, name, 7, 6, odd_tiles=False) for _ in range(20))
        if level.goal.stops[0] == "entrance"
    ]
    together = levolve.measure(levels)
    for name in ("exit_path", "walls"):
        assert together[name].tolist() == [levolve.measure(level)[name][0] for level in levels]


def test_a_frame_says_whether_levels_have_things() -> None:
    level = Level.from_text(ROOM)
    assert not level.frame.things
    assert level.with_things([Thing("key", (1, 0))]).frame.things
    assert Frame(3, 3, {}) != Frame(3, 3, {}, things=True)
