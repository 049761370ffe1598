"""Proofs against a plain search over all states."""

import os
import random

import numpy as np
import pytest
from hypothesis import given

from levels.things.inputs import CLASSES, large_level, levels_with_things, random_level
from levolve.levels.level import Level
from levolve.levels.things.batch_proofs import Tables, prove_batch, tables_of_level
from levolve.levels.things.lowering import lower
from oracles.things import Rules, Verdict, decide

# 100 levels by default, 100,000 for `LEVOLVE_SEEDS=1000`.
SEEDS = int(os.environ.get("LEVOLVE_SEEDS", "1"))


def check_proof(level: Level) -> Verdict | None:
    """Compare a proof with the verdict of the plain search."""
    expected = decide(level)
    if expected is None:
        return None
    proof = level.prove()
    assert not proof.undecided
    assert (proof.winnable, proof.safe) == (expected.winnable, expected.safe), level.to_text()
    assert proof.steps == expected.steps, level.to_text()
    if proof.solution is not None:
        check_play(level, proof.solution, expected)
    if proof.winnable and not proof.safe:
        (losing,) = proof.losing_moves
        state, move = expected.losing[0]
        assert len(losing.play) == expected.depth[state] + 1, level.to_text()
        assert move in "udlrx"
        check_loss(level, losing.play, expected)
    if proof.winnable:
        level.with_solution(proof.solution, proof.certificate).check(loss=not proof.safe)
    return expected


def check_play(level: Level, play: str, expected: Verdict) -> None:
    rules = Rules(level)
    state = rules.start()
    for move in play:
        assert not rules.won(state)
        state = dict(rules.moves(state))[move]
    assert rules.won(state)
    assert len(play) == expected.steps


def check_loss(level: Level, play: str, expected: Verdict) -> None:
    rules = Rules(level)
    state = rules.start()
    for move in play[:-1]:
        state = dict(rules.moves(state))[move]
    assert (state, play[-1]) in expected.losing
    after = dict(rules.moves(state))[play[-1]]
    (losing,) = level.prove().losing_moves
    assert losing.cell == after.cell
    assert losing.holds == {name: value for name, value in rules.has(state.done).items() if value}


@given(levels_with_things())
def test_a_small_level_is_proven_as_the_plain_search_says(level: Level) -> None:
    check_proof(level)


@pytest.mark.parametrize("block", range(SEEDS))
def test_a_level_of_any_size_is_proven_as_the_plain_search_says(block: int) -> None:
    verdicts = [check_proof(large_level(seed)) for seed in range(100 * block, 100 * block + 100)]
    assert sum(verdict is not None for verdict in verdicts) > 50


# The exit ends the level, so that nobody gets past it with the lever on: the gate on the left stays
# shut, and the monster behind it is never met.
SIDES = """S......
.#####.
......E
.######
.######
thing: player 0,0 health=9
thing: gate 1,0 lever=a open=true
thing: lever 2,0 id=a
thing: monster 5,2
thing: gate 0,3 lever=a
thing: monster 0,4
"""


def test_nobody_passes_the_exit_in_a_proof() -> None:
    level = Level.from_text(SIDES)
    assert check_proof(level) is not None
    certificate = level.prove().certificate
    assert certificate is not None
    (monster, *_) = [i for i, thing in enumerate(level.things) if thing.kind == "monster"]
    assert (certificate.kind, certificate.data) == (
        "C+T",
        {"next": {"0": -1, f"{1 << monster:x}": -1}},
    )


@pytest.mark.parametrize("walked", [True, False])
def test_a_batch_says_the_same_as_single_proofs(walked: bool) -> None:
    chance = random.Random(5)
    drawn = [
        random_level(chance, name, 9, 8, odd_tiles=False) for name in CLASSES for _ in range(60)
    ]
    groups: dict[tuple[object, ...], list[Level]] = {}
    for level in drawn:
        mechanics = lower(level)
        key = level.width, level.height, level.goal, len(mechanics.stops), mechanics.resources
        groups.setdefault(key, []).append(level)
    for levels in groups.values():
        all_mechanics = [lower(level) for level in levels]
        tables = [tables_of_level(mechanics) for mechanics in all_mechanics]
        counts = [len(table.traits) for table in tables]
        batch = prove_batch(
            np.array([level.tiles for level in levels]),
            all_mechanics[0].steps.astype(np.uint8),
            np.array([mechanics.stops for mechanics in all_mechanics]),
            Tables(
                np.cumsum([0, *counts]),
                np.concatenate([table.traits for table in tables]),
                np.concatenate([table.amounts for table in tables]),
                np.concatenate([table.initial for table in tables]),
            ),
            collects=all_mechanics[0].collects,
            walked=walked,
        )
        for index, level in enumerate(levels):
            proof = level.prove()
            steps = -1 if proof.steps is None or not walked else proof.steps
            assert not batch.undecided[index]
            assert (batch.winnable[index], batch.safe[index]) == (proof.winnable, proof.safe)
            assert (batch.lost[index], batch.spheres[index]) == (proof.lost, proof.spheres)
            assert batch.steps[index] == steps
    assert any(len(levels) > 3 for levels in groups.values())
