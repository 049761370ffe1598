"""What `levolve check` says about things that cannot be, or that are probably mistakes: each in a
file, all in one process.
"""

import json
import resource
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cli.processes import COMMAND, SECONDS

SIDE = 102
OGRE = "S...E\n.....\nthing: ogre 1,1\n"
# The text of a file, and what is said about it.
FILES = {
    "a key without a door": ("S...E\n.....\nthing: key 1,1 color=red", "key at 1,1 opens nothing"),
    "a door without a key": ("S...E\n.....\nthing: door 2,0 color=red", "door at 2,0 needs what nothing gives: red key"),
    "a door in the only way": ("S...E\n#####\nthing: door 2,0 color=red", "nothing opens the door at 2,0"),
    "a lever without a gate": ("S...E\n.....\nthing: lever 2,0 id=a", "lever a at 2,0 switches nothing"),
    "an unknown kind": ("S...E\n.....\nthing: torch 2,0", "kinds without effect, because they are not known: torch"),
    "a thing on a wall": ("S#..E\n.....\nthing: key 1,0", "key at 1,0: expected a walkable tile; move it or open that tile"),
    "a thing outside": ("S...E\n.....\nthing: key 9,1", "key at 9,1: expected a cell inside the 5x2 level"),
    "a thing on the start": ("S...E\n.....\nthing: key 0,0", "key at 0,0: expected a cell other than the start"),
    "two things in a cell": ("S...E\n.....\nthing: key 1,1\nthing: door 1,1", "key at 1,1: expected a cell of its own, because door at 1,1 stands there"),
    "a reference to nothing": ("S...E\n.....\nthing: gate 1,1 lever=a", "gate at 1,1: expected lever=ID with the id of another thing, got 'a'"),
    "a reference to a key": ("S...E\n.....\nthing: gate 1,1 lever=a\nthing: key 2,1 id=a", "expected the field lever to name a switch such as a lever, got key a at 2,1"),
    "two equal ids": ("S...E\n.....\nthing: lever 1,1 id=a\nthing: lever 2,1 id=a", "lever a at 2,1: expected another id, because lever a at 1,1 has it"),
    "a cycle of teleporters": (
        ("S.#.E\n..#..\nthing: teleporter 1,0 id=a to=b\nthing: teleporter 1,1 id=b to=c\n"
        "thing: teleporter 0,1 id=c to=a"),
        "there is no path from the entrance at 0,0 to the exit at 4,0",
    ),
    "a teleporter to itself": ("S.#.E\n..#..\nthing: teleporter 1,0 id=a to=a", "expected the field to to name another thing, got itself"),
    "a kind that spends more than it needs": (
        OGRE + 'kind: {"name": "ogre", "needs": {"health": 1}, "spends": {"health": 3}}',
        "line 4: expected a kind of things as JSON: kind 'ogre': expected to need at least what it spends, 3 of 'health', got 1",
    ),
    "a kind that is a switch and a gift": (
        OGRE + 'kind: {"name": "ogre", "switch": "toggle", "gives": {"health": 1}}',
        "kind 'ogre': expected a switch, or a thing that gives, spends or counts, not both",
    ),
    "another meaning of a known kind": (
        'S...E\n.....\nthing: key 1,1\nkind: {"name": "key", "gives": {"health": 1}}',
        "kind 'key': expected a name other than those of registered kinds",
    ),
    "a kind that is defined twice": (
        OGRE + 'kind: {"name": "ogre"}\nkind: {"name": "ogre", "counts": true}',
        "line 5: expected one kind ogre, got a second",
    ),
    "an amount that is a word": (
        OGRE.replace("1,1", "1,1 size=ten")
        + 'kind: {"name": "ogre", "fields": {"size": "1"}, "needs": {"health": "size"}}',
        "ogre at 1,1: expected a whole number from 0 to 99999 for size, got 'ten'",
    ),
    "more states than the limit": (
        "S" + "." * 119 + "E\n" + "." * 121 + "\n"
        + "\n".join(f"thing: small_key {x},1\nthing: small_door {x},0" for x in range(1, 60)),
        "undecided: too many states to prove that it cannot be lost",
    ),
}  # fmt: skip
REMARKS = ("a key without a door", "a door without a key", "a lever without a gate", "an unknown kind")  # fmt: skip


def many(count: int, kind: str = "key") -> str:
    rows = ["." * SIDE for _ in range(SIDE)]
    rows[0], rows[-1] = "S" + rows[0][1:], rows[-1][1:] + "E"
    things = [f"thing: {kind} {n % SIDE},{n // SIDE + 1}" for n in range(count)]
    return "\n".join([*rows, *things])


def run(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [COMMAND, *arguments], cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False
    )  # fmt: skip


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], str]:
    folder = tmp_path_factory.mktemp("bad")
    for name, (text, _) in FILES.items():
        (folder / f"{name}.txt").write_text(text)
    done = run(folder, "check", "--json", *(f"{name}.txt" for name in FILES))
    assert done.returncode == 1
    found = {result["file"].removesuffix(".txt"): result for result in json.loads(done.stdout)}
    return found, done.stderr


@pytest.mark.parametrize("name", FILES)
def test_bad_things_are_named(name: str, results: tuple[dict[str, Any], str]) -> None:
    found, errors = results
    words = FILES[name][1]
    if name in REMARKS:
        assert found[name]["proven"]
        assert words in found[name]["remarks"]
    else:
        assert not found[name]["proven"]
        assert words in found[name]["why"]
    assert "Traceback" not in errors


def test_ten_thousand_things_take_seconds_in_all_commands(tmp_path: Path) -> None:
    (tmp_path / "many.txt").write_text(many(10_000))
    (tmp_path / "more.txt").write_text(many(10_001))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = run(tmp_path, "check", "many.txt")
    assert done.returncode == 0
    assert "opens nothing; and 9,995 more\n" in done.stdout
    assert len(done.stdout) < 3000
    assert run(tmp_path, "show", "many.txt", "-o", "many.png").returncode == 0
    for suffix in ("json", "gif", "npz", "tscn", "xsb"):
        assert run(tmp_path, "convert", "many.txt", f"many.{suffix}", "-q").returncode == 0
        assert (tmp_path / f"many.{suffix}").exists()
    # About 14 s on an idle machine, of which 5 are for the frames of the animation.
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before < 60
    done = run(tmp_path, "check", "more.txt")
    assert done.returncode == 1
    assert "expected at most 10000 things" in done.stdout
