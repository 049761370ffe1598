"""Checkpoints: the events of a job, while its state is written to a store every few seconds, at the
end, and when it is interrupted.
"""

import shlex
import time
import warnings
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import CancelledError
from contextlib import closing
from typing import Any

from levolve.core.errors import LevolveError, StoreError
from levolve.core.events import Event, Watch
from levolve.jobs.job import Figures, Job, JobOutcome, Result, State
from levolve.jobs.store.codec import encode_state
from levolve.jobs.store.places import (
    StoreSource,
    Storing,
    checkpoint_seconds,
    default_path,
    open_store,
)
from levolve.jobs.store.records import DONE, FAILED, RUNNING, STOPPED, Entry
from levolve.jobs.store.store import Store
from levolve.search.loop import GenerationScored, never

# The first checkpoint is written after a second: shorter jobs are written once, at the end.
FIRST_SECONDS = 1.0
# A checkpoint takes at most this share of the time.
SHARE = 0.02
# The store has every generation of a history up to the first number, every tenth up to the second,
# and so on; and every improvement.
SPACINGS = ((1_000, 1), (10_000, 10), (100_000, 100), (1_000_000, 1_000))
WIDEST = 10_000


class JobRunner:
    """Carries out a job and stores it.

    Parameters
    ----------
    job
        What to carry out.
    storing
        Where; a store that was not requested is opened with the first checkpoint, and left out with
        a warning if that fails.
    options
        What a command does with the result, JSON-compatible; paths are stored as absolute ones.
    every
        The least number of seconds between two checkpoints, more where writing one takes long; by
        default `checkpoint_seconds()`. 0 means after every event.
    interrupted
        Called after each event; if it returns True, a checkpoint is written and KeyboardInterrupt
        raised.
    run, spent, ended
        The number of a stored job that is continued, the seconds that it has taken before, and
        whether it has ended: then nothing is written.
    """

    def __init__(
        self,
        job: Job[Any],
        storing: Storing | Store,
        options: Mapping[str, Any] | None = None,
        *,
        every: float | None = None,
        interrupted: Callable[[], bool] = never,
        run: int | None = None,
        spent: float = 0.0,
        ended: bool = False,
    ) -> None:
        """Open the store, if it was requested; nothing is written yet."""
        self.job = job
        self.options: Mapping[str, Any] = options or {}
        self.every = checkpoint_seconds() if every is None else every
        self.interrupted = interrupted
        self.run = run
        self._storing = (
            storing if isinstance(storing, Storing) else Storing(storing.path, requested=True)
        )
        self._store = (
            storing
            if isinstance(storing, Store)
            else Store(self._storing.path)
            if self._storing.requested and self._storing.path
            else None
        )
        self._borrowed = isinstance(storing, Store)
        self._spent = spent
        self._ended = ended
        self._began = time.perf_counter()
        self._figures: list[Figures] = []
        self._skipped: Event | None = None
        # Whether the job is between two events, where its state is complete.
        self._between = True

    @property
    def is_stored(self) -> bool:
        """Whether the job is in a store."""
        return self.run is not None

    @property
    def remark(self) -> str:
        """How to continue the job, as the end of a message."""
        if self.run is None:
            return "nothing was stored"
        place = (
            f" --store {shlex.quote(str(self._storing.path))}"
            if self._storing.path != default_path()
            else ""
        )
        return f"continue with: levolve resume {self.run}{place}"

    def partial_result(self, write: Callable[[Job[Any]], list[str]]) -> list[str]:
        """Call a function with the job as far as it has come, and return its sentences. If it
        stopped within a step, its last checkpoint counts.
        """
        if self._ended:
            return []
        job = self.job
        try:
            if not self._between:
                if self.run is None or self._storing.path is None:
                    return []
                with Store(self._storing.path) as store:
                    job = self._rebuilt(store.state(self.run))
            return write(job)
        except LevolveError as problem:
            return [f"the result so far was not written: {problem}"]

    def begin(self) -> int:
        """Store the job before its first event, and return its number; raises `StoreError` if that
        fails.
        """
        self._store = self._opened()
        if self._store is None:
            raise StoreError("store: expected a store to begin a job in, got none")
        if self.run is None:
            self.run = self._store.add(
                self.job, self.options, self._entry(RUNNING, self._spent, None)
            )
        return self.run

    def checkpoint(self) -> None:
        """Write a checkpoint now, between two events."""
        self._save(RUNNING)

    def events(self) -> Generator[Event, None, None]:
        """Yield the events of the job, and write checkpoints between them."""
        if self._ended:
            yield from self.job.events()
            return
        self._began = time.perf_counter()
        due = self._began + min(FIRST_SECONDS, self.every)
        if self.every == 0 or (self.job.is_remote and not self.is_stored):
            # Work of other processes may take long, and be lost with this one, before it answers.
            self._save(RUNNING)
        try:
            self._between = False
            for event in self.job.events():
                self._between = True
                self._record(event)
                if not self.interrupted() and time.perf_counter() >= due:
                    due = time.perf_counter() + self._save(RUNNING)
                yield event
                # After the event was seen: the state includes it, and a resumed job does not repeat
                # it.
                if self.interrupted():
                    raise KeyboardInterrupt  # noqa: TRY301 the handler below stores the state
                self._between = False
            self._between = True
        except BaseException as problem:
            self._stopped(problem)
            raise
        if self._skipped is not None:
            self._add(self._skipped)
        self._ended = not self.job.is_stopped
        self._save(DONE if self._ended else STOPPED)
        self.close()

    def close(self) -> None:
        """Close the store, unless it belongs to the caller."""
        if self._store is not None and not self._borrowed:
            self._store.close()
            self._store = None

    def _record(self, event: Event) -> None:
        """Add an event to the history, unless it is one of many generations."""
        if isinstance(event, GenerationScored):
            if not event.improved and event.generation % _spacing(event.generation):
                self._skipped = event
                return
            self._skipped = None
        self._add(event)

    def _add(self, event: Event) -> None:
        figures = self.job.figures(event)
        if figures is not None:
            self._figures.append(figures)

    def _stopped(self, problem: BaseException) -> None:
        """Record that the job has stopped, with its state if it is complete; otherwise its last
        checkpoint counts.
        """
        failed = (
            not self.interrupted()
            and isinstance(problem, Exception)
            and not isinstance(problem, CancelledError)
        )
        if failed and not self.is_stored:
            return  # nothing was computed that would be worth continuing
        self._save(FAILED if failed else STOPPED, str(problem) if failed else None)
        self.close()

    def _save(self, status: str, problem: str | None = None) -> float:
        """Write an entry, and return how many seconds to wait for the next one."""
        began = time.perf_counter()
        seconds = self._spent + began - self._began
        try:
            store = self._opened()
            if store is not None:
                entry = self._entry(status, seconds, problem)
                if self.run is None:
                    self.run = store.add(self.job, self.options, entry)
                else:
                    store.update(self.run, self.job.kind, entry)
                self._figures.clear()
        except StoreError as trouble:
            if not self.is_stored:
                self._storing = Storing(None)
            warnings.warn(
                (
                    f"{trouble}; the run goes on, but "
                    f"{'this checkpoint is' if self.is_stored else 'it is'} not stored"
                ),
                stacklevel=2,
            )
        if self.every == 0:
            return 0.0
        return max(self.every, (time.perf_counter() - began) / SHARE)

    def _opened(self) -> Store | None:
        if self._store is None and self._storing.path is not None:
            self._store = Store(self._storing.path)
        return self._store

    def _entry(self, status: str, seconds: float, problem: str | None) -> Entry:
        job = self.job
        if not self._between:
            # Stopped within a step. The results are incomplete, and so is the state of most jobs:
            # the last checkpoint counts.
            stored = None if self.run is None or self._store is None else self._store.find(self.run)
            if stored is not None and not job.always_valid:
                return Entry(
                    status,
                    seconds,
                    stored.progress,
                    stored.score,
                    stored.headline,
                    None,
                    (),
                    None,
                    problem,
                )
            job = self._rebuilt(job.state() if job.always_valid else None)
        outcome = self._outcome() if status == DONE else None
        progress = 1.0 if status == DONE else job.progress
        return Entry(
            status,
            seconds,
            progress,
            job.score,
            job.headline,
            encode_state(job.state()),
            tuple(self._figures),
            outcome,
            problem,
        )

    def _rebuilt(self, state: State | None) -> Job[Any]:
        """Return an equal job that stands at a state; by default with nothing computed."""
        job: Job[Any] = self.job.rebuilt()
        if state is not None:
            job.restore(state)
        return job

    def _outcome(self) -> JobOutcome:
        try:
            return self.job.outcome()
        except LevolveError as problem:
            # Such as a run that found no winnable level: the command reports it.
            return JobOutcome({"problem": str(problem)})


def _spacing(step: int) -> int:
    """Return the number of generations between two that are stored, so that a long history stays
    small.
    """
    return next((spacing for end, spacing in SPACINGS if step < end), WIDEST)


def stored_events(
    job: Job[Any], store: StoreSource, *, every: float | None = None
) -> Generator[Event, None, None]:
    """Yield the events of a job, while it is stored: None for no store, True for the user's own, a
    path, or a `Store`.
    """
    opened = open_store(store)
    if opened is None:
        yield from job.events()
        return
    runner = JobRunner(job, opened, every=every)
    try:
        yield from runner.events()
    finally:
        if opened is not store:
            opened.close()


def complete(job: Job[Result], store: StoreSource = None, watch: Watch | None = None) -> Result:
    """Carry out a job to the end, stored or not, and return its result."""
    with closing(stored_events(job, store)) as events:
        for event in events:
            if watch is not None:
                watch(event)
    return job.result
