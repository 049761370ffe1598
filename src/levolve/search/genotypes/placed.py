"""`Placed`: a genotype whose levels have their own entrance and exit, placed by genes.

Further genes of a genotype that decodes its levels with another genotype: whole numbers from 0 to
65,535, after the genes of the other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.kernels.bits.random_streams import PLACE
from levolve.kernels.building.placing import place_ends
from levolve.kernels.variation.apply_masks import replace_values
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.level import Level
from levolve.levels.places import ENTRANCE, EXIT, PlacesRule
from levolve.search.genotypes import GENOTYPES
from levolve.search.genotypes.gene_space import BitGenes, Genes, GeneSpace, NumberGenes
from levolve.search.genotypes.genotype import Genotype

# A number is one row of 16 bits among genes of bits, and two bytes among genes of numbers.
BITS = 16
BYTES = 2
VALUES = 1 << BITS


class ExtendedNumbers(NumberGenes):
    """Genes of numbers, and further genes of two bytes each. A rotation changes only the former,
    because they may have other bounds.
    """

    def __init__(self, inner: NumberGenes, numbers: int) -> None:
        """Append `numbers` numbers to a space."""
        free = np.concatenate((_free(inner), np.ones(numbers * BYTES, bool)))
        super().__init__(
            np.concatenate((inner.bounds, np.full(numbers * BYTES, 256))), free, inner.grid
        )
        self._inner = inner

    def rotate(self, genes: Genes, purpose: int, seed: int, generation: int) -> Genes:
        """Return the genes of the other genotype after a double rotation, and the further genes
        unchanged.
        """
        turned = genes.copy()
        first = np.ascontiguousarray(genes[:, : self._inner.length])
        turned[:, : self._inner.length] = self._inner.rotate(first, purpose, seed, generation)
        return turned


def _free(space: GeneSpace) -> NDArray[np.bool_]:
    free = np.zeros(space.length, bool)
    free[space.free_genes] = True
    return free


@lru_cache(maxsize=64)
def extended_space(inner: GeneSpace, numbers: int) -> GeneSpace:
    """Return a space of the same genes with `numbers` numbers after them."""
    if numbers == 0:
        return inner
    if isinstance(inner, BitGenes):
        return BitGenes(
            [*inner.rows, *[BITS] * numbers],
            np.concatenate((_free(inner), np.ones(numbers * BITS, bool))),
            inner.grid,
        )
    if isinstance(inner, NumberGenes):
        return ExtendedNumbers(inner, numbers)
    message = f"genotype: expected genes of bits or numbers to extend, got {type(inner).__name__}"
    raise InputError(message)


def joined(inner: GeneSpace, genes: Genes, numbers: NDArray[np.int64]) -> Genes:
    """Return genes of an extended space from `(n, ...)` genes and `(n, k)` numbers."""
    if numbers.shape[1] == 0:
        return genes
    if isinstance(inner, BitGenes):
        return np.concatenate((genes, numbers.astype(np.uint64)), axis=1)
    parts = np.stack((numbers // 256, numbers % 256), axis=2).reshape(
        len(numbers), BYTES * numbers.shape[1]
    )
    return np.concatenate((genes, parts.astype(genes.dtype)), axis=1)


def separated(inner: GeneSpace, genes: Genes, numbers: int) -> tuple[Genes, NDArray[np.int64]]:
    """Return the genes of the other genotype, and the `(n, k)` numbers."""
    if numbers == 0:
        return genes, np.empty((len(genes), 0), np.int64)
    if isinstance(inner, BitGenes):
        return np.ascontiguousarray(genes[:, :-numbers]), genes[:, -numbers:].astype(np.int64)
    first = genes.shape[1] - numbers * BYTES
    parts = genes[:, first:].astype(np.int64).reshape(len(genes), numbers, BYTES)
    return np.ascontiguousarray(genes[:, :first]), parts[:, :, 0] * 256 + parts[:, :, 1]


def draw_numbers(
    purpose: int, seed: int, generation: int, count: int, numbers: int
) -> NDArray[np.int64]:
    """Draw `(count, numbers)` uniform numbers."""
    drawn = np.zeros((count, numbers), np.uint16)
    if numbers:
        space = NumberGenes(np.full(numbers, VALUES))
        replace_values(
            np.uint64(seed),
            purpose,
            generation,
            space.bounds,
            False,
            drawn,
            np.tile(space.free, (count, 1)),
        )
    return drawn.astype(np.int64)


RULES: tuple[str, ...] = get_args(PlacesRule)
SIDES = 4


@dataclass(frozen=True)
class Placed(Genotype):
    """Decodes levels with another genotype, and places the entrance and the exit of each on two
    different walkable cells.

    The rules are: `anywhere`; `border`, on the outermost open line of any side; `sides`, on those
    of opposite sides; `rooms`, in different rooms, or anywhere if there is only one; `farthest`, as
    far apart as possible. Two numbers select the cells, except for `farthest`.
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
        return joined(
            self.genotype.space(inner),
            genes,
            draw_numbers(PLACE, seed, generation, count, self._numbers),
        )

    def batch(self, genes: Genes, frame: Frame) -> Batch:
        """Decode levels, and place entrance and exit of each."""
        inner = _without_ends(frame)
        own, numbers = separated(self.genotype.space(inner), genes, self._numbers)
        batch = self.genotype.batch(own, inner)
        placed = self._placed(batch, numbers, frame)
        placed.variants = tuple(self._placed(variant, numbers, frame) for variant in batch.variants)
        return placed

    def write(self, level: Level, frame: Frame) -> Genes:
        """Encode a level, and numbers that select its entrance and exit; raise `InputError` if the
        rule does not allow these places.
        """
        inner = _without_ends(frame)
        missing = [name for name in (ENTRANCE, EXIT) if name not in level.places]
        if missing:
            message = (
                "expected a level with an entrance and an exit, got one without "
                f"{' and '.join(missing)}"
            )
            raise InputError(message)
        others = {
            name: place for name, place in level.places.items() if name not in {ENTRANCE, EXIT}
        }
        own = self.genotype.write(Level(level.tiles, others, level.tileset), inner)
        ends = [
            level.places[name][1] * level.width + level.places[name][0] for name in (ENTRANCE, EXIT)
        ]
        choices = [self._selecting(cell, frame) for cell in ends]
        numbers = np.array([(first, second) for first in choices[0] for second in choices[1]])[
            :, : self._numbers
        ]
        genes = joined(
            self.genotype.space(inner), np.repeat(own[np.newaxis], len(numbers), axis=0), numbers
        )
        batch = self.batch(genes, frame)
        same_ends = np.equal(batch.ends, np.array(ends)).all(axis=1)  # type: ignore[arg-type] # a batch of this class has ends
        fitting = np.flatnonzero(same_ends & (batch.tiles == level.tiles).all(axis=(1, 2)))
        if not len(fitting):
            message = (
                f"places {self.rule}: expected an entrance and an exit that this rule allows, "
                f"got {level.entrance} and {level.exit}"
            )
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
        return [
            side * share
            - (-((x, y)[side % 2 == 0] * share) // (frame.width, frame.height)[side % 2 == 0])
            for side in range(SIDES)
        ]

    def _placed(self, batch: Batch, numbers: NDArray[np.int64], frame: Frame) -> Batch:
        tileset, tiles = batch.tileset, batch.tiles
        linked = tileset.table if tileset.reversible else tileset.table | tileset.table.T
        ends = np.empty((len(tiles), 2), np.int64)
        used = numbers if numbers.shape[1] else np.zeros((len(tiles), 2), np.int64)
        # A copy, because a level without two walkable cells gets some, and tiles may be the genes
        # themselves.
        tiles = tiles.copy()
        place_ends(tiles, used, RULES.index(self.rule), linked, tileset.open_kind, ends)
        placed = Batch(frame, tiles, None, tileset)
        placed.ends, placed.has_rooms, placed.terrain, placed.kinds = (
            ends,
            batch.has_rooms,
            batch.terrain,
            batch.kinds,
        )
        return placed


@lru_cache(maxsize=64)
def _without_ends(frame: Frame) -> Frame:
    """Return the frame for a genotype that does not know of entrance and exit."""
    places = {name: place for name, place in frame.places.items() if name not in {ENTRANCE, EXIT}}
    return Frame(frame.width, frame.height, places, frame.kept, like=frame.like)
