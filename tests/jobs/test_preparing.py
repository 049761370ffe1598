"""Kernels are compiled ahead, in other processes."""

from uuid import uuid4

import pytest

from levolve.core.events import Event
from levolve.jobs import prepare as preparing
from levolve.jobs.prepare import UnitPrepared, prepare, prepare_aside, prepare_unit, units
from levolve.kernels.compiler import kernel
from levolve.kernels.compiler.compiled_kernel import Kernel
from levolve.kernels.walking import shortest_paths


def test_there_is_a_unit_for_every_recipe_and_puzzle() -> None:
    assert {
        "measures",
        "recipe maze",
        "recipe labyrinth",
        "puzzle sliding",
        "puzzle flag",
        "map",
        "pack",
    } <= set(units())
    assert {unit.partition(" ")[0] for unit in units()} | {
        "breeding",
        "solving",
        "solution",
    } == set(preparing.KINDS)


def test_units_are_prepared_in_other_processes_and_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(preparing, "units", lambda: ["measures", "recipe nowhere"])
    events: list[Event] = []
    assert prepare(1, events.append) == ["measures", "recipe nowhere"]
    assert [
        (event.unit, event.done, event.total) for event in events if isinstance(event, UnitPrepared)
    ] == [
        ("measures", 1, 2),
        ("recipe nowhere", 2, 2),
    ]
    assert "nowhere" in str(events[1].to_data()["fault"])
    assert events[0].to_data()["fault"] == ""


@pytest.mark.parametrize(
    "unit",
    [
        "recipe maze",
        "breeding maze",
        "breeding dungeon",
        "puzzle sliding",
        "solving sliding 8672543_1",
        "solution sliding 8672543_1",
        "solution flag 1",
        "map",
    ],
)
def test_a_unit_can_be_prepared(unit: str) -> None:
    assert prepare_unit(unit) == ""


@pytest.mark.skipif(
    not isinstance(shortest_paths.distances, Kernel), reason="NUMBA_DISABLE_JIT is set"
)
def test_another_process_helps_when_something_has_to_be_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[list[str]] = []

    class Helper:
        def __init__(self, call: list[str], **_: object) -> None:
            started.append(call)

        def terminate(self) -> None:
            started.append(["terminated"])

        def wait(self) -> None:
            """Nothing to wait for."""

    def double(number: int) -> int:
        return 2 * number

    monkeypatch.setattr("subprocess.Popen", Helper)
    monkeypatch.setattr(preparing, "core_count", lambda: 2)
    with prepare_aside(["measures"]):
        assert started == []
    with prepare_aside(["breeding maze", "measures"], ["solving sliding"]):
        # A kernel of a new name: whatever was run before, it is not in the cache.
        double.__qualname__ = uuid4().hex
        assert kernel(double)(2) == 4
        module = ["-m", "levolve.jobs.prepare"]
        assert [call[1:] for call in started] == [
            [*module, "breeding maze", "measures"],
            [*module, "solving sliding"],
        ]
    assert started[2:] == [["terminated"]] * 2
