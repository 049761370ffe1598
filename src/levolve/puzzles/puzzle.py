"""`Puzzle`: the protocol that every puzzle follows. It reads, solves, makes, draws, encodes and
plays positions of one kind.

Pictures of puzzles being played: frames with a caption below, as a looping GIF.
"""

import io
import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import resources
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol

from levolve.core.errors import InputError, UnknownNameError, shown
from levolve.core.events import Watch
from levolve.core.registry import Registry, did_you_mean
from levolve.core.settings import summary
from levolve.formats.format import PROGRAMS
from levolve.formats.pictures.colours import INK, PAPER, paint
from levolve.puzzles.position import (
    Solution,
    encode_text,
    position_data,
    position_text,
    read_facts,
    read_solution,
)
from levolve.puzzles.settings import ExactSettings, NoOptions, changed_settings, meanings
from levolve.puzzles.solvers import AnyPosition, PuzzleSearch
from levolve.puzzles.tile_map import MAP_FORMS, TileMap, to_level

if TYPE_CHECKING:
    from _typeshed import DataclassInstance
    from PIL import Image

    from levolve.puzzles.solvers import ExactSearch

__all__ = [
    "Drawer",
    "animate",
    "animate_moves",
    "encode_text",
    "paint",
    "position_data",
    "position_text",
    "read_facts",
    "read_solution",
]

METHODS = ("genetic", "exact")
PICTURES = ("png", "gif")


