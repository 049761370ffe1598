"""`LiveRuns`: the jobs that this server carries out, and the stored ones of all processes.

`LiveSessions`: the breeding sessions that the page has open; each is written to the store after
every action.

Server-sent events: what happens in a run, of this server or of another process.
"""

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from levolve.core.errors import InputError, LevolveError, StoreError
from levolve.jobs.archives.illuminate import Illumination
from levolve.jobs.breeding.breed import add_session, stored_session
from levolve.jobs.breeding.session import Session
from levolve.jobs.checkpoints import JobRunner
from levolve.jobs.job import Job
from levolve.jobs.memory import check_memory
from levolve.jobs.resume import reopen
from levolve.jobs.runs.run import Run
from levolve.jobs.store.kept import StoredSession
from levolve.jobs.store.places import Storing
from levolve.jobs.store.records import RUNNING, StoredRun
from levolve.jobs.store.store import Store
from levolve.recipes.recipe import Recipe
from levolve.studio.feed import StreamPace, encode_event
from levolve.studio.library import stored_level
from levolve.studio.live_run import ANCESTRY, ARCHIVE, ATTEMPT, LEVEL, LiveRun
from levolve.studio.views import shown_archive, stored_ancestry, stored_archive, stored_attempt

MOST_RUNS = 8
# A run may use so much memory; `levolve evolve` has no such limit.
MOST_MEMORY = 1 << 30
# Bytes per cell for the pictures of the population and of the ancestors.
SHOWN_BYTES = 1000
# After this time, runs that still evaluate a generation go back to their last checkpoint.
PATIENCE_SECONDS = 3.0
# How long a server that is stopped waits for its runs to be stored.
STOP_SECONDS = 10.0
Value = TypeVar("Value")


class TooManyRunsError(LevolveError):
    """No further job can be started at the moment."""


class LiveRuns:
    """Starts, finds and stops jobs. The store is shared with the command line.

    Parameters
    ----------
    store
        The path of the SQLite file.
    """

    def __init__(self, store: Path) -> None:
        """Open the store once, so that a wrong path is reported at the start."""
        self.path = store
        self._live: dict[int, LiveRun] = {}
        self._pace = StreamPace()
        self._games = 0
        self._lock = threading.Lock()
        with Store(store):
            pass

    def reading(self, read: Callable[[Store], Value]) -> Value:
        """Return what a function reads from the store."""
        with Store(self.path) as store:
            return read(store)

    @staticmethod
    def check_recipe(recipe: Recipe, *, ancestry: bool = False) -> None:
        """Raise an error for a run that needs too much memory."""
        check_memory(recipe, ancestry=ancestry, most=MOST_MEMORY, shown=SHOWN_BYTES)

    def start(self, job: Job[Any], options: Mapping[str, Any] | None = None) -> LiveRun:
        """Store a job, and carry it out in a thread."""
        with self._lock:
            self._check_count()
            runner = JobRunner(job, Storing(self.path, requested=True), options or {})
            runner.begin()
            return self._begin(runner)

    @contextmanager
    def making(self) -> Iterator[None]:
        """Count the making of a game as a run, for as long as it takes."""
        with self._lock:
            self._check_count()
            self._games += 1
        try:
            yield
        finally:
            with self._lock:
                self._games -= 1

    def resume(self, run: int) -> LiveRun:
        """Go on with a run that is paused, or that was stopped."""
        with self._lock:
            live = self._live.get(run)
            if live is not None and not live.is_over:
                live.resume()
                return live
            self._check_count()
            store = Store(self.path)
            try:
                record = store.find(run)
                if record.kind in {Run.kind, Illumination.kind} and record.call is not None:
                    recipe = Recipe.from_data(record.call["recipe"])
                    self.check_recipe(recipe, ancestry=bool(record.call.get("ancestry")))
                runner = reopen(store, record)
            except BaseException:
                store.close()
                raise
            return self._begin(runner, store.close)

    def _begin(self, runner: JobRunner, ended: Callable[[], None] = lambda: None) -> LiveRun:
        live = LiveRun(runner, ended, self._pace)
        self._live[live.id] = live
        live.start()
        return live

    def _check_count(self) -> None:
        if self._games + sum(not live.is_over for live in self._live.values()) >= MOST_RUNS:
            raise TooManyRunsError(
                f"expected at most {MOST_RUNS} runs at the same time; stop one of them, or wait "
                "until it ends"
            )

    def find(self, run: int) -> LiveRun | None:
        """Return a job of this server; None for one that another process carries out or has carried
        out.
        """
        return self._live.get(run)

    def live(self, record: StoredRun) -> LiveRun:
        """Return a job that this server carries out now; raises an error for any other."""
        live = self._live.get(record.id)
        if live is None or live.is_over:
            raise LevolveError(
                f"run {record.id} is {record.status}; it is not carried out by this studio"
            )
        return live

    def delete(self, run: int) -> None:
        """Stop a job of this server, and delete it from the store."""
        live = self._live.get(run)
        if live is not None:
            live.stop()
            live.join(STOP_SECONDS)
            self._live.pop(run, None)
        self.reading(lambda store: store.delete([run]))

    def close(self) -> None:
        """Stop all jobs; each is stored, so that it can be continued."""
        for live in self._live.values():
            live.stop()
        began = time.monotonic()
        for live in self._live.values():
            live.join(max(began + PATIENCE_SECONDS - time.monotonic(), 0.0))
        for live in self._live.values():
            live.halt()
        for live in self._live.values():
            live.join(max(began + STOP_SECONDS - time.monotonic(), 0.0))


