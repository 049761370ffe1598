"""`Placed`: a genotype whose levels have their own entrance and exit, placed by genes."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError
from levolve.genotypes import GENOTYPES
from levolve.genotypes.extended import VALUES, draw_numbers, extended_space, joined, separated
from levolve.genotypes.genes import Genes, GeneSpace
from levolve.genotypes.genotype import Genotype
from levolve.kernels.placing import place_ends
from levolve.kernels.streams import PLACE
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.level import Level
from levolve.levels.places import ENTRANCE, EXIT, PlacesRule

RULES: tuple[str, ...] = get_args(PlacesRule)
SIDES = 4


@dataclass(frozen=True)
class Placed(Genotype):
    """Decodes levels with another genotype, and places the entrance and the exit of each on two different walkable cells.

    The rules are: `anywhere`; `border`, on the outermost open line of any side; `sides`, on those of opposite sides; `rooms`, in different rooms, or
    anywhere if there is only one; `farthest`, as far apart as possible. Two numbers select the cells, except for `farthest`.
    """

    genotype: Genotype = field(metadata={"registry": GENOTYPES})
    rule: PlacesRule = "anywhere"

    @property
    def sensitivity(self) -> float:
        """The share of genes that matter: as in the other genotype."""
        return self.genotype.sensitivity

    @property
    def sets_places(self) -> bool:
        """Whether every level has its own A, B and C: as in the other genotype."""
        return self.genotype.sets_places

    @property
    def sets_ends(self) -> bool:
        """Whether every level has its own entrance and exit: always."""
        return True

    def space(self, frame: Frame) -> GeneSpace:
        """Return the gene space of the genotype, with the numbers of entrance and exit."""
        return extended_space(self.genotype.space(_without_ends(frame)), self._numbers)

    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        """Draw genes as the genotype does, and uniform places."""
        inner = _without_ends(frame)
        genes = self.genotype.start(inner, seed, generation, count)
        return joined(self.genotype.space(inner), genes, draw_numbers(PLACE, seed, generation, count, self._numbers))

    def batch(self, genes: Genes, frame: Frame) -> Batch:
        """Decode levels, and place entrance and exit of each."""
        inner = _without_ends(frame)
        own, numbers = separated(self.genotype.space(inner), genes, self._numbers)
        batch = self.genotype.batch(own, inner)
        placed = self._placed(batch, numbers, frame)
        placed.variants = tuple(self._placed(variant, numbers, frame) for variant in batch.variants)
        return placed

    def write(self, level: Level, frame: Frame) -> Genes:
        """Encode a level, and numbers that select its entrance and exit; raise `InputError` if the rule does not allow these places."""
        inner = _without_ends(frame)
        missing = [name for name in (ENTRANCE, EXIT) if name not in level.places]
        if missing:
            message = f"expected a level with an entrance and an exit, got one without {' and '.join(missing)}"
            raise InputError(message)
        others = {name: place for name, place in level.places.items() if name not in {ENTRANCE, EXIT}}
        own = self.genotype.write(Level(level.tiles, others, level.tileset), inner)
        ends = [level.places[name][1] * level.width + level.places[name][0] for name in (ENTRANCE, EXIT)]
        choices = [self._selecting(cell, frame) for cell in ends]
        numbers = np.array([(first, second) for first in choices[0] for second in choices[1]])[:, : self._numbers]
        genes = joined(self.genotype.space(inner), np.repeat(own[np.newaxis], len(numbers), axis=0), numbers)
        batch = self.batch(genes, frame)
        same_ends = np.equal(batch.ends, np.array(ends)).all(axis=1)  # type: ignore[arg-type] # a batch of this class has ends
        fitting = np.flatnonzero(same_ends & (batch.tiles == level.tiles).all(axis=(1, 2)))
        if not len(fitting):
            message = f"places {self.rule}: expected an entrance and an exit that this rule allows, got {level.entrance} and {level.exit}"
            raise InputError(message)
        chosen: Genes = genes[fitting[0]]
        return chosen

    @property
    def _numbers(self) -> int:
        return 0 if self.rule == "farthest" else 2

    def _selecting(self, cell: int, frame: Frame) -> list[int]:
        """Return numbers that may select a cell."""
        if self.rule not in {"border", "sides"}:
            return [-(-cell * VALUES // (frame.width * frame.height))]
        y, x = divmod(cell, frame.width)
        share = VALUES // SIDES
        return [side * share - (-((x, y)[side % 2 == 0] * share) // (frame.width, frame.height)[side % 2 == 0]) for side in range(SIDES)]

    def _placed(self, batch: Batch, numbers: NDArray[np.int64], frame: Frame) -> Batch:
        tileset, tiles = batch.tileset, batch.tiles
        linked = tileset.table if tileset.reversible else tileset.table | tileset.table.T
        ends = np.empty((len(tiles), 2), np.int64)
        used = numbers if numbers.shape[1] else np.zeros((len(tiles), 2), np.int64)
        # A copy, because a level without two walkable cells gets some, and tiles may be the genes themselves.
        tiles = tiles.copy()
        place_ends(tiles, used, RULES.index(self.rule), linked, tileset.open_kind, ends)
        placed = Batch(frame, tiles, None, tileset)
        placed.ends, placed.areas, placed.terrain, placed.kinds = ends, batch.areas, batch.terrain, batch.kinds
        return placed


@lru_cache(maxsize=64)
def _without_ends(frame: Frame) -> Frame:
    """Return the frame for a genotype that does not know of entrance and exit."""
    places = {name: place for name, place in frame.places.items() if name not in {ENTRANCE, EXIT}}
    return Frame(frame.width, frame.height, places, frame.kept, like=frame.like)
