"""`resume`: continue a stored job, as if it had never stopped."""

import warnings
from concurrent.futures import Executor
from contextlib import closing
from typing import Any

from levolve.errors import InputError, LevolveError, StoreError
from levolve.events import Watch
from levolve.plugins import named_plugins
from levolve.printable import printable
from levolve.registry import Registry
from levolve.runs.checkpoints import Keeper
from levolve.runs.executors import work_pool
from levolve.runs.jobs import Job
from levolve.runs.store.places import StoreSource, open_store
from levolve.runs.store.records import DONE, StoredRun
from levolve.runs.store.store import LAST, Store
from levolve.version import difference

# The jobs that can be stored, by the command that makes them.
JOBS: Registry[type[Job[Any]]] = Registry(
    "kind of job",
    {
        "evolve": "levolve.runs.run:Run",
        "evolve-content": "levolve.runs.content_run:ContentRun",
        "pack": "levolve.packs.builder:PackBuilder",
        "mixed-pack": "levolve.packs.mixed:MixedPackBuilder",
        "puzzle-pack": "levolve.packs.puzzle_builder:PuzzlePackBuilder",
        "illuminate": "levolve.archives.illumination:Illumination",
        "compare": "levolve.studies.comparing:ComparisonJob",
        "compare-sizes": "levolve.studies.sizes:SizesJob",
        "compare-illuminations": "levolve.studies.illuminations:IlluminationsJob",
        "range": "levolve.studies.ranging:RangeJob",
        "meta": "levolve.studies.tuning:MetaEvolution",
        "solve": "levolve.runs.solving:SolverJob",
        "map": "levolve.runs.mapping:MapJob",
    },
    "levolve.jobs",
    classes="levolve.runs.jobs:Job",
)


def resume(
    which: int | str = LAST,
    *,
    store: StoreSource = True,
    threads: int | None = None,
    executor: Executor | None = None,
    watch: Watch | None = None,
) -> Any:  # noqa: ANN401 the result of the job: a run, a pack, a comparison …
    """Continue a stored job to its end, and return its result: the same bytes as if it had never stopped.

    The result of a job that has ended is computed from its last state, without searching again.

    Parameters
    ----------
    which
        The number of the job, or "last" for the one that was updated last.
    store
        A path, a `Store`, or True for the user's own.
    threads
        The number of threads, 1 or more; by default one per core. Does not change the result.
    executor
        Any `concurrent.futures.Executor`, used instead of threads.
    watch
        A callback for the events of the job.
    """
    opened = open_store(True if store is None else store, create=False)
    if opened is None:
        message = "store: expected a path, a store, or True for the user's own, got False"
        raise InputError(message)
    try:
        record = opened.find(which)
        with work_pool(threads, executor=executor) as pool:
            keeper = reopen(opened, record, pool)
            with closing(keeper.events()) as events:
                for event in events:
                    if watch is not None:
                        watch(event)
            return keeper.job.result
    finally:
        if opened is not store:
            opened.close()


def reopen(store: Store, record: StoredRun, executor: Executor | None = None) -> Keeper:
    """Build a job again from its record and its last state. This process becomes the one that carries it out, unless it is done."""
    if record.call is None:
        message = f"run {record.id}: it cannot be continued by another process, because it uses a Python function that is not part of a plug-in"
        raise InputError(message)
    job = _job(record, executor)
    if changes := difference(record.version, record.engine):
        warnings.warn(printable(f"run {record.id}: {changes}"), stacklevel=2)
    record = store.claim(record.id)
    try:
        _restore(job, store, record)
    except BaseException:
        store.release(record)
        raise
    return Keeper(job, store, record.options, run=record.id, spent=record.seconds, ended=record.status == DONE)


def stored_job(store: Store, record: StoredRun) -> Job[Any]:
    """Return a job as of its last checkpoint, to be looked at; it stays that of its process."""
    job = _job(record, None)
    _restore(job, store, record)
    return job


def _job(record: StoredRun, executor: Executor | None) -> Job[Any]:
    try:
        return JOBS[record.kind].from_call(record.call or {}, executor)
    except Exception as problem:
        # A call may hold anything: it may be damaged, or from another version.
        absent = [plugin for plugin in record.plugins if plugin not in named_plugins()]
        hint = f"; it was begun with a plug-in: add --plugin {absent[0]}" if absent else ""
        message = f"run {record.id} cannot be continued: {_reason(problem)}{hint}"
        raise LevolveError(message) from problem


def _restore(job: Job[Any], store: Store, record: StoredRun) -> None:
    state = store.state(record.id)
    try:
        job.restore(state)
    except Exception as problem:
        # A state may hold anything, too.
        message = f"run {record.id}: its checkpoint does not fit it: {_reason(problem)}"
        raise StoreError(message) from problem


def _reason(problem: Exception) -> str:
    own = isinstance(problem, LevolveError)
    return str(problem) if own else f"its stored data is damaged ({type(problem).__name__}: {problem})"
