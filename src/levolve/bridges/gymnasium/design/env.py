"""`DesignEnv`: an agent edits a level, and is rewarded by an objective."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray
from PIL import ImageDraw

from levolve.bridges.gymnasium.design.draft import Draft
from levolve.bridges.gymnasium.design.representations import REPRESENTATIONS
from levolve.bridges.gymnasium.options import read_options, read_render_mode
from levolve.bridges.gymnasium.pictures import MOST_SIDE, PLAYER, SIGN, marked
from levolve.bridges.gymnasium.single import SEEDS
from levolve.bridges.gymnasium.window import Window
from levolve.errors import InputError, UnknownNameError
from levolve.formats.drawing import draw_level, fitting_tile
from levolve.formats.look import look_of
from levolve.formats.themes.theme import Theme
from levolve.kernels.streams import EDIT, draw_below, open_stream
from levolve.levels.level import Level
from levolve.levels.text import picture
from levolve.recipes.adapt import RecipeSource, Size, adapt
from levolve.registry import did_you_mean

MOST_COUNT = 255
STEPS_PER_CELL = 4


class DesignEnv(gymnasium.Env[dict[str, Any], np.int64]):
    """Edit a level of random tiles; the reward of a step is the change of the objective's score.

    An episode is terminated when the score is the highest possible, or when all changes are used up; it is truncated after `max_steps`. A step that
    changes no tile has a reward of 0. An observation has the entries `tiles` `(height, width)`, kinds of the tileset; `changed`, how often each tile
    was changed; `left`, the share of changes that are left; and, except in `wide`, `cursor`, the cell (x, y) that actions refer to. `info` has
    `action_mask`, `score` and `changes`, the number of changes so far.

    Parameters
    ----------
    recipe, size, objective, target, settings
        The size, places, cells to keep, tileset and objective of the levels; see `levolve.recipes.adapt.adapt`. Genotype and strategy are not used.
    representation
        "narrow", "turtle" or "wide"; see `levolve.bridges.gymnasium.design.representations`.
    changes
        How many tiles may change, as a share of the cells that may: above 0; more than 1 allows to change tiles again.
    max_steps
        An episode is truncated after this many steps; by default 4 per cell.
    render_mode, theme, tile
        As in `PlayEnv`.

    >>> env = DesignEnv("maze", size=(8, 8), representation="wide")
    >>> observation, info = env.reset(seed=1)
    >>> observation, reward, terminated, truncated, after = env.step(int(info["action_mask"].argmax()))
    >>> reward == after["score"] - info["score"], after["changes"]
    (True, 1)
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array", "human"], "render_fps": 10}  # noqa: RUF012 Gymnasium's own declaration
    id: ClassVar[str] = "levolve/Design-v0"

    def __init__(  # noqa: PLR0913 one parameter per setting
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
        if representation not in REPRESENTATIONS:
            message = f"unknown representation {representation!r}: {did_you_mean(str(representation), list(REPRESENTATIONS))}"
            raise UnknownNameError(message)
        if isinstance(changes, bool) or not isinstance(changes, int | float) or not 0 < changes < np.inf:
            message = f"changes: expected a share above 0, such as 0.2 for a fifth of the cells, got {changes!r}"
            raise InputError(message)
        if max_steps is not None and (isinstance(max_steps, bool) or not isinstance(max_steps, int) or max_steps < 1):
            message = f"max_steps: expected a whole number from 1, got {max_steps!r}"
            raise InputError(message)
        self.render_mode = read_render_mode(render_mode, self.metadata["render_modes"])
        self._draft = Draft(adapt(recipe, size=size, objective=objective, target=target, settings=settings))
        frame, kinds = self._draft.frame, len(self._draft.tileset.characters)
        self._edits = REPRESENTATIONS[representation](self._draft.free, kinds)
        self.most_changes = max(1, round(changes * int(self._draft.free.sum())))
        self.max_steps = STEPS_PER_CELL * frame.width * frame.height if max_steps is None else max_steps
        self._look = look_of(theme, tile)
        self._window = Window(self.id, self.metadata["render_fps"]) if self.render_mode == "human" else None
        self._seed, self._episode = 0, -1
        self._seeded = self._editing = False
        self._steps = self._changes = 0
        self._score = 0.0
        self._changed = np.zeros((frame.height, frame.width), np.uint8)
        shape = (frame.height, frame.width)
        cursor = {"cursor": spaces.MultiDiscrete(np.array([frame.width, frame.height]))} if self._edits.has_cursor else {}
        self.observation_space = spaces.Dict(
            {
                "tiles": spaces.Box(0, max(kinds - 1, 1), shape, np.uint8),
                "changed": spaces.Box(0, MOST_COUNT, shape, np.uint8),
                "left": spaces.Box(0.0, 1.0, (1,), np.float32),
                **cursor,
            }
        )
        self.action_space: spaces.Discrete = spaces.Discrete(self._edits.actions)

    @property
    def level(self) -> Level:
        """The level as it is now, with a solution if it can be won."""
        return self._draft.level()

    def _draw_number(self, index: int, bound: int) -> int:
        """Draw a number below a bound, from the stream of this episode."""
        start, step = open_stream(np.uint64(self._seed), EDIT, self._episode, 0)
        return int(draw_below((np.uint64(start), np.uint64(step)), index, bound))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode with random tiles. With a seed, the following episodes are the same as after any other reset with this seed."""
        super().reset(seed=seed)
        read_options(options, ())
        if seed is not None or not self._seeded:
            self._seed, self._episode, self._seeded = (self.np_random_seed or 0) % SEEDS, -1, True
        self._episode += 1
        self._draft.begin(self._seed, self._episode)
        self._edits.begin(self._draw_number)
        self._steps = self._changes = 0
        self._changed = np.zeros_like(self._changed)
        self._score = self._draft.score()
        self._editing = True
        return self._seen()

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:  # noqa: ANN401 whatever an agent returns
        """Carry out an action."""
        if not self._editing:
            message = "step: expected reset() before the first step of an episode"
            raise ResetNeeded(message)
        if not self.action_space.contains(action):
            message = f"action: expected a whole number from 0 to {self._edits.actions - 1}, got {action!r}"
            raise InputError(message)
        before = self._score
        self._steps += 1
        edit = self._edits.edit(int(action))
        if edit is not None:
            self._apply(*edit)
        self._edits.advance(self._steps, self._draw_number)
        best = self._draft.best_possible
        terminated = self._changes >= self.most_changes or (best is not None and self._score >= best)
        truncated = not terminated and self._steps >= self.max_steps
        self._editing = not (terminated or truncated)
        observation, info = self._seen()
        return observation, self._score - before, terminated, truncated, info

    def _apply(self, cell: tuple[int, int], kind: int) -> None:
        x, y = cell
        if self._draft.free[y, x] and self._draft.tiles[y, x] != kind:
            self._draft.tiles[y, x] = kind
            self._changed[y, x] = min(int(self._changed[y, x]) + 1, MOST_COUNT)
            self._changes += 1
            self._score = self._draft.score()

    def _seen(self) -> tuple[dict[str, Any], dict[str, Any]]:
        left = (self.most_changes - self._changes) / self.most_changes
        observation: dict[str, Any] = {
            "tiles": self._draft.tiles.copy(),
            "changed": self._changed.copy(),
            "left": np.array([left], np.float32),
        }
        if self._edits.has_cursor:
            observation["cursor"] = np.array(self._edits.cursor, np.int64)
        if self._window is not None:
            self._window.show(self._draw())
        return observation, {"action_mask": self._edits.mask(self._draft.tiles), "score": self._score, "changes": self._changes}

    def _draw(self) -> NDArray[np.uint8]:
        level = self.level
        tile = self._look.tile or fitting_tile(level, MOST_SIDE, self._look.theme.own_tile)
        image = draw_level(level, tile, theme=self._look.theme)
        if self._edits.has_cursor:
            x, y = self._edits.cursor
            box = (x * tile, y * tile, (x + 1) * tile - 1, (y + 1) * tile - 1)
            ImageDraw.Draw(image).rectangle(box, outline=PLAYER, width=max(1, tile // 6))
        return np.asarray(image.convert("RGB")).copy()

    def _text(self) -> str:
        level = self.level
        rows, hidden = picture(level.tiles, level.places, level.tileset)
        if self._edits.has_cursor:
            rows = marked(rows, self._edits.cursor, SIGN)
        below = f"score {self._score:g}, {self._changes} of {self.most_changes} changes, step {self._steps} of {self.max_steps}"
        return "\n".join([*rows, *(f"{name}: {x},{y}" for name, (x, y) in hidden.items()), below, ""])

    def render(self) -> Any:  # noqa: ANN401 the type depends on the mode
        """Return a text, a picture `(height, width, 3)`, or None where a window shows it."""
        if self.render_mode is None:
            gymnasium.logger.warn("render: this environment was made without a render_mode; pass one of ansi, rgb_array, human to gymnasium.make")
            return None
        if self.render_mode == "ansi":
            return self._text()
        return self._draw() if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
