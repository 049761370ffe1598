"""`DesignVectorEnv`: many agents at once, each of which edits a level. All levels that changed are scored as one batch."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from levolve.bridges.gymnasium.design.designers import Designers
from levolve.bridges.gymnasium.design.pictures import DesignPictures
from levolve.bridges.gymnasium.options import read_options, read_render_mode
from levolve.bridges.gymnasium.resetting import joined_infos, read_count, read_mask, read_seeds, vector_metadata
from levolve.formats.look import look_of
from levolve.formats.themes.theme import Theme
from levolve.recipes.adapt import RecipeSource, Size, adapt

Observations = dict[str, NDArray[Any]]


class DesignVectorEnv(gymnasium.vector.VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """Edit `num_envs` levels at once; everything else is as in `DesignEnv`, whose parameters it has.

    Level i with seed s is edited as in a `DesignEnv` with seed s + i, step by step. An episode that has ended begins anew at the next step, whose
    action is ignored and whose reward is 0 (the autoreset mode NEXT_STEP). Every call returns arrays of its own.

    >>> envs = DesignVectorEnv(3, "maze", size=(6, 6), representation="turtle")
    >>> observations, infos = envs.reset(seed=1)
    >>> observations["tiles"].shape, infos["action_mask"].shape
    ((3, 6, 6), (3, 6))
    """

    metadata: dict[str, Any] = vector_metadata()

    def __init__(  # noqa: PLR0913 one parameter per setting
        self,
        num_envs: int = 1,
        recipe: RecipeSource = "maze",
        *,
        size: Size | None = None,
        objective: str | Mapping[str, Any] | None = None,
        target: Mapping[str, Any] | None = None,
        settings: Mapping[str, Any] | None = None,
        representation: str = "narrow",
        changes: float = 0.2,
        max_steps: int | None = None,
        render_mode: str | None = None,
        theme: str | Path | Theme | None = None,
        tile: int | None = None,
    ) -> None:
        """Build the objective and the spaces."""
        self.num_envs = read_count(num_envs)
        self.render_mode = read_render_mode(render_mode, self.metadata["render_modes"])
        adapted = adapt(recipe, size=size, objective=objective, target=target, settings=settings)
        self.designers = Designers(adapted, self.num_envs, representation, changes, max_steps)
        self._pictures = DesignPictures(self.designers, look_of(theme, tile))
        self._ended = np.zeros(self.num_envs, np.bool_)
        self._begun = False
        self.single_observation_space = self.designers.space
        self.single_action_space: spaces.Discrete = spaces.Discrete(self.designers.edits.actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None) -> tuple[Observations, dict[str, Any]]:
        """Begin an episode on all levels, or on those of the option `reset_mask`, `(num_envs,)` bool.

        A seed s gives level i the seed s + i; a list has one seed per level, or None for those that go on as they are.
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        mask = read_mask(read_options(options, ("reset_mask",)).get("reset_mask"), self.num_envs, begun=self._begun)
        self.designers.seed(*read_seeds(seed, self.np_random_seed or 0, mask, begun=self._begun))
        self._begun = True
        self.designers.begin(np.flatnonzero(mask))
        self._ended = self._ended & ~mask
        return self.designers.observe(), joined_infos(self.designers.infos(), mask)

    def step(self, actions: Any) -> tuple[Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:  # noqa: ANN401 whatever an agent returns
        """Carry out an action per level. Where the episode has ended, a new one begins instead."""
        if not self._begun:
            message = "step: expected reset() before the first step"
            raise gymnasium.error.ResetNeeded(message)
        results = self.designers.step(self.designers.read_actions(actions), self._ended)
        self._ended = results.terminated | results.truncated
        return self.designers.observe(), results.rewards, results.terminated, results.truncated, joined_infos(self.designers.infos())

    def render(self) -> tuple[Any, ...] | None:
        """Return a text or a picture for each level."""
        if self.render_mode is None:
            gymnasium.logger.warn("render: this environment was made without a render_mode; pass one of ansi, rgb_array to gymnasium.make_vec")
            return None
        draw = self._pictures.text if self.render_mode == "ansi" else self._pictures.pixels
        return tuple(draw(which) for which in range(self.num_envs))
