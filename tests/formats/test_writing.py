"""Writing files: never half, nothing left behind, permissions kept."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from levolve.core.errors import OutputError
from levolve.formats import writing
from levolve.formats.writing import (
    check_writable,
    remove_leftovers,
    temporary_path,
    write_file,
    write_files,
)

# Makes a temporary file and a temporary folder with a file in it, as if in the middle of writing,
# and prints when both are there.
UNFINISHED = """
import sys
from pathlib import Path
from levolve.formats.writing import temporary_path
folder = Path(sys.argv[1])
temporary_path(folder).write_bytes(b"half")
inner = temporary_path(folder)
inner.mkdir()
(inner / "file").write_bytes(b"half")
print("ready", flush=True)
sys.stdin.read()
"""


def test_nothing_half_written_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "a.txt"
    target.write_text("before")

    def broken(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", broken)
    with pytest.raises(OutputError, match="No space left"):
        write_file(target, b"after")
    assert target.read_text() == "before"
    assert list(tmp_path.iterdir()) == [target]


def test_a_place_that_cannot_be_written_is_refused_at_once(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("")
    with pytest.raises(OutputError, match="cannot write to the folder"):
        write_file(blocker / "a.txt", b"")
    with pytest.raises(OutputError, match="is not a folder"):
        check_writable(blocker / "a.txt")
    with pytest.raises(OutputError, match="is a folder"):
        check_writable(tmp_path)
    check_writable(tmp_path / "new" / "deep" / "a.txt")
    assert not (tmp_path / "new").exists()


def test_files_are_as_readable_as_other_files(tmp_path: Path) -> None:
    previous = os.umask(0o022)
    try:
        assert write_file(tmp_path / "a.txt", b"").stat().st_mode & 0o777 == 0o644
    finally:
        os.umask(previous)


def test_writing_through_a_link_keeps_the_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("before")
    link.symlink_to(real)
    write_file(link, b"after")
    assert link.is_symlink()
    assert real.read_text() == "after"


def test_no_file_is_replaced_before_all_are_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "a.txt", tmp_path / "new" / "b.txt"
    first.write_text("before")
    real = os.write

    def full(file: int, content: bytes) -> int:
        if content == b"second":
            raise OSError(28, "No space left on device")
        return real(file, content)

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(
        OutputError,
        match=r"output .*b\.txt: cannot be written: No space left on device; free some space",
    ):
        write_files({first: b"after", second: b"second"})
    assert first.read_text() == "before"
    assert list(tmp_path.iterdir()) == [first]


def test_a_file_is_flushed_before_it_is_renamed_and_its_folder_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    flush, rename = os.fsync, Path.replace

    def flushed(file: int) -> None:
        done.append("folder" if Path(f"/proc/self/fd/{file}").is_dir() else "file")
        flush(file)

    def renamed(source: Path, target: Path) -> Path:
        done.append("rename")
        return rename(source, target)

    monkeypatch.setattr(os, "fsync", flushed)
    monkeypatch.setattr(Path, "replace", renamed)
    write_file(tmp_path / "a.txt", b"")
    assert done == ["file", "rename", "folder"]
    done.clear()
    write_files({tmp_path / name: b"" for name in "abcdefghij"})
    assert done == ["file"] * 10 + ["rename"] * 10 + ["folder"]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666, 0o444, 0o755])
def test_a_replaced_file_keeps_its_permissions(mode: int, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("before")
    path.chmod(mode)
    write_file(path, b"after")
    assert path.read_text() == "after"
    assert path.stat().st_mode & 0o7777 == mode


@pytest.mark.skipif(
    os.name != "posix" or os.getuid() != 0, reason="only an administrator may give files away"
)
def test_a_replaced_file_keeps_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("before")
    os.chown(path, 12345, 54321)
    write_file(path, b"after")
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 54321)


def test_a_pipe_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for write in (
        lambda: write_file(tmp_path / "pipe", b""),
        lambda: check_writable(tmp_path / "pipe"),
    ):
        with pytest.raises(OutputError, match="got a device, a pipe or a socket"):
            write()
    assert (tmp_path / "pipe").is_fifo()


@pytest.mark.parametrize("name", ["a\0b.txt", "loop.txt", "x" * 300])
def test_a_path_that_cannot_exist_is_refused_by_name(name: str, tmp_path: Path) -> None:
    (tmp_path / "loop.txt").symlink_to("loop.txt")
    with pytest.raises(OutputError, match=r"^output "):
        write_file(tmp_path / name, b"")
    assert [path.name for path in tmp_path.iterdir()] == ["loop.txt"]


def test_temporary_files_stay_while_their_process_lives_and_go_with_the_next_write_later(
    tmp_path: Path,
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", UNFINISHED, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdin is not None
    try:
        assert process.stdout.readline() == b"ready\n"
        write_file(tmp_path / "a.txt", b"")
        assert len(list(tmp_path.iterdir())) == 3
    finally:
        process.kill()
    # Its parent has not asked for its exit code yet: it has ended nevertheless.
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    writing._searched.clear()
    write_file(tmp_path / "b.txt", b"")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.txt", "b.txt"]
    process.wait()
    process.stdin.close()
    process.stdout.close()


def test_only_leftovers_of_this_machine_are_removed(tmp_path: Path) -> None:
    ours = temporary_path(tmp_path)
    machine, process, start = ours.name.split("-")[1:4]
    elsewhere = ours.with_name(
        ours.name.replace(machine, "00000000" if machine != "00000000" else "11111111")
    )
    reused = ours.with_name(
        ours.name.replace(f"-{process}-{start}-", f"-{process}-{int(start) + 1}-")
    )
    user = tmp_path / ".levolve-mine.part"
    for path in (ours, elsewhere, reused, user):
        path.write_text("")
    remove_leftovers(tmp_path)
    # A process that got the number of a dead one does not keep the files of that.
    assert set(tmp_path.iterdir()) == {ours, elsewhere, user}


@pytest.mark.skipif(
    os.name != "posix" or os.getuid() != 0, reason="only an administrator may give files away"
)
def test_leftovers_of_other_users_stay(tmp_path: Path) -> None:
    ours = temporary_path(tmp_path)
    dead = ours.with_name(ours.name.replace(f"-{os.getpid()}-", "-4194305-"))
    dead.write_text("")
    os.chown(dead, 12345, 12345)
    remove_leftovers(tmp_path)
    assert dead.exists()


def test_a_link_under_a_temporary_name_is_removed_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").write_text("")
    ours = temporary_path(tmp_path)
    dead = ours.with_name(ours.name.replace(f"-{os.getpid()}-", "-4194305-"))
    dead.symlink_to(tmp_path / "mine")
    remove_leftovers(tmp_path)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "mine"]
