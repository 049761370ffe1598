"""`levolve pack` and `levolve demo`."""

import io
import json
import re
import threading
from pathlib import Path

import pytest
from rich.console import Console

import levolve
from levolve.cli import progress, terminal
from levolve.cli.app import run
from levolve.cli.commands.pack import PACK
from levolve.cli.commands.packs import print_extents
from levolve.jobs.packs.events import SearchFinished
from levolve.jobs.packs.order import Order
from levolve.jobs.packs.pack_job import PackJob
from levolve.recipes.recipe import find_recipe

SMALL = ["pack", "maze", "--size", "9x9", "--count", "3", "--seed", "1"]


def test_a_pack_is_written_and_summed_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "mazes"
    options = [
        "--target",
        "regions=1",
        "--target",
        "longest_path=20..30",
        "--spread",
        "longest_path=2",
        "--distinct",
        "0.3",
        "--to",
        "txt,png",
    ]
    assert run([*SMALL, *options, "-o", str(folder)]) == 0
    out = capsys.readouterr().out
    assert "maze 9x9, seed 1: 3 of 3 levels meet their targets" in out
    assert "of the cells or more differ between any two levels" in out
    assert f"Open {folder / 'index.html'}" in out
    made = levolve.pack(
        "maze",
        size="9x9",
        count=3,
        seed=1,
        target={"regions": 1, "longest_path": levolve.packs.spread(20, 30, within=2)},
        distinct=0.3,
    )
    assert made.digest in out
    assert {path.suffix for path in folder.iterdir()} == {".txt", ".png", ".json", ".html"}
    assert run(["replay", str(folder / "02-maze.txt")]) == 0
    assert "regenerated, the same bytes" in capsys.readouterr().out
    assert run(["check", *(str(path) for path in sorted(folder.glob("*.txt")))]) == 0


def test_the_bar_is_there_before_the_first_search_ends_and_counts_searches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(progress, "SHOW_AFTER_SECONDS", 0.0)
    monkeypatch.setattr(progress, "is_terminal", lambda _stream: True)
    monkeypatch.setattr(
        terminal, "console", lambda **_: Console(file=screen, force_terminal=True, width=100)
    )
    with (
        progress.Report(quiet=False) as shown,
        PACK.watching(shown, PackJob([Order.of(find_recipe("maze"), count=40)], 1)) as watch,
    ):
        for timer in [
            thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)
        ]:
            timer.join()
        shown.live().refresh()
        assert "0/40 levels" in plain(screen)
        watch(SearchFinished("maze", 40, 12, 12, 31, 1000))
        shown.live().refresh()
        assert "12/40 levels, 31 searches" in plain(screen)


def plain(screen: io.StringIO) -> str:
    return re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", screen.getvalue())


def test_a_pack_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*SMALL, "--curve", "easy..hard", "-o", str(tmp_path), "--json", "--quiet"]) == 0
    seen = capsys.readouterr()
    data = json.loads(seen.out)
    assert seen.err == ""
    assert data["met"] is True
    assert data["folder"] == str(tmp_path.resolve())
    assert [entry["difficulty"] for entry in data["levels"]] == sorted(
        entry["difficulty"] for entry in data["levels"]
    )
    assert json.loads((tmp_path / "pack.json").read_text())["digest"] == data["digest"]


def test_the_levels_found_are_written_even_if_a_target_was_missed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "pack"
    arguments = [
        "pack",
        "maze",
        "--size",
        "2x2",
        "--count",
        "4",
        "--seed",
        "1",
        "--attempts",
        "1",
        "--set",
        "generations=10",
        "-o",
        str(folder),
    ]
    assert run(arguments) == 1
    seen = capsys.readouterr()
    assert "2 of 4 levels meet their targets; those found are in" in seen.err
    assert "distinct: 1 cells must differ from each of 2 levels" in seen.err
    assert len(list(folder.glob("*-maze.json"))) == 2
    nothing = [
        *SMALL,
        "--target",
        "exit_path=52",
        "--attempts",
        "1",
        "--set",
        "generations=3",
        "-o",
        str(tmp_path / "none"),
    ]
    assert run(nothing) == 1
    assert "0 of 3 levels meet their targets; nothing was written" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


