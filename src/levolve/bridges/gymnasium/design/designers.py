"""`Designers`: n agents that edit a level each, and their episodes. One environment has one designer, a vector environment thousands."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from levolve.bridges.gymnasium.design.drafts import Drafts
from levolve.bridges.gymnasium.design.representations import REPRESENTATIONS
from levolve.errors import InputError, UnknownNameError
from levolve.kernels.play.episodes import draw_cells
from levolve.recipes.recipe import Recipe
from levolve.registry import did_you_mean

MOST_COUNT = 255
STEPS_PER_CELL = 4


@dataclass(frozen=True)
class EditResults:
    """What a step has done, `(n,)` each."""

    rewards: NDArray[np.float64]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]


class Designers:
    """The levels, cursors, seeds, episodes and steps of n designers.

    Parameters
    ----------
    recipe
        The levels and their objective.
    count
        The number of designers.
    representation, changes, max_steps
        See `DesignEnv`.
    """

    def __init__(self, recipe: Recipe, count: int, representation: str, changes: float, max_steps: int | None) -> None:
        """Check the settings. Every designer has to begin an episode before the first step."""
        if representation not in REPRESENTATIONS:
            message = f"unknown representation {representation!r}: {did_you_mean(str(representation), list(REPRESENTATIONS))}"
            raise UnknownNameError(message)
        if isinstance(changes, bool) or not isinstance(changes, int | float) or not 0 < changes < np.inf:
            message = f"changes: expected a share above 0, such as 0.2 for a fifth of the cells, got {changes!r}"
            raise InputError(message)
        if max_steps is not None and (isinstance(max_steps, bool) or not isinstance(max_steps, int) or max_steps < 1):
            message = f"max_steps: expected a whole number from 1, got {max_steps!r}"
            raise InputError(message)
        self.drafts = Drafts(recipe, count)
        self.count, self.kinds = count, len(self.drafts.tileset.characters)
        self.edits = REPRESENTATIONS[representation](self.drafts.free, self.kinds, count)
        self.most_changes = max(1, round(changes * len(self.edits.free_cells)))
        self.max_steps = STEPS_PER_CELL * self.edits.width * self.edits.height if max_steps is None else max_steps
        self.scores = np.zeros(count)
        self.steps, self.changes = np.zeros((2, count), np.int64)
        self._changed = np.zeros((count, self.edits.width * self.edits.height), np.uint8)
        self._seeds = np.zeros(count, np.uint64)
        self._episodes = np.full(count, -1, np.int64)

    @property
    def space(self) -> spaces.Dict:
        """The space of the observations of one designer."""
        shape = (self.edits.height, self.edits.width)
        cursor = {"cursor": spaces.MultiDiscrete(np.array(shape[::-1]))} if self.edits.has_cursor else {}
        return spaces.Dict(
            {
                "tiles": spaces.Box(0, max(self.kinds - 1, 1), shape, np.uint8),
                "changed": spaces.Box(0, MOST_COUNT, shape, np.uint8),
                "left": spaces.Box(0.0, 1.0, (1,), np.float32),
                **cursor,
            }
        )

    def seed(self, which: NDArray[np.int64], seeds: NDArray[np.uint64]) -> None:
        """Set the seeds of some designers; their next episode is the first one of that seed."""
        self._seeds[which] = seeds
        self._episodes[which] = -1

    def begin(self, which: NDArray[np.int64]) -> None:
        """Begin the next episode of some designers: random tiles, and the cursor on a random cell that may change."""
        self._episodes[which] += 1
        self.drafts.begin(which, self._seeds, self._episodes)
        self.steps[which] = self.changes[which] = 0
        self._changed[which] = 0
        self.scores[which] = self.drafts.scores(which)
        if self.edits.has_cursor:
            self._jump(which)

    def _jump(self, which: NDArray[np.int64]) -> None:
        """Draw the cell of the cursor for the step of each of some designers."""
        places = np.empty(len(which), np.int64)
        draw_cells(self._seeds[which], self._episodes[which], self.steps[which], len(self.edits.free_cells), places)
        self.edits.cursors[which] = self.edits.free_cells[places]

    def read_actions(self, actions: object) -> NDArray[np.int64]:
        """Check the actions of all designers, whatever agents returned."""
        chosen = np.asarray(actions)
        if chosen.shape != (self.count,) or chosen.dtype.kind not in "iu":
            message = f"actions: expected whole numbers of shape ({self.count},), one per level, got shape {chosen.shape} of {chosen.dtype}"
            raise InputError(message)
        wrong = chosen[(chosen < 0) | (chosen >= self.edits.actions)]
        if len(wrong):
            message = f"action: expected a whole number from 0 to {self.edits.actions - 1}, got {int(wrong[0])}"
            raise InputError(message)
        return np.ascontiguousarray(chosen, np.int64)

    def step(self, actions: NDArray[np.int64], begins: NDArray[np.bool_]) -> EditResults:
        """Begin an episode where `begins` says so; elsewhere carry out the actions."""
        if begins.any():
            self.begin(np.flatnonzero(begins))
            kept = self.edits.cursors[begins]
        cells, kinds = self.edits.edits(actions)
        if begins.any():
            self.edits.cursors[begins] = kept
        acting = np.flatnonzero(~begins)
        before = self.scores.copy()
        self.steps[acting] += 1
        self._change(acting[cells[acting] >= 0], cells, kinds)
        if self.edits.jumps and len(acting):
            self._jump(acting)
        best = self.drafts.best_possible
        ended = (self.changes >= self.most_changes) | (self.scores >= (np.inf if best is None else best))
        terminated = ended & ~begins
        return EditResults(np.where(begins, 0.0, self.scores - before), terminated, ~begins & ~ended & (self.steps >= self.max_steps))

    def _change(self, which: NDArray[np.int64], cells: NDArray[np.int64], kinds: NDArray[np.int64]) -> None:
        """Change a tile of each of some levels, where it may change and does; score those that did."""
        tiles = self.drafts.cells
        which = which[self.edits.free[cells[which]] & (tiles[which, cells[which]] != kinds[which])]
        if not len(which):
            return
        tiles[which, cells[which]] = kinds[which]
        counts = self._changed[which, cells[which]]
        self._changed[which, cells[which]] = counts + (counts < MOST_COUNT)
        self.changes[which] += 1
        self.scores[which] = self.drafts.scores(which)

    def observe(self) -> dict[str, NDArray[Any]]:
        """Return the observations of all designers, arrays of their own."""
        left = (self.most_changes - self.changes) / self.most_changes
        observations: dict[str, NDArray[Any]] = {
            "tiles": self.drafts.tiles,
            "changed": self._changed.reshape(self.count, self.edits.height, self.edits.width).copy(),
            "left": left.astype(np.float32)[:, np.newaxis],
        }
        if self.edits.has_cursor:
            y, x = np.divmod(self.edits.cursors, self.edits.width)
            observations["cursor"] = np.stack((x, y), axis=1)
        return observations

    def infos(self) -> dict[str, NDArray[Any]]:
        """Return which actions are legal, the scores, and the numbers of changes."""
        return {"action_mask": self.edits.masks(self.drafts.cells), "score": self.scores.copy(), "changes": self.changes.copy()}
