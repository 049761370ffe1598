"""Mirror: levels of any genotype, folded, so that they are symmetric."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

import numpy as np
from annotated_types import Interval
from numpy.typing import NDArray

from levolve.errors import InputError
from levolve.genotypes import GENOTYPES
from levolve.genotypes.direct import Direct
from levolve.genotypes.extended import VALUES, draw_numbers, extended_space, joined, separated
from levolve.genotypes.folds import Fold, copies_of, fold_of, image
from levolve.genotypes.genes import Genes, GeneSpace
from levolve.genotypes.genotype import Genotype
from levolve.genotypes.stamp import fixed_cells, stamp
from levolve.kernels.folding import open_gates, unfold
from levolve.kernels.streams import GATE
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.level import Level
from levolve.levels.places import Place
from levolve.settings import setting


@dataclass(frozen=True)
class Mirror(Genotype):
    """Symmetric levels: another genotype makes a part, which is copied by reflection or rotation. Gates connect the copies where they meet.

    Genes are those of the other genotype for the part, and a number per gate. Entrance, exit and kept cells are as required, even if that makes
    single cells asymmetric.
    """

    of: Genotype = field(default=Direct(), metadata={"registry": GENOTYPES, "meaning": "The genotype of the part that is copied."})
    fold: Literal["left_right", "up_down", "both", "half_turn", "quarter_turn", "diagonal"] = setting(
        "left_right", "The symmetry of levels; quarter_turn and diagonal need square levels."
    )
    gates: Annotated[int, Interval(ge=0, le=64)] = setting(1, "How many gates are opened along each axis where copies meet.")
    ends: Literal["free", "mirrored"] = setting("free", "Whether the exit lies where the recipe says, or opposite to the entrance.")

    @property
    def sensitivity(self) -> float:
        """The share of genes that matter: as in the other genotype."""
        return self.of.sensitivity

    @property
    def sets_places(self) -> bool:
        """Whether every level has its own places."""
        return self.of.sets_places

    def exit_for(self, entrance: Place, width: int, height: int) -> Place | None:
        """Return the exit for an entrance, if the settings define it."""
        return image(self.fold, entrance, width, height) if self.ends == "mirrored" else self.of.exit_for(entrance, width, height)

    def space(self, frame: Frame) -> GeneSpace:
        """Return the gene space of the part, with a number per gate."""
        fold = fold_of(self.fold, frame)
        return extended_space(self.of.space(fold.part), self._gates(fold))

    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        """Draw genes of the part, and uniform gates."""
        fold = fold_of(self.fold, frame)
        genes = self.of.start(fold.part, seed, generation, count)
        return joined(self.of.space(fold.part), genes, draw_numbers(GATE, seed, generation, count, self._gates(fold)))

    def batch(self, genes: Genes, frame: Frame) -> Batch:
        """Decode the part, open the gates and copy the part."""
        fold = fold_of(self.fold, frame)
        inner, gates = separated(self.of.space(fold.part), genes, self._gates(fold))
        part = self.of.batch(inner, fold.part)
        whole = self._unfolded(part, gates, fold, frame)
        whole.variants = tuple(self._unfolded(variant, gates, fold, frame) for variant in part.variants)
        return whole

    def write(self, level: Level, frame: Frame) -> Genes:
        """Encode the part of a symmetric level; raise `InputError` for a level that is not symmetric."""
        if self.sets_places:
            # The places of a level need not lie in the part.
            return super().write(level, frame)
        fold = fold_of(self.fold, frame)
        if (level.width, level.height) != (frame.width, frame.height):
            message = f"expected a level of {frame.width}x{frame.height}, got {level.width}x{level.height}"
            raise InputError(message)
        tiles = level.tiles[: fold.part.height, : fold.part.width]
        part = Level(tiles, {name: fold.part.places[name] for name in fold.part.places if name in level.places}, level.tileset, goal=level.goal)
        inner = self.of.write(part, fold.part)[np.newaxis]
        # A gate whose line begins on a walkable cell changes nothing: one that is open in the level is selected.
        walkable = np.array([level.tileset.may_stand(kind) for kind in range(len(level.tileset.characters))])[tiles].ravel()
        open_lines = walkable[fold.lines[:, 0]] & walkable[fold.lines[fold.partners, 0]] if len(fold.lines) else np.zeros(0, bool)
        gates = []
        for first, last in fold.ranges.tolist():
            line = next((k for k in range(last - first) if open_lines[first + k]), 0)
            gates += [-(-line * VALUES // (last - first))] * self.gates
        genes = joined(self.of.space(fold.part), inner, np.array([gates], np.int64).reshape(1, -1))
        if not np.array_equal(self.express(genes, frame)[0], level.tiles):
            message = f"genotype mirror: expected a level with the symmetry {self.fold!r} and open gates"
            raise InputError(message)
        return genes.reshape(-1)

    def _gates(self, fold: Fold) -> int:
        return self.gates * len(fold.ranges)

    def _unfolded(self, part: Batch, gates: NDArray[np.int64], fold: Fold, frame: Frame) -> Batch:
        tileset, tiles = part.tileset, part.tiles
        whole = np.empty((len(tiles), frame.height, frame.width), np.uint8)
        if gates.shape[1] and tileset.floor is not None:
            tiles = tiles.copy()
            walkable = np.array([tileset.may_stand(kind) for kind in range(len(tileset.characters))], np.uint8)
            fixed = fixed_cells(fold.part, tileset)[0].view(np.uint8)
            ranges = np.repeat(fold.ranges, self.gates, axis=0)
            # Neighbouring values select the same line, so that a gene of few lines does not depend on its lowest bits alone.
            selected = gates * (ranges[:, 1] - ranges[:, 0]) // VALUES
            open_gates(tiles, selected, fold.lines, fold.partners, ranges, walkable, fixed, tileset.floor)
        unfold(np.ascontiguousarray(tiles), fold.sources, whole)
        marks = part.marks
        if marks is not None:
            marks = marks // part.frame.width * frame.width + marks % part.frame.width
        batch = Batch(frame, stamp(whole, frame, tileset), None, tileset, marks, best_marks=part.best_marks)
        if part.areas is not None:
            inside = part.areas
            batch.areas = lambda index: copies_of(self.fold, inside(index), frame.width, frame.height)
        if part.terrain is not None:
            batch.terrain = np.empty_like(whole)
            unfold(part.terrain, fold.sources, batch.terrain)
            batch.kinds = part.kinds
        return batch
