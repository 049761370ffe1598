"""The store: what is written comes back, old files are migrated, newer and foreign ones refused,
several processes at once.
"""

import os
import shutil
import sqlite3
import subprocess
import sys
import time
import warnings
from collections.abc import Sequence
from pathlib import Path

import pytest

import levolve
from levolve.core.errors import InputError, LevolveError, StoreError
from levolve.jobs.checkpoints import JobRunner
from levolve.jobs.runs.run import Run
from levolve.jobs.store import database
from levolve.jobs.store.records import DONE, RUNNING, STOPPED, Process
from levolve.jobs.store.store import Store, history_to_csv, runs_to_csv
from levolve.recipes.recipe import find_recipe

FIRST_SCHEMA = Path(__file__).parent / "schema-1.sqlite"


def small_run(seed: int = 1, name: str = "maze") -> Run:
    return Run(find_recipe("maze").changed({"size": "8x8", "generations": 3, "name": name}), seed)


def stored(store: Store, seed: int = 1, name: str = "maze") -> Run:
    run = small_run(seed, name)
    for _ in JobRunner(run, store).events():
        pass
    return run


def test_a_finished_run_is_stored_with_its_history_its_level_and_its_result(tmp_path: Path) -> None:
    with Store(tmp_path / "runs.sqlite") as store:
        run = stored(store, seed=(1 << 64) - 1)
        record = store.find("last")
        assert (record.id, record.kind, record.name, record.size, record.seed) == (
            1,
            "evolve",
            "maze",
            "8x8",
            (1 << 64) - 1,
        )
        assert (record.status, record.progress, record.score, record.headline) == (
            DONE,
            1.0,
            run.best_score,
            f"best {run.best_score:g}",
        )
        assert record.summary is not None
        assert record.summary["digest"] == run.digest
        assert [one.best for one in store.history(1)] == run.history.best
        assert [one.evaluations for one in store.history(1)] == run.history.evaluations
        assert run.digest.encode() in store.levels(1)[0]


def test_last_is_the_run_that_was_updated_last(tmp_path: Path) -> None:
    with Store(tmp_path / "runs.sqlite") as store:
        for seed in (1, 2, 3):
            stored(store, seed)
        assert store.find("last").seed == 3
        runner = JobRunner(small_run(1), store, run=1, every=0)
        runner.events().close()
        next(runner.events())
        assert store.find("last").id == 1
        assert [record.id for record in store.runs()] == [3, 2, 1]


@pytest.mark.parametrize("number", [7, "-1", "x", "٣", str(1 << 64)])
def test_an_unknown_run_is_named(tmp_path: Path, number: int | str) -> None:
    with (
        Store(tmp_path / "runs.sqlite") as store,
        pytest.raises(InputError, match=r"there is no run 7|expected the number of a run"),
    ):
        store.find(number)


def test_a_deleted_run_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    with Store(path) as store:
        stored(store, 1)
        stored(store, 2)
        store.delete([1])
        assert [record.id for record in store.runs()] == [2]
    with sqlite3.connect(path) as connection:
        for table in ("history", "checkpoints", "levels"):
            assert connection.execute(f"SELECT DISTINCT run FROM {table}").fetchall() == [(2,)]
    connection.close()


def test_a_run_of_a_living_process_is_neither_taken_over_nor_deleted(tmp_path: Path) -> None:
    with Store(tmp_path / "runs.sqlite") as store:
        runner = JobRunner(small_run(), store, every=0)
        events = runner.events()
        next(events)
        mine = f"process {Process.this().pid}"
        for action in (lambda: store.claim(1), lambda: store.delete([1])):
            with pytest.raises(LevolveError, match=mine):
                action()
        events.close()
        assert store.claim(1).status == STOPPED


