"""An executor on a Dask cluster that fails if the cluster is lost, instead of waiting for ever.

Dask keeps work for workers that may come back. Nobody knows whether they will, so after half a minute without any worker, or without an answer of the
scheduler, the work that is under way fails with an error.
"""

import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future, InvalidStateError
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import Any, ParamSpec, TypeVar

from levolve.errors import LevolveError

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

POLL_SECONDS = 2.0
ANSWER_SECONDS = 5.0
LOST_SECONDS = 30.0
# A single late answer says nothing: this process may have been busy itself.
LEAST_FAULTS = 3


class ClusterExecutor(Executor):
    """The workers of a Dask client as an executor. A context manager, which stops watching the cluster on exit."""

    def __init__(self, client: Any, address: str, explanation: Callable[[BaseException, str], BaseException]) -> None:  # noqa: ANN401 distributed has no types
        """Begin to watch the cluster; `address` names it in messages, and `explanation` converts the errors of Dask."""
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

    def submit(self, fn: Callable[Parameters, Result], /, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Future[Result]:
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

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002 the signature of the base class
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
                message = f"--cluster: {fault} for {LOST_SECONDS:g} seconds; unfinished units of work: {len(self._pending)}"
                self._give_up(LevolveError(message))
                return

    def _fault(self) -> str:
        """Return what is wrong with the cluster; empty if it has workers."""
        try:
            workers = self.client.sync(self.client.scheduler.ncores, callback_timeout=ANSWER_SECONDS)
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
