"""Places: the stops of each level where its genes and the rule say."""

from typing import Any

import numpy as np
import pytest

import levolve
from levolve import testing
from levolve.core.errors import InputError
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.goal import GOALS
from levolve.levels.level import Level
from levolve.levels.measures.measuring import level_at
from levolve.levels.measures.path_features import tours
from levolve.levels.measures.structure_features import stops, winnable
from levolve.levels.places import TOUR_RULES
from levolve.recipes.recipe import Recipe, find_recipe
from levolve.search.genotypes.direct import Chromatic, Direct
from levolve.search.genotypes.dungeon import Dungeon
from levolve.search.genotypes.passages import Passages
from levolve.search.genotypes.patchwork import Patchwork
from levolve.search.genotypes.placed import RULES, Placed
from levolve.search.genotypes.rooms import Rooms
from levolve.search.objectives.paths import ExitPath

FREE = Frame(25, 17, {}, ends=True)
TOURS = Frame(25, 17, {}, tours=True)
VISITS = GOALS["checkpoints"]
ALL = [
    "direct",
    "chromatic",
    "tunnels",
    "barriers",
    "automaton",
    "passages",
    "rooms",
    "patchwork",
    "mirror",
    "fashion",
]


@pytest.mark.parametrize(
    "inner",
    [Direct(0.4), Chromatic(), Passages(), Rooms()],
    ids=["direct", "chromatic", "passages", "rooms"],
)
@pytest.mark.parametrize("rule", [*RULES, *TOUR_RULES])
def test_a_genotype_with_places_keeps_the_laws_of_genotypes(rule: Any, inner: Any) -> None:
    testing.check_genotype(Placed(inner, rule))


def placed(rule: Any, inner: Any = Passages()) -> list[Level]:  # noqa: B008 names and frozen parts
    genotype = Placed(inner, rule)
    batch = genotype.batch(genotype.start(FREE, 1, 0, 60), FREE)
    return [level_at(batch, index) for index in range(60)]


def test_ends_lie_on_the_border_or_on_opposite_sides() -> None:
    for level in placed("border"):
        assert all(
            place is not None and (place[0] in {1, 23} or place[1] in {1, 15})
            for place in (level.entrance, level.exit)
        )
    for level in placed("sides"):
        assert level.entrance is not None
        assert level.exit is not None
        assert {level.entrance[0], level.exit[0]} == {1, 23} or {
            level.entrance[1],
            level.exit[1],
        } == {1, 15}
    assert len({level.entrance for level in placed("anywhere")}) > 30


def test_ends_lie_in_different_rooms() -> None:
    for level in placed("rooms", Rooms()):
        rooms = [area for area in level.areas if area.kind == "room"]
        homes = [
            next((room for room in rooms if room.contains(*place)), None)
            for place in (level.entrance, level.exit)
            if place
        ]
        assert len(rooms) < 2 or (None not in homes and homes[0] != homes[1])


def test_the_farthest_ends_are_as_far_apart_as_any_two_cells() -> None:
    for level in placed("farthest"):
        measures = levolve.measure(level)
        assert measures["exit_path"][0] == measures["longest_path"][0]


@pytest.mark.parametrize("rule", RULES)
def test_a_run_with_places_is_measured_where_its_level_says(rule: str) -> None:
    recipe = find_recipe("maze").changed(
        {"size": "15x11", "genotype": {"kind": "rooms"}, "places": rule, "generations": 8}
    )
    run = levolve.evolve(recipe, seed=2)
    run.best.check()
    assert levolve.measure(run.best)["exit_path"][0] == run.best_score
    assert levolve.evolve(recipe, seed=2, executor=2).digest == run.digest
    assert Recipe.from_text(recipe.to_toml()) == recipe
    aimed = levolve.evolve(
        recipe, seed=2, target={"exit_path": (10, 12), "turns": (2, 9)}, generations=60
    )
    assert 10 <= levolve.measure(aimed.best)["exit_path"][0] <= 12
    assert not aimed.unmet


