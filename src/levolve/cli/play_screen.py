"""A level in play on the terminal: what is drawn, and what the keys do."""

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from levolve.cli.keyboard import BACKSPACE, END, RESIZE, full_screen, keys
from levolve.cli.output import can_print, colours, drawn_on, terminal_text
from levolve.core.safe_text import one_line
from levolve.formats.pictures.sign_cells import (
    WALL,
    legend_lines,
    sign_cells,
    sign_lines,
    thing_signs,
)
from levolve.formats.themes.things import looks_during
from levolve.levels.floors import floor_height, floor_of, floor_rows
from levolve.levels.grid import USE
from levolve.levels.things.game import LevelGame
from levolve.levels.things.playing import STEPS, IllegalMoveError, PlayRules

MOVE_KEYS = {
    key: move
    for move, names in {"u": "up w k", "d": "down s j", "l": "left a h", "r": "right d l"}.items()
    for key in names.split()
} | {"x": USE}
WORDS = {"u": "up", "d": "down", "l": "left", "r": "right", USE: "x"}
KEYS = "arrows move  x use  u undo  H hint  space step  r restart  q quit"
SEVERAL = f"{KEYS}  n next"
# Lines that are not part of the level: its name, what the player has, what is beside, a message,
# and the keys.
OTHER_LINES = 5
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@dataclass
class Playing:
    """One level of a play.

    Attributes
    ----------
    name
        What the level is called.
    game
        The play.
    refused
        Why the last move of a script was not legal; empty if it was.
    """

    name: str
    game: LevelGame
    refused: str = ""

    @property
    def summary(self) -> str:
        """The result in one sentence."""
        game, count = self.game, len(self.game.moves)
        moves = f"{count} move{'s' if count != 1 else ''}"
        if game.won:
            fewest = game.fewest
            more = "" if fewest is None else f", {count - fewest} more than the fewest possible"
            return f"won in {moves}{', the fewest possible' if fewest == count else more}"
        if self.refused:
            return self.refused
        return f"lost: it cannot be won after {moves}" if game.lost else f"not won after {moves}"

    def to_data(self) -> dict[str, object]:
        """The result as plain data."""
        data = {"level": self.name, **self.game.to_data(), "refused": self.refused or None}
        return data | {"digest": self.game.level.digest}


@dataclass
class Screen:
    """Plays levels by keys.

    Attributes
    ----------
    playing
        The levels.
    warn
        Whether losing moves are named before and after they are made.
    out
        Where the levels are drawn.
    """

    playing: list[Playing]
    warn: bool
    out: TextIO
    at: int = 0
    message: str = ""
    legend: bool = True
    _actions: dict[str, Callable[[], None]] = field(init=False)

    def __post_init__(self) -> None:
        """Name what the keys do."""
        self._actions = {
            **dict.fromkeys(("u", BACKSPACE, "\b"), self._undo),
            "H": self._hint,
            " ": self._step,
            "r": self._restart,
            "n": lambda: self._turn(1),
            "p": lambda: self._turn(-1),
            "?": self._switch_legend,
        }

    @property
    def game(self) -> LevelGame:
        """The play of the level that is shown."""
        return self.playing[self.at].game

    def play(self) -> None:
        """Show the level, and do what the keys say until the last one."""
        with full_screen(drawn_on(self.out)):
            self._draw()
            for pressed in keys():
                for key in pressed:
                    if key in {"q", "Q", END}:
                        return
                    if key != RESIZE:
                        self._press(key)
                self._draw()

    def _press(self, key: str) -> None:
        self.message = ""
        if key in MOVE_KEYS:
            self._move(MOVE_KEYS[key])
        elif key in self._actions:
            self._actions[key]()

    def _move(self, move: str) -> None:
        was_lost = self.warn and self.game.lost
        try:
            self.game.move(move)
        except IllegalMoveError as problem:
            self.message = self._end() if self.game.won else str(problem)
            return
        if self.game.won:
            self.message = self._end()
        elif self.warn and self.game.lost and not was_lost:
            self.message = "This move loses: the level cannot be won any more. u takes it back."

    def _end(self) -> str:
        more = "" if self.at == len(self.playing) - 1 else "; n plays the next level"
        return f"You have {self.playing[self.at].summary}{more}."

    def _undo(self) -> None:
        self.message = "" if self.game.undo() else "There is no move to take back."

    def _restart(self) -> None:
        self.game.restart()

    def _next_move(self) -> str:
        """Return the next move of a shortest way to win; say why there is none."""
        if self.game.won:
            self.message = self._end()
            return ""
        way = self.game.way
        if way is None:
            self.message = (
                "The level cannot be won from here. u takes moves back, r begins again."
                if self.game.lost
                else "No hint was found."
            )
            return ""
        self.message = f"Hint: {WORDS[way[0]]}, then {len(way) - 1} more moves to win."
        return way[0]

    def _hint(self) -> None:
        self._next_move()

    def _step(self) -> None:
        move = self._next_move()
        if move:
            self.message = ""
            self._move(move)

    def _turn(self, steps: int) -> None:
        to = self.at + steps
        if 0 <= to < len(self.playing):
            self.at = to
        else:
            self.message = f"There is no {'next' if steps > 0 else 'previous'} level."

    def _switch_legend(self) -> None:
        self.legend = not self.legend

    def _draw(self) -> None:
        columns, lines = shutil.get_terminal_size()
        shown = self.lines(columns, lines)
        out = drawn_on(self.out)
        out.write("\x1b[H" + "\n".join(f"{line}\x1b[K" for line in shown) + "\x1b[J")
        out.flush()

    def lines(self, columns: int, lines: int) -> list[str]:
        """Return what is shown on a terminal of this size."""
        game, colour = self.game, bool(colours(self.out))
        level = game.level
        several = len(self.playing) > 1
        count = f" ({self.at + 1} of {len(self.playing)})" if several else ""
        name = one_line(Path(self.playing[self.at].name).name)
        title = f"{name}{count}: {goal_text(game)}"
        below = [status(game), beside(game.rules, game), self._warning() or self.message]
        key = legend_lines(
            level, looks_during(game.rules, game.moment), colour=colour, rows=shown_rows(game)
        )
        room = max(lines - OTHER_LINES, 1)
        key = key if self.legend and floor_height(level) + len(key) <= room and any(key) else []
        picture = picture_lines(game, columns, room - len(key), colour=colour)
        if not can_print(WALL, self.out):
            picture = [line.replace(WALL, "#") for line in picture]
        drawn = terminal_text("\n".join([*picture, *key]), self.out).split("\n")
        texts = [title, *drawn, *below, SEVERAL if several else KEYS]
        return [line if _COLOUR.search(line) else line[:columns] for line in texts[:lines]]

    def _warning(self) -> str:
        losing = self.game.losing_moves if self.warn and not self.message else ""
        moves = " and ".join(WORDS[move] for move in losing)
        return f"{moves[:1].upper()}{moves[1:]} {'lose' if len(losing) > 1 else 'loses'}." * bool(
            losing
        )