class Puzzle(ABC, Generic[AnyPosition]):
    """A kind of puzzle. One instance per puzzle is registered in `PUZZLES` under its `name`.

    An author writes the abstract methods and the file `page.js` next to the class, which plays the
    puzzle on the page of a pack; `solve`, `make`, `pack`, `check`, `show` and `convert` then know
    the puzzle. `levolve.testing.check_puzzle` checks what they rely on.

    `meaning` is one sentence, `noun` and `plural` name positions ("a round of Reach the Flag"),
    `position_help` says how one is given on the command line. `schemes` are the settings classes of
    the genetic method by name, the default first; `exact` that of exact search; `options` those of
    `read`. Settings classes are frozen dataclasses of `setting` fields. `suffixes` are the file
    forms, those that `decode` reads first; a puzzle that overrides `tile_map` has those of editors
    and engines too. When such a file was edited, exact search examines at most `loading_budget`
    positions for a new solution, which should take some seconds at most.
    """

    name: ClassVar[str]
    meaning: ClassVar[str]
    noun: ClassVar[str]
    plural: ClassVar[str]
    position_help: ClassVar[str]
    position_type: ClassVar[type[Any]]
    schemes: ClassVar[Registry[type[Any]]]
    exact: ClassVar[type[Any]] = ExactSettings
    options: ClassVar[type[Any]] = NoOptions
    suffixes: ClassVar[tuple[str, ...]] = ("json", "txt", *PICTURES)
    loading_budget: ClassVar[int] = 100_000

    @property
    @abstractmethod
    def request(self) -> "type[DataclassInstance]":
        """The class of requests to the maker, with at least the fields `size` (width, height) and
        `length` (least, most) of the solution.
        """

    @abstractmethod
    def read(self, source: object, **options: Any) -> AnyPosition:
        """A position from whatever describes one: a position, a text, data, a path. Raises
        `InputError` for anything else.
        """

    def parse(self, text: str) -> AnyPosition:
        """A position from its text or JSON form. It never opens a file, so that the text may come
        from anybody.
        """
        found = self.decode(text.encode())
        if found is None:
            raise InputError(f"position: expected {self.noun} as text or JSON, got {shown(text)}")
        return found

    @abstractmethod
    def search(
        self, position: AnyPosition, settings: Any, seed: int | None
    ) -> PuzzleSearch[AnyPosition]:
        """A genetic search for a solution, with settings of one of the `schemes`."""

    @abstractmethod
    def search_exactly(self, position: AnyPosition, settings: Any) -> Solution:
        """Solve by exact search, which proves that there is no solution where it finds none within
        its budget.
        """

    def exact_search(
        self, position: AnyPosition, settings: Any
    ) -> "ExactSearch[AnyPosition] | None":
        """The same search in pieces that can be stored and continued; None where it is over in a
        moment, or has no such form, as by default.
        """
        return None

    @abstractmethod
    def make(
        self,
        count: int = 1,
        request: Any = None,
        *,
        seed: int | None = None,
        tries: int = 4000,
        watch: Watch | None = None,
    ) -> Iterator[AnyPosition]:
        """New positions that meet a request, each with its solution and facts, no two alike.
        `watch` receives `MakerProgress` events.

        Raises `LevolveError` where `tries` candidates did not meet the request.
        """

    @abstractmethod
    def lengths(self, size: tuple[int, int]) -> tuple[int, int]:
        """The least and the largest length of solution to ask for in a pack of positions of this
        size. Raises `InputError` for an unfit size.
        """

    @abstractmethod
    def measures(self, position: AnyPosition) -> dict[str, int]:
        """Numbers about a position, `difficulty` first: a pack is ordered by it. Those of a
        position without facts are what is known without them.
        """

    @abstractmethod
    def draw(self, position: AnyPosition, moves: str = "") -> "Image.Image":
        """A picture of the position after some moves."""

    @abstractmethod
    def terminal(self, position: AnyPosition, moves: str = "", *, colour: bool = True) -> str:
        """The position after some moves, as text for the terminal, with ANSI colours or without."""

    @abstractmethod
    def decode(self, content: bytes) -> AnyPosition | None:
        """The position in a file's bytes, JSON or text; None where they hold something else. Raises
        `InputError` where it is damaged.
        """

    @abstractmethod
    def play_data(self, position: AnyPosition) -> dict[str, Any]:
        """What the page needs to play the position, plain data: `width` and `height` in cells, and
        whatever `page.js` reads.
        """

    def tile_map(self) -> "TileMap[AnyPosition] | None":
        """How tiles show a position, so that it can be written for editors and engines (see
        `MAP_FORMS`); None, as by default, if they cannot.
        """
        return None

    @property
    def forms(self) -> tuple[str, ...]:
        """All file forms: the `suffixes`, and those of editors and engines if tiles can show a
        position.
        """
        return self.suffixes if self.tile_map() is None else (*self.suffixes, *MAP_FORMS)

    def describe(self, position: AnyPosition) -> str:
        """A line that names a position."""
        return f"{self.noun}: {position.to_text().splitlines()[0]}"

    def boards(self, position: AnyPosition, moves: str) -> tuple[str, ...]:
        """The positions from the start to the end of some moves, one line of text each; none where
        a position does not fit on a line.
        """
        return ()

    def examine(self, position: AnyPosition) -> dict[str, Any]:
        """What `check` reports about a position apart from its proof, plain data: `solvable`,
        `unsolvable` (proven), and more where there is more.
        """
        solution = self.search_exactly(position, self.exact())
        return {
            "solvable": solution.solved,
            "unsolvable": solution.unsolvable,
            "fewest_moves": solution.optimal,
        }

    def explain(self, findings: Mapping[str, Any]) -> dict[str, str]:
        """What `examine` gave as lines for people: a short label and a text each."""
        shown = {
            name: value
            for name, value in findings.items()
            if name not in {"solvable", "unsolvable"} and value is not None
        }
        return {name.replace("_", " "): str(value) for name, value in shown.items()}

    def page_script(self) -> str:
        """JavaScript that sets `RULES[name]` and `PAINTERS[name]` on the page of a pack: the file
        `page.js` next to the class.
        """
        package = type(self).__module__.rpartition(".")[0]
        return (resources.files(package) / "page.js").read_text(encoding="utf-8")

    def settings(
        self,
        method: str = "genetic",
        scheme: str | None = None,
        changes: Mapping[str, object] | None = None,
    ) -> Any:
        """The settings of a method, or of one of the genetic schemes, with some values changed."""
        if method not in METHODS:
            raise InputError(
                f"unknown method {method!r}: {did_you_mean(str(method), list(METHODS))}"
            )
        if method == "exact":
            if scheme is not None:
                raise InputError(
                    "scheme: applies to the genetic method only, got the exact method and the "
                    f"scheme {scheme!r}"
                )
            return changed_settings(self.exact, changes or {}, f"the exact method of {self.name}")
        name = scheme if scheme is not None else next(iter(self.schemes))
        return changed_settings(
            self.schemes[name], changes or {}, f"the scheme {name!r} of {self.name}"
        )

    def described_settings(self) -> dict[str, dict[str, Any]]:
        """Every setting with its default and a sentence: of each scheme (`guided.population`), of
        exact search, of reading and of requests.
        """
        schemes = {name: self.schemes[name] for name in self.schemes}
        kinds = {**schemes, "exact": self.exact, "read": self.options, "make": self.request}
        what = " ".join(f"{name}: {summary(kind)}" for name, kind in schemes.items())
        return {"scheme": {"default": next(iter(schemes)), "meaning": what}} | {
            f"{owner}.{name}": {"default": default, "meaning": meaning}
            for owner, kind in kinds.items()
            for name, (default, meaning) in meanings(kind).items()
        }

    def solve(
        self,
        position: AnyPosition,
        *,
        method: str = "genetic",
        seed: int | None = None,
        watch: Watch | None = None,
        scheme: str | None = None,
        **settings: object,
    ) -> Solution:
        """Solve a position by a `scheme` of the genetic method or by exact search. Raises
        `UnsolvableError` where it is known to be in vain.
        """
        chosen = self.settings(method, scheme, settings)
        position.check_solvable()
        solution = (
            self.search_exactly(position, chosen)
            if method == "exact"
            else self.search(position, chosen, seed).solve(watch)
        )
        return (
            solution
            if solution.moves is None
            else replace(solution, boards=self.boards(position, solution.moves))
        )

    def suffix(self, text: str) -> str:
        """A file form by name, with or without a dot in front, or by the program that opens it; an
        unknown one is refused.
        """
        named = text.strip().lower().removeprefix(".")
        form = PROGRAMS.get(named, named)
        if form not in self.forms:
            raise UnknownNameError(
                f"unknown form {named!r} of {self.plural}: {did_you_mean(named, list(self.forms))}"
            )
        return form

    def encode(self, position: AnyPosition, suffix: str) -> bytes:
        """The bytes of a file: `json`, `txt` and maps hold everything, `png` shows the position,
        `gif` its solution. A wrong solution is refused.
        """
        form = self.suffix(suffix)
        if form in MAP_FORMS:
            from levolve.formats import FORMATS

            return FORMATS[form].encode(to_level(self, position))
        if position.solution is not None:
            position.check()
        if form == "json":
            return self.encode_json(position)
        if form == "txt":
            return encode_text(position).encode()
        from levolve.formats.pictures.png import commented, picture_bytes

        return (
            picture_bytes(self.draw(position), commented())
            if form == "png"
            else animate_moves(self, position)
        )

    def encode_json(self, position: AnyPosition) -> bytes:
        """The position's data as JSON."""
        return (json.dumps(position.to_data(), indent=2) + "\n").encode()


