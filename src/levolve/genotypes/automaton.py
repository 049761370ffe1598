"""Automaton: a start map and the rule of a cellular automaton that turns it into the level (Adams, Parekh, Louis 2017)."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Literal

import numpy as np
from annotated_types import Interval

from levolve.genotypes.direct import unpack_wide
from levolve.genotypes.genes import BitGenes, Genes
from levolve.genotypes.genotype import Genotype
from levolve.genotypes.stamp import fixed_cells, stamp
from levolve.kernels.automata import run_rows, run_tiles
from levolve.kernels.boards import WIDEST
from levolve.kernels.masks import coin_masks
from levolve.kernels.streams import RULE, START, threshold_of
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.tileset import WALLS

RULE_BITS = 18


@lru_cache(maxsize=64)
def _space(frame: Frame) -> BitGenes:
    return BitGenes([*[frame.width] * frame.height, RULE_BITS], grid=(frame.height, frame.width))


@dataclass(frozen=True)
class Automaton(Genotype):
    """A bit a cell for the start map, and 18 for the rule: nine that fill a blank cell with 0 to 8 filled neighbours, nine for filled cells.

    `last_nine` says how the rule's second half is read: a set bit turns a filled cell blank ("blank"), or keeps it filled ("survive").
    `outside` is what cells beyond the border count as. `fill` and `rule_fill` are the shares of set bits at the start of a run.
    """

    steps: Annotated[int, Interval(ge=0, le=10_000)] = 2
    last_nine: Literal["blank", "survive"] = "blank"
    outside: Literal["filled", "blank"] = "filled"
    fill: Annotated[float, Interval(ge=0, le=1)] = 0.05
    rule_fill: Annotated[float, Interval(ge=0, le=1)] = 0.5

    def space(self, frame: Frame) -> BitGenes:
        """The start map in reading order, then the rule."""
        return _space(frame)

    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        """A sparse map and a random rule."""
        space = self.space(frame)
        genes = space.empty_masks(count)
        coin_masks(np.uint64(seed), START, generation, threshold_of(self.fill), space.columns, space.free, genes)
        rule = np.empty((count, 1), np.uint64)
        coin_masks(np.uint64(seed), RULE, generation, threshold_of(self.rule_fill), RULE_BITS, space.free[-1:], rule)
        genes[:, -1:] = rule
        return genes

    def batch(self, genes: Genes, frame: Frame) -> Batch:
        """Run every map by its own rule, then open entrance and exit."""
        survive, filled = self.last_nine == "survive", self.outside == "filled"
        rules = np.ascontiguousarray(genes[:, -1])
        if frame.width > WIDEST:
            tiles = unpack_wide(genes[:, :-1], frame.height, frame.width)
            run_tiles(tiles, rules, self.steps, survive, filled)
            return Batch(frame, tiles=stamp(tiles, frame, WALLS))
        rows = np.ascontiguousarray(genes[:, :-1])
        run_rows(rows, rules, frame.width, self.steps, survive, filled)
        walls, open_cells = _stamp_words(frame)
        return Batch(frame, rows=(rows & ~open_cells) | walls)


@lru_cache(maxsize=64)
def _stamp_words(frame: Frame) -> tuple[np.ndarray, np.ndarray]:
    """Row words of the cells that are kept as walls and of those kept open."""
    fixed, kinds = fixed_cells(frame, WALLS)
    space = BitGenes([frame.width] * frame.height)
    walls = space.words_of(np.flatnonzero(fixed & (kinds == 1)))
    return walls, space.words_of(np.flatnonzero(fixed & (kinds == 0)))
