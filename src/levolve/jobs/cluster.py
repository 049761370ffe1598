"""Runs on a Dask cluster: many local processes, or many machines. The result is the same bytes as
with threads.

A unit of work is a plain function call. The scheduler assigns it to a worker, and to another one if
that worker dies. The processes of a local cluster talk by TLS with a key that exists only for this
cluster and only in their memory, so that no other process can send them work.

An executor on a Dask cluster that fails if the cluster is lost, instead of waiting for ever.

Dask keeps work for workers that may come back. Nobody knows whether they will, so after half a
minute without any worker, or without an answer of the scheduler, the work that is under way fails
with an error.
"""

import logging
import pkgutil
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future, InvalidStateError
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread
from typing import Any, ParamSpec, TypeVar

from levolve.core.errors import InputError, LevolveError, MissingExtraError, PluginError
from levolve.core.plugins import load_plugin, named_plugins, present_plugins, present_version
from levolve.search.evaluation import core_count
from levolve.version import VERSION

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

POLL_SECONDS = 2.0
ANSWER_SECONDS = 5.0
LOST_SECONDS = 30.0
# A single late answer says nothing: this process may have been busy itself.
LEAST_FAULTS = 3


class ClusterExecutor(Executor):
    """The workers of a Dask client as an executor. A context manager, which stops watching the
    cluster on exit.
    """

    def __init__(
        self, client: Any, address: str, explanation: Callable[[BaseException, str], BaseException]
    ) -> None:
        """Begin to watch the cluster; `address` names it in messages, and `explanation` converts
        the errors of Dask.
        """
        self.client = client
        self.workers = sum(client.nthreads().values())
        self._address = address
        self._explanation = explanation
        self._executor: Executor = client.get_executor(pure=False)
        self._pending: set[Future[Any]] = set()
        self._lock = Lock()
        self._lost: BaseException | None = None
        self._closed = Event()
        self._watch = Thread(target=self._keep_watching, name="levolve-cluster", daemon=True)
        self._watch.start()

    def submit(
        self,
        fn: Callable[Parameters, Result],
        /,
        *args: Parameters.args,
        **kwargs: Parameters.kwargs,
    ) -> Future[Result]:
        """Send a call to a worker."""
        with self._lock:
            if self._lost is not None:
                raise self._lost
            task = self._executor.submit(fn, *args, **kwargs)
            future: Future[Result] = Future()
            self._pending.add(future)
        future.add_done_callback(self._pending.discard)
        future.add_done_callback(lambda done: done.cancelled() and task.cancel())
        task.add_done_callback(lambda done: self._pass_on(done, future))
        return future

    def _pass_on(self, task: Future[Result], future: Future[Result]) -> None:
        """Give the outcome of a task of Dask to the future that the caller has."""
        if future.done():
            return
        if task.cancelled():
            # Not by the caller, so the connection to the scheduler is lost.
            self._give_up(self._explanation(CancelledError(), self._address))
            return
        problem = task.exception()
        with suppress(InvalidStateError):  # cancelled or given up in this moment
            if problem is None:
                future.set_result(task.result())
            else:
                future.set_exception(self._explanation(problem, self._address))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002 the signature of the base class
        """Stop watching the cluster, and cancel what is under way."""
        self._closed.set()
        for future in list(self._pending):
            future.cancel()
        self._watch.join()

    def _keep_watching(self) -> None:
        since, faults = 0.0, 0
        while not self._closed.wait(POLL_SECONDS):
            fault = self._fault() if self._pending else ""
            if not fault:
                faults = 0
                continue
            since = since if faults else time.monotonic()
            faults += 1
            if faults >= LEAST_FAULTS and time.monotonic() - since >= LOST_SECONDS:
                message = (
                    f"--cluster: {fault} for {LOST_SECONDS:g} seconds; unfinished units of work: "
                    f"{len(self._pending)}"
                )
                self._give_up(LevolveError(message))
                return

    def _fault(self) -> str:
        """Return what is wrong with the cluster; empty if it has workers."""
        try:
            workers = self.client.sync(
                self.client.scheduler.ncores, callback_timeout=ANSWER_SECONDS
            )
        except Exception:  # noqa: BLE001 whatever goes wrong, there was no answer
            return f"the scheduler of {self._address} has not answered"
        return "" if workers else f"{self._address} has had no workers"

    def _give_up(self, problem: BaseException) -> None:
        """Let all work that is under way fail, and all that follows."""
        with self._lock:
            self._lost = problem
            pending = list(self._pending)
        for future in pending:
            with suppress(InvalidStateError):
                future.set_exception(problem)


try:
    import dask
    from distributed import Client, KilledWorker, LocalCluster, Security
    from distributed.comm import CommClosedError
except ModuleNotFoundError as problem:
    if (problem.name or "").partition(".")[0] not in {"dask", "distributed"}:
        raise
    raise MissingExtraError(
        what="--cluster", modules=("dask", "distributed"), extra="cluster"
    ) from problem

LOCAL = "local"
ADDRESS = re.compile(r"(tcp|tls|ws|wss)://(\[[0-9a-fA-F:]+\]|[^\s/:]+):(\d{1,5})")
HIGHEST_PORT = 65535
CLUSTER_SECONDS = 3
# Workers of a scheduler that has just started may not be connected yet.
WORKERS_SECONDS = 5
SILENT = logging.CRITICAL + 1
# Ctrl-C is sent to every process of the terminal; local workers ignore it and end with this
# process. Its warnings are not repeated by each of them.
DEAF = (
    "import signal, warnings\nsignal.signal(signal.SIGINT, "
    "signal.SIG_IGN)\nwarnings.simplefilter('ignore')\n"
)
# No pages about the cluster: they would be open to every process of this machine.
NO_PAGES: dict[str, list[str]] = {
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
}


