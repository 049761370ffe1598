"""Breeding sessions: every recipe, undo and redo, replay, locks, picks that steer, and what is
refused.
"""

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import levolve
from levolve.core.errors import InputError, LevolveError
from levolve.jobs.breeding.session import Session
from levolve.jobs.replay import replay
from levolve.recipes.recipe import shipped
from levolve.search.strategies import STRATEGIES

ROOT = Path(__file__).parents[3]


def small(seed: int = 3, **options: Any) -> Session:
    return levolve.breed("maze", **{"size": (8, 8), "sheet": 4, "seed": seed, **options})


def benchmark() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "breeding_benchmark", ROOT / "benchmarks" / "breeding.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("recipe", shipped())
def test_a_session_of_any_recipe_shows_full_sheets_of_proven_levels_and_replays(
    recipe: str,
) -> None:
    session = levolve.breed(recipe, size=(14, 14), seed=3)
    for wildness in (0.3, 0.0, 1.0):
        session.wildness = wildness
        session.pick({0: "love", 3: "like", 5: "never"})
        loved, levels = session.levels[0], session.next()
        assert len(levels) == len(set(levels)) == 12
        assert loved in levels
        for place, level in enumerate(levels):
            level.check()
            assert level.origin is not None
            assert level.origin.index == place
    assert len(session.cross(2, 9)) == 12
    example = session.levels[1]
    assert example in session.more_like(1)
    again = levolve.breed(json.loads(json.dumps(session.to_data())))
    assert again.levels == session.levels
    assert again.to_data() == session.to_data()
    assert replay(session.levels[7]).same


# An archive breeds from the individuals of all its cells, whatever they score.
@pytest.mark.parametrize(
    "strategy", [name for name in STRATEGIES if name not in {"map_elites", "novelty"}]
)
def test_picks_are_scores_for_any_strategy(strategy: str) -> None:
    def third_sheet(picks: dict[int, str]) -> Session:
        session = levolve.breed("maze", size=(10, 10), seed=1, strategy=strategy)
        for _ in range(3):
            session.pick(picks)
            session.next()
        return session

    first, other = third_sheet({0: "love", 1: "like"}), third_sheet({5: "love", 6: "like"})
    assert first.digest != other.digest
    assert levolve.breed(first.to_data()).digest == first.digest


def test_a_strategy_that_ignores_scores_takes_no_picks() -> None:
    with pytest.raises(
        InputError,
        match=(
            r"expected one that follows scores, such as 'picks', because picks are scores, got "
            r"'novelty'"
        ),
    ):
        levolve.breed("maze", size=(10, 10), seed=1, strategy="novelty")


@pytest.mark.parametrize("size", [(2, 2), (3, 2), (70, 5), (130, 3)])
@pytest.mark.parametrize("recipe", ["maze", "maze-tunnels", "dungeon", "cavern"])
def test_any_size_can_be_bred(recipe: str, size: tuple[int, int]) -> None:
    session = levolve.breed(recipe, size=size, seed=2, sheet=6)
    session.pick([0])
    for level in session.next():
        assert (level.width, level.height) == size
        level.check()


@pytest.mark.parametrize("sheet", [2, 48])
def test_a_sheet_has_as_many_levels_as_ordered(sheet: int) -> None:
    session = levolve.breed("maze", size=(14, 14), seed=1, sheet=sheet)
    assert len(session.levels) == len(session.next()) == sheet


PLACES = st.integers(0, 3)
ACTIONS = st.one_of(
    st.tuples(
        st.just("pick"),
        st.dictionaries(PLACES, st.sampled_from(["love", "like", "never", "none"]), max_size=4),
    ),
    st.tuples(st.just("next"), st.none()),
    st.tuples(st.just("cross"), st.tuples(PLACES, PLACES)),
    st.tuples(st.just("advance"), st.integers(1, 3)),
    st.tuples(st.just("more_like"), PLACES),
    st.tuples(
        st.just("paint"),
        st.tuples(
            PLACES,
            st.tuples(st.integers(0, 7), st.integers(0, 7)),
            st.sampled_from("#."),
            st.booleans(),
        ),
    ),
    st.tuples(st.just("go"), st.integers(0, 4)),
    st.tuples(st.just("lock"), st.tuples(st.integers(0, 7), st.integers(0, 7))),
    st.tuples(st.just("unlock"), st.none()),
    st.tuples(st.just("wildness"), st.floats(0, 1)),
    st.tuples(st.just("blend"), st.floats(0, 1)),
    st.tuples(st.just("undo"), st.none()),
    st.tuples(st.just("redo"), st.none()),
)


