"""Objectives: what every score keeps to, whatever it is for."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levolve.core.errors import InputError
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame, checkpoint
from levolve.levels.measures import MEASURES, structure_features
from levolve.levels.tileset import RAINBOW, WALLS
from levolve.recipes.part_tables import build
from levolve.search.objectives import OBJECTIVES
from levolve.search.objectives.combined import Target, Weighted
from levolve.search.objectives.paths import (
    CulDeSacLength,
    CulsDeSac,
    ExitPath,
    IsolatedReconvergence,
    Reconvergence,
)
from levolve.search.objectives.reward import Reward
from oracles.walking import distances, members

Range = tuple[float, float]


@dataclass(frozen=True)
class Conditions:
    """Under which a level counts."""

    exit_members: int = 0
    walls: Range = (0.0, 1.0)


# Values that can be 0, or next to it, also for a level that counts.
KINDS: dict[str, Callable[[Conditions, bool], Reward]] = {
    "exit_path": lambda c, first: ExitPath(
        exit_members=c.exit_members, walls=c.walls, feasible_first=first
    ),
    "reconvergence": lambda c, first: Reconvergence(
        exit_members=c.exit_members, walls=c.walls, feasible_first=first
    ),
    "isolated_reconvergence": lambda c, first: IsolatedReconvergence(
        exit_members=c.exit_members, walls=c.walls, feasible_first=first
    ),
    "culs_de_sac": lambda c, first: CulsDeSac(
        exit_members=c.exit_members, walls=c.walls, feasible_first=first
    ),
    "cul_de_sac_length": lambda c, first: CulDeSacLength(
        exit_members=c.exit_members, walls=c.walls, feasible_first=first
    ),
    "target": lambda c, first: Target(
        exit_members=c.exit_members,
        walls=c.walls,
        feasible_first=first,
        targets={"exit_path": (1e6, 1e6)},
    ),
    "weighted": lambda c, first: Weighted(
        exit_members=c.exit_members,
        walls=c.walls,
        feasible_first=first,
        parts=(Reconvergence(weight=0.001), Target(weight=1e-9)),
    ),
}
PLAIN = [name for name in KINDS if name in MEASURES]

conditions = st.builds(
    Conditions,
    st.integers(0, 3),
    st.sampled_from(
        [(0.0, 1.0), (0.0, 1.0), (0.1, 0.4), (0.0, 0.25), (0.25, 0.25), (0.3, 1.0), (0.0, 0.0)]
    ),
)


@st.composite
def batches(draw: st.DrawFn) -> Batch:
    """Levels with three checkpoints; some can be crossed, some not, and entrance or exit may be a
    wall. Narrow ones, and ones of more than a word.
    """
    width, height = draw(st.integers(2, 9) | st.just(65)), draw(st.integers(2, 7))
    cells = draw(st.lists(st.integers(0, width * height - 1), min_size=2, max_size=5, unique=True))
    names = ["entrance", "exit", *(checkpoint(n) for n in (1, 2, 3))]
    frame = Frame(
        width,
        height,
        {name: (cell % width, cell // width) for name, cell in zip(names, cells, strict=False)},
    )
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    tileset = draw(st.sampled_from([WALLS, WALLS, RAINBOW]))
    share = random.choice([0.0, 0.1, 0.25, 0.5], (9, 1, 1))
    common = random.integers(0, len(tileset.characters) - 1, (9, 1, 1))
    other = random.integers(0, len(tileset.characters), (9, height, width))
    tiles = np.where(random.random(other.shape) < share * 2, other, common).astype(np.uint8)
    return Batch(frame, tiles=tiles, tileset=tileset)


def again(batch: Batch) -> Batch:
    """The same levels with nothing computed yet."""
    return Batch(batch.frame, tiles=batch.tiles, tileset=batch.tileset)


def counts(batch: Batch, wanted: Conditions) -> list[bool]:
    """Whether each level counts, by a plain search."""
    feasible = []
    for level in batch.tiles.tolist():
        distance = distances(level, batch.tileset.steps, batch.frame.entrance)
        found = members(level, batch.tileset.steps, batch.frame.entrance, batch.frame.checkpoints)
        solid = sum(not batch.tileset.may_stand(tile) for row in level for tile in row)
        share = solid / (len(level) * len(level[0]))
        feasible.append(
            batch.frame.exit in distance
            and len(found[batch.frame.exit]) >= wanted.exit_members
            and wanted.walls[0] <= share <= wanted.walls[1]
        )
    return feasible


@pytest.mark.parametrize("kind", KINDS)
@given(batch=batches(), wanted=conditions)
def test_with_feasible_first_every_level_that_does_not_count_scores_below_every_one_that_does(
    kind: str, batch: Batch, wanted: Conditions
) -> None:
    objective = KINDS[kind](wanted, True)
    for feasible, score in zip(
        counts(batch, wanted), objective.score(again(batch)).tolist(), strict=True
    ):
        assert score >= 0 if feasible else -1 <= score < 0


@pytest.mark.parametrize("kind", KINDS)
@given(batch=batches(), wanted=conditions)
def test_a_level_that_counts_scores_its_value_and_another_nothing(
    kind: str, batch: Batch, wanted: Conditions
) -> None:
    feasible = counts(batch, wanted)
    objective = KINDS[kind](wanted, False)
    values = objective.value(again(batch)).tolist()
    scores = objective.score(again(batch)).tolist()
    assert scores == [
        value if counted else 0 for value, counted in zip(values, feasible, strict=True)
    ]
    first = KINDS[kind](wanted, True).score(again(batch)).tolist()
    assert [score for score, counted in zip(first, feasible, strict=True) if counted] == [
        value for value, counted in zip(values, feasible, strict=True) if counted
    ]


@pytest.mark.parametrize("kind", PLAIN)
@given(batch=batches())
def test_a_plain_objective_is_the_measure_of_its_name(kind: str, batch: Batch) -> None:
    assert (
        KINDS[kind](Conditions(), False).value(batch).tolist()
        == MEASURES[kind].count(again(batch)).tolist()
    )


@given(batches())
def test_where_the_exit_cannot_be_reached_more_cells_within_reach_score_higher(
    batch: Batch,
) -> None:
    scores = ExitPath(feasible_first=True).score(again(batch)).tolist()
    reached = [
        len(distances(level, batch.tileset.steps, batch.frame.entrance))
        for level in batch.tiles.tolist()
    ]
    lost = [index for index, counted in enumerate(counts(batch, Conditions())) if not counted]
    for one in lost:
        for other in lost:
            assert (scores[one] < scores[other]) == (reached[one] < reached[other])


@given(batches(), conditions)
def test_the_order_in_which_a_batch_is_asked_does_not_change_its_scores(
    batch: Batch, wanted: Conditions
) -> None:
    objective = KINDS["culs_de_sac"](wanted, True)
    expected = objective.score(again(batch)).tolist()
    for first in (
        structure_features.members,
        structure_features.distances,
        structure_features.exit_steps,
        structure_features.ends,
        structure_features.stranded,
    ):
        asked = again(batch)
        first(asked)
        assert objective.score(asked).tolist() == expected


def with_walls(count: int) -> Batch:
    """Ten cells in two rows, `count` of them walls in the upper row; the lower row is the way."""
    tiles = np.zeros((1, 2, 5), np.uint8)
    tiles[0, 0, :count] = 1
    return Batch(Frame(5, 2, {"entrance": (0, 1), "exit": (4, 1)}), tiles=tiles)


@pytest.mark.parametrize(
    ("walls", "inside"),
    [((0.2, 0.4), [2, 3, 4]), ((0.3, 0.3), [3]), ((0.0, 0.1), [0, 1]), ((0.5, 1.0), [5])],
)
def test_the_share_of_walls_may_lie_on_its_bounds_but_not_beyond(
    walls: Range, inside: list[int]
) -> None:
    scores = [ExitPath(walls=walls).score(with_walls(count))[0] for count in range(6)]
    assert scores == [4 if count in inside else 0 for count in range(6)]


def test_the_nearer_the_share_of_walls_the_higher_the_score_below_nothing() -> None:
    objective = ExitPath(walls=(0.4, 0.4), feasible_first=True)
    scores = [objective.score(with_walls(count))[0] for count in range(6)]
    assert scores[0] < scores[1] < scores[2] < scores[3] < 0
    assert scores[4] == 4
    assert scores[3] == scores[5]


@pytest.mark.parametrize(
    "walls", [(float(np.nextafter(0.3, 1)), 1.0), (0.0, float(np.nextafter(0.3, 0)))]
)
def test_a_share_of_walls_that_is_out_of_bounds_by_a_hair_still_scores_below_nothing(
    walls: Range,
) -> None:
    assert ExitPath(walls=walls).score(with_walls(3)).tolist() == [0]
    assert ExitPath(walls=walls, feasible_first=True).score(with_walls(3))[0] < 0


@pytest.mark.parametrize("kind", KINDS)
def test_bounds_that_contradict_each_other_are_refused(kind: str) -> None:
    with pytest.raises(
        InputError, match=r"walls: expected a lower share and a higher one, got 0\.5 and 0\.2"
    ):
        KINDS[kind](Conditions(walls=(0.5, 0.2)), False)


# ---- targets ----


def crossed_in(steps: int) -> Batch:
    """A corridor, and the exit so many steps from the entrance."""
    tiles = np.ones((1, 2, 30), np.uint8)
    tiles[0, 0] = 0
    return Batch(Frame(30, 2, {"entrance": (0, 0), "exit": (steps, 0)}), tiles=tiles)


@given(st.integers(1, 29), st.integers(0, 30), st.integers(0, 30))
def test_a_target_scores_one_exactly_when_the_measure_is_within_the_range(
    steps: int, one: int, other: int
) -> None:
    low, high = min(one, other), max(one, other)
    objective = Target(targets={"exit_path": (low, high)})
    score = objective.score(crossed_in(steps))[0]
    assert (score == objective.goal) == (low <= steps <= high)
    assert 0 < score <= 1
    assert bool(objective.unmet(crossed_in(steps))) == (score < 1)


@given(st.integers(0, 40), st.integers(1, 29), st.integers(1, 29))
def test_a_target_scores_less_the_farther_away_the_measure_is(
    wanted: int, one: int, other: int
) -> None:
    objective = Target(targets={"exit_path": (wanted, wanted)})
    scores = [objective.score(crossed_in(steps))[0] for steps in (one, other)]
    assert (scores[0] < scores[1]) == (abs(one - wanted) > abs(other - wanted))


@given(batches(), st.integers(0, 12), st.integers(0, 4), st.integers(0, 30))
def test_several_targets_score_one_exactly_when_all_are_hit(
    batch: Batch, steps: int, ends: int, cells: int
) -> None:
    ranges = {
        "exit_path": (steps, steps + 6),
        "culs_de_sac": (ends, ends + 2),
        "reachable": (cells, 1000),
    }
    objective = Target(
        targets={name: (float(low), float(high)) for name, (low, high) in ranges.items()}
    )
    measured = {name: MEASURES[name].count(again(batch)).tolist() for name in ranges}
    for index, score in enumerate(objective.score(again(batch)).tolist()):
        hit = all(low <= measured[name][index] <= high for name, (low, high) in ranges.items())
        # A level that cannot be crossed measures -1, which none of these ranges holds.
        assert (score == 1) == hit


def built(settings: dict[str, object], kind: str = "target") -> Reward:
    """As a recipe builds it."""
    objective = build(OBJECTIVES, {"kind": kind, **settings}, "objective")
    assert isinstance(objective, Reward)
    return objective


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (7, (7, 7)),
        (7.5, (7.5, 7.5)),
        ([50, 64], (50, 64)),
        ((50, 64), (50, 64)),
        ("50..64", (50, 64)),
        ("7", (7, 7)),
        (" 1.5 .. 2 ", (1.5, 2)),
    ],
)
def test_a_range_is_a_number_or_a_pair_or_a_text(written: object, meant: Range) -> None:
    assert built({"targets": {"exit_path": written}}) == Target(targets={"exit_path": meant})


@pytest.mark.parametrize(
    "written", ["", "many", "50..", "..64", "1..2..3", [1, 2, 3], [1], True, None, {"low": 1}]
)
def test_what_is_no_range_is_refused(written: object) -> None:
    with pytest.raises(InputError, match=r"objective\.targets"):
        built({"targets": {"exit_path": written}})


@pytest.mark.parametrize(
    "written", ["nan", "50..nan", "nan..50", float("nan"), [float("nan"), 1.0]]
)
def test_a_range_that_no_number_can_be_within_is_refused(written: object) -> None:
    with pytest.raises(InputError, match=r"objective\.targets"):
        built({"targets": {"exit_path": written}})


def test_a_range_the_wrong_way_round_is_refused() -> None:
    with pytest.raises(
        InputError,
        match=r"targets\.exit_path: expected a lower value and a higher one, got 64 and 50",
    ):
        Target(targets={"exit_path": (64.0, 50.0)})
    with pytest.raises(
        InputError, match=r"objective\.targets\.exit_path: expected a lower value and a higher one"
    ):
        built({"targets": {"exit_path": "64..50"}})


def test_no_targets_at_all_are_refused() -> None:
    with pytest.raises(InputError, match=r"objective\.targets"):
        built({"targets": {}})


def test_an_unknown_measure_in_a_target_gets_a_suggestion() -> None:
    with pytest.raises(
        InputError, match="targets: unknown measure 'exit_paths': did you mean 'exit_path'"
    ):
        Target(targets={"exit_paths": (1.0, 2.0)})
    with pytest.raises(InputError, match="did you mean 'culs_de_sac'"):
        built({"targets": {"cul_de_sacs": 3}})


def test_what_a_target_misses_is_said_in_a_sentence_each() -> None:
    objective = Target(
        targets={
            "exit_path": (50.0, 64.0),
            "culs_de_sac": (3.0, 3.0),
            "walls": (0.0, 100.0),
            "longest_path": (0.0, 1.5),
        }
    )
    assert objective.unmet(crossed_in(20)) == [
        "exit_path: wanted 50 to 64, the nearest found is 20",
        "culs_de_sac: wanted 3, the nearest found is 1",
        "longest_path: wanted 0 to 1.5, the nearest found is 29",
    ]
    weighted = Weighted(parts=(ExitPath(), objective, Target(targets={"exit_path": (19.0, 19.0)})))
    assert weighted.unmet(crossed_in(20)) == [
        *objective.unmet(crossed_in(20)),
        "exit_path: wanted 19, the nearest found is 20",
    ]
    assert ExitPath().unmet(crossed_in(20)) == []
    assert len(ExitPath(walls=(0.9, 1.0)).unmet(crossed_in(20))) == 1
    assert (
        ExitPath(walls=(0.9, 1.0))
        .unmet(crossed_in(20))[0]
        .startswith("walls: wanted a share of 0.9 to 1, the nearest found is 0.")
    )


def test_a_target_needs_the_places_of_its_measures() -> None:
    bare = Frame(5, 5, {"entrance": (0, 0), "exit": (4, 4)})
    Target(targets={"exit_path": (1.0, 2.0)}).check(bare)
    with pytest.raises(InputError, match="expected levels with entrance and exit and checkpoints"):
        Target(targets={"reconvergence": (1.0, 2.0)}).check(bare)


# ---- weighted sums ----


@given(batches(), st.floats(0.01, 100), st.floats(0.01, 100))
def test_a_weighted_objective_is_the_sum_of_its_weighted_parts(
    batch: Batch, one: float, other: float
) -> None:
    weighted = Weighted(parts=(ExitPath(weight=one), CulDeSacLength(weight=other), Reconvergence()))
    measured = [
        MEASURES[name].count(again(batch))
        for name in ("exit_path", "cul_de_sac_length", "reconvergence")
    ]
    expected = np.where(
        measured[0] >= 0, one * measured[0] + other * measured[1] + measured[2], 0.0
    )
    assert np.allclose(weighted.score(again(batch)), expected, rtol=1e-12, atol=0)


def test_a_weight_on_an_objective_by_itself_changes_nothing() -> None:
    assert ExitPath(weight=3.0).score(crossed_in(20)).tolist() == [20]


def test_a_weighted_objective_may_be_a_part_of_another() -> None:
    inner = Weighted(parts=(ExitPath(weight=2.0), CulsDeSac()), weight=10.0)
    # From the entrance in the corner of a corridor of thirty cells there is one cul-de-sac, its far
    # end.
    assert Weighted(parts=(inner, ExitPath())).score(crossed_in(20)).tolist() == [
        10 * (2 * 20 + 1) + 20
    ]


@pytest.mark.parametrize(
    ("part", "setting"),
    [
        (ExitPath(exit_members=1), "exit_members"),
        (CulsDeSac(walls=(0.1, 0.5)), "walls"),
        (Reconvergence(feasible_first=True), "feasible_first"),
    ],
)
def test_a_part_with_conditions_of_its_own_is_refused(part: Reward, setting: str) -> None:
    with pytest.raises(
        InputError,
        match=(
            f"parts: expected '{setting}' on the weighted objective itself, got it on "
            f"{type(part).__name__}"
        ),
    ):
        Weighted(parts=(ExitPath(), part))


def test_a_weighted_objective_of_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="parts: expected at least one objective, got none"):
        Weighted(parts=())
    with pytest.raises(InputError, match=r"objective\.parts: expected at least one objective"):
        built({"parts": []}, "weighted")


@pytest.mark.parametrize("weight", [0, -1])
def test_a_weight_that_does_not_count_is_refused(weight: float) -> None:
    with pytest.raises(InputError, match=r"objective\.parts\.0\.weight: expected greater than 0"):
        built({"parts": [{"kind": "exit_path", "weight": weight}]}, "weighted")


# ---- what levels must have ----


@pytest.mark.parametrize("kind", KINDS)
def test_more_exit_members_than_there_are_checkpoints_are_refused(kind: str) -> None:
    frame = Frame(
        5, 5, {"entrance": (0, 0), "exit": (4, 4), "checkpoint 1": (1, 1), "checkpoint 2": (2, 2)}
    )
    KINDS[kind](Conditions(exit_members=2), False).check(frame)
    with pytest.raises(
        InputError,
        match=r"objective\.exit_members: expected at most the 2 checkpoints of the level, got 3",
    ):
        KINDS[kind](Conditions(exit_members=3), False).check(frame)


def test_a_level_without_the_places_that_are_needed_is_refused() -> None:
    bare = Frame(5, 5, {"entrance": (0, 0), "exit": (4, 4)})
    for needy in (
        ExitPath(exit_members=1),
        Reconvergence(),
        IsolatedReconvergence(),
        Weighted(parts=(ExitPath(), Reconvergence())),
    ):
        with pytest.raises(
            InputError,
            match="expected levels with entrance and exit and checkpoints, got entrance, exit",
        ):
            needy.check(bare)
    for easy in (ExitPath(), CulsDeSac(), CulDeSacLength(), Target(), Weighted()):
        easy.check(bare)
        with pytest.raises(
            InputError, match="expected levels with entrance and exit, got entrance"
        ):
            easy.check(Frame(5, 5, {"entrance": (0, 0)}))


@dataclass(frozen=True, kw_only=True)
class Debt(Reward):
    """A value that is never above 0: the walls, negated, so many times."""

    times: float = 1.0

    def value(self, batch: Batch) -> np.ndarray:
        """Walls, negated."""
        return np.asarray(-self.times * MEASURES["walls"].values(batch), np.float64)


@dataclass(frozen=True, kw_only=True)
class KnownDebt(Debt):
    """The same for at most a thousand walls, and it says so."""

    least: ClassVar[float | None] = -1000.0


@pytest.mark.parametrize("nearness", ["rewarded", "ignored"])
@pytest.mark.parametrize(
    "objective",
    [
        Debt(),
        Debt(times=1e9),
        KnownDebt(),
        Weighted(parts=(ExitPath(), Debt())),
        Weighted(parts=(KnownDebt(weight=3.0),)),
    ],
)
@given(batch=batches(), wanted=conditions)
def test_a_level_that_does_not_count_scores_below_every_one_that_does_however_low_values_go(
    objective: Reward, nearness: str, batch: Batch, wanted: Conditions
) -> None:
    strict = replace(
        objective,
        feasible_first=nearness == "rewarded",
        exit_members=wanted.exit_members,
        walls=wanted.walls,
    )
    scores = strict.score(again(batch))
    assert np.isfinite(scores).all()
    counted = np.array(counts(batch, wanted))
    assert strict.feasible(again(batch)).tolist() == counted.tolist()
    assert scores[counted].tolist() == strict.value(again(batch))[counted].tolist()
    lowest = strict.least_value()
    assert (scores[~counted] < min(scores[counted], default=np.inf)).all()
    assert lowest is None or (scores[~counted] < lowest).all()


def test_nearness_orders_infeasible_levels_also_where_the_least_value_is_not_known() -> None:
    tiles = np.array(
        [[[0, 1, 0], [1, 1, 0]], [[0, 1, 0], [0, 1, 0]], [[0, 0, 0], [0, 0, 0]]], np.uint8
    )
    batch = Batch(Frame(3, 2, {"entrance": (0, 0), "exit": (2, 1)}), tiles=tiles)
    for objective in (Debt(feasible_first=True), KnownDebt(feasible_first=True)):
        far, near, open_level = objective.score(batch).tolist()
        assert far < near < open_level == 0
