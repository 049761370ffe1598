"""Function: any Python function of levels as an objective."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from levolve.errors import EvaluationError, LevolveError
from levolve.functions import MEANING, ONE, FunctionName
from levolve.levels.batch import Batch
from levolve.measures.features import unwinnable
from levolve.measures.features.named import store_features
from levolve.measures.levels import level_at
from levolve.objectives.objective import Objective, Scores
from levolve.objectives.returned import FEASIBLE, Returned, read_many, read_one, reason_of
from levolve.objectives.reward import FAR_BELOW
from levolve.settings import setting


def open_cells(tiles: NDArray[np.uint8]) -> Scores:
    """Return the number of floor cells of each level, `(n,)`: the function that is used if none is named."""
    return np.asarray((tiles == 0).sum(axis=(1, 2)), np.float64)


@dataclass(frozen=True)
class Function(Objective):
    """The scores that a function returns; higher is better.

    The function takes `(n, height, width)` uint8 tiles and returns n scores; one marked by `levolve.one_level` takes a `Level` and returns its score.
    Instead of scores it may return a pair of scores and features, or a dictionary of features, of which `score`, if present, is the score. Features
    are numbers by name.

    A level that cannot be won is not given to the function, and scores below all others, according to how near it is to being winnable. With
    `unwinnable` "scored", all levels are given to the function. With `errors` "unwinnable", a level at which the function raises an exception counts
    as one that cannot be won.

    Features that a strategy uses, such as the axes of an archive, must be returned for every level that
    is given to the function. A level that cannot be won, or at which the function fails, is not
    feasible: it enters no archive and no front.
    """

    remembered: ClassVar[bool] = True
    returns_features: ClassVar[bool] = True

    function: FunctionName = field(default=FunctionName.built_in("open_cells", open_cells), metadata={"meaning": MEANING, "function": True})
    errors: Literal["raise", "unwinnable"] = setting("raise", "What an exception means: the end of the run, or a level that cannot be won.")
    unwinnable: Literal["below", "scored"] = setting("below", "Whether levels that cannot be won score below all others, or by the function.")
    least: float | None = setting(None, "The lowest possible score of the function, if known: then scores of unwinnable levels are near it.")
    highest: float | None = setting(None, "The highest possible score of the function, if known: a run that reaches it ends.")

    @property
    def goal(self) -> float | None:  # type: ignore[override] # depends on a setting
        """The highest possible score, if known."""
        return self.highest

    @property
    def needs(self) -> tuple[str, ...]:
        """No places."""
        return ()

    def least_value(self) -> float | None:
        """Return the lowest possible score of a winnable level; None if it is unknown."""
        return self.least

    def score(self, batch: Batch) -> Scores:
        """Return `(n,)` scores. The features of the function are stored in the batch."""
        lacking = np.zeros(len(batch)) if self.unwinnable == "scored" else unwinnable(batch)
        called = np.flatnonzero(lacking == 0)
        scores = np.zeros(len(batch))
        returned, failed = self._call(batch, called)
        for number, index in enumerate(called):
            scores[index] = returned[number].score
        lacking = lacking.copy()
        lacking[called[failed]] = 2.0
        columns = _columns(returned, called, len(batch))
        feasible = columns.get(FEASIBLE, np.full(len(batch), np.nan))
        feasible[called[failed]] = 0.0
        store_features(batch, {**columns, FEASIBLE: feasible})
        # 1 for a level that is nearly winnable, 2 for one that is far from it.
        below = FAR_BELOW * lacking if self.least is None else self.least - lacking
        return np.where(lacking > 0, below, scores)

    def _call(self, batch: Batch, called: NDArray[np.int64]) -> tuple[list[Returned], list[int]]:
        """Return what the function returns for some levels of the batch, and the numbers of those at which it failed."""
        if self.function.takes != ONE and len(called) > 1:
            try:
                return read_many(self.function.function(batch.tiles[called]), len(called)), []
            except Exception:  # noqa: BLE001, S110 any exception of a function of the user; one level at a time shows which level fails
                pass
        returned: list[Returned] = []
        failed: list[int] = []
        for number, index in enumerate(called.tolist()):
            try:
                returned.append(self._call_one(batch, index))
            except Exception as problem:
                if self.errors == "raise" or isinstance(problem, LevolveError):
                    raise EvaluationError(reason_of(problem), index, f"objective {self.function}") from problem
                returned.append(Returned(0.0, {}))
                failed.append(number)
        return returned, failed

    def _call_one(self, batch: Batch, index: int) -> Returned:
        if self.function.takes == ONE:
            return read_one(self.function.function(level_at(batch, index)))
        return read_many(self.function.function(batch.tiles[index : index + 1].copy()), 1)[0]


def _columns(returned: list[Returned], called: NDArray[np.int64], count: int) -> dict[str, NDArray[Any]]:
    """Return the features of all levels by name, `(n,)` each; NaN for levels without."""
    names: Mapping[str, None] = dict.fromkeys(name for one in returned for name in one.features)
    columns = {name: np.full(count, np.nan) for name in names}
    for one, index in zip(returned, called, strict=True):
        for name, value in one.features.items():
            columns[name][index] = value
    return columns
