"""Packs that are read from their folders, and joined."""

import json
from pathlib import Path

import pytest

import levolve
from levolve.cli.app import run
from levolve.core.errors import InputError
from levolve.jobs.packs.manifest import decode_manifest, encode_manifest
from levolve.jobs.packs.pack import Pack
from levolve.jobs.packs.pack_function import join_packs
from levolve.jobs.replay import replay

QUICK = {"generations": 30}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two packs: one of levels and puzzles along a curve, and one in which a target was missed."""
    place = tmp_path_factory.mktemp("packs")
    levolve.pack(
        ["maze", "sliding"], count=5, size=(8, 8), curve="easy..hard", seed=1, settings=QUICK
    ).save(place / "first", "json,png")
    missing = {"exit_path": [(14, 15), (44, 46)]}
    short = levolve.pack(
        "maze-barriers",
        count=2,
        size=(8, 8),
        target=missing,
        seed=1,
        attempts=1,
        settings={"generations": 2},
    )
    assert len(short.levels) == 1
    short.save(place / "second", "tmx,png")
    return [place / "first", place / "second"]


def test_a_pack_read_from_its_folder_is_the_pack_that_was_saved(
    folders: list[Path], tmp_path: Path
) -> None:
    for folder, formats in zip(folders, ("json,png", "tmx,png"), strict=True):
        read = Pack.load(folder)
        assert read.report.missed == json.loads((folder / "pack.json").read_text())["missed"]
        read.save(tmp_path / folder.name, formats)
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == {
            path.name: path.read_bytes() for path in (tmp_path / folder.name).iterdir()
        }


def test_a_joined_pack_keeps_the_orders_and_results_of_its_parts_and_can_be_joined_again(
    folders: list[Path], tmp_path: Path
) -> None:
    parts = [part for folder in folders for part in Pack.load(folder).parts]
    joined = join_packs(folders)
    assert list(joined.parts) == parts
    assert sorted(joined.homes) == [0, 0, 0, 1, 1, 2]
    assert (joined.report.wanted, joined.report.found) == (7, 6)
    joined.save(tmp_path / "joined")
    assert Pack.load(tmp_path / "joined") == joined
    assert levolve.check_pack(tmp_path / "joined").winnable
    assert all(replay(level).same for level in joined.levels)


def test_levels_are_joined_in_the_order_that_is_requested(folders: list[Path]) -> None:
    first, second = (Pack.load(folder) for folder in folders)
    assert join_packs(folders, "given").items == first.items + second.items
    assert join_packs(folders[::-1], "given").items == second.items + first.items
    rising, falling = join_packs(folders), join_packs(folders, "hard..easy")
    difficulties = levolve.measure(rising.levels)["difficulty"].tolist()
    assert difficulties == sorted(difficulties)
    assert [level.digest for level in falling.levels] == [
        level.digest for level in rising.levels[::-1]
    ]


def test_the_command_joins_packs(
    folders: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = tmp_path / "new"
    command = ["join", *map(str, folders), "-o", str(new)]
    assert run([*command, "--to", "txt"]) == 0
    assert (
        "4 levels and 2 puzzles of 2 packs: 6 of 7 levels and puzzles meet their targets"
        in capsys.readouterr().out
    )
    assert len(list(new.glob("*.txt"))) == 6
    assert run(["check", str(new)]) == 0
    assert run(command) == 1
    assert "expected a new folder, got one that exists" in capsys.readouterr().err
    assert run([*command[:-1], str(tmp_path / "other"), "--order", "esy..hard"]) == 2
    assert "unknown order 'esy..hard': did you mean 'easy..hard'" in capsys.readouterr().err
    assert run(["join", str(folders[0]), "-o", str(tmp_path / "other")]) == 2
    assert run(["join", str(folders[0]), str(folders[0]), "-o", str(tmp_path / "other")]) == 2
    assert "expected packs without equal levels, got 5: " in capsys.readouterr().err
    assert not (tmp_path / "other").exists()


def copied(folder: Path, place: Path) -> Path:
    place.mkdir()
    for path in folder.iterdir():
        (place / path.name).write_bytes(path.read_bytes())
    return place


def test_what_is_no_whole_pack_is_refused(folders: list[Path], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected the folder of a pack, got nothing"):
        Pack.load(tmp_path / "none")
    with pytest.raises(InputError, match="got a folder without a"):
        Pack.load(tmp_path)
    with pytest.raises(InputError, match="expected the folder of a pack, got a file"):
        Pack.load(folders[0] / "index.html")
    edited = copied(folders[0], tmp_path / "edited")
    level = next(edited.glob("*-maze.json"))
    level.write_bytes(level.read_bytes() + b"\n")
    with pytest.raises(InputError, match="lists, got a missing or changed one"):
        Pack.load(edited)
    level.unlink()
    with pytest.raises(InputError, match="got a missing or changed one"):
        join_packs([edited, folders[1]])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"results": None},
            "expected a pack.json that lists the results of each order, got one of levolve",
        ),
        ({"results": []}, "expected a list of orders and one of results of the same length"),
        ({"results": [{}, {}]}, "expected the order of a part and its results"),
        ({"orders": [{"puzzle": "sliding"}, 3]}, "pack.json: expected"),
        (
            {"orders": [{"seed": 1, "puzzle": "sliding", "size": "99x99", "count": 1}, {}]},
            "pack.json: ",
        ),
        (
            {"levels": "without orders"},
            "expected the number of an order for every level, from 0 to 1",
        ),
    ],
)
def test_a_manifest_of_an_earlier_version_or_a_stranger_is_refused_in_one_sentence(
    changes: dict[str, object], words: str, folders: list[Path], tmp_path: Path
) -> None:
    folder = copied(folders[0], tmp_path / "copy")
    manifest = decode_manifest((folder / "pack.json").read_bytes())
    data = {**manifest.data, **changes}
    if changes.get("levels"):
        data["levels"] = [
            {key: value for key, value in entry.items() if key != "order"}
            for entry in manifest.levels
        ]
    kept = {key: value for key, value in data.items() if key != "files" and value is not None}
    (folder / "pack.json").write_bytes(
        encode_manifest(kept, {name: (folder / name).read_bytes() for name in manifest.files})
    )
    assert levolve.check_pack(folder).winnable, "packs of earlier versions are still checked"
    with pytest.raises(InputError, match=words):
        Pack.load(folder)
