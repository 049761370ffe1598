"""`ContentRecipe`: the complete definition of a run of contents that are no levels, except its
seed.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field

from levolve.contents import CONTENTS
from levolve.contents.content import ContentProblem
from levolve.core.registry import Registry
from levolve.recipes.base_recipe import BaseRecipe
from levolve.recipes.part_tables import Table, build
from levolve.search.strategies import STRATEGIES

if TYPE_CHECKING:
    from levolve.contents.content import Content
    from levolve.search.search import Strategy

STRATEGY: Table = {
    "kind": "generational",
    "population": 100,
    "elites": 5,
    "mutation": {"kind": "repair", "mutation": {"kind": "uniform", "rate": 0.03}},
}


class ContentRecipe(BaseRecipe):
    """What contents to evolve and how. A recipe and a seed give the same contents on any machine.

    Attributes
    ----------
    name, summary
        The recipe's name, and what it makes in one line.
    content
        A table with a `kind` and its settings: `function` for a space and any function, `pcg` for a
        problem of the PCG Benchmark.
    strategy
        As in recipes of levels.
    generations, evaluations
        A run ends after this many generations, or earlier when it has used this many evaluations or
        reached the highest possible score.
    """

    registries: ClassVar[Mapping[str, Registry[Any]]] = {
        "content": CONTENTS,
        "strategy": STRATEGIES,
    }

    generations: int = Field(default=200, ge=0)
    evaluations: int | None = Field(default=None, ge=1)
    content: Table
    strategy: Table = STRATEGY

    @cached_property
    def parts(self) -> "tuple[Content, Strategy]":
        """The content and the strategy."""
        return build(CONTENTS, self.content, "content"), build(
            STRATEGIES, self.strategy, "strategy"
        )

    @cached_property
    def problem(self) -> ContentProblem:
        """The problem that a run of this recipe solves."""
        content, strategy = self.parts
        return ContentProblem(content, strategy.features)
