"""Breeding sessions and kept levels in a store, and stores of the first schema, which have
neither.
"""

import shutil
import sqlite3
import time
from pathlib import Path

import pytest

from levolve.core.errors import InputError, StoreError
from levolve.jobs.store.store import Store

FIRST_SCHEMA = Path(__file__).parent / "schema-1.sqlite"


def test_a_session_is_added_updated_renamed_and_read_again(tmp_path: Path) -> None:
    with Store(tmp_path / "runs.sqlite") as store:
        first = store.sessions.add("one", "maze", {"seed": (1 << 64) - 1, "actions": []})
        time.sleep(0.002)
        second = store.sessions.add("two", "dungeon", {"seed": 2})
        time.sleep(0.002)
        assert [record.id for record in store.sessions.list()] == [second, first]
        store.sessions.update(first, {"seed": 5, "actions": [{"action": "next"}]})
        store.sessions.rename(second, "a ruin")
    with Store(tmp_path / "runs.sqlite") as store:
        assert store.sessions.data(first) == {"seed": 5, "actions": [{"action": "next"}]}
        newest, older = store.sessions.list()
        assert (newest.id, newest.name, newest.recipe) == (first, "one", "maze")
        assert newest.created < newest.updated
        assert older == store.sessions.find(str(second))
        assert older.to_data()["name"] == "a ruin"
        assert store.sessions.find("last") == newest


def test_deleting_sessions_is_all_or_nothing_and_numbers_are_not_used_again(tmp_path: Path) -> None:
    with Store(tmp_path / "runs.sqlite") as store:
        numbers = [store.sessions.add(name, "maze", {}) for name in ("a", "b")]
        with pytest.raises(InputError, match="there is no session 9 in"):
            store.sessions.delete([*numbers, 9])
        assert len(store.sessions.list()) == 2
        store.sessions.delete(numbers)
        assert store.sessions.list() == []
        assert store.sessions.add("c", "maze", {}) not in numbers


def test_an_unknown_session_or_kept_level_is_named(tmp_path: Path) -> None:
    with Store(tmp_path / "runs.sqlite") as store:
        for action in (
            store.sessions.data,
            store.sessions.find,
            lambda number: store.sessions.update(number, {}),
        ):
            with pytest.raises(InputError, match="there is no session 3 in"):
                action(3)
        with pytest.raises(InputError, match="there is no session 3 in"):
            store.sessions.rename(3, "x")
        with pytest.raises(InputError, match="there are no breeding sessions yet"):
            store.sessions.find("last")
        with pytest.raises(
            InputError, match="expected the number of a session or 'last', got '-1'"
        ):
            store.sessions.find("-1")
        for other in (
            store.shelf.find,
            lambda number: store.shelf.delete([number]),
            lambda number: store.shelf.rename(number, "x"),
        ):
            with pytest.raises(InputError, match="there is no level 3 on the shelf"):
                other(3)


@pytest.mark.parametrize("data", ["{", "[]"])
def test_damaged_data_of_a_session_is_named(tmp_path: Path, data: str) -> None:
    path = tmp_path / "runs.sqlite"
    with Store(path) as store:
        number = store.sessions.add("a", "maze", {})
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE sessions SET data = ?", (data,))
        connection.close()
        with pytest.raises(StoreError, match=f"the data of session {number} is damaged"):
            store.sessions.data(number)


def test_a_level_is_kept_once_under_one_name_renamed_and_deleted(tmp_path: Path) -> None:
    with Store(tmp_path / "runs.sqlite") as store:
        first = store.shelf.add("first", "d1", b'{"a": 1}', "session 1")
        assert store.shelf.add("first", "d1", b'{"a": 1}', "session 2") == first
        second = store.shelf.add("second", "d1", b"{}", "run 4")
        assert second != first
        store.shelf.rename(second, "the long one")
        kept = store.shelf.find(second)
        assert (kept.name, kept.digest, kept.content, kept.source) == (
            "the long one",
            "d1",
            b"{}",
            "run 4",
        )
        assert "content" not in kept.to_data()
        store.shelf.delete([first])
        assert [level.id for level in store.shelf.list()] == [second]


def test_a_world_is_kept_found_and_deleted_and_damage_is_named(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    with Store(path) as store:
        first, second = (store.worlds.add(name, {"x": 1.5}) for name in ("first", "second"))
        assert [(kept.id, kept.name) for kept in store.worlds.list()] == [
            (second, "second"),
            (first, "first"),
        ]
        assert store.worlds.find(first).data == {"x": 1.5}
        store.worlds.delete(second)
        for call in (store.worlds.find, store.worlds.delete):
            with pytest.raises(InputError, match=f"there is no world {second}"):
                call(second)
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE worlds SET data = '{'")
        connection.close()
        with pytest.raises(StoreError, match=f"the data of world {first} is damaged"):
            _ = store.worlds.find(first).data


def test_a_store_of_the_first_schema_gets_sessions_and_a_shelf_and_keeps_its_runs(
    tmp_path: Path,
) -> None:
    path = tmp_path / "runs.sqlite"
    shutil.copy(FIRST_SCHEMA, path)
    with Store(path) as store:
        before = store.runs()
        assert len(before) == 2
        assert store.sessions.list() == []
        assert store.shelf.list() == []
        number = store.sessions.add("mine", "maze", {"seed": 1})
        store.shelf.add("kept", "d", b"{}", "session 1")
    with Store(path) as store:
        assert store.runs() == before
        assert store.sessions.data(number) == {"seed": 1}
        assert store.shelf.list()[0].name == "kept"


def test_the_level_that_was_kept_last_is_first_on_the_shelf(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = iter([1.0, 2.0, 2.0])
    monkeypatch.setattr(time, "time", lambda: next(times))
    with Store(tmp_path / "runs.sqlite") as store:
        first, second, third = (store.shelf.add(name, name, b"{}", "run 1") for name in "cab")
        assert [level.id for level in store.shelf.list()] == [third, second, first]
