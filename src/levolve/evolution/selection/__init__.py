"""Selection of parents. A new selection is one file and one line here."""

from levolve.evolution.selection.selection import Selection
from levolve.registry import Registry

SELECTIONS: Registry[type[Selection]] = Registry(
    "selection",
    {
        "tournament": "levolve.evolution.selection.tournament:Tournament",
        "proportional": "levolve.evolution.selection.proportional:Proportional",
        "truncation": "levolve.evolution.selection.truncation:TruncationSelection",
    },
    "levolve.selections",
    classes="levolve.evolution.selection.selection:Selection",
)
