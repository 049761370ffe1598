"""`Edited`: a genotype of edits to a given level, of which at most a share of the cells changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.kernels.building.edits import FORMS, LONGEST, apply_edits
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.level import Level, has_closed_border
from levolve.levels.tileset import Tileset
from levolve.search.genotypes.finish_steps import FINISHES, FinishStep
from levolve.search.genotypes.fixed_cells import fixed_cells, stamp
from levolve.search.genotypes.gene_space import Genes, NumberGenes
from levolve.search.genotypes.genotype import Genotype

# Edits of a level: half as many as cells may change, within these limits.
FEWEST, MOST = 4, 64


class Given(NamedTuple):
    """What edits start from: tiles, cells that they leave alone, whether each edit is repeated on
    the other side of a level that is symmetric, and whether it has rock, which discs suit, instead
    of thin walls.
    """

    tiles: NDArray[np.uint8]
    fixed: NDArray[np.uint8]
    across: bool
    down: bool
    discs: bool


@dataclass(frozen=True)
class Edited(Genotype):
    """A given level with edits: lines, blocks and discs of one kind of tile.

    At most `change` of its cells differ, always: edits that would exceed that are left out. Finish
    steps apply if they leave the given level as it is, and only to levels that stay within the
    limit. A closed border stays closed, and a symmetric level stays symmetric.
    """

    rows: tuple[str, ...]
    change: float
    steps: tuple[FinishStep, ...] = field(default=(), metadata={"registry": FINISHES, "many": True})

    @property
    def sensitivity(self) -> float:
        """The share of genes that matter: the forms decide whether the others do."""
        return 0.5

    @property
    def level(self) -> Level:
        """The given level."""
        return _parsed(self.rows)

    def most(self, frame: Frame) -> int:
        """Return how many cells may differ."""
        return int(self.change * frame.width * frame.height + 1e-9)

    def space(self, frame: Frame) -> NumberGenes:
        """Return the gene space: forms, cells, lengths and kinds of the edits."""
        self._given(frame)
        return _space(
            frame.width,
            frame.height,
            min(max(self.most(frame) // 2, FEWEST), MOST),
            len(self.level.tileset.characters),
        )

    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        """Draw uniform genes, with which about half of the edits change something; the given level
        itself comes first.
        """
        genes = self.space(frame).draw(seed, generation, count)
        if generation == 0:
            genes[:1] = 0
        return genes

    def write(self, level: Level, frame: Frame) -> Genes:
        """Return genes without edits, for the given level."""
        space = self.space(frame)
        if level.tileset != self.level.tileset or not np.array_equal(
            level.tiles, self._given(frame).tiles
        ):
            message = "expected the level that is edited"
            raise InputError(message)
        return np.zeros(space.length, space.dtype)

    def batch(self, genes: Genes, frame: Frame) -> Batch:
        """Edit the level, and apply the finish steps."""
        given, tileset = self._given(frame), self.level.tileset
        tiles = np.empty((len(genes), frame.height, frame.width), np.uint8)
        apply_edits(
            genes.astype(np.int64),
            given.tiles,
            given.fixed,
            self.most(frame),
            given.across,
            given.down,
            given.discs,
            tiles,
        )
        steps = self._fitting_steps(frame)
        if steps:
            finished = _finished(steps, tiles, frame, tileset)
            changed = (finished != given.tiles).sum(axis=(1, 2)) > self.most(frame)
            finished[changed] = tiles[changed]
            tiles = finished
        return Batch(frame, tiles=tiles, tileset=tileset)

    def _given(self, frame: Frame) -> Given:
        return _given(self.rows, frame)

    def _fitting_steps(self, frame: Frame) -> tuple[FinishStep, ...]:
        return _fitting(self.rows, self.steps, frame)


@lru_cache(maxsize=16)
def _parsed(rows: tuple[str, ...]) -> Level:
    return Level.from_text("\n".join(rows))


@lru_cache(maxsize=16)
def _space(width: int, height: int, edits: int, kinds: int) -> NumberGenes:
    return NumberGenes(
        np.tile(np.array([FORMS, width, height, LONGEST, LONGEST, kinds], np.int64), edits)
    )


@lru_cache(maxsize=16)
def _given(rows: tuple[str, ...], frame: Frame) -> Given:
    level = _parsed(rows)
    if (level.width, level.height) != (frame.width, frame.height):
        message = (
            f"start: expected a level of {frame.width}x{frame.height} to change, got one of "
            f"{level.width}x{level.height}"
        )
        raise InputError(message)
    fixed, kinds = fixed_cells(frame, level.tileset)
    tiles = np.where(fixed, kinds, level.tiles)
    fixed = fixed.copy()
    for thing in level.things:
        fixed[thing.cell[1], thing.cell[0]] = True
    if has_closed_border(level):
        fixed[[0, -1]] = True
        fixed[:, [0, -1]] = True
    return Given(
        tiles,
        fixed.view(np.uint8),
        np.array_equal(level.tiles, level.tiles[:, ::-1]),
        np.array_equal(level.tiles, level.tiles[::-1]),
        _has_rock(level),
    )


def _has_rock(level: Level) -> bool:
    """Whether at least half of the walls inside the level are in squares of walls."""
    walls = ~level.walkable[1:-1, 1:-1]
    squares = walls[1:, 1:] & walls[:-1, 1:] & walls[1:, :-1] & walls[:-1, :-1]
    thick = np.zeros_like(walls)
    for rows in (slice(1, None), slice(None, -1)):
        for columns in (slice(1, None), slice(None, -1)):
            thick[rows, columns] |= squares
    return bool(2 * thick.sum() >= max(walls.sum(), 1))


@lru_cache(maxsize=16)
def _fitting(
    rows: tuple[str, ...], steps: tuple[FinishStep, ...], frame: Frame
) -> tuple[FinishStep, ...]:
    """Return the steps without a margin, if the level is what they make of it; otherwise none."""
    given, tileset = _given(rows, frame).tiles, _parsed(rows).tileset
    fitting = tuple(step for step in steps if not step.margin)
    again = _finished(fitting, given[np.newaxis].copy(), frame, tileset) if fitting else given
    return fitting if np.array_equal(again.reshape(given.shape), given) else ()


def _finished(
    steps: tuple[FinishStep, ...], tiles: NDArray[np.uint8], frame: Frame, tileset: Tileset
) -> NDArray[np.uint8]:
    tiles = tiles.copy()
    for step in steps:
        tiles = step.apply(tiles, frame, tileset)
    return stamp(tiles, frame, tileset)
