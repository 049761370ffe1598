"""`LiveRuns`: the jobs that this server carries out, and the stored ones of all processes."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from levolve.archives.illumination import Illumination
from levolve.errors import LevolveError
from levolve.recipes.recipe import Recipe
from levolve.resuming import reopen
from levolve.runs.checkpoints import Keeper
from levolve.runs.jobs import Job
from levolve.runs.memory import check_memory
from levolve.runs.run import Run
from levolve.runs.store.places import Storing
from levolve.runs.store.records import StoredRun
from levolve.runs.store.store import Store
from levolve.studio.live import LiveRun
from levolve.studio.pace import StreamPace

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
            keeper = Keeper(job, Storing(self.path, requested=True), options or {})
            keeper.begin()
            return self._begin(keeper)

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
                keeper = reopen(store, record)
            except BaseException:
                store.close()
                raise
            return self._begin(keeper, store.close)

    def _begin(self, keeper: Keeper, ended: Callable[[], None] = lambda: None) -> LiveRun:
        live = LiveRun(keeper, ended, self._pace)
        self._live[live.id] = live
        live.start()
        return live

    def _check_count(self) -> None:
        if self._games + sum(not live.is_over for live in self._live.values()) >= MOST_RUNS:
            message = f"expected at most {MOST_RUNS} runs at the same time; stop one of them, or wait until it ends"
            raise TooManyRunsError(message)

    def find(self, run: int) -> LiveRun | None:
        """Return a job of this server; None for one that another process carries out or has carried out."""
        return self._live.get(run)

    def live(self, record: StoredRun) -> LiveRun:
        """Return a job that this server carries out now; raises an error for any other."""
        live = self._live.get(record.id)
        if live is None or live.is_over:
            message = f"run {record.id} is {record.status}; it is not carried out by this studio"
            raise LevolveError(message)
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
