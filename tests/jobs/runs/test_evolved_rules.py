"""Fashion rules are evolved on several start maps, and hold on others."""

import numpy as np
import pytest

from levolve.core.errors import InputError
from levolve.jobs.runs.run import Run
from levolve.jobs.runs.world_jobs import FIRST_UNSEEN, designs_of, try_unseen
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.recipes.recipe import find_recipe
from levolve.search.genotypes.fashion import Fashion, start_map
from levolve.search.objectives.design import Cavern
from levolve.worlds.starts import random_start

FRAME = Frame(24, 20, {"entrance": (0, 0), "exit": (23, 19)})


@pytest.mark.parametrize("changes", [{}, {"genotype.states": 5, "genotype.open_states": 2}])
def test_the_rule_that_comes_out_makes_the_maps_that_were_scored(changes: dict[str, int]) -> None:
    recipe = find_recipe("cavern").changed({"size": "24x20", "generations": 2, **changes})
    run = Run(recipe, 3).finish()
    genotype = recipe.parts[0]
    assert isinstance(genotype, Fashion)
    (design,) = designs_of(run)
    assert [design.legend.is_open(state) for state in range(genotype.states)] == [
        state < genotype.open_states for state in range(genotype.states)
    ]
    for seed in (1, 5):
        grown = genotype.grow(run.best_genes[np.newaxis], start_map(genotype.states, 24, 20, seed))[
            0
        ]
        assert np.array_equal(design.make((24, 20), seed), grown)


def test_two_rules_change_into_each_other() -> None:
    from levolve.search.genotypes.fashion import STEPS
    from levolve.worlds.morph import Morph, linear
    from levolve.worlds.rule import Rule

    genotype = Fashion(states=3, rules=2, smooth=0, updates=4)
    genes = genotype.start(FRAME, 4, 0, 3)
    near = [(column, row) for row, column in STEPS]
    start = random_start(3, (24, 20), 9)
    for grown, matrices in zip(
        genotype.grow(genes, start), genotype.matrices(genes).tolist(), strict=True
    ):
        morph = Morph([Rule(matrix, near) for matrix in matrices])
        assert np.array_equal(grown, morph.run(start, linear((24, 20)), 4))


def test_start_maps_of_runs_are_those_of_the_library_and_never_the_unseen_ones() -> None:
    for states in (2, 3, 7):
        assert np.array_equal(start_map(states, 30, 20, 5), random_start(states, (30, 20), 5))
    assert Fashion(starts=64, first_start=1 << 31).first_start + 64 < FIRST_UNSEEN


def cavern_value(
    rows: list[str], entropy: float = 0.0, playable: float = 0.0, separation: float = 0.0
) -> float:
    tiles = np.array([[cell == "#" for cell in row] for row in rows], np.uint8)[np.newaxis]
    frame = Frame(
        tiles.shape[2],
        tiles.shape[1],
        {"entrance": (0, 0), "exit": (tiles.shape[2] - 1, tiles.shape[1] - 1)},
    )
    return float(
        Cavern(entropy=entropy, playable=playable, separation=separation).value(
            Batch(frame, tiles=tiles)
        )[0]
    )


def test_a_cavern_is_worth_what_it_says() -> None:
    assert cavern_value(["....", "####"]) == 1.0
    assert cavern_value([".#..", "###."]) == pytest.approx((3 / 4) ** 4)
    assert cavern_value(["....", "...."]) == 0.0
    assert cavern_value(["...#", "####"]) == pytest.approx(3 / 8 / 0.5)
    assert cavern_value(["....", "####"], entropy=0.5) == pytest.approx(1.0), (
        "as many open cells as walls: full entropy"
    )
    assert cavern_value(["....", "####"], playable=0.4) == pytest.approx(0.6), (
        "the exit is walled in"
    )
    assert cavern_value(["..##", "..##"], separation=1.0) == pytest.approx(1.0), (
        "left and right have nothing in common"
    )


def test_the_worst_variant_counts_for_half() -> None:
    good, bad = (
        np.array([[[cell == "#" for cell in row] for row in rows]], np.uint8)
        for rows in (["....", "####"], ["####", "####"])
    )
    frame = Frame(4, 2, {"entrance": (0, 0), "exit": (3, 1)})
    batch = Batch(frame, tiles=good)
    batch.variants = (Batch(frame, tiles=bad),)
    assert float(Cavern(entropy=0, playable=0).value(batch)[0]) == pytest.approx((0.5 + 0.0) / 2)


def test_an_evolved_rule_is_good_on_start_maps_it_has_never_seen() -> None:
    run = Run(
        find_recipe("cavern").changed({"generations": 12, "strategy.population": 60}), 0
    ).finish()
    tried = try_unseen(designs_of(run)[0], count=20)
    assert tried.good >= 19, str(tried)
    assert 0.3 < tried.ground.mean() < 0.8


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(InputError, match="open_states"):
        Fashion(states=2, open_states=2)
    with pytest.raises(InputError, match="at most 1 together"):
        Cavern(entropy=0.5, playable=0.6)
    with pytest.raises(InputError, match="fashion"):
        designs_of(Run(find_recipe("maze").changed({"generations": 0, "size": "6x6"}), 1).finish())
