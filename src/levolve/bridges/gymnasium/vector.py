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
from levolve.bridges.gymnasium.single import SEEDS
from levolve.bridges.gymnasium.sources import SourceOptions
from levolve.bridges.gymnasium.tasks import find_task
from levolve.errors import InputError
from levolve.formats.look import look_of
from levolve.formats.themes.theme import Theme
from levolve.levels.grid import MOVES
from levolve.packs.pack import Pack
from levolve.recipes.adapt import RecipeSource, Size

Steps = tuple[Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


def _metadata() -> dict[str, Any]:
    """Return the metadata. Gymnasium 1.0 always resets at the next step, and has no name for it."""
    modes = getattr(gymnasium.vector, "AutoresetMode", None)
    return {"render_modes": ["ansi", "rgb_array"], "render_fps": 10, **({} if modes is None else {"autoreset_mode": modes.NEXT_STEP})}


class PlayVectorEnv(gymnasium.vector.VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """Play `num_envs` levels at once; everything else is as in `PlayEnv`, whose parameters it has.

    Player i with seed s plays as a `PlayEnv` with seed s + i, step by step. An episode that has ended begins anew at the next step: the action of
    that player is ignored, its reward is 0 (the autoreset mode NEXT_STEP). Every call returns arrays of its own.

    >>> envs = PlayVectorEnv(3, "sliding", size=(2, 2))
    >>> observations, infos = envs.reset(seed=1)
    >>> observations["tiles"].shape, infos["action_mask"].sum(axis=1).tolist()
    ((3, 2, 2), [2, 2, 2])
    """

    metadata: dict[str, Any] = _metadata()

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
        if isinstance(num_envs, bool) or not isinstance(num_envs, int | np.integer) or num_envs < 1:
            message = f"num_envs: expected a whole number from 1, got {num_envs!r}"
            raise InputError(message)
        chosen = find_task(task)
        self.num_envs = int(num_envs)
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
        mask = self._read_mask(chosen.get("reset_mask"))
        self._seed(seed, mask)
        which = np.flatnonzero(mask)
        self._players.begin(which, self._players.read_levels(chosen["level"], which) if "level" in chosen else None)
        self._ended = self._ended & ~mask
        results = self._players.look()
        return self._players.game.observe(), self._infos(results, mask)

    def _read_mask(self, mask: object) -> NDArray[np.bool_]:
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        if not isinstance(mask, np.ndarray) or mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
            message = f"options: reset_mask: expected an array of {self.num_envs} booleans, at least one of them true, got {mask!r}"
            raise InputError(message)
        if not self._begun and not mask.all():
            message = "options: reset_mask: expected all players at the first reset"
            raise InputError(message)
        return mask

    def _seed(self, seed: int | Sequence[int | None] | None, mask: NDArray[np.bool_]) -> None:
        """Seed the players that begin; at the first reset, all of them."""
        if seed is None or isinstance(seed, int):
            seeds: list[int | None] = [None] * self.num_envs
            if seed is not None or not self._begun:
                seeds = [((self.np_random_seed or 0) + player) % SEEDS for player in range(self.num_envs)]
        else:
            seeds = [None if one is None else int(one) % SEEDS for one in seed]
            if not self._begun:
                other = self.np_random_seed or 0
                seeds = [(other + player) % SEEDS if one is None else one for player, one in enumerate(seeds)]
        if len(seeds) != self.num_envs:
            message = f"seed: expected one seed, or {self.num_envs}, one per player, got {len(seeds)}"
            raise InputError(message)
        seeded = [player for player, one in enumerate(seeds) if one is not None and mask[player]]
        self._players.seed(np.array(seeded, np.int64), np.array([seeds[player] for player in seeded], np.uint64))
        self._begun = True

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
        """Return the infos as Gymnasium joins those of single environments: for each name, an array, and which players have it."""
        infos: dict[str, Any] = {}
        for name, values in (("action_mask", results.masks), ("level", self._players.numbers.copy()), ("won", results.won)):
            infos[name] = values
            infos[f"_{name}"] = np.ones(self.num_envs, np.bool_) if mask is None else mask.copy()
        return infos

    def render(self) -> tuple[Any, ...] | None:
        """Return a text or a picture for each player."""
        if self.render_mode is None or self._players.moves is None:
            gymnasium.logger.warn("render: this environment was made without a render_mode; pass one of ansi, rgb_array to gymnasium.make_vec")
            return None
        played = zip(self._players.numbers.tolist(), self._players.moves, self._players.steps.tolist(), strict=True)
        if self.render_mode == "ansi":
            return tuple(self._pictures.text(number, moves, steps, self._players.most) for number, moves, steps in played)
        return tuple(self._pictures.pixels(number, moves) for number, moves, _ in played)
