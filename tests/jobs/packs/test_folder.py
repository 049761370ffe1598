"""The folder of a pack: whole at every moment, and nothing in it is lost that levolve did not
write.
"""

import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from levolve.core.errors import OutputError
from levolve.jobs.packs.check_pack import check_pack
from levolve.jobs.packs.manifest import MANIFEST, decode_manifest, encode_manifest
from levolve.jobs.packs.pack import Pack
from levolve.jobs.packs.replace_folder import (
    SWITCH,
    FileKeptWarning,
    finish_switch,
    opened_pack,
    write_folder,
)
from levolve.levels.level import Level

OLD = Pack(
    "old",
    tuple(
        Level.from_text(text).with_solution("rdrd")
        for text in ("S.#\n..1\n#.E", "S..\n...\n#.E", "S..\n#..\n..E")
    ),
    (),
)
NEW = Pack("old", OLD.levels[1:2], ())


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def interrupt_at(
    monkeypatch: pytest.MonkeyPatch, step: int, problem: BaseException, method: str = "replace"
) -> None:
    """Raise an error at the n-th rename of a file."""
    real: Callable[[Path, Path], Path] = getattr(Path, method)
    calls = iter(range(1, 1000))

    def interrupted(source: Path, target: Path) -> Path:
        if next(calls) == step:
            raise problem
        return real(source, target)

    monkeypatch.setattr(Path, method, interrupted)


def test_a_pack_takes_the_place_of_one_that_was_there_and_leaves_other_files_alone(
    tmp_path: Path,
) -> None:
    OLD.save(tmp_path, "json,png")
    (tmp_path / "notes.md").write_text("mine")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("notes.md")
    NEW.save(tmp_path, "txt")
    assert names_in(tmp_path) == [
        "01-old.txt",
        "folder",
        "index.html",
        "link",
        "notes.md",
        "pack.json",
        "sheet.png",
    ]
    assert (tmp_path / "notes.md").read_text() == "mine"


def test_the_manifest_lists_every_file_with_its_digest_and_has_a_checksum(tmp_path: Path) -> None:
    OLD.save(tmp_path, "json,tscn")
    manifest = decode_manifest((tmp_path / MANIFEST).read_bytes())
    assert sorted([*manifest.files, MANIFEST]) == names_in(tmp_path)
    files = contents(tmp_path)
    written = files.pop(MANIFEST)
    data = json.loads(written)
    assert (
        encode_manifest({key: data[key] for key in data if key not in {"files", "checksum"}}, files)
        == written
    )
    data["name"] = "new"
    (tmp_path / MANIFEST).write_text(json.dumps(data))
    with opened_pack(tmp_path) as (found, paths):
        assert (found, paths) == (None, {})


@pytest.mark.parametrize(
    "manifest",
    [
        "{}",
        "[1]",
        "no JSON",
        "[" * 100_000,
        '{"format": "levolve pack", "levels": [{"files": ["../outside", 3]}]}',
    ],
)
def test_a_manifest_written_by_hand_removes_nothing_and_is_kept(
    manifest: str, tmp_path: Path
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "outside").write_text("mine")
    (folder / "pack.json").write_text(manifest)
    with pytest.warns(FileKeptWarning, match=r"kept as kept-pack\.json"):
        NEW.save(folder, "txt")
    assert (tmp_path / "outside").read_text() == "mine"
    assert (folder / "kept-pack.json").read_text() == manifest
    assert json.loads((folder / "pack.json").read_text())["digest"] == NEW.digest


def forged(names: dict[str, bytes]) -> bytes:
    """A manifest with right checksums for anything."""
    return encode_manifest({"format": "levolve pack", "levels": []}, names)


@pytest.mark.parametrize(
    "name", ["../outside", "/etc/hostname", "inner/file", ".hidden", "..", "pack.json"]
)
def test_a_manifest_never_reaches_out_of_its_folder(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "inner").mkdir(parents=True)
    for path in (tmp_path / "outside", folder / "inner" / "file", folder / ".hidden"):
        path.write_text("mine")
    (folder / "pack.json").write_bytes(forged({name: b"mine"}))
    with pytest.warns(FileKeptWarning):
        NEW.save(folder, "txt")
    assert all(
        path.read_text() == "mine"
        for path in (tmp_path / "outside", folder / "inner" / "file", folder / ".hidden")
    )


def test_only_files_with_the_listed_digest_are_removed_and_links_are_not_followed(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "outside").write_text("mine")
    (folder / "link").symlink_to(tmp_path / "outside")
    (folder / "other").write_text("mine, edited")
    (folder / "same").write_text("mine")
    (folder / "pack.json").write_bytes(forged(dict.fromkeys(["link", "other", "same"], b"mine")))
    NEW.save(folder, "txt")
    assert names_in(folder) == [
        "01-old.txt",
        "index.html",
        "link",
        "other",
        "pack.json",
        "sheet.png",
    ]
    assert (folder / "link").read_text() == "mine"


