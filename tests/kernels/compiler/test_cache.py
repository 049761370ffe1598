"""The cache of compiled kernels: what is damaged is compiled again, what others can write is not
used, and a full disk stops nothing.
"""

import errno
import os
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from levolve.kernels.bits.random_streams import mix
from levolve.kernels.compiler import (
    PLAIN,
    KernelCacheWarning,
    cache_files,
    mode,
    read_entry,
    write_entry,
)
from levolve.kernels.compiler.cache_folder import candidates, choose_folder

needs_compiler = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT", "0") != "0" or mode() == PLAIN,
    reason="NUMBA_DISABLE_JIT or LEVOLVE_COMPILER is set",
)
compiled: Any = import_module("levolve.kernels.compiler.compiled_kernel")


def double(number: int) -> int:
    return 2 * number


def triple(number: int) -> int:
    return 3 * number


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(compiled, "CACHE_FOLDER", tmp_path)
    monkeypatch.setattr(cache_files, "_warned", set())
    monkeypatch.setattr(cache_files, "_cleaned", set())
    return tmp_path


def loaded(function: Callable[[int], int]) -> bool:
    """Call a function as a kernel of a new process would; whether its machine code came from the
    cache.
    """
    kernel: Any = compiled.kernel(function)
    assert kernel(7) == function(7)
    return bool(kernel.dispatcher.stats.cache_hits)


def entries(folder: Path) -> list[Path]:
    """Return the files of kernels that Python has called."""
    return sorted(folder.glob("*-entry-*.kernel"))


class Trap:
    """Interrupts whoever decodes it."""

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return exec, ("raise KeyboardInterrupt",)


def flipped(content: bytes, position: int) -> bytes:
    return content[:position] + bytes([content[position] ^ 4]) + content[position + 1 :]


@needs_compiler
@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[:0],
        lambda content: content[:20],
        lambda content: content[:32],
        lambda content: content[: len(content) // 2],
        lambda content: content[:-1],
        lambda content: content + b"\0",
        lambda content: flipped(content, 5),
        lambda content: flipped(content, 33),
        lambda content: flipped(content, len(content) // 2),
        lambda content: flipped(content, len(content) - 1),
        lambda content: content[:32] + pickle.dumps(Trap()),
        lambda content: bytes(len(content)),
    ],
)
def test_a_damaged_entry_is_not_decoded_but_compiled_again_and_replaced(
    damage: Callable[[bytes], bytes], folder: Path
) -> None:
    assert not loaded(double)
    assert loaded(double)
    paths = sorted(folder.iterdir())
    # The part is damaged as well: it is read to compile the entry again.
    assert ["-entry-" in paths[0].name, "-part-" in paths[1].name, len(paths)] == [True, True, 2]
    before = [path.read_bytes() for path in paths]
    for path, content in zip(paths, before, strict=True):
        path.write_bytes(damage(content))
    assert not loaded(double)
    assert loaded(double)
    assert sorted(folder.iterdir()) == paths
    assert all(
        path.read_bytes() != damage(content) for path, content in zip(paths, before, strict=True)
    )


@needs_compiler
def test_exchanged_entries_are_not_used(folder: Path) -> None:
    for function in (double, triple):
        assert not loaded(function)
    first, second = entries(folder)
    contents = first.read_bytes(), second.read_bytes()
    second.write_bytes(contents[0])
    first.write_bytes(contents[1])
    for function in (double, triple):
        assert not loaded(function)
        assert loaded(function)


@needs_compiler
def test_an_entry_that_cannot_be_rebuilt_is_compiled_again(folder: Path) -> None:
    assert not loaded(double)
    (entry,) = entries(folder)
    # Right in every checksum, as if another build of a library had written it.
    kernel = compiled.kernel(double).dispatcher
    name, key = kernel._cache._place((numba.int64,), kernel.targetctx.codegen())
    assert name == entry.name
    write_entry(folder, name, key, pickle.dumps(("neither", "of these")))
    assert not loaded(double)
    assert loaded(double)


@needs_compiler
def test_recompiling_removes_what_is_cached(folder: Path) -> None:
    kernel = compiled.kernel(double).dispatcher
    assert kernel(7) == 14
    (entry,) = entries(folder)
    entry.write_bytes(b"old")
    kernel.recompile()
    assert entry.read_bytes() != b"old"
    kernel._cache.disable()
    kernel._cache.flush()
    assert not entries(folder)


@needs_compiler
def test_a_file_that_others_could_have_written_is_not_used(folder: Path) -> None:
    assert not loaded(double)
    (entry,) = entries(folder)
    assert entry.stat().st_mode & 0o777 == 0o600
    entry.chmod(0o666)
    assert not loaded(double)
    assert entry.stat().st_mode & 0o777 == 0o600
    entry.unlink()
    entry.mkdir()
    with pytest.warns(KernelCacheWarning, match="the run continues"):
        assert not loaded(double)