# Sessions that are kept open; others are replayed when they are used again.
MOST_SESSIONS = 8
# Larger levels would make people wait for every sheet.
MOST_CELLS = 128 * 128


@dataclass
class OpenSession:
    """A session, and its record in the store."""

    record: StoredSession
    session: Session


class LiveSessions:
    """Opens, keeps and deletes breeding sessions. The store is shared with the command line.

    Parameters
    ----------
    store
        The path of the SQLite file.
    """

    def __init__(self, store: Path) -> None:
        """Open the store, and no session yet."""
        self.store = Store(store)
        self._open: OrderedDict[int, OpenSession] = OrderedDict()
        self._locks: dict[int, threading.Lock] = {}
        self._lock = threading.Lock()

    def list(self) -> "list[StoredSession]":
        """Return the sessions of the store, the one that was used last first."""
        return self.store.sessions.list()

    def begin(self, recipe: Recipe, seed: int | None, **settings: Any) -> int:
        """Begin a session, store it, and return its number."""
        width, height = recipe.size
        if width * height > MOST_CELLS:
            raise InputError(
                f"size: expected at most {MOST_CELLS} cells to breed on this page, got "
                f"{width}x{height}; choose a smaller size"
            )
        session = Session(recipe, seed, **settings)
        number = add_session(self.store, session)
        self._remember(OpenSession(self.store.sessions.find(number), session))
        return number

    @contextmanager
    def using(self, number: int) -> Iterator[OpenSession]:
        """Use a session, one request at a time; one that another process has changed is
        replayed.
        """
        self.store.sessions.find(number)
        with self._lock:
            lock = self._locks.setdefault(number, threading.Lock())
        with lock:
            yield self._opened(number)

    @contextmanager
    def changing(self, number: int) -> Iterator[OpenSession]:
        """Change a session, and write it to the store."""
        with self.using(number) as opened:
            yield opened
            self.store.sessions.update(number, opened.session.to_data())
            opened.record = self.store.sessions.find(number)

    def rename(self, number: int, name: str) -> None:
        """Change the name of a session."""
        with self.using(number) as opened:
            self.store.sessions.rename(number, name)
            opened.record = self.store.sessions.find(number)

    def delete(self, number: int) -> None:
        """Delete a session from the store."""
        with self._lock:
            self._open.pop(number, None)
        self.store.sessions.delete([number])

    def close(self) -> None:
        """Close the store."""
        self.store.close()

    def _opened(self, number: int) -> OpenSession:
        record = self.store.sessions.find(number)
        with self._lock:
            known = self._open.get(number)
        if known is not None and known.record.updated == record.updated:
            return self._remember(known)
        return self._remember(OpenSession(*stored_session(self.store, number)))

    def _remember(self, opened: OpenSession) -> OpenSession:
        with self._lock:
            self._open[opened.record.id] = opened
            self._open.move_to_end(opened.record.id)
            while len(self._open) > MOST_SESSIONS:
                self._open.popitem(last=False)
        return opened


