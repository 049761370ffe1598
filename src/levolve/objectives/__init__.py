"""Objectives: what a run aims for. An objective scores a batch; **higher is better, everywhere in levolve**.

A new objective is one file and one line here.
"""

from levolve.objectives.objective import Objective
from levolve.registry import Registry

OBJECTIVES: Registry[type[Objective]] = Registry(
    "objective",
    {
        "exit_path": "levolve.objectives.exit_path:ExitPath",
    },
)
