"""Fashion rules that came out of a run, and how they do on start maps that no run has ever seen."""

from dataclasses import dataclass

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
from levolve.runs.run import Run

# Start maps of runs have seeds up to 2**31 and a little; these lie beyond.
FIRST_UNSEEN = 1 << 40
JOINED = 0.9
OPEN_NAMES = ("open", "plant", "earth", "sand", "ice")
SOLID_NAMES = ("wall", "water", "ore", "danger", "crystal")


def designs_of(run: Run) -> list[Design]:
    """The rule that a run of the fashion genotype found, or its two rules, as designs to make maps with."""
    genotype, genes = run.recipe.parts[0], run.best_genes
    if not isinstance(genotype, Fashion):
        message = f"run: expected one of the genotype 'fashion', got {run.recipe.genotype['kind']!r}"
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
    """A word for a state that says whether it is open."""
    if state < open_states:
        return OPEN_NAMES[state] if state < len(OPEN_NAMES) else OPEN_NAMES[0]
    solid = state - open_states
    return SOLID_NAMES[solid] if solid < len(SOLID_NAMES) else SOLID_NAMES[0]


@dataclass(frozen=True, eq=False)
class Unseen:
    """How a rule did on start maps it was not evolved on: each map's share of open cells, and of these the share in the largest region."""

    ground: NDArray[np.float64]
    joined: NDArray[np.float64]

    @property
    def good(self) -> int:
        """How many maps have at least nine tenths of their open cells in one region."""
        return int((self.joined >= JOINED).sum())

    def __str__(self) -> str:
        """In words."""
        return (
            f"on {len(self.joined)} unseen start maps: {self.good} with at least {JOINED:.0%} of the open cells in one region, "
            f"{self.ground.mean():.0%} open"
        )


def try_unseen(design: Design, count: int = 100, size: tuple[int, int] = (100, 100), first_seed: int = FIRST_UNSEEN) -> Unseen:
    """Make maps from seeds never used in evolution and look how their open cells hang together."""
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
