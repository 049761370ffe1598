"""Whole runs on a Dask cluster: many processes here, or many machines. The result is the same bytes as on threads.

A unit of work is a plain function call; the scheduler hands it to any worker, and again to another one if that worker dies.
"""

import logging
import pkgutil
import re
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor
from contextlib import contextmanager, suppress
from threading import Thread

from levolve.errors import InputError, LevolveError
from levolve.runs.executors import core_count
from levolve.version import VERSION

try:
    from distributed import Client, KilledWorker, LocalCluster
    from distributed.comm import CommClosedError
except ModuleNotFoundError as problem:
    if (problem.name or "").partition(".")[0] not in {"dask", "distributed"}:
        raise
    missing = "--cluster: needs dask and distributed, which are not there; install them: pip install 'levolve[cluster]'"
    raise LevolveError(missing) from problem

LOCAL = "local"
ADDRESS = re.compile(r"(tcp|tls|ws|wss)://(\[[0-9a-fA-F:]+\]|[^\s/:]+):(\d{1,5})")
HIGHEST_PORT = 65535
ANSWER_SECONDS = 3
# Workers of a scheduler that has only just begun may still be on their way.
WORKERS_SECONDS = 5
SILENT = logging.CRITICAL + 1
# Ctrl-C reaches every process at the terminal; the workers here end when we end them.
DEAF = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"


def check_address(address: str) -> None:
    """Refuse what is neither "local" nor the address of a scheduler."""
    match = ADDRESS.fullmatch(address)
    if address != LOCAL and (match is None or not 0 < int(match[3]) <= HIGHEST_PORT):
        message = f"--cluster: expected 'local' or a scheduler's address such as tcp://192.168.1.5:8786, got {address!r}"
        raise InputError(message)


@contextmanager
def dask_cluster(address: str, workers: int | None = None) -> Iterator[Executor]:
    """An executor on the cluster at an address; or on processes here, as many as asked for or as there are cores, which end with it."""
    check_address(address)
    if workers is not None and workers < 1:
        message = f"threads: expected at least 1, got {workers!r}"
        raise InputError(message)
    if address != LOCAL:
        with _quiet(), _client(address) as client, _explained(address):
            yield _executor(client)
        return
    with (
        _quiet(),
        LocalCluster(
            n_workers=workers or core_count(),
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=None,
            scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
            preload=[DEAF],
            silence_logs=SILENT,
        ) as cluster,
        Client(cluster) as client,
        _explained(LOCAL),
    ):
        yield _executor(client)


@contextmanager
def _quiet() -> Iterator[None]:
    """Nothing in the logs of Dask and what it stands on: what matters is raised."""
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in {"distributed", "tornado", "asyncio"}]
    levels = {name: logging.getLogger(name).level for name in names}
    try:
        for name in names:
            logging.getLogger(name).setLevel(SILENT)
        yield
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)


def _client(address: str) -> Client:
    """Connected to the scheduler at an address, or an error in seconds: in a thread, for who accepts and never says a word would be waited for."""
    found: list[Client] = []

    def connect() -> None:
        with suppress(Exception):  # somebody else may answer there, and cause any error
            found.append(Client(address, timeout=ANSWER_SECONDS))

    attempt = Thread(target=connect, daemon=True)
    attempt.start()
    attempt.join(2 * ANSWER_SECONDS)
    if not found:
        message = f"--cluster: no Dask scheduler answers at {address}; is one running there ('dask scheduler'), and can it be reached from here?"
        raise LevolveError(message)
    return found[0]


@contextmanager
def _explained(address: str) -> Iterator[None]:
    """What a cluster that breaks down raises, in our words."""
    try:
        yield
    except KilledWorker as problem:
        message = f"--cluster: workers of {address} died again and again over the same run; they may have too little memory for it"
        raise LevolveError(message) from problem
    except (CommClosedError, CancelledError) as problem:
        message = f"--cluster: the connection to {address} was lost before the work was done"
        raise LevolveError(message) from problem


def _executor(client: Client) -> Executor:
    """The cluster as an executor, once its workers have been looked at."""
    try:
        client.wait_for_workers(1, timeout=WORKERS_SECONDS)
    except TimeoutError as problem:
        address = client.scheduler.address
        message = f"--cluster: the scheduler at {address} has no workers; start some there: dask worker {address}"
        raise LevolveError(message) from problem
    check_versions(client)
    executor: Executor = client.get_executor(pure=False)
    return executor


def check_versions(client: Client) -> None:
    """Refuse workers with another levolve, or none: their results need not be the same bytes."""
    # A function of the standard library, for the worker need not have ours.
    answers = client.run(pkgutil.resolve_name, "levolve.version:VERSION", on_error="return")
    for worker, version in answers.items():
        if version != VERSION:
            theirs = f"levolve {version}" if isinstance(version, str) else "no levolve"
            message = f"--cluster: worker {worker} has {theirs}, this is levolve {VERSION}; install the same version there and here"
            raise LevolveError(message)
