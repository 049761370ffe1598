"""`PlayVectorEnv`: many players at once. One kernel call moves all of them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from levolve.bridges.gymnasium.games.game import MoveResults, Observations
from levolve.bridges.gymnasium.options import read_options, read_render_mode
from levolve.bridges.gymnasium.pictures import PlayPictures
from levolve.bridges.gymnasium.players import Players
from levolve.bridges.gymnasium.resetting import joined_infos, read_count, read_mask, read_seeds, vector_metadata
from levolve.bridges.gymnasium.sources import SourceOptions
from levolve.bridges.gymnasium.tasks import find_task
from levolve.formats.look import look_of
from levolve.formats.themes.theme import Theme
from levolve.levels.grid import MOVES
from levolve.packs.pack import Pack
from levolve.recipes.adapt import RecipeSource, Size

Steps = tuple[Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class PlayVectorEnv(gymnasium.vector.VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """Play `num_envs` levels at once; everything else is as in `PlayEnv`, whose parameters it has.

    Player i with seed s plays as a `PlayEnv` with seed s + i, step by step. An episode that has ended begins anew at the next step: the action of
    that player is ignored, its reward is 0 (the autoreset mode NEXT_STEP). Every call returns arrays of its own.

    >>> envs = PlayVectorEnv(3, "sliding", size=(2, 2))
    >>> observations, infos = envs.reset(seed=1)
    >>> observations["tiles"].shape, infos["action_mask"].sum(axis=1).tolist()
    ((3, 2, 2), [2, 2, 2])
    """

    metadata: dict[str, Any] = vector_metadata()

    def __init__(  # noqa: PLR0913 one parameter per setting
        self,
        num_envs: int = 1,
        task: str = "maze",
        *,
        recipe: RecipeSource | None = None,
        size: Size | None = None,
        generations: int | Literal["recipe"] | None = None,
        settings: Mapping[str, Any] | None = None,
        target: Mapping[str, Any] | None = None,
        request: Mapping[str, Any] | None = None,
        pack: Pack | str | Path | None = None,
        folder: str | Path | None = None,
        levels: int | None = None,
        first: int = 0,
        max_steps: int | None = None,
        step_cost: float | None = None,
        render_mode: str | None = None,
        theme: str | Path | Theme | None = None,
        tile: int | None = None,
    ) -> None:
        """Open the source of levels, which makes or reads at least one."""
        chosen = find_task(task)
        self.num_envs = read_count(num_envs)
        self.render_mode = read_render_mode(render_mode, self.metadata["render_modes"])
        options = SourceOptions(recipe, size, generations, settings, target, request, pack, folder, levels, first)
        self.source = options.open(chosen.recipe, chosen.game.kind)
        game = chosen.game(self.source, self.num_envs)
        self._players = Players(game, max_steps, step_cost, recording=self.render_mode is not None)
        self._pictures = PlayPictures(self.source, look_of(theme, tile))
        self._ended = np.zeros(self.num_envs, np.bool_)
        self._begun = False
        self.single_observation_space = game.space
        self.single_action_space = spaces.Discrete(len(MOVES))
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    @property
    def max_steps(self) -> int:
        """The steps after which an episode is truncated."""
        return self._players.most

    def reset(self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None) -> tuple[Observations, dict[str, Any]]:
        """Begin an episode of all players.

        A seed s gives player i the seed s + i; a list has one seed per player, or None for players that go on as they are. In `options`, `level` is
        the number of a level, or one per player, and `reset_mask` `(num_envs,)` bool says which players begin.
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        chosen = read_options(options, ("level", "reset_mask"))
        mask = read_mask(chosen.get("reset_mask"), self.num_envs, begun=self._begun)
        self._players.seed(*read_seeds(seed, self.np_random_seed or 0, mask, begun=self._begun))
        self._begun = True
        which = np.flatnonzero(mask)
        self._players.begin(which, self._players.read_levels(chosen["level"], which) if "level" in chosen else None)
        self._ended = self._ended & ~mask
        results = self._players.look()
        return self._players.game.observe(), self._infos(results, mask)

    def step(self, actions: Any) -> Steps:  # noqa: ANN401 whatever an agent returns
        """Move all players. Those whose episode has ended begin a new one instead."""
        if not self._begun:
            message = "step: expected reset() before the first step"
            raise gymnasium.error.ResetNeeded(message)
        chosen = self._players.read_actions(actions)
        begins = self._ended
        if begins.any():
            self._players.begin(np.flatnonzero(begins))
        results = self._players.step(chosen, begins)
        self._ended = results.terminated | results.truncated
        return self._players.game.observe(), results.rewards, results.terminated.copy(), results.truncated, self._infos(results)

    def _infos(self, results: MoveResults, mask: NDArray[np.bool_] | None = None) -> dict[str, Any]:
        """Return the infos of all players."""
        return joined_infos({"action_mask": results.masks, "level": self._players.numbers.copy(), "won": results.won}, mask)

    def render(self) -> tuple[Any, ...] | None:
        """Return a text or a picture for each player."""
        if self.render_mode is None or self._players.moves is None:
            gymnasium.logger.warn("render: this environment was made without a render_mode; pass one of ansi, rgb_array to gymnasium.make_vec")
            return None
        played = zip(self._players.numbers.tolist(), self._players.moves, self._players.steps.tolist(), strict=True)
        if self.render_mode == "ansi":
            return tuple(self._pictures.text(number, moves, steps, self._players.most) for number, moves, steps in played)
        return tuple(self._pictures.pixels(number, moves) for number, moves, _ in played)
