"""`Deck`: levels that were played before, as rows of arrays, so that an episode begins by copying a row."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

# The shape and dtype of each array of a state, without the first axis, which counts players or levels.
Fields = Mapping[str, tuple[tuple[int, ...], type[Any]]]
FIRST_ROOM = 64


class Deck:
    """The states at the start of levels, by number. A level is prepared when it is first drawn."""

    def __init__(self, fields: Fields, prepare: Callable[[int], Mapping[str, Any]]) -> None:
        """Start empty. `prepare` returns the state at the start of the level of a number, a value for each field."""
        self._prepare = prepare
        self._fields = fields
        self._slots: dict[int, int] = {}
        self.rows = {name: np.zeros((FIRST_ROOM, *shape), dtype) for name, (shape, dtype) in fields.items()}

    def slots(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the rows of `(k,)` numbers, all prepared."""
        return np.array([self._slots[number] if number in self._slots else self._add(number) for number in numbers.tolist()], np.int64)

    def _add(self, number: int) -> int:
        slot = len(self._slots)
        state = self._prepare(number)
        if slot == len(self.rows[next(iter(self._fields))]):
            self.rows = {name: np.concatenate((rows, np.zeros_like(rows))) for name, rows in self.rows.items()}
        for name, rows in self.rows.items():
            rows[slot] = state[name]
        self._slots[number] = slot
        return slot
