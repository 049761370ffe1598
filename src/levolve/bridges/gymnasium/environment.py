"""Arguments and pictures that all environments have in common; `Window` shows pictures on the
screen with pygame, as Gymnasium's own environments do.

What all vector environments share: how many there are, which of them begin an episode, with which
seeds, and how infos are joined.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from itertools import pairwise
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import DependencyNotInstalled
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from levolve.bridges.gymnasium.designers import Designers
from levolve.bridges.gymnasium.sources import LevelSource
from levolve.core.errors import InputError
from levolve.core.registry import did_you_mean
from levolve.formats.look import Look
from levolve.formats.pictures.colours import PAPER
from levolve.formats.pictures.drawing import (
    draw_level,
    draw_things,
    fitting_tile,
    path_colours,
)
from levolve.formats.pictures.marks import draw_disc
from levolve.formats.pictures.sign_cells import WALL, sign_cells, sign_lines
from levolve.formats.pictures.walk_lines import path_cells
from levolve.formats.themes.things import looks_during
from levolve.jobs.packs.members import Item
from levolve.levels.level import Level
from levolve.levels.places import Place
from levolve.levels.text_form import picture
from levolve.levels.things.playing import PlayRules, hidden_cells
from levolve.levels.tileset import Colour
from levolve.puzzles.load_save import puzzle_of

# Seeds of players are 64 bits.
SEEDS = 1 << 64


def read_render_mode(mode: str | None, known: Sequence[str]) -> str | None:
    """Check a render mode."""
    if mode is not None and mode not in known:
        message = f"unknown render_mode {mode!r}: {did_you_mean(str(mode), list(known))}"
        raise InputError(message)
    return mode


def read_options(options: Mapping[str, Any] | None, known: Sequence[str]) -> Mapping[str, Any]:
    """Check the names of the options of `reset`."""
    for name in options or {}:
        if name not in known:
            message = f"reset: unknown option {name!r}: {did_you_mean(str(name), list(known))}"
            raise InputError(message)
    return options or {}


def vector_metadata() -> dict[str, Any]:
    """Return the metadata. Gymnasium 1.0 always resets at the next step, and has no name for it."""
    modes = getattr(gymnasium.vector, "AutoresetMode", None)
    return {
        "render_modes": ["ansi", "rgb_array"],
        "render_fps": 10,
        **({} if modes is None else {"autoreset_mode": modes.NEXT_STEP}),
    }


def read_count(num_envs: object) -> int:
    """Check the number of environments."""
    if isinstance(num_envs, bool) or not isinstance(num_envs, int | np.integer) or num_envs < 1:
        message = f"num_envs: expected a whole number from 1, got {num_envs!r}"
        raise InputError(message)
    return int(num_envs)


def read_mask(mask: object, count: int, *, begun: bool) -> NDArray[np.bool_]:
    """Return which players begin, `(count,)`; None means all. At the first reset, all of them have
    to.
    """
    if mask is None:
        return np.ones(count, np.bool_)
    if (
        not isinstance(mask, np.ndarray)
        or mask.shape != (count,)
        or mask.dtype != np.bool_
        or not mask.any()
    ):
        message = (
            f"options: reset_mask: expected an array of {count} booleans, at least one of them "
            f"true, got {mask!r}"
        )
        raise InputError(message)
    if not begun and not mask.all():
        message = "options: reset_mask: expected all players at the first reset"
        raise InputError(message)
    return mask


def read_seeds(
    seed: int | Sequence[int | None] | None, other: int, mask: NDArray[np.bool_], *, begun: bool
) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Return which of the players that begin get a seed, and these seeds: a seed s gives player i
    the seed s + i.

    At the first reset all players get one; those without one of their own count up from `other`.
    """
    count = len(mask)
    if seed is None or isinstance(seed, int):
        seeds: list[int | None] = [None] * count
        if seed is not None or not begun:
            seeds = [(other + player) % SEEDS for player in range(count)]
    else:
        seeds = [None if one is None else int(one) % SEEDS for one in seed]
        if not begun:
            seeds = [
                (other + player) % SEEDS if one is None else one for player, one in enumerate(seeds)
            ]
    if len(seeds) != count:
        message = f"seed: expected one seed, or {count}, one per player, got {len(seeds)}"
        raise InputError(message)
    seeded = [player for player, one in enumerate(seeds) if one is not None and mask[player]]
    return np.array(seeded, np.int64), np.array([seeds[player] for player in seeded], np.uint64)


