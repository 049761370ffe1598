"""Genotypes: how levels are encoded as genes and decoded again. A new genotype is one file and one
line here.
"""

from levolve.core.registry import Registry
from levolve.search.genotypes.genotype import Genotype

GENOTYPES: Registry[type[Genotype]] = Registry(
    "genotype",
    {
        "direct": "levolve.search.genotypes.direct:Direct",
        "chromatic": "levolve.search.genotypes.direct:Chromatic",
        "barriers": "levolve.search.genotypes.digging:Barriers",
        "tunnels": "levolve.search.genotypes.digging:Tunnels",
        "automaton": "levolve.search.genotypes.automaton:Automaton",
        "dungeon": "levolve.search.genotypes.dungeon:Dungeon",
        "fashion": "levolve.search.genotypes.fashion:Fashion",
        "tiles": "levolve.search.genotypes.direct:TileGenes",
        "passages": "levolve.search.genotypes.passages:Passages",
        "rooms": "levolve.search.genotypes.rooms:Rooms",
        "mirror": "levolve.search.genotypes.mirror:Mirror",
        "screens": "levolve.search.genotypes.screens:Screens",
        "patchwork": "levolve.search.genotypes.patchwork:Patchwork",
        "chambers": "levolve.search.genotypes.rooms:Chambers",
    },
    "levolve.genotypes",
    classes="levolve.search.genotypes.genotype:Genotype",
)
