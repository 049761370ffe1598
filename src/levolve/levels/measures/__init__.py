"""Measures of levels, by name. A measure takes a `Batch` of n levels and returns `(n,)` numbers.

A new measure is one function in a file of this folder and one line here.
"""

from levolve.core.registry import Registry
from levolve.levels.measures.measure import Measure

MEASURES: Registry[Measure] = Registry(
    "measure",
    {
        "exit_path": "levolve.levels.measures.paths:EXIT_PATH",
        "longest_path": "levolve.levels.measures.paths:LONGEST_PATH",
        "sweep_path": "levolve.levels.measures.paths:SWEEP_PATH",
        "regions": "levolve.levels.measures.structure:REGIONS",
        "largest_region": "levolve.levels.measures.structure:LARGEST_REGION",
        "walls": "levolve.levels.measures.structure:WALLS",
        "reachable": "levolve.levels.measures.structure:REACHABLE",
        "culs_de_sac": "levolve.levels.measures.structure:CULS_DE_SAC",
        "cul_de_sac_length": "levolve.levels.measures.structure:CUL_DE_SAC_LENGTH",
        "branching": "levolve.levels.measures.structure:BRANCHING",
        "difficulty": "levolve.levels.measures.structure:DIFFICULTY",
        "wrong_turns": "levolve.levels.measures.structure:TURNS",
        "lost_steps": "levolve.levels.measures.structure:LOST_STEPS",
        "reconvergence": "levolve.levels.measures.structure:RECONVERGENCE",
        "isolated_reconvergence": "levolve.levels.measures.structure:ISOLATED_RECONVERGENCE",
        "exit_members": "levolve.levels.measures.structure:EXIT_MEMBERS",
        "tour_steps": "levolve.levels.measures.paths:TOUR_STEPS",
        "tour_tiles": "levolve.levels.measures.paths:TOUR_TILES",
        "pockets": "levolve.levels.measures.structure:POCKETS",
        "specks": "levolve.levels.measures.structure:SPECKS",
        "plazas": "levolve.levels.measures.structure:PLAZAS",
        "blocks": "levolve.levels.measures.structure:BLOCKS",
        "diagonals": "levolve.levels.measures.structure:DIAGONALS",
        "dead_ends": "levolve.levels.measures.structure:DEAD_ENDS",
        "loops": "levolve.levels.measures.structure:LOOPS",
        "junctions": "levolve.levels.measures.structure:JUNCTIONS",
        "corridors": "levolve.levels.measures.structure:CORRIDORS",
        "rooms": "levolve.levels.measures.structure:ROOMS",
        "room_share": "levolve.levels.measures.structure:ROOM_SHARE",
        "openness": "levolve.levels.measures.structure:OPENNESS",
        "symmetry": "levolve.levels.measures.structure:SYMMETRY",
        "entropy": "levolve.levels.measures.structure:ENTROPY",
        "likeness": "levolve.levels.measures.structure:LIKENESS",
        "divergence": "levolve.levels.measures.structure:DIVERGENCE",
        "originality": "levolve.levels.measures.structure:ORIGINALITY",
        "turns": "levolve.levels.measures.paths:TURNS",
        "straight": "levolve.levels.measures.paths:STRAIGHT",
        "choke_points": "levolve.levels.measures.paths:CHOKE_POINTS",
        "linearity": "levolve.levels.measures.paths:LINEARITY",
    },
    "levolve.measures",
    kinds=("levolve.levels.measures.measure:Measure",),
)