def test_an_edited_level_is_kept_under_another_name(tmp_path: Path) -> None:
    OLD.save(tmp_path, "txt")
    for words in ("first", "second"):
        (tmp_path / "01-old.txt").write_text(words)
        with pytest.warns(FileKeptWarning, match="were edited"):
            OLD.save(tmp_path, "txt")
    assert (tmp_path / "kept-01-old.txt").read_text() == "first"
    assert (tmp_path / "kept-2-01-old.txt").read_text() == "second"
    assert check_pack(tmp_path).winnable


def test_a_folder_and_a_link_in_the_place_of_a_level_are_kept(tmp_path: Path) -> None:
    (tmp_path / "01-old.txt").mkdir()
    (tmp_path / "02-old.txt").symlink_to("nowhere")
    with pytest.warns(FileKeptWarning, match="kept-01-old.txt, kept-02-old.txt"):
        OLD.save(tmp_path, "txt")
    assert (tmp_path / "kept-01-old.txt").is_dir()
    assert (tmp_path / "kept-02-old.txt").is_symlink()


@pytest.mark.parametrize("pack", [OLD, NEW], ids=["old", "new"])
def test_a_switch_that_failed_at_any_step_is_a_whole_pack_and_is_finished_by_the_next_command(
    pack: Pack, tmp_path: Path
) -> None:
    files = pack.files("txt")
    for step in range(1, len(files) + 1):
        folder = tmp_path / str(step)
        OLD.save(folder, "json")
        (folder / "notes.md").write_text("mine")
        with pytest.MonkeyPatch.context() as patch:
            interrupt_at(patch, step, OSError(5, "Input/output error"))
            with pytest.raises(OutputError, match="Input/output error"):
                write_folder(folder, files)
            # A reader that cannot write sees the whole new pack.
            interrupt_at(patch, 1, OSError(30, "Read-only file system"))
            with opened_pack(folder) as (_, paths):
                assert {name: path.read_bytes() for name, path in paths.items()} == files
        finish_switch(folder)
        assert contents(folder) == {**files, "notes.md": b"mine"}
        assert check_pack(folder).winnable


def test_an_interrupted_switch_is_finished_before_the_command_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    OLD.save(tmp_path, "json")
    interrupt_at(monkeypatch, 2, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        NEW.save(tmp_path, "txt")
    assert contents(tmp_path) == NEW.files("txt")


def test_an_error_before_the_switch_leaves_the_old_pack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    OLD.save(tmp_path, "json")
    interrupt_at(monkeypatch, 1, OSError(28, "No space left on device"), "rename")
    with pytest.raises(OutputError, match="No space left"):
        NEW.save(tmp_path, "txt")
    assert contents(tmp_path) == OLD.files("json")


def test_a_damaged_switch_is_not_used_and_not_deleted(tmp_path: Path) -> None:
    OLD.save(tmp_path, "json")
    NEW.save(tmp_path / SWITCH, "txt")
    (tmp_path / SWITCH / "01-old.txt").write_text("other")
    assert check_pack(tmp_path).winnable
    assert names_in(tmp_path / SWITCH) == ["01-old.txt", "index.html", "pack.json", "sheet.png"]
    with pytest.warns(FileKeptWarning, match="kept-levolve-switch"):
        NEW.save(tmp_path, "txt")
    assert (tmp_path / "kept-levolve-switch" / "01-old.txt").read_text() == "other"
    assert check_pack(tmp_path).winnable


def test_a_link_to_a_folder_is_followed_and_kept(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    number = (tmp_path / "real").stat().st_ino
    for pack in (OLD, NEW):
        assert pack.save(tmp_path / "link", "txt") == tmp_path / "link" / "index.html"
    assert (tmp_path / "link").is_symlink()
    assert contents(tmp_path / "real") == NEW.files("txt")
    # The folder is the same one: a shell in it still sees the pack.
    assert (tmp_path / "real").stat().st_ino == number


def test_replaced_files_keep_their_permissions(tmp_path: Path) -> None:
    OLD.save(tmp_path, "txt")
    (tmp_path / "01-old.txt").chmod(0o640)
    NEW.save(tmp_path, "txt")
    assert (tmp_path / "01-old.txt").stat().st_mode & 0o777 == 0o640


def test_processes_that_write_the_same_folder_leave_one_whole_pack(tmp_path: Path) -> None:
    packs = [OLD.files("txt"), NEW.files("json,txt"), OLD.files("png")]
    folder = tmp_path / "new"
    threads = [threading.Thread(target=write_folder, args=(folder, files)) for files in packs * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert contents(folder) in packs
    assert names_in(tmp_path) == ["new"]
