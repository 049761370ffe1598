"""Logs for TensorBoard: read back by TensorBoard itself."""

import math
import signal
from pathlib import Path

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import levolve
from levolve.bridges.tensorboard import TensorBoardLog
from levolve.cli.app import run as command
from levolve.core.errors import InputError
from levolve.search.loop import GenerationScored


def scalars(folder: Path) -> dict[str, list[tuple[int, float]]]:
    log = EventAccumulator(str(folder))
    log.Reload()
    return {
        tag: [(point.step, point.value) for point in log.Scalars(tag)]
        for tag in log.Tags()["scalars"]
    }


def test_a_log_has_the_history_of_the_run(tmp_path: Path) -> None:
    with TensorBoardLog(tmp_path, "mine") as log:
        run = levolve.evolve("maze", size=(8, 8), seed=1, generations=4, executor=1, watch=log)
    found = scalars(tmp_path / "mine")
    assert found["score/best"] == list(enumerate(run.history.best))
    assert found["search/evaluations"] == list(enumerate(run.history.evaluations))
    assert [value for _, value in found["score/mean"]] == pytest.approx(run.history.mean)


def test_the_command_logs_each_run_into_a_folder_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for seed in ("1", "2"):
        assert (
            command(
                [
                    "evolve",
                    "maze",
                    "--size",
                    "8x8",
                    "--generations",
                    "2",
                    "--seed",
                    seed,
                    "--tensorboard",
                    str(tmp_path),
                ]
            )
            == 0
        )
    capsys.readouterr()
    assert sorted(folder.name for folder in tmp_path.iterdir()) == ["maze-1", "maze-2"]
    assert len(scalars(tmp_path / "maze-2")["score/best"]) == 3


def test_a_resumed_run_continues_its_log(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    call = [
        "evolve",
        "maze",
        "--size",
        "8x8",
        "--generations",
        "6",
        "--seed",
        "1",
        "--threads",
        "1",
    ]
    assert command([*call, "--tensorboard", str(tmp_path / "whole")]) == 0
    store = ["--store", str(tmp_path / "runs.db")]
    log = TensorBoardLog.__call__

    def interrupted(self: TensorBoardLog, event: object) -> None:
        log(self, event)  # type: ignore[arg-type]
        if getattr(event, "generation", 0) == 3:
            signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as patched:
        patched.setattr(TensorBoardLog, "__call__", interrupted)
        assert command([*call, "--tensorboard", str(tmp_path / "parts"), *store]) == 130
    assert len(scalars(tmp_path / "parts" / "maze-1")["score/best"]) == 4
    assert command(["resume", "last", *store]) == 0
    capsys.readouterr()
    assert len(list((tmp_path / "parts" / "maze-1").iterdir())) == 2
    assert scalars(tmp_path / "parts" / "maze-1") == scalars(tmp_path / "whole" / "maze-1")


def test_generations_that_are_repeated_replace_those_of_the_earlier_log(tmp_path: Path) -> None:
    for generations, best in (((0, 1, 2, 3), 1.0), ((2, 3, 4), 5.0)):
        with TensorBoardLog(tmp_path) as log:
            for generation in generations:
                log(GenerationScored(generation, best, best, generation, False))
    assert scalars(tmp_path)["score/best"] == [(0, 1.0), (1, 1.0), (2, 5.0), (3, 5.0), (4, 5.0)]


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("")
    with pytest.raises(InputError, match="tensorboard: expected a folder, got the file"):
        TensorBoardLog(tmp_path / "log")


def test_scores_that_are_not_finite_are_left_out(tmp_path: Path) -> None:
    with TensorBoardLog(tmp_path) as log:
        for generation, best in enumerate((-math.inf, 2.0, math.nan, math.inf)):
            log(GenerationScored(generation, best, 1.0, generation, False))
    found = scalars(tmp_path)
    assert found["score/best"] == [(1, 2.0)]
    assert found["score/mean"] == [(generation, 1.0) for generation in range(4)]