def picture_lines(game: LevelGame, columns: int, room: int, *, colour: bool) -> list[str]:
    """Return the floor around the player, in as many columns and lines as there are."""
    level = game.level
    x, y = game.moment.cell
    first, end = shown_rows(game)
    rows = sign_cells(level, game.rules, game.moment)[first:end]
    wide = 2 * level.width <= columns
    top, left = _first(y - first, len(rows), room), _first(x, level.width, columns)
    part = [row[left : left + columns] for row in rows[top : top + room]]
    return sign_lines(part, colour=colour, wide=wide)


def shown_rows(game: LevelGame) -> tuple[int, int]:
    """Return the first row of the floor where the player is, and the row after its last."""
    return floor_rows(game.level, floor_of(game.level, game.moment.cell))


def _first(player: int, size: int, room: int) -> int:
    """Return the first row or column that is shown, with the player near the middle."""
    return max(min(player - room // 2, size - room), 0)


def goal_text(game: LevelGame) -> str:
    """Return what has to be done."""
    level = game.level
    stops = [
        name.removeprefix("checkpoint ") if name.startswith("checkpoint") else f"the {name}"
        for name in level.goal.stops_in(level.places)[1:]
    ]
    left = game.rules.left(game.rules.start)
    collect = f"collect {left} thing{'s' if left > 1 else ''}, then " if left else ""
    return f"{collect}walk to {', '.join(stops[:-1])}{' and ' * (len(stops) > 1)}{stops[-1]}"


def status(game: LevelGame) -> str:
    """Return the moves so far, what the player has, and what is still to be done."""
    level = game.level
    floor = f"floor {floor_of(level, game.moment.cell) + 1} of {level.floors}"
    parts = [f"move {len(game.moves)}", floor * (level.floors > 1)]
    parts += [", ".join(f"{amount} {name}" for name, amount in game.holds.items())]
    left = game.rules.left(game.moment)
    parts += [f"{left} to collect"] if left else []
    stops = game.level.goal.stops_in(game.level.places)
    parts += [f"next stop {stops[game.moment.visited]}"] if len(stops) > 2 else []
    return "  ".join(part for part in parts if part)


def beside(rules: PlayRules, game: LevelGame) -> str:
    """Return in words which things are on the player's cell and beside it."""
    shown = thing_signs(game.level, looks_during(rules, game.moment))
    x, y = game.moment.cell
    found = []
    for move, (right, down) in {"": (0, 0), **STEPS}.items():
        cell = x + right, y + down
        row = rules.row_at(cell)
        if cell not in shown or (not move and row is None):
            continue
        words = shown[cell][1]
        needs = {} if row is None or not move else rules.missing(game.moment, row)
        needed = ", ".join(f"{amount} {name}" for name, amount in needs.items())
        text = f"{WORDS.get(move, 'here')}: {words}{f' (needs {needed})' if needed else ''}"
        found.append(f"{text}, x uses it" if not move and USE in rules.ways(game.moment) else text)
    return "  ".join(found)


def final_picture(game: LevelGame, *, colour: bool) -> str:
    """Return the whole level as it is now, and what the player has."""
    lines = picture_lines(game, 2 * game.level.width, game.level.height, colour=colour)
    return "\n".join([*lines, status(game)])
