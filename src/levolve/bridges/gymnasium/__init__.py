"""Gymnasium: levels and puzzles as environments to play in, and level design as an environment.
Importing this package registers them.

`levolve/Maze-v0`, `levolve/Dungeon-v0`, `levolve/Crawl-v0`, `levolve/Chromatic-v0`,
`levolve/Flag-v0` and `levolve/Sliding-v0` are played by one `PlayEnv`, and by a `PlayVectorEnv`
that steps thousands of levels with one kernel call. In `levolve/Design-v0` an agent edits a level,
or thousands of agents one each. See docs/gymnasium.md.
"""

from levolve.core.errors import MissingExtraError

try:
    import gymnasium
except ImportError as problem:
    raise MissingExtraError(
        what="levolve.bridges.gymnasium", modules=("gymnasium",), extra="gym"
    ) from problem

from levolve.bridges.gymnasium.design_envs import DesignEnv, DesignVectorEnv
from levolve.bridges.gymnasium.play_envs import TASKS, PlayEnv, PlayVectorEnv

__all__ = ["TASKS", "DesignEnv", "DesignVectorEnv", "PlayEnv", "PlayVectorEnv"]


def _register() -> None:
    """Register every environment that is not registered yet."""
    for name, task in TASKS.items():
        if task.id not in gymnasium.registry:
            gymnasium.register(
                task.id,
                entry_point="levolve.bridges.gymnasium.play_envs:PlayEnv",
                vector_entry_point="levolve.bridges.gymnasium.play_envs:PlayVectorEnv",
                kwargs={"task": name},
            )
    if DesignEnv.id not in gymnasium.registry:
        gymnasium.register(
            DesignEnv.id,
            entry_point="levolve.bridges.gymnasium.design_envs:DesignEnv",
            vector_entry_point="levolve.bridges.gymnasium.design_envs:DesignVectorEnv",
        )


_register()
