"""`Riddle`: a round of Reach the Flag or a board of the sliding puzzle, as packs of puzzles hold them."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from PIL import Image

from levolve.puzzles.flag import files as round_files
from levolve.puzzles.flag import maker as round_maker
from levolve.puzzles.flag import picture as round_picture
from levolve.puzzles.flag.rules import Round
from levolve.puzzles.flag.text import write as round_text
from levolve.puzzles.sliding import exact, picture
from levolve.puzzles.sliding import maker as board_maker
from levolve.puzzles.sliding.rules import NINE, parse_size
from levolve.registry import Registry

Size = tuple[int, int]

# Tries for one puzzle: there are other candidates.
TRIES = 1000


@dataclass(frozen=True)
class Riddle:
    """One puzzle: its proven solution, what is known about it, how it is drawn, written and played."""

    solution: str
    measures: Mapping[str, int]
    likeness: str
    digest: str
    picture: Image.Image
    contents: Mapping[str, Callable[[], bytes]]
    play: Mapping[str, Any]


@dataclass(frozen=True)
class RiddleKind:
    """A puzzle that packs can be made of: the usual size, the lengths of solutions that suit a size, and one riddle of a length."""

    meaning: str
    size: Size
    lengths: Callable[[Size], tuple[int, int]]
    make: Callable[[Size, tuple[int, int], int], Riddle]
    forms: tuple[str, ...]


def _round_lengths(size: Size) -> tuple[int, int]:
    cells = size[0] * size[1]
    return min(6, cells - 1), max(min(cells * 2 // 3, 60), min(6, cells - 1))


def _make_round(size: Size, length: tuple[int, int], seed: int) -> Riddle:
    """The solver's effort of a round: its length, twice the wrong turns along it, and the generations that evolution needs."""
    made: Round = next(round_maker.make(1, round_maker.Wish(size=size, length=length), seed=seed, tries=TRIES))
    made.check()
    facts = {name: int(str(made.facts[name]).partition(".")[0]) for name in ("length", "solutions", "wrong_turns", "states", "generations")}
    contents = {
        "json": lambda: round_files.encode_json(made),
        "txt": lambda: round_text(made).encode(),
        "png": lambda: round_picture.png(made),
        "gif": lambda: round_picture.gif(made),
    }
    play = {"width": made.width, "height": made.height, "rows": made.tiles.tolist(), "start": list(made.start), "flag": list(made.flag)}
    measures = {"difficulty": facts["length"] + 2 * facts["wrong_turns"] + facts["generations"], **facts}
    return Riddle(made.solution or "", measures, made.likeness(), made.digest, round_picture.draw(made.after("")), contents, play)


def _board_lengths(size: Size) -> tuple[int, int]:
    width, height = parse_size(size)
    if width * height > NINE:
        return 8, 30
    # The very farthest boards are so few that they are hardly ever met.
    return 1, max(exact.farthest(width, height, width * height - 1) - 3, 2)


def _make_board(size: Size, length: tuple[int, int], seed: int) -> Riddle:
    """The solver's effort of a board: the fewest moves, and the generations that evolution needs."""
    made = next(board_maker.make(1, board_maker.Wish(size=size, length=length), seed=seed, tries=TRIES))
    board, solution = made.board, made.solution
    board.check(solution)
    generations = int(str(made.facts["generations"]).partition(".")[0])
    likeness = str(board_maker.likeness(board))
    contents = {
        "txt": f"{board}\nsolution: {solution}\n".encode,
        "png": lambda: picture.png(board),
        "gif": lambda: picture.gif(board, solution),
    }
    play = {"width": board.width, "height": board.height, "tiles": list(board.tiles), "goal": list(board.goal)}
    measures = {"difficulty": len(solution) + generations, "length": len(solution), "generations": generations}
    return Riddle(solution, measures, likeness, hashlib.sha256(str(board).encode()).hexdigest(), picture.draw(board), contents, play)


FLAG = RiddleKind("rounds of Reach the Flag", (7, 7), _round_lengths, _make_round, ("json", "txt", "png", "gif"))
SLIDING = RiddleKind("boards of the sliding puzzle", (3, 3), _board_lengths, _make_board, ("txt", "png", "gif"))
RIDDLES: Registry[RiddleKind] = Registry("puzzle", {"flag": f"{__name__}:FLAG", "sliding": f"{__name__}:SLIDING"})
