"""Objectives: what a run maximises. An objective scores a batch of levels; **higher is better,
everywhere in levolve**.

A new objective is one file and one line here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from levolve.core.registry import Registry

if TYPE_CHECKING:
    from levolve.search.objectives.objective import Objective

OBJECTIVES: Registry[type[Objective]] = Registry(
    "objective",
    {
        "exit_path": "levolve.search.objectives.paths:ExitPath",
        "reconvergence": "levolve.search.objectives.paths:Reconvergence",
        "isolated_reconvergence": "levolve.search.objectives.paths:IsolatedReconvergence",
        "culs_de_sac": "levolve.search.objectives.paths:CulsDeSac",
        "cul_de_sac_length": "levolve.search.objectives.paths:CulDeSacLength",
        "culs_de_sac_by_squares": "levolve.search.objectives.paths:CulsDeSacBySquares",
        "cul_de_sac_length_by_squares": "levolve.search.objectives.paths:CulDeSacLengthBySquares",
        "tour": "levolve.search.objectives.paths:Tour",
        "cavern": "levolve.search.objectives.design:Cavern",
        "design": "levolve.search.objectives.design:LevelDesign",
        "furnishing": "levolve.search.objectives.furnishing:Furnishing",
        "likeness": "levolve.search.objectives.likeness:Likeness",
        "target": "levolve.search.objectives.combined:Target",
        "function": "levolve.search.objectives.function:Function",
        "weighted": "levolve.search.objectives.combined:Weighted",
    },
    "levolve.objectives",
    classes="levolve.search.objectives.objective:Objective",
)
