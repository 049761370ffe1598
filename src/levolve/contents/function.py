"""Contents of any space, scored by any function."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from levolve.contents.content import Content
from levolve.contents.spaces import Array, Integer, Space
from levolve.errors import EvaluationError, LevolveError
from levolve.functions import MANY, MEANING, FunctionName
from levolve.objectives.returned import Returned, read_many, read_one, reason_of
from levolve.objectives.reward import FAR_BELOW
from levolve.settings import setting


def total(content: Any) -> float:  # noqa: ANN401 an array of numbers
    """Return the sum of an array of numbers: the function that is used if none is named."""
    return float(np.sum(content))


@dataclass(frozen=True)
class FunctionContent(Content):
    """Contents of a space, scored by a function; higher is better.

    The function takes one content and returns its score; one marked by `levolve.many_contents` takes a list of n contents, or an `(n, ...)` array if
    contents are arrays of integers, and returns n scores. Instead of scores it may return a pair of scores and features, or a dictionary of features,
    of which `score`, if present, is the score.

    With `errors` "unwinnable", a content at which the function raises an exception scores below all others; its features are 0.
    """

    space: Space = setting(Array(8, Integer(0, 1)), "The space of the contents.")
    function: FunctionName = field(default=FunctionName.built_in("total", total), metadata={"meaning": MEANING, "function": True})
    errors: Literal["raise", "unwinnable"] = setting("raise", "What an exception means: the end of the run, or a content below all others.")
    least: float | None = setting(None, "The lowest possible score of the function, if known: contents that fail then score 1 less.")
    highest: float | None = setting(None, "The highest possible score of the function, if known: a run that reaches it ends.")

    def content_space(self) -> Space:
        """Return the space."""
        return self.space

    @property
    def goal(self) -> float | None:
        """The highest possible score, if known."""
        return self.highest

    def assess(self, contents: Sequence[Any] | NDArray[np.int64]) -> list[Returned]:
        """Call the function, for all contents at once or one after the other."""
        if self.function.takes == MANY:
            try:
                return read_many(self.function.function(contents), len(contents))
            except Exception as problem:  # noqa: BLE001 any exception of a function of the user
                if len(contents) == 1:
                    return [self._failed(problem, 0)]
            # One content at a time shows which one fails.
            return [self._one(contents[index : index + 1], index, many=True) for index in range(len(contents))]
        return [self._one(content, index, many=False) for index, content in enumerate(contents)]

    def _one(self, given: Any, index: int, *, many: bool) -> Returned:  # noqa: ANN401 a content, or a batch of one
        try:
            returned = self.function.function(given)
            return read_many(returned, 1)[0] if many else read_one(returned)
        except Exception as problem:  # noqa: BLE001 any exception of a function of the user
            return self._failed(problem, index)

    def _failed(self, problem: Exception, index: int) -> Returned:
        if self.errors == "raise" or isinstance(problem, LevolveError):
            raise EvaluationError(reason_of(problem), index, f"objective {self.function}") from problem
        return Returned(FAR_BELOW if self.least is None else self.least - 1.0, {}, failed=True)
