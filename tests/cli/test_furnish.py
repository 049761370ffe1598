"""`levolve furnish`, as a process."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from levolve.formats.level_files import load_level

HALL = "S..#......\n#.##.####.\n...#.#....\n.###.#.##.\n.....#..#.\n#.##.##.#.\n..#...#.#E\n"


def levolve(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    (folder / "hall.txt").write_text(HALL)
    return subprocess.run(
        [sys.executable, "-m", "levolve", *words, "--no-store"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_level_is_furnished_and_its_tiles_stay(tmp_path: Path) -> None:
    options = ("--things", "keys=1,doors=1", "--seed", "1", "--generations", "2", "--json")
    done = levolve(tmp_path, "furnish", "hall.txt", *options, "-o", "made.tmx")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["recipe"] == "furnish"
    made, before = load_level(tmp_path / "made.tmx"), load_level(tmp_path / "hall.txt")
    assert made.tiles.tobytes() == before.tiles.tobytes()
    assert sorted(thing.kind for thing in made.things) == ["door", "key"]
    made.check()
    # Into the same map, as a second step: the things of the first stay.
    again = levolve(
        tmp_path, "furnish", "made.tmx", "--things", "treasure=2", "--seed", "2", "-o", "more.tmx"
    )
    assert again.returncode == 0, again.stderr
    assert set(made.things) < set(load_level(tmp_path / "more.tmx").things)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("furnish", "hall.txt"), "--things"),
        (("furnish", "hall.txt", "--things", "keyz=1"), "did you mean 'key'"),
        (("furnish", "hall.txt", "--things", "keys"), "KIND=COUNT"),
        (("furnish", "hall.txt", "--things", "keys=1"), "opens"),
        (("furnish", "hall.txt", "--things", "doors=9,keys=3"), "choke points"),
        (("furnish", "none.txt", "--things", "keys=1,doors=1"), "none.txt"),
        (("furnish", "hall.txt", "--things", "keys=1,doors=1", "--apart", "0"), "apart"),
        (("evolve", "maze", "--allow-loss", "--seed", "1"), "things"),
    ],
)
def test_wrong_calls_end_with_one_sentence(
    tmp_path: Path, words: tuple[str, ...], text: str
) -> None:
    done = levolve(tmp_path, *words)
    assert done.returncode == 2
    assert text in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