def act(session: Session, name: str, value: Any) -> bool:
    """Try an action; whether it was possible."""
    try:
        if name in {"wildness", "blend"}:
            setattr(session, name, value)
        elif name == "lock":
            session.lock([value])
        elif name == "cross":
            session.cross(*value)
        elif name == "paint":
            place, cell, tile, lock = value
            session.paint(place, [cell], tile, lock=lock)
        elif value is None:
            getattr(session, name)()
        else:
            getattr(session, name)(value)
    except InputError:
        return False
    return True


def view(session: Session) -> tuple[Any, ...]:
    """Everything that can be seen of a session, apart from its other branches and what can be
    redone.
    """
    session_data = dict(session.levels[0].origin.recipe) if session.levels[0].origin else {}
    settings = session.wildness, session.blend, session.generation, session.number, session.can_undo
    return (
        session.levels,
        session.digest,
        dict(session.picks),
        dict(session.locked),
        settings,
        session_data,
    )


@settings(max_examples=25, deadline=None)
@given(actions=st.lists(ACTIONS, max_size=14))
def test_any_sequence_of_actions_replays_and_what_is_undone_can_be_redone(
    actions: list[tuple[str, Any]],
) -> None:
    session = small()
    for name, value in actions:
        before, whole = view(session), session.to_data()
        if not act(session, name, value):
            assert session.to_data() == whole, "an action that is refused changes nothing"
        elif name not in {"undo", "redo", "go"}:
            after = view(session)
            session.undo()
            assert view(session) == before
            session.redo()
            assert view(session) == after
    again = levolve.breed(json.loads(json.dumps(session.to_data())))
    assert view(again) == view(session)
    assert again.to_data() == session.to_data()
    assert [(one.number, one.parent, one.generation, one.action) for one in again.tree] == [
        (one.number, one.parent, one.generation, one.action) for one in session.tree
    ]
    for one, other in zip(again.tree, session.tree, strict=True):
        assert (one.levels, one.digest) == (other.levels, other.digest)
    while act(session, "redo", None):
        again.redo()
        assert view(again) == view(session)
    while act(session, "undo", None):
        again.undo()
        assert view(again) == view(session)
    assert view(session) == view(small())


@pytest.mark.parametrize(
    "recipe",
    [
        "maze",
        "maze-chromatic",
        "maze-barriers",
        "maze-tunnels",
        "maze-automaton",
        "dungeon",
        "cavern",
    ],
)
def test_locked_cells_stay_as_they_are_over_five_generations(recipe: str) -> None:
    session = levolve.breed(recipe, size=(12, 12), seed=4, wildness=0.6)
    level = session.levels[5]
    cells = [(x, y) for x in range(3, 7) for y in range(4, 8)]
    session.lock("3,4..6,7", place=5)
    expected = level.tiles[4:8, 3:7]
    assert any(not np.array_equal(other.tiles[4:8, 3:7], expected) for other in session.levels)
    for _ in range(5):
        session.pick({1: "love", 2: "like"})
        for bred in session.next():
            assert np.array_equal(bred.tiles[4:8, 3:7], expected)
            bred.check()
    assert set(session.locked) == set(cells)
    session.unlock([(3, 4)])
    session.unlock()
    assert not session.locked
    for _ in range(3):
        session.next()
    assert any(not np.array_equal(bred.tiles[4:8, 3:7], expected) for bred in session.levels)


def test_without_another_level_named_the_best_pick_is_locked() -> None:
    session = small(size=(12, 12))
    session.pick({1: "like", 3: "love"})
    session.lock("0,0..11,5")
    assert (
        all(
            np.array_equal(level.tiles[:6], session.levels[0].tiles[:6]) for level in session.levels
        )
        is False
    )
    loved = session.levels[3].tiles[:6]
    assert all(np.array_equal(level.tiles[:6], loved) for level in session.next())


