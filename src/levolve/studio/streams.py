"""Server-sent events: what happens in a run, of this server or of another process."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

from levolve.errors import StoreError
from levolve.runs.store.records import RUNNING, StoredRun
from levolve.runs.store.store import Store
from levolve.studio.attempts import stored_attempt
from levolve.studio.live import LiveRun
from levolve.studio.live_runs import LiveRuns, TooManyRunsError

MOST_STREAMS = 100
# Without news, a comment is sent after this time, so that a closed connection is noticed.
SILENT_SECONDS = 10.0
# A run of another process is read from the store once per period.
POLL_SECONDS = 1.0

# The name of a message and its data as JSON.
Message = tuple[str, str]


def encode_message(data: object) -> str:
    """Return data as JSON in one line."""
    return json.dumps(data, separators=(",", ":"))


class OpenStreams:
    """Counts the open event streams."""

    def __init__(self) -> None:
        """Start at zero."""
        self._count = 0

    def check(self) -> None:
        """Raise an error if no further stream can be opened."""
        if self._count >= MOST_STREAMS:
            message = f"expected at most {MOST_STREAMS} open event streams; close a page"
            raise TooManyRunsError(message)

    @contextmanager
    def open(self) -> Iterator[None]:
        """Count a stream for as long as it is open."""
        self._count += 1
        try:
            yield
        finally:
            self._count -= 1


async def run_messages(runs: LiveRuns, run: int, *, wall: bool, since: int) -> AsyncIterator[Message]:
    """Yield messages about a run until it is over: `state` with the new points of its curve, `level`, `attempt` and `wall` when they change."""
    live = runs.find(run)
    messages = _stored_messages(runs, run, since) if live is None else _live_messages(live, since, wall=wall)
    async for message in messages:
        yield message
    yield "end", encode_message({"id": run})


async def _live_messages(live: LiveRun, since: int, *, wall: bool) -> AsyncIterator[Message]:
    news = live.subscribe()
    live.walls_wanted += wall
    version, level, attempt, thumbnails = -1, "", "", ""
    try:
        while True:
            news.clear()
            over = live.is_over
            if live.version != version:
                version = live.version
                points = live.since(since)
                since = points[-1][0] if points else since
                yield "state", encode_message({**live.message, "points": points})
                if live.level_message is not level:
                    level = live.level_message
                    yield "level", level
                if live.attempt_message is not attempt:
                    attempt = live.attempt_message
                    yield "attempt", attempt
                if wall and live.wall_message is not thumbnails:
                    thumbnails = live.wall_message
                    yield "wall", thumbnails
            if over:
                return
            try:
                await asyncio.wait_for(news.wait(), SILENT_SECONDS)
            except TimeoutError:
                yield "idle", "{}"
    finally:
        live.walls_wanted -= wall
        live.unsubscribe(news)


async def _stored_messages(runs: LiveRuns, run: int, since: int) -> AsyncIterator[Message]:
    """Yield messages about a run that another process carries out, as far as it has been stored."""
    updated = 0.0

    def read() -> tuple[StoredRun, list[Any], dict[str, Any] | None]:
        with Store(runs.path) as store:
            record = store.find(run)
            return record, store.history(run), stored_attempt(store, record) if record.updated != updated else None

    while True:
        try:
            record, history, attempt = await asyncio.to_thread(read)
        except StoreError:
            return
        if record.updated != updated:
            updated = record.updated
            points = [(one.step, one.best, one.mean, None) for one in history if one.step > since]
            since = points[-1][0] if points else since
            names = ("id", "status", "problem", "progress", "score", "headline")
            yield "state", encode_message({**{name: getattr(record, name) for name in names}, "points": points})
            if attempt is not None:
                yield "attempt", encode_message(attempt)
        if record.status != RUNNING:
            return
        await asyncio.sleep(POLL_SECONDS)
