"""`PackObjective`: the objective of the search for one level of a pack.

The objective of packs as a kernel for packed rows, so that the search for a level of a pack
computes many generations per call.

`Distinctness`: the levels accepted into a pack so far, and how many cells another level lacks to be
distinct from them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from levolve.jobs.packs.targets import Range, write_range
from levolve.kernels.bits.packed_flood import WIDEST, pack_rows
from levolve.kernels.fused.scores import grade_distinct, grade_nothing
from levolve.kernels.variation.distances import (
    digest_words,
    lacking_tiles,
    lacking_words,
    merge_rows,
)
from levolve.levels.batch import Batch
from levolve.levels.goal import EXIT_GOAL
from levolve.levels.measures import MEASURES
from levolve.levels.measures.furnishing_features import furnishing
from levolve.levels.measures.measure import number_text
from levolve.levels.measures.structure_features import unwinnable
from levolve.levels.tileset import WALLS, Tileset
from levolve.search.fused.operators import GRADE, Call
from levolve.search.fused.scores import GRADES, fused_grade, fused_targets
from levolve.search.objectives.floors import FloorsScore
from levolve.search.objectives.furnishing import GOOD_ENOUGH, FurnishedScore
from levolve.search.objectives.objective import Objective

if TYPE_CHECKING:
    from levolve.levels.frame import Frame

Tiles = NDArray[np.uint8]
Cell = TypeVar("Cell", bound=np.integer[Any])


def least_differing(share: float, cells: int) -> int:
    """Return the smallest number of cells that is at least this share of all; at least 1, because
    levels of a pack must differ.
    """
    return max(ceil(share * cells - 1e-9), 1)


def images_of(tiles: NDArray[Cell]) -> NDArray[Cell]:
    """Return all rotations and reflections of `(n, height, width)` tiles except the identity: seven
    images each, or three if not square.
    """
    square = tiles.shape[1] == tiles.shape[2]
    turns = [np.rot90(tiles, quarters, (1, 2)) for quarters in range(0, 4, 1 if square else 2)]
    images = [*turns[1:], *(turned[:, :, ::-1] for turned in turns)]
    return np.ascontiguousarray(np.concatenate(images))


@lru_cache(maxsize=16)
def _image_cells(height: int, width: int) -> NDArray[np.int64]:
    """Return `images_of` a level as the `(images, height, width)` cells, in reading order, that
    their tiles come from.
    """
    return images_of(np.arange(height * width).reshape(1, height, width))


class Distinctness:
    """Levels of one size and tileset. Two are distinct if at least `least` cells differ and neither
    is a rotation or reflection of the other.

    It is immutable: `joined_by` returns a larger one, so that running searches are not affected.
    """

    def __init__(
        self,
        tiles: Tiles,
        tileset: Tileset,
        least: int,
        forms: tuple[NDArray[Any], NDArray[Any], NDArray[np.uint64]],
    ) -> None:
        """Store the `(n, height, width)` tiles of the accepted levels, and `forms`: for kernels,
        these levels, their images, and digests of those.
        """
        self.tiles = tiles
        self.tileset = tileset
        self.least = least
        self._accepted, self._images, self._digests = forms

    @classmethod
    def empty(cls, height: int, width: int, tileset: Tileset, least: int) -> Distinctness:
        """Return an instance without accepted levels."""
        none = np.empty((0, height, width), np.uint8)
        form = _form(none, tileset)
        return cls(
            none,
            tileset,
            least,
            (form.T if _packs(none, tileset) else form, form, np.empty(0, np.uint64)),
        )

    def emptied(self) -> Distinctness:
        """Return an instance of the same kind without accepted levels."""
        return Distinctness.empty(
            self.tiles.shape[1], self.tiles.shape[2], self.tileset, self.least
        )

    def joined_by(self, tiles: Tiles) -> Distinctness:
        """Return a copy with one more accepted level."""
        one = tiles[np.newaxis]
        # An image that equals another, or the level itself, is not counted again.
        images = {image.tobytes(): image for image in tiles.reshape(-1)[_image_cells(*tiles.shape)]}
        images.pop(tiles.tobytes(), None)
        accepted, turned = (
            _form(one, self.tileset),
            _form(
                np.array(list(images.values()), np.uint8).reshape(-1, *tiles.shape), self.tileset
            ),
        )
        digests = np.empty(len(turned), np.uint64)
        if _packs(one, self.tileset):
            digest_words(turned, digests)
            accepted = np.concatenate((self._accepted, accepted.T), axis=1)
        else:
            accepted = np.concatenate((self._accepted, accepted))
        digests.sort()
        digests = np.insert(self._digests, np.searchsorted(self._digests, digests), digests)
        forms = accepted, np.concatenate((self._images, turned)), digests
        return Distinctness(np.concatenate((self.tiles, one)), self.tileset, self.least, forms)

    @property
    def words(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64]] | None:
        """The accepted levels, their images and the digests of these, as `lacking_words` takes
        them; None if levels are not compared as words.
        """
        if not _packs(self.tiles, self.tileset):
            return None
        return (
            np.ascontiguousarray(self._accepted),
            np.ascontiguousarray(self._images),
            self._digests,
        )

    def lacking(self, batch: Batch) -> NDArray[np.int64]:
        """Return how many more cells would have to differ, summed over the accepted levels: `(n,)`,
        0 for a level that is distinct from all.
        """
        lacking = np.empty(len(batch), np.int64)
        if _packs(self.tiles, self.tileset):
            words = _merged(batch.rows, self.tiles.shape[2])
            lacking_words(words, self._accepted, self._images, self._digests, self.least, lacking)
        else:
            lacking_tiles(
                _form(batch.tiles, self.tileset), self._accepted, self._images, self.least, lacking
            )
        return lacking


def _packs(tiles: Tiles, tileset: Tileset) -> bool:
    """Whether levels are compared as words of bits."""
    return tileset == WALLS and tiles.shape[2] <= WIDEST


def _form(tiles: Tiles, tileset: Tileset) -> NDArray[Any]:
    """Convert tiles for the kernels: words of bits, or one row of cells per level."""
    tiles = np.ascontiguousarray(tiles)
    if not _packs(tiles, tileset):
        return tiles.reshape(len(tiles), tiles.shape[1] * tiles.shape[2])
    rows = np.empty(tiles.shape[:2], np.uint64)
    pack_rows(tiles, rows)
    return _merged(rows, tiles.shape[2])


def _merged(rows: NDArray[np.uint64], width: int) -> NDArray[np.uint64]:
    """Return `(n, words)` words of `(n, height)` row words."""
    merged: NDArray[np.uint64] = np.empty(
        (len(rows), -(-rows.shape[1] // (WIDEST // width))), np.uint64
    )
    merge_rows(rows, width, merged)
    return merged


def nearest_pair(tiles: Tiles) -> float | None:
    """Return the smallest share of differing cells between any two of `(n, height, width)` tiles;
    None for fewer than two.
    """
    flat = tiles.reshape(len(tiles), tiles.shape[1] * tiles.shape[2])
    shares = [
        (flat[index + 1 :] != flat[index]).mean(axis=1).min() for index in range(len(flat) - 1)
    ]
    return float(min(shares)) if shares else None


Scores = NDArray[np.float64]

# Levels that miss a target score below this, and so below every level that meets all targets.
MISSED, FAR_BELOW = -10.0, -1e12


@dataclass(frozen=True)
class PackObjective:
    """Target ranges of measures, distinctness from the levels accepted so far, and optionally a
    value to maximise among levels that meet both.

    Where levels are `furnished`, all things have to be placed, and well enough. Without a value, a
    level that meets all targets scores 0, the highest possible score, and the search ends.
    """

    targets: Mapping[str, Range]
    distinctness: Distinctness
    value: Callable[[Batch], Scores] | None = None
    missed: float = MISSED
    furnished: bool = False

    @classmethod
    def maximising(
        cls,
        objective: Objective | FurnishedScore | FloorsScore,
        targets: Mapping[str, Range],
        distinctness: Distinctness,
        *,
        furnished: bool = False,
    ) -> PackObjective:
        """Return an objective that also maximises a value among the levels that meet all
        targets.
        """
        least = objective.least_value()
        missed = FAR_BELOW if least is None else MISSED if least > MISSED + 1 else least + MISSED
        return cls(targets, distinctness, objective.score, missed, furnished)

    @property
    def goal(self) -> float | None:
        """The score at which a search ends."""
        return 0.0 if self.value is None else None

    def score(self, batch: Batch) -> Scores:
        """Return `(n,)` scores: the negative shortfall, or the value if there is no shortfall."""
        short = self.shortfall(batch)
        return (
            -short
            if self.value is None
            else np.where(short > 0, self.missed - short, self.value(batch))
        )

    def shortfall(self, batch: Batch) -> Scores:
        """Return `(n,)` numbers, 0 if all targets are met: the sum of all misses, each relative to
        the missed bound.
        """
        short = self.distinctness.lacking(batch) / self.distinctness.least + unwinnable(batch)
        for name, (low, high) in self.targets.items():
            short += miss(MEASURES[name].values_for(batch, low, high), low, high)
        if self.furnished:
            short += np.maximum(GOOD_ENOUGH - furnishing(batch), 0.0)
        return short

    def unmet(self, batch: Batch) -> list[str]:
        """Return the targets that the only level of a batch misses, one sentence each."""
        if unwinnable(batch)[0] > 0:
            return ["no winnable level was found"]
        sentences = []
        for name, (low, high) in self.targets.items():
            count = MEASURES[name].values(batch)
            if miss(count, low, high)[0] > 0:
                sentences.append(
                    f"{name}: target {write_range((low, high))}, the nearest found is "
                    f"{number_text(count[0])}"
                )
        if self.furnished and furnishing(batch)[0] < GOOD_ENOUGH:
            sentences.append(
                f"things: target a quality of {GOOD_ENOUGH:g}, the nearest found has "
                f"{furnishing(batch)[0]:.2g}; ask for fewer things"
            )
        lacking = int(self.distinctness.lacking(batch)[0])
        if lacking:
            accepted, least = self.distinctness.tiles, self.distinctness.least
            nearest = int((accepted != batch.tiles[0]).sum(axis=(1, 2)).min())
            near = (
                f"the nearest found differs in {nearest}"
                if nearest < least
                else "the nearest found is a rotation or reflection of one of them"
            )
            sentences.append(
                f"distinct: {least} cells must differ from each of {len(accepted)} levels, {near}"
            )
        return sentences


def miss(count: NDArray[np.number], low: float, high: float) -> Scores:
    """Return the distance of values from a range, each relative to the missed bound."""
    below, above = np.maximum(low - count, 0.0), np.maximum(count - high, 0.0)
    return np.asarray(below / (1.0 + abs(low)) + above / (1.0 + abs(high)), np.float64)


def pack_grade(objective: PackObjective, frame: Frame) -> Call | None:
    """Return the kernel and its settings; None if a target or the value to maximise has no
    kernel.
    """
    words = objective.distinctness.words
    targets = fused_targets(objective.targets, frame)
    if words is None or targets is None or frame.width > WIDEST or frame.goal != EXIT_GOAL:
        return None
    grade: Call | None = Call(grade_nothing, (0,), GRADE)
    if objective.value is not None:
        # The value to maximise is the score of an objective; other functions have no kernel.
        whole = getattr(objective.value, "__self__", None)
        is_score = isinstance(whole, Objective) and objective.value == whole.score
        grade = fused_grade(whole, frame) if is_score else None
    if grade is None:
        return None
    size = frame.width, frame.width * frame.height
    choice = objective.value is not None, float(objective.missed)
    return Call(
        grade_distinct(len(targets)),
        (size, (*words, objective.distinctness.least), choice, targets, grade),
        GRADE,
    )


GRADES[PackObjective] = pack_grade
