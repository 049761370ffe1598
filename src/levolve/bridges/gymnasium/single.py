"""`PlayEnv`: one player on levels of a recipe, a pack or a folder."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from levolve.bridges.gymnasium.games.game import MoveResults
from levolve.bridges.gymnasium.options import SEEDS, read_options, read_render_mode
from levolve.bridges.gymnasium.pictures import PlayPictures
from levolve.bridges.gymnasium.players import Players
from levolve.bridges.gymnasium.sources import SourceOptions
from levolve.bridges.gymnasium.tasks import find_task
from levolve.bridges.gymnasium.window import Window
from levolve.formats.look import look_of
from levolve.formats.themes.theme import Theme
from levolve.levels.grid import MOVES
from levolve.packs.members import Item
from levolve.packs.pack import Pack
from levolve.recipes.adapt import RecipeSource, Size

NO_ONE: NDArray[np.bool_] = np.zeros(1, np.bool_)
ONLY: NDArray[np.int64] = np.zeros(1, np.int64)


class PlayEnv(gymnasium.Env[dict[str, Any], np.int64]):
    """Play levels: the player moves up, down, left or right (actions 0 to 3), and the episode ends when the level is won.

    A move that the rules do not allow changes nothing. `info` has `action_mask` (int8, 1 for each legal move), `level`, the number of the level, and
    `won`. The return of an episode is 1 for a won level (a share of 1 for each stop of its goal) minus `step_cost` for each step.

    Parameters
    ----------
    task
        Which game is played: "maze", "dungeon", "chromatic", "flag" or "sliding". The registered ids set it.
    recipe, size, settings, target
        Levels of a recipe; see `levolve.recipes.adapt.adapt`. By default, the usual recipe of the task. Level number k is the best level of a run
        with seed k.
    generations
        How long each level evolves: a number of generations, or "recipe" for those of the recipe. By default 0: the best of the first population.
    request
        For puzzles: fields of the request to the maker, such as `{"length": (10, 20)}`; see `levolve make`.
    pack
        Levels of a `Pack`, or of the folder of one, instead of a recipe.
    folder
        Levels of all files in a folder instead.
    levels, first
        Episodes draw levels with the numbers `first` to `first + levels - 1`: by default 1,000 levels of a recipe, or all of a pack or folder. Two
        disjoint ranges are a training and a test set.
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

    def __init__(  # noqa: PLR0913 one parameter per setting
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
        options = SourceOptions(recipe, size, generations, settings, target, request, pack, folder, levels, first)
        self.source = options.open(chosen.recipe, chosen.game.kind)
        game = chosen.game(self.source, 1)
        self._players = Players(game, max_steps, step_cost, recording=True)
        self._pictures = PlayPictures(self.source, look_of(theme, tile))
        self._window = Window(chosen.id, self.metadata["render_fps"]) if self.render_mode == "human" else None
        self._playing = False
        self._seeded = False
        self.observation_space = game.space
        self.action_space = spaces.Discrete(len(MOVES))

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

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode. With a seed, the following episodes play the same levels as after any other reset with this seed.

        `options={"level": k}` plays the level with number k.
        """
        super().reset(seed=seed)
        chosen = read_options(options, ("level",))
        if seed is not None or not self._seeded:
            self._players.seed(ONLY, np.array([(self.np_random_seed or 0) % SEEDS], np.uint64))
            self._seeded = True
        self._players.begin(ONLY, self._players.read_levels(chosen["level"], ONLY) if "level" in chosen else None)
        self._playing = True
        return self._seen(self._players.look())[::4]

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:  # noqa: ANN401 whatever an agent returns
        """Make a move."""
        if not self._playing:
            message = "step: expected reset() before the first step of an episode"
            raise ResetNeeded(message)
        seen = self._seen(self._players.step(self._players.read_actions([action]), NO_ONE))
        self._playing = not (seen[2] or seen[3])
        return seen

    def _seen(self, results: MoveResults) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        observation = {name: values[0] for name, values in self._players.game.observe().items()}
        info = {"action_mask": results.masks[0], "level": int(self._players.numbers[0]), "won": bool(results.won[0])}
        if self._window is not None:
            self._window.show(self._draw())
        return observation, float(results.rewards[0]), bool(results.terminated[0]), bool(results.truncated[0]), info

    def _draw(self) -> NDArray[np.uint8]:
        return self._pictures.pixels(int(self._players.numbers[0]), self.moves)

    def render(self) -> Any:  # noqa: ANN401 the type depends on the mode
        """Return a text, a picture `(height, width, 3)`, or None where a window shows it."""
        if self.render_mode is None:
            gymnasium.logger.warn("render: this environment was made without a render_mode; pass one of ansi, rgb_array, human to gymnasium.make")
            return None
        if self.render_mode == "ansi":
            return self._pictures.text(int(self._players.numbers[0]), self.moves, int(self._players.steps[0]), self._players.most)
        if self.render_mode == "rgb_array":
            return self._draw()
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
