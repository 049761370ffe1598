"""Events of a pack builder."""

from dataclasses import dataclass
from typing import ClassVar

from levolve.events import Event


@dataclass(frozen=True)
class SearchFinished(Event):
    """A search for one level of a pack has finished.

    `decided` of `count` levels are found or abandoned; `found` of them are found. `searches` and `evaluations` are totals so far.
    """

    kind: ClassVar[str] = "search"

    recipe: str
    count: int
    decided: int
    found: int
    searches: int
    evaluations: int