def test_locks_of_two_levels_that_close_every_way_are_refused_and_change_nothing() -> None:
    session = levolve.breed("maze", size=(8, 8), seed=5, sheet=48, settings={"genotype.fill": 0.4})
    walled = {
        cell: place
        for place, level in enumerate(session.levels)
        for cell in ((1, 0), (0, 1))
        if level.tiles[cell[1], cell[0]]
    }
    session.lock([(1, 0)], walled[1, 0])
    with pytest.raises(InputError, match="because of the walls to keep"):
        session.lock([(0, 1)], walled[0, 1])
    assert list(session.locked) == [(1, 0)]


def test_the_loved_return_first_the_liked_only_as_parents_and_never_has_no_children() -> None:
    session = small(size=(12, 12), sheet=8, wildness=0.0)
    first = session.levels
    session.pick({2: "love", 5: "love", 6: "like"})
    assert session.next()[:2] == [first[2], first[5]]
    assert first[6] not in session.levels
    assert dict(session.picks) == {}
    session.undo()
    session.pick({2: "none", 5: "none", 6: "never"} | dict.fromkeys([0, 1, 3, 4, 7], "never"))

    def differences(one: levolve.Level, other: levolve.Level) -> int:
        return int((one.tiles != other.tiles).sum())

    for level in session.next():
        nearest = min(range(8), key=lambda place: differences(level, first[place]))
        assert nearest in {2, 5}, "children of what is left"


def test_a_sheet_of_which_every_level_is_never_begins_afresh() -> None:
    session = small(size=(12, 12))
    before = session.levels
    session.pick(dict.fromkeys(range(4), "never"))
    assert not set(session.next()) & set(before)


def test_a_new_action_begins_another_branch_of_which_nothing_can_be_redone() -> None:
    session = small()
    session.pick({0: "love"})
    session.undo()
    session.pick({1: "like"})
    with pytest.raises(InputError, match="nothing to redo"):
        session.redo()


def test_a_pick_can_be_changed_and_taken_back() -> None:
    session = small()
    session.pick({0: "love", 2: "like"})
    session.pick({2: "never", 0: "none", 3: "none"})
    assert dict(session.picks) == {2: "never"}


def test_wilder_children_differ_more_from_their_parent() -> None:
    def changed(wildness: float) -> float:
        session = levolve.breed("maze-long", size=(16, 16), seed=2, wildness=wildness)
        parent = session.levels[0].tiles
        session.pick({0: "like"})
        return float(np.mean([(level.tiles != parent).sum() for level in session.next()]))

    tame, usual, wild = (changed(wildness) for wildness in (0.0, 0.3, 0.7))
    assert tame < 4
    assert 2 * tame < usual
    assert 2 * usual < wild


def test_the_objective_alone_lengthens_paths_and_a_blend_obeys_picks_too() -> None:
    def mean_path(blend: float) -> float:
        session = levolve.breed("maze", size=(12, 12), seed=1, blend=blend)
        for _ in range(8):
            session.next()
        return float(np.mean(levolve.measure(session.levels)["exit_path"]))

    assert mean_path(1.0) > mean_path(0.0) + 10
    later = levolve.breed("maze", size=(12, 12), seed=1)
    later.next()
    later.blend = 1.0
    blended = later.next()
    later.undo()
    later.undo()
    assert later.next() != blended, "a blend counts for the sheet it is set on"
    session = small(size=(12, 12), blend=0.5)
    loved = session.levels[3]
    session.pick({3: "love"})
    assert loved in session.next()


@pytest.mark.parametrize("recipe", ["maze", "maze-tunnels"])
def test_a_designer_who_prefers_symmetric_levels_gets_more_of_them_within_ten_sheets(
    recipe: str,
) -> None:
    figures = benchmark()
    for seed in range(3):
        picked, left = (
            figures.last_sheet(recipe, seed, who) for who in (figures.designer, figures.nobody)
        )
        assert np.mean(picked) > np.mean(left) + 0.15
        assert (
            sum(value >= figures.SYMMETRIC for value in picked)
            >= 4
            > sum(value >= figures.SYMMETRIC for value in left)
        )


