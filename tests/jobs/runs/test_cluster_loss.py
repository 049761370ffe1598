"""A cluster that is lost is an error within a minute, a local cluster obeys its own client only,
and it ends with it.
"""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from levolve.cli.app import run
from levolve.cli.progress import Bar
from levolve.core.errors import LevolveError, MissingExtraError
from levolve.jobs import cluster
from levolve.jobs import cluster as clusters
from levolve.jobs.cluster import ClusterExecutor, dask_cluster

SECONDS = 120.0


def started(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


@pytest.fixture
def foreign(
    tmp_path: Path,
) -> Iterator[tuple[str, subprocess.Popen[bytes], subprocess.Popen[bytes]]]:
    """The address of a scheduler in a process of its own, that process, and that of its only
    worker, which nobody starts again.
    """
    file = tmp_path / "scheduler.json"
    scheduler = started(
        "distributed.cli.dask_scheduler",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--no-dashboard",
        "--scheduler-file",
        str(file),
    )
    processes = [scheduler]
    try:
        wait_until(file.exists)
        address = json.loads(file.read_text())["address"]
        processes.append(
            started(
                "distributed.cli.dask_worker",
                address,
                "--no-nanny",
                "--nthreads",
                "1",
                "--no-dashboard",
            )
        )
        yield address, scheduler, processes[1]
    finally:
        for process in processes:
            process.kill()
            process.wait()


def wait_until(condition: Any) -> None:
    limit = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < limit
        time.sleep(0.05)


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cluster.LOST_SECONDS + 2 * cluster.ANSWER_SECONDS + cluster.POLL_SECONDS < 60, (
        "within a minute"
    )
    monkeypatch.setattr(cluster, "LOST_SECONDS", 0.5)
    monkeypatch.setattr(cluster, "POLL_SECONDS", 0.1)
    monkeypatch.setattr(clusters, "WORKERS_SECONDS", SECONDS)


def work_on(address: str, signal_to: Any, number: signal.Signals = signal.SIGKILL) -> None:
    """Begin work that takes minutes, and kill a process of the cluster."""
    with dask_cluster(address) as pool:
        future = pool.submit(time.sleep, SECONDS)
        signal_to.send_signal(number)
        try:
            future.result(SECONDS)
        except LevolveError as problem:
            # Nothing more is accepted either.
            with pytest.raises(LevolveError, match=re.escape(str(problem))):
                pool.submit(len, "abc")
            raise


def test_without_workers_the_work_fails_and_so_does_all_that_follows(
    foreign: tuple[str, Any, Any],
) -> None:
    address, _, worker = foreign
    with pytest.raises(
        LevolveError,
        match=(
            rf"--cluster: {address} has had no workers for 0\.5 seconds; unfinished units of "
            r"work: 1"
        ),
    ):
        work_on(address, worker)


def test_without_a_scheduler_the_work_fails(foreign: tuple[str, Any, Any]) -> None:
    address, scheduler, _ = foreign
    with pytest.raises(
        LevolveError, match=f"--cluster: the connection to the scheduler of {address} was lost"
    ):
        work_on(address, scheduler)


def test_a_scheduler_that_is_silent_is_lost_too(
    foreign: tuple[str, Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "ANSWER_SECONDS", 0.3)
    address, scheduler, _ = foreign
    with pytest.raises(
        LevolveError, match=f"--cluster: the scheduler of {address} has not answered for"
    ):
        work_on(address, scheduler, signal.SIGSTOP)


def test_workers_that_come_back_in_time_finish_the_work(
    foreign: tuple[str, Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "LOST_SECONDS", SECONDS)
    address, _, worker = foreign
    with dask_cluster(address) as pool:
        future = pool.submit(pow, 2, 5)
        assert future.result(SECONDS) == 32
        worker.kill()
        late = pool.submit(pow, 2, 6)
        again = started(
            "distributed.cli.dask_worker",
            address,
            "--no-nanny",
            "--nthreads",
            "1",
            "--no-dashboard",
        )
        try:
            assert late.result(SECONDS) == 64
        finally:
            again.kill()
            again.wait()


STRANGER = """
import sys
from distributed import Client, Security

def attempt(address, security):
    try:
        with Client(address, security=security, timeout=1) as client:
            print("obeyed", client.submit(sum, [1, 2]).result(timeout=2))
    except BaseException as problem:
        print("refused", type(problem).__name__)

for address in sys.argv[1:]:
    plain = address.replace("tls://", "tcp://")
    for given, security in ((plain, None), (address, None), (address, Security.temporary())):
        attempt(given, security)
"""
PAGE = "import sys, urllib.request as request; request.urlopen(sys.argv[1], timeout=5)"


def test_a_local_cluster_obeys_its_own_client_only_and_ends_with_it(tmp_path: Path) -> None:
    stranger = tmp_path / "stranger.py"
    stranger.write_text(STRANGER)
    with dask_cluster("local", 1) as pool:
        assert isinstance(pool, ClusterExecutor)
        info = pool.client.scheduler_info()
        (worker,) = info["workers"]
        assert all(address.startswith("tls://127.0.0.1:") for address in (info["address"], worker))
        output = subprocess.run(
            [sys.executable, str(stranger), info["address"], worker],
            capture_output=True,
            text=True,
            check=True,
            timeout=SECONDS,
        )
        assert re.findall("obeyed|refused", output.stdout) == ["refused"] * 6
        for path in ("info/main/workers.html", "json/counts.json"):
            page = f"http://127.0.0.1:{info['services']['dashboard']}/{path}"
            asked = subprocess.run(
                [sys.executable, "-c", PAGE, page],
                capture_output=True,
                text=True,
                check=False,
                timeout=SECONDS,
            )
            assert "HTTP Error 404" in asked.stderr, page
        assert pool.submit(pow, 2, 5).result(SECONDS) == 32, "its own client is still served"


CLIENT = """
import os, time
from levolve.jobs.cluster import dask_cluster

if __name__ == "__main__":
    with dask_cluster("local", 2) as pool:
        print(*pool.client.run(os.getpid).values(), flush=True)
        time.sleep(600)
"""


def test_the_workers_of_a_killed_client_end(tmp_path: Path) -> None:
    script = tmp_path / "client.py"
    script.write_text(CLIENT)
    process = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        workers = [int(word) for word in process.stdout.readline().split()]
        assert len(workers) == 2
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()
    wait_until(lambda: not any(is_running(worker) for worker in workers))


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{process}/stat")
    return not (status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z")


def test_a_local_cluster_needs_the_means_to_be_private(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cryptography", None)
    with (
        pytest.raises(
            MissingExtraError,
            match=r"--cluster local: requires cryptography, which is not installed",
        ),
        dask_cluster("local", 1),
    ):
        pass


def test_a_command_that_loses_its_cluster_says_how_to_resume(
    foreign: tuple[str, Any, Any],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    address, _, worker = foreign
    reach = Bar.reach

    def kill(bar: Bar, done: int, remark: str = "") -> None:
        worker.kill()
        reach(bar, done, remark)

    monkeypatch.setenv("LEVOLVE_STORE", str(tmp_path / "runs.sqlite"))
    with monkeypatch.context() as during:
        during.setattr(Bar, "reach", kill)
        compare = [
            "compare",
            "maze",
            "maze-barriers",
            "--runs",
            "3",
            "--evaluations",
            "200",
            "--size",
            "6x6",
            "-o",
            str(tmp_path / "a.json"),
        ]
        assert run([*compare, "--cluster", address]) == 1
    error = capsys.readouterr().err
    assert "has had no workers" in error
    assert "levolve resume 1" in error
    assert run(["resume", "1"]) == 0
    resumed = (tmp_path / "a.json").read_bytes()
    assert run(compare) == 0
    assert (tmp_path / "a.json").read_bytes() == resumed