def test_a_run_whose_process_has_ended_counts_as_stopped(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    with Store(tmp_path / "runs.sqlite") as store:
        stored(store)
        store._connection.execute("UPDATE runs SET status = ?, pid = ?", (RUNNING, ended.pid))
        assert store.find(1).status == STOPPED
        # The number of the process is used again by another one, which began later.
        store._connection.execute(
            "UPDATE runs SET pid = ?, process = 'earlier'", (Process.this().pid,)
        )
        assert store.find(1).status == STOPPED


def test_a_process_on_another_machine_counts_as_alive_for_some_minutes() -> None:
    other = Process(1, "another machine", "")
    assert other.is_alive(time.time() - 60)
    assert not other.is_alive(time.time() - 3600)
    assert str(other) == "process 1 on another machine"


def test_a_damaged_checkpoint_is_replaced_by_the_one_before(tmp_path: Path) -> None:
    with Store(tmp_path / "runs.sqlite") as store:
        run = small_run()
        events = JobRunner(run, store, every=0).events()
        next(events)
        before = run.state()
        next(events)
        events.close()
        (numbers,) = store._connection.execute("SELECT count(*) FROM checkpoints").fetchone()
        assert numbers == 2
        store._connection.execute(
            "UPDATE checkpoints SET state = substr(state, 1, 60) WHERE number = (SELECT "
            "max(number) FROM checkpoints)"
        )
        assert store.state(1)["search"]["generation"] in {
            before["search"]["generation"],
            before["search"]["generation"] + 1,
        }
        store._connection.execute("UPDATE checkpoints SET state = x'00'")
        with pytest.raises(StoreError, match="run 1: checkpoint"):
            store.state(1)


def tables(path: Path) -> list[tuple[str, str]]:
    with sqlite3.connect(path) as connection:
        found = connection.execute(
            "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name"
        ).fetchall()
    connection.close()
    return found


def test_a_store_of_the_first_schema_opens_and_its_run_is_continued(tmp_path: Path) -> None:
    import levolve

    path = tmp_path / "runs.sqlite"
    shutil.copy(FIRST_SCHEMA, path)
    with Store(path) as store:
        records = store.runs()
        assert [(record.kind, record.status) for record in records] == [
            ("evolve", STOPPED),
            ("evolve", DONE),
        ]
    whole = Run.from_call(records[0].call or {}).finish()
    old = "it was made by levolve 0.1.0, which recorded no engine; this is levolve"
    with pytest.warns(UserWarning, match=f"run {records[0].id}: {old}"):
        assert levolve.resume(records[0].id, store=path).digest == whole.digest
    with pytest.warns(UserWarning, match=f"run {records[1].id}: {old}"):
        digest = levolve.resume(records[1].id, store=path).digest
    assert digest == (records[1].summary or {})["digest"]


def test_a_run_records_its_engine_and_resume_says_if_it_is_another(tmp_path: Path) -> None:
    import levolve
    from levolve.version import ENGINE, VERSION

    path = tmp_path / "runs.sqlite"
    run = levolve.evolve("maze", size=(6, 6), seed=1, generations=2, store=path)
    with Store(path) as store:
        (record,) = store.runs()
        assert (record.version, record.engine) == (VERSION, ENGINE)
        assert record.to_data()["engine"] == ENGINE
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert levolve.resume(store=path).digest == run.digest
    with Store(path) as store:
        store._connection.execute("UPDATE runs SET engine = 'abc'")
    with pytest.warns(
        UserWarning, match=f"run 1: .* {VERSION}, engine abc; .*only the engine diff"
    ):
        assert levolve.resume(store=path).digest == run.digest


def test_an_older_store_is_migrated_in_one_transaction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "runs.sqlite"
    shutil.copy(FIRST_SCHEMA, path)
    before = tables(path)
    steps: list[Sequence[str]] = [
        *database.MIGRATIONS,
        ("ALTER TABLE runs ADD COLUMN remark TEXT", "CREATE TABLE remarks (run INTEGER)"),
    ]
    broken = [*steps[:-1], (*steps[-1], "INSERT INTO nowhere VALUES (1)")]
    monkeypatch.setattr(database, "MIGRATIONS", broken)
    with pytest.raises(StoreError, match="no such table: nowhere"):
        Store(path)
    assert tables(path) == before
    monkeypatch.setattr(database, "MIGRATIONS", steps)
    with Store(path) as store:
        assert len(store.runs()) == 2
    assert ("remarks", "CREATE TABLE remarks (run INTEGER)") in tables(path)
    monkeypatch.undo()
    with pytest.raises(
        StoreError,
        match=(
            rf"schema has version {len(steps)}, but this levolve knows versions up to "
            rf"{len(database.MIGRATIONS)}"
        ),
    ):
        Store(path)


def test_a_file_of_another_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    text, foreign, damaged, folder = (
        tmp_path / name for name in ("notes.txt", "foreign.sqlite", "damaged.sqlite", "folder")
    )
    text.write_text("These are my notes, and not a database at all. " * 40)
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE mine (x)")
    connection.close()
    content = bytearray(FIRST_SCHEMA.read_bytes())
    content[100:2000] = bytes(1900)
    damaged.write_bytes(content)
    folder.mkdir()
    for path, message in (
        (text, "got another file"),
        (foreign, "of another program"),
        (damaged, "is damaged"),
        (folder, "got something else"),
    ):
        before = None if path.is_dir() else path.read_bytes()
        with pytest.raises(StoreError, match=message) as caught:
            Store(path)
        assert str(path) in str(caught.value)
        assert before is None or path.read_bytes() == before


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(StoreError, match="cannot be opened"):
        Store(tmp_path / "file" / "runs.sqlite")
    with pytest.raises(StoreError, match="there is no such file"):
        Store(tmp_path / "runs.sqlite", create=False)


WRITER = """
import sys
from levolve.recipes.recipe import find_recipe
from levolve.jobs.checkpoints import JobRunner
from levolve.jobs.runs.run import Run
from levolve.jobs.store.store import Store

with Store(sys.argv[1]) as store:
    for seed in range(int(sys.argv[2]), int(sys.argv[2]) + int(sys.argv[3])):
        for _ in JobRunner(Run(find_recipe("maze").changed({"size": "8x8", "generations": 3}), seed), store, every=0).events():
            pass
"""


def test_two_processes_write_to_one_store_and_nothing_is_lost(tmp_path: Path) -> None:
    # With `make faults`, for about a minute.
    path, count = tmp_path / "runs.sqlite", 2000 if os.environ.get("LEVOLVE_FAULTS") else 12
    command = [sys.executable, "-W", "error", "-c", WRITER, str(path)]
    writers = [
        subprocess.Popen([*command, str(first), str(count)], stderr=subprocess.PIPE)
        for first in (100, 100_000)
    ]
    for writer in writers:
        assert (writer.communicate(timeout=300)[1], writer.returncode) == (b"", 0)
    with Store(path) as store:
        records = store.runs()
        assert sorted(record.seed for record in records) == [
            *range(100, 100 + count),
            *range(100_000, 100_000 + count),
        ]
        assert {record.status for record in records} == {DONE}
        assert {len(store.history(record.id)) for record in records} == {4}


def test_csv_quotes_texts_that_a_spreadsheet_would_calculate(tmp_path: Path) -> None:
    with Store(tmp_path / "runs.sqlite") as store:
        stored(store, 1, '=HYPERLINK("http://example.com")')
        stored(store, 2, "+1")
        lines = runs_to_csv(store.runs()).decode().splitlines()
        assert lines[0].startswith("id,kind,name,size,seed,status")
        assert ",'+1," in lines[1]
        assert ",\"'=HYPERLINK(" in lines[2]
        assert (
            history_to_csv(store.history(1)).decode().splitlines()[0]
            == "step,best,mean,evaluations"
        )
        assert len(history_to_csv(store.history(1)).splitlines()) == 5


def test_a_run_of_another_version_is_continued_with_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    with Store(path) as store:
        made = stored(store)
    assert levolve.resume("last", store=path).digest == made.digest, "no warning"
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE runs SET version = '0.0.9'")
    connection.close()
    with pytest.warns(
        UserWarning,
        match=f"was made by levolve 0.0.9, engine .*; this is levolve {levolve.__version__}",
    ):
        assert levolve.resume("last", store=path).digest == made.digest
