"""Who does the work: a pool of threads that run kernels on slices. The result does not depend on how many there are."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from threading import Event, local
from typing import Any, ParamSpec, TypeVar

from levolve.errors import InputError

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


class Here(Executor):
    """Does the work at once, in the thread that asks."""

    workers = 1

    def submit(self, fn: Callable[Parameters, Result], /, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Future[Result]:
        """Call the function and give what came of it."""
        future: Future[Result] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as problem:  # noqa: BLE001 the future hands it on, whatever it is
            future.set_exception(problem)
        return future

    def map(self, fn: Callable[..., Result], *iterables: Iterable[Any], timeout: float | None = None, chunksize: int = 1) -> Iterator[Result]:  # noqa: ARG002 the base class's call
        """Each result when it is asked for, so that progress can be shown."""
        return (fn(*arguments) for arguments in zip(*iterables, strict=False))


_of_this_thread = local()


class Threads(ThreadPoolExecutor):
    """A pool that knows how many threads it has, and can tell them to stop."""

    def __init__(self, workers: int) -> None:
        """Start with no thread running."""
        self.stopping = Event()
        super().__init__(workers, thread_name_prefix="levolve", initializer=_belong_to, initargs=(self.stopping,))
        self.workers = workers


def _belong_to(stopping: Event) -> None:
    _of_this_thread.stopping = stopping


def stop_if_told() -> None:
    """End the work of a thread whose pool is being given up, as after an interrupt; long work asks between its steps."""
    stopping: Event | None = getattr(_of_this_thread, "stopping", None)
    if stopping is not None and stopping.is_set():
        raise CancelledError


def core_count() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def thread_pool(count: int | None = None) -> Iterator[Executor]:
    """An executor of `count` threads; by default as many as this process may use cores."""
    if count is None:
        count = core_count()
    if not isinstance(count, int) or count < 1:
        message = f"threads: expected at least 1, got {count!r}"
        raise InputError(message)
    if count == 1:
        yield Here()
        return
    pool = Threads(count)
    try:
        yield pool
    except BaseException:
        pool.stopping.set()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def work_pool(threads: int | None = None, cluster: str | None = None) -> Iterator[Executor]:
    """An executor for whole runs: threads of this process, or the workers of a cluster, "local" or at an address."""
    if cluster is None:
        with thread_pool(threads) as pool:
            yield pool
        return
    from levolve.runs.cluster import dask_cluster  # noqa: PLC0415 an extra that need not be installed

    with dask_cluster(cluster, threads) as pool:
        yield pool


@contextmanager
def as_they_finish(executor: Executor, function: Callable[..., Result], units: Sequence[tuple[Any, ...]]) -> Iterator[Iterator[tuple[int, Result]]]:
    """The units' places and results, each as soon as it is there, in any order. What is still waiting on leaving is not begun."""
    if isinstance(executor, Here):
        yield ((place, function(*unit)) for place, unit in enumerate(units))
        return
    places = {executor.submit(function, *unit): place for place, unit in enumerate(units)}
    try:
        yield ((places[future], future.result()) for future in as_completed(places))
    finally:
        for future in places:
            future.cancel()


def worker_count(executor: Executor) -> int:
    """How many slices an executor can work on at once."""
    return int(getattr(executor, "workers", 1))


def slices(length: int, parts: int) -> Iterable[slice]:
    """`length` things in at most `parts` even slices."""
    parts = max(1, min(parts, length))
    return (slice(length * k // parts, length * (k + 1) // parts) for k in range(parts))
