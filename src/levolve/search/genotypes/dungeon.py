"""Dungeon: one bit per cell, and the position of B. A is the first floor tile in reading order, C
the last.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Literal

import numpy as np
from annotated_types import Interval
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.core.settings import setting
from levolve.kernels.bits.packed_flood import WIDEST
from levolve.kernels.bits.random_streams import MARK, START, threshold_of
from levolve.kernels.variation.masks import coin_masks
from levolve.levels.batch import Batch, unpack_wide
from levolve.levels.frame import Frame
from levolve.levels.level import Level
from levolve.levels.measures.path_features import uniform_marks
from levolve.levels.tileset import WALLS
from levolve.search.genotypes.fixed_cells import fixed_cells, tiles_to_write
from levolve.search.genotypes.gene_space import BitGenes, Genes
from levolve.search.genotypes.genotype import Genotype

# Bits of the gene for B, a cell number; enough for any level that fits into memory.
MARK_BITS = 30
# The settings of B for which its gene varies.
VARIED = ("gene", "uniform")


@lru_cache(maxsize=64)
def _space(frame: Frame, *, marked: bool) -> tuple[BitGenes, NDArray[np.uint64]]:
    """Return the gene space, and the words of the walls to keep. The gene for B is not free if it
    is not used.
    """
    fixed, kinds = fixed_cells(frame, WALLS)
    free = np.append(~fixed.ravel(), np.full(MARK_BITS, marked))
    space = BitGenes([*[frame.width] * frame.height, MARK_BITS], free, (frame.height, frame.width))
    return space, space.words_of(np.flatnonzero(kinds))


@dataclass(frozen=True)
class Dungeon(Genotype):
    """Floor and wall tiles and a gene for B: B is the next floor tile between A and C, in reading
    order, from the cell in this gene.

    `floor` is the share of floor tiles at the start of a run. With `b = "uniform"`, the gene
    selects one of the floor tiles between A and C, each with the same probability, however large
    the walls before it are. With `b = "best"`, B is placed where
    the tour is longest, and its gene is not used. With `b = "inherited"`, the gene is a floor tile
    of a new individual, each equally likely; mutation does not change it, and a child has that of
    its first parent.
    """

    floor: Annotated[float, Interval(ge=0, le=1)] = setting(
        0.8, "The share of floor tiles at the start of a run."
    )
    b: Literal["gene", "uniform", "best", "inherited"] = setting(
        "gene",
        (
            "Where B lies: on the next floor tile from its gene's cell on; on any floor tile "
            "between A and C with the same probability; where it makes the tour longest; or where "
            "the gene says that was drawn once and never varies."
        ),
    )

    @property
    def sets_places(self) -> bool:
        """Whether every level has its own A, B and C: always."""
        return True

    def space(self, frame: Frame) -> BitGenes:
        """Return the gene space: one bit per cell in reading order, then the gene for B."""
        return _space(frame, marked=self.b in VARIED)[0]

    def walls(self, frame: Frame) -> NDArray[np.uint64]:
        """Return the `(words,)` bits of the walls to keep."""
        return _space(frame, marked=self.b in VARIED)[1]

    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        """Draw floor with probability `floor`, and B anywhere."""
        space, walls = _space(frame, marked=self.b in VARIED)
        genes = space.empty_masks(count)
        coin_masks(
            np.uint64(seed),
            START,
            generation,
            threshold_of(1.0 - self.floor),
            space.columns,
            space.free,
            genes,
        )
        mark = np.empty((count, 1), np.uint64)
        drawn = _space(frame, marked=self.b != "best")[0].free[-1:]
        coin_masks(np.uint64(seed), MARK, generation, threshold_of(0.5), MARK_BITS, drawn, mark)
        genes[:, -1:] = mark
        genes |= walls
        if self.b == "inherited":
            uniform = Dungeon(self.floor, "uniform").batch(genes, frame).marks
            genes[:, -1] = np.asarray(uniform).astype(np.uint64)
        return genes

    def write(self, level: Level, frame: Frame) -> Genes:
        """Return the level's walls and the cell of its B. Its A and C, if any, must be the first
        and the last floor tile.
        """
        tiles = tiles_to_write(level, frame, WALLS)
        floor = np.flatnonzero(tiles == 0)
        for name, cell in zip("AC", floor[[0, -1]] if len(floor) else [], strict=False):
            place = (int(cell) % frame.width, int(cell) // frame.width)
            if level.places.get(name, place) != place:
                x, y = level.places[name]
                message = (
                    f"genotype dungeon: expected {name} on the "
                    f"{'first' if name == 'A' else 'last'} floor tile, at {place[0]},{place[1]}, "
                    f"got {x},{y}"
                )
                raise InputError(message)
        genes = self.space(frame).words_of(np.flatnonzero(tiles))
        x, y = level.places.get("B", (0, 0))
        genes[-1] = y * frame.width + x
        if self.b == "uniform":
            rank, count = int((floor[1:-1] < int(genes[-1])).sum()), max(len(floor) - 2, 1)
            genes[-1] = -(-(rank << MARK_BITS) // count)
        return genes

    def batch(self, genes: Genes, frame: Frame) -> Batch:
        """Return the levels with A, B and C of each."""
        words, marks = np.ascontiguousarray(genes[:, :-1]), genes[:, -1].astype(np.int64)
        wide = frame.width > WIDEST
        batch = Batch(
            frame,
            unpack_wide(words, frame.height, frame.width) if wide else None,
            None if wide else words,
            marks=marks,
            best_marks=self.b == "best",
        )
        if self.b == "uniform":
            batch.marks = uniform_marks(batch, marks, 1 << MARK_BITS)
        return batch
