"""The contract of puzzles."""

import json
import pickle
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from levolve.core.errors import InputError, ProofError
from levolve.formats.file_kinds import save
from levolve.puzzles import PUZZLES
from levolve.puzzles.load_save import read_position
from levolve.puzzles.position import UnsolvableError
from levolve.puzzles.puzzle import PICTURES, Puzzle
from levolve.puzzles.settings import meanings
from levolve.puzzles.solvers import PuzzleSearch
from levolve.puzzles.tile_map import MAP_FORMS
from levolve.testing.genotypes import need, raises


def check_puzzle(puzzle: Puzzle[Any], unsolvable: object) -> None:
    """Check that a puzzle's makers, solvers and files keep to the protocol of `Puzzle`.

    `unsolvable` describes a position without a solution, as the puzzle's `read` takes it.
    """
    made = list(puzzle.make(3, seed=1))
    need(
        "a puzzle is registered under its name",
        holds=puzzle.name in PUZZLES and PUZZLES[puzzle.name] is puzzle,
    )
    _check_settings(puzzle)
    _check_making(puzzle, made)
    _check_solving(puzzle, made, unsolvable)
    _check_resuming_solvers(puzzle, made)
    for position in made:
        _check_position_files(puzzle, position)
        _check_playing(puzzle, position)


def _check_settings(puzzle: Puzzle[Any]) -> None:
    kinds: list[type[Any]] = [
        puzzle.exact,
        puzzle.options,
        puzzle.request,
        *(puzzle.schemes[name] for name in puzzle.schemes),
    ]
    for kind in kinds:
        need(
            "every setting has a sentence that says what it means",
            holds=all(meaning for _, meaning in meanings(kind).values()),
        )
    need(
        "a request has a size and a length",
        holds={"size", "length"} <= set(meanings(puzzle.request)),
    )
    for method in ("exact", "genetic"):
        need(
            "an unknown setting is refused",
            holds=raises(InputError, partial(puzzle.settings, method, None, {"no such": 1})),
        )
    need(
        "what describes no position is refused",
        holds=raises(InputError, lambda: puzzle.read(object())),
    )


def _check_making(puzzle: Puzzle[Any], made: list[Any]) -> None:
    again, other = list(puzzle.make(3, seed=1)), list(puzzle.make(3, seed=2))
    need(
        "the same seed makes the same puzzles",
        holds=made == again and [one.facts for one in made] == [one.facts for one in again],
    )
    need(
        "another seed makes other puzzles",
        holds=not {one.digest for one in made} & {one.digest for one in other},
    )
    need(
        "no two puzzles of one call are alike",
        holds=len({one.likeness() for one in made}) == len(made),
    )
    low, high = getattr(puzzle.request(), "length")  # noqa: B009 a field that every request has
    for position in made:
        position.check()
        need("a solution has the requested length", holds=low <= len(position.solution) <= high)
        need(
            "a solution without its last move is no proof",
            holds=raises(ProofError, position.with_solution(position.solution[:-1]).check),
        )
        need(
            "a position without a solution is no proof",
            holds=raises(ProofError, position.with_solution(None).check),
        )
        measures = puzzle.measures(position)
        need("the first measure is the difficulty", holds=next(iter(measures)) == "difficulty")
        need(
            "measures are whole numbers",
            holds=all(type(value) is int for value in measures.values()),
        )
    few, most = puzzle.lengths(getattr(puzzle.request(), "size"))  # noqa: B009 a field that every request has
    need("a pack asks for lengths from few to many", holds=1 <= few <= most)


def _check_solving(puzzle: Puzzle[Any], made: list[Any], unsolvable: object) -> None:
    for position in made:
        exact = puzzle.solve(position, method="exact")
        need("exact search solves what was made", holds=exact.moves is not None)
        position.with_solution(exact.moves).check()
        for name in puzzle.schemes:
            first, again = (
                puzzle.solve(position, seed=5, scheme=name, generations=300) for _ in range(2)
            )
            need(
                "the same seed gives the same moves",
                holds=(first.moves, first.evaluations) == (again.moves, again.evaluations),
            )
            if first.moves is not None:
                position.with_solution(first.moves).check()
                need(
                    "no solution is shorter than the shortest",
                    holds=first.gap is None or first.gap >= 0,
                )
    in_vain = puzzle.read(unsolvable)
    try:
        solution = puzzle.solve(in_vain, method="exact")
    except UnsolvableError:
        return
    need(
        "exact search says that there is no solution",
        holds=solution.unsolvable and solution.moves is None,
    )


