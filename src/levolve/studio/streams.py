"""Server-sent events: what happens in a run, of this server or of another process."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from levolve.archives.illumination import Illumination
from levolve.errors import LevolveError, StoreError
from levolve.runs.store.records import RUNNING, StoredRun
from levolve.runs.store.store import Store
from levolve.studio.ancestry import stored_ancestry
from levolve.studio.archives import shown_archive, stored_archive
from levolve.studio.attempts import stored_attempt
from levolve.studio.feed import encode_event
from levolve.studio.live import ANCESTRY, ARCHIVE, ATTEMPT, LEVEL
from levolve.studio.live_runs import LiveRuns, TooManyRunsError
from levolve.studio.stored import stored_level

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
        """Count a stream for as long as it is open; raises an error if no further one can be opened."""
        if self._count >= MOST_STREAMS:
            message = f"expected at most {MOST_STREAMS} open event streams; close a page"
            raise TooManyRunsError(message)
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


async def run_events(runs: LiveRuns, run: int, names: frozenset[str], since: int) -> AsyncIterator[bytes]:
    """Yield events about a run until it is over: `state` with the new points of its curve, and the named parts when they change."""
    live = runs.find(run)
    events = _stored_events(runs, run, since, names) if live is None else live.feed.watch(since, names, live.since)
    async for event in events:
        yield event
    yield encode_event("end", {"id": run})


async def _stored_events(runs: LiveRuns, run: int, since: int, names: frozenset[str]) -> AsyncIterator[bytes]:
    """Yield events about a run that another process carries out, as far as it has been stored."""
    updated = 0.0

    def read() -> tuple[StoredRun, list[Any], dict[str, object]]:
        with Store(runs.path) as store:
            record = store.find(run)
            return record, store.history(run), stored_parts(store, record, names) if record.updated != updated else {}

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
            yield encode_event("state", {**{name: getattr(record, name) for name in fields}, "points": points})
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
