"""Fashion-based cellular automata (FBCA): maps on which every cell follows the best-dressed of its neighbours.

A `Rule` is a score matrix and a neighbourhood. It runs a map, or, because every cell depends only on what is near, any window of a `World`
that has no edge. A `Design` is a rule with its start, legend and palette. Everything is loaded when it is first used.
"""

from typing import TYPE_CHECKING

from levolve.lazy import lazy_names

if TYPE_CHECKING:
    from levolve.fashion.caverns import level_of, pour
    from levolve.fashion.conversion import convert_designs, designs_in
    from levolve.fashion.design import Design, find_design, find_designs, shipped_rules
    from levolve.fashion.fields import Gradient, Noise, Rings
    from levolve.fashion.fingerprints import Fingerprint, Portrait, RuleFingerprint, fingerprint, fingerprint_rules, portrait, survey
    from levolve.fashion.legend import Legend
    from levolve.fashion.maps import FashionMap, make_map
    from levolve.fashion.morph import Morph
    from levolve.fashion.records import Record, read_maps, read_records, write_maps, write_records
    from levolve.fashion.rule import MOORE, VON_NEUMANN, Outcome, Rule
    from levolve.fashion.shipped import ShippedRule, list_rules
    from levolve.fashion.starts import random_start
    from levolve.fashion.terminal import terminal_picture
    from levolve.fashion.tiling import Tiles, TilesWritten, write_array, write_pyramid, write_tiles
    from levolve.fashion.world import World

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
    "caverns": ("level_of", "pour"),
    "conversion": ("convert_designs", "designs_in"),
    "design": ("Design", "find_design", "find_designs", "shipped_rules"),
    "fields": ("Gradient", "Noise", "Rings"),
    "fingerprints": ("Fingerprint", "Portrait", "RuleFingerprint", "fingerprint", "fingerprint_rules", "portrait", "survey"),
    "legend": ("Legend",),
    "maps": ("FashionMap", "make_map"),
    "morph": ("Morph",),
    "records": ("Record", "read_maps", "read_records", "write_maps", "write_records"),
    "rule": ("MOORE", "VON_NEUMANN", "Outcome", "Rule"),
    "shipped": ("ShippedRule", "list_rules"),
    "starts": ("random_start",),
    "terminal": ("terminal_picture",),
    "tiling": ("Tiles", "TilesWritten", "write_array", "write_pyramid", "write_tiles"),
    "world": ("World",),
}
if not TYPE_CHECKING:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {name: f"{__name__}.{module}" for module, names in _HOMES.items() for name in names},
        __all__,
    )