def _check_resuming_solvers(puzzle: Puzzle[Any], made: list[Any]) -> None:
    """Stop every genetic scheme after each of its first generations, and continue from the state in
    a new search.
    """
    for name in puzzle.schemes:
        settings = puzzle.settings(scheme=name, changes={"generations": 30})
        for position in made:
            straight = puzzle.search(position, settings, 7)
            straight.finish()
            for stop in range(min(straight.generation + 1, 4)):
                half = puzzle.search(position, settings, 7)
                half.advance(stop)
                state = half.state()
                half.finish()
                resumed = puzzle.search(position, settings, 8)
                resumed.restore(pickle.loads(pickle.dumps(state)))
                resumed.finish()
                need(
                    "a search that stops and goes on ends like one that does not",
                    holds=_ends_alike(straight, half),
                )
                need(
                    "a search restored from its state ends like one that was not stopped",
                    holds=_ends_alike(straight, resumed),
                )
            need(
                "a state of another shape is refused",
                holds=raises(InputError, partial(straight.restore, {"generation": 1})),
            )


def _ends_alike(first: PuzzleSearch[Any], second: PuzzleSearch[Any]) -> bool:
    counts = (first.generation, first.winner, first.evaluations) == (
        second.generation,
        second.winner,
        second.evaluations,
    )
    best = max(first.winner, 0)
    arrays = all(
        np.array_equal(array, second.arrays()[name]) for name, array in first.arrays().items()
    )
    return counts and arrays and first.moves_of(best) == second.moves_of(best)


def _check_position_files(puzzle: Puzzle[Any], position: Any) -> None:
    for form in puzzle.forms:
        content = puzzle.encode(position, form)
        need(
            "the same position gives the same bytes",
            holds=content == puzzle.encode(position, f".{form}") and bool(content),
        )
        if form in PICTURES:
            continue
        if form in MAP_FORMS:
            with TemporaryDirectory() as folder:
                again = read_position(puzzle, save(position, Path(folder) / f"position.{form}"))
            need(
                "a position that is written as tiles and read again is equal",
                holds=again == position,
            )
            need(
                "solution and facts come back",
                holds=(again.solution, again.facts) == (position.solution, position.facts),
            )
            continue
        again = _decoded(puzzle, content)
        need("a position that is written and read again is equal", holds=again == position)
        need(
            "solution and facts come back",
            holds=(again.solution, again.facts) == (position.solution, position.facts),
        )
        bare = _decoded(puzzle, puzzle.encode(position.with_solution(None), form))
        need("a position that holds no solution comes back without", holds=bare.solution is None)
    wrong = position.with_solution(position.solution[:-1])
    need(
        "a solution that does not hold is never written",
        holds=raises(ProofError, lambda: puzzle.encode(wrong, puzzle.suffixes[0])),
    )
    need(
        "an unknown form is refused",
        holds=raises(InputError, lambda: puzzle.encode(position, "no such")),
    )
    foreign = (
        b"",
        b"\xff\x00",
        b"{}",
        b"[1]",
        b"S.#\n..1\n#.E\n",
        b'{"format": "levolve level", "tiles": ["S.", ".E"]}',
    )
    need(
        "what is no position of the puzzle is left alone",
        holds=all(puzzle.decode(content) is None for content in foreign),
    )
    json.dumps(position.to_data())


def _decoded(puzzle: Puzzle[Any], content: bytes) -> Any:
    found = puzzle.decode(content)
    need("a position that is written can be read", holds=found is not None)
    return found


def _check_playing(puzzle: Puzzle[Any], position: Any) -> None:
    play = json.loads(json.dumps(puzzle.play_data(position)))
    need("the page gets a width and a height", holds=play["width"] > 0 and play["height"] > 0)
    script = puzzle.page_script()
    need(
        "the page's script has rules and a painter",
        holds=f"RULES.{puzzle.name}" in script and f"PAINTERS.{puzzle.name}" in script,
    )
    start, end = puzzle.draw(position), puzzle.draw(position, position.solution)
    need(
        "pictures of the start and the end have one size and differ",
        holds=start.size == end.size and start.tobytes() != end.tobytes(),
    )
    plain = puzzle.terminal(position, colour=False)
    need(
        "text without colour has no escapes",
        holds="\x1b" not in plain and "\x1b" in puzzle.terminal(position),
    )
    need(
        "moves show in the terminal",
        holds=plain != puzzle.terminal(position, position.solution, colour=False),
    )
