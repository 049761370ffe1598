"""Fashion-based cellular automata (FBCA): maps on which every cell follows the best-dressed of its neighbours.

A `Rule` is a score matrix and a neighbourhood. It runs a map, or, because every cell depends only on what is near, any window of a `World`
that has no edge. A `Design` is a rule with its start, legend and palette. Everything is loaded when it is first used.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from levolve.fashion.caverns import level_of, pour
    from levolve.fashion.design import Design, find_designs, shipped_rules
    from levolve.fashion.fingerprints import Fingerprint, fingerprint, portrait, survey
    from levolve.fashion.legend import Legend
    from levolve.fashion.morph import Morph
    from levolve.fashion.records import Record, read_records, write_records
    from levolve.fashion.rule import MOORE, VON_NEUMANN, Outcome, Rule
    from levolve.fashion.starts import random_start
    from levolve.fashion.tiling import write_array, write_pyramid
    from levolve.fashion.world import World

__all__ = [
    "MOORE",
    "VON_NEUMANN",
    "Design",
    "Fingerprint",
    "Legend",
    "Morph",
    "Outcome",
    "Record",
    "Rule",
    "World",
    "find_designs",
    "fingerprint",
    "level_of",
    "portrait",
    "pour",
    "random_start",
    "read_records",
    "shipped_rules",
    "survey",
    "write_array",
    "write_pyramid",
    "write_records",
]

_HOMES = {
    "caverns": ("level_of", "pour"),
    "design": ("Design", "find_designs", "shipped_rules"),
    "fingerprints": ("Fingerprint", "fingerprint", "portrait", "survey"),
    "legend": ("Legend",),
    "morph": ("Morph",),
    "records": ("Record", "read_records", "write_records"),
    "rule": ("MOORE", "VON_NEUMANN", "Outcome", "Rule"),
    "starts": ("random_start",),
    "tiling": ("write_array", "write_pyramid"),
    "world": ("World",),
}
_MODULES = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:  # noqa: ANN401 as many types as public names
    if name not in _MODULES:
        message = f"module 'levolve.fashion' has no attribute {name!r}"
        raise AttributeError(message)
    value = getattr(importlib.import_module(f"levolve.fashion.{_MODULES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
