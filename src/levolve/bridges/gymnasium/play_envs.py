"""`PlayEnv`: one player on levels of a recipe, a pack or a folder.

`PlayVectorEnv`: many players at once. One kernel call moves all of them.

Tasks: what the registered environments play by default. A new one is one line here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from levolve.bridges.gymnasium.crawl_game import CrawlGame
from levolve.bridges.gymnasium.environment import (
    SEEDS,
    PlayPictures,
    Window,
    joined_infos,
    read_count,
    read_mask,
    read_options,
    read_render_mode,
    read_seeds,
    vector_metadata,
)
from levolve.bridges.gymnasium.game import Game, MoveResults, Observations, WalkGame
from levolve.bridges.gymnasium.players import Players
from levolve.bridges.gymnasium.puzzle_games import FlagGame, SlidingGame
from levolve.bridges.gymnasium.sources import SourceOptions
from levolve.core.errors import UnknownNameError
from levolve.core.registry import did_you_mean
from levolve.formats.look import look_of
from levolve.formats.themes.theme import Theme
from levolve.jobs.packs.members import Item
from levolve.jobs.packs.pack import Pack
from levolve.recipes.finding import RecipeSource, Size


@dataclass(frozen=True)
class Task:
    """One registered environment: its id, the game, and the recipe or puzzle that its levels come
    from by default, with the things in them.
    """

    id: str
    game: type[Game]
    recipe: str
    things: Mapping[str, int] | None = None


TASKS = {
    "maze": Task("levolve/Maze-v0", WalkGame, "labyrinth"),
    "dungeon": Task("levolve/Dungeon-v0", WalkGame, "dungeon"),
    "crawl": Task(
        "levolve/Crawl-v0",
        CrawlGame,
        "castle",
        {"keys": 2, "doors": 2, "levers": 1, "gates": 1, "monsters": 2, "treasure": 3},
    ),
    "chromatic": Task("levolve/Chromatic-v0", WalkGame, "maze-chromatic"),
    "flag": Task("levolve/Flag-v0", FlagGame, "flag"),
    "sliding": Task("levolve/Sliding-v0", SlidingGame, "sliding"),
}


def find_task(name: str) -> Task:
    """Return the task of this name."""
    if name not in TASKS:
        message = f"unknown task {name!r}: {did_you_mean(str(name), list(TASKS))}"
        raise UnknownNameError(message)
    return TASKS[name]


NO_ONE: NDArray[np.bool_] = np.zeros(1, np.bool_)
ONLY: NDArray[np.int64] = np.zeros(1, np.int64)


class PlayEnv(gymnasium.Env[dict[str, Any], np.int64]):
    """Play levels: the player moves up, down, left or right (actions 0 to 3) or, among things, uses
    a lever or stairs (action 4), and the episode ends when the level is won.

    A move that the rules do not allow changes nothing. `info` has `action_mask` (int8, 1 for each
    legal move), `level`, the number of the level, and `won`. The return of an episode is 1 for a
    won level (a share of 1 for each stop and each thing of its goal) minus `step_cost` per step.

    Parameters
    ----------
    task
        Which game is played: "maze", "dungeon", "crawl", "chromatic", "flag" or "sliding". The
        registered ids set it.
    recipe, size, settings, target
        Levels of a recipe; see `levolve.recipes.finding.adapt`. By default, the usual recipe of the
        task. Level number k is the best level of a run with seed k.
    generations
        How long each level evolves: a number of generations, or "recipe" for those of the recipe.
        By default 0: the best of the first population.
    request
        For puzzles: fields of the request to the maker, such as `{"length": (10, 20)}`; see
        `levolve make`.
    pack
        Levels of a `Pack`, or of the folder of one, instead of a recipe.
    folder
        Levels of all files in a folder instead.
    levels, first
        Episodes draw levels with the numbers `first` to `first + levels - 1`: by default 1,000
        levels of a recipe, or all of a pack or folder. Two disjoint ranges are a training and a
        test set.
    max_steps
        An episode is truncated after this many steps. By default, 4 per cell, or more for puzzles.
    step_cost
        What every step costs; by default 1 / max_steps.
    render_mode
        "ansi" for text, "rgb_array" for pictures, "human" for a window (requires pygame), or None.
    theme, tile
        The look of levels in pictures: the name of a theme or a TOML file, and pixels per tile.

    >>> env = PlayEnv("maze", recipe="labyrinth", size=(9, 7))
    >>> observation, info = env.reset(seed=1)
    >>> observation["player"], info["action_mask"].shape
    (array([1, 1]), (4,))
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array", "human"], "render_fps": 10}  # noqa: RUF012 Gymnasium's own declaration

    def __init__(
        self,
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
        self.render_mode = read_render_mode(render_mode, self.metadata["render_modes"])
        options = SourceOptions(
            recipe, size, generations, settings, target, request, pack, folder, levels, first
        )
        self.source = options.open(chosen.recipe, chosen.game.kind, chosen.things)
        game = chosen.game(self.source, 1)
        self._players = Players(game, max_steps, step_cost, recording=True)
        self._pictures = PlayPictures(self.source, look_of(theme, tile))
        self._window = (
            Window(chosen.id, self.metadata["render_fps"]) if self.render_mode == "human" else None
        )
        self._playing = False
        self._seeded = False
        self.observation_space = game.space
        self.action_space = spaces.Discrete(len(game.moves))

    @property
    def level(self) -> Item:
        """The level or position that is played, with its solution."""
        return self.source.item(int(self._players.numbers[0]))

    @property
    def moves(self) -> str:
        """The legal moves of this episode so far."""
        return "" if self._players.moves is None else self._players.moves[0]

    @property
    def max_steps(self) -> int:
        """The steps after which an episode is truncated."""
        return self._players.most

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode. With a seed, the following episodes play the same levels as after any
        other reset with this seed.

        `options={"level": k}` plays the level with number k.
        """
        super().reset(seed=seed)
        chosen = read_options(options, ("level",))
        if seed is not None or not self._seeded:
            self._players.seed(ONLY, np.array([(self.np_random_seed or 0) % SEEDS], np.uint64))
            self._seeded = True
        self._players.begin(
            ONLY, self._players.read_levels(chosen["level"], ONLY) if "level" in chosen else None
        )
        self._playing = True
        return self._seen(self._players.look())[::4]

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Make a move."""
        if not self._playing:
            message = "step: expected reset() before the first step of an episode"
            raise ResetNeeded(message)
        seen = self._seen(self._players.step(self._players.read_actions([action]), NO_ONE))
        self._playing = not (seen[2] or seen[3])
        return seen

    def _seen(
        self, results: MoveResults
    ) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        observation = {name: values[0] for name, values in self._players.game.observe().items()}
        info = {
            "action_mask": results.masks[0],
            "level": int(self._players.numbers[0]),
            "won": bool(results.won[0]),
        }
        if self._window is not None:
            self._window.show(self._draw())
        return (
            observation,
            float(results.rewards[0]),
            bool(results.terminated[0]),
            bool(results.truncated[0]),
            info,
        )

    def _draw(self) -> NDArray[np.uint8]:
        return self._pictures.pixels(int(self._players.numbers[0]), self.moves)

    def render(self) -> Any:
        """Return a text, a picture `(height, width, 3)`, or None where a window shows it."""
        if self.render_mode is None:
            gymnasium.logger.warn(
                "render: this environment was made without a render_mode; pass one of ansi, "
                "rgb_array, human to gymnasium.make"
            )
            return None
        if self.render_mode == "ansi":
            return self._pictures.text(
                int(self._players.numbers[0]),
                self.moves,
                int(self._players.steps[0]),
                self._players.most,
            )
        if self.render_mode == "rgb_array":
            return self._draw()
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()


Steps = tuple[
    Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
]


class PlayVectorEnv(gymnasium.vector.VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """Play `num_envs` levels at once; everything else is as in `PlayEnv`, whose parameters it has.

    Player i with seed s plays as a `PlayEnv` with seed s + i, step by step. An episode that has
    ended begins anew at the next step: the action of that player is ignored, its reward is 0 (the
    autoreset mode NEXT_STEP). Every call returns arrays of its own.

    >>> envs = PlayVectorEnv(3, "sliding", size=(2, 2))
    >>> observations, infos = envs.reset(seed=1)
    >>> observations["tiles"].shape, infos["action_mask"].sum(axis=1).tolist()
    ((3, 2, 2), [2, 2, 2])
    """

    metadata: dict[str, Any] = vector_metadata()

    def __init__(
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
        options = SourceOptions(
            recipe, size, generations, settings, target, request, pack, folder, levels, first
        )
        self.source = options.open(chosen.recipe, chosen.game.kind, chosen.things)
        game = chosen.game(self.source, self.num_envs)
        self._players = Players(game, max_steps, step_cost, recording=self.render_mode is not None)
        self._pictures = PlayPictures(self.source, look_of(theme, tile))
        self._ended = np.zeros(self.num_envs, np.bool_)
        self._begun = False
        self.single_observation_space = game.space
        self.single_action_space = spaces.Discrete(len(game.moves))
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    @property
    def max_steps(self) -> int:
        """The steps after which an episode is truncated."""
        return self._players.most

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observations, dict[str, Any]]:
        """Begin an episode of all players.

        A seed s gives player i the seed s + i; a list has one seed per player, or None for players
        that go on as they are. In `options`, `level` is the number of a level, or one per player,
        and `reset_mask` `(num_envs,)` bool says which players begin.
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        chosen = read_options(options, ("level", "reset_mask"))
        mask = read_mask(chosen.get("reset_mask"), self.num_envs, begun=self._begun)
        self._players.seed(*read_seeds(seed, self.np_random_seed or 0, mask, begun=self._begun))
        self._begun = True
        which = np.flatnonzero(mask)
        self._players.begin(
            which, self._players.read_levels(chosen["level"], which) if "level" in chosen else None
        )
        self._ended = self._ended & ~mask
        results = self._players.look()
        return self._players.game.observe(), self._infos(results, mask)

    def step(self, actions: Any) -> Steps:
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
        return (
            self._players.game.observe(),
            results.rewards,
            results.terminated.copy(),
            results.truncated,
            self._infos(results),
        )

    def _infos(self, results: MoveResults, mask: NDArray[np.bool_] | None = None) -> dict[str, Any]:
        """Return the infos of all players."""
        return joined_infos(
            {
                "action_mask": results.masks,
                "level": self._players.numbers.copy(),
                "won": results.won,
            },
            mask,
        )

    def render(self) -> tuple[Any, ...] | None:
        """Return a text or a picture for each player."""
        if self.render_mode is None or self._players.moves is None:
            gymnasium.logger.warn(
                "render: this environment was made without a render_mode; pass one of ansi, "
                "rgb_array to gymnasium.make_vec"
            )
            return None
        played = zip(
            self._players.numbers.tolist(),
            self._players.moves,
            self._players.steps.tolist(),
            strict=True,
        )
        if self.render_mode == "ansi":
            return tuple(
                self._pictures.text(number, moves, steps, self._players.most)
                for number, moves, steps in played
            )
        return tuple(self._pictures.pixels(number, moves) for number, moves, _ in played)
