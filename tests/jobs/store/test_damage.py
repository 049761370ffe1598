"""A damaged store: rows are named and left out, deleted and repaired; of a damaged file what can be
read is saved.
"""

import sqlite3
import subprocess
import warnings
from contextlib import closing
from pathlib import Path

import pytest

from cli.processes import COMMAND
from jobs.store.damage import CONTENTS, ROWS, damage, damaged_store, good_store
from levolve.core.errors import LevolveError, StoreError
from levolve.jobs.resume import stored_job
from levolve.jobs.store.records import DamagedRowError
from levolve.jobs.store.repair import repair_store
from levolve.jobs.store.store import Store


@pytest.fixture(scope="module")
def ruins(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with everything that is damaged; tests read it."""
    path = tmp_path_factory.mktemp("damage") / "runs.sqlite"
    damaged_store(path)
    return path


def copy_of(path: Path, folder: Path) -> Path:
    copied = folder / "runs.sqlite"
    with closing(sqlite3.connect(path)) as old, closing(sqlite3.connect(copied)) as new:
        old.backup(new)
    return copied


@pytest.mark.parametrize("kind", ROWS)
def test_a_damaged_row_is_named_left_out_deleted_and_repaired(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    good_store(path, 2)
    damage(path, f"UPDATE runs SET {ROWS[kind]} WHERE id = 1")
    with Store(path) as store:
        with pytest.warns(
            UserWarning, match=r"run 1 is damaged .*'levolve runs delete 1' deletes it"
        ):
            assert [record.id for record in store.runs()] == [2]
        with pytest.raises(DamagedRowError, match=r"run 1 is damaged .*levolve runs repair"):
            store.find(1)
        assert store.number("1") == 1
        assert store.deletable() == [1, 2]
    copied = copy_of(path, tmp_path / "..")
    with Store(copied) as store:
        store.delete([1])
        assert [record.id for record in store.runs()] == [2]
    copied.unlink()
    assert ["run 1" in sentence for sentence in repair_store(path)] == [True]
    with Store(path) as store:
        assert sorted(record.id for record in store.runs()) == [1, 2]
        assert store.find(1).seed == 1, "a seed is found in the call"
        assert store.find(1).status == "done"
    assert repair_store(path) == []


@pytest.mark.parametrize("kind", CONTENTS)
def test_damaged_content_is_an_error_of_ours(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    good_store(path, 2)
    damage(path, CONTENTS[kind].format(1))
    with Store(path) as store:
        assert sorted(record.id for record in store.runs()) == [1, 2]
        for read in (
            lambda: stored_job(store, store.find(1)),
            lambda: store.history(1),
            lambda: store.levels(1),
        ):
            try:
                read()
            except LevolveError as problem:
                assert "run 1" in str(problem)  # noqa: PT017 what cannot be read is an error; the rest is read
    repair_store(path)
    assert repair_store(path) == []


def test_the_last_run_is_not_another_one_if_it_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    good_store(path, 2)
    damage(path, "UPDATE runs SET updated = 'yesterday' WHERE id = 1")
    with Store(path) as store:
        for use in (store.find, store.number):
            with pytest.raises(DamagedRowError, match="run 1 is damaged"):
                use("last")


def levolve(*words: str, path: Path) -> tuple[int, str, str]:
    done = subprocess.run(
        [COMMAND, *words, "--store", str(path)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout, done.stderr


def test_every_command_about_runs_goes_on_with_the_sound_ones(ruins: Path, tmp_path: Path) -> None:
    path = copy_of(ruins, tmp_path)
    sound = len(ROWS) + len(CONTENTS) + 1
    hint = "it is left out; 'levolve runs repair' repairs it"
    for words in (("runs", "--all"), ("runs", "--json"), ("runs", "export")):
        code, out, errors = levolve(*words, path=path)
        assert code == 0
        assert str(sound) in out
        assert errors.count(hint) == len(ROWS), words
    assert levolve("runs", "show", str(sound), path=path)[0] == 0
    code, out, errors = levolve("runs", "show", str(len(ROWS) + 4), path=path)
    assert (code, "its first level cannot be read" in errors) == (0, True)
    assert "digest" in out
    for refused in (
        ("runs", "show", "1"),
        ("runs", "plot", "1"),
        ("runs", "export", "1"),
        ("resume", "1"),
    ):
        code, out, errors = levolve(*refused, path=path)
        assert (code, out) == (1, ""), refused
        assert errors.startswith("levolve: run 1 is damaged (options: expected a JSON table)"), (
            refused
        )
        assert len(errors.splitlines()) == 1
    code, out, errors = levolve("breed", "--sessions", path=path)
    assert (code, "session 2" in out, "session 1 is damaged" in errors) == (0, True, True)
    assert levolve("runs", "delete", "1", "2", path=path)[:2] == (0, "deleted: 2 runs\n")
    code, out, errors = levolve("runs", "repair", path=path)
    assert (code, errors) == (0, "")
    assert len(out.splitlines()) > len(ROWS)
    assert levolve("runs", "repair", path=path) == (0, "nothing is damaged\n", "")
    code, out, errors = levolve("runs", "--all", path=path)
    titles, footer = 2, 1
    assert (code, errors, len(out.splitlines())) == (0, "", titles + sound - 2 + footer)
    assert levolve("runs", "delete", "--all", path=path)[:2] == (0, f"deleted: {sound - 2} runs\n")


def pages(path: Path) -> list[tuple[int, int]]:
    """The number and the size of the pages of a file."""
    with closing(sqlite3.connect(path)) as connection:
        ((count,), (size,)) = (
            connection.execute("PRAGMA page_count").fetchone(),
            connection.execute("PRAGMA page_size").fetchone(),
        )
    return [(number, size) for number in range(count)]


def test_whichever_page_of_the_file_is_damaged_the_rest_is_saved(tmp_path: Path) -> None:
    whole = tmp_path / "whole.sqlite"
    good_store(whole, 40)
    content = whole.read_bytes()
    saved = []
    for page, size in pages(whole)[1:]:
        path = tmp_path / f"{page}.sqlite"
        path.write_bytes(content[: page * size] + b"\xff" * size + content[(page + 1) * size :])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            try:
                repair_store(path)
            except StoreError as problem:
                assert "nothing can be read" in str(problem)  # noqa: PT017 of some pages nothing, of most nearly everything
                saved.append(0)
                continue
            with Store(path) as store:
                saved.append(len(store.runs()))
        assert repair_store(path) == []
        assert not list(tmp_path.glob("*.new*")), "nothing is left behind"
    assert sum(count > 30 for count in saved) > len(saved) // 2, saved


def test_the_damaged_file_is_kept_and_the_command_says_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    good_store(path, 40)
    content = path.read_bytes()
    # Each page in turn, until one is found without which the list cannot be read.
    for page, size in pages(path)[1:]:
        path.write_bytes(content[: page * size] + b"\xff" * size + content[(page + 1) * size :])
        code, _, errors = levolve("runs", "--all", path=path)
        if code == 1 and page > 1:
            break
    broken = path.read_bytes()
    assert errors == (
        f"levolve: store {path}: the file is damaged; 'levolve runs repair' saves what can "
        "be read of it\n"
    )
    code, out, errors = levolve("runs", "repair", path=path)
    assert code == 0, errors
    assert "the file was damaged and is now runs.sqlite.damaged; rows saved from it:" in out
    assert path.with_name("runs.sqlite.damaged").read_bytes() == broken
    assert levolve("runs", "--all", path=path)[0] == 0


def test_a_file_that_is_no_store_is_left_alone(tmp_path: Path) -> None:
    notes, foreign, newer = (
        tmp_path / name for name in ("notes.txt", "foreign.sqlite", "newer.sqlite")
    )
    notes.write_text("These are my notes. " * 100)
    with closing(sqlite3.connect(foreign)) as connection, connection:
        connection.execute("CREATE TABLE mine (x)")
    good_store(newer, 1)
    with closing(sqlite3.connect(newer)) as connection, connection:
        connection.execute("PRAGMA user_version = 99")
    for path, reason in (
        (notes, "got another file"),
        (foreign, "of another program"),
        (newer, "has version 99"),
    ):
        before = path.read_bytes()
        for words in (("runs",), ("runs", "show"), ("runs", "repair"), ("runs", "delete", "1")):
            code, out, errors = levolve(*words, path=path)
            assert (code, out, reason in errors) == (1, "", True), (words, errors)
            assert path.read_bytes() == before