@pytest.mark.parametrize("places", ["sides", "tour"])
def test_a_run_of_fashion_rules_with_places_knows_its_rules(places: str) -> None:
    objective = {"kind": "tour" if places == "tour" else "exit_path"}
    recipe = find_recipe("cavern").changed(
        {"places": places, "objective": objective, "generations": 1}
    )
    run = levolve.evolve(recipe, seed=1)
    assert run.to_data()["unseen"]


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("rule", TOUR_RULES)
def test_every_genotype_carries_a_tour(rule: str, kind: str) -> None:
    recipe = find_recipe("maze").changed(
        {
            "size": "13x11",
            "genotype": {"kind": kind},
            "places": rule,
            "objective": {"kind": "tour"},
            "generations": 4,
        }
    )
    run = levolve.evolve(recipe, seed=3)
    level = run.best
    level.check()
    assert levolve.measure(level)["tour_steps"][0] == run.best_score
    floor = [
        (x, y)
        for y in range(11)
        for x in range(13)
        if level.tileset.may_stand(int(level.tiles[y, x]))
    ]
    assert level.places["A"] == floor[0]
    assert level.places["B"] in floor[1:-1]
    assert level.places["C"] == floor[-1]
    assert Recipe.from_text(recipe.to_toml()) == recipe
    assert levolve.evolve(recipe, seed=3, executor=2).digest == run.digest


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("rule", [None, "sides", "rooms"])
def test_every_genotype_carries_checkpoints_that_are_visited(rule: Any, kind: str) -> None:
    recipe = find_recipe("maze").changed(
        {
            "size": "15x15",
            "genotype": {"kind": kind},
            "places": rule,
            "goal": "checkpoints",
            "checkpoints": ["0,8", "7,7", "8,0"],
            "generations": 10,
        }
    )
    level = levolve.evolve(recipe, seed=1).best
    level.check()
    stops = [level.places[name] for name in level.goal.stops_in(level.places)]
    assert len(set(stops)) == 5
    assert all(level.tileset.may_stand(int(level.tiles[y, x])) for x, y in stops)
    assert levolve.Level.from_text(level.to_text()) == level


@pytest.mark.parametrize("inner", [Rooms(), Passages(), Patchwork()])
def test_stops_in_solid_walls_of_a_lattice_get_a_way(inner: Any) -> None:
    places = {"entrance": (1, 1), "exit": (23, 15), "checkpoint 1": (0, 0), "checkpoint 2": (24, 8)}
    frame = Frame(25, 17, places, goal=VISITS)
    assert winnable(inner.batch(inner.start(frame, 1, 0, 40), frame)).all()


def test_the_stops_of_levels_are_their_places() -> None:
    frame = Frame(
        25, 17, {f"checkpoint {k}": (4 * k, 8) for k in (1, 2, 3)}, (), goal=VISITS, ends=True
    )
    genotype = Placed(Direct(0.4), "anywhere")
    batch = genotype.batch(genotype.start(frame, 1, 0, 40), frame)
    for index, cells in enumerate(stops(batch).tolist()):
        level = level_at(batch, index)
        route = level.goal.route(level.places)
        assert route == tuple((cell % 25, cell // 25) for cell in cells)


@pytest.mark.parametrize("first", [False, True])
def test_a_level_whose_checkpoint_is_out_of_reach_is_infeasible(first: bool) -> None:
    frame = Frame(3, 3, {"entrance": (0, 0), "exit": (2, 2), "checkpoint 1": (2, 0)}, goal=VISITS)
    cut = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], np.uint8)
    scores = ExitPath(feasible_first=first).score(Batch(frame, np.stack((cut, 0 * cut))))
    assert scores[0] < 0 if first else scores[0] == 0
    assert scores[1] == 4


def test_b_is_uniform_among_the_floor_between() -> None:
    # One floor tile behind a long wall: the next one from a random cell is mostly this one.
    tiles = np.ones((17, 25), np.uint8)
    tiles[0, :4] = tiles[16, 20:] = 0
    level = Level(tiles, {"A": (0, 0), "B": (1, 0), "C": (24, 16)})
    for genotype, number in ((Placed(Direct(), "tour_uniform"), 1), (Dungeon(b="uniform"), 1)):
        genes = np.repeat(genotype.write(level, TOURS)[np.newaxis], 4000, axis=0)
        drawn = genotype.start(TOURS, 1, 0, 4000)
        genes[:, -number:] = drawn[:, -number:]
        cells = tours(genotype.batch(genes, TOURS))[:, 1]
        found, counts = np.unique(cells, return_counts=True)
        assert found.tolist() == [1, 2, 3, 420, 421, 422, 423]
        assert counts.min() > 4000 / 7 * 0.85
        assert counts.max() < 4000 / 7 * 1.15


