"""Arguments of public functions: mistyped ones, old spellings, and where work is done."""

import inspect
import typing
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import levolve
from levolve.cli.app import run as cli
from levolve.core.errors import InputError
from levolve.jobs import executors
from levolve.jobs.runs.evolve import LevelOptions
from levolve.levels.level import Level
from levolve.search.evaluation import core_count

SMALL: dict[str, Any] = {"size": "6x6", "seed": 1, "settings": {"generations": 2}}
FUNCTIONS = [
    "breed",
    "compare",
    "evolve",
    "expressive_range",
    "illuminate",
    "pack",
    "resume",
    "tune",
]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_mistyped_argument_names_the_function_and_the_right_one(name: str) -> None:
    function: Callable[..., Any] = getattr(levolve, name)
    right = next(each for each in reversed(inspect.signature(function).parameters) if len(each) > 4)
    with pytest.raises(
        InputError, match=f"^{name}: unknown argument '{right}z': did you mean '{right}'?"
    ):
        function("maze", **{f"{right}z": 1})
    with pytest.raises(TypeError):
        function("maze", **{f"{right}z": 1})


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_argument_is_listed_with_its_type_and_is_in_the_docstring(name: str) -> None:
    function = getattr(levolve, name)
    text = inspect.getdoc(function) or ""
    section = text.split("Parameters\n----------\n")[1].split("\n\n>>>")[0]
    listed = {
        word
        for line in section.splitlines()
        if line and not line.startswith(" ")
        for word in line.split(", ")
    }
    for parameter in inspect.signature(function).parameters.values():
        assert parameter.kind is not parameter.VAR_KEYWORD
        assert parameter.annotation is not parameter.empty
        assert parameter.name in listed


def test_the_types_of_the_overloads_of_evolve_are_those_of_its_signature() -> None:
    signature = inspect.signature(levolve.evolve).parameters
    options = typing.get_type_hints(LevelOptions)
    assert options.keys() == signature.keys() - {"recipe", "space"}


