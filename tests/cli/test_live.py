"""What is seen on a terminal while the puzzle commands work, and that nothing of it is seen
elsewhere.
"""

import io
from functools import partialmethod
from pathlib import Path

import pytest
from rich.console import Console
from rich.progress import Progress

from levolve.cli import progress, terminal
from levolve.cli.app import run
from levolve.puzzles import progress as throttle

HARD = ["solve", "flag", "30", "--scheme", "source-2", "--seed", "1", "--generations", "3000"]
BOARD = ["solve", "sliding", "_,14,13,12,11,10,9,8,7,6,5,4,3,2,1,15", "--seed", "1"]
MAKING = ["make", "flag", "--unique", "--length", "20..30", "--count", "2", "--seed", "1"]


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> io.StringIO:
    """What a terminal of the requested width gets, with every event reported at once."""
    screen = io.StringIO()

    def console(**_: object) -> Console:
        return Console(
            file=screen,
            force_terminal=True,
            width=request.param,
            height=40,
            legacy_windows=False,
            _environ={},
        )

    monkeypatch.setattr(progress, "is_terminal", lambda _stream: True)
    monkeypatch.setattr(terminal, "console", console)
    monkeypatch.setattr(progress, "SHOW_AFTER_SECONDS", -1.0)
    monkeypatch.setattr(throttle, "SECONDS_BETWEEN_REPORTS", 0.0)
    monkeypatch.setattr(Progress, "update", partialmethod(Progress.update, refresh=True))
    return screen


@pytest.mark.parametrize("seen", [80, 120], indirect=True)
@pytest.mark.parametrize(
    ("call", "code", "parts"),
    [
        (HARD, 1, ["best attempt", "diversity", "solving flag", "/3000", "/s", " F", " @"]),
        (BOARD, 0, ["best attempt", "diversity", "solving sliding", "/2000", " 14 "]),
        (
            MAKING,
            0,
            [
                "candidate",
                "of 4,000",
                "best fitness",
                "diversity",
                "making flag",
                "1/2",
                " F",
                " @",
            ],
        ),
    ],
)
def test_a_terminal_shows_the_best_attempt_and_how_far_it_is(
    call: list[str], code: int, parts: list[str], seen: io.StringIO
) -> None:
    assert run(call) == code
    for part in parts:
        assert part in seen.getvalue()
    assert "\x1b[2K" in seen.getvalue(), "it is drawn in place and wiped away"


@pytest.mark.parametrize("call", [HARD, BOARD, MAKING])
def test_without_a_terminal_nothing_of_it_is_seen(
    call: list[str], capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "SHOW_AFTER_SECONDS", -1.0)
    monkeypatch.setattr(throttle, "SECONDS_BETWEEN_REPORTS", 0.0)
    run(call)
    told = capfd.readouterr().err
    assert "best attempt" not in told
    assert "diversity" not in told
    assert "\x1b" not in told


@pytest.mark.parametrize("seen", [80], indirect=True)
def test_what_was_made_goes_to_standard_output_while_the_bar_is_on_the_terminal(
    seen: io.StringIO, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(MAKING) == 0
    assert capfd.readouterr().out.count("  solution  ") == 2
    assert "  solution  " not in seen.getvalue()


@pytest.mark.parametrize("seen", [80], indirect=True)
@pytest.mark.parametrize("call", [HARD, MAKING])
def test_quiet_shows_nothing(
    call: list[str], seen: io.StringIO, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run([*call, "--quiet"])
    assert not seen.getvalue()


WATCHED = [
    "evolve",
    "maze",
    "--size",
    "12x12",
    "--generations",
    "40",
    "--seed",
    "1",
    "--watch",
    "--no-store",
]


@pytest.mark.parametrize("seen", [80], indirect=True)
def test_a_watched_run_shows_the_best_level_beside_the_curve(
    seen: io.StringIO, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(WATCHED) == 0
    for part in ("▀", "best", "mean", "generation 4", "evolving maze"):
        assert part in seen.getvalue()
    assert "best score" in capfd.readouterr().out


def test_a_run_that_cannot_be_drawn_says_so(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(WATCHED) == 0
    assert "--watch: expected a terminal" in capfd.readouterr().err