def test_an_inherited_b_is_drawn_among_the_floor_of_its_own_dungeon() -> None:
    genotype = Dungeon(0.1, "inherited")
    batch = genotype.batch(genotype.start(TOURS, 1, 0, 3000), TOURS)
    ranks = []
    for tiles, (_, b, _) in zip(batch.tiles, tours(batch).tolist(), strict=True):
        floor = np.flatnonzero(tiles == 0)
        assert b in floor[1:-1]
        ranks.append((np.searchsorted(floor, b) - 1) / (len(floor) - 2))
    assert abs(np.mean(ranks) - 0.5 + 0.5 / 41) < 0.02
    # Runs of walls do not matter: a floor tile behind one is no likelier than any other.
    behind = [
        b > 0 and tiles.ravel()[b - 1] == 1
        for tiles, (_, b, _) in zip(batch.tiles, tours(batch).tolist(), strict=True)
    ]
    assert abs(np.mean(behind) - 0.9) < 0.02


@pytest.mark.parametrize("rule", TOUR_RULES)
def test_a_level_with_a_tour_can_be_encoded_if_the_rule_allows_it(rule: Any) -> None:
    genotype = Placed(Direct(0.02), rule)
    for index in range(20):
        level = level_at(genotype.batch(genotype.start(TOURS, index, 0, 1), TOURS))
        assert "B" in level.places
        assert level_at(genotype.batch(genotype.write(level, TOURS)[np.newaxis], TOURS)) == level
    open_level = np.zeros((17, 25), np.uint8)
    for places in ({"A": (1, 0), "B": (5, 5), "C": (24, 16)}, {"A": (0, 0), "C": (24, 16)}):
        with pytest.raises(InputError, match="places A, B and C"):
            genotype.write(Level(open_level, places), TOURS)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"places": "tour"},
            "entrance and exit, got A, B, C; choose a genotype, a goal and places",
        ),
        (
            {"objective": {"kind": "tour"}},
            "got entrance, exit; set places to tour, tour_uniform or",
        ),
        ({"goal": "tour"}, "got 'tour' without A and B and C; set places to tour"),
        (
            {"places": "tour", "objective": {"kind": "tour"}, "goal": "exit"},
            "got 'exit' without entrance and exit; choose",
        ),
        (
            {"places": "tour", "objective": {"kind": "reconvergence"}},
            "expected levels with entrance",
        ),
    ],
)
def test_stops_that_levels_do_not_have_are_refused_before_a_run(
    changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        levolve.evolve(find_recipe("maze").changed(changes), seed=1)


def test_checkpoints_are_measured_from_the_own_entrance() -> None:
    recipe = find_recipe("maze").changed(
        {"size": "15x11", "places": "sides", "generations": 5, "objective.kind": "reconvergence"}
    )
    run = levolve.evolve(recipe, seed=2)
    assert levolve.measure(run.best)["reconvergence"][0] == run.best_score


def test_a_pack_with_places_meets_its_targets() -> None:
    made = levolve.pack(
        "maze",
        count=3,
        size=(13, 9),
        seed=1,
        target={"exit_path": (14, 20)},
        settings={"places": "border", "genotype": {"kind": "passages"}},
    )
    assert made.report.met
    for level in made.levels:
        level.check()
        assert 14 <= levolve.measure(level)["exit_path"][0] <= 20


def test_places_that_nobody_needs_are_refused() -> None:
    assert find_recipe("maze").changed({"places": "fixed"}) == find_recipe("maze")
    with pytest.raises(
        InputError,
        match=(
            "places: expected 'fixed', because the genotype 'dungeon' places A, B and C itself, "
            "got 'border'"
        ),
    ):
        _ = find_recipe("dungeon").changed({"places": "border"}).frame
    with pytest.raises(
        InputError, match="places: expected 'fixed', because the goal 'none' has no stops"
    ):
        _ = (
            find_recipe("maze")
            .changed(
                {
                    "places": "border",
                    "goal": "none",
                    "objective.kind": "cavern",
                    "objective.playable": 0.0,
                }
            )
            .frame
        )
    with pytest.raises(InputError, match="places"):
        find_recipe("maze").changed({"places": "outside"})


@pytest.mark.parametrize("rule", RULES)
def test_a_level_can_be_encoded_if_the_rule_allows_its_places(rule: Any) -> None:
    genotype = Placed(Direct(0.3), rule)
    for index in range(5):
        level = level_at(genotype.batch(genotype.start(FREE, index, 0, 1), FREE))
        assert level_at(genotype.batch(genotype.write(level, FREE)[np.newaxis], FREE)) == level
    if rule not in {"anywhere", "rooms"}:
        with pytest.raises(
            InputError,
            match=f"places {rule}: expected an entrance and an exit that this rule allows",
        ):
            genotype.write(
                Level(np.zeros((17, 25), np.uint8), {"entrance": (5, 5), "exit": (6, 5)}), FREE
            )
