"""A breeding session on the terminal: `Desk` reads commands and shows sheets."""

import shutil
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from levolve.cli.output import level_drawing
from levolve.core.errors import InputError, LevolveError
from levolve.core.safe_text import one_line

if TYPE_CHECKING:
    from levolve.formats.look import Look
    from levolve.jobs.breeding.session import Session
    from levolve.levels.level import Level

# Lines of the terminal that a page of levels leaves free: what the sheet is, and the prompt.
FREE_LINES = 2
WORDS = ("love", "like", "never", "none")
HELP = """\
  3 5             like levels 3 and 5: parents of the next sheet
  love 3          a parent that also returns on the next sheet
  never 2         no parent;  none 2 takes a pick back
  next            breed the next sheet
  cross 3 5       breed the next sheet from levels 3 and 5 alone
  more 3          breed levels in the style of level 3
  auto 10         evolve 10 generations, then show a sheet
  undo, redo      go back by one command, and forward again
  tree, go 4      list all sheets;  return to sheet 4
  wild 0.3        how much children differ from their parents, 0 to 1
  blend 0.5       weight of the objective relative to the picks, 0 to 1
  paint 3 wall 2,4 5,6..8,6    change cells of level 3 by hand
  lock 3 2,4 5,6  keep cells x,y as in level 3, from the next sheet on;
                  2,4..5,6 is a rectangle;  without a number: the best pick
  unlock 2,4      let cells vary again;  without cells: all of them
  show 3          one level with its solution;  without a number: the sheet
  save FILE       the whole session as JSON, for --session
  export 3 FILE   level 3 in any format (see 'levolve parts formats')
  quit            end;  an empty line shows the next page of the sheet"""


