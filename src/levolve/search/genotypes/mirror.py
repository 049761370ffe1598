"""Mirror: levels of any genotype, folded, so that they are symmetric.

Folds: the symmetries of a level, the part that determines it, and the gates where copies of the
part meet.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, Literal

import numpy as np
from annotated_types import Interval
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.core.settings import setting
from levolve.kernels.bits.random_streams import GATE
from levolve.kernels.building.folding import open_gates, unfold
from levolve.levels.batch import Batch
from levolve.levels.frame import FREE, UNKEPT, Frame
from levolve.levels.level import Level
from levolve.levels.places import ENTRANCE, EXIT, Place
from levolve.search.genotypes import GENOTYPES
from levolve.search.genotypes.direct import Direct
from levolve.search.genotypes.fixed_cells import fixed_cells, stamp
from levolve.search.genotypes.gene_space import Genes, GeneSpace
from levolve.search.genotypes.genotype import Genotype
from levolve.search.genotypes.placed import VALUES, draw_numbers, extended_space, joined, separated

Move = Callable[[int, int, int, int], Place]

# Where a symmetry moves the cell (x, y) of a level of width w and height h.
_ACROSS: Move = lambda x, y, w, _: (w - 1 - x, y)
_DOWN: Move = lambda x, y, _, h: (x, h - 1 - y)
_HALF: Move = lambda x, y, w, h: (w - 1 - x, h - 1 - y)
_QUARTER: Move = lambda x, y, w, _: (w - 1 - y, x)
_BACK: Move = lambda x, y, w, _: (y, w - 1 - x)
_DIAGONAL: Move = lambda x, y, *_: (y, x)

MOVES: dict[str, tuple[Move, ...]] = {
    "left_right": (_ACROSS,),
    "up_down": (_DOWN,),
    "both": (_HALF, _ACROSS, _DOWN),
    "half_turn": (_HALF,),
    "quarter_turn": (_HALF, _QUARTER, _BACK),
    "diagonal": (_DIAGONAL,),
}
SQUARE = ("quarter_turn", "diagonal")


@dataclass(frozen=True, eq=False)
class Fold:
    """A symmetry of levels of one frame.

    Attributes
    ----------
    part
        The frame of the part, at the upper left, that determines the level: with the images of
        entrance, exit and kept cells. In a diagonal fold it is the whole level, with walls kept
        below the diagonal.
    sources
        `(height, width)` int32: the cell of the part, numbered in reading order, that each cell of
        the level copies.
    lines, partners, ranges
        The gates; see `levolve.kernels.building.folding.open_gates`. There is a row in `ranges` per
        axis where copies of the part meet.
    """

    part: Frame
    sources: NDArray[np.int32]
    lines: NDArray[np.int32]
    partners: NDArray[np.int32]
    ranges: NDArray[np.int32]


def image(fold: str, place: Place, width: int, height: int) -> Place:
    """Return the cell opposite to a place: its mirror image, or the place after half a turn if
    there are several.
    """
    return MOVES[fold][0](*place, width, height)


@lru_cache(maxsize=64)
def fold_of(name: str, frame: Frame) -> Fold:
    """Return a fold of a frame; raise `InputError` if the level must be square and is not."""
    width, height = frame.width, frame.height
    if name in SQUARE and width != height:
        message = (
            f"fold: expected a square level for {name}, got {width}x{height}; choose a square "
            "size, or another fold"
        )
        raise InputError(message)
    columns = (width + 1) // 2 if name in {"left_right", "both", "quarter_turn"} else width
    rows = (height + 1) // 2 if name in {"up_down", "both", "half_turn", "quarter_turn"} else height
    sources = np.empty((height, width), np.int32)
    for y in range(height):
        for x in range(width):
            orbit = [(x, y), *(move(x, y, width, height) for move in MOVES[name])]
            sources[y, x] = min(b * columns + a for a, b in orbit if a < columns and b < rows)
    part = _part(name, frame, columns, rows, sources)
    lines, partners, ranges = _gates(name, columns, rows)
    return Fold(part, sources, lines, partners, ranges)


def _part(name: str, frame: Frame, columns: int, rows: int, sources: NDArray[np.int32]) -> Frame:
    places: dict[str, Place] = {}
    for place in (ENTRANCE, EXIT):
        if place in frame.places:
            x, y = frame.places[place]
            cell = int(sources[y, x])
            if (cell % columns, cell // columns) not in places.values():
                places[place] = (cell % columns, cell // columns)
    kept = np.full(columns * rows, FREE)
    if name == "diagonal":
        kept[[y * columns + x for y in range(rows) for x in range(y)]] = "#"
    for y, row in reversed(list(enumerate(frame.kept))):
        for x, character in enumerate(row):
            if character not in UNKEPT:
                kept[sources[y, x]] = character
    for x, y in places.values():
        # A place is open, also where a wall is kept at one of its images.
        kept[y * columns + x] = FREE if kept[y * columns + x] == "#" else kept[y * columns + x]
    drawn = tuple("".join(kept[y * columns : (y + 1) * columns]) for y in range(rows))
    return Frame(
        columns,
        rows,
        places,
        drawn if any(character != FREE for character in kept) else (),
        frame.tours,
        frame.goal,
        like=frame.like,
    )


def _gates(
    name: str, columns: int, rows: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """Return lines, partners and ranges: lines from the right edge of the part, one per row, then
    lines from its lower edge, one per column.
    """
    longest = max(columns, rows)
    right = [[y * columns + x for x in reversed(range(columns))] for y in range(rows)]
    lower = [[y * columns + x for y in reversed(range(rows))] for x in range(columns)]
    used, ranges = [], []
    if name in {"left_right", "both", "quarter_turn"}:
        used, ranges = right, [(0, rows)]
    partners = list(range(len(used)))
    if name in {"up_down", "both", "half_turn"}:
        ranges.append((len(used), len(used) + columns))
        # After half a turn, the line from the other side lies behind a line of the lower edge.
        partners += [
            len(used) + (columns - 1 - x if name == "half_turn" else x) for x in range(columns)
        ]
        used = used + lower
    if name == "quarter_turn":
        partners, used = [*range(rows, 2 * rows), *range(rows)], used + lower
    lines = np.full((len(used), longest), -1, np.int32)
    for row, line in zip(lines, used, strict=True):
        row[: len(line)] = line
    return lines, np.array(partners, np.int32), np.array(ranges, np.int32).reshape(-1, 2)


@dataclass(frozen=True)
class Mirror(Genotype):
    """Symmetric levels: another genotype makes a part, which is copied by reflection or rotation.
    Gates connect the copies where they meet.

    Genes are those of the other genotype for the part, and a number per gate. Entrance, exit and
    kept cells are as required, even if that makes single cells asymmetric.
    """

    of: Genotype = field(
        default=Direct(),
        metadata={"registry": GENOTYPES, "meaning": "The genotype of the part that is copied."},
    )
    fold: Literal["left_right", "up_down", "both", "half_turn", "quarter_turn", "diagonal"] = (
        setting(
            "left_right", "The symmetry of levels; quarter_turn and diagonal need square levels."
        )
    )
    gates: Annotated[int, Interval(ge=0, le=64)] = setting(
        1, "How many gates are opened along each axis where copies meet."
    )
    ends: Literal["free", "mirrored"] = setting(
        "free", "Whether the exit lies where the recipe says, or opposite to the entrance."
    )

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
        return (
            image(self.fold, entrance, width, height)
            if self.ends == "mirrored"
            else self.of.exit_for(entrance, width, height)
        )

    def space(self, frame: Frame) -> GeneSpace:
        """Return the gene space of the part, with a number per gate."""
        fold = fold_of(self.fold, frame)
        return extended_space(self.of.space(fold.part), self._gates(fold))

    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        """Draw genes of the part, and uniform gates."""
        fold = fold_of(self.fold, frame)
        genes = self.of.start(fold.part, seed, generation, count)
        return joined(
            self.of.space(fold.part),
            genes,
            draw_numbers(GATE, seed, generation, count, self._gates(fold)),
        )

    def batch(self, genes: Genes, frame: Frame) -> Batch:
        """Decode the part, open the gates and copy the part."""
        fold = fold_of(self.fold, frame)
        inner, gates = separated(self.of.space(fold.part), genes, self._gates(fold))
        part = self.of.batch(inner, fold.part)
        whole = self._unfolded(part, gates, fold, frame)
        whole.variants = tuple(
            self._unfolded(variant, gates, fold, frame) for variant in part.variants
        )
        return whole

    def write(self, level: Level, frame: Frame) -> Genes:
        """Encode the part of a symmetric level; raise `InputError` for a level that is not
        symmetric.
        """
        if self.sets_places:
            # The places of a level need not lie in the part.
            return super().write(level, frame)
        fold = fold_of(self.fold, frame)
        if (level.width, level.height) != (frame.width, frame.height):
            message = (
                f"expected a level of {frame.width}x{frame.height}, got "
                f"{level.width}x{level.height}"
            )
            raise InputError(message)
        tiles = level.tiles[: fold.part.height, : fold.part.width]
        part = Level(
            tiles,
            {name: fold.part.places[name] for name in fold.part.places if name in level.places},
            level.tileset,
            goal=level.goal,
        )
        inner = self.of.write(part, fold.part)[np.newaxis]
        # A gate whose line begins on a walkable cell changes nothing: one that is open in the level
        # is selected.
        walkable = np.array(
            [level.tileset.may_stand(kind) for kind in range(len(level.tileset.characters))]
        )[tiles].ravel()
        open_lines = (
            walkable[fold.lines[:, 0]] & walkable[fold.lines[fold.partners, 0]]
            if len(fold.lines)
            else np.zeros(0, bool)
        )
        gates = []
        for first, last in fold.ranges.tolist():
            line = next((k for k in range(last - first) if open_lines[first + k]), 0)
            gates += [-(-line * VALUES // (last - first))] * self.gates
        genes = joined(self.of.space(fold.part), inner, np.array([gates], np.int64).reshape(1, -1))
        if not np.array_equal(self.express(genes, frame)[0], level.tiles):
            message = (
                f"genotype mirror: expected a level with the symmetry {self.fold!r} and open gates"
            )
            raise InputError(message)
        return genes.reshape(-1)

    def _gates(self, fold: Fold) -> int:
        return self.gates * len(fold.ranges)

    def _unfolded(self, part: Batch, gates: NDArray[np.int64], fold: Fold, frame: Frame) -> Batch:
        tileset, tiles = part.tileset, part.tiles
        whole = np.empty((len(tiles), frame.height, frame.width), np.uint8)
        if gates.shape[1] and tileset.floor is not None:
            tiles = np.array(tiles, order="C")
            walkable = np.array(
                [tileset.may_stand(kind) for kind in range(len(tileset.characters))], np.uint8
            )
            fixed = np.ascontiguousarray(fixed_cells(fold.part, tileset)[0]).view(np.uint8)
            ranges = np.repeat(fold.ranges, self.gates, axis=0)
            # Neighbouring values select the same line, so that a gene of few lines does not depend
            # on its lowest bits alone.
            selected = gates * (ranges[:, 1] - ranges[:, 0]) // VALUES
            open_gates(
                tiles, selected, fold.lines, fold.partners, ranges, walkable, fixed, tileset.floor
            )
        unfold(np.ascontiguousarray(tiles), fold.sources, whole)
        marks = part.marks
        if marks is not None:
            marks = marks // part.frame.width * frame.width + marks % part.frame.width
        batch = Batch(
            frame, stamp(whole, frame, tileset), None, tileset, marks, best_marks=part.best_marks
        )
        batch.has_rooms = part.has_rooms
        if part.terrain is not None:
            batch.terrain = np.empty_like(whole)
            unfold(part.terrain, fold.sources, batch.terrain)
            batch.kinds = part.kinds
        return batch
