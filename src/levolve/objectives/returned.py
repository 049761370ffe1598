"""What a function of the user returns: scores, features, or both, for one individual or for many."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.errors import InputError, LevolveError, shown

# The key of the score in a dictionary of features.
SCORE = "score"
# The feature that says whether an individual meets all constraints: 0 if not.
FEASIBLE = "feasible"
LONGEST_REASON = 300


@dataclass(frozen=True)
class Returned:
    """The score and the features of one individual. One that could not be evaluated has no features."""

    score: float
    features: Mapping[str, float]
    failed: bool = False


def read_one(value: object) -> Returned:
    """Read the return value of a function of one individual: a score, a dictionary of features, or a pair of both."""
    score, features = _parts(value)
    return Returned(_number(SCORE, score), {name: _number(name, entry) for name, entry in features.items()})


def read_many(value: object, count: int) -> list[Returned]:
    """Read the return value of a function of `count` individuals: `(count,)` scores, a dictionary of `(count,)` features, or a pair of both."""
    score, features = _parts(value)
    scores = _column(SCORE, np.zeros(count) if score is _NO_SCORE else score, count)
    columns = {name: _column(name, entry, count) for name, entry in features.items()}
    return [Returned(float(scores[index]), {name: float(column[index]) for name, column in columns.items()}) for index in range(count)]


_NO_SCORE = 0.0


def _parts(value: object) -> tuple[Any, Mapping[str, Any]]:
    """Split a return value into scores and features. Without scores, all are 0: only the features count, as in illumination."""
    if isinstance(value, Mapping):
        features = {str(name): entry for name, entry in value.items()}
        return features.pop(SCORE, _NO_SCORE), features
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], Mapping):  # noqa: PLR2004 a pair
        return value[0], {str(name): entry for name, entry in value[1].items()}
    return value, {}


def _number(name: str, value: object) -> float:
    try:
        number = float(value)  # type: ignore[arg-type] # whatever cannot be converted is reported
    except (TypeError, ValueError) as problem:
        message = f"expected a number as {name}, got {shown(value)}"
        raise InputError(message) from problem
    if not np.isfinite(number):
        message = f"expected a finite number as {name}, got {number}"
        raise InputError(message)
    return number


def _column(name: str, value: object, count: int) -> NDArray[np.float64]:
    try:
        column = np.asarray(value, np.float64)
    except (TypeError, ValueError) as problem:
        message = f"expected {count} numbers as {name}, got {shown(value)}"
        raise InputError(message) from problem
    if column.shape != (count,):
        message = f"expected {count} numbers as {name}, one per individual, got an array of shape {column.shape}"
        raise InputError(message)
    if not np.isfinite(column).all():
        wrong = int(np.flatnonzero(~np.isfinite(column))[0])
        message = f"expected finite numbers as {name}, got {column[wrong]}"
        raise InputError(message)
    return column


def reason_of(problem: Exception) -> str:
    """Describe an exception of a function of the user, or our own error about what it returned."""
    return str(problem) if isinstance(problem, LevolveError) else f"{type(problem).__name__}: {str(problem)[:LONGEST_REASON]}"
