"""`measure`: any levels, any measures, by name."""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.level import Level
from levolve.levels.tileset import Tileset
from levolve.measures import MEASURES


class Measured(Mapping[str, NDArray[np.int64]]):
    """Measures of some levels by name, each an array in the order of the levels; counted when first asked for."""

    def __init__(self, levels: list[Level]) -> None:
        """Sort the levels into batches of one size, tileset and set of places."""
        self._count = len(levels)
        groups: dict[tuple[Frame, Tileset], list[int]] = {}
        for index, level in enumerate(levels):
            groups.setdefault((level.frame, level.tileset), []).append(index)
        self._batches = [
            (indices, Batch(frame, tiles=np.stack([levels[i].tiles for i in indices]), tileset=tileset))
            for (frame, tileset), indices in groups.items()
        ]
        self._known: dict[str, NDArray[np.int64]] = {}

    def __getitem__(self, name: str) -> NDArray[np.int64]:
        """One measure over all levels."""
        if name not in self._known:
            entry = MEASURES[name]
            values = np.empty(self._count, np.int64)
            for indices, batch in self._batches:
                if not entry.suits(batch.frame):
                    message = f"measure {name!r}: {entry.refusal(batch.frame)}"
                    raise InputError(message)
                values[indices] = entry.count(batch)
            self._known[name] = values
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        """The measures that all these levels have the places for."""
        return (name for name in MEASURES if all(MEASURES[name].suits(batch.frame) for _, batch in self._batches))

    def __len__(self) -> int:
        """How many measures these levels have."""
        return sum(1 for _ in self)


def measure(levels: Level | Iterable[Level]) -> Measured:
    r"""Measure one level or many: `measure(levels)["exit_path"]` is an array with one number a level.

    >>> from levolve.levels.level import Level
    >>> dict(measure(Level.from_text("S.#\n..#\n#.E")).items())["exit_path"].tolist()
    [4]
    """
    if not isinstance(levels, Level | Iterable):
        message = f"levels: expected a Level or several, got {type(levels).__name__}"
        raise InputError(message)
    listed = [levels] if isinstance(levels, Level) else list(levels)
    for position, level in enumerate(listed):
        if not isinstance(level, Level):
            message = f"levels: expected Level objects, got {type(level).__name__} at position {position}"
            raise InputError(message)
    return Measured(listed)