def test_a_format_that_cannot_hold_the_levels_is_refused_before_the_search(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        run(["pack", "maze-chromatic", "--size", "6x6", "--to", "xsb", "-o", str(tmp_path / "new")])
        == 2
    )
    assert "expected a level of walls and floor, got rainbow" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "expected"),
    [
        (["--count", "0"], 2, "count: expected a whole number from 1"),
        (["--distinct", "1.0"], 2, "distinct: expected a share of cells from 0 to below 1"),
        (
            ["--target", "regions=0"],
            2,
            "target regions: expected a possible value for a winnable 9x9 level",
        ),
        (["--target", "longest_path=90"], 2, "target longest_path"),
        (["--target", "longest_pth=20"], 2, "did you mean 'longest_path'?"),
        (["--target", "longest_path"], 2, "--target: expected MEASURE=VALUE"),
        (["--target", "walls=9..8"], 2, "expected a lower value and a higher one"),
        (["--target", "walls=8..x"], 2, "expected a number or LOW..HIGH"),
        (["--spread", "walls"], 2, "expected a range to spread, given once"),
        (
            ["--target", "walls=8..20", "--spread", "walls=x"],
            2,
            "--spread: expected MEASURE or MEASURE=WITHIN",
        ),
        (
            ["--target", "walls=8..20", "--spread", "walls=-1"],
            2,
            "spread: expected within to be 0 or more",
        ),
        (["--curve", "simple..hard"], 2, "curve: expected FROM..TO"),
        (["--to", "pgn"], 2, "unknown format 'pgn': did you mean 'png'?"),
        (["--attempts", "0"], 2, "attempts: expected a whole number"),
        (["--threads", "0"], 2, "threads: expected at least 1"),
        (["--seed", "-1"], 2, "seed: expected a whole number from 0"),
        (["--set", "strategy.popultion=3"], 2, "did you mean 'population'?"),
        (["-o", "FILE"], 1, "expected a folder, got a file"),
        (["-o", "FILE/pack"], 1, "is not a folder that can be written"),
    ],
)
def test_a_wrong_call_is_refused_in_one_paragraph(
    arguments: list[str],
    code: int,
    expected: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "FILE").write_text("")
    assert run([*SMALL, *arguments]) == code
    seen = capsys.readouterr()
    assert expected in seen.err
    assert seen.out == ""
    assert [path.name for path in tmp_path.iterdir()] == ["FILE"]


def test_processes_find_the_same_levels_as_threads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = [
        "pack",
        "maze",
        "--count",
        "2",
        "--size",
        "8x8",
        "--seed",
        "4",
        "--set",
        "generations=5",
        "--to",
        "json",
        "--no-store",
    ]
    for name, where in (("threads", ["--threads", "2"]), ("processes", ["--processes", "2"])):
        assert run([*call, "-o", str(tmp_path / name), *where]) == 0
    capsys.readouterr()
    threads, processes = (
        sorted((tmp_path / name).glob("*.json")) for name in ("threads", "processes")
    )
    assert [path.read_bytes() for path in threads] == [path.read_bytes() for path in processes]
    assert len(threads) == 3


def test_a_chart_of_many_levels_has_at_most_48_bars(capsys: pytest.CaptureFixture[str]) -> None:
    for count, bars in ((48, 48), (49, 25), (96, 48), (97, 33)):
        print_extents({"walls": [float(number) for number in range(count)]})
        chart = capsys.readouterr().out.split()[-1]
        assert len(chart) == bars
        assert (chart[0], chart[-1]) == ("▁", "█" if (count - 1) % -(-count // 48) == 0 else "▇")
        assert chart == "".join(sorted(chart)), "from the first level to the last"