# Plug-ins may import `paint` from here.

MOST_FRAMES = 150
LINE = 24


class Drawer(Protocol):
    """What draws a position after some moves: a puzzle."""

    def draw(self, position: Any, moves: str = "") -> "Image.Image":
        """The picture."""


def animate_moves(puzzle: Drawer, position: Any) -> bytes:
    """A GIF of a position's solution being played; of the position alone where it holds none."""
    moves = position.solution or ""
    frames = [
        (f"{count} of {len(moves)} moves", puzzle.draw(position, moves[:count]))
        for count in range(len(moves) + 1)
    ]
    if moves:
        frames[-1] = (f"{len(moves)} moves: won", frames[-1][1])
    return animate(frames)


def animate(frames: "Sequence[tuple[str, Image.Image]]", milliseconds: int = 250) -> bytes:
    """A GIF of pictures with captions; the last one is shown for two seconds."""
    step = -(-len(frames) // MOST_FRAMES)
    pictures = [_captioned(*frame).quantize(64) for frame in [*frames[:-1:step], frames[-1]]]
    buffer = io.BytesIO()
    durations = [milliseconds] * (len(pictures) - 1) + [2000]
    pictures[0].save(
        buffer,
        "GIF",
        save_all=True,
        append_images=pictures[1:],
        duration=durations,
        loop=0,
        disposal=2,
    )
    return buffer.getvalue()


def _captioned(caption: str, drawn: "Image.Image") -> "Image.Image":
    from PIL import Image, ImageDraw

    from levolve.formats.pictures.marks import font

    picture = Image.new("RGB", (max(drawn.width, 150), drawn.height + LINE), PAPER)
    picture.paste(drawn, ((picture.width - drawn.width) // 2, 0))
    ImageDraw.Draw(picture).text(
        (6, drawn.height + LINE // 2), caption, fill=INK, font=font(13), anchor="lm"
    )
    return picture
