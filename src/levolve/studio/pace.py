"""`StreamPace`: how often watchers receive news, so that streaming takes only a small share of the processor from the runs."""

import time

# At most this many messages per second to each watcher.
PER_SECOND = 12
# The share of one processor that the thread of the server may take while runs are watched.
BUDGET = 0.08
LONGEST_SECONDS = 2.0
# The share is measured over at least this time.
SPAN_SECONDS = 0.5


class StreamPace:
    """Measures the processor time of the thread of the server, and lengthens the time between two messages while it is above the budget.

    The same number of messages costs more with more watchers, longer messages and slower machines; a measurement covers all of it. Messages are at
    most `LONGEST_SECONDS` apart.
    """

    def __init__(self) -> None:
        """Start with the shortest time."""
        self.seconds = 1 / PER_SECOND
        self._wall = self._processor = 0.0

    def measure(self) -> None:
        """Adapt the time to the cost since the last measurement; called in the thread of the server, whenever it has news to send."""
        wall, processor = time.perf_counter(), time.thread_time()
        spent = wall - self._wall
        if spent < SPAN_SECONDS:
            return
        if self._wall:
            self.seconds = adapted(self.seconds, (processor - self._processor) / spent)
        self._wall, self._processor = wall, processor


def adapted(seconds: float, share: float) -> float:
    """Return the time between two messages after it took a share of the processor: the cost is in proportion to the number of messages.

    >>> adapted(0.25, 0.16), adapted(0.25, 0.9), adapted(0.75, 0.0)
    (0.5, 0.75, 0.5)
    """
    # Not too fast, because a request may have been the reason.
    factor = min(max(share / BUDGET, 1 / 1.5), 3.0)
    return min(max(seconds * factor, 1 / PER_SECOND), LONGEST_SECONDS)
