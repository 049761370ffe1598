"""`levolve check`: folders of packs, and files that cannot be read."""

import json
from pathlib import Path

import pytest

import levolve
from levolve.cli.app import run
from levolve.core.errors import InputError
from levolve.jobs.packs.check_pack import ADDITIONAL, ALTERED, MISSING, check_pack
from levolve.jobs.packs.manifest import MANIFEST, encode_manifest
from levolve.jobs.packs.pack import Pack
from levolve.levels.level import Level

LEVELS = tuple(
    Level.from_text(text).with_solution("rdrd") for text in ("S.#\n..1\n#.E", "S..\n...\n#.E")
)
PACK = Pack("pack", LEVELS, ())


def test_a_pack_as_it_was_written_is_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    PACK.save(tmp_path, "json,png,tscn")
    (tmp_path / "notes.md").write_text("mine")
    (tmp_path / "kept-01-pack.json").write_text("mine")
    result = check_pack(tmp_path)
    assert (result.winnable, result.files, result.levels, result.proven, result.problems) == (
        True,
        11,
        2,
        2,
        {},
    )
    assert levolve.check_pack(tmp_path) == result
    assert run(["check", str(tmp_path)]) == 0
    assert (
        "a whole pack, 11 files as listed in pack.json, 2 of 2 proofs replayed"
        in capsys.readouterr().out
    )


def test_missing_altered_and_additional_files_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    PACK.save(tmp_path, "json,png")
    (tmp_path / "01-pack.json").unlink()
    (tmp_path / "sheet.png").write_bytes(b"other")
    (tmp_path / "02-pack.png").unlink()
    (tmp_path / "02-pack.png").symlink_to("sheet.png")
    levolve.save(LEVELS[0], tmp_path / "03-pack.json")
    (tmp_path / "01-pack.bak").write_text("")
    expected = {
        "01-pack.json": MISSING,
        "02-pack.png": MISSING,
        "sheet.png": ALTERED,
        "01-pack.bak": ADDITIONAL,
        "03-pack.json": ADDITIONAL,
    }
    assert check_pack(tmp_path).problems == expected
    assert run(["check", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert "missing                01-pack.json, 02-pack.png\n" in out
    assert "not in the manifest    01-pack.bak, 03-pack.json\n" in out
    assert run(["check", str(tmp_path), "--json"]) == 1
    captured = capsys.readouterr()
    (data,) = json.loads(captured.out)
    assert (data["proven"], data["problems"]) == (False, expected)
    assert "and 2 more" in captured.err


def rewritten(folder: Path, changed: dict[str, bytes]) -> None:
    """Change files of a pack, and its manifest with them."""
    data = json.loads((folder / MANIFEST).read_bytes())
    files = {name: changed.get(name, (folder / name).read_bytes()) for name in data.pop("files")}
    del data["checksum"]
    for name, content in files.items():
        (folder / name).write_bytes(content)
    (folder / MANIFEST).write_bytes(encode_manifest(data, files))


def test_a_wrong_proof_is_found_even_if_all_checksums_are_right(tmp_path: Path) -> None:
    PACK.save(tmp_path, "json,txt")
    rewritten(
        tmp_path,
        {"01-pack.json": (tmp_path / "01-pack.json").read_bytes().replace(b"rdrd", b"rrrr")},
    )
    result = check_pack(tmp_path)
    assert list(result.problems) == ["01-pack.json"]
    assert "proof: move 2" in result.problems["01-pack.json"]
    assert result.proven == 1


def test_another_level_or_none_in_the_place_of_a_level_is_found(tmp_path: Path) -> None:
    PACK.save(tmp_path, "json")
    rewritten(
        tmp_path, {"01-pack.json": (tmp_path / "02-pack.json").read_bytes(), "02-pack.json": b"{}"}
    )
    result = check_pack(tmp_path)
    assert "another level" in result.problems["01-pack.json"]
    assert "no file that can be read has a proof" in result.problems["02-pack"]


@pytest.mark.parametrize("puzzle", ["flag", "sliding"])
def test_packs_of_puzzles_are_checked_too(puzzle: str, tmp_path: Path) -> None:
    levolve.pack(puzzle, count=2, seed=1).save(tmp_path, ["json", "png"])
    result = check_pack(tmp_path)
    assert (result.winnable, result.proven, result.files) == (True, 2, 6)


@pytest.mark.parametrize(
    ("manifest", "words"),
    [(None, "a folder without a pack.json"), ("{}", "as 'levolve pack' writes it")],
)
def test_a_folder_without_a_manifest_is_refused(
    manifest: str | None, words: str, tmp_path: Path
) -> None:
    if manifest is not None:
        (tmp_path / MANIFEST).write_text(manifest)
    with pytest.raises(InputError, match=words):
        check_pack(tmp_path)
    assert run(["check", str(tmp_path)]) == 1


def test_a_changed_manifest_says_nothing(tmp_path: Path) -> None:
    PACK.save(tmp_path, "json")
    path = tmp_path / MANIFEST
    path.write_bytes(path.read_bytes().replace(b'"pack"', b'"pick"', 1))
    with pytest.raises(InputError, match="its checksum is wrong"):
        check_pack(tmp_path)


def test_check_goes_on_after_a_file_that_cannot_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken, wrong, good = tmp_path / "broken.json", tmp_path / "wrong.json", tmp_path / "good.txt"
    broken.write_text("{")
    levolve.save(LEVELS[0], wrong)
    wrong.write_bytes(wrong.read_bytes().replace(b"rdrd", b"rr"))
    levolve.save(LEVELS[0], good)
    paths = [str(path) for path in (broken, tmp_path / "none.json", tmp_path / "name", wrong, good)]
    assert run(["check", *paths]) == 1
    captured = capsys.readouterr()
    assert [
        line.partition(": ")[2]
        for line in captured.out.splitlines()
        if line.startswith(str(tmp_path))
    ][-1] == "proven, 4 moves replayed"
    assert all(f"{path}: " in captured.out and f"{path}: " in captured.err for path in paths[:4])
    assert run(["check", *paths, "--json"]) == 1
    assert [data["proven"] for data in json.loads(capsys.readouterr().out)] == [False] * 4 + [True]
