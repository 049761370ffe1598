"""Fashion rules evolved by a run, and their performance on unseen start maps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError
from levolve.fashion.caverns import open_cells
from levolve.fashion.design import Design
from levolve.fashion.legend import Legend
from levolve.fashion.rule import Rule
from levolve.fashion.starts import random_start
from levolve.genotypes.fashion import STEPS, Fashion
from levolve.kernels.regions import count_regions
from levolve.levels.tileset import WALLS

if TYPE_CHECKING:
    from levolve.runs.run import Run

# The start maps of runs have seeds up to slightly more than 2**31; these are larger.
FIRST_UNSEEN = 1 << 40
JOINED = 0.9
OPEN_NAMES = ("open", "plant", "earth", "sand", "ice")
SOLID_NAMES = ("wall", "water", "ore", "danger", "crystal")


def designs_of(run: Run) -> list[Design]:
    """Return the one or two rules that a run of the fashion genotype evolved, as designs."""
    genotype, genes = run.recipe.encoding, run.best_genes
    if not isinstance(genotype, Fashion):
        message = f"run: expected a run of the genotype 'fashion', got {run.recipe.genotype['kind']!r}"
        raise InputError(message)
    names = [_name(state, genotype.open_states) for state in range(genotype.states)]
    near = [(column, row) for row, column in STEPS]
    matrices = genotype.matrices(genes[np.newaxis])[0].tolist()
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
    """The performance of a rule on unseen start maps: each map's share of open cells, and the share of these in the largest region."""

    ground: NDArray[np.float64]
    joined: NDArray[np.float64]

    @property
    def good(self) -> int:
        """The number of maps with at least nine tenths of their open cells in one region."""
        return int((self.joined >= JOINED).sum())

    def to_data(self) -> dict[str, Any]:
        """Return JSON-compatible data."""
        return {"maps": len(self.joined), "good": self.good, "open": round(float(self.ground.mean()), 4), "text": str(self)}

    def __str__(self) -> str:
        """Return one sentence."""
        return (
            f"on {len(self.joined)} unseen start maps: {self.good} with at least {JOINED:.0%} of the open cells in one region, "
            f"{self.ground.mean():.0%} open"
        )


def try_unseen(design: Design, count: int = 100, size: tuple[int, int] = (100, 100), first_seed: int = FIRST_UNSEEN) -> Unseen:
    """Make maps from seeds never used in evolution, and measure how connected their open cells are."""
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
