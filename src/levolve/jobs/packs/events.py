"""Events of a pack builder."""

from dataclasses import dataclass
from typing import ClassVar

from levolve.core.events import Event


@dataclass(frozen=True)
class SearchFinished(Event):
    """A search for one level of a pack has finished.

    The searches for the easiest and the hardest level of a curve are counted, too. `decided` of
    `count` levels are found or abandoned; `found` of them are found. `searches` and `evaluations`
    are totals so far. In a pack of several recipes, all numbers are those of the whole pack.
    """

    kind: ClassVar[str] = "search"

    recipe: str
    count: int
    decided: int
    found: int
    searches: int
    evaluations: int


@dataclass(frozen=True)
class ProbeAdvanced(Event):
    """The search that shows how similar to its examples a recipe's levels can be has evaluated one
    more of its generations.
    """

    kind: ClassVar[str] = "probe"

    recipe: str
    generation: int
    generations: int
