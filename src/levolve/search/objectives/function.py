"""Function: any Python function of levels as an objective.

What a function of the user returns: scores, features, or both, for one individual or for many.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import EvaluationError, InputError, LevolveError, shown
from levolve.core.function_names import MEANING, ONE, FunctionName
from levolve.core.settings import setting
from levolve.levels.batch import Batch
from levolve.levels.measures.measure import store_features
from levolve.levels.measures.measuring import level_at
from levolve.levels.measures.structure_features import unwinnable
from levolve.search.objectives.objective import Objective, Scores
from levolve.search.objectives.reward import FAR_BELOW

# The key of the score in a dictionary of features.
SCORE = "score"
# The feature that says whether an individual meets all constraints: 0 if not.
FEASIBLE = "feasible"
LONGEST_REASON = 300


@dataclass(frozen=True)
class Returned:
    """The score and the features of one individual. One that could not be evaluated has no
    features.
    """

    score: float
    features: Mapping[str, float]
    failed: bool = False


def read_one(value: object) -> Returned:
    """Read the return value of a function of one individual: a score, a dictionary of features, or
    a pair of both.
    """
    score, features = _parts(value)
    return Returned(
        _number(SCORE, score), {name: _number(name, entry) for name, entry in features.items()}
    )


def read_many(value: object, count: int) -> list[Returned]:
    """Read the return value of a function of `count` individuals: `(count,)` scores, a dictionary
    of `(count,)` features, or a pair of both.
    """
    score, features = _parts(value)
    scores = _column(SCORE, np.zeros(count) if score is _NO_SCORE else score, count)
    columns = {name: _column(name, entry, count) for name, entry in features.items()}
    return [
        Returned(
            float(scores[index]), {name: float(column[index]) for name, column in columns.items()}
        )
        for index in range(count)
    ]


_NO_SCORE = 0.0


def _parts(value: object) -> tuple[Any, Mapping[str, Any]]:
    """Split a return value into scores and features. Without scores, all are 0: only the features
    count, as in illumination.
    """
    if isinstance(value, Mapping):
        features = {str(name): entry for name, entry in value.items()}
        return features.pop(SCORE, _NO_SCORE), features
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], Mapping):  # a pair
        return value[0], {str(name): entry for name, entry in value[1].items()}
    return value, {}


def _number(name: str, value: object) -> float:
    try:
        number = float(value)  # type: ignore[arg-type] # whatever cannot be converted is reported
    except (TypeError, ValueError) as problem:
        raise InputError(f"expected a number as {name}, got {shown(value)}") from problem
    if not np.isfinite(number):
        raise InputError(f"expected a finite number as {name}, got {number}")
    return number


def _column(name: str, value: object, count: int) -> NDArray[np.float64]:
    try:
        column = np.asarray(value, np.float64)
    except (TypeError, ValueError) as problem:
        raise InputError(f"expected {count} numbers as {name}, got {shown(value)}") from problem
    if column.shape != (count,):
        raise InputError(
            f"expected {count} numbers as {name}, one per individual, got an array of shape "
            f"{column.shape}"
        )
    if not np.isfinite(column).all():
        wrong = int(np.flatnonzero(~np.isfinite(column))[0])
        raise InputError(f"expected finite numbers as {name}, got {column[wrong]}")
    return column


def reason_of(problem: Exception) -> str:
    """Describe an exception of a function of the user, or our own error about what it returned."""
    return (
        str(problem)
        if isinstance(problem, LevolveError)
        else f"{type(problem).__name__}: {str(problem)[:LONGEST_REASON]}"
    )


def open_cells(tiles: NDArray[np.uint8]) -> Scores:
    """Return the number of floor cells of each level, `(n,)`: the function that is used if none is
    named.
    """
    return np.asarray((tiles == 0).sum(axis=(1, 2)), np.float64)


@dataclass(frozen=True)
class Function(Objective):
    """The scores that a function returns; higher is better.

    The function takes `(n, height, width)` uint8 tiles and returns n scores; one marked by
    `levolve.one_level` takes a `Level` and returns its score. Instead of scores it may return a
    pair of scores and features, or a dictionary of features, of which `score`, if present, is the
    score. Features are numbers by name.

    A level that cannot be won is not given to the function, and scores below all others, according
    to how near it is to being winnable. With `unwinnable` "scored", all levels are given to the
    function. With `errors` "unwinnable", a level at which the function raises an exception counts
    as one that cannot be won.

    Features that a strategy uses, such as the axes of an archive, must be returned for every level
    that is given to the function. A level that cannot be won, or at which the function fails, is
    not feasible: it enters no archive and no front.
    """

    remembered: ClassVar[bool] = True
    returns_features: ClassVar[bool] = True

    function: FunctionName = field(
        default=FunctionName.built_in("open_cells", open_cells),
        metadata={"meaning": MEANING, "function": True},
    )
    errors: Literal["raise", "unwinnable"] = setting(
        "raise", "What an exception means: the end of the run, or a level that cannot be won."
    )
    unwinnable: Literal["below", "scored"] = setting(
        "below", "Whether levels that cannot be won score below all others, or by the function."
    )
    least: float | None = setting(
        None,
        (
            "The lowest possible score of the function, if known: then scores of unwinnable "
            "levels are near it."
        ),
    )
    highest: float | None = setting(
        None, "The highest possible score of the function, if known: a run that reaches it ends."
    )

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
        """Return what the function returns for some levels of the batch, and the numbers of those
        at which it failed.
        """
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
                    raise EvaluationError(
                        reason_of(problem), index, f"objective {self.function}"
                    ) from problem
                returned.append(Returned(0.0, {}))
                failed.append(number)
        return returned, failed

    def _call_one(self, batch: Batch, index: int) -> Returned:
        if self.function.takes == ONE:
            return read_one(self.function.function(level_at(batch, index)))
        return read_many(self.function.function(batch.tiles[index : index + 1].copy()), 1)[0]


def _columns(
    returned: list[Returned], called: NDArray[np.int64], count: int
) -> dict[str, NDArray[Any]]:
    """Return the features of all levels by name, `(n,)` each; NaN for levels without."""
    names: Mapping[str, None] = dict.fromkeys(name for one in returned for name in one.features)
    columns = {name: np.full(count, np.nan) for name in names}
    for one, index in zip(returned, called, strict=True):
        for name, value in one.features.items():
            columns[name][index] = value
    return columns
