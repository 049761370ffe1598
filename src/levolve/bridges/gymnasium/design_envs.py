"""Level design as an environment: an agent edits the tiles of a level and is rewarded by an
objective.

This is the task of PCGRL (Khalifa, Bontrager, Earle, Togelius 2020), with any recipe's levels and
objective.

`DesignEnv`: an agent edits a level, and is rewarded by an objective.

`DesignVectorEnv`: many agents at once, each of which edits a level. All levels that changed are
scored as one batch.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from levolve.bridges.gymnasium.designers import Designers
from levolve.bridges.gymnasium.environment import (
    SEEDS,
    DesignPictures,
    Window,
    joined_infos,
    read_count,
    read_mask,
    read_options,
    read_render_mode,
    read_seeds,
    vector_metadata,
)
from levolve.core.errors import InputError
from levolve.formats.look import look_of
from levolve.formats.themes.theme import Theme
from levolve.levels.level import Level
from levolve.recipes.finding import RecipeSource, Size, adapt

ONE = np.zeros(1, np.int64)


class DesignEnv(gymnasium.Env[dict[str, Any], np.int64]):
    """Edit a level of random tiles; the reward of a step is the change of the objective's score.

    An episode is terminated when the score is the highest possible, or when all changes are used
    up; it is truncated after `max_steps`. A step that changes no tile has a reward of 0. An
    observation has the entries `tiles` `(height, width)`, kinds of the tileset; `changed`, how
    often each tile was changed; `left`, the share of changes that are left; and, except in `wide`,
    `cursor`, the cell (x, y) that actions refer to. `info` has `action_mask`, `score` and
    `changes`, the number of changes so far.

    Parameters
    ----------
    recipe, size, objective, target, settings
        The size, places, cells to keep, tileset and objective of the levels; see
        `levolve.recipes.finding.adapt`. Genotype and strategy are not used.
    representation
        "narrow", "turtle" or "wide"; see `levolve.bridges.gymnasium.designers`.
    changes
        How many tiles may change, as a share of the cells that may: above 0; more than 1 allows to
        change tiles again.
    max_steps
        An episode is truncated after this many steps; by default 4 per cell.
    render_mode, theme, tile
        As in `PlayEnv`.

    >>> env = DesignEnv("maze", size=(8, 8), representation="wide")
    >>> observation, info = env.reset(seed=1)
    >>> action = int(info["action_mask"].argmax())
    >>> observation, reward, terminated, truncated, after = env.step(action)
    >>> reward == after["score"] - info["score"], after["changes"]
    (True, 1)
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array", "human"], "render_fps": 10}  # noqa: RUF012 Gymnasium's own declaration
    id: ClassVar[str] = "levolve/Design-v0"

    def __init__(
        self,
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
        self.render_mode = read_render_mode(render_mode, self.metadata["render_modes"])
        adapted = adapt(recipe, size=size, objective=objective, target=target, settings=settings)
        self.designer = Designers(adapted, 1, representation, changes, max_steps)
        self._pictures = DesignPictures(self.designer, look_of(theme, tile))
        self._window = (
            Window(self.id, self.metadata["render_fps"]) if self.render_mode == "human" else None
        )
        self._seeded = self._editing = False
        self.observation_space = self.designer.space
        self.action_space: spaces.Discrete = spaces.Discrete(self.designer.edits.actions)

    @property
    def most_changes(self) -> int:
        """How many tiles may change in an episode."""
        return self.designer.most_changes

    @property
    def max_steps(self) -> int:
        """The steps after which an episode is truncated."""
        return self.designer.max_steps

    @property
    def level(self) -> Level:
        """The level as it is now, with a solution if it can be won."""
        return self.designer.drafts.level(0)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode with random tiles. With a seed, the following episodes are the same as
        after any other reset with this seed.
        """
        super().reset(seed=seed)
        read_options(options, ())
        if seed is not None or not self._seeded:
            self.designer.seed(ONE, np.array([(self.np_random_seed or 0) % SEEDS], np.uint64))
            self._seeded = True
        self.designer.begin(ONE)
        self._editing = True
        return self._seen()

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Carry out an action."""
        if not self._editing:
            message = "step: expected reset() before the first step of an episode"
            raise ResetNeeded(message)
        if not self.action_space.contains(action):
            message = (
                f"action: expected a whole number from 0 to {self.designer.edits.actions - 1}, "
                f"got {action!r}"
            )
            raise InputError(message)
        results = self.designer.step(np.array([int(action)]), np.zeros(1, np.bool_))
        terminated, truncated = bool(results.terminated[0]), bool(results.truncated[0])
        self._editing = not (terminated or truncated)
        observation, info = self._seen()
        return observation, float(results.rewards[0]), terminated, truncated, info

    def _seen(self) -> tuple[dict[str, Any], dict[str, Any]]:
        if self._window is not None:
            self._window.show(self._pictures.pixels(0))
        observation = {name: values[0] for name, values in self.designer.observe().items()}
        found = self.designer.infos()
        return observation, {
            "action_mask": found["action_mask"][0],
            "score": float(found["score"][0]),
            "changes": int(found["changes"][0]),
        }

    def render(self) -> Any:
        """Return a text, a picture `(height, width, 3)`, or None where a window shows it."""
        if self.render_mode is None:
            gymnasium.logger.warn(
                "render: this environment was made without a render_mode; pass one of ansi, "
                "rgb_array, human to gymnasium.make"
            )
            return None
        if self.render_mode == "ansi":
            return self._pictures.text(0)
        return self._pictures.pixels(0) if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()


Observations = dict[str, NDArray[Any]]


class DesignVectorEnv(gymnasium.vector.VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """Edit `num_envs` levels at once; everything else is as in `DesignEnv`, whose parameters it
    has.

    Level i with seed s is edited as in a `DesignEnv` with seed s + i, step by step. An episode that
    has ended begins anew at the next step, whose action is ignored and whose reward is 0 (the
    autoreset mode NEXT_STEP). Every call returns arrays of its own.

    >>> envs = DesignVectorEnv(3, "maze", size=(6, 6), representation="turtle")
    >>> observations, infos = envs.reset(seed=1)
    >>> observations["tiles"].shape, infos["action_mask"].shape
    ((3, 6, 6), (3, 6))
    """

    metadata: dict[str, Any] = vector_metadata()

    def __init__(
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

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin an episode on all levels, or on those of the option `reset_mask`, `(num_envs,)`
        bool.

        A seed s gives level i the seed s + i; a list has one seed per level, or None for those that
        go on as they are.
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        mask = read_mask(
            read_options(options, ("reset_mask",)).get("reset_mask"),
            self.num_envs,
            begun=self._begun,
        )
        self.designers.seed(*read_seeds(seed, self.np_random_seed or 0, mask, begun=self._begun))
        self._begun = True
        self.designers.begin(np.flatnonzero(mask))
        self._ended = self._ended & ~mask
        return self.designers.observe(), joined_infos(self.designers.infos(), mask)

    def step(
        self, actions: Any
    ) -> tuple[
        Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
    ]:
        """Carry out an action per level. Where the episode has ended, a new one begins instead."""
        if not self._begun:
            message = "step: expected reset() before the first step"
            raise gymnasium.error.ResetNeeded(message)
        results = self.designers.step(self.designers.read_actions(actions), self._ended)
        self._ended = results.terminated | results.truncated
        return (
            self.designers.observe(),
            results.rewards,
            results.terminated,
            results.truncated,
            joined_infos(self.designers.infos()),
        )

    def render(self) -> tuple[Any, ...] | None:
        """Return a text or a picture for each level."""
        if self.render_mode is None:
            gymnasium.logger.warn(
                "render: this environment was made without a render_mode; pass one of ansi, "
                "rgb_array to gymnasium.make_vec"
            )
            return None
        draw = self._pictures.text if self.render_mode == "ansi" else self._pictures.pixels
        return tuple(draw(which) for which in range(self.num_envs))