def test_a_session_that_begins_with_a_level_shows_it() -> None:
    mine = levolve.Level.from_text(
        "S..#....\n.#......\n....#...\n#.......\n...##...\n........\n.#....#.\n.......E"
    )
    assert mine in levolve.breed("maze", start=mine, seed=1).levels


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (
            lambda session: session.pick({4: "love"}),
            r"picks: expected a place of the sheet, from 0 to 3, got 4",
        ),
        (lambda session: session.pick({-1: "love"}), "picks: expected a place of the sheet"),
        (lambda session: session.pick({"a": "love"}), "picks: expected a place of the sheet"),
        (lambda session: session.pick({0: "lve"}), "did you mean 'love'"),
        (lambda session: session.pick({0: 3}), "Known: love, like, none, never"),
        (lambda session: session.pick("love"), "picks: expected places and words"),
        (
            lambda session: session.lock([(8, 0)]),
            "lock: expected cells inside the 8x8 level, got 8,0",
        ),
        (lambda session: session.lock([(0, -1)]), "lock: expected cells inside"),
        (lambda session: session.lock("here"), "cells: expected x,y"),
        (
            lambda session: session.lock("0,0..999999,2"),
            "cells: expected a rectangle inside the level",
        ),
        (lambda session: session.lock([]), "at least one cell"),
        (lambda session: session.lock(3), "cells: expected a list"),
        (lambda session: session.lock([(0, 0)], 9), "place: expected a place of the sheet"),
        (lambda session: session.unlock(), "none is locked"),
        (lambda session: session.unlock([(1, 1)]), "unlock: expected a locked cell, got 1,1"),
        (lambda session: session.undo(), "nothing to undo"),
        (lambda session: session.redo(), "nothing to redo"),
        (
            lambda session: session.go(1),
            "number: expected the number of a sheet, from 0 to 0, got 1",
        ),
        (lambda session: session.go(True), "number: expected the number of a sheet"),
        (
            lambda session: session.cross(0, 4),
            "places: expected a place of the sheet, from 0 to 3, got 4",
        ),
        (
            lambda session: session.cross(2, 2),
            "places: expected two different places of the sheet, got 2 twice",
        ),
        (lambda session: session.more_like(-1), "place: expected a place of the sheet"),
        (
            lambda session: session.advance(0),
            "generations: expected a whole number from 1 to 500, got 0",
        ),
        (lambda session: session.advance(2.0), "generations: expected a whole number"),
        (
            lambda session: session.paint(7, [(1, 1)], "wall"),
            "place: expected a place of the sheet",
        ),
        (lambda session: session.paint(0, [(1, 1)], "wal"), "did you mean 'wall'"),
        (lambda session: session.paint(0, [(1, 1)]), "Known: floor, wall"),
        (
            lambda session: session.paint(0, {(1, 1): "wall"}, "wall"),
            "tile: cannot be combined with cells that name their tiles",
        ),
        (lambda session: session.paint(0, {}), "at least one cell"),
        (
            lambda session: session.paint(0, [(8, 1)], "#"),
            "paint: expected cells inside the 8x8 level, got 8,1",
        ),
        (
            lambda session: session.paint(0, "0,3..7,3", "wall"),
            "paint: expected a level that can be won, but there is no path",
        ),
        (
            lambda session: session.paint(0, [(0, 0)], "wall"),
            "entrance: expected a walkable tile, got wall at 0,0",
        ),
        (lambda session: session.paint(0, [(0, 0)], "floor"), "at least one cell that changes"),
        (
            lambda session: setattr(session, "wildness", 1.5),
            "wildness: expected a number from 0 to 1, got 1.5",
        ),
        (lambda session: setattr(session, "blend", "x"), "blend: expected a number from 0 to 1"),
        (
            lambda session: setattr(session, "blend", float("nan")),
            "blend: expected a number from 0 to 1",
        ),
    ],
)
def test_what_cannot_be_done_is_refused_and_changes_nothing(action: Any, words: str) -> None:
    session = small()
    before = session.to_data()
    with pytest.raises(InputError, match=words):
        action(session)
    assert session.to_data() == before


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"sheet": 1}, "sheet: expected a whole number of levels from 2 to 48, got 1"),
        ({"sheet": 49}, "sheet: expected"),
        ({"sheet": True}, "sheet: expected"),
        ({"wildness": -0.1}, "wildness: expected"),
        ({"blend": 2}, "blend: expected"),
        ({"strategy": "pick"}, "unknown strategy 'pick': did you mean 'picks'"),
        ({"seed": -1}, "seed: expected"),
    ],
)
def test_settings_that_no_session_can_have_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        small(**options)


