"""Levels with things in the real command: what `levolve check` says, and what is not written."""

import json
import subprocess
from pathlib import Path

import pytest

import levolve
from cli.processes import COMMAND, SECONDS
from levolve.core.errors import ProofError

SAFE = """S....
####.
E....
thing: key 2,0 color=red
thing: door 2,2 color=red
"""
# One small key for two doors, one of which leads nowhere.
LOSABLE = """S.....
.####.
....#E
thing: small_key 1,0
thing: small_door 3,0
thing: small_door 1,2
"""
BARRED = """S....
####.
E....
goal: all
thing: door 2,2 color=red
thing: torch 1,0
"""


def command(folder: Path, *arguments: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [COMMAND, *arguments], cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {"safe": SAFE, "losable": LOSABLE, "barred": BARRED}.items():
        (tmp_path / f"{name}.txt").write_text(text)
    return tmp_path


def test_a_level_that_cannot_be_lost_is_proven(folder: Path) -> None:
    # Without --quiet, a first run says that it compiles kernels.
    code, _, err = command(folder, "check", "safe.txt", "--quiet")
    assert (code, err) == (0, "")
    out = command(folder, "check", "safe.txt")[1]
    assert "safe.txt: proven, 10 moves replayed" in out
    assert "can be won and cannot be lost" in out


def test_the_first_losing_move_is_named_with_its_cell_and_what_the_player_has(folder: Path) -> None:
    code, out, err = command(folder, "check", "losable.txt")
    assert code == 1
    assert "losable.txt: it can be lost by move 5 (r) to 1,2, with 1 small key" in out
    assert "losing play            rlddr" in out
    assert "no proof that it cannot be lost: losable.txt: it can be lost by move 5" in err


def test_a_loss_can_be_allowed_and_is_data(folder: Path) -> None:
    code, out, _ = command(folder, "check", "losable.txt", "safe.txt", "--allow-loss", "--json")
    losable, safe = json.loads(out)
    assert code == 0
    assert (losable["proven"], losable["verdict"], losable["length"]) == (False, "losable", 7)
    assert losable["losing_move"] == {"play": "rlddr", "cell": [1, 2], "holds": {"small key": 1}}
    assert (safe["proven"], safe["verdict"]) == (True, "safe")
    assert "losing_move" not in safe


def test_what_bars_the_way_is_named(folder: Path) -> None:
    code, out, err = command(folder, "check", "barred.txt", "--json")
    assert (code, json.loads(out)[0]["verdict"]) == (1, "lost")
    assert json.loads(out)[0]["why"] == "nothing opens the door at 2,2"
    assert "kinds without effect, because they are not known: torch" in out
    assert "no proof that it can be won: barred.txt: nothing opens the door at 2,2" in err
    (folder / "apart.txt").write_text("S.E#.\n#####\ngoal: all\nthing: treasure 4,0")
    assert "nobody reaches the treasure at 4,0" in command(folder, "check", "apart.txt")[1]


def test_a_level_that_can_be_lost_is_only_written_on_request(folder: Path) -> None:
    code, _, err = command(folder, "convert", "losable.txt", "losable.json")
    assert code == 1
    assert "the level can be lost by move 5 (r) to 1,2, with 1 small key; change it, or allow a loss" in err  # fmt: skip
    assert not (folder / "losable.json").exists()
    assert command(folder, "convert", "losable.txt", "losable.json", "--allow-loss")[0] == 0
    level = levolve.load(folder / "losable.json")
    assert level.solution == "rrrrrdd"
    level.check(loss=True)
    with pytest.raises(ProofError, match="no certificate"):
        level.check()
    with pytest.raises(ProofError, match="can be lost by move 5"):
        levolve.save(level, folder / "again.tmx")
    levolve.save(level, folder / "again.tmx", allow_loss=True)
    assert levolve.load(folder / "again.tmx").solution == "rrrrrdd"


@pytest.mark.parametrize("suffix", ["txt", "json", "tmx", "tscn", "npz"])
def test_files_hold_the_certificate(folder: Path, suffix: str) -> None:
    assert command(folder, "convert", "safe.txt", f"new.{suffix}")[0] == 0
    level = levolve.load(folder / f"new.{suffix}")
    assert level.certificate is not None
    level.check()
    code, _, _ = command(folder, "convert", f"new.{suffix}", f"framed.{suffix}", "--frame")
    assert code == 0
    levolve.load(folder / f"framed.{suffix}").check()


def test_a_certificate_that_does_not_hold_is_an_error_in_strict_files(folder: Path) -> None:
    command(folder, "convert", "losable.txt", "losable.json", "--allow-loss")
    path = folder / "losable.json"
    data = json.loads(path.read_text())
    path.write_text(json.dumps({**data, "certificate": {"kind": "A", "data": {}}}))
    code, out, err = command(folder, "check", "losable.json")
    assert code == 1
    assert "spends something, which the class A excludes" in out + err
    assert "Traceback" not in err


def test_an_edited_level_is_proven_again(folder: Path) -> None:
    command(folder, "convert", "safe.txt", "edited.txt.txt")
    text = (folder / "edited.txt.txt").read_text()
    (folder / "moved.txt").write_text(text.replace("door 2,2", "door 1,0"))
    code, out, _ = command(folder, "check", "moved.txt")
    assert (code, "nothing opens the door at 1,0" in out) == (1, True)


def test_more_things_than_can_be_decided_are_no_proof(folder: Path) -> None:
    wide = "S" + "." * 79 + "E\n" + "." * 81
    plates = "\n".join(f"thing: plate {x},1 id=p{x}\nthing: gate {x},0 lever=p{x} open=true" for x in range(2, 78))  # fmt: skip
    (folder / "many.txt").write_text(f"{wide}\n{plates}")
    code, out, _ = command(folder, "check", "many.txt", "--json")
    assert (code, json.loads(out)[0]["verdict"]) == (1, "undecided")
