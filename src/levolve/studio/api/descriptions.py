"""How a request describes a world: the rule, its updates, the seed, and the colours."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from levolve.fashion.design import Design, design_from_data
from levolve.fashion.fields import DEFAULT_LENGTH, MOST_LENGTH
from levolve.fashion.legend import PALETTES, extended_palette, find_palette
from levolve.fashion.rule import DEFAULT_UPDATES, VON_NEUMANN
from levolve.fashion.views import MOST_UPDATES, Mixture, WorldView

MOST_STATES = 16
MOST_NEIGHBOURS = 48
FARTHEST_NEIGHBOUR = 3
LARGEST_SCORE = 1e9
LONGEST_NAME = 60

Score = Annotated[float, Field(ge=-LARGEST_SCORE, le=LARGEST_SCORE, allow_inf_nan=False)]
Scores = Annotated[
    list[Annotated[list[Score], Field(max_length=MOST_STATES)]],
    Field(min_length=1, max_length=MOST_STATES, description="A row per state: what a cell of this state scores for a neighbour of each state."),
]
Offset = Annotated[int, Field(ge=-FARTHEST_NEIGHBOUR, le=FARTHEST_NEIGHBOUR)]
Colour = Annotated[str, Field(pattern="^#[0-9a-f]{6}$")]
Palette = Literal["source", "cave", "ink"] | Annotated[list[Colour], Field(min_length=1, max_length=MOST_STATES)]


class MixtureDescription(BaseModel):
    """Another rule with as many states, into which the rule of a world changes over space."""

    model_config = ConfigDict(extra="forbid")

    scores: Scores
    field: Literal["linear", "vertical", "radial", "noise"] = "noise"
    length: int = Field(default=DEFAULT_LENGTH, ge=1, le=MOST_LENGTH, description="Over how many cells one rule changes into the other.")


class WorldDescription(BaseModel):
    """A world, described completely: the same description gives the same cells."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(default="rule", min_length=1, max_length=LONGEST_NAME)
    scores: Scores
    neighbourhood: list[tuple[Offset, Offset]] = Field(
        default=list(VON_NEUMANN),
        min_length=1,
        max_length=MOST_NEIGHBOURS,
        description="The neighbours as (dx, dy), y downwards. Of equal scores the first counts.",
    )
    updates: int = Field(default=DEFAULT_UPDATES, ge=0, le=MOST_UPDATES)
    seed: int = Field(default=0, ge=0, lt=1 << 64, description="Decides the start map.")
    weights: list[Annotated[float, Field(ge=0, le=LARGEST_SCORE, allow_inf_nan=False)]] | None = Field(
        default=None, max_length=MOST_STATES, description="The shares of the states at the start; equal by default."
    )
    arithmetic: Literal["exact", "float", "text"] = "exact"
    legend: list[Annotated[str, Field(min_length=1, max_length=30)]] | None = Field(default=None, max_length=MOST_STATES)
    palette: Palette = Field(default="cave", description="A palette by name, or one colour per state. Missing colours are added.")

    morph: MixtureDescription | None = None

    def design(self) -> Design:
        """Return the design, or raise an error that says what does not fit."""
        data = self.model_dump(exclude={"seed", "legend", "palette", "morph"}, exclude_none=True)
        if self.legend is not None:
            data["legend"] = self.legend
        named = isinstance(self.palette, str) and len(PALETTES[self.palette]) >= len(self.scores)
        data["palette"] = self.palette if named else extended_palette(len(self.scores), self._colours())
        return design_from_data(data, "rule")

    def _colours(self) -> Sequence[Sequence[int]]:
        return PALETTES[self.palette] if isinstance(self.palette, str) else [tuple(bytes.fromhex(colour[1:])) for colour in self.palette]

    def view(self) -> WorldView:
        """Return the world as a map to look at."""
        morph = self.morph
        mixture = None if morph is None else Mixture(tuple(tuple(row) for row in morph.scores), morph.field, morph.length)
        return WorldView(self.design(), self.seed, mixture)


def described(design: Design) -> dict[str, Any]:
    """Return the description of a design."""
    data = {key: value for key, value in design.to_data().items() if key not in {"summary", "border", "smooth", "start", "result"}}
    named = isinstance(design.palette, str)
    return data | {
        "name": design.name[:LONGEST_NAME] or "rule",
        "neighbourhood": [list(offset) for offset in design.rule.neighbourhood],
        "palette": design.palette if named else ["#" + bytes(colour).hex() for colour in find_palette(design.palette)[:MOST_STATES]],
    }
