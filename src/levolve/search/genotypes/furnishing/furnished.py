"""`Furnished`: a genotype whose levels get things: keys, doors, treasure, monsters."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError, PlaceError
from levolve.kernels.bits.random_streams import FURNISH
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.level import Level
from levolve.levels.measures.furnishing_features import absent_things
from levolve.levels.measures.path_features import stops
from levolve.levels.things.batch_things import BatchThings
from levolve.levels.things.repair import secured
from levolve.search.genotypes import GENOTYPES
from levolve.search.genotypes.finish_steps import walkable_kinds
from levolve.search.genotypes.furnishing import FURNISHERS
from levolve.search.genotypes.furnishing.furnisher import AssumedFill, Furnisher
from levolve.search.genotypes.gene_space import Genes, GeneSpace
from levolve.search.genotypes.genotype import Genotype
from levolve.search.genotypes.placed import draw_numbers, extended_space, joined, separated


@dataclass(frozen=True)
class Furnished(Genotype):
    """Decodes levels with another genotype, and places things in them."""

    genotype: Genotype = field(metadata={"registry": GENOTYPES})
    furnisher: Furnisher = field(default_factory=AssumedFill, metadata={"registry": FURNISHERS})

    @property
    def sensitivity(self) -> float:
        """The share of genes that matter: as in the other genotype."""
        return self.genotype.sensitivity

    @property
    def sets_places(self) -> bool:
        """Whether every level has its own A, B and C."""
        return self.genotype.sets_places

    @property
    def sets_ends(self) -> bool:
        """Whether every level has its own entrance and exit."""
        return self.genotype.sets_ends

    def space(self, frame: Frame) -> GeneSpace:
        """Return the gene space of the genotype, with the numbers of the things."""
        return extended_space(self.genotype.space(frame), self.furnisher.numbers)

    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        """Draw genes as the genotype does, and uniform numbers."""
        return joined(
            self.genotype.space(frame),
            self.genotype.start(frame, seed, generation, count),
            draw_numbers(FURNISH, seed, generation, count, self.furnisher.numbers),
        )

    def batch(self, genes: Genes, frame: Frame) -> Batch:
        """Decode levels, and place the things of each."""
        own, numbers = separated(self.genotype.space(frame), genes, self.furnisher.numbers)
        batch = self.genotype.batch(own, frame)
        for each in (batch, *batch.variants):
            self._furnish(each, numbers)
        return batch

    def write(self, level: Level, frame: Frame) -> Genes:
        """Encode the layout of a level; its things are placed anew."""
        layout = replace(level, things=(), kinds={}, solution=None, certificate=None)
        genes = self.genotype.write(layout, frame)
        numbers = draw_numbers(FURNISH, 0, 0, 1, self.furnisher.numbers)
        written: Genes = joined(self.genotype.space(frame), genes[np.newaxis], numbers)[0]
        return written

    def result(self, level: Level) -> Level | None:
        """Return the level with its proof; if it can be lost, repaired, unless that is allowed."""
        return secured(level, allow_loss=self.furnisher.allow_loss)

    def _furnish(self, batch: Batch, numbers: NDArray[np.int64]) -> None:
        furnisher, tileset = self.furnisher, batch.tileset
        if not tileset.reversible:
            raise InputError(
                "furnish: expected levels whose steps are legal in both directions, got the "
                f"tileset {tileset.name!r}"
            )
        cells = stops(batch)
        ends = np.ascontiguousarray(cells[:, [0, -1]])
        fixed, width = furnisher.fixed_things, batch.frame.width
        for thing in fixed:
            x, y = thing.cell
            if not (0 <= x < width and 0 <= y < batch.frame.height):
                raise PlaceError(
                    f"furnish.fixed: expected a cell inside the {width}x{batch.frame.height} "
                    f"level, got {thing.label}"
                )
        stay = np.array([[y * width + x for x, y in (thing.cell for thing in fixed)]], np.int64)
        stay = np.repeat(stay.reshape(1, len(fixed)), len(batch), axis=0)
        if len(fixed):
            kinds = np.take_along_axis(batch.tiles.reshape(len(batch), -1), stay, axis=1)
            stay = np.where(walkable_kinds(tileset)[kinds] != 0, stay, -1)
        taken = np.concatenate((cells[:, 1:-1], stay), axis=1)
        placed = furnisher.place(batch.tiles, tileset.table, ends, taken, numbers)
        absent = sum((placed[:, one] < 0).all(axis=1) for one in furnisher.plan.columns)
        absent_things.store(batch, absent + (stay < 0).sum(axis=1))
        batch.things = BatchThings(
            (*furnisher.plan.prototypes, *fixed),
            np.concatenate((placed, stay), axis=1),
            furnisher.own_kinds,
        )