MOST_STREAMS = 100
# A run of another process is read from the store once per period.
POLL_SECONDS = 1.0


class OpenStreams:
    """Counts the open event streams."""

    def __init__(self) -> None:
        """Start at zero."""
        self._count = 0

    @contextmanager
    def open(self) -> Iterator[None]:
        """Count a stream for as long as it is open; raises an error if no further one can be
        opened.
        """
        if self._count >= MOST_STREAMS:
            raise TooManyRunsError(
                f"expected at most {MOST_STREAMS} open event streams; close a page"
            )
        self._count += 1
        try:
            yield
        finally:
            self._count -= 1


STREAMS = OpenStreams()


class EventStream(StreamingResponse):
    """A stream of events, which counts from before its first byte to its end."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events."""
        with STREAMS.open():
            await super().__call__(scope, receive, send)


async def run_events(
    runs: LiveRuns, run: int, names: frozenset[str], since: int
) -> AsyncIterator[bytes]:
    """Yield events about a run until it is over: `state` with the new points of its curve, and the
    named parts when they change.
    """
    live = runs.find(run)
    events = (
        _stored_events(runs, run, since, names)
        if live is None
        else live.feed.watch(since, names, live.since)
    )
    async for event in events:
        yield event
    yield encode_event("end", {"id": run})


async def _stored_events(
    runs: LiveRuns, run: int, since: int, names: frozenset[str]
) -> AsyncIterator[bytes]:
    """Yield events about a run that another process carries out, as far as it has been stored."""
    updated = 0.0

    def read() -> tuple[StoredRun, list[Any], dict[str, object]]:
        with Store(runs.path) as store:
            record = store.find(run)
            return (
                record,
                store.history(run),
                stored_parts(store, record, names) if record.updated != updated else {},
            )

    while True:
        try:
            record, history, parts = await asyncio.to_thread(read)
        except StoreError:
            return
        if record.updated != updated:
            updated = record.updated
            points = [(one.step, one.best, one.mean, None) for one in history if one.step > since]
            since = points[-1][0] if points else since
            fields = ("id", "status", "problem", "progress", "score", "headline")
            yield encode_event(
                "state", {**{name: getattr(record, name) for name in fields}, "points": points}
            )
            for name, data in parts.items():
                yield encode_event(name, data)
        if record.status != RUNNING:
            return
        await asyncio.sleep(POLL_SECONDS)


def stored_parts(store: Store, record: StoredRun, names: frozenset[str]) -> dict[str, object]:
    """Return the named parts of a run, as of its last checkpoint."""
    parts: dict[str, object] = {}
    if ATTEMPT in names and (attempt := stored_attempt(store, record)) is not None:
        parts[ATTEMPT] = attempt
    if LEVEL in names and (level := stored_level(store, record)) is not None:
        parts[LEVEL] = level
    if ANCESTRY in names and (ancestors := stored_ancestry(store, record)) is not None:
        parts[ANCESTRY] = {"ancestors": ancestors}
    if ARCHIVE in names and record.kind == Illumination.kind:
        with suppress(LevolveError):
            parts[ARCHIVE] = shown_archive(stored_archive(store, record))
    return parts
