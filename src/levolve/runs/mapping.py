"""`MapJob`: a large map that is written tile by tile. The tiles are in its file or folder, so its state is only what it is."""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, ClassVar, Self

from levolve.fashion.design import design_from_data
from levolve.fashion.tiling import TilePlan, Tiles, TilesWritten
from levolve.runs.executors import Here, shares_memory, stop_requested
from levolve.runs.jobs import Job, State
from levolve.runs.units import STATE_VERSION, check_state


class MapJob(Job[Tiles]):
    """Writes a map in tiles. Tiles that are written whole are not made again, whatever happened in between; see `levolve.fashion.tile_file`."""

    kind: ClassVar[str] = "map"
    always_valid: ClassVar[bool] = True

    def __init__(self, plan: TilePlan, executor: Executor | None = None) -> None:
        """Prepare; nothing is written yet. `levolve.fashion.tiling.plan_tiles` gives a plan."""
        self.plan = plan
        self.name = plan.design.name
        self.seed = plan.seed
        self.executor = executor or Here()
        self._written: TilesWritten | None = None
        self._is_finished = False

    def call(self) -> dict[str, Any]:
        """Return the rule, the seed, the area and the absolute path as JSON-compatible data."""
        plan = self.plan
        return {"rule": plan.design.to_data(), "seed": plan.seed, "area": list(plan.area), "path": str(plan.path.resolve())}

    @classmethod
    def from_call(cls, call: Mapping[str, Any], executor: Executor | None = None, stop: Callable[[], bool] = stop_requested) -> Self:  # noqa: ARG003 tiles are stopped by their executor
        """Return the job that `call` describes."""
        x, y, width, height = call["area"]
        return cls(TilePlan(design_from_data(call["rule"], "rule"), call["seed"], (x, y, width, height), Path(call["path"])), executor)

    def events(self) -> Iterator[TilesWritten]:
        """Write the tiles that are missing; yield an event after each."""
        if self._is_finished and self.plan.path.exists():
            return
        for event in self.plan.events(self.executor):
            self._written = event
            yield event
        self._is_finished = True

    def state(self) -> State:
        """Return what the job is, and whether it is finished."""
        return {"version": STATE_VERSION, "kind": self.kind, "call": self.call(), "finished": self._is_finished}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Check that the state is of this job; the tiles are found when it goes on."""
        check_state(self, state)
        self._is_finished = bool(state["finished"])

    @property
    def result(self) -> Tiles:
        """The rule, the seed, the area and the path."""
        return self.plan.tiles

    @property
    def is_remote(self) -> bool:
        """Whether other processes compute it."""
        return not shares_memory(self.executor)

    @property
    def size(self) -> str:
        """The size of the map."""
        return f"{self.plan.area[2]}x{self.plan.area[3]}"

    @property
    def headline(self) -> str:
        """How many tiles are written."""
        return "" if self._written is None else f"{self._written.done} of {self._written.total} tiles"

    @property
    def progress(self) -> float | None:
        """The share of the tiles that are written; None before any is looked for."""
        if self._is_finished:
            return 1.0
        return None if self._written is None else self._written.done / self._written.total