def check_address(address: str) -> None:
    """Raise `InputError` unless this is "local" or the address of a scheduler."""
    match = ADDRESS.fullmatch(address)
    if address != LOCAL and (match is None or not 0 < int(match[3]) <= HIGHEST_PORT):
        raise InputError(
            "--cluster: expected 'local' or a scheduler's address such as "
            f"tcp://192.168.1.5:8786, got {address!r}"
        )


@contextmanager
def dask_cluster(address: str, workers: int | None = None) -> Iterator[Executor]:
    """Return an executor on the cluster at an address, or on local processes, by default one per
    core, which end with the context.
    """
    check_address(address)
    if workers is not None and workers < 1:
        raise InputError(f"threads: expected at least 1, got {workers!r}")
    if address != LOCAL:
        with (
            _quiet(),
            _client(address) as client,
            _explained(address),
            _executor(client, address) as executor,
        ):
            yield executor
        return
    security = _own_security()
    with (
        _quiet(),
        dask.config.set(NO_PAGES),
        LocalCluster(
            n_workers=workers or core_count(),
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=None,
            scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
            preload=[DEAF],
            protocol="tls",
            security=security,
            silence_logs=SILENT,
        ) as cluster,
        Client(cluster, security=security) as client,
        _explained(LOCAL),
        _executor(client, "the local cluster") as executor,
    ):
        yield executor


def _own_security() -> Security:
    """Return a new key that only the processes of one cluster have."""
    try:
        return Security.temporary()
    except ImportError as problem:
        raise MissingExtraError(
            what="--cluster local", modules=("cryptography",), extra="cluster"
        ) from problem


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence the logs of Dask and its libraries; relevant errors are raised."""
    names = [
        name
        for name in logging.root.manager.loggerDict
        if name.partition(".")[0] in {"distributed", "tornado", "asyncio"}
    ]
    levels = {name: logging.getLogger(name).level for name in names}
    try:
        for name in names:
            logging.getLogger(name).setLevel(SILENT)
        yield
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)


def _client(address: str) -> Client:
    """Connect to the scheduler at an address, or raise an error after some seconds. In a thread,
    because a silent server would block forever.
    """
    found: list[Client] = []

    def connect() -> None:
        with suppress(Exception):  # another program may answer, and cause any error
            found.append(Client(address, timeout=CLUSTER_SECONDS))

    attempt = Thread(target=connect, daemon=True)
    attempt.start()
    attempt.join(2 * CLUSTER_SECONDS)
    if not found:
        raise LevolveError(
            f"--cluster: no Dask scheduler answers at {address}; check that one is running "
            "('dask scheduler') and reachable from this machine"
        )
    return found[0]


@contextmanager
def _explained(address: str) -> Iterator[None]:
    """Convert the errors of a failed cluster into our own."""
    try:
        yield
    except Exception as problem:
        explained = explanation(problem, address)
        if explained is problem:
            raise
        raise explained from problem


def explanation(problem: BaseException, address: str) -> BaseException:
    """Return our own error for one that a failed cluster causes; any other error itself."""
    match problem:
        case KilledWorker():
            return LevolveError(
                f"--cluster: workers of {address} died repeatedly during the same run; they "
                "may have too little memory"
            )
        case CommClosedError() | CancelledError():
            return LevolveError(
                f"--cluster: the connection to the scheduler of {address} was lost before "
                "the work was done"
            )
    return problem


def _executor(client: Client, address: str) -> ClusterExecutor:
    """Return the cluster as an executor, after checking its workers."""
    try:
        client.wait_for_workers(1, timeout=WORKERS_SECONDS)
    except TimeoutError as problem:
        raise LevolveError(
            f"--cluster: the scheduler at {address} has no workers; start some there: dask "
            f"worker {address}"
        ) from problem
    check_versions(client)
    return ClusterExecutor(client, address, explanation)


def check_versions(client: Client) -> None:
    """Raise an error for workers without levolve or with another version: their results may
    differ.
    """
    # A function of the standard library, because the worker may not have ours.
    answers = client.run(pkgutil.resolve_name, "levolve.version:VERSION", on_error="return")
    for worker, version in answers.items():
        if version != VERSION:
            theirs = f"levolve {version}" if isinstance(version, str) else "no levolve"
            raise LevolveError(
                f"--cluster: worker {worker} has {theirs}, but this machine has levolve "
                f"{VERSION}; install the same version on both"
            )
    check_plugins(client)


def check_plugins(client: Client) -> None:
    """Load the modules named by `--plugin` on the workers too, and raise an error if a worker's
    plug-ins differ from those of this process.
    """
    for plugin in named_plugins():
        for worker, problem in client.run(load_plugin, plugin, on_error="return").items():
            if isinstance(problem, Exception):
                raise PluginError(
                    f"--cluster: worker {worker}: {problem}; make the plug-in available there "
                    "under the same path or module name"
                )
    for plugin, version in present_plugins().items():
        for worker, theirs in client.run(present_version, plugin, on_error="return").items():
            if theirs != version:
                found = f"{plugin} {theirs}" if isinstance(theirs, str) else f"no plug-in {plugin}"
                raise PluginError(
                    f"--cluster: worker {worker} has {found}, but this machine has {plugin} "
                    f"{version}; install the same version on both"
                )
