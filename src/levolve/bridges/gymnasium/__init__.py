"""Gymnasium: levels and puzzles as environments to play in, and level design as an environment. Importing this package registers them.

`levolve/Maze-v0`, `levolve/Dungeon-v0`, `levolve/Chromatic-v0`, `levolve/Flag-v0` and `levolve/Sliding-v0` are played by one `PlayEnv`, and by a
`PlayVectorEnv` that steps thousands of levels with one kernel call. In `levolve/Design-v0` an agent edits a level, or thousands
of agents one each. See docs/gymnasium.md.
"""

from levolve.errors import MissingExtraError

try:
    import gymnasium
except ImportError as problem:
    raise MissingExtraError(what="levolve.bridges.gymnasium", modules=("gymnasium",), extra="gym") from problem

from levolve.bridges.gymnasium.design.env import DesignEnv
from levolve.bridges.gymnasium.design.vector import DesignVectorEnv
from levolve.bridges.gymnasium.single import PlayEnv
from levolve.bridges.gymnasium.tasks import TASKS
from levolve.bridges.gymnasium.vector import PlayVectorEnv

__all__ = ["TASKS", "DesignEnv", "DesignVectorEnv", "PlayEnv", "PlayVectorEnv"]


def _register() -> None:
    """Register every environment that is not registered yet."""
    for name, task in TASKS.items():
        if task.id not in gymnasium.registry:
            gymnasium.register(
                task.id,
                entry_point="levolve.bridges.gymnasium.single:PlayEnv",
                vector_entry_point="levolve.bridges.gymnasium.vector:PlayVectorEnv",
                kwargs={"task": name},
            )
    if DesignEnv.id not in gymnasium.registry:
        gymnasium.register(
            DesignEnv.id,
            entry_point="levolve.bridges.gymnasium.design.env:DesignEnv",
            vector_entry_point="levolve.bridges.gymnasium.design.vector:DesignVectorEnv",
        )


_register()
