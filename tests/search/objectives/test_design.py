"""The objective `design`: a weighted whole of measures of structure."""

import numpy as np
import pytest

import levolve
from levolve.core.errors import InputError
from levolve.levels.batch import Batch
from levolve.levels.level import Level
from levolve.levels.measures.measuring import batch_of, measure
from levolve.search.objectives.design import LevelDesign


def test_the_value_is_the_weighted_whole_of_the_measures() -> None:
    level = Level.from_text("S..#.\n...##\n#....\n.##.#\n#...E\n.....")
    found = measure(level).of_level()
    design = LevelDesign(
        pockets=7,
        specks=2,
        plazas=3,
        blocks=5,
        diagonals=11,
        way=13,
        turns=0.5,
        dead_ends=17,
        dead_end_share=0.1,
    )
    penalties = [
        (7, found["pockets"]),
        (2, found["specks"]),
        (3, found["plazas"]),
        (5, found["blocks"]),
        (11, found["diagonals"]),
    ]
    penalties.append((17, abs(found["dead_ends"] - 3)))
    expected = (
        sum(weight * (30 - count) for weight, count in penalties)
        + 13 * (found["exit_path"] + 1)
        + 0.5 * found["turns"]
    )
    assert design.value(batch_of(level)).tolist() == [pytest.approx(expected / 30)]


def test_values_are_at_least_zero() -> None:
    tiles = np.random.default_rng(1).integers(0, 2, (200, 6, 6)).astype(np.uint8)
    frame = Level.from_text("S" + "." * 5 + "\n......" * 4 + "\n.....E").frame
    assert (LevelDesign().value(Batch(frame, tiles=tiles)) >= 0).all()


def test_designed_mazes_are_tidier_than_those_with_a_long_way_only() -> None:
    flaws = []
    for objective in ("exit_path", "design"):
        found = measure(
            levolve.evolve("maze", size=(14, 14), seed=2, generations=400, objective=objective).best
        ).of_level()
        flaws.append(found["pockets"] + found["specks"] + found["plazas"] + found["diagonals"])
    assert flaws[1] * 5 <= flaws[0]


def test_a_design_without_any_weight_is_refused() -> None:
    with pytest.raises(InputError, match="expected a weight above 0 for at least one part"):
        LevelDesign(
            pockets=0, specks=0, plazas=0, blocks=0, diagonals=0, way=0, turns=0, dead_ends=0
        )
