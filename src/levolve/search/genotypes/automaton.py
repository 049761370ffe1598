"""Automaton: a start map and the rule of a cellular automaton that turns it into the level (Adams,
Parekh, Louis 2017).
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Literal

import numpy as np
from annotated_types import Interval

from levolve.core.settings import setting
from levolve.kernels.bits.packed_flood import WIDEST
from levolve.kernels.bits.random_streams import RULE, START, threshold_of
from levolve.kernels.building.cellular_automata import run_rows, run_tiles
from levolve.kernels.variation.masks import coin_masks
from levolve.levels.batch import Batch, unpack_wide
from levolve.levels.frame import Frame
from levolve.levels.tileset import WALLS
from levolve.search.genotypes.fixed_cells import stamp, stamp_words
from levolve.search.genotypes.gene_space import BitGenes, Genes
from levolve.search.genotypes.genotype import Genotype

RULE_BITS = 18


@lru_cache(maxsize=64)
def _space(frame: Frame) -> BitGenes:
    return BitGenes([*[frame.width] * frame.height, RULE_BITS], grid=(frame.height, frame.width))


@dataclass(frozen=True)
class Automaton(Genotype):
    """One bit per cell for the start map, and 18 for the rule: nine for blank cells with 0 to 8
    filled neighbours, nine for filled cells.

    `last_nine` defines the second half of the rule: a set bit turns a filled cell blank ("blank"),
    or keeps it filled ("survive"). `outside` is the state of cells beyond the border. `fill` and
    `rule_fill` are the shares of set bits at the start of a run.
    """

    steps: Annotated[int, Interval(ge=0, le=10_000)] = setting(
        2, "How many steps the cellular automaton runs."
    )
    last_nine: Literal["blank", "survive"] = setting(
        "blank",
        "What a set bit of the last nine does to a filled cell: turn it blank, or let it survive.",
    )
    outside: Literal["filled", "blank"] = setting(
        "filled", "What cells beyond the border count as."
    )
    fill: Annotated[float, Interval(ge=0, le=1)] = setting(
        0.05, "The share of filled cells in start maps at the start of a run."
    )
    rule_fill: Annotated[float, Interval(ge=0, le=1)] = setting(
        0.5, "The share of set bits in rules at the start of a run."
    )

    def space(self, frame: Frame) -> BitGenes:
        """Return the gene space: the start map in reading order, then the rule."""
        return _space(frame)

    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        """Draw sparse maps and random rules."""
        space = self.space(frame)
        genes = space.empty_masks(count)
        coin_masks(
            np.uint64(seed),
            START,
            generation,
            threshold_of(self.fill),
            space.columns,
            space.free,
            genes,
        )
        rule = np.empty((count, 1), np.uint64)
        coin_masks(
            np.uint64(seed),
            RULE,
            generation,
            threshold_of(self.rule_fill),
            RULE_BITS,
            space.free[-1:],
            rule,
        )
        genes[:, -1:] = rule
        return genes

    def batch(self, genes: Genes, frame: Frame) -> Batch:
        """Run every map with its own rule, then open entrance and exit."""
        survive, filled = self.last_nine == "survive", self.outside == "filled"
        rules = np.ascontiguousarray(genes[:, -1])
        if frame.width > WIDEST:
            tiles = unpack_wide(genes[:, :-1], frame.height, frame.width)
            run_tiles(tiles, rules, self.steps, survive, filled)
            return Batch(frame, tiles=stamp(tiles, frame, WALLS))
        # A copy, because the automaton runs in place and a single row of genes would already be
        # contiguous.
        rows = genes[:, :-1].copy()
        run_rows(rows, rules, frame.width, self.steps, survive, filled)
        walls, open_cells = stamp_words(frame)
        return Batch(frame, rows=(rows & ~open_cells) | walls)
