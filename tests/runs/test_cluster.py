"""Whole runs on a Dask cluster: the same bytes as on threads, whatever happens to the workers. All of it on 127.0.0.1."""

import logging
import os
import signal
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from distributed import Client, LocalCluster

from levolve.errors import InputError, LevolveError
from levolve.meta.tuning import Progress, tune
from levolve.runs import cluster as clusters
from levolve.runs.cluster import check_address, dask_cluster
from levolve.runs.comparing import compare
from levolve.runs.executors import Here
from levolve.runs.recipe import find_recipe
from levolve.version import VERSION

QUICK: dict[str, Any] = {"population": 10, "generations": 2, "size": "6x6", "settings": {"generations": 8}, "seed": 3}


@pytest.fixture(scope="module")
def digest() -> str:
    return tune("dungeon-meta", threads=1, **QUICK).digest


def test_two_workers_find_what_one_thread_finds_and_so_they_do_when_one_is_killed(digest: str) -> None:
    with dask_cluster("local", 2) as executor:
        assert tune("dungeon-meta", executor=executor, **QUICK).digest == digest
        client: Any = executor._client  # type: ignore[attr-defined]  # noqa: SLF001 the workers' process ids are nobody's business but a test's
        before = client.run(os.getpid)
        assert len(before) == 2
        killed: list[int] = []

        def kill_one(progress: Progress) -> None:
            if progress.runs and not killed:
                killed.append(next(iter(before.values())))
                os.kill(killed[0], signal.SIGKILL)

        assert tune("dungeon-meta", executor=executor, watch=kill_one, **QUICK).digest == digest
        assert killed
        client.wait_for_workers(2, timeout=30)
        after = client.run(os.getpid)
        assert len(after) == 2, "a new worker has taken the place of the one that died"
        assert killed[0] not in after.values()
        rivals = find_recipe("maze"), find_recipe("maze-barriers")
        same: dict[str, Any] = {"runs": 2, "evaluations": 200, "size": "6x6"}
        assert compare(rivals, executor=executor, **same).to_data() == compare(rivals, executor=Here(), **same).to_data()


def local(**settings: Any) -> Any:  # noqa: ANN401 distributed has no types
    quiet = {"dashboard_address": None, "scheduler_kwargs": {"dashboard_address": "127.0.0.1:0"}, "silence_logs": logging.CRITICAL}
    return LocalCluster(host="127.0.0.1", **quiet, **settings)


@pytest.fixture(scope="module")
def foreign() -> Iterator[tuple[str, Any]]:
    """A cluster that is not ours: its address, and a client to change its workers with."""
    with local(n_workers=1, threads_per_worker=1, processes=True) as cluster, Client(cluster) as client:
        yield cluster.scheduler_address, client


def test_an_address_of_a_cluster_does_as_well(foreign: tuple[str, Any], digest: str) -> None:
    assert tune("dungeon-meta", cluster=foreign[0], **QUICK).digest == digest


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("import levolve.version; levolve.version.VERSION = '0.0.1'", rf"has levolve 0\.0\.1, this is levolve {VERSION}"),
        ("import sys; sys.modules['levolve.version'] = sys.modules['levolve'] = None", rf"has no levolve, this is levolve {VERSION}"),
    ],
)
def test_workers_with_another_levolve_are_refused(foreign: tuple[str, Any], change: str, words: str) -> None:
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
def test_where_no_scheduler_answers_the_error_comes_in_seconds(silent: bool, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: FBT001 two cases
    monkeypatch.setattr(clusters, "ANSWER_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        if not silent:
            server.close()
        with pytest.raises(LevolveError, match=f"no Dask scheduler answers at tcp://127.0.0.1:{port}"), dask_cluster(f"tcp://127.0.0.1:{port}"):
            pass


@pytest.mark.parametrize(
    "address", ["", "localhost", "127.0.0.1:8786", "tcp://", "tcp://host", "tcp://host:", "tcp://host:0", "tcp://host:99999", "http://host:80"]
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(InputError, match="--cluster: expected 'local' or a scheduler's address such as tcp://"):
        check_address(address)


def test_ipv6_is_an_address() -> None:
    check_address("tcp://[::1]:8786")
    check_address("tls://scheduler.example:8786")
