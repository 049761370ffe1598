"""The tree of a session: branches, return to any sheet, files of the first version, and sheets that
are bred only when they are visited.
"""

import json
from pathlib import Path
from typing import Any

import pytest

import levolve
from levolve.core.errors import InputError
from levolve.jobs.breeding import moments, session_data
from levolve.jobs.breeding.breeder import Breeder
from levolve.jobs.breeding.session import Session
from levolve.jobs.breeding.sheet import Sheet

FIRST_VERSION = Path(__file__).parent / "session-1.json"
SHEET, LAST_SHEET = (
    "c0edcf5f3c3bbb304f96a07b7bd9fb31ecf079eb299970815c1917b923453e18",
    "170e1a8c9d1f8f05f3861e5eebb15990ce59f10535486f3b3ae7409bf113e1c5",
)


def small(seed: int = 3, **options: Any) -> Session:
    return levolve.breed("maze", **{"size": (8, 8), "sheet": 4, "seed": seed, **options})


def shape(session: Session) -> list[tuple[int, int | None, int]]:
    return [(sheet.number, sheet.parent, sheet.generation) for sheet in session.tree]


def test_acting_after_undo_keeps_the_abandoned_branch_and_go_returns_to_it() -> None:
    session = small()
    session.pick([0])
    session.next()
    session.pick([1])
    left = session.next()
    session.undo()
    session.undo()
    session.pick([2])
    right = session.next()
    assert right != left
    assert shape(session) == [(0, None, 0), (1, 0, 1), (2, 1, 2), (3, 1, 2)]
    assert session.number == 3
    assert session.go(2) == left
    assert (session.number, session.can_redo) == (2, False)
    session.undo()
    assert dict(session.picks) == {1: "like"}
    session.redo()
    assert session.levels == left
    assert session.go(3) == right
    assert [sheet.levels for sheet in session.tree][2:] == [left, right]
    assert [sheet.action.kind for sheet in session.tree if sheet.action] == ["next"] * 3


def test_after_going_back_on_a_branch_redo_walks_it_again_and_elsewhere_the_newest_one() -> None:
    session = small()
    ends = []
    for place in (0, 1):
        session.go(0)
        session.pick([place])
        session.next()
        session.next()
        ends.append(session.digest)
    session.go(0)
    while session.can_redo:
        session.redo()
    assert session.digest == ends[1]
    session.go(1)
    while session.can_redo:
        session.redo()
    assert session.digest == ends[0]


def test_undone_actions_without_a_sheet_are_dropped_because_nothing_leads_to_them() -> None:
    session = small()
    for place in (0, 1, 2):
        session.pick([place])
        session.undo()
    session.pick([3])
    assert session.to_data()["actions"] == [{"action": "pick", "picks": {"3": "like"}}]


def test_a_saved_tree_replays_with_all_its_branches() -> None:
    session = small()
    for place in range(4):
        session.go(place // 2)
        session.pick({place: "love"})
        session.next()
    session.go(1)
    again = levolve.breed(json.loads(json.dumps(session.to_data())))
    assert again.to_data() == session.to_data()
    assert (again.number, shape(again)) == (session.number, shape(session))
    for sheet, other in zip(again.tree, session.tree, strict=True):
        assert (sheet.digest, sheet.levels) == (other.digest, other.levels)


def test_a_session_of_the_first_version_is_read_with_what_can_be_redone() -> None:
    session = Session.read(FIRST_VERSION)
    assert (session.digest, session.generation) == (SHEET, 2)
    for _ in range(3):
        session.redo()
    assert (session.digest, session.generation, session.can_redo) == (LAST_SHEET, 4, False)
    assert session.to_data()["version"] == session_data.SESSION_VERSION
    assert levolve.breed(session.to_data()).digest == LAST_SHEET


def test_only_visited_sheets_of_a_saved_tree_are_bred(monkeypatch: pytest.MonkeyPatch) -> None:
    session = small()
    for _ in range(10):
        session.go(0)
        session.next()
        session.next()
    session.go(19)
    data = session.to_data()
    bred = []
    following = Breeder.following

    def counted(*given: Any) -> Sheet:
        bred.append(1)
        return following(*given)

    monkeypatch.setattr(Breeder, "following", counted)
    again = levolve.breed(data)
    assert len(bred) == 1
    assert [sheet.digest for sheet in again.tree] == [sheet.digest for sheet in session.tree]
    assert len(bred) == 1, "digests are in the data"
    assert again.tree[2].levels == session.tree[2].levels
    assert len(bred) == 3


def test_sheets_that_are_no_longer_kept_are_bred_again_with_the_same_levels(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    usual = small()
    monkeypatch.setattr(moments, "MOST_MOMENTS", 4)
    short = small()
    for session in (usual, short):
        for place in (0, 1, 2, 3, 0, 1):
            session.pick([place])
            session.next()
    assert len(short._moments) == 4
    while usual.can_undo:
        usual.undo()
        short.undo()
        assert short.levels == usual.levels
        assert short.picks == usual.picks
    assert [sheet.levels for sheet in short.tree] == [sheet.levels for sheet in usual.tree]


def test_a_branch_whose_levels_differ_from_its_digest_is_refused_when_it_is_visited() -> None:
    session = small()
    session.next()
    session.undo()
    data = session.to_data()
    data["actions"][0]["digest"] = "0" * 64
    damaged = levolve.breed(data)
    with pytest.raises(InputError, match="replayed, but the levels differ"):
        damaged.go(1)
    assert damaged.number == 0
    assert damaged.levels == session.levels


def test_a_session_never_grows_beyond_what_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_data, "MOST_ACTIONS", 12)
    session = small()
    session.advance(10)
    with pytest.raises(
        InputError,
        match=(
            "a session has at most 12 actions and automatic generations, and this one would have 13"
        ),
    ):
        session.advance(3)
    session.next()
    session.pick([0])
    with pytest.raises(InputError, match="begin a new session"):
        session.pick([1])
    assert levolve.breed(session.to_data()).digest == session.digest
