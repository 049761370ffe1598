"""`Feed`: the news of a job for its watchers. Each message is encoded once, however many watch.

`StreamPace`: how often watchers receive news, so that streaming takes only a small share of the
processor from the runs.
"""

import asyncio
import json
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

# Without news, a message is sent after this time, so that a closed connection is noticed.
SILENT_SECONDS = 10.0

# Generation, best and mean score, and diversity.
Point = tuple[int, float, float | None, float | None]


def encode_event(name: str, data: object) -> bytes:
    """Return a server-sent event with data as JSON."""
    return f"event: {name}\ndata: {json.dumps(data, separators=(',', ':'))}\n\n".encode()


@dataclass(frozen=True)
class News:
    """A job at one moment.

    Parameters
    ----------
    version
        Counts the moments.
    state
        What the event `state` contains, except for the points of the curve.
    generation
        The last generation of the curve.
    step
        The event `state` for those who know the moment before.
    parts
        Further events by name, each with the moment of its last change.
    is_last
        Whether nothing will follow.
    """

    version: int
    state: Mapping[str, Any]
    generation: int
    step: bytes
    parts: Mapping[str, tuple[int, bytes]]
    is_last: bool
    _chunks: dict[frozenset[str], bytes] = field(default_factory=dict)

    def changes(self, known: int, names: frozenset[str]) -> bytes:
        """Return the events of parts that have changed since a moment."""
        return b"".join(
            event
            for name, (version, event) in self.parts.items()
            if version > known and name in names
        )

    def next_step(self, names: frozenset[str]) -> bytes:
        """Return all events for those who know the moment before."""
        if names not in self._chunks:
            self._chunks[names] = self.step + self.changes(self.version - 1, names)
        return self._chunks[names]


class Feed:
    """Passes news from the thread of a job to any number of watchers in the event loop."""

    def __init__(self, woken: Callable[[], None] = lambda: None) -> None:
        """Start without news; `woken` is called in the event loop before watchers receive news."""
        self.news: News | None = None
        # How many watchers want each part.
        self.wanted: Counter[str] = Counter()
        self._watchers = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed = asyncio.Event()
        self._beat: asyncio.TimerHandle | None = None
        self._woken = woken

    def publish(
        self,
        state: Mapping[str, Any],
        points: Sequence[Point],
        parts: Mapping[str, object],
        *,
        is_last: bool = False,
    ) -> None:
        """Publish the state of a job, the points of its curve since the last call, and changed
        parts. Called in the thread of the job.
        """
        before = self.news
        version = 0 if before is None else before.version + 1
        generation = points[-1][0] if points else -1 if before is None else before.generation
        changed = {name: (version, encode_event(name, data)) for name, data in parts.items()}
        known = {} if before is None else before.parts
        step = encode_event("state", {**state, "points": points})
        self.news = News(version, state, generation, step, {**known, **changed}, is_last)
        if self._loop is not None and self._watchers:
            try:
                self._loop.call_soon_threadsafe(self._wake)
            except RuntimeError:
                self._loop = None  # the server is gone, the job is not

    async def watch(
        self, since: int, names: frozenset[str], curve: Callable[[int], Sequence[Point]]
    ) -> AsyncIterator[bytes]:
        """Yield events until the last one: the state with new points of the curve, and the named
        parts when they change.

        Parameters
        ----------
        since
            The last generation that the watcher knows.
        names
            The parts to send.
        curve
            Gives the points after a generation.
        """
        self._loop = asyncio.get_running_loop()
        self._watchers += 1
        self.wanted.update(names)
        self._listen()
        version = -1
        try:
            while True:
                changed, news = self._changed, self.news
                if news is None or news.version == version:
                    yield encode_event("idle", {})
                else:
                    if version >= 0 and news.version == version + 1:
                        yield news.next_step(names)
                    else:
                        missed = [point for point in curve(since) if point[0] <= news.generation]
                        yield encode_event(
                            "state", {**news.state, "points": missed}
                        ) + news.changes(version, names)
                    version, since = news.version, news.generation
                if news is not None and news.is_last:
                    return
                await changed.wait()
        finally:
            self._watchers -= 1
            self.wanted.subtract(names)
            if not self._watchers and self._beat is not None:
                self._beat.cancel()

    def _wake(self) -> None:
        """Wake all watchers, in the event loop."""
        self._woken()
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()
        self._listen()

    def _listen(self) -> None:
        """Wake the watchers after some time without news."""
        if self._beat is not None:
            self._beat.cancel()
        if self._loop is not None:
            self._beat = self._loop.call_later(SILENT_SECONDS, self._wake)


# At most this many messages per second to each watcher.
PER_SECOND = 12
# The share of one processor that the thread of the server may take while runs are watched.
BUDGET = 0.08
LONGEST_SECONDS = 2.0
# The share is measured over at least this time.
SPAN_SECONDS = 0.5


class StreamPace:
    """Measures the processor time of the thread of the server, and lengthens the time between two
    messages while it is above the budget.

    The same number of messages costs more with more watchers, longer messages and slower machines;
    a measurement covers all of it. Messages are at most `LONGEST_SECONDS` apart.
    """

    def __init__(self) -> None:
        """Start with the shortest time."""
        self.seconds = 1 / PER_SECOND
        self._wall = self._processor = 0.0

    def measure(self) -> None:
        """Adapt the time to the cost since the last measurement; called in the thread of the
        server, whenever it has news to send.
        """
        wall, processor = time.perf_counter(), time.thread_time()
        spent = wall - self._wall
        if spent < SPAN_SECONDS:
            return
        if self._wall:
            self.seconds = adapted(self.seconds, (processor - self._processor) / spent)
        self._wall, self._processor = wall, processor


def adapted(seconds: float, share: float) -> float:
    """Return the time between two messages after it took a share of the processor: the cost is in
    proportion to the number of messages.

    >>> adapted(0.25, 0.16), adapted(0.25, 0.9), adapted(0.75, 0.0)
    (0.5, 0.75, 0.5)
    """
    # Not too fast, because a request may have been the reason.
    factor = min(max(share / BUDGET, 1 / 1.5), 3.0)
    return min(max(seconds * factor, 1 / PER_SECOND), LONGEST_SECONDS)
