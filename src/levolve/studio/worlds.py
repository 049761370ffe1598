"""The worlds that pages look at, by digest, and the pictures of them that were made last."""

import asyncio
import os
import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from concurrent.futures import CancelledError

from starlette.concurrency import run_in_threadpool

from levolve.errors import UnknownNameError
from levolve.fashion.views import WorldView
from levolve.stopping import belong_to

MOST_WORLDS = 512
MOST_BYTES = 64 << 20
# Seconds between two questions whether anybody waits for a picture.
PATIENCE = 0.1


def _stoppable(stop: threading.Event, function: Callable[..., bytes], *arguments: object) -> bytes | None:
    """Call a function that ends with `CancelledError` if the event is set; the result is then None."""
    belong_to(stop)
    try:
        return function(*arguments)
    except CancelledError:
        return None
    finally:
        # The thread goes on to other work.
        belong_to(threading.Event())


class Worlds:
    """Views of worlds and their pictures. All are named by their content; the ones used last are kept.

    Parameters
    ----------
    most_worlds
        How many views are kept.
    most_bytes
        How many bytes of pictures are kept.
    """

    def __init__(self, most_worlds: int = MOST_WORLDS, most_bytes: int = MOST_BYTES) -> None:
        """Start empty."""
        self._views: OrderedDict[str, WorldView] = OrderedDict()
        self._pictures: OrderedDict[tuple[object, ...], bytes] = OrderedDict()
        self._most_worlds, self._most_bytes = most_worlds, most_bytes
        self._bytes = 0
        self._lock = threading.Lock()
        # Pictures are made on as many threads as there are cores; other requests wait for a moment, and may be given up meanwhile.
        self.turn = asyncio.Semaphore(os.cpu_count() or 1)

    @property
    def size(self) -> int:
        """The bytes of all pictures that are kept."""
        return self._bytes

    def add(self, view: WorldView) -> WorldView:
        """Keep a view, and return it, or an equal one that is there."""
        with self._lock:
            view = self._views.setdefault(view.digest, view)
            self._views.move_to_end(view.digest)
            while len(self._views) > self._most_worlds:
                self._views.popitem(last=False)
        return view

    def find(self, digest: str) -> WorldView:
        """Return the view of a digest."""
        with self._lock:
            if digest not in self._views:
                message = f"there is no world {digest!r}; send its description again"
                raise UnknownNameError(message)
            self._views.move_to_end(digest)
            return self._views[digest]

    def kept(self, digest: str, zoom: int, x: int, y: int) -> bytes | None:
        """Return a picture if it is kept."""
        with self._lock:
            key = (digest, zoom, x, y)
            if key in self._pictures:
                self._pictures.move_to_end(key)
            return self._pictures.get(key)

    async def work(self, function: Callable[..., bytes], *arguments: object, gone: Callable[[], Awaitable[bool]]) -> bytes | None:
        """Make a picture on a thread when it is its turn. Once whoever asked is gone, the work is given up: the result is then None."""
        async with self.turn:
            if await gone():
                return None
            stop = threading.Event()
            task = asyncio.create_task(run_in_threadpool(_stoppable, stop, function, *arguments))
            while not (await asyncio.wait({task}, timeout=PATIENCE))[0]:
                if await gone():
                    stop.set()
            return task.result()

    def make(self, view: WorldView, zoom: int, x: int, y: int) -> bytes:
        """Make a picture, and keep it."""
        picture = view.tile(zoom, x, y)
        with self._lock:
            self._bytes -= len(self._pictures.pop((view.digest, zoom, x, y), b""))
            self._pictures[view.digest, zoom, x, y] = picture
            self._bytes += len(picture)
            while self._bytes > self._most_bytes:
                self._bytes -= len(self._pictures.popitem(last=False)[1])
        return picture
