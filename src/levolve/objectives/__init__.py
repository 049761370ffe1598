"""Objectives: what a run maximises. An objective scores a batch of levels; **higher is better, everywhere in levolve**.

A new objective is one file and one line here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from levolve.registry import Registry

if TYPE_CHECKING:
    from levolve.objectives.objective import Objective

OBJECTIVES: Registry[type[Objective]] = Registry(
    "objective",
    {
        "exit_path": "levolve.objectives.exit_path:ExitPath",
        "reconvergence": "levolve.objectives.reconvergence:Reconvergence",
        "isolated_reconvergence": "levolve.objectives.reconvergence:IsolatedReconvergence",
        "culs_de_sac": "levolve.objectives.culs_de_sac:CulsDeSac",
        "cul_de_sac_length": "levolve.objectives.culs_de_sac:CulDeSacLength",
        "tour": "levolve.objectives.tour:Tour",
        "cavern": "levolve.objectives.cavern:Cavern",
        "design": "levolve.objectives.design:LevelDesign",
        "likeness": "levolve.objectives.likeness:Likeness",
        "target": "levolve.objectives.target:Target",
        "function": "levolve.objectives.function:Function",
        "weighted": "levolve.objectives.weighted:Weighted",
    },
    "levolve.objectives",
    classes="levolve.objectives.objective:Objective",
)