def _same(one: Any, other: Any) -> bool:
    return bool(one.digest == other.digest)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"threads": 2}, 2),
        ({"threads": None}, None),
        ({"processes": 3}, "processes:3"),
        ({"cluster": "local"}, "local"),
        ({"cluster": "local", "threads": 3}, "local:3"),
        ({"cluster": "tcp://127.0.0.1:1", "threads": 3}, "tcp://127.0.0.1:1"),
        ({"threads": 2, "executor": "local"}, "local"),
    ],
)
def test_old_spellings_of_where_to_run_are_one_executor(
    old: dict[str, Any], new: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[object] = []

    def record(*_: object, executor: object) -> Any:
        seen.append(executor)
        raise KeyError

    monkeypatch.setattr("levolve.jobs.runs.evolve.work_pool", record)
    with (
        pytest.warns(FutureWarning, match=r"^evolve: .*= is replaced by executor=") as warned,
        pytest.raises(KeyError),
    ):
        levolve.evolve("maze", **SMALL, **old)
    assert seen == [new]
    assert [each.filename for each in warned] == [__file__]


@pytest.mark.parametrize(
    "call",
    [
        lambda **where: levolve.illuminate(
            "maze", axes="walls", size="6x6", evaluations=100, seed=1, **where
        ),
        lambda **where: levolve.pack("maze", count=1, **SMALL, **where),
        lambda **where: levolve.tune(
            "dungeon-meta",
            population=2,
            generations=0,
            seeds=1,
            seed=1,
            size="5x5",
            settings={"generations": 1},
            **where,
        ),
    ],
)
def test_old_spellings_give_the_same_result(call: Callable[..., Any]) -> None:
    new = call(executor=1)
    with pytest.warns(FutureWarning, match="threads= is replaced by executor=,"):
        assert _same(call(threads=1), new)


@pytest.mark.parametrize("name", ["compare", "expressive_range"])
def test_studies_take_old_spellings(name: str) -> None:
    options: dict[str, Any] = (
        {"samples": 2, "levels": "random"}
        if name == "expressive_range"
        else {"runs": 2, "evaluations": 200}
    )
    with pytest.warns(FutureWarning, match=f"^{name}: threads= is replaced by executor="):
        getattr(levolve, name)(["maze", "maze-barriers"], size="6x6", threads=1, **options)


def test_kept_and_keep_are_one_argument() -> None:
    level = Level.from_text("S.#.\n..#.\n...E")
    cells = np.zeros(level.tiles.shape, bool)
    cells[1, 2] = True
    call: Any = levolve.evolve
    with pytest.warns(FutureWarning, match="evolve: kept= is replaced by keep=,"):
        old = call("maze", start=level, keep="floor", kept=cells, seed=1, generations=2)
    assert (
        levolve.evolve(
            "maze", start=level, keep=["floor", cells], seed=1, generations=2
        ).recipe.to_data()
        == old.recipe.to_data()
    )
    only = levolve.evolve("maze", start=level, keep=cells, seed=1, generations=2).recipe
    assert only.keep == ("????", "??#?", "????")
    assert only.to_data() != old.recipe.to_data()


@pytest.mark.parametrize("keep", [3, [[True]], np.zeros((2, 2)), np.zeros(3, bool)])
def test_what_cannot_be_kept_is_refused(keep: Any) -> None:
    with pytest.raises(InputError, match=r"^keep: expected kinds of tiles, an array"):
        levolve.evolve("maze", start=Level.from_text("S.\n.E"), keep=keep)


def test_the_budget_of_a_pack_is_a_number_of_attempts() -> None:
    call: Any = levolve.pack
    impossible: dict[str, Any] = {
        "count": 1,
        "size": "4x4",
        "target": {"exit_path": 12},
        "seed": 1,
        "settings": {"generations": 1},
        "executor": 1,
    }
    with pytest.warns(FutureWarning, match="pack: budget= is replaced by attempts=,"):
        old = call("maze", budget=3, **impossible)
    one, three = (
        levolve.pack("maze", attempts=attempts, **impossible).parts[0].searches
        for attempts in (1, 3)
    )
    assert one < three == old.parts[0].searches


@pytest.mark.parametrize(
    "wrong",
    [
        0,
        -1,
        True,
        1.5,
        "threads",
        "processes:0",
        "processes:",
        "processes:x",
        "local:0",
        "localhost:8786",
        "tcp:1",
        ["local"],
    ],
)
def test_an_executor_that_is_none_is_refused(wrong: Any) -> None:
    with (
        pytest.raises(InputError, match=r"^executor: expected a number of threads"),
        executors.work_pool(executor=wrong),
    ):
        pass


def test_an_executor_is_a_number_of_threads_processes_a_cluster_or_an_object() -> None:
    assert executors.read_executor(3) == (3, None, None)
    assert executors.read_executor("processes:2") == (None, 2, None)
    assert executors.read_executor("processes") == (None, core_count(), None)
    assert executors.read_executor("local") == (None, None, "local")
    assert executors.read_executor("local:2") == (2, None, "local")
    assert executors.read_executor("tls://[::1]:8786") == (None, None, "tls://[::1]:8786")
    with ThreadPoolExecutor(1) as pool, executors.work_pool(executor=pool) as found:
        assert found is pool


def test_new_spellings_do_not_warn() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        levolve.evolve("maze", executor=1, keep="", **SMALL)


def test_resume_takes_the_class_of_the_result_and_old_spellings(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite"
    run = levolve.evolve("maze", executor=1, store=store, **SMALL)
    assert levolve.resume("last", levolve.Run, store=store, executor=1).digest == run.digest
    with pytest.raises(
        InputError, match=r"^run 1: expected a job whose result is a Pack, got one of Run$"
    ):
        levolve.resume(1, levolve.Pack, store=store, executor=1)
    call: Any = levolve.resume
    with pytest.warns(FutureWarning, match="resume: threads= is replaced by executor=,"):
        assert call(store=store, threads=1).digest == run.digest


def test_the_command_pack_takes_its_old_option(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [
        "pack",
        "maze",
        "--size",
        "4x4",
        "--count",
        "1",
        "--target",
        "exit_path=12",
        "--seed",
        "1",
        "--set",
        "generations=1",
        "--no-store",
    ]
    with pytest.warns(FutureWarning, match="--budget is called --attempts now"):
        assert cli([*words, "--budget", "2", "-o", str(tmp_path / "old")]) == 1
    old = capsys.readouterr().err
    assert "--attempts (now 2)" in old
    assert cli([*words, "--attempts", "2", "-o", str(tmp_path / "new")]) == 1
    new = capsys.readouterr().err
    assert [
        line for line in old.splitlines() if "--budget is called" not in line
    ] == new.splitlines()
