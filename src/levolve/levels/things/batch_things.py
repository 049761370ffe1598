"""`BatchThings`: the things of the levels of a batch, which differ only in their cells."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.kernels.proofs.sweeps import CELL, GATE, LEADS
from levolve.levels.things.batch_proofs import Tables, tables_of
from levolve.levels.things.kinds import Kind
from levolve.levels.things.lowering import Effects, effects_of
from levolve.levels.things.thing import Thing, check_fields, kinds_of

NOWHERE = -1


@dataclass(frozen=True, eq=False)
class BatchThings:
    """The same k things in each of n levels, in other cells; some may be absent.

    A thing that refers to an absent one, such as a gate to its lever, is absent as well. The cells
    are those in which a `Level` accepts the things: walkable, with at most one thing that acts, and
    none that acts on the first or the last stop, except what the player holds.

    Parameters
    ----------
    prototypes
        The things; their own cells are ignored.
    cells
        `(n, k)` int64 cells, numbered in reading order; -1 for an absent thing.
    kinds
        The levels' own kinds of things, by name.
    """

    prototypes: tuple[Thing, ...]
    cells: NDArray[np.int64]
    kinds: Mapping[str, Kind] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raise `InputError` for cells of another shape, or for wrong references; remove things
        that refer to absent ones.
        """
        count = len(self.prototypes)
        if self.cells.ndim != 2 or self.cells.shape[1] != count:  # levels, things
            message = (
                f"cells: expected an array of shape (levels, {count}), one column per thing, got "
                f"{self.cells.shape}"
            )
            raise InputError(message)
        cells = np.array(self.cells, np.int64)
        references = self._lowered.references
        while references:
            lacking = [(cells[:, to] < 0) & (cells[:, thing] >= 0) for thing, to in references]
            if not np.any(lacking):
                break
            for (thing, _), absent in zip(references, lacking, strict=True):
                cells[absent, thing] = NOWHERE
        cells.setflags(write=False)
        object.__setattr__(self, "cells", cells)

    def __len__(self) -> int:
        """Return the number of levels."""
        return len(self.cells)

    @property
    def acts(self) -> bool:
        """Whether things of these kinds can change what a player can do."""
        return self._lowered.acts

    @property
    def effects(self) -> Effects:
        """What the things do, wherever they are."""
        return self._lowered.effects

    @cached_property
    def _lowered(self) -> "_Lowered":
        own = [self.kinds[name].to_data() for name in sorted(self.kinds)]
        return _lowered(self.prototypes, json.dumps(own, sort_keys=True))

    def take(self, indices: NDArray[np.int64] | slice) -> "BatchThings":
        """Return the things of some of the levels."""
        return BatchThings(self.prototypes, self.cells[indices], self.kinds)

    def of_level(self, index: int, width: int) -> tuple[Thing, ...]:
        """Return the things of one level, which has this width."""
        return tuple(
            Thing(thing.kind, (cell % width, cell // width), thing.id, thing.fields)
            for thing, cell in zip(self.prototypes, self.cells[index].tolist(), strict=True)
            if cell >= 0
        )

    @cached_property
    def _ranks(self) -> NDArray[np.int64]:
        """The row of each acting thing among those of its level, `(n, rows)`: present ones come
        first, by cell.
        """
        cells = self.cells[:, self.effects.things]
        order = np.argsort(
            np.where(cells < 0, np.iinfo(np.int64).max, cells), axis=1, kind="stable"
        )
        ranks = np.empty_like(order)
        np.put_along_axis(ranks, order, np.arange(order.shape[1])[np.newaxis], axis=1)
        return ranks

    @property
    def rows(self) -> NDArray[np.int64]:
        """The row of each acting thing in the tables, `(n, rows)`; -1 if it is absent."""
        present = self.cells[:, self.effects.things] >= 0
        firsts = np.concatenate([[0], np.cumsum(present.sum(axis=1))])
        return np.where(present, firsts[:-1, np.newaxis] + self._ranks, NOWHERE)

    def tables(self) -> Tables:
        """Return the things as the tables of `prove_batch`. The rows of each level are ordered by
        cell, as those of a single level.
        """
        effects, (traits, amounts) = self.effects, self._lowered.tables
        cells, rank = self.cells[:, effects.things], self._ranks
        counts = (cells >= 0).sum(axis=1)
        order = np.argsort(rank, axis=1)
        chosen = order[np.arange(order.shape[1]) < counts[:, np.newaxis]]
        level = np.repeat(np.arange(len(self)), counts)
        own = traits[chosen]
        own[:, CELL] = cells[level, chosen]
        gates, leads = effects.gate[chosen], effects.leads[chosen]
        own[:, GATE] = np.where(gates < 0, NOWHERE, rank[level, gates])
        own[:, LEADS] = np.where(leads < 0, NOWHERE, self.cells[level, leads])
        return Tables(
            np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            own,
            amounts[chosen],
            ((self.cells >= 0).astype(np.int32) @ effects.held).astype(np.int32),
        )


@dataclass(frozen=True, eq=False)
class _Lowered:
    """What is known about prototypes without their cells: their effects as arrays and as tables,
    and for each reference the things from and to which it leads.
    """

    effects: Effects
    acts: bool
    tables: tuple[NDArray[np.int32], NDArray[np.int32]]
    references: tuple[tuple[int, int], ...]


@lru_cache(maxsize=64)
def _lowered(prototypes: tuple[Thing, ...], own: str) -> _Lowered:
    kinds = {kind.name: kind for kind in map(Kind.from_data, json.loads(own))}
    known = kinds_of(prototypes, kinds)
    ids = [thing.id for thing in prototypes if thing.id]
    twice = next((name for name in ids if ids.count(name) > 1), None)
    if twice is not None:
        message = f"things: expected each id once, got {twice!r} {ids.count(twice)} times"
        raise InputError(message)
    check_fields(prototypes, known)
    effects = effects_of(prototypes, kinds)
    rows = effects.things.tolist()
    references = [
        (row, rows[to]) for row, to in zip(rows, effects.gate.tolist(), strict=True) if to >= 0
    ] + [(row, to) for row, to in zip(rows, effects.leads.tolist(), strict=True) if to >= 0]
    return _Lowered(
        effects,
        any(kind.acts for kind in known.values()),
        tables_of(effects),
        tuple(references),
    )
