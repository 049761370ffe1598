"""Measures of levels, by name. A measure takes a `Batch` of n levels and returns `(n,)` numbers.

A new measure is one function in a file of this folder and one line here.
"""

from levolve.measures.measure import Measure
from levolve.registry import Registry

MEASURES: Registry[Measure] = Registry(
    "measure",
    {
        "exit_path": "levolve.measures.paths:EXIT_PATH",
        "longest_path": "levolve.measures.paths:LONGEST_PATH",
        "sweep_path": "levolve.measures.paths:SWEEP_PATH",
        "regions": "levolve.measures.cells:REGIONS",
        "largest_region": "levolve.measures.cells:LARGEST_REGION",
        "walls": "levolve.measures.cells:WALLS",
        "reachable": "levolve.measures.cells:REACHABLE",
        "culs_de_sac": "levolve.measures.ends:CULS_DE_SAC",
        "cul_de_sac_length": "levolve.measures.ends:CUL_DE_SAC_LENGTH",
        "branching": "levolve.measures.ends:BRANCHING",
        "difficulty": "levolve.measures.efforts:DIFFICULTY",
        "wrong_turns": "levolve.measures.efforts:TURNS",
        "lost_steps": "levolve.measures.efforts:LOST_STEPS",
        "reconvergence": "levolve.measures.reconvergences:RECONVERGENCE",
        "isolated_reconvergence": "levolve.measures.reconvergences:ISOLATED_RECONVERGENCE",
        "exit_members": "levolve.measures.reconvergences:EXIT_MEMBERS",
        "tour_steps": "levolve.measures.tours:TOUR_STEPS",
        "tour_tiles": "levolve.measures.tours:TOUR_TILES",
        "pockets": "levolve.measures.structures:POCKETS",
        "specks": "levolve.measures.structures:SPECKS",
        "plazas": "levolve.measures.structures:PLAZAS",
        "blocks": "levolve.measures.structures:BLOCKS",
        "diagonals": "levolve.measures.structures:DIAGONALS",
        "dead_ends": "levolve.measures.structures:DEAD_ENDS",
        "loops": "levolve.measures.structures:LOOPS",
        "junctions": "levolve.measures.structures:JUNCTIONS",
        "corridors": "levolve.measures.structures:CORRIDORS",
        "rooms": "levolve.measures.structures:ROOMS",
        "room_share": "levolve.measures.structures:ROOM_SHARE",
        "openness": "levolve.measures.structures:OPENNESS",
        "symmetry": "levolve.measures.structures:SYMMETRY",
        "entropy": "levolve.measures.structures:ENTROPY",
        "likeness": "levolve.measures.likeness:LIKENESS",
        "divergence": "levolve.measures.likeness:DIVERGENCE",
        "originality": "levolve.measures.likeness:ORIGINALITY",
        "turns": "levolve.measures.ways:TURNS",
        "straight": "levolve.measures.ways:STRAIGHT",
        "choke_points": "levolve.measures.ways:CHOKE_POINTS",
        "linearity": "levolve.measures.ways:LINEARITY",
    },
    "levolve.measures",
    kinds=("levolve.measures.measure:Measure",),
)
