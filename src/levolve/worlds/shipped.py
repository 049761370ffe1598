"""The rules that come with levolve, as a list with a thumbnail each."""

from dataclasses import dataclass
from typing import Any

from levolve.worlds.design import Design, find_design, shipped_rules
from levolve.worlds.legend import find_palette
from levolve.worlds.pictures import terminal_picture
from levolve.worlds.rule import Map

THUMBNAIL_SEED = 1
# Two rows of cells are one line of half blocks.
THUMBNAIL_ROWS = 2


@dataclass(frozen=True, eq=False)
class ShippedRule:
    """A rule that comes with levolve."""

    design: Design

    @property
    def name(self) -> str:
        """The name by which `make_map` finds it."""
        return self.design.name

    @property
    def summary(self) -> str:
        """What it makes, in one line."""
        return self.design.summary

    def strip(self, columns: int = 24) -> Map:
        """Two rows of `columns` cells from the middle of a map of the rule."""
        side = max(columns, 60)
        tiles = self.design.make((side, side), THUMBNAIL_SEED)
        return tiles[side // 2 : side // 2 + THUMBNAIL_ROWS, :columns]

    def thumbnail(self, columns: int = 24, *, colour: bool = True) -> str:
        """A line of half blocks from the middle of a map of the rule, at full scale."""
        return terminal_picture(
            self.strip(columns), find_palette(self.design.palette), columns, 1, colour=colour
        )

    def to_data(self) -> dict[str, Any]:
        """The rule as plain data that JSON can hold."""
        rule = self.design.rule
        return {
            "name": self.name,
            "summary": self.summary,
            "states": rule.states,
            "neighbours": len(rule.neighbourhood),
            "updates": self.design.updates,
            "border": rule.border,
            "arithmetic": rule.arithmetic,
            "legend": list(self.design.legend.names),
            "thumbnail": ["".join(map(str, row)) for row in self.strip().tolist()],
        }


def list_rules() -> list[ShippedRule]:
    """All rules that come with levolve, by name."""
    return [ShippedRule(find_design(name)) for name in shipped_rules()]
