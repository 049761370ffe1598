"""Reach the Flag as one of the puzzles."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from levolve.core.events import Watch
from levolve.core.registry import Registry
from levolve.puzzles.flag import files
from levolve.puzzles.flag.rules import Round
from levolve.puzzles.flag.settings import FlagSettings
from levolve.puzzles.position import Solution
from levolve.puzzles.puzzle import Puzzle
from levolve.puzzles.settings import ExactSettings
from levolve.puzzles.solvers import PuzzleSearch
from levolve.puzzles.tile_map import MAP_FORMS

if TYPE_CHECKING:
    from PIL import Image

    from levolve.puzzles.flag.exact import FlagDescent
    from levolve.puzzles.flag.maker import FlagRequest
    from levolve.puzzles.tile_map import TileMap

# Kernels, makers and pictures are imported where they are used: reading a file loads none of them.
SETTINGS = "levolve.puzzles.flag.settings"
SHORTEST, LONGEST = 6, 60


class Flag(Puzzle[Round]):
    """Tiles that fall after a number of visits, and a flag to end on."""

    name = "flag"
    meaning = "walk over tiles that fall, use up every one, and end on the flag"
    noun, plural = "a round of Reach the Flag", "rounds of Reach the Flag"
    position_help = (
        "a file, a round's text, the number of one of the 30 rounds that come with levolve, or "
        "document-5, the round of the source's document"
    )
    position_type = Round
    schemes = Registry(
        "scheme",
        {
            "guided": f"{SETTINGS}:GuidedSettings",
            "plain": f"{SETTINGS}:PlainSettings",
            "source-1": f"{SETTINGS}:FirstSourceSettings",
            "source-2": f"{SETTINGS}:SourceSettings",
            "source-3": f"{SETTINGS}:ThirdSourceSettings",
        },
    )

    @property
    def request(self) -> "type[FlagRequest]":
        """The class of requests to the maker."""
        from levolve.puzzles.flag.maker import FlagRequest

        return FlagRequest

    def read(self, source: object) -> Round:  # type: ignore[override] # a round has no options
        """A round from a `Round`, its text form, JSON data, a file's path, or the number of a round
        that comes with levolve.
        """
        if (
            files.names_a_file(source)
            and Path(str(source)).suffix.lower().removeprefix(".") in MAP_FORMS
        ):
            from levolve.puzzles.load_save import read_position

            return read_position(self, Path(str(source)))
        return files.read_round(source)

    def parse(self, text: str) -> Round:
        """A round from its text or JSON form, or the number of a round that comes with levolve."""
        return files.parse_round(text)

    def search(
        self, position: Round, settings: FlagSettings, seed: int | None
    ) -> PuzzleSearch[Round]:
        """A population of walks."""
        from levolve.puzzles.flag.genetic import flag_search

        return flag_search(position, settings, seed)

    def search_exactly(self, position: Round, settings: ExactSettings) -> Solution:
        """A solution, or the proof that there is none."""
        from levolve.puzzles.flag import exact

        return exact.solve(position, budget=settings.budget)

    def exact_search(self, position: Round, settings: ExactSettings) -> "FlagDescent":
        """Depth-first search in pieces."""
        from levolve.puzzles.flag import exact
        from levolve.puzzles.flag.rules import Play

        return exact.FlagDescent(Play(position), 1, settings.budget)

    def make(
        self,
        count: int = 1,
        request: "FlagRequest | None" = None,
        *,
        seed: int | None = None,
        tries: int = 4000,
        watch: Watch | None = None,
        rated: bool = True,
    ) -> Iterator[Round]:
        """New rounds that meet a request."""
        from levolve.puzzles.flag import maker

        return maker.make(count, request, seed=seed, tries=tries, watch=watch, rated=rated)

    def lengths(self, size: tuple[int, int]) -> tuple[int, int]:
        """From a short walk to one over two thirds of the cells."""
        cells = size[0] * size[1]
        least = min(SHORTEST, cells - 1)
        return least, max(min(cells * 2 // 3, LONGEST), least)

    def measures(self, position: Round) -> dict[str, int]:
        """The effort of a solver: the length, twice the wrong turns along it, and the generations
        that evolution needs, as far as they are known.
        """
        names = ("length", "solutions", "wrong_turns", "states", "generations")
        known = {
            name: int(float(str(position.facts[name]))) for name in names if name in position.facts
        }
        facts = {"length": len(position.solution or ""), **known}
        return {
            "difficulty": facts["length"]
            + 2 * facts.get("wrong_turns", 0)
            + facts.get("generations", 0),
            **facts,
        }

    def draw(self, position: Round, moves: str = "") -> "Image.Image":
        """Tiles with the visits they still bear, the flag, and the player."""
        from levolve.puzzles.flag import pictures

        return pictures.draw(position.after(moves))

    def terminal(self, position: Round, moves: str = "", *, colour: bool = True) -> str:
        """Two characters per tile."""
        from levolve.puzzles.flag import pictures

        return pictures.terminal(position.after(moves), colour=colour)

    def encode_json(self, position: Round) -> bytes:
        """One line per row of tiles."""
        return files.encode_json(position)

    def decode(self, content: bytes) -> Round | None:
        """The round in a file's bytes."""
        return files.decode(content)

    def tile_map(self) -> "TileMap[Round]":
        """A kind of tile per number of visits."""
        from levolve.puzzles.flag.pictures import MAP

        return MAP

    def play_data(self, position: Round) -> dict[str, Any]:
        """The tiles, the start and the flag."""
        places = {"start": list(position.start), "flag": list(position.flag)}
        return {
            "width": position.width,
            "height": position.height,
            "rows": position.tiles.tolist(),
            **places,
        }

    def describe(self, position: Round) -> str:
        """The size and the visits."""
        return f"Reach the Flag, {position.width}x{position.height}, {position.visits} visits"

    def examine(self, position: Round) -> dict[str, Any]:
        """Whether it can be won, and the states of play from which it no longer can."""
        from levolve.puzzles.flag import exact

        solution = exact.solve(position)
        locks = exact.soft_locks(position)
        return {
            "solvable": solution.solved,
            "unsolvable": solution.unsolvable,
            "states": locks.states,
            "states_sampled": locks.sampled,
            "lost_states": locks.lost,
            "lost_share": round(locks.lost_share, 6),
            "losing_first_moves": locks.losing_first_moves,
            "winning_first_moves": locks.winning_first_moves,
        }

    def explain(self, findings: Mapping[str, Any]) -> dict[str, str]:
        """States, soft locks and first moves, a line each."""
        return {
            "states": (
                f"{findings['states']:,} "
                f"{'of random play' if findings['states_sampled'] else 'reachable'}"
            ),
            "soft locks": (
                f"{findings['lost_states']:,}: {findings['lost_share']:.1%} of states can no "
                "longer be won"
            ),
            "first moves": (
                f"winning: {findings['winning_first_moves'] or 'none'}, losing: "
                f"{findings['losing_first_moves'] or 'none'}"
            ),
        }


FLAG = Flag()
