"""`Placed`: a genotype whose levels have their own places, chosen by a rule and by genes: entrance
and exit, or A, B and C of a tour.

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
from levolve.kernels.building.placing import place_checkpoints, place_ends
from levolve.kernels.variation.apply_masks import replace_values
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.level import Level
from levolve.levels.measures.path_features import tours, uniform_marks
from levolve.levels.places import ENTRANCE, EXIT, TOUR, TOUR_RULES, PlacesRule
from levolve.search.genotypes import GENOTYPES
from levolve.search.genotypes.finish_steps import walkable_kinds
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


# Rules of an entrance and an exit, in the order of their numbers in the kernel.
RULES: tuple[str, ...] = tuple(rule for rule in get_args(PlacesRule) if rule not in TOUR_RULES)
SIDES = 4


@dataclass(frozen=True)
class Placed(Genotype):
    """Decodes levels with another genotype, and places the stops of each on walkable cells.

    Rules for an entrance and an exit, always on two different cells: `anywhere`; `border`, on the
    outermost open line of any side; `sides`, on those of opposite sides; `rooms`, in different
    rooms, or anywhere if there is only one; `farthest`, as far apart as possible. Two numbers
    select the cells, except for `farthest`. Each checkpoint lies on the nearest cell to that of
    the frame which can be reached from the entrance.

    Rules for a tour, with A on the first walkable cell in reading order and C on the last: with
    `tour`, B is the next walkable cell between them from the cell that a number selects; with
    `tour_uniform`, a number selects one of the walkable cells between them; with `tour_best`, B
    lies where the tour is longest.
    """

    genotype: Genotype = field(metadata={"registry": GENOTYPES})
    rule: PlacesRule = "anywhere"

    @property
    def sensitivity(self) -> float:
        """The share of genes that matter: as in the other genotype."""
        return self.genotype.sensitivity

    @property
    def sets_places(self) -> bool:
        """Whether every level has its own A, B and C."""
        return self.rule in TOUR_RULES or self.genotype.sets_places

    @property
    def sets_ends(self) -> bool:
        """Whether every level has its own entrance and exit."""
        return self.rule in RULES

    def space(self, frame: Frame) -> GeneSpace:
        """Return the gene space of the genotype, with the numbers of the places."""
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
        """Decode levels, and place the stops of each."""
        inner = _without_ends(frame)
        own, numbers = separated(self.genotype.space(inner), genes, self._numbers)
        batch = self.genotype.batch(own, inner)
        place = self._with_ends if self.sets_ends else self._with_tours
        placed = place(batch, numbers, frame)
        placed.variants = tuple(place(variant, numbers, frame) for variant in batch.variants)
        return placed

    def write(self, level: Level, frame: Frame) -> Genes:
        """Encode a level, and numbers that select its places; raise `InputError` if the rule does
        not allow these places.
        """
        inner = _without_ends(frame)
        names = (ENTRANCE, EXIT) if self.sets_ends else TOUR
        missing = [name for name in names if name not in level.places]
        if missing:
            message = (
                f"expected a level with {_listed(names)}, got one without {' and '.join(missing)}"
            )
            raise InputError(message)
        others = {name: place for name, place in level.places.items() if name not in names}
        own = self.genotype.write(Level(level.tiles, others, level.tileset), inner)
        cells = [level.places[name][1] * level.width + level.places[name][0] for name in names]
        numbers = self._selecting(cells, level, frame)
        genes = joined(
            self.genotype.space(inner), np.repeat(own[np.newaxis], len(numbers), axis=0), numbers
        )
        batch = self.batch(genes, frame)
        found = batch.ends if self.sets_ends else tours(batch)
        same = np.equal(found, np.array(cells)).all(axis=1)  # type: ignore[arg-type] # a batch of this class has ends or tours
        fitting = np.flatnonzero(same & (batch.tiles == level.tiles).all(axis=(1, 2)))
        if not len(fitting):
            message = (
                f"places {self.rule}: expected {_listed(names)} that this rule allows, got "
                f"{' and '.join(str(level.places[name]) for name in names)}"
            )
            raise InputError(message)
        chosen: Genes = genes[fitting[0]]
        return chosen

    @property
    def _numbers(self) -> int:
        return {"farthest": 0, "tour_best": 0, "tour": 1, "tour_uniform": 1}.get(self.rule, 2)

    def _selecting(self, places: list[int], level: Level, frame: Frame) -> NDArray[np.int64]:
        """Return `(m, k)` numbers that may select the cells of the places."""
        cells = frame.width * frame.height
        if self.rule == "tour_uniform":
            floor = np.flatnonzero(walkable_kinds(level.tileset)[level.tiles])
            rank, count = int((floor[1:-1] < places[1]).sum()), max(len(floor) - 2, 1)
            return np.array([[-(-rank * VALUES // count)]])
        if self.rule not in {"border", "sides"}:
            chosen = places[1:2] if self.sets_places else places
            return np.array([[-(-cell * VALUES // cells) for cell in chosen]])[:, : self._numbers]
        share = VALUES // SIDES
        choices = [
            [
                side * share
                - (
                    -(divmod(cell, frame.width)[side % 2] * share)
                    // (frame.height, frame.width)[side % 2]
                )
                for side in range(SIDES)
            ]
            for cell in places
        ]
        return np.array([(first, second) for first in choices[0] for second in choices[1]])

    def _with_ends(self, batch: Batch, numbers: NDArray[np.int64], frame: Frame) -> Batch:
        tileset, tiles = batch.tileset, batch.tiles
        linked = tileset.table if tileset.reversible else tileset.table | tileset.table.T
        ends = np.empty((len(tiles), 2), np.int64)
        used = numbers if numbers.shape[1] else np.zeros((len(tiles), 2), np.int64)
        # A copy, because a level without two walkable cells gets some, and tiles may be the genes
        # themselves.
        tiles = tiles.copy()
        place_ends(tiles, used, RULES.index(self.rule), linked, tileset.open_kind, ends)
        placed = _copied(Batch(frame, tiles, None, tileset), batch)
        placed.ends = ends
        if frame.checkpoints:
            wanted = np.array([y * frame.width + x for x, y in frame.checkpoints], np.int64)
            placed.checkpoints = np.empty((len(tiles), len(wanted)), np.int64)
            place_checkpoints(
                tiles, tileset.table, ends, wanted, tileset.open_kind, placed.checkpoints
            )
        return placed

    def _with_tours(self, batch: Batch, numbers: NDArray[np.int64], frame: Frame) -> Batch:
        cells = frame.width * frame.height
        if not self._numbers:
            marks = np.zeros(len(batch), np.int64)
        elif self.rule == "tour":
            marks = numbers[:, 0] * cells // VALUES
        else:
            marks = uniform_marks(batch, numbers[:, 0], VALUES)
        packed = batch.is_packed
        return _copied(
            Batch(
                frame,
                None if packed else batch.tiles,
                batch.rows if packed else None,
                batch.tileset,
                marks,
                best_marks=self.rule == "tour_best",
            ),
            batch,
        )


def _copied(placed: Batch, batch: Batch) -> Batch:
    """Give a batch the terrain of another one, and whether it has rooms."""
    placed.has_rooms, placed.terrain, placed.kinds = batch.has_rooms, batch.terrain, batch.kinds
    return placed


def _listed(names: tuple[str, ...]) -> str:
    return "an entrance and an exit" if names == (ENTRANCE, EXIT) else "places A, B and C"


@lru_cache(maxsize=64)
def _without_ends(frame: Frame) -> Frame:
    """Return the frame for a genotype that does not know of entrance, exit and tours."""
    places = {name: place for name, place in frame.places.items() if name not in {ENTRANCE, EXIT}}
    return Frame(frame.width, frame.height, places, frame.kept, like=frame.like)
