"""`resume`: continue a stored job, as if it had never stopped."""

import warnings
from concurrent.futures import Executor
from contextlib import closing
from typing import TYPE_CHECKING, Any, TypeVar, overload

from levolve.core.arguments import EXECUTOR, named_arguments
from levolve.core.errors import InputError, LevolveError, StoreError
from levolve.core.events import Watch
from levolve.core.plugins import named_plugins
from levolve.core.registry import Registry
from levolve.core.safe_text import printable
from levolve.jobs.checkpoints import JobRunner
from levolve.jobs.executors import ExecutorSource, work_pool
from levolve.jobs.job import Job
from levolve.jobs.store.places import StoreSource, open_store
from levolve.jobs.store.records import DONE, StoredRun
from levolve.jobs.store.store import LAST, Store
from levolve.version import difference

if TYPE_CHECKING:
    from levolve.jobs.runs.run import Run

Found = TypeVar("Found")

# The jobs that can be stored, by the command that makes them.
JOBS: Registry[type[Job[Any]]] = Registry(
    "kind of job",
    {
        "evolve": "levolve.jobs.runs.run:Run",
        "evolve-content": "levolve.jobs.runs.run:ContentRun",
        "pack": "levolve.jobs.packs.pack_job:PackJob",
        "mixed-pack": "levolve.jobs.packs.pack_job:PackJob",
        "puzzle-pack": "levolve.jobs.packs.pack_job:PackJob",
        "illuminate": "levolve.jobs.archives.illuminate:Illumination",
        "compare": "levolve.jobs.studies.comparison_job:ComparisonJob",
        "compare-sizes": "levolve.jobs.studies.comparison_job:SizesJob",
        "compare-illuminations": "levolve.jobs.studies.comparison_job:IlluminationsJob",
        "range": "levolve.jobs.studies.range_sampling:RangeJob",
        "meta": "levolve.jobs.studies.tune:MetaEvolution",
        "solve": "levolve.jobs.runs.solver_job:SolverJob",
        "map": "levolve.jobs.runs.world_jobs:MapJob",
    },
    "levolve.jobs",
    classes="levolve.jobs.job:Job",
)


@overload
def resume(
    which: int | str = LAST,
    *,
    store: StoreSource = True,
    executor: ExecutorSource | None = None,
    watch: Watch | None = None,
) -> "Run | Any": ...


@overload
def resume(
    which: int | str,
    kind: type[Found],
    *,
    store: StoreSource = True,
    executor: ExecutorSource | None = None,
    watch: Watch | None = None,
) -> Found: ...


@named_arguments(EXECUTOR)
def resume(
    which: int | str = LAST,
    kind: type[Any] = object,
    *,
    store: StoreSource = True,
    executor: ExecutorSource | None = None,
    watch: Watch | None = None,
) -> Any:
    """Continue a stored job to its end, and return its result: the same bytes as if it had never
    stopped.

    The result of a job that has ended is computed from its last state, without searching again.

    Parameters
    ----------
    which
        The number of the job, or "last" for the one that was updated last.
    kind
        The class of the result, such as `levolve.Pack`: a job with any other is refused, and type
        checkers know what is returned.
    store
        A path, a `Store`, or True for the user's own.
    executor
        Where the job is carried out; see `levolve.evolve`. Does not change the result.
    watch
        A callback for the events of the job.
    """
    opened = open_store(True if store is None else store, create=False)
    if opened is None:
        raise InputError("store: expected a path, a store, or True for the user's own, got False")
    try:
        record = opened.find(which)
        with work_pool(executor=executor) as pool:
            runner = reopen(opened, record, pool)
            with closing(runner.events()) as events:
                for event in events:
                    if watch is not None:
                        watch(event)
            result = runner.job.result
        if not isinstance(result, kind):
            raise InputError(
                f"run {record.id}: expected a job whose result is a {kind.__name__}, got one of "
                f"{type(result).__name__}"
            )
        return result
    finally:
        if opened is not store:
            opened.close()


def reopen(store: Store, record: StoredRun, executor: Executor | None = None) -> JobRunner:
    """Build a job again from its record and its last state. This process becomes the one that
    carries it out, unless it is done.
    """
    if record.call is None:
        raise InputError(
            f"run {record.id}: it cannot be continued by another process, because it uses a "
            "Python function that is not part of a plug-in"
        )
    job = _job(record, executor)
    if changes := difference(record.version, record.engine):
        warnings.warn(printable(f"run {record.id}: {changes}"), stacklevel=2)
    record = store.claim(record.id)
    try:
        _restore(job, store, record)
    except BaseException:
        store.release(record)
        raise
    return JobRunner(
        job, store, record.options, run=record.id, spent=record.seconds, ended=record.status == DONE
    )


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
        raise LevolveError(
            f"run {record.id} cannot be continued: {_reason(problem)}{hint}"
        ) from problem


def _restore(job: Job[Any], store: Store, record: StoredRun) -> None:
    state = store.state(record.id)
    try:
        job.restore(state)
    except Exception as problem:
        # A state may hold anything, too.
        raise StoreError(
            f"run {record.id}: its checkpoint does not fit it: {_reason(problem)}"
        ) from problem


def _reason(problem: Exception) -> str:
    own = isinstance(problem, LevolveError)
    return (
        str(problem) if own else f"its stored data is damaged ({type(problem).__name__}: {problem})"
    )
