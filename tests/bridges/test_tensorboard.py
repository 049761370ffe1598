"""Logs for TensorBoard: read back by TensorBoard itself."""

from pathlib import Path

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

import levolve
from levolve.bridges.tensorboard import TensorBoardLog
from levolve.cli.app import run as command
from levolve.errors import InputError


def scalars(folder: Path) -> dict[str, list[tuple[int, float]]]:
    log = EventAccumulator(str(folder))
    log.Reload()
    return {tag: [(point.step, point.value) for point in log.Scalars(tag)] for tag in log.Tags()["scalars"]}


def test_a_log_has_the_history_of_the_run(tmp_path: Path) -> None:
    with TensorBoardLog(tmp_path, "mine") as log:
        run = levolve.evolve("maze", size=(8, 8), seed=1, generations=4, threads=1, watch=log)
    found = scalars(tmp_path / "mine")
    assert found["score/best"] == list(enumerate(run.history.best))
    assert found["search/evaluations"] == list(enumerate(run.history.evaluations))
    assert [value for _, value in found["score/mean"]] == pytest.approx(run.history.mean)


def test_the_command_logs_each_run_into_a_folder_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for seed in ("1", "2"):
        assert command(["evolve", "maze", "--size", "8x8", "--generations", "2", "--seed", seed, "--tensorboard", str(tmp_path)]) == 0
    capsys.readouterr()
    assert sorted(folder.name for folder in tmp_path.iterdir()) == ["maze-1", "maze-2"]
    assert len(scalars(tmp_path / "maze-2")["score/best"]) == 3


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("")
    with pytest.raises(InputError, match="tensorboard: expected a folder, got the file"):
        TensorBoardLog(tmp_path / "log")
