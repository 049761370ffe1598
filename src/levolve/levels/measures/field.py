"""The field of a level: |x| and M(x) of every cell, its culs-de-sac, and where the ways through two
checkpoints meet again.

The terms are those of Ashlock, Lee and McGuinness (2011).
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.levels.level import Level
from levolve.levels.measures import structure_features
from levolve.levels.measures.measuring import batch_of
from levolve.levels.places import Place, is_checkpoint


@dataclass(frozen=True)
class CheckpointPair:
    """Where the ways through two checkpoints first meet: cells that have both as members, at the
    smallest distance.

    Attributes
    ----------
    first, second
        The numbers of the two checkpoints, first < second.
    prc
        The primary reconvergence: the smallest |x| of the cells with both as members; 0 if there is
        none.
    iprc
        The isolated primary reconvergence: `prc` if some witness has no other member, else 0.
    witnesses
        The cells (x, y) with both as members at exactly that distance, in reading order.
    isolated
        Those of the witnesses that have no other member.
    """

    first: int
    second: int
    prc: int
    iprc: int
    witnesses: tuple[Place, ...]
    isolated: tuple[Place, ...]

    def to_data(self) -> dict[str, Any]:
        """The reconvergence as plain data; cells are [x, y]."""
        return {
            "checkpoints": [self.first, self.second],
            "prc": self.prc,
            "iprc": self.iprc,
            "witnesses": [list(cell) for cell in self.witnesses],
            "isolated": [list(cell) for cell in self.isolated],
        }


@dataclass(frozen=True, eq=False)
class LevelField:
    """What a walk from the entrance finds at every cell of a level.

    Attributes
    ----------
    distances
        |x|: `(height, width)` int32, the steps of a shortest walk from the entrance; -1 where a
        cell cannot be reached.
    members
        M(x): `(height, width)` uint64, a bit set per cell. Bit i stands for the checkpoint with the
        number `checkpoints[i]`, which lies on some shortest walk to the cell.
    culs_de_sac
        `(height, width)` bool: cells that can be reached and from which no step leads farther away.
    checkpoints
        The numbers of the level's checkpoints.
    pairs
        A `CheckpointPair` for every pair of checkpoints.
    """

    distances: NDArray[np.int32]
    members: NDArray[np.uint64]
    culs_de_sac: NDArray[np.bool_]
    checkpoints: tuple[int, ...]
    pairs: tuple[CheckpointPair, ...]

    @property
    def farthest(self) -> int:
        """The largest distance."""
        return int(self.distances.max())

    @property
    def witnesses(self) -> dict[Place, bool]:
        """All witnesses, in reading order; True for those that are isolated for some pair."""
        found: dict[Place, bool] = {}
        for pair in self.pairs:
            for cell in pair.witnesses:
                found[cell] = found.get(cell, False) or cell in pair.isolated
        return dict(sorted(found.items(), key=lambda entry: entry[0][::-1]))

    def members_at(self, x: int, y: int) -> tuple[int, ...]:
        """The numbers of the checkpoints that are members of a cell."""
        bits = int(self.members[y, x])
        return tuple(number for index, number in enumerate(self.checkpoints) if bits >> index & 1)

    def to_data(self) -> dict[str, Any]:
        """The field as plain data: rows of distances, rows of lists of checkpoints, culs-de-sac as
        cells [x, y], and the pairs.
        """
        height, width = self.distances.shape
        return {
            "distances": self.distances.tolist(),
            "members": [[list(self.members_at(x, y)) for x in range(width)] for y in range(height)],
            "culs_de_sac": [list(cell) for cell in cells_of(self.culs_de_sac)],
            "pairs": [pair.to_data() for pair in self.pairs],
        }


def field(level: Level) -> LevelField:
    r"""Compute the field of a level, which must have an entrance.

    >>> found = field(Level.from_text("S1.\n2#.\n..."))
    >>> found.distances.tolist()
    [[0, 1, 2], [1, -1, 3], [2, 3, 4]]
    >>> found.pairs[0].prc, found.pairs[0].witnesses
    (4, ((2, 2),))
    """
    if not isinstance(level, Level):
        message = f"field: expected a Level, got {type(level).__name__}"
        raise InputError(message)
    if level.entrance is None:
        message = (
            "field: expected a level with an entrance, from which distances are counted, got "
            f"{', '.join(level.places) or 'no places'}"
        )
        raise InputError(message)
    batch = batch_of(level)
    members, distances = (
        structure_features.members(batch)[0],
        structure_features.distances(batch)[0],
    )
    numbers = tuple(
        int(name.removeprefix("checkpoint ")) for name in level.places if is_checkpoint(name)
    )
    pairs = tuple(
        _reconvergence(distances, members, numbers, i, j)
        for i, j in combinations(range(len(numbers)), 2)
    )
    return LevelField(distances, members, _culs_de_sac(level, distances), numbers, pairs)


def cells_of(mask: NDArray[np.bool_]) -> tuple[Place, ...]:
    """The cells (x, y) where a `(height, width)` mask is set, in reading order."""
    return tuple((x, y) for y, x in np.argwhere(mask).tolist())


def _reconvergence(
    distances: NDArray[np.int32],
    members: NDArray[np.uint64],
    numbers: tuple[int, ...],
    i: int,
    j: int,
) -> CheckpointPair:
    both = np.uint64(1 << i | 1 << j)
    meeting = (members & both) == both
    if not meeting.any():
        return CheckpointPair(numbers[i], numbers[j], 0, 0, (), ())
    nearest = int(distances[meeting].min())
    witnesses = meeting & (distances == nearest)
    isolated = witnesses & (members == both)
    return CheckpointPair(
        numbers[i],
        numbers[j],
        nearest,
        nearest if isolated.any() else 0,
        cells_of(witnesses),
        cells_of(isolated),
    )


def _culs_de_sac(level: Level, distances: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Cells that can be reached and from which no legal step leads farther."""
    found = distances >= 0
    for axis in (0, 1):
        for ahead, behind in ((slice(1, None), slice(None, -1)), (slice(None, -1), slice(1, None))):
            here = (behind, slice(None)) if axis == 0 else (slice(None), behind)
            there = (ahead, slice(None)) if axis == 0 else (slice(None), ahead)
            legal = level.tileset.table[level.tiles[here], level.tiles[there]] == 1
            found[here] &= ~(legal & (distances[there] > distances[here]))
    return found
