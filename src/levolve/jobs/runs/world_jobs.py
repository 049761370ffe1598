"""Fashion rules evolved by a run, and their performance on unseen start maps.

`MapJob`: a large map that is written tile by tile. The tiles are in its file or folder, so its
state is only what it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.jobs.executors import SerialExecutor, shares_memory, stop_requested
from levolve.jobs.job import Job, State
from levolve.jobs.units import STATE_VERSION, check_state
from levolve.kernels.walking.dead_ends import count_regions
from levolve.levels.tileset import WALLS
from levolve.search.genotypes.fashion import STEPS, Fashion
from levolve.worlds.design import Design, design_from_data
from levolve.worlds.legend import Legend
from levolve.worlds.pictures import open_cells
from levolve.worlds.rule import Rule
from levolve.worlds.starts import random_start
from levolve.worlds.tiling import TilePlan, Tiles, TilesWritten

if TYPE_CHECKING:
    from levolve.jobs.runs.run import Run

# The start maps of runs have seeds up to slightly more than 2**31; these are larger.
FIRST_UNSEEN = 1 << 40
JOINED = 0.9
OPEN_NAMES = ("open", "plant", "earth", "sand", "ice")
SOLID_NAMES = ("wall", "water", "ore", "danger", "crystal")


def designs_of(run: Run) -> list[Design]:
    """Return the one or two rules that a run of the fashion genotype evolved, as designs."""
    genotype, genes = run.recipe.encoding, run.best_genes
    if not isinstance(genotype, Fashion):
        raise InputError(
            f"run: expected a run of the genotype 'fashion', got {run.recipe.genotype['kind']!r}"
        )
    names = [_name(state, genotype.open_states) for state in range(genotype.states)]
    near = [(column, row) for row, column in STEPS]
    # Genes that place the stops of a level follow those of the rules.
    own = genes[: genotype.rules * genotype.states**2]
    matrices = genotype.matrices(own[np.newaxis])[0].tolist()
    return [
        Design(
            name=run.recipe.name if len(matrices) == 1 else f"{run.recipe.name}-{number}",
            rule=Rule(matrix, near),
            summary=f"evolved by the recipe {run.recipe.name}, seed {run.seed}",
            updates=genotype.updates,
            smooth=genotype.smooth,
            legend=Legend(tuple(names)),
            palette="cave",
        )
        for number, matrix in enumerate(matrices, 1)
    ]


def _name(state: int, open_states: int) -> str:
    """Return a name for a state that shows whether it is open."""
    if state < open_states:
        return OPEN_NAMES[state] if state < len(OPEN_NAMES) else OPEN_NAMES[0]
    solid = state - open_states
    return SOLID_NAMES[solid] if solid < len(SOLID_NAMES) else SOLID_NAMES[0]


@dataclass(frozen=True, eq=False)
class Unseen:
    """The performance of a rule on unseen start maps: each map's share of open cells, and the share
    of these in the largest region.
    """

    ground: NDArray[np.float64]
    joined: NDArray[np.float64]

    @property
    def good(self) -> int:
        """The number of maps with at least nine tenths of their open cells in one region."""
        return int((self.joined >= JOINED).sum())

    def to_data(self) -> dict[str, Any]:
        """Return JSON-compatible data."""
        return {
            "maps": len(self.joined),
            "good": self.good,
            "open": round(float(self.ground.mean()), 4),
            "text": str(self),
        }

    def __str__(self) -> str:
        """Return one sentence."""
        return (
            f"on {len(self.joined)} unseen start maps: {self.good} with at least "
            f"{JOINED:.0%} of the open cells in one region, "
            f"{self.ground.mean():.0%} open"
        )


def try_unseen(
    design: Design,
    count: int = 100,
    size: tuple[int, int] = (100, 100),
    first_seed: int = FIRST_UNSEEN,
) -> Unseen:
    """Make maps from seeds never used in evolution, and measure how connected their open cells
    are.
    """
    ground, joined = np.zeros((2, count))
    for number in range(count):
        start = random_start(design.rule.states, size, first_seed + number, weights=design.weights)
        final = design.rule.smoothed(design.rule.run(start, design.updates), design.smooth)
        tiles = open_cells(final, design.legend)
        regions, largest = np.empty((2, 1), np.int32)
        count_regions(tiles[np.newaxis], WALLS.table, regions, largest)
        cells = int((tiles == 0).sum())
        ground[number] = cells / tiles.size
        joined[number] = largest[0] / max(cells, 1)
    return Unseen(ground, joined)


class MapJob(Job[Tiles]):
    """Writes a map in tiles. Tiles that are written whole are not made again, whatever happened in
    between; see `levolve.worlds.tile_file`.
    """

    kind: ClassVar[str] = "map"
    always_valid: ClassVar[bool] = True

    def __init__(self, plan: TilePlan, executor: Executor | None = None) -> None:
        """Prepare; nothing is written yet. `levolve.worlds.tiling.plan_tiles` gives a plan."""
        self.plan = plan
        self.name = plan.design.name
        self.seed = plan.seed
        self.executor = executor or SerialExecutor()
        self._written: TilesWritten | None = None
        self._is_finished = False

    def call(self) -> dict[str, Any]:
        """Return the rule, the seed, the area and the absolute path as JSON-compatible data."""
        plan = self.plan
        return {
            "rule": plan.design.to_data(),
            "seed": plan.seed,
            "area": list(plan.area),
            "path": str(plan.path.resolve()),
        }

    @classmethod
    def from_call(
        cls,
        call: Mapping[str, Any],
        executor: Executor | None = None,
        stop: Callable[[], bool] = stop_requested,
    ) -> Self:
        """Return the job that `call` describes."""
        x, y, width, height = call["area"]
        return cls(
            TilePlan(
                design_from_data(call["rule"], "rule"),
                call["seed"],
                (x, y, width, height),
                Path(call["path"]),
            ),
            executor,
        )

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
        return {
            "version": STATE_VERSION,
            "kind": self.kind,
            "call": self.call(),
            "finished": self._is_finished,
        }

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
        return (
            "" if self._written is None else f"{self._written.done} of {self._written.total} tiles"
        )

    @property
    def progress(self) -> float | None:
        """The share of the tiles that are written; None before any is looked for."""
        if self._is_finished:
            return 1.0
        return None if self._written is None else self._written.done / self._written.total
