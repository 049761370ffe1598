"""`pack`: build a pack of a benchmark problem to the end."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from typing import Any

from levolve.bridges.pcg_benchmark.pack import BenchmarkPack, BenchmarkPackBuilder
from levolve.events import Watch
from levolve.runs.checkpoints import complete
from levolve.runs.executors import work_pool
from levolve.runs.store.places import StoreSource


def pack(  # noqa: PLR0913 one parameter per usual change
    problem: str,
    count: int = 100,
    *,
    seed: int | None = None,
    evaluations: int = 100_000,
    controls: Sequence[Mapping[str, Any]] | None = None,
    processes: int | None = None,
    executor: Executor | None = None,
    watch: Watch | None = None,
    store: StoreSource = None,
) -> BenchmarkPack:
    """Build contents that pass quality, diversity and control of a problem at once.

    Parameters
    ----------
    problem
        The name of a problem, such as "zelda-v0".
    count
        The number of contents.
    seed
        From 0 to 2**64 - 1; by default a random one. The same seed gives the same bytes.
    evaluations
        The most contents to evaluate; building ends when all places are filled.
    controls
        The control parameters of each content; by default they are drawn from the problem's control space.
    processes, executor
        Where contents are evaluated: other processes, or any `concurrent.futures.Executor`; by default this thread. Does not change the result.
    watch
        A callback for `PlacesFilled` events.
    store
        Where the job is stored, so that `levolve.resume` can continue it. By default nowhere.
    """
    with work_pool(1, executor=executor, processes=processes) as pool:
        return complete(BenchmarkPackBuilder(problem, count, seed, evaluations, controls, pool), store, watch)
