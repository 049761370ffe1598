"""Executors: threads, a cluster, or any other `concurrent.futures.Executor`. The result does not
depend on the executor.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from threading import Event
from typing import Any, Generic, ParamSpec, TypeVar

from levolve.core import stopping
from levolve.core.errors import InputError, shown
from levolve.search.evaluation import core_count

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

# A unit of work is not worth another thread if the last ones, so many of them, took less than so
# many seconds on average. The time of a unit is its processor time, or this share of the time by
# the clock if that is more, for units that wait for something.
RECENT, SHORT, CLOCK_SHARE = 8, 0.002, 0.2

# The default `stop` of jobs: whether the pool of this thread is shutting down, for example after an
# interrupt.
stop_requested = stopping.stop_requested


class SerialExecutor(Executor):
    """Executes work immediately, in the calling thread."""

    workers = 1

    def submit(
        self,
        fn: Callable[Parameters, Result],
        /,
        *args: Parameters.args,
        **kwargs: Parameters.kwargs,
    ) -> Future[Result]:
        """Call the function, and return its result in a future."""
        future: Future[Result] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as problem:  # noqa: BLE001 the future passes on any error
            future.set_exception(problem)
        return future

    def map(
        self,
        fn: Callable[..., Result],
        *iterables: Iterable[Any],
        timeout: float | None = None,
        chunksize: int = 1,
    ) -> Iterator[Result]:
        """Compute each result on demand, so that progress can be shown."""
        return (fn(*arguments) for arguments in zip(*iterables, strict=False))


class Threads(ThreadPoolExecutor):
    """A thread pool whose work can be stopped between two generations."""

    def __init__(self, workers: int) -> None:
        """Start without threads."""
        self.stopping = Event()
        super().__init__(
            workers,
            thread_name_prefix="levolve",
            initializer=stopping.belong_to,
            initargs=(self.stopping,),
        )
        self.workers = workers


@contextmanager
def thread_pool(count: int | None = None) -> Iterator[Executor]:
    """Return an executor of `count` threads; by default one per core that this process may use."""
    if count is None:
        count = core_count()
    if not isinstance(count, int) or count < 1:
        raise InputError(f"threads: expected at least 1, got {count!r}")
    if count == 1:
        yield SerialExecutor()
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
def process_pool(count: int) -> Iterator[Executor]:
    """Return an executor of `count` other processes, for functions in Python that take long. They
    load the plug-ins of this one.
    """
    if not isinstance(count, int) or count < 1:
        raise InputError(f"processes: expected at least 1, got {count!r}")
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # Spawned processes inherit neither threads nor locks.
    pool = ProcessPoolExecutor(count, get_context("spawn"))
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


# Where work is done: a number of threads; "processes:N" or "processes"; "local", "local:N" or the
# address of a Dask cluster; or any executor.
ExecutorSource = int | str | Executor
PROCESSES, LOCAL = "processes", "local"


@contextmanager
def work_pool(
    threads: int | None = None,
    cluster: str | None = None,
    executor: ExecutorSource | None = None,
    *,
    processes: int | None = None,
) -> Iterator[Executor]:
    """Return an executor for complete runs: the given one, processes, the workers of a cluster
    ("local" or an address), or threads.
    """
    if isinstance(executor, Executor):
        yield executor
        return
    if executor is not None:
        threads, processes, cluster = read_executor(executor)
    if processes is not None:
        with process_pool(processes) as pool:
            yield pool
    elif cluster is None:
        with thread_pool(threads) as pool:
            yield pool
    else:
        from levolve.jobs.cluster import dask_cluster

        with dask_cluster(cluster, threads) as pool:
            yield pool


def read_executor(source: object) -> tuple[int | None, int | None, str | None]:
    """Return the numbers of threads and of processes and the cluster that an `executor` names."""
    if isinstance(source, int) and not isinstance(source, bool) and source > 0:
        return source, None, None
    if isinstance(source, str):
        kind, colon, number = source.partition(":")
        count = int(number) if number.isascii() and number.isdigit() else None
        if kind in {PROCESSES, LOCAL} and (count is None) == (not colon) and count != 0:
            return (
                (None, count or core_count(), None) if kind == PROCESSES else (count, None, LOCAL)
            )
        if "://" in source:
            return None, None, source
    raise InputError(
        "executor: expected a number of threads of at least 1, 'processes:N', 'local', the "
        "address of a Dask cluster such as "
        f"tcp://HOST:PORT, or a concurrent.futures.Executor, got {shown(source)}"
    )


def shares_memory(executor: Executor) -> bool:
    """Whether an executor computes in this process, so that what it is given is neither copied nor
    sent.
    """
    return isinstance(executor, SerialExecutor | ThreadPoolExecutor)


class Submissions(Generic[Result]):
    """Units of work for an executor: more can be submitted at any time, also while results are
    taken.

    Units that take less than `SHORT` seconds are not given to other threads: about half of such a
    unit is Python, which threads execute one at a time, and waking a thread takes up to a tenth of
    a unit.
    """

    def __init__(self, executor: Executor, function: Callable[..., Result]) -> None:
        """Begin without a unit."""
        self._executor = executor
        self._function = function
        # The units that this thread computes when their results are taken.
        self._waiting: deque[tuple[int, tuple[Any, ...]]] = deque()
        # The time of the last units.
        self._seconds: deque[float] = deque(maxlen=RECENT)
        self._places: dict[Future[Result], int] = {}
        self._finished: SimpleQueue[Future[Result]] = SimpleQueue()

    def submit(self, place: int, unit: tuple[Any, ...]) -> None:
        """Let the executor compute a unit, or this thread when a result is taken."""
        if self._stays_here:
            self._waiting.append((place, unit))
        else:
            self._give_away(place, unit)

    def take(self) -> tuple[int, Result]:
        """Return the place and the result of the next unit that finishes. At least one must be
        under way.
        """
        while self._waiting and not self._stays_here:
            self._give_away(*self._waiting.popleft())
        try:
            future = self._finished.get(block=not self._waiting)
        except Empty:
            place, unit = self._waiting.popleft()
            return place, self._compute(*unit)
        return self._places.pop(future), future.result()

    @property
    def _stays_here(self) -> bool:
        """Whether this thread computes the next unit."""
        return isinstance(self._executor, SerialExecutor) or (
            len(self._seconds) == RECENT and sum(self._seconds) < RECENT * SHORT
        )

    def _give_away(self, place: int, unit: tuple[Any, ...]) -> None:
        """Let the executor compute a unit. Another process gets nothing but the function."""
        future = self._executor.submit(
            self._compute if shares_memory(self._executor) else self._function, *unit
        )
        self._places[future] = place
        future.add_done_callback(self._finished.put)

    def _compute(self, *unit: Any) -> Result:
        """Compute a unit, and note how long it takes."""
        began, clock = time.thread_time(), time.perf_counter()
        result = self._function(*unit)
        self._seconds.append(
            max(time.thread_time() - began, CLOCK_SHARE * (time.perf_counter() - clock))
        )
        return result

    def cancel(self) -> None:
        """Cancel the units that have not started."""
        for future in self._places:
            future.cancel()


@contextmanager
def submissions(
    executor: Executor, function: Callable[..., Result]
) -> Iterator[Submissions[Result]]:
    """Return an empty list of units of work. Those that have not started on exit are cancelled."""
    work = Submissions(executor, function)
    try:
        yield work
    finally:
        work.cancel()
