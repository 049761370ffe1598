"""`measure`: all measures of any levels, by name.

Conversion between batches and single levels.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.levels.areas import find_areas
from levolve.levels.batch import Batch
from levolve.levels.frame import Examples, Frame
from levolve.levels.level import Level
from levolve.levels.measures import MEASURES
from levolve.levels.measures.measure import plain_number
from levolve.levels.measures.path_features import tours
from levolve.levels.places import ENTRANCE, EXIT, TOUR, Place, is_checkpoint
from levolve.levels.style import rows_of
from levolve.levels.things.thing import Thing
from levolve.levels.tileset import Tileset


class Measured(Mapping[str, NDArray[Any]]):
    """A mapping from measure names to `(n,)` arrays in the order of the levels, int64 or float64
    for fractions; computed on first use.
    """

    def __init__(self, levels: list[Level], like: Examples = ()) -> None:
        """Group the levels into batches with the same size, tileset, goal and places."""
        self._count = len(levels)
        groups: dict[tuple[Frame, Tileset, object], list[int]] = {}
        for index, level in enumerate(levels):
            frame = replace(level.frame, like=like) if like else level.frame
            groups.setdefault((frame, level.tileset, _contents(level)), []).append(index)
        self._batches = [
            (indices, _batch_of([levels[i] for i in indices], frame))
            for (frame, _, _), indices in groups.items()
        ]
        self._known: dict[str, NDArray[Any]] = {}

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return one measure of all levels."""
        if name not in self._known:
            entry = MEASURES[name]
            values = np.empty(self._count, entry.dtype)
            for indices, batch in self._batches:
                if not entry.suits(batch.frame):
                    message = f"measure {name!r}: {entry.refusal(batch.frame)}"
                    raise InputError(message)
                values[indices] = entry.values(batch)
            self._known[name] = values
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the measures that apply to all levels."""
        return (
            name
            for name in MEASURES
            if all(MEASURES[name].suits(batch.frame) for _, batch in self._batches)
        )

    def of_level(self, index: int = 0) -> dict[str, int | float]:
        """Return all measures of the level at `index` as plain numbers, by name."""
        return {name: plain_number(values[index]) for name, values in self.items()}

    def __len__(self) -> int:
        """Return the number of measures."""
        return sum(1 for _ in self)


def measure(levels: Level | Iterable[Level], like: Iterable[Level] | Examples = ()) -> Measured:
    r"""Measure one or more levels.

    Parameters
    ----------
    levels
        One level or several, of any sizes, tilesets and goals.
    like
        Example levels, for the measures that compare levels with them.

    Returns ------- A mapping from measure names to `(n,)` arrays, one number per level: int64, or
    float64 for fractions. It contains the measures that apply to all levels.

    >>> from levolve.levels.level import Level
    >>> dict(measure(Level.from_text("S.#\n..#\n#.E")).items())["exit_path"].tolist()
    [4]
    """
    if not isinstance(levels, Level | Iterable):
        message = f"levels: expected one or more Level objects, got {type(levels).__name__}"
        raise InputError(message)
    listed = [levels] if isinstance(levels, Level) else list(levels)
    for position, level in enumerate(listed):
        if not isinstance(level, Level):
            message = (
                f"levels: expected Level objects, got {type(level).__name__} at position {position}"
            )
            raise InputError(message)
    return Measured(
        listed,
        tuple(
            rows_of(example) if isinstance(example, Level) else tuple(example) for example in like
        ),
    )


def places_at(batch: Batch, index: int) -> dict[str, Place]:
    """Return the places of one level: those of the frame, and its own."""
    places, width = dict(batch.frame.places), batch.frame.width
    own: list[tuple[Iterable[str], NDArray[np.int64]]] = []
    if batch.ends is not None:
        own.append(((ENTRANCE, EXIT), batch.ends[index]))
    if batch.checkpoints is not None:
        own.append((list(filter(is_checkpoint, places)), batch.checkpoints[index]))
    if batch.marks is not None:
        own.append((TOUR, tours(batch)[index]))
    for names, cells in own:
        numbered = zip(names, cells.tolist(), strict=True)
        places |= {name: (cell % width, cell // width) for name, cell in numbered if cell >= 0}
    return places


def level_at(batch: Batch, index: int = 0) -> Level:
    """Return the level at an index of the batch, without a solution."""
    things = batch.things
    level = Level(
        batch.tiles[index],
        places_at(batch, index),
        batch.tileset,
        goal=batch.frame.goal,
        things=() if things is None else things.of_level(index, batch.frame.width),
        kinds={} if things is None else things.kinds,
        floors=batch.frame.floors,
    )
    return replace(level, areas=find_areas(level)) if batch.has_rooms else level


def batch_of(level: Level, like: Examples = ()) -> Batch:
    """Return a batch of one level, which measures can compare with examples."""
    return _batch_of([level], replace(level.frame, like=like) if like else level.frame)


def _batch_of(levels: Sequence[Level], frame: Frame) -> Batch:
    """Return a batch of levels with this frame, one tileset and the same things in other cells."""
    batch = Batch(
        frame, tiles=np.stack([level.tiles for level in levels]), tileset=levels[0].tileset
    )
    if levels[0].things:
        from levolve.levels.things.batch_things import BatchThings

        placed = [sorted(level.things, key=_without_cell) for level in levels]
        batch.things = BatchThings(
            tuple(placed[0]),
            np.array(
                [[y * frame.width + x for x, y in (thing.cell for thing in row)] for row in placed]
            ),
            levels[0].kinds,
        )
    return batch


def _contents(level: Level) -> object:
    """Return what levels with the same things in other cells have in common."""
    kinds = json.dumps([kind.to_data() for kind in level.kinds.values()], sort_keys=True)
    return tuple(_without_cell(thing) for thing in sorted(level.things, key=_without_cell)), kinds


def _without_cell(thing: Thing) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    return thing.order[2:]
