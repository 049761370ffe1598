"""Whole runs on a Dask cluster: the same bytes as on threads, whatever happens to the workers. All
of it on 127.0.0.1.
"""

import logging
import os
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from distributed import Client, LocalCluster

import levolve
from levolve.cli.app import run
from levolve.core.errors import InputError, LevolveError, PluginError
from levolve.core.events import Event
from levolve.core.plugins import VARIABLE, load_plugin
from levolve.jobs import cluster as clusters
from levolve.jobs.cluster import ClusterExecutor, check_address, dask_cluster
from levolve.jobs.executors import SerialExecutor
from levolve.jobs.studies.compare import compare
from levolve.jobs.studies.tune import TrialFinished, tune
from levolve.recipes.recipe import find_recipe
from levolve.version import VERSION

QUICK: dict[str, Any] = {
    "population": 10,
    "generations": 2,
    "size": "6x6",
    "settings": {"generations": 8},
    "seed": 3,
}


@pytest.fixture(scope="module")
def digest() -> str:
    return tune("dungeon-meta", executor=1, **QUICK).digest


def test_two_workers_find_what_one_thread_finds_and_so_they_do_when_one_is_killed(
    digest: str,
) -> None:
    with dask_cluster("local", 2) as executor:
        assert tune("dungeon-meta", executor=executor, **QUICK).digest == digest
        assert isinstance(executor, ClusterExecutor)
        client = executor.client
        before = client.run(os.getpid)
        assert len(before) == 2
        killed: list[int] = []

        def kill_one(event: Event) -> None:
            if isinstance(event, TrialFinished) and event.runs and not killed:
                killed.append(next(iter(before.values())))
                os.kill(killed[0], signal.SIGKILL)

        assert tune("dungeon-meta", executor=executor, watch=kill_one, **QUICK).digest == digest
        assert killed
        client.wait_for_workers(2, timeout=30)
        after = client.run(os.getpid)
        assert len(after) == 2, "a new worker has taken the place of the one that died"
        assert killed[0] not in after.values()
        small: dict[str, Any] = {"size": (8, 8), "seed": 3, "settings": {"generations": 10}}
        assert (
            levolve.evolve("maze", executor=executor, **small).digest
            == levolve.evolve("maze", executor=1, **small).digest
        )
        assert (
            levolve.pack("maze", count=3, executor=executor, **small).digest
            == levolve.pack("maze", count=3, executor=1, **small).digest
        )
        rivals = find_recipe("maze"), find_recipe("maze-barriers")
        same: dict[str, Any] = {"runs": 2, "evaluations": 200, "size": "6x6"}
        assert compare(rivals, executor=executor, **same).to_data(seconds=False) == compare(
            rivals, executor=SerialExecutor(), **same
        ).to_data(seconds=False)


def local(**settings: Any) -> Any:
    quiet = {
        "dashboard_address": None,
        "scheduler_kwargs": {"dashboard_address": "127.0.0.1:0"},
        "silence_logs": logging.CRITICAL,
    }
    return LocalCluster(host="127.0.0.1", **quiet, **settings)


@pytest.fixture(scope="module")
def foreign() -> Iterator[tuple[str, Any]]:
    """A cluster that is not ours: its address, and a client to change its workers with."""
    with (
        local(n_workers=1, threads_per_worker=2, processes=True) as cluster,
        Client(cluster) as client,
    ):
        yield cluster.scheduler_address, client


def test_an_address_of_a_cluster_does_as_well(foreign: tuple[str, Any], digest: str) -> None:
    assert tune("dungeon-meta", executor=foreign[0], **QUICK).digest == digest


