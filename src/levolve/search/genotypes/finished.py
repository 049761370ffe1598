"""`Finished`: a genotype followed by finish steps, so that what is measured is what is written to
files.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.levels.batch import Batch
from levolve.levels.frame import SMALLEST, Frame
from levolve.levels.level import Level
from levolve.levels.places import Place
from levolve.levels.tileset import Tileset
from levolve.search.genotypes import GENOTYPES
from levolve.search.genotypes.finish_steps import (
    FINISHES,
    FinishStep,
    margin_of,
    moved_inside,
    walkable_kinds,
)
from levolve.search.genotypes.fixed_cells import hall_cells, stamp
from levolve.search.genotypes.gene_space import Genes, GeneSpace
from levolve.search.genotypes.genotype import Genotype


@dataclass(frozen=True)
class Finished(Genotype):
    """Decodes genes with another genotype, then applies finish steps in order. Cells to keep,
    entrance and exit are as required.
    """

    genotype: Genotype = field(metadata={"registry": GENOTYPES})
    steps: tuple[FinishStep, ...] = field(default=(), metadata={"registry": FINISHES, "many": True})

    @property
    def sensitivity(self) -> float:
        """The share of genes that matter: as in the other genotype."""
        return self.genotype.sensitivity

    @property
    def sets_places(self) -> bool:
        """Whether every level has its own places."""
        return self.genotype.sets_places

    def exit_for(self, entrance: Place, width: int, height: int) -> Place | None:
        """Return the exit for an entrance, if the genotype defines it."""
        return self.genotype.exit_for(entrance, width, height)

    def space(self, frame: Frame) -> GeneSpace:
        """Return the gene space of the genotype for the cells inside all borders."""
        return self.genotype.space(self._inside(frame))

    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        """Draw genes as the genotype does."""
        return self.genotype.start(self._inside(frame), seed, generation, count)

    def write(self, level: Level, frame: Frame) -> Genes:
        """Encode the cells of a level inside all borders, or a level of that size."""
        inside, margin = self._inside(frame), margin_of(self.steps)
        cut = 0 if level.tiles.shape == (inside.height, inside.width) else margin
        tiles = level.tiles[cut : level.height - cut, cut : level.width - cut]
        if tiles.shape != (inside.height, inside.width):
            message = (
                f"expected a level of {frame.width}x{frame.height}, or of "
                f"{inside.width}x{inside.height} without its border, got {level!r}"
            )
            raise InputError(message)
        places = {name: (x - cut, y - cut) for name, (x, y) in level.places.items()}
        genes = self.genotype.write(Level(tiles, places, level.tileset, goal=level.goal), inside)
        again = self.batch(genes[np.newaxis], frame).tiles[0]
        whole = np.pad(tiles, margin, constant_values=again[0, 0]) if margin else tiles
        if not np.array_equal(again, whole):
            message = "expected a level that the finish steps of the recipe leave unchanged"
            raise InputError(message)
        return genes

    def batch(self, genes: Genes, frame: Frame) -> Batch:
        """Decode genes, and apply the steps to all levels and their variants."""
        inside = self._inside(frame)
        batch = self.genotype.batch(genes, inside)
        finished = self._finished(batch, frame)
        finished.variants = tuple(self._finished(variant, frame) for variant in batch.variants)
        return finished

    def _inside(self, frame: Frame) -> Frame:
        return frames_of(self.steps, frame)[0]

    def _finished(self, batch: Batch, frame: Frame) -> Batch:
        tiles = batch.tiles.copy()
        for step, outline in zip(self.steps, frames_of(self.steps, frame)[1:], strict=True):
            tiles = _with_open_halls(step, tiles, outline, batch.tileset)
        margin, marks = margin_of(self.steps), batch.marks
        if marks is not None and margin:
            # Cells are numbered in reading order, so that the border changes the numbers.
            marks = (
                (marks // batch.frame.width + margin) * frame.width
                + marks % batch.frame.width
                + margin
            )
        finished = Batch(
            frame,
            stamp(tiles, frame, batch.tileset),
            None,
            batch.tileset,
            marks,
            best_marks=batch.best_marks,
        )
        finished.has_rooms = batch.has_rooms
        if batch.terrain is not None:
            finished.terrain = np.pad(
                batch.terrain, ((0, 0), (margin, margin), (margin, margin)), mode="edge"
            )
            finished.kinds = batch.kinds
        return finished


def _with_open_halls(
    step: FinishStep, tiles: NDArray[np.uint8], frame: Frame, tileset: Tileset
) -> NDArray[np.uint8]:
    """Apply a step, and open again what it closed in halls of a level whose walls are kept."""
    halls = hall_cells(frame)
    if not halls.size or step.margin:
        return step.apply(tiles, frame, tileset)
    before = tiles.copy()
    after = step.apply(tiles, frame, tileset)
    walkable = walkable_kinds(tileset) != 0
    return np.where((halls != 0) & walkable[before] & ~walkable[after], before, after)


@lru_cache(maxsize=64)
def frames_of(steps: tuple[FinishStep, ...], frame: Frame) -> tuple[Frame, ...]:
    """Return the frame before the first step, and the one after each step; the last is `frame`."""
    frames = [frame]
    for step in reversed(steps):
        frames.append(_without_margin(frames[-1], step.margin) if step.margin else frames[-1])
    return tuple(reversed(frames))


def _without_margin(frame: Frame, margin: int) -> Frame:
    """Return the frame inside a margin. Places in the margin move to the nearest cell inside."""
    width, height = frame.width - 2 * margin, frame.height - 2 * margin
    if width < SMALLEST or height < SMALLEST:
        least = SMALLEST + 2 * margin
        message = (
            f"finish frame: expected a level of at least {least}x{least}, so that there are "
            f"cells inside the border, got {frame.width}x{frame.height}"
        )
        raise InputError(message)
    places = {
        name: (x - margin, y - margin)
        for name, (x, y) in moved_inside(frame.places, frame.width, frame.height, margin).items()
    }
    kept = tuple(
        row[margin : frame.width - margin] for row in frame.kept[margin : frame.height - margin]
    )
    return Frame(width, height, places, kept, frame.tours, frame.goal, like=frame.like)