class Desk:
    """A session at a terminal: reads commands line by line, and shows the sheet after those that
    change it.
    """

    def __init__(
        self,
        session: "Session",
        look: "Look",
        out: TextIO,
        *,
        silent: bool,
        keep: Callable[[], None] = lambda: None,
    ) -> None:
        """Show everything on `out`, or nothing if `silent`; exported levels have this look. `keep`
        is called after each command.
        """
        self._keep = keep
        self.session = session
        self.look = look
        self.page = 0
        self._out = out
        self._silent = silent
        self._prompts = sys.stdin.isatty() and not silent
        self._commands: dict[str, Callable[[list[str]], None]] = {
            **{word: lambda words, word=word: self.pick(word, words) for word in WORDS},  # type: ignore[misc]
            **dict.fromkeys(("next", "n"), self.breed_next),
            "cross": self.cross,
            "more": self.more,
            "auto": self.advance,
            "tree": self.tree,
            "go": self.go,
            "paint": self.paint,
            **{name: lambda words, name=name: self.move(name, words) for name in ("undo", "redo")},  # type: ignore[misc]
            **{
                name: lambda words, name=name: self.adjust(name, words)  # type: ignore[misc]
                for name in ("wild", "blend")
            },
            "lock": self.lock,
            "unlock": self.unlock,
            "show": self.show,
            "save": self.save,
            "export": self.export,
            "help": lambda _: self.say(HELP),
        }

    def work(self) -> None:
        """Carry out commands until `quit` or the end of the input."""
        self.show_sheet()
        self._keep()
        while True:
            if self._prompts:
                self._out.write("> ")
                self._out.flush()
            line = sys.stdin.readline()
            if not line:
                if self._prompts:
                    self.say("")
                return
            words = line.split()
            if words and words[0].lower() in {"quit", "q", "exit"}:
                return
            try:
                self.carry_out(words)
                self._keep()
            except LevolveError as problem:
                self.say(f"levolve: {one_line(problem)}")

    def carry_out(self, words: list[str]) -> None:
        """One command."""
        if not words:
            self.page += 1
            self.show_sheet()
        elif words[0].isdigit():
            self.pick("like", words)
        elif words[0].lower() in self._commands:
            self._commands[words[0].lower()](words[1:])
        else:
            from levolve.core.registry import did_you_mean

            raise InputError(
                f"unknown command {words[0]!r}: {did_you_mean(words[0], list(self._commands))}; "
                "'help' explains them"
            )

    def say(self, text: str) -> None:
        """Some lines for the person at the terminal."""
        if not self._silent:
            print(text, file=self._out, flush=True)

    def show_sheet(self) -> None:
        """One page of the sheet, or all of it where no terminal limits it."""
        if self._silent:
            return
        from levolve.formats.pictures.terminal import sheet_pages

        session, levels = self.session, self.session.levels
        width, height = shutil.get_terminal_size()
        captions = [
            f"{number} {session.picks.get(number - 1, '')}".rstrip()
            for number in range(1, len(levels) + 1)
        ]
        draw = level_drawing(self._out)
        lines = height - FREE_LINES if self._out.isatty() else None
        # Without their solutions: a path covers what a level looks like.
        pages = sheet_pages(
            [level.with_solution(None) for level in levels], captions, draw, width, lines
        )
        self.page %= len(pages)
        page = f", page {self.page + 1} of {len(pages)}" if len(pages) > 1 else ""
        self.print_picture(pages[self.page])
        first = levels[0]
        self.say(
            f"{one_line(session.recipe.name)} {first.width}x{first.height}, seed "
            f"{session.seed}, sheet {session.number}{page}; {self.status()}"
        )

    def print_picture(self, picture: str) -> None:
        """A picture in as many colours as the terminal has."""
        from levolve.cli.terminal import console, picture_text

        if self._silent:
            return
        console(self._out, soft_wrap=True).print(picture_text(picture))

    def status(self) -> str:
        """The settings of the next sheet, in a few words."""
        session = self.session
        parts = [f"wild {session.wildness:g}"]
        parts += [f"blend {session.blend:g}"] * (session.blend > 0) + [
            f"{len(session.locked)} locked"
        ] * bool(session.locked)
        return ", ".join([*parts, "help for help"])

    def number(self, word: str) -> int:
        """The place of a level by its number on the sheet, which counts from 1."""
        most = len(self.session.levels)
        if not word.isdecimal() or not 1 <= int(word) <= most:
            raise InputError(f"expected the number of a level, from 1 to {most}, got {word!r}")
        return int(word) - 1

    def pick(self, word: str, numbers: list[str]) -> None:
        """`love 3 5`."""
        if not numbers:
            raise InputError(f"{word}: expected the numbers of levels after it, such as '{word} 3'")
        self.session.pick({self.number(number): word for number in numbers})
        picks = [f"{place + 1} {pick}" for place, pick in self.session.picks.items()]
        self.say(f"picks: {', '.join(picks) or 'none'}")

    def breed_next(self, words: list[str]) -> None:
        """`next`."""
        _expect("next", words, 0)
        self.session.next()
        self.show_new_sheet()

    def cross(self, words: list[str]) -> None:
        """`cross 3 5`."""
        _expect("cross", words, 2, "the numbers of two levels")
        self.session.cross(self.number(words[0]), self.number(words[1]))
        self.show_new_sheet()

    def more(self, words: list[str]) -> None:
        """`more 3`."""
        _expect("more", words, 1, "the number of a level")
        self.session.more_like(self.number(words[0]))
        self.show_new_sheet()

    def advance(self, words: list[str]) -> None:
        """`auto 10`."""
        _expect("auto", words, 1, "a number of generations")
        self.session.advance(int(words[0]) if words[0].isdecimal() else words[0])  # type: ignore[arg-type] # refused with a sentence
        self.show_new_sheet()

    def go(self, words: list[str]) -> None:
        """`go 4`."""
        _expect("go", words, 1, "the number of a sheet")
        self.session.go(int(words[0]) if words[0].isdecimal() else words[0])  # type: ignore[arg-type] # refused with a sentence
        self.show_new_sheet()

    def tree(self, words: list[str]) -> None:
        """`tree`: one line per sheet, the newest ones last, as many as fit."""
        _expect("tree", words, 0)
        sheets = self.session.tree
        most = (
            max(shutil.get_terminal_size().lines - FREE_LINES, 1)
            if self._out.isatty()
            else len(sheets)
        )
        for sheet in sheets[-most:]:
            origin = (
                "the first"
                if sheet.parent is None
                else f"from {sheet.parent} by {sheet.action.kind if sheet.action else ''}"
            )
            here = "  (this one)" if sheet.number == self.session.number else ""
            self.say(f"sheet {sheet.number}: {origin}, generation {sheet.generation}{here}")

    def paint(self, words: list[str]) -> None:
        """`paint 3 wall 2,4 5,6..8,6`."""
        if len(words) < len(("level", "tile", "cell")):
            raise InputError(
                "paint: expected the number of a level, a tile and cells after it, such as "
                f"'paint 3 wall 2,4', got {' '.join(words) or 'nothing'}"
            )
        self.session.paint(self.number(words[0]), words[2:], words[1])
        self.show_sheet()

    def show_new_sheet(self) -> None:
        """The first page of a sheet that was not shown before."""
        self.page = 0
        self.show_sheet()

    def move(self, name: str, words: list[str]) -> None:
        """`undo` and `redo`."""
        _expect(name, words, 0)
        self.session.undo() if name == "undo" else self.session.redo()
        self.show_sheet()

    def adjust(self, name: str, words: list[str]) -> None:
        """`wild 0.3` and `blend 0.5`."""
        _expect(name, words, 1, "a number from 0 to 1")
        try:
            value = float(words[0])
        except ValueError:
            raise InputError(f"{name}: expected a number from 0 to 1, got {words[0]!r}") from None
        setattr(self.session, {"wild": "wildness"}.get(name, name), value)
        self.say(self.status())

    def lock(self, words: list[str]) -> None:
        """`lock 3 2,4 5,6`."""
        place = self.number(words[0]) if words and words[0].isdecimal() else None
        self.session.lock(words[place is not None :], place)
        self.say(self.status())

    def unlock(self, words: list[str]) -> None:
        """`unlock 2,4`, or `unlock` for all cells."""
        self.session.unlock(words or None)
        self.say(self.status())

    def show(self, words: list[str]) -> None:
        """`show 3`, or `show` for the sheet."""
        if not words:
            self.show_sheet()
            return
        _expect("show", words, 1, "the number of a level")
        level: Level = self.session.levels[self.number(words[0])]
        self.print_picture(level_drawing(self._out)(level))
        self.say(
            f"level {words[0]}: {level.width}x{level.height}, solution of "
            f"{len(level.solution or '')} moves, digest {level.digest[:12]}"
        )

    def save(self, words: list[str]) -> None:
        """`save FILE`."""
        _expect("save", words, 1, "a file name")
        self.say(f"written: {self.session.save(words[0])}")

    def export(self, words: list[str]) -> None:
        """`export 3 FILE`."""
        from levolve.formats.level_files import save_level

        _expect("export", words, 2, "the number of a level and a file name")
        self.say(
            "written: "
            f"{save_level(self.session.levels[self.number(words[0])], words[1], self.look)}"
        )


def _expect(command: str, words: list[str], count: int, what: str = "nothing") -> None:
    if len(words) != count:
        raise InputError(f"{command}: expected {what} after it, got {' '.join(words) or 'nothing'}")