@pytest.mark.parametrize(
    "command",
    [
        (
            "evolve maze --size 40x40 --objective reconvergence --seed 3 --set generations=4 -o "
            "FOLDER/a.json"
        ),
        "pack maze --count 3 --size 8x8 --seed 3 --set generations=10 -o FOLDER",
        "pack sliding --count 3 --seed 3 -o FOLDER",
        "pack flag --count 2 --size 5x5 --seed 3 -o FOLDER",
        "map coral --size 600x40 --updates 3 --seed 3 --tiles FOLDER",
        "map coral --size 1100x40 --updates 3 --seed 3 --tiles FOLDER/a.npy",
        "compare maze maze-barriers --runs 2 --evaluations 200 --size 6x6 -o FOLDER/a.json",
        (
            "meta dungeon-meta --population 6 --generations 1 --size 6x6 --set generations=8 "
            "--seed 3 -o FOLDER/a.toml"
        ),
    ],
)
def test_a_command_writes_the_same_bytes_with_a_cluster(
    command: str, foreign: tuple[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = []
    for name, more in (("threads", "--threads 2"), ("cluster", f"--cluster {foreign[0]}")):
        folder = tmp_path / name
        assert run([*command.replace("FOLDER", str(folder)).split(), *more.split(), "-q"]) == 0, (
            capsys.readouterr().err
        )
        written.append(
            {
                str(path.relative_to(folder)): path.read_bytes()
                for path in folder.rglob("*")
                if path.is_file()
            }
        )
    assert written[0]
    assert written[0] == written[1]


def test_replay_and_demo_take_a_cluster(
    foreign: tuple[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.json"
    levolve.save(
        levolve.evolve("maze", size=(8, 8), seed=3, settings={"generations": 10}).best, path
    )
    assert run(["replay", str(path), "--cluster", foreign[0], "-q"]) == 0
    assert "the same bytes" in capsys.readouterr().out
    assert run(["demo", "-o", str(tmp_path / "demo"), "--cluster", "nowhere"]) == 2
    assert "--cluster: expected 'local' or a scheduler's address" in capsys.readouterr().err


def test_library_functions_take_a_cluster(foreign: tuple[str, Any]) -> None:
    small: dict[str, Any] = {"size": (8, 8), "seed": 3, "settings": {"generations": 10}}
    assert (
        levolve.evolve("maze", executor=foreign[0], **small).digest
        == levolve.evolve("maze", executor=1, **small).digest
    )
    assert (
        levolve.pack("maze", count=2, executor=foreign[0], **small).digest
        == levolve.pack("maze", count=2, executor=1, **small).digest
    )
    assert (
        levolve.pack("sliding", count=2, seed=1, executor=foreign[0]).digest
        == levolve.pack("sliding", count=2, seed=1, executor=1).digest
    )


@pytest.mark.parametrize(
    ("present", "words"),
    [
        (
            {"levolve-lakes": "1.0"},
            (
                r"worker tcp://[0-9.:]+ has no plug-in levolve-lakes, but this machine has "
                r"levolve-lakes 1\.0; install"
            ),
        ),
        (
            {"numpy": "0.1"},
            r"worker tcp://[0-9.:]+ has numpy [0-9.]+, but this machine has numpy 0\.1; install",
        ),
        ({"module:lakes": "2"}, "has no plug-in module:lakes, but this machine has module:lakes 2"),
    ],
)
def test_workers_that_lack_a_plug_in_or_have_another_version_are_refused_by_name(
    foreign: tuple[str, Any], present: dict[str, str], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "present_plugins", lambda: present)
    with pytest.raises(PluginError, match=words), dask_cluster(foreign[0]):
        pass


def test_a_module_named_by_plugin_is_loaded_by_the_workers_and_refused_where_it_is_missing(
    foreign: tuple[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "cluster_test_plugin.py"
    file.write_text("LOADED = True")
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setenv(VARIABLE, "")
    load_plugin(str(file))
    with dask_cluster(foreign[0]):
        assert list(
            foreign[1].run(eval, "'cluster_test_plugin' in __import__('sys').modules").values()
        ) == [True]
    monkeypatch.setattr(clusters, "named_plugins", lambda: [str(tmp_path / "other_test_plugin.py")])
    with (
        pytest.raises(
            PluginError,
            match=r"worker tcp://[0-9.:]+: plug-in .*other_test_plugin\.py: expected the path",
        ),
        dask_cluster(foreign[0]),
    ):
        pass


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            "import levolve.version; levolve.version.VERSION = '0.0.1'",
            rf"has levolve 0\.0\.1, but this machine has levolve {VERSION}",
        ),
        (
            "import sys; sys.modules['levolve.version'] = sys.modules['levolve'] = None",
            rf"has no levolve, but this machine has levolve {VERSION}",
        ),
    ],
)
def test_workers_with_another_levolve_are_refused(
    foreign: tuple[str, Any], change: str, words: str
) -> None:
    address, client = foreign
    client.run(exec, change)
    with pytest.raises(LevolveError, match=words), dask_cluster(address):
        pass


def test_a_cluster_without_workers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "WORKERS_SECONDS", 0.2)
    with (
        local(n_workers=0, processes=False, protocol="tcp") as cluster,
        pytest.raises(LevolveError, match="has no workers; start some there: dask worker"),
        dask_cluster(cluster.scheduler_address),
    ):
        pass


@pytest.mark.parametrize("silent", [False, True])
def test_where_no_scheduler_answers_the_error_comes_in_seconds(
    silent: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "CLUSTER_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        if not silent:
            server.close()
        with (
            pytest.raises(
                LevolveError, match=f"no Dask scheduler answers at tcp://127.0.0.1:{port}"
            ),
            dask_cluster(f"tcp://127.0.0.1:{port}"),
        ):
            pass


@pytest.mark.parametrize(
    "address",
    [
        "",
        "localhost",
        "127.0.0.1:8786",
        "tcp://",
        "tcp://host",
        "tcp://host:",
        "tcp://host:0",
        "tcp://host:99999",
        "http://host:80",
    ],
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(
        InputError, match="--cluster: expected 'local' or a scheduler's address such as tcp://"
    ):
        check_address(address)


def test_ipv6_is_an_address() -> None:
    check_address("tcp://[::1]:8786")
    check_address("tls://scheduler.example:8786")
