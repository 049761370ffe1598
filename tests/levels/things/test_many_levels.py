"""Proofs of batches against a compiled plain search: 300 levels, and 100,000 in `make proofs`
(`LEVOLVE_LEVELS=100000`).
"""

import os

import pytest

from levels.things.inputs import large_level
from levolve.levels.measures.measuring import batch_of
from levolve.levels.measures.path_features import stops
from levolve.levels.measures.thing_features import tables
from levolve.levels.things.batch_proofs import prove_batch
from levolve.levels.things.lowering import lower
from oracles import plain_search

BLOCK = 300
LEVELS = int(os.environ.get("LEVOLVE_LEVELS", str(BLOCK)))


def compare(seed: int) -> bool:
    """Compare the proof of one level; return whether the plain search decided it."""
    level = large_level(seed)
    states, winnable, safe, steps = plain_search.decide(lower(level))
    if states < 0:
        return False
    batch = batch_of(level)
    proof = prove_batch(
        batch.tiles,
        batch.tileset.table,
        stops(batch).astype("int32"),
        tables(batch),
        collects=level.goal.collects,
    )
    found = bool(proof.winnable[0]), bool(proof.safe[0]), int(proof.steps[0])
    assert not proof.undecided[0]
    assert found == (winnable, winnable and safe, steps), f"seed {seed}:\n{level.to_text()}"
    return True


@pytest.mark.parametrize("block", range(-(-LEVELS // BLOCK)))
def test_many_levels_are_proven_as_a_plain_search_says(block: int) -> None:
    # Other seeds than those of the search over complete states.
    first = 10**6 + block * BLOCK
    decided = sum(map(compare, range(first, first + BLOCK)))
    assert decided > BLOCK // 2
