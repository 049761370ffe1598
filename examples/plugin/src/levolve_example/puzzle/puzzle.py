"""Ice as one of levolve's puzzles."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from levolve.core.errors import InputError
from levolve.core.events import Watch
from levolve.core.registry import Registry
from levolve.formats.pictures.colours import paint
from levolve.puzzles.load_save import read_position
from levolve.puzzles.position import Solution
from levolve.puzzles.puzzle import Puzzle, read_facts
from levolve.puzzles.settings import ExactSettings
from levolve_example.puzzle.maker import IceRequest, make
from levolve_example.puzzle.rules import FORMAT, Lake
from levolve_example.puzzle.solvers import IceSearch, IceSettings, solve_exactly

TILE = 32
ICE_COLOUR, ROCK, START, EXIT, PLAYER = (
    (214, 232, 242),
    (88, 98, 112),
    (180, 208, 226),
    (46, 134, 88),
    (193, 55, 60),
)
WHITE = (255, 255, 255)


class Ice(Puzzle[Lake]):
    """Slides over a lake with rocks."""

    name = "ice"
    meaning = "slide over the ice from rock to rock until you come to the exit"
    noun, plural = "a lake of Ice", "lakes of Ice"
    position_help = "a file, or a lake's text"
    position_type = Lake
    schemes = Registry("scheme", {"moves": "levolve_example.puzzle.solvers:IceSettings"})

    @property
    def request(self) -> type[IceRequest]:
        """The class of requests to the maker."""
        return IceRequest

    def read(self, source: object) -> Lake:  # type: ignore[override] # a lake has no options
        """A lake from a `Lake`, its text form, or a file's path."""
        if isinstance(source, Lake):
            return source
        if isinstance(source, Path) or (
            isinstance(source, str) and Path(source).suffix in {".json", ".txt"}
        ):
            return read_position(self, Path(source))
        if isinstance(source, str):
            return Lake.from_text(source)
        message = f"lake: expected a lake, its text or a file, got {type(source).__name__}"
        raise InputError(message)

    def search(self, position: Lake, settings: IceSettings, seed: int | None) -> IceSearch:
        """A population of lists of moves."""
        return IceSearch(position, settings, seed)

    def search_exactly(self, position: Lake, settings: ExactSettings) -> Solution:
        """The shortest solution, or the proof that there is none."""
        return solve_exactly(position, settings.budget)

    def make(
        self,
        count: int = 1,
        request: IceRequest | None = None,
        *,
        seed: int | None = None,
        tries: int = 4000,
        watch: Watch | None = None,
    ) -> Iterator[Lake]:
        """New lakes that meet a request."""
        return make(count, request, seed, tries, watch)

    def lengths(self, size: tuple[int, int]) -> tuple[int, int]:
        """From two moves to about as many as a side has cells."""
        return 2, max(size) + 1

    def measures(self, position: Lake) -> dict[str, int]:
        """The length of the solution, and the places where a slide can stop, where they are
        known.
        """
        length = len(position.solution or "")
        known = {"stops": int(str(position.facts["stops"]))} if "stops" in position.facts else {}
        return {"difficulty": 2 * length + known.get("stops", 0) // 4, "length": length, **known}

    def draw(self, position: Lake, moves: str = "") -> Image.Image:
        """Ice, rocks, the exit, and the player."""
        image = Image.new("RGB", (position.width * TILE, position.height * TILE), ICE_COLOUR)
        pen = ImageDraw.Draw(image)
        for y, row in enumerate(position.rows):
            for x, cell in enumerate(row):
                if cell == "o":
                    pen.rounded_rectangle(
                        (x * TILE + 2, y * TILE + 2, x * TILE + TILE - 3, y * TILE + TILE - 3),
                        8,
                        fill=ROCK,
                    )
        for (x, y), colour, edge in (
            (position.start, START, 3),
            (position.exit, EXIT, 3),
            (position.after(moves), PLAYER, 9),
        ):
            pen.ellipse(
                (
                    x * TILE + edge,
                    y * TILE + edge,
                    x * TILE + TILE - 1 - edge,
                    y * TILE + TILE - 1 - edge,
                ),
                fill=colour,
            )
        return image

    def terminal(self, position: Lake, moves: str = "", *, colour: bool = True) -> str:
        """Two characters per cell: `o` rock, `X` exit, `@` the player."""
        cells = [list(row) for row in position.rows]
        player = position.after(moves)
        cells[position.exit[1]][position.exit[0]] = "X"
        cells[player[1]][player[0]] = "@"
        grounds = {"~": ICE_COLOUR, "o": ROCK, "X": EXIT, "@": PLAYER}
        return "\n".join(
            "".join(
                paint(f"{sign} ", grounds[sign], WHITE) if colour else f"{sign} " for sign in row
            ).rstrip()
            for row in cells
        )

    def decode(self, content: bytes) -> Lake | None:
        """The lake in a file's bytes, JSON or text."""
        try:
            source = content.decode("utf-8-sig").strip()
            data = json.loads(source) if source.startswith("{") else _from_lines(source)
        except ValueError:
            return None
        if (
            not isinstance(data, dict)
            or data.get("format") != FORMAT
            or not isinstance(data.get("lake"), list)
        ):
            return None
        return (
            Lake.from_text("\n".join(map(str, data["lake"])))
            .with_solution(data.get("solution"))
            .with_facts(read_facts(data.get("facts")))
        )

    def play_data(self, position: Lake) -> dict[str, Any]:
        """The rows, the start and the exit."""
        places = {"start": list(position.start), "exit": list(position.exit)}
        return {
            "width": position.width,
            "height": position.height,
            "rows": list(position.rows),
            **places,
        }


def _from_lines(source: str) -> dict[str, Any] | None:
    """The data of a text file; None where its first line is not of ice and rocks."""
    lines = [line.strip() for line in source.splitlines() if line.strip()]
    rows = [line for line in lines if ":" not in line]
    if not rows or "~" not in "".join(rows):
        return None
    below = dict(line.split(":", 1) for line in lines if ":" in line)
    return {
        "format": FORMAT,
        "lake": rows,
        **{key.strip(): value.strip() for key, value in below.items()},
    }


ICE = Ice()
