"""Kernels are compiled ahead, in other processes."""

import pytest

from levolve import preparing
from levolve.events import Event
from levolve.preparing import UnitPrepared, prepare, prepare_aside, prepare_unit, units


def test_there_is_a_unit_for_every_recipe_and_puzzle() -> None:
    assert {"measures", "recipe maze", "recipe labyrinth", "puzzle sliding", "puzzle flag", "map", "pack"} <= set(units())
    assert {unit.partition(" ")[0] for unit in units()} == set(preparing.KINDS)


def test_units_are_prepared_in_other_processes_and_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparing, "units", lambda: ["measures", "recipe nowhere"])
    events: list[Event] = []
    assert prepare(1, events.append) == ["measures", "recipe nowhere"]
    assert [(event.unit, event.done, event.total) for event in events if isinstance(event, UnitPrepared)] == [
        ("measures", 1, 2),
        ("recipe nowhere", 2, 2),
    ]
    assert "nowhere" in str(events[1].to_data()["fault"])
    assert events[0].to_data()["fault"] == ""


@pytest.mark.parametrize("unit", ["recipe maze", "puzzle sliding", "map"])
def test_a_unit_can_be_prepared(unit: str) -> None:
    assert prepare_unit(unit) == ""


def test_another_process_helps_only_with_an_empty_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []

    class Helper:
        def __init__(self, call: list[str], **_: object) -> None:
            started.append(call)

        def terminate(self) -> None:
            started.append(["terminated"])

        def wait(self) -> None:
            """Nothing to wait for."""

    monkeypatch.setattr("subprocess.Popen", Helper)
    monkeypatch.setattr(preparing, "core_count", lambda: 2)
    prepare_unit("measures")
    with prepare_aside("measures"):
        assert started == []
    monkeypatch.setattr(preparing, "LAST_KERNEL", "nowhere-*")
    with prepare_aside("measures"):
        assert started[0][1:] == ["-m", "levolve.preparing", "measures"]
    assert started[1:] == [["terminated"]]
