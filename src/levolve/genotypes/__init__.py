"""Genotypes: how levels are encoded as genes and decoded again. A new genotype is one file and one line here."""

from levolve.genotypes.genotype import Genotype
from levolve.registry import Registry

GENOTYPES: Registry[type[Genotype]] = Registry(
    "genotype",
    {
        "direct": "levolve.genotypes.direct:Direct",
        "chromatic": "levolve.genotypes.chromatic:Chromatic",
        "barriers": "levolve.genotypes.barriers:Barriers",
        "tunnels": "levolve.genotypes.tunnels:Tunnels",
        "automaton": "levolve.genotypes.automaton:Automaton",
        "dungeon": "levolve.genotypes.dungeon:Dungeon",
        "fashion": "levolve.genotypes.fashion:Fashion",
        "tiles": "levolve.genotypes.tiles:TileGenes",
        "passages": "levolve.genotypes.passages:Passages",
        "rooms": "levolve.genotypes.rooms:Rooms",
        "mirror": "levolve.genotypes.mirror:Mirror",
        "patchwork": "levolve.genotypes.patchwork:Patchwork",
    },
    "levolve.genotypes",
    classes="levolve.genotypes.genotype:Genotype",
)
