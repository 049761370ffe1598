"""Fashion-based cellular automata (FBCA): maps on which every cell follows the best-dressed of its
neighbours.

A `Rule` is a score matrix and a neighbourhood. It runs a map, or, because every cell depends only
on what is near, any window of a `World` that has no edge. A `Design` is a rule with its start,
legend and palette. Everything is loaded when it is first used.
"""

from typing import TYPE_CHECKING

from levolve.core.startup import lazy_names

if TYPE_CHECKING:
    from levolve.worlds.design import Design
    from levolve.worlds.files import convert_designs, designs_in
    from levolve.worlds.fingerprints import (
        Fingerprint,
        Portrait,
        RuleFingerprint,
        fingerprint,
        fingerprint_rules,
        portrait,
        survey,
    )
    from levolve.worlds.lambda_fields import Gradient, Noise, Rings
    from levolve.worlds.legend import Legend
    from levolve.worlds.maps import FashionMap, make_map
    from levolve.worlds.morph import Morph
    from levolve.worlds.pictures import level_of, pour, terminal_picture
    from levolve.worlds.records import Record, read_maps, read_records, write_maps, write_records
    from levolve.worlds.rule import Outcome, Rule
    from levolve.worlds.shipped import (
        ShippedRule,
        find_design,
        find_designs,
        list_rules,
        shipped_rules,
    )
    from levolve.worlds.starts import MOORE, VON_NEUMANN, random_start
    from levolve.worlds.tiling import Tiles, TilesWritten, write_array, write_pyramid, write_tiles
    from levolve.worlds.world import World

__all__ = [
    "MOORE",
    "VON_NEUMANN",
    "Design",
    "FashionMap",
    "Fingerprint",
    "Gradient",
    "Legend",
    "Morph",
    "Noise",
    "Outcome",
    "Portrait",
    "Record",
    "Rings",
    "Rule",
    "RuleFingerprint",
    "ShippedRule",
    "Tiles",
    "TilesWritten",
    "World",
    "convert_designs",
    "designs_in",
    "find_design",
    "find_designs",
    "fingerprint",
    "fingerprint_rules",
    "level_of",
    "list_rules",
    "make_map",
    "portrait",
    "pour",
    "random_start",
    "read_maps",
    "read_records",
    "shipped_rules",
    "survey",
    "terminal_picture",
    "write_array",
    "write_maps",
    "write_pyramid",
    "write_records",
    "write_tiles",
]

_HOMES = {
    "levolve.worlds.files": ("convert_designs", "designs_in"),
    "levolve.worlds.design": ("Design",),
    "levolve.worlds.lambda_fields": ("Gradient", "Noise", "Rings"),
    "levolve.worlds.fingerprints": (
        "Fingerprint",
        "Portrait",
        "RuleFingerprint",
        "fingerprint",
        "fingerprint_rules",
        "portrait",
        "survey",
    ),
    "levolve.worlds.legend": ("Legend",),
    "levolve.worlds.maps": ("FashionMap", "make_map"),
    "levolve.worlds.morph": ("Morph",),
    "levolve.worlds.records": (
        "Record",
        "read_maps",
        "read_records",
        "write_maps",
        "write_records",
    ),
    "levolve.worlds.rule": ("Outcome", "Rule"),
    "levolve.worlds.shipped": (
        "ShippedRule",
        "find_design",
        "find_designs",
        "list_rules",
        "shipped_rules",
    ),
    "levolve.worlds.starts": ("MOORE", "VON_NEUMANN", "random_start"),
    "levolve.worlds.pictures": ("level_of", "pour", "terminal_picture"),
    "levolve.worlds.tiling": (
        "Tiles",
        "TilesWritten",
        "write_array",
        "write_pyramid",
        "write_tiles",
    ),
    "levolve.worlds.world": ("World",),
}
if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {name: module for module, names in _HOMES.items() for name in names},
        __all__,
    )
