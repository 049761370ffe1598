"""The sliding puzzle as one of the puzzles."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from levolve.core.errors import InputError
from levolve.core.events import Watch
from levolve.core.registry import Registry
from levolve.puzzles.position import Solution
from levolve.puzzles.puzzle import Puzzle
from levolve.puzzles.sliding import files
from levolve.puzzles.sliding.rules import NINE, Board, parse_size
from levolve.puzzles.sliding.settings import (
    BoardOptions,
    EnhancedSettings,
    SlidingExactSettings,
    SourcePathSettings,
)
from levolve.puzzles.solvers import PuzzleSearch
from levolve.puzzles.tile_map import MAP_FORMS

if TYPE_CHECKING:
    from PIL import Image

    from levolve.puzzles.sliding.exact import SlidingDeepening
    from levolve.puzzles.sliding.maker import SlidingRequest
    from levolve.puzzles.tile_map import TileMap

# Kernels, makers and pictures are imported where they are used: reading a file loads none of them.
SETTINGS = "levolve.puzzles.sliding.settings"
# The forms that hold a board.
FILES = ("json", "txt", *MAP_FORMS)


class Sliding(Puzzle[Board]):
    """Numbered tiles and a blank in a frame."""

    name = "sliding"
    meaning = "bring the tiles into order by sliding them into the blank"
    noun, plural = "a board of the sliding puzzle", "boards of the sliding puzzle"
    position_help = "a board such as 8672543_1 or 123456708, numbers with commas, or a file"
    position_type = Board
    schemes = Registry(
        "scheme",
        {"enhanced": f"{SETTINGS}:EnhancedSettings", "source": f"{SETTINGS}:SourcePathSettings"},
    )
    exact = SlidingExactSettings
    options = BoardOptions
    # About two seconds.
    loading_budget = 10_000_000

    @property
    def request(self) -> "type[SlidingRequest]":
        """The class of requests to the maker."""
        from levolve.puzzles.sliding.maker import SlidingRequest

        return SlidingRequest

    def read(  # type: ignore[override] # its own options
        self, source: object, goal: object = None, size: tuple[int, int] | str | None = None
    ) -> Board:
        """A board as `Board.read` takes it, or from a file's path."""
        if isinstance(source, Path) or (
            isinstance(source, str) and Path(source).suffix.lower().removeprefix(".") in FILES
        ):
            from levolve.puzzles.load_save import read_position

            found = read_position(self, Path(source))
            if size is not None and parse_size(size) != (found.width, found.height):
                raise InputError(
                    f"size: expected {found.width}x{found.height} like the board in {source}, "
                    f"got {size!r}"
                )
            return Board.read(found, goal)
        return Board.read(source, goal, size)

    def parse(self, text: str) -> Board:
        """A board from its text or JSON form."""
        return self.decode(text.encode()) or Board.read(text)

    def search(
        self, position: Board, settings: EnhancedSettings | SourcePathSettings, seed: int | None
    ) -> PuzzleSearch[Board]:
        """A population of paths."""
        from levolve.puzzles.sliding.genetic import SlidingSearch

        return SlidingSearch(
            position,
            settings.enhanced() if isinstance(settings, SourcePathSettings) else settings,
            seed,
        )

    def search_exactly(self, position: Board, settings: SlidingExactSettings) -> Solution:
        """The shortest solution."""
        from levolve.puzzles.sliding import exact

        return exact.solve(position, budget=settings.budget)

    def exact_search(
        self, position: Board, settings: SlidingExactSettings
    ) -> "SlidingDeepening | None":
        """Iterative deepening in pieces; None for small boards, which a table solves."""
        from levolve.puzzles.sliding import exact

        return None if position.cells <= NINE else exact.SlidingDeepening(position, settings.budget)

    def make(
        self,
        count: int = 1,
        request: "SlidingRequest | None" = None,
        *,
        seed: int | None = None,
        tries: int = 4000,
        watch: Watch | None = None,
        rated: bool = True,
    ) -> Iterator[Board]:
        """New boards that meet a request."""
        from levolve.puzzles.sliding import maker

        return maker.make(count, request, seed=seed, tries=tries, watch=watch, rated=rated)

    def lengths(self, size: tuple[int, int]) -> tuple[int, int]:
        """From one move to nearly the most that a board of this size needs."""
        from levolve.puzzles.sliding import exact

        width, height = parse_size(size)
        if width * height > NINE:
            return 8, 30
        # The very farthest boards are so few that they are hardly ever met.
        return 1, max(exact.farthest(width, height, width * height - 1) - 3, 2)

    def measures(self, position: Board) -> dict[str, int]:
        """The effort of a solver: the moves of the solution, and the generations that evolution
        needs, where they are known.
        """
        length = len(position.solution or "")
        known = (
            {"generations": int(float(str(position.facts["generations"])))}
            if "generations" in position.facts
            else {}
        )
        return {"difficulty": length + known.get("generations", 0), "length": length, **known}

    def draw(self, position: Board, moves: str = "") -> "Image.Image":
        """The tiles; those at home are green."""
        from levolve.puzzles.sliding import pictures

        return pictures.draw(position.after(moves))

    def terminal(self, position: Board, moves: str = "", *, colour: bool = True) -> str:
        """Four characters per tile."""
        from levolve.puzzles.sliding import pictures

        return pictures.terminal(position.after(moves), colour=colour)

    def decode(self, content: bytes) -> Board | None:
        """The board in a file's bytes."""
        return files.decode(content)

    def tile_map(self) -> "TileMap[Board]":
        """A kind of tile per number."""
        from levolve.puzzles.sliding.pictures import MAP

        return MAP

    def play_data(self, position: Board) -> dict[str, Any]:
        """The tiles and the goal."""
        return {
            "width": position.width,
            "height": position.height,
            "tiles": list(position.tiles),
            "goal": list(position.goal),
        }

    def boards(self, position: Board, moves: str) -> tuple[str, ...]:
        """Every board of a solution, the start first, as the source's document writes it: nine
        characters, or numbers with commas.
        """
        found = [position]
        for move in moves:
            found.append(found[-1].after(move))
        return tuple(map(str, found))

    def describe(self, position: Board) -> str:
        """The size and the tiles."""
        return f"board {position}, {position.width}x{position.height}"


SLIDING = Sliding()
