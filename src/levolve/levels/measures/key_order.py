"""The order of keys: which things have to be entered before which others, as a graph, and the
spheres in which a sweep enters them.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from levolve.core.errors import InputError
from levolve.kernels.proofs.proving import ENTERED_IN
from levolve.levels.level import Level
from levolve.levels.measures.measuring import batch_of
from levolve.levels.measures.thing_features import marked_proofs, order, roles, things_of
from levolve.levels.things.thing import Thing, kinds_of


@dataclass(frozen=True)
class KeyOrder:
    """The order of the things that act in a level.

    Attributes
    ----------
    things
        The things, by row and column.
    labels
        Words for them: "red key 3,4".
    spheres
        The round, from 1, in which a sweep enters each thing that takes all it reaches and then
        opens all it can; 0 for never.
    required
        Whether every play that wins enters the thing.
    edges
        Pairs of indices in `things`: every play that enters the second thing has entered the first
        before. What follows from other pairs is left out.
    last
        The indices of required things that have to be entered before no other required one.
    """

    things: tuple[Thing, ...]
    labels: tuple[str, ...]
    spheres: tuple[int, ...]
    required: tuple[bool, ...]
    edges: tuple[tuple[int, int], ...]
    last: tuple[int, ...]

    @property
    def by_sphere(self) -> dict[int, list[int]]:
        """The indices of the things of each sphere, those of sphere 0 last."""
        numbers = sorted(set(self.spheres), key=lambda number: (number == 0, number))
        return {
            number: [index for index, sphere in enumerate(self.spheres) if sphere == number]
            for number in numbers
        }

    def to_data(self) -> dict[str, Any]:
        """The order as plain data."""
        return {
            "things": [
                {**thing.to_data(), "sphere": sphere, "required": required}
                for thing, sphere, required in zip(
                    self.things, self.spheres, self.required, strict=True
                )
            ],
            "precedes": [list(edge) for edge in self.edges],
            "last": list(self.last),
        }


def key_order(level: Level) -> KeyOrder:
    r"""Compute the order of the things that act in a level.

    >>> level = Level.from_text("S..E\n.###\nthing: key 0,1\nthing: door 2,0")
    >>> found = key_order(level)
    >>> [thing.kind for thing in found.things], found.spheres, found.edges
    (['door', 'key'], (2, 1), ((1, 0),))
    """
    if not isinstance(level, Level):
        raise InputError(f"key_order: expected a Level, got {type(level).__name__}")
    if not level.goal.stops or level.goal.missing(level.places):
        raise InputError(
            f"key_order: expected a level with the stops of its goal {level.goal.name!r}, got "
            f"{', '.join(level.places) or 'no places'}"
        )
    batch = batch_of(level)
    found, parts = order(batch), roles(batch)
    cells = parts.cells[0]
    rows = np.argsort(cells, kind="stable")
    marks = parts.marks(marked_proofs(batch).marks, ENTERED_IN)[0]
    prototypes = things_of(batch).prototypes
    effects = things_of(batch).effects
    width = level.width
    things = tuple(
        Thing(each.kind, (int(cells[row]) % width, int(cells[row]) // width), each.id, each.fields)
        for row in rows.tolist()
        for each in (prototypes[effects.things[row]],)
    )
    kinds = kinds_of(things, level.kinds)
    labels = tuple(
        f"{each.value('color', kinds)} {each.kind.replace('_', ' ')} ".lstrip()
        + f"{each.cell[0]},{each.cell[1]}"
        for each in things
    )
    if not found.before.size:
        found = replace(found, before=np.zeros((1, len(rows), len(rows)), bool))
    before = found.before[0][np.ix_(rows, rows)]
    needed = found.needed[0][rows]
    # In an order that is transitive, what has a thing in between follows from two other pairs.
    between = before.astype(np.int64)
    direct = before & (between @ between == 0) if before.any() else before
    last = needed & ~(before & needed[np.newaxis, :]).any(axis=1)
    return KeyOrder(
        things,
        labels,
        tuple(marks[rows].tolist()),
        tuple(needed.tolist()),
        tuple((one, other) for one, other in np.argwhere(direct).tolist()),
        tuple(np.flatnonzero(last).tolist()),
    )