@needs_compiler
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EDQUOT])
@pytest.mark.parametrize("call", ["tempfile.mkstemp", "Path.replace"])
def test_a_full_or_read_only_disk_is_reported_once_and_stops_nothing(
    code: int, call: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(f"levolve.kernels.compiler.cache_files.{call}", fail)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for function in (double, triple):
            assert not loaded(function)
    (warning,) = caught
    assert os.strerror(code) in str(warning.message)
    assert str(folder) in str(warning.message)
    assert not list(folder.iterdir())


def test_temporary_files_of_killed_processes_are_removed_and_those_of_others_are_not(
    folder: Path,
) -> None:
    old, new = folder / "a.kernel.x.part", folder / "b.kernel.y.part"
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (0, 0))
    write_entry(folder, "c.kernel", "key", b"content")
    assert sorted(path.name for path in folder.iterdir()) == ["b.kernel.y.part", "c.kernel"]


def test_an_entry_is_found_under_its_own_name_and_key_only(folder: Path) -> None:
    write_entry(folder, "name", "key", b"content")
    assert read_entry(folder, "name", "key") == b"content"
    assert read_entry(folder, "name", "ke") is None
    (folder / "name").rename(folder / "nam")
    assert read_entry(folder, "nam", "ekey") is None
    assert read_entry(folder, "name", "key") is None


@needs_compiler
def test_several_processes_share_a_folder(tmp_path: Path) -> None:
    code = (
        "import numpy; from levolve.kernels.bits.random_streams import mix; "
        "print(mix(numpy.uint64(7)))"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(3)
    ]
    assert [process.communicate(timeout=120) for process in processes] == [
        (f"{mix(np.uint64(7))}\n".encode(), b"")
    ] * 3
    (folder,) = tmp_path.iterdir()
    # The entry and the part.
    assert len(list(folder.iterdir())) == 2


def test_a_new_folder_is_private_and_so_are_its_new_parents(tmp_path: Path) -> None:
    assert choose_folder([tmp_path / "a" / "b"]) == tmp_path / "a" / "b"
    for path in (tmp_path / "a", tmp_path / "a" / "b"):
        assert path.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o770, 0o707, 0o720])
def test_a_folder_that_others_can_write_is_not_used(mode: int, tmp_path: Path) -> None:
    shared, own = tmp_path / "shared", tmp_path / "own"
    shared.mkdir()
    shared.chmod(mode)
    with pytest.warns(
        KernelCacheWarning,
        match=rf"{shared} \(mode .*'chmod go-w {shared}'.*; {own} is used instead",
    ):
        assert choose_folder([shared, own]) == own


def test_a_parent_that_others_can_write_spoils_a_folder_but_for_the_sticky_bit(
    tmp_path: Path,
) -> None:
    parent, own = tmp_path / "parent", tmp_path / "own"
    inside = parent / "inside"
    inside.mkdir(parents=True, mode=0o700)
    parent.chmod(0o777)
    with pytest.warns(KernelCacheWarning, match=f"other users can write to {parent} "):
        assert choose_folder([inside, own]) == own
    parent.chmod(0o1777)
    assert choose_folder([inside, own]) == inside


def test_a_link_does_not_hide_where_a_folder_is(tmp_path: Path) -> None:
    parent, link, own = tmp_path / "parent", tmp_path / "link", tmp_path / "own"
    (parent / "inside").mkdir(parents=True)
    link.symlink_to(parent / "inside")
    assert choose_folder([link]) == parent / "inside", "a later change of the link has no effect"
    parent.chmod(0o777)
    with pytest.warns(KernelCacheWarning, match=f"other users can write to {parent} "):
        assert choose_folder([link, own]) == own
    link.unlink()
    link.symlink_to(link)
    with pytest.warns(KernelCacheWarning, match="cannot be created"):
        assert choose_folder([link, own]) == own


def test_a_folder_of_another_user_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: user + 12345)
    with pytest.warns(
        KernelCacheWarning,
        match=(
            rf"{tmp_path}: {tmp_path} belongs to another user \(number {user}\); choose a folder "
            r"of your own"
        ),
    ):
        assert choose_folder([tmp_path]) is None


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0,
    reason="only root can give a folder to another user",
)
def test_root_does_not_load_what_a_user_can_plant(tmp_path: Path) -> None:
    home, own = tmp_path / "home", tmp_path / "own"
    inside = home / "cache" / "kernels"
    inside.mkdir(parents=True, mode=0o700)
    for path in (home, home / "cache", inside):
        os.chown(path, 65534, -1)
    with pytest.warns(KernelCacheWarning, match="belongs to another user"):
        assert choose_folder([inside, own]) == own
    os.chown(inside, 0, -1)
    with pytest.warns(KernelCacheWarning, match=f"{home / 'cache'} belongs to another user"):
        assert choose_folder([inside, own]) == own


def test_without_a_folder_that_can_be_used_there_is_no_cache_and_one_warning(
    tmp_path: Path,
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.warns(KernelCacheWarning, match="kernels are compiled on every run") as caught:
        assert choose_folder([blocked / "a", blocked, tmp_path / "nul\0byte"]) is None
    assert len(caught) == 1


def test_the_folders_to_try_are_the_chosen_one_that_of_the_user_and_a_temporary_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    chosen, *others = candidates("digest")
    assert chosen == tmp_path / "digest"
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    assert candidates("digest") == others
    assert len(others) == 2
    assert others[1].parent.name == f"levolve-kernels-{os.geteuid()}"