def joined_infos(
    values: Mapping[str, NDArray[Any]], mask: NDArray[np.bool_] | None = None
) -> dict[str, Any]:
    """Return infos as Gymnasium joins those of single environments: for each name, an array, and
    which players have it.
    """
    infos: dict[str, Any] = {}
    for name, numbers in values.items():
        infos[name] = numbers
        infos[f"_{name}"] = np.ones(len(numbers), np.bool_) if mask is None else mask.copy()
    return infos


PLAYER: Colour = (46, 104, 164)
SIGN = "@"
# The longer side of a picture, in pixels, unless a tile size is given.
MOST_SIDE = 640

Pixels = NDArray[np.uint8]


class PlayPictures:
    """Draws the levels of a source in play. All pictures have the size of the largest level."""

    def __init__(self, source: LevelSource, look: Look) -> None:
        """Set the look, which is that of levels; puzzles have one look."""
        self._source = source
        self._look = look
        self._ground: tuple[int, Image.Image] | None = None

    def pixels(self, number: int, moves: str) -> Pixels:
        """Return the picture of a level after some legal moves, `(height, width, 3)` uint8."""
        item = self._source.item(number)
        drawn = (
            self._level(number, item, moves)
            if isinstance(item, Level)
            else puzzle_of(item).draw(item, moves)
        )
        columns, rows = self._source.size
        width, height = drawn.width // item.width * columns, drawn.height // item.height * rows  # type: ignore[union-attr] # rounds and boards have a size
        if drawn.size != (width, height):
            canvas = Image.new("RGB", (width, height), PAPER)
            canvas.paste(drawn, (0, 0))
            drawn = canvas
        return np.asarray(drawn.convert("RGB")).copy()

    def _level(self, number: int, level: Level, moves: str) -> Image.Image:
        tile = self._look.tile or fitting_tile(level, MOST_SIDE, self._look.theme.own_tile)
        if self._ground is None or self._ground[0] != number:
            hidden = set(hidden_cells(level))
            ground = level.with_things([thing for thing in level.things if thing.cell in hidden])
            self._ground = number, draw_level(ground, tile, path=False, theme=self._look.theme)
        image = self._ground[1].copy()
        if level.things:
            play = PlayRules(level)
            looks = looks_during(play, play.played(moves)[-1])
            draw_things(image, level, tile, self._look.theme, looks)
        pen = ImageDraw.Draw(image)
        cells = walked_cells(level, moves)
        colour, edge = path_colours(level.tileset, self._look.theme)
        for share, fill in ((4, edge), (6, colour)):
            for ends in pairwise(cells) if fill is not None else ():
                pen.line(
                    [((x + 0.5) * tile, (y + 0.5) * tile) for x, y in ends],
                    fill=fill,
                    width=max(1, tile // share),
                )
        draw_disc(image, cells[-1], tile, PLAYER, share=0.8)
        return image

    def text(self, number: int, moves: str, steps: int, most: int) -> str:
        """Return a level after some legal moves as text, with `@` for the player, and a line with
        the level's number and the steps.
        """
        item = self._source.item(number)
        below = f"level {number}, step {steps} of {most}"
        return f"{_text_of(item, moves)}\n{below}\n"


def _text_of(item: Item, moves: str) -> str:
    if not isinstance(item, Level):
        return puzzle_of(item).terminal(item, moves, colour=False)
    if item.things:
        play = PlayRules(item)
        signs = sign_cells(item, play, play.played(moves)[-1])
        lines = sign_lines(signs, colour=False, wide=False)
        return "\n".join(line.replace(WALL, "#").replace(" ", ".") for line in lines)
    rows, hidden = picture(item.tiles, item.places, item.tileset)
    return "\n".join(
        [
            *marked(rows, walked_cells(item, moves)[-1], SIGN),
            *(f"{name}: {x},{y}" for name, (x, y) in hidden.items()),
        ]
    )


def walked_cells(level: Level, moves: str) -> list[Place]:
    """Return the cells that legal moves lead over, the start included."""
    return list(path_cells(level.with_solution(moves)))


def marked(rows: list[str], cell: Place, sign: str) -> list[str]:
    """Return rows of characters with another one at a cell."""
    x, y = cell
    return [
        f"{row[:x]}{sign}{row[x + 1 :]}" if number == y else row for number, row in enumerate(rows)
    ]


class DesignPictures:
    """The levels of some designers as texts and pictures."""

    def __init__(self, designers: Designers, look: Look) -> None:
        """Set whose levels are drawn, and how."""
        self._designers, self._look = designers, look

    def _cursor(self, which: int) -> Place:
        y, x = divmod(int(self._designers.edits.cursors[which]), self._designers.edits.width)
        return x, y

    def pixels(self, which: int) -> NDArray[np.uint8]:
        """Return a picture of a level, `(height, width, 3)`."""
        level = self._designers.drafts.level(which)
        tile = self._look.tile or fitting_tile(level, MOST_SIDE, self._look.theme.own_tile)
        image = draw_level(level, tile, theme=self._look.theme)
        if self._designers.edits.has_cursor:
            x, y = self._cursor(which)
            box = (x * tile, y * tile, (x + 1) * tile - 1, (y + 1) * tile - 1)
            ImageDraw.Draw(image).rectangle(box, outline=PLAYER, width=max(1, tile // 6))
        return np.asarray(image.convert("RGB")).copy()

    def text(self, which: int) -> str:
        """Return a level as text, with a line about the episode below."""
        one = self._designers
        level = one.drafts.level(which)
        rows, hidden = picture(level.tiles, level.places, level.tileset)
        if one.edits.has_cursor:
            rows = marked(rows, self._cursor(which), SIGN)
        changes = f"{one.changes[which]} of {one.most_changes} changes"
        below = (
            f"score {one.scores[which]:g}, {changes}, step {one.steps[which]} of {one.max_steps}"
        )
        return "\n".join(
            [*rows, *(f"{name}: {x},{y}" for name, (x, y) in hidden.items()), below, ""]
        )


class Window:
    """A window that is opened by the first picture. A later picture of another size changes the
    window's size.
    """

    def __init__(self, title: str, frames_per_second: int) -> None:
        """Import pygame; raise `DependencyNotInstalled` where it is missing."""
        try:
            self._pygame: Any = import_module("pygame")
        except ImportError as problem:
            message = (
                "render_mode 'human': requires pygame, which is not installed; run: pip install "
                "pygame"
            )
            raise DependencyNotInstalled(message) from problem
        self._title, self._rate = title, frames_per_second
        self._screen: Any = None
        self._clock: Any = None

    def show(self, pixels: NDArray[np.uint8]) -> None:
        """Show a `(height, width, 3)` picture, and wait until the next one is due."""
        pygame = self._pygame
        size = (pixels.shape[1], pixels.shape[0])
        if self._screen is None or self._screen.get_size() != size:
            pygame.display.init()
            self._screen = pygame.display.set_mode(size)
            pygame.display.set_caption(self._title)
            self._clock = self._clock or pygame.time.Clock()
        self._screen.blit(pygame.surfarray.make_surface(pixels.transpose(1, 0, 2)), (0, 0))
        pygame.event.pump()
        pygame.display.flip()
        self._clock.tick(self._rate)

    def close(self) -> None:
        """Close the window; closing again does nothing."""
        if self._screen is not None:
            self._pygame.display.quit()
            self._screen = None