def test_damaged_data_of_a_session_is_refused_with_what_is_wrong(tmp_path: Path) -> None:
    session = small()
    session.pick({0: "love"})
    session.next()
    data = session.to_data()

    def refused(words: str, **changes: Any) -> None:
        with pytest.raises(InputError, match=words):
            levolve.breed({**data, **changes})

    refused("expected data of a session", format="levolve level")
    refused("session: expected version 1 or 2, got 3; it was saved by levolve", version=3)
    refused("session: expected version 1 or 2, got True", version=True)
    refused("session: expected version 1 or 2, got \\[\\]", version=[])
    refused("session: at: expected the number of an action, from 0 to 2, got 3", at=3)
    refused("session: tip: expected the number of an action", tip="last")
    refused("tip: expected an action that follows number 2, got 1; the file is damaged", tip=1)
    refused(
        "session: actions 2: after: expected the number of an action, from 0 to 1, got 2",
        actions=[data["actions"][0], {"action": "next", "after": 2}],
    )
    refused(
        "the levels differ",
        actions=[data["actions"][0], {"action": "next", "digest": "0"}],
        digest=session.digest,
    )
    refused(
        "session: actions 1: generations: expected a whole number from 1 to 500",
        actions=[{"action": "advance", "generations": 501}],
    )
    refused(
        "at most 10,000 actions and generations",
        actions=[{"action": "advance", "generations": 500}] * 21,
    )
    refused(
        "session: actions 1: cells",
        actions=[{"action": "paint", "place": 0, "tiles": {"#": ["x"]}, "lock": False}],
    )
    wrong = {"action": "paint", "place": 0, "tiles": {"?": ["1,1"]}, "lock": False}
    refused("session: paint: expected tiles of a walls level", actions=[wrong], at=1, tip=1)
    refused("the levels differ", seed=4)
    refused("seed: expected", seed=None)
    refused("session: recipe: unknown key 'colour'", recipe={**data["recipe"], "colour": 1})
    refused("session: recipe: expected a table", recipe=[])
    refused("sheet: expected", sheet="many")
    refused("session: actions: expected a list", actions={})
    refused("session: actions 1: expected an action of a session", actions=[{"action": "jump"}])
    refused("session: actions 1: expected a table", actions=["next"])
    refused(
        "session: actions 1: picks: expected a word",
        actions=[{"action": "pick", "picks": {"0": "hate"}}],
    )
    refused(
        "session: actions 1: picks: expected the number of a place",
        actions=[{"action": "pick", "picks": {"x": "love"}}],
    )
    refused(
        "session: picks: expected a place of the sheet",
        actions=[{"action": "pick", "picks": {"99": "love"}}],
        at=1,
        tip=1,
    )
    refused(
        "session: undone 1: cells",
        version=1,
        undone=[{"action": "lock", "cells": ["x"], "place": 0}],
    )
    with pytest.raises(InputError, match="expected seed, actions in it; the file is damaged"):
        levolve.breed(
            {name: value for name, value in data.items() if name not in {"seed", "actions"}}
        )
    with pytest.raises(InputError, match="size: cannot be combined with the data of a session"):
        levolve.breed(data, size=(9, 9))
    path = session.save(tmp_path / "session.json")
    assert Session.read(path).digest == session.digest
    path.write_text(path.read_text()[:-40])
    with pytest.raises(InputError, match="expected a JSON file that 'save' of a session wrote"):
        Session.read(path)
    path.write_text("[]")
    with pytest.raises(InputError, match="expected data of a session, got list"):
        Session.read(path)
    with pytest.raises(InputError, match="No such file"):
        Session.read(tmp_path / "none.json")


def test_a_recipe_that_has_no_winnable_level_says_so() -> None:
    # The exit is closed in by the colours around it.
    keep = ["????", "????", "??VV", "??VR"]
    with pytest.raises(
        LevolveError, match="no winnable level of recipe 'maze-chromatic' was found"
    ):
        levolve.breed("maze-chromatic", size=(4, 4), seed=1, sheet=2, settings={"keep": keep})
